"""Obelisk, graves, Pyramid and Temple as stacks of owned stones; free spaces show their value."""

from __future__ import annotations

from typing import NamedTuple

from pbem.engine.core.message import N_
from pbem.engine.egizia import data
from pbem.pictures.egizia.shapes import MARGIN, RIGHT, Renderer
from pbem.pictures.elements import DASHED, fill_and_stroke, seat_tile, stroke, text_width, words
from pbem.pictures.renderer import kept, path, rectangle
from pbem.pictures.rings import Box, Spot

HEIGHT = 336
_HEAD = 24
_BLOCK_HIGH = 27
_OBELISK_WIDE = 56
_GRAVE = 44
_GRAVE_COLUMNS = 4
_GRAVES_LEFT = MARGIN + 90
_RIGHT_LEFT = MARGIN + 306
_RIGHT_END = RIGHT - 26
"""Beside the rows there is room for the numbers of rings."""
_ROW_HIGH = 29
_TEMPLE_TOP = 1
"""Its name stands between the Pyramid and the entablature, above the numbers of rings."""


class _Stone(NamedTuple):
    """One space of a building."""

    title: str
    of: int | str
    """The row or the part that its title names."""
    space: int
    place: Box
    spots: tuple[Spot, ...]
    """Where the number of its ring may stand."""
    owner: int
    """-1 for a free one."""
    value: int
    is_next: bool
    """Whether it can be built on now."""


