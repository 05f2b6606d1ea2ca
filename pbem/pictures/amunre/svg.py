"""The schematic map of Egypt as SVG: four columns of provinces, the Nile down the middle, north at the top."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from pbem.engine.amunre.data import MAP, PROVINCES
from pbem.engine.amunre.words import heading
from pbem.engine.core.message import N_, sentence
from pbem.pictures.amunre.captions import HALVES
from pbem.pictures.amunre.lands import HIGH, SCALE, WIDE, Lands
from pbem.pictures.amunre.shapes import GAME, Renderer, camel, card, coin, crown, farmer, pyramid, square, temple
from pbem.pictures.amunre.side_panels import SidePanels
from pbem.pictures.blocks import WIDTH, Block, Sheet, composed
from pbem.pictures.elements import fill, fill_and_stroke, stroke, words
from pbem.pictures.renderer import explained, path, rectangle
from pbem.pictures.rings import Highlights

if TYPE_CHECKING:
    from pbem.engine.amunre.view import View
    from pbem.pictures.renderer import Legend, Say
    from pbem.pictures.rings import Marked

_MARGIN = 6
_TOP = 18
"""Room for the sea at the top."""
_GAP = 6
_RIVER = 34
_BEND = 34
_BORDER = 26
"""Room for the line between lower and upper Egypt."""
_LOWER = 2


def svg(view: View, say: Say, rings: Marked = ()) -> str:
    """Return the board as everybody sees it, what has changed ringed and numbered."""
    return composed(sheet(view, say, rings))


def sheet(view: View, say: Say, rings: Marked = ()) -> Sheet:
    """Return the same in blocks: the map, the temple, and each seat."""
    return Map(view, say, Highlights(GAME, say, rings)).whole()


def printed(view: View, say: Say) -> tuple[Block, ...]:
    """Return what each province prints, as a drawing of its own, by its name."""
    lands = Lands(msgspec.structs.replace(view, shown=[]), say)
    return tuple(Block(name, (int(WIDE) + 4, HIGH + 4.0), lands.land(p, 2, 2)) for p, name in enumerate(PROVINCES))


def legend(say: Say) -> Legend:
    """Return what the signs mean: each sign in a box of 32 by 24, and its words."""
    signs = (
        (square(6, 3, 17, stroke("field", 2)), N_("a free field")),
        (farmer(8, 4, fill("field")), N_("a farmer")),
        (square(10, 7, 11, fill_and_stroke("line", "ink", 1.2)), N_("a stone; three become a pyramid")),
        (pyramid(5, 21), N_("a pyramid; a second one stands behind it")),
        (card(10, 4), N_("card limit: so many power cards may be bought for it")),
        (coin(8, 4), N_("income, and gold")),
        (camel(5, 4), N_("income by camel, on temple spaces 1 and 2 only")),
        (temple(8, 4, fill("ink")), N_("temple: points at the scoring by the temple's space")),
        (crown(7, 5), N_("first player")),
        (rectangle(13, 2, 6, 20, fill("danger")), N_("a bid block: go up two spaces or more")),
    )
    return explained(signs, say)


class Map(Renderer):
    """Puts the parts in their places."""

    def whole(self) -> Sheet:
        """Return the board; provinces up for auction make their row higher."""
        rim = SidePanels(self.view, self.say, self.rings)
        land = self._map(rim)
        title = self.say(sentence("The map of Amun-Re"))
        return Sheet(GAME, title, self.say(heading(self.view)), (land, rim.temple(), *rim.seats()))

    def _map(self, rim: SidePanels) -> Block:
        lands = Lands(self.view, self.say, self.rings)
        drawn, y = [], float(_TOP)
        border = 0.0
        for row, names in enumerate(MAP):
            if row == _LOWER:
                border = y
                y += _BORDER
            for column, name in enumerate(names):
                x = _column(column)
                drawn.append(lands.land(PROVINCES.index(name), x, y) if name else rim.deck(x, y))
            y += HIGH + _GAP + SCALE * any(name and PROVINCES.index(name) in self.view.shown for name in names)
        ring = self.rings.ring("board", (_MARGIN, _TOP, WIDTH - 2 * _MARGIN, y - _TOP - _GAP), (WIDTH / 2, _TOP + 20))
        title = self.word("The map of Amun-Re")
        board = self.named("board", title, ring)
        waves = "".join("q9.375 -7 18.75 0t18.75 0" for _ in range(WIDTH // 37))
        desert = rectangle(0, 0, WIDTH, y + 4, fill("desert"))
        sea = path(f"M0 0v8{waves}V0z", fill("water"))
        inside = [desert, sea, _nile(y), self._border(border), *drawn, board]
        return Block("map", (WIDTH, y + 4), "".join(inside), links=self.rings.links())

    def _border(self, y: float) -> str:
        """Return the line between the halves, with their names on either side of the river."""
        line = path(f"M{_MARGIN} {y + 10:g}h{WIDTH - 2 * _MARGIN}", stroke("muted", 1.5) + ' stroke-dasharray="2 5"')
        middle = WIDTH / 2
        north = words(middle - 32, y + 16, f"\N{UPWARDS ARROW} {self.word(HALVES[0])}", 18, anchor="end")
        south = words(middle + 32, y + 16, f"\N{DOWNWARDS ARROW} {self.word(HALVES[1])}", 18)
        signs = "".join(rectangle(middle + left, y, 160, 21, fill("paper")) for left in (-190, 30))
        return line + signs + north + south


def _column(column: int) -> float:
    """Return the left edge of a column; the river runs between the second and the third."""
    return _MARGIN + column * (WIDE + _GAP) + (_RIVER if column > 1 else 0)


def _nile(foot: float) -> str:
    """Return the river, winding from south to north between its banks; it parts before it comes to the sea."""
    x = _column(1) + WIDE + _GAP / 2 + _RIVER / 2
    bends, y, side = [], 4.0, 1
    while y < foot - _BEND / 2:
        bends.append(f"q{7 * side} {_BEND / 2:g} 0 {_BEND}")
        y, side = y + _BEND, -side
    course = f"M{x:g} 4{''.join(bends)}"
    arms = f"M{x:g} 40q-4 -18 -22 -34M{x:g} 40q4 -18 22 -34"
    bank = path(course, stroke("bank", 30))
    ripples = "".join(f"M{x - 4:g} {at:g}q4 -5 8 0" for at in range(70, int(foot) - 20, 90))
    return bank + path(course, stroke("water", 17)) + path(arms, stroke("water", 7)) + path(ripples, stroke("paper"))
