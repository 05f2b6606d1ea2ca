"""What a player has: suns, points, counted stacks in the order of scoring, and the growing pyramid."""

from __future__ import annotations

from pbem.engine.core.message import N_
from pbem.engine.priestsofra.data import CHAMBER_A, CHAMBERS, FACES, PLAGUE, PRIEST, PYRAMID
from pbem.engine.priestsofra.marks import ankhs_mark, face_key, seat_mark, sun_mark, tile_mark
from pbem.engine.priestsofra.state import OVER, suns_of
from pbem.pictures.elements import box, fill_and_stroke, memoized, stroke, truncated, words
from pbem.pictures.elements import seat_mark as badge
from pbem.pictures.priestsofra.glyphs import CHAMBER_PAINT, sign
from pbem.pictures.priestsofra.shapes import MARGIN, RIGHT, Renderer, sun, sun_down
from pbem.pictures.renderer import kept
from pbem.pictures.rings import Spot

PANEL = 158
_LEFT = MARGIN - 8
_WIDE = RIGHT + 8 - _LEFT
_STACKED = (*range(CHAMBER_A), PRIEST, PLAGUE)
"""Faces that lie in counted stacks; pyramids and chambers are built instead."""
_GROUP_ENDS = {3, 7}
_CELL, _CELL_HIGH, _BETWEEN = 39, 76, 10
_BLOCK, _COURSE, _COURSES = 32, 24, 4
_MIDDLE = RIGHT - 66.0
"""The pyramid's axis."""
_BUILT = (PYRAMID, *CHAMBERS)


