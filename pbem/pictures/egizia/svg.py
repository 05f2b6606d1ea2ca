"""The whole board as SVG: the river on top, the building sites, the markets, then each player."""

from __future__ import annotations

from pbem.engine.core.types import N_, Message
from pbem.engine.egizia.view import View
from pbem.engine.egizia.words import heading
from pbem.pictures.egizia import buildings, river, tableaus
from pbem.pictures.egizia.pen import GAME, MARGIN, WIDTH
from pbem.pictures.elements import cut, drawing, words
from pbem.pictures.pen import Say
from pbem.pictures.rings import Marked, Rings

_TOP = 56


def svg(view: View, say: Say, rings: Marked = ()) -> str:
    """The board as everybody sees it, what has changed ringed and numbered."""
    round_it = Rings(GAME, say, rings)
    below = tableaus.Tableaus(view, say, round_it)
    title = say(heading(view))
    parts = [words(MARGIN, 38, cut(title, WIDTH - 2 * MARGIN, 29), 29, weight=600, serif=True)]
    y = float(_TOP)
    parts.append(river.River(view, say, round_it).whole(y))
    y += river.HEIGHT + 4
    parts += [below.ring(y), buildings.Buildings(view, say, round_it).whole(y + 44)]
    y += 44 + buildings.HEIGHT + 6
    parts.append(below.markets(y))
    y += tableaus.MARKETS + 6
    parts.append(below.track(y))
    y += 42
    for seat in view.board.order:
        parts.append(below.panel(seat, y))
        y += tableaus.PANEL
    parts.append(round_it.links())
    return drawing(GAME, (WIDTH, y + 4), say(Message(N_("The board of Egizia"))), parts)
