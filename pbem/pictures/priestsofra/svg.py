"""The table as SVG: Ra track, centre sun and lot on top, below them what each player has."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pbem.engine.core.types import N_, Message
from pbem.engine.priestsofra.data import EPOCH_NAMES, FACES, LOT_SPACES
from pbem.engine.priestsofra.marks import BAG, CENTRE, face_mark, lot_mark, ra_mark, sun_mark
from pbem.pictures.elements import DASHED, both, box, breadth, cut, drawing, fill, stroke, words
from pbem.pictures.elements import seat_mark as badge
from pbem.pictures.priestsofra.displays import PANEL, Displays
from pbem.pictures.priestsofra.glyphs import sign, symbols
from pbem.pictures.priestsofra.pen import GAME, MARGIN, RIGHT, WIDTH, Pen, sun
from pbem.pictures.priestsofra.text import auction_line
from pbem.pictures.rings import Rings

if TYPE_CHECKING:
    from pbem.engine.priestsofra.view import View
    from pbem.pictures.pen import Say
    from pbem.pictures.rings import Marked

_RA_TOP, _RA_SIDE = 92, 38
_LOT_TOP, _TILE_WIDE, _TILE_HIGH = 176, 134, 50
_GAP, _A_ROW = 8, 4
_LINE_TOP, _LINE_HIGH = 298, 50
"""Where the auction, or the tile that is being placed, is shown while there is one."""


def svg(view: View, say: Say, rings: Marked = ()) -> str:
    """The board, what has changed ringed and numbered."""
    round_it = Rings(GAME, say, rings)
    top, displays = Top(view, say, round_it), Displays(view, say, round_it)
    line = top.auction() or top.drawn()
    parts = [top.head(), top.ra_track(), top.centre(), top.lot(), line]
    y = _LINE_TOP + (_LINE_HIGH + 4.0 if line else 0.0)
    for seat in range(len(view.players)):
        parts.append(displays.panel(seat, y))
        y += PANEL + 10
    parts.append(round_it.links())
    return drawing(GAME, (WIDTH, y + 6), say(Message(N_("The table of Priests of Ra"))), parts, symbols())


class Top(Pen):
    """The upper half of the picture: what all players share."""

    def head(self) -> str:
        """Epoch on the left, bag on the right."""
        bag = self.word(N_("{count} in the bag"), count=sum(self.view.bag.values()))
        wide = breadth(bag, 20)
        epoch = words(MARGIN, 42, self.word(EPOCH_NAMES[self.view.epoch - 1]), 31, weight=600, serif=True)
        lettered = words(RIGHT, 42, bag, 20, anchor="end", colour="muted")
        return epoch + self.named(BAG, bag, lettered, self.rings.ring(BAG, RIGHT - wide - 4, 20, wide + 12, 30))

    def ra_track(self) -> str:
        """PR-1.3: the spaces of the Ra track; the last one ends the epoch."""
        spaces = self.view.ra_spaces
        heading = self.word(N_("Ra: {count} of {spaces}"), count=self.view.ra, spaces=spaces)
        parts = [words(MARGIN, 82, heading, 20, weight=600)]
        for space in range(1, spaces + 1):
            x, mark = MARGIN + (space - 1) * (_RA_SIDE + 6), ra_mark(space)
            title = self.word(N_("Ra track, space {space}"), space=space)
            ring = self.rings.ring(mark, x, _RA_TOP, _RA_SIDE, _RA_SIDE)
            parts.append(self.named(mark, title, self._ra_space(space, x), ring))
        return "".join(parts)

    def _ra_space(self, space: int, x: float) -> str:
        if space <= self.view.ra:
            ra = words(x + _RA_SIDE / 2, 118, "Ra", 20, weight=600, anchor="middle", colour="paper", serif=True)
            return box(x, _RA_TOP, _RA_SIDE, _RA_SIDE, both("accent", "accent")) + ra
        paint = stroke("danger", 3) if space == self.view.ra_spaces else stroke("muted") + DASHED
        return box(x, _RA_TOP, _RA_SIDE, _RA_SIDE, paint)

    def centre(self) -> str:
        """The sun in the centre."""
        x, y = RIGHT - 40, 104
        title = self.word(N_("Sun {sun} in the centre"), sun=self.view.centre)
        drawn = self.named(sun_mark(self.view.centre), title, sun(self.view.centre, x, y, 32, 31))
        return self.named(CENTRE, title, drawn, self.rings.ring(CENTRE, x - 38, y - 38, 76, 76))

    def lot(self) -> str:
        """PR-2.3: the auction track, eight spaces in two rows."""
        heading = self.word(N_("Lot: {count} of {spaces}"), count=len(self.view.lot), spaces=LOT_SPACES)
        parts = [words(MARGIN, 166, heading, 20, weight=600)]
        for space in range(LOT_SPACES):
            x = MARGIN + space % _A_ROW * (_TILE_WIDE + _GAP)
            y = _LOT_TOP + space // _A_ROW * (_TILE_HIGH + _GAP)
            mark = lot_mark(space + 1)
            ring = self.rings.ring(mark, x, y, _TILE_WIDE, _TILE_HIGH)
            if space < len(self.view.lot):
                face = self.view.lot[space]
                parts.append(self.named(mark, self.word(face), self._tile(face, x, y), ring))
            else:
                title = self.word(N_("Empty space {space} of the lot"), space=space + 1)
                empty = box(x, y, _TILE_WIDE, _TILE_HIGH, stroke("line", 2) + DASHED)
                parts.append(self.named(mark, title, empty, ring))
        return "".join(parts)

    def _tile(self, face: str, x: float, y: float) -> str:
        """A tile with its sign and its name."""
        name, room = self.word(face), _TILE_WIDE - 46
        size = 20 if breadth(name, 20) <= room else 16
        return (
            box(x, y, _TILE_WIDE, _TILE_HIGH, both("raised", "ink"))
            + sign(face.replace(" ", "-"), x + 5, y + 7, 36)
            + words(x + 44, y + _TILE_HIGH / 2 + size * 0.35, cut(name, room, size), size)
        )

    def auction(self) -> str:
        """Who started the auction, and the best bid; nothing while there is none."""
        if self.view.phase != "bid":
            return ""
        line = cut(self.say(auction_line(self.view)), RIGHT - MARGIN - 60, 20)
        strip = box(MARGIN - 8, _LINE_TOP, RIGHT - MARGIN + 16, 44, fill("accent"))
        disc = f'<circle cx="{MARGIN + 16}" cy="{_LINE_TOP + 22}" r="18"{fill("paper")}/>'
        lettered = words(MARGIN + 46, _LINE_TOP + 29, line, 20, weight=600, colour="paper")
        return strip + disc + badge(self.view.turn, MARGIN + 16, _LINE_TOP + 22, 12) + lettered

    def drawn(self) -> str:
        """PR-2.3: the two faces of a tile that is being placed."""
        if self.view.phase != "face":
            return ""
        parts = [words(MARGIN, _LINE_TOP + 31, self.word(N_("Drawn:")), 20, weight=600)]
        for number, face in enumerate(self.view.drawn.split("/"), 1):
            x = MARGIN + number * (_TILE_WIDE + _GAP)
            parts.append(self.named(face_mark(FACES.index(face)), self.word(face), self._tile(face, x, _LINE_TOP)))
        return "".join(parts)
