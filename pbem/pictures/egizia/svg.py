"""The whole board as SVG: the river on top, the building sites, the markets, then each player."""

from __future__ import annotations

from pbem.engine.core.types import N_, Message
from pbem.engine.egizia import data
from pbem.engine.egizia.view import View
from pbem.engine.egizia.words import heading
from pbem.pictures.blocks import WIDTH, Block, Sheet, composed
from pbem.pictures.egizia import buildings, pen, river, tableaus
from pbem.pictures.egizia.pen import GAME
from pbem.pictures.elements import fill, stroke, words
from pbem.pictures.pen import Say, path, sharp
from pbem.pictures.rings import Marked, Rings


def svg(view: View, say: Say, rings: Marked = ()) -> str:
    """The board as everybody sees it, what has changed ringed and numbered."""
    return composed(sheet(view, say, rings))


def sheet(view: View, say: Say, rings: Marked = ()) -> Sheet:
    """The same in blocks: the river and the buildings; beside them the markets, the points, and each player."""
    round_it = Rings(GAME, say, rings)
    below = tableaus.Tableaus(view, say, round_it)

    def block(name: str, high: float, drawn: str, column: int = 2) -> Block:
        return Block(name, (WIDTH, high), drawn + round_it.links(), column)

    blocks = [
        block("river", river.HEIGHT + 4, river.River(view, say, round_it).whole(6), 1),
        block("sites", 50 + buildings.HEIGHT, below.ring(8) + buildings.Buildings(view, say, round_it).whole(48), 1),
        block("markets", tableaus.MARKETS + 42, below.markets(4) + below.track(tableaus.MARKETS + 6)),
        *(block(f"seat-{seat}", tableaus.PANEL, below.panel(seat, 2)) for seat in view.board.order),
    ]
    return Sheet(GAME, say(Message(N_("The board of Egizia"))), say(heading(view)), tuple(blocks))


_CARDS = {
    data.IMPROVE: N_("once a round: one crew +1"),
    data.LAY: N_("one field of yours is one colour better from then on"),
    data.FEED_STONES: N_("a stone feeds like one grain"),
    data.REUSE: N_("once a round: a ship to an occupied round space downstream"),
    data.PLUS_2: N_("two more Sphinx cards are drawn"),
    data.UPSTREAM: N_("once a round: a ship goes upstream of your last one"),
    data.LEFTOVER: N_("after sailing: one card left on the river"),
    data.TRADE: N_("once a round: two stones make one crew +1"),
    data.GRAVES_8: N_("8 more for the sum of your graves"),
    data.PLUS_3: N_("once: a crew is 3 stronger in one action"),
    data.GRAIN: N_("once: grain in one feeding"),
    data.KEEP_TWO: N_("once: two Sphinx cards are kept"),
    data.TWO_SHIPS: N_("once: two ships in one turn"),
    data.DOUBLE: N_("once: a round space is done twice"),
    data.COMBINE: N_("once: two crews work together"),
    data.EXTRA: N_("once: a ship to a site that is full, in a new last slot"),
    data.MOVE: N_("once: a ship of yours goes to another slot of its site"),
    data.SELL: N_("once: up to 10 stones for a point each"),
}
"""What each card that is kept does, told beside the signs."""


def legend(say: Say) -> tuple[tuple[str, str], ...]:
    """What the signs mean: each sign in a box of 32 by 24, and its words."""
    signs = (
        (pen.stone(4, 3), N_("stones, and how many the quarries bring each round")),
        (pen.ship(3, 1), N_("ships left this round")),
        (pen.scroll(5, 2), N_("Sphinx cards")),
        (pen.grave(6, 1), N_("graves; their values count together")),
        (pen.ear(8, 0), N_("grain the watered fields give, and grain the crews want")),
        (pen.arrow(4, 2), N_("steps on a market")),
        (pen.star(6, 1), N_("points")),
        (sharp(13, 0, 6, 24, fill("accent")), N_("a card that lasts")),
        (sharp(13, 0, 6, 24, fill("gold")), N_("a card used once")),
        (path("M4 22L28 2", stroke("danger", 3)), N_("a crew that has worked this round")),
        (words(16, 18, "?", 18, anchor="middle", colour="muted"), N_("printed value that no source confirms")),
    )
    kept = sharp(13, 0, 6, 24, fill("accent")), sharp(13, 0, 6, 24, fill("gold"))
    lasts = {data.IMPROVE, data.LAY, data.FEED_STONES, data.REUSE, data.PLUS_2, data.UPSTREAM, data.LEFTOVER}
    lasts |= {data.TRADE, data.GRAVES_8}
    cards = (
        (
            kept[power not in lasts],
            Message(N_("{card}: {effect}"), {"card": data.EFFECT_NAMES[power], "effect": Message(told)}),
        )
        for power, told in _CARDS.items()
    )
    return tuple((sign, say(told)) for sign, told in (*((sign, Message(told)) for sign, told in signs), *cards))