class Displays(Renderer):
    """The lower half of the picture."""

    def panel(self, seat: int, y: float) -> str:
        """One player: name, suns and points, then the stacks and the pyramid."""
        acting = self.view.actor == seat or seat in self.view.asked
        paint = fill_and_stroke("raised", "accent", 3) if acting else fill_and_stroke("raised", "line")
        name = self.player(seat)
        return "".join(
            [
                self.named(seat_mark(seat), name, box(_LEFT, y, _WIDE, PANEL, paint)),
                badge(seat, MARGIN + 14, y + 26, 15),
                words(MARGIN + 36, y + 33, truncated(name, 136, 22), 22, weight=600),
                self._suns(seat, y + 26),
                self._points(seat, y),
                self._stacks(seat, y + 56),
                self._pyramid(seat, y + PANEL - 8),
                self.rings.ring(seat_mark(seat), (_LEFT, y, _WIDE, PANEL), (MARGIN + 187, y + 26)),
            ]
        )

    def _points(self, seat: int, y: float) -> str:
        """Points, and ankhs beside them. Hidden points stay out even of their owner's picture, which letters share."""
        hidden = self.view.hide_scores and self.view.phase != OVER
        shown = "?" if hidden else str(self.view.points[seat])
        points = words(RIGHT - 4, y + 35, shown, 25, weight=600, anchor="end")
        count = self.view.ankhs[seat]
        if not count:
            return points
        mark = ankhs_mark(seat)
        left = MARGIN + 408
        ankhs = "".join(sign("ankh", left + 21 * number, y + 12, 26) for number in range(count))
        title = self.word("{count} ankh(s)", count=count)
        ring = self.rings.ring(mark, (left, y + 10, 21 * count + 6, 30), (left + 10, y + 52))
        return points + self.named(mark, title, ankhs, ring)

    def _suns(self, seat: int, y: float) -> str:
        """Suns up as discs, suns down as circles."""
        parts, x = [], MARGIN + 220.0
        for value in (*suns_of(self.view.up[seat]), *suns_of(self.view.down[seat])):
            parts.append(self._sun(sun_mark(value), value, self.view.up[seat] >> value & 1, x, y))
            x += 46
        return "".join(parts)

    @kept
    def _sun(self, mark: str, value: int, up: int, x: float, y: float) -> str:
        title = self.word(N_("Sun {sun}, face up") if up else N_("Sun {sun}, face down"), sun=value)
        drawn = sun(value, x, y, 17, 20) if up else sun_down(value, x, y)
        return self.named(mark, title, drawn, self.rings.ring(mark, (x - 20, y - 20, 40, 40), (x, y + 30)))

    def _stacks(self, seat: int, y: float) -> str:
        """PR-6: people, buildings, priests and plagues, counted, in the order of scoring."""
        parts, x = [], float(MARGIN)
        for position, face in enumerate(_STACKED):
            parts.append(self._stack(tile_mark(seat, face), face, self.view.display[seat][face], x, y))
            x += _CELL + (_BETWEEN if position in _GROUP_ENDS else 0)
        return "".join(parts)

    @kept
    def _stack(self, mark: str, face: int, count: int, x: float, y: float) -> str:
        title = self.word("{face}: {count}", face=FACES[face], count=count)
        drawn = sign(face_key(face), x + 2, y + 4, 35)
        number = words(x + 19, y + 66, str(count), 22, weight=600, anchor="middle")
        if not count:
            drawn, number = f'<g opacity="0.2">{drawn}</g>', ""
        ring = self.rings.ring(mark, (x, y, 38, _CELL_HIGH), (x + 19, y + 86))
        return self.named(mark, title, drawn, number, ring)

    def _pyramid(self, seat: int, foot: float) -> str:
        """PR-7.1, PR-7.2: the pyramid as it grows, of pyramid tiles and lettered chambers, four courses high."""
        places = _places(foot)
        blocks = [face for face in _BUILT for _ in range(self.view.display[seat][face])]
        parts = [box(x + 1, y + 1, _BLOCK - 2, _COURSE - 2, stroke("line")) for x, y in places[len(blocks) :]]
        for face in dict.fromkeys(blocks):
            own = [place for place, block in zip(places, blocks, strict=False) if block == face]
            mark = tile_mark(seat, face)
            count = blocks.count(face)
            title = self.word("{face}: {count}", face=FACES[face], count=count)
            parts.append(self.named(mark, title, *(_block(face, x, y) for x, y in own), self._ring(mark, own, foot)))
        if len(blocks) > len(places):
            more = f"+{len(blocks) - len(places)}"
            parts.append(words(RIGHT - 2, foot - 3 * _COURSE, more, 18, weight=600, anchor="end"))
        title = self.word("Pyramid: {count} tile(s)", count=len(blocks))
        return self.named(f"pyramid:{seat}", title, *parts)

    def _ring(self, mark: str, places: list[Spot], foot: float) -> str:
        """Return a ring round the blocks at `places`, its number left of the pyramid's foot."""
        if not places:
            return ""
        left, top = min(x for x, _ in places), min(y for _, y in places)
        right, low = max(x for x, _ in places) + _BLOCK, max(y for _, y in places) + _COURSE
        spots = ((_MIDDLE - 78, foot - 12 - 25 * at) for at in range(4))
        return self.rings.ring(mark, (left, top, right - left, low - top), *spots)


@memoized
def _places(foot: float) -> list[Spot]:
    """The upper left corner of each block, from the foot's left up: a course is begun when the one below is full."""
    return [
        (_MIDDLE + (place - (_COURSES - course) / 2) * _BLOCK, foot - (course + 1) * _COURSE)
        for course in range(_COURSES)
        for place in range(_COURSES - course)
    ]


def _block(face: int, x: float, y: float) -> str:
    """One block: stone, or a chamber in its colour with its letter."""
    if face == PYRAMID:
        return box(x + 1, y + 1, _BLOCK - 2, _COURSE - 2, fill_and_stroke("line", "ink"))
    paint, dark = CHAMBER_PAINT[face - CHAMBER_A]
    letter = FACES[face][-1]
    drawn = box(x + 1, y + 1, _BLOCK - 2, _COURSE - 2, fill_and_stroke(paint, "ink"))
    ink = "dark" if dark else "light"
    return drawn + words(x + _BLOCK / 2, y + 18, letter, 18, weight=600, anchor="middle", colour=ink)