class Buildings(Renderer):
    """Draws the three building sites from `top` on."""

    def whole(self, top: float) -> str:
        """Obelisk and graves on the left, Pyramid and Temple on the right."""
        return self._obelisk(top) + self._graves(top) + self._pyramid(top) + self._temple(top)

    def _head(self, text: str, part: str, x: float, y: float) -> str:
        return words(x, y + 17, self.track_name(text, part), 19, weight=600, serif=True)

    @kept
    def _stone(self, mark: str, stone: _Stone) -> str:
        """One space: its owner's mark, or its value; spaces that can't be built yet are dashed."""
        x, y, width, height = stone.place
        paint = (
            fill_and_stroke("raised", "ink", 1.2) if stone.is_next else fill_and_stroke("paper", "muted", 1) + DASHED
        )
        inside = [rectangle(x, y, width, height, fill_and_stroke("sand", "ink", 1.2) if stone.owner >= 0 else paint)]
        if stone.owner >= 0:
            inside.append(seat_tile(stone.owner, x + 2, y + 1.5, width - 4, height - 3))
        else:
            colour = "ink" if stone.is_next else "muted"
            value = str(stone.value)
            inside.append(words(x + width / 2, y + height / 2 + 6, value, 18, anchor="middle", colour=colour))
        title = self.word(stone.title, row=stone.of, part=stone.of, space=stone.space, value=stone.value)
        return self.named(mark, title, *inside, self.rings.ring(mark, stone.place, *stone.spots))

    def _obelisk(self, top: float) -> str:
        """Return a tower that narrows towards its top, the first space at its foot."""
        parts = [self._head(N_("Obelisk"), "obelisk", MARGIN, top)]
        values, done = self.t.obelisk, self.board.obelisk
        high = min(_BLOCK_HIGH, (HEIGHT - _HEAD - 14) / len(values))
        foot = top + HEIGHT - 12
        for i, value in reversed(tuple(enumerate(values))):
            narrow = 18 * i / len(values)
            place = (MARGIN + narrow / 2 + 4, foot - (i + 1) * high, _OBELISK_WIDE - narrow, high)
            owner = done[i] if i < len(done) else -1
            title = N_("Obelisk space {space}, value {value}")
            spots = ((MARGIN + 76.0, place[1] + high / 2),)
            stone = _Stone(title, "", i + 1, place, spots, owner, value, i == len(done))
            parts.append(self._stone(f"obelisk:{i + 1}", stone))
        return "".join(parts)

    def _graves(self, top: float) -> str:
        """Return the path of graves, row by row to and fro: dug ones with owner and value, open ones, closed ones."""
        after_obelisk = MARGIN + text_width(self.track_name(N_("Obelisk"), "obelisk"), 19) * 1.12 + 12
        parts = [self._head(N_("Graves"), "graves", max(_GRAVES_LEFT, after_obelisk), top)]
        values = (*self.board.dug, *self.board.graves_open)
        for i in range(self.t.parts.grave_spaces):
            row, column = divmod(i, _GRAVE_COLUMNS)
            if row % 2:
                column = _GRAVE_COLUMNS - 1 - column
            x, y = _GRAVES_LEFT + column * (_GRAVE + 4), top + _HEAD + 4 + row * (_GRAVE + 26)
            value = values[i] if i < len(values) else None
            owner = self.board.dug_by[i] if i < len(self.board.dug) else None
            parts.append(self._grave(f"grave:{i + 1}", i + 1, value, owner, x, y))
            if i + 1 < self.t.parts.grave_spaces and not (i + 1) % _GRAVE_COLUMNS:  # on to the next row
                parts.append(path(f"M{x + _GRAVE / 2:g} {y + _GRAVE + 1:g}v24", stroke("muted", 2)))
        return "".join(parts)

    @kept
    def _grave(self, mark: str, space: int, value: int | None, owner: int | None, x: float, y: float) -> str:  # noqa: PLR0913, PLR0917 - what a grave shows, and where
        place = (x, y, float(_GRAVE), float(_GRAVE))
        ring = self.rings.ring(mark, place, (x + _GRAVE / 2, y + _GRAVE + 13))
        if value is None:
            title = self.word("Grave {space}, closed", space=space)
            return self.named(mark, title, rectangle(*place, fill_and_stroke("paper", "muted", 1) + DASHED), ring)
        if owner is None:
            title = self.word("Grave {space}, open, value {value}", space=space, value=value)
            lettered = words(x + _GRAVE / 2, y + 28, str(value), 22, weight=600, anchor="middle")
            return self.named(mark, title, rectangle(*place, fill_and_stroke("raised", "ink", 1.5)), lettered, ring)
        title = self.word("Grave {space}, dug, value {value}", space=space, value=value)
        inside = rectangle(*place, fill_and_stroke("sand", "ink", 1.2)) + seat_tile(owner, x + 3, y + 3, 18, 38)
        lettered = words(x + _GRAVE - 5, y + 29, str(value), 18, anchor="end", colour="dark")
        return self.named(mark, title, inside, lettered, ring)

    def _pyramid(self, top: float) -> str:
        parts = [self._head(N_("Pyramid"), "pyramid_rows_bottom_up", _RIGHT_LEFT, top)]
        rows = self.t.rows
        wide = (_RIGHT_END - _RIGHT_LEFT) / len(rows[0])
        high = min(_ROW_HIGH, 170 / len(rows))
        foot = top + _HEAD + 2 + len(rows) * high
        for row, values in reversed(tuple(enumerate(rows))):
            owners = self.board.pyramid[row]
            under = len(self.board.pyramid[row - 1]) if row else len(values) + 1
            for i, value in reversed(tuple(enumerate(values))):
                place = (_RIGHT_LEFT + (row / 2 + i) * wide, foot - (row + 1) * high, wide, high)
                title = N_("Pyramid, row {row}, space {space}, value {value}")
                owner = owners[i] if i < len(owners) else -1
                free = i == len(owners) and i + 2 <= under
                reach, middle = row / 2 * wide, place[1] + high / 2
                spots = ((_RIGHT_LEFT + reach - 13, middle), (_RIGHT_END - reach + 13, middle))
                stone = _Stone(title, row + 1, i + 1, place, spots, owner, value, free)
                parts.append(self._stone(f"pyramid:{row + 1}.{i + 1}", stone))
        return "".join(parts)

    def _temple(self, top: float) -> str:
        """Two pylons, two columns between them, the entablature above."""
        head = top + _HEAD + len(self.t.rows) * min(_ROW_HIGH, 170 / len(self.t.rows)) + _TEMPLE_TOP
        parts = [self._head(N_("Temple"), "temple", _RIGHT_LEFT, head)]
        left = _RIGHT_LEFT + 80
        widths = (52.0, 36.0, 36.0, 52.0)
        order = (0, 2, 3, 1)
        deep = max(len(values) for values in self.t.temple[: data.ENTABLATURE])
        high = min(21.0, 84 / deep)
        foot = top + HEIGHT - 12
        x = float(left)
        for part, wide in zip(order, widths, strict=True):
            parts.append(self._stack(part, x, foot, wide, high))
            x += wide + 4
        parts.append(self._entablature(left, foot - deep * high - 22, x - 4 - left))
        return "".join(parts)

    def _stack(self, part: int, x: float, foot: float, wide: float, high: float) -> str:
        found = []
        owners, key = self.board.temple[part], data.PARTS[part].replace(" ", "-")
        for i, value in reversed(tuple(enumerate(self.t.temple[part]))):
            title = N_("{part}, space {space}, value {value}")
            place = (x, foot - (i + 1) * high, wide, high)
            owner = owners[i] if i < len(owners) else -1
            stone = _Stone(title, data.PARTS[part], i + 1, place, _beside(place), owner, value, i == len(owners))
            found.append(self._stone(f"temple:{key}.{i + 1}", stone))
        return "".join(found)

    def _entablature(self, x: float, y: float, width: float) -> str:
        values, owners = self.t.temple[data.ENTABLATURE], self.board.temple[data.ENTABLATURE]
        free = all(len(self.board.temple[part]) == len(self.t.temple[part]) for part in (0, 1))
        wide = width / len(values)
        found = []
        for i, value in enumerate(values):
            title = N_("Entablature, space {space}, value {value}")
            place = (x + i * wide, y, wide, 22.0)
            stone = _Stone(title, "", i + 1, place, _beside(place), owners[i], value, free)
            found.append(self._stone(f"temple:entablature.{i + 1}", stone))
        return "".join(found)


def _beside(place: Box) -> tuple[Spot, ...]:
    """Return where the number of a temple's stone may stand: left of the temple, at its height."""
    return tuple((_RIGHT_LEFT + 66.0 - 25 * at, place[1] + place[3] / 2) for at in range(3))
