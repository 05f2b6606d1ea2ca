"""Obelisk, graves, Pyramid and Temple as stacks of owned stones; free spaces show their value."""

from __future__ import annotations

from pbem.engine.core.types import N_
from pbem.engine.egizia import data
from pbem.pictures.egizia.pen import MARGIN, RIGHT, Pen
from pbem.pictures.elements import DASHED, both, breadth, seat_mark, stroke, words
from pbem.pictures.pen import sharp

HEIGHT = 336
_HEAD = 24
_BLOCK_HIGH = 27
_OBELISK_WIDE = 56
_GRAVE = 40
_GRAVE_COLUMNS = 4
_GRAVES_LEFT = MARGIN + 78
_RIGHT_LEFT = MARGIN + 268
_ROW_HIGH = 29
_TEMPLE_TOP = 14
Box = tuple[float, float, float, float]


class Buildings(Pen):
    """Draws the three building sites from `top` on."""

    def whole(self, top: float) -> str:
        """Obelisk and graves on the left, Pyramid and Temple on the right."""
        return self._obelisk(top) + self._graves(top) + self._pyramid(top) + self._temple(top)

    def _head(self, text: str, x: float, y: float) -> str:
        return words(x, y + 17, self.word(text), 19, weight=600, serif=True)

    def _stone(self, mark: str, title: str, place: Box, owner: int, value: int, *, next_: bool = True) -> str:  # noqa: PLR0913 - what a stone is drawn from
        """One space: its owner's mark, or its value; spaces that can't be built yet are dashed."""
        x, y, width, height = place
        paint = both("raised", "ink", 1.2) if next_ else both("paper", "muted", 1) + DASHED
        inside = [sharp(x, y, width, height, both("sand", "ink", 1.2) if owner >= 0 else paint)]
        middle = x + width / 2, y + height / 2
        if owner >= 0:
            inside.append(seat_mark(owner, *middle, min(width, height) * 0.36))
        else:
            colour = "ink" if next_ else "muted"
            inside.append(words(middle[0], middle[1] + 6, str(value), 17, anchor="middle", colour=colour))
        return self.named(mark, title, *inside, self.rings.ring(mark, *place))

    def _obelisk(self, top: float) -> str:
        """A tower that narrows towards its top, the first space at its foot."""
        parts = [self._head(N_("Obelisk"), MARGIN, top)]
        values, done = self.t.obelisk, self.board.obelisk
        high = min(_BLOCK_HIGH, (HEIGHT - _HEAD - 14) / len(values))
        foot = top + HEIGHT - 12
        for i, value in reversed(tuple(enumerate(values))):
            narrow = 18 * i / len(values)
            place = (MARGIN + narrow / 2 + 4, foot - (i + 1) * high, _OBELISK_WIDE - narrow, high)
            owner = done[i] if i < len(done) else -1
            title = self.word(N_("Obelisk space {space}, value {value}"), space=i + 1, value=value)
            parts.append(self._stone(f"obelisk:{i + 1}", title, place, owner, value, next_=i == len(done)))
        return "".join(parts)

    def _graves(self, top: float) -> str:
        """The path of graves, row by row to and fro: dug ones with owner and value, open ones, closed ones."""
        after_obelisk = MARGIN + breadth(self.word(N_("Obelisk")), 19) * 1.12 + 12
        parts = [self._head(N_("Graves"), max(_GRAVES_LEFT, after_obelisk), top)]
        for i in range(self.t.parts.grave_spaces):
            row, column = divmod(i, _GRAVE_COLUMNS)
            if row % 2:
                column = _GRAVE_COLUMNS - 1 - column
            x, y = _GRAVES_LEFT + column * (_GRAVE + 2), top + _HEAD + 4 + row * (_GRAVE + 12)
            parts.append(self._grave(i, x, y))
            if i + 1 < self.t.parts.grave_spaces:
                parts.append(self._arrow(i, x, y))
        rows = -(-self.t.parts.grave_spaces // _GRAVE_COLUMNS)
        y = top + _HEAD + 4 + rows * (_GRAVE + 12) + 14
        for line in (N_("dug: owner and value"), N_("open: value"), N_("closed: dashed")):
            parts.append(words(_GRAVES_LEFT, y, self.word(line), 14, colour="muted"))
            y += 18
        return "".join(parts)

    def _arrow(self, i: int, x: float, y: float) -> str:
        """Where the path goes on to the next row."""
        if (i + 1) % _GRAVE_COLUMNS:
            return ""
        middle = x + _GRAVE / 2
        return f'<path d="M{middle:g} {y + _GRAVE + 1:g}v10"{stroke("muted", 2)}/>'

    def _grave(self, i: int, x: float, y: float) -> str:
        board, mark = self.board, f"grave:{i + 1}"
        place = (x, y, float(_GRAVE), float(_GRAVE))
        ring = self.rings.ring(mark, *place)
        if i < len(board.dug):
            title = self.word(N_("Grave {space}, dug, value {value}"), space=i + 1, value=board.dug[i])
            inside = sharp(*place, both("sand", "ink", 1.2)) + seat_mark(board.dug_by[i], x + 14, y + 22, 11)
            value = words(x + _GRAVE - 5, y + 18, str(board.dug[i]), 15, anchor="end", colour="dark")
            return self.named(mark, title, inside, value, ring)
        if i - len(board.dug) < len(board.graves_open):
            value_of = board.graves_open[i - len(board.dug)]
            title = self.word(N_("Grave {space}, open, value {value}"), space=i + 1, value=value_of)
            lettered = words(x + _GRAVE / 2, y + 28, str(value_of), 22, weight=600, anchor="middle")
            return self.named(mark, title, sharp(*place, both("raised", "ink", 1.5)), lettered, ring)
        title = self.word(N_("Grave {space}, closed"), space=i + 1)
        return self.named(mark, title, sharp(*place, both("paper", "muted", 1) + DASHED), ring)

    def _pyramid(self, top: float) -> str:
        parts = [self._head(N_("Pyramid"), _RIGHT_LEFT, top)]
        rows = self.t.rows
        wide = (RIGHT - _RIGHT_LEFT) / len(rows[0])
        high = min(_ROW_HIGH, 170 / len(rows))
        foot = top + _HEAD + 2 + len(rows) * high
        for row, values in reversed(tuple(enumerate(rows))):
            owners = self.board.pyramid[row]
            under = len(self.board.pyramid[row - 1]) if row else len(values) + 1
            for i, value in reversed(tuple(enumerate(values))):
                place = (_RIGHT_LEFT + (row / 2 + i) * wide, foot - (row + 1) * high, wide, high)
                title = self.word(
                    N_("Pyramid, row {row}, space {space}, value {value}"), row=row + 1, space=i + 1, value=value
                )
                owner = owners[i] if i < len(owners) else -1
                free = i == len(owners) and i + 2 <= under
                parts.append(self._stone(f"pyramid:{row + 1}.{i + 1}", title, place, owner, value, next_=free))
        return "".join(parts)

    def _temple(self, top: float) -> str:
        """Two pylons, two columns between them, the entablature above."""
        head = top + _HEAD + len(self.t.rows) * min(_ROW_HIGH, 170 / len(self.t.rows)) + _TEMPLE_TOP
        parts = [self._head(N_("Temple"), _RIGHT_LEFT, head)]
        left = _RIGHT_LEFT + 94
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
            title = self.word(
                N_("{part}, space {space}, value {value}"), part=data.PARTS[part], space=i + 1, value=value
            )
            place = (x, foot - (i + 1) * high, wide, high)
            owner = owners[i] if i < len(owners) else -1
            found.append(self._stone(f"temple:{key}.{i + 1}", title, place, owner, value, next_=i == len(owners)))
        return "".join(found)

    def _entablature(self, x: float, y: float, width: float) -> str:
        values, owners = self.t.temple[data.ENTABLATURE], self.board.temple[data.ENTABLATURE]
        free = all(len(self.board.temple[part]) == len(self.t.temple[part]) for part in (0, 1))
        wide = width / len(values)
        found = []
        for i, value in enumerate(values):
            title = self.word(N_("Entablature, space {space}, value {value}"), space=i + 1, value=value)
            place = (x + i * wide, y, wide, 22.0)
            found.append(self._stone(f"temple:entablature.{i + 1}", title, place, owners[i], value, next_=free))
        return "".join(found)
