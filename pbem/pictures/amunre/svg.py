"""The schematic map of Egypt as SVG: four columns of provinces, the Nile down the middle, north at the top."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pbem.engine.amunre.data import PROVINCES
from pbem.engine.core.types import N_, Message
from pbem.pictures.amunre.lands import HIGH, SCALE, WIDE, Lands
from pbem.pictures.amunre.pen import GAME, MARGIN, RIGHT, WIDTH, Pen
from pbem.pictures.amunre.rim import LINE, Rim
from pbem.pictures.amunre.said import HALVES
from pbem.pictures.elements import drawing, stroke, words
from pbem.pictures.pen import path
from pbem.pictures.rings import Rings

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pbem.engine.amunre.view import View
    from pbem.pictures.pen import Say
    from pbem.pictures.rings import Marked

MAP = (
    ("Damanhur", "Buto", "Mendes", "Avaris"),
    ("Baharya", "Memphis", "Amarna", ""),
    ("Dakhla", "Abydos", "Thebes", "Sawu"),
    ("Kharga", "Edfu", "Abu", "Berenike"),
)
"""Inland west, west bank, east bank, inland east; from north to south. The empty place holds the temple track."""
_TOP = 48
_GAP = 8
_RIVER = 28
_BEND = 30
_BORDER = 30
"""Room for the line between lower and upper Egypt."""
_LOWER = 2


def svg(view: View, say: Say, rings: Marked = ()) -> str:
    """The board as everybody sees it, what has changed ringed and numbered."""
    return Map(view, say, Rings(GAME, say, rings)).whole()


class Map(Pen):
    """Puts the parts in their places."""

    def whole(self) -> str:
        """The drawing; provinces up for auction make their row higher."""
        rim, lands = Rim(self.view, self.say, self.rings), Lands(self.view, self.say, self.rings)
        drawn, y = [], float(_TOP)
        border = 0.0
        for row, names in enumerate(MAP):
            if row == _LOWER:
                border = y
                y += _BORDER
            for column, name in enumerate(names):
                x = _column(column)
                drawn.append(lands.land(PROVINCES.index(name), x, y) if name else rim.temple_box(x, y))
            y += self._height(names) + _GAP
        ring = self.rings.ring("board", MARGIN, _TOP, RIGHT - MARGIN, y - _TOP - _GAP)
        parts = [rim.head(), _nile(y), self._border(border), *drawn, self.named("board", self._title(), ring)]
        foot = y + 2 + self.view.seats * LINE
        parts += [rim.seats(y + 2), rim.legend(foot + 4), self.rings.links()]
        return drawing(GAME, (WIDTH, foot + 28), self._title(), parts)

    def _title(self) -> str:
        return self.say(Message(N_("The map of Amun-Re")))

    def _height(self, names: Sequence[str]) -> int:
        up = any(name and PROVINCES.index(name) in self.view.shown for name in names)
        return HIGH + (SCALE if up else 0)

    def _border(self, y: float) -> str:
        """The line between the halves, with their names."""
        line = path(f"M{MARGIN} {y + 12:g}h{RIGHT - MARGIN}", stroke("muted", 1.5))
        north = words(MARGIN, y + 7, self.word(HALVES[0]), 14, colour="muted")
        south = words(MARGIN, y + 25, self.word(HALVES[1]), 14, colour="muted")
        return line + north + south


def _column(column: int) -> float:
    """The left edge of a column; the river runs between the second and the third."""
    return MARGIN + column * (WIDE + _GAP) + (_RIVER if column > 1 else 0)


def _nile(foot: float) -> str:
    """The river, winding from south to north."""
    x = _column(1) + WIDE + _GAP / 2 + _RIVER / 2 - 2
    bends, y, side = [], float(_TOP), 1
    while y < foot - _GAP - _BEND / 2:
        bends.append(f"q{7 * side} {_BEND / 2:g} 0 {_BEND}")
        y, side = y + _BEND, -side
    return path(f"M{x:g} {_TOP}{''.join(bends)}", stroke("water", 15))
