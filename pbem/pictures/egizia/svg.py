"""The whole board as SVG: the river on top, the building sites, the markets, then each player."""

from __future__ import annotations

from pbem.engine.core.message import N_, Message, sentence
from pbem.engine.egizia import data
from pbem.engine.egizia.view import View
from pbem.engine.egizia.words import heading
from pbem.pictures.blocks import WIDTH, Block, Sheet, composed
from pbem.pictures.egizia import buildings, river, shapes, tableaus
from pbem.pictures.egizia.shapes import GAME
from pbem.pictures.elements import fill, stroke
from pbem.pictures.renderer import Legend, Say, explained, path, rectangle
from pbem.pictures.rings import Highlights, Marked


def svg(view: View, say: Say, rings: Marked = ()) -> str:
    """Return the board as everybody sees it, what has changed ringed and numbered."""
    return composed(sheet(view, say, rings))


def sheet(view: View, say: Say, rings: Marked = ()) -> Sheet:
    """Return the same in blocks: the river and the buildings; beside them the markets, the points, and each player."""
    round_it = Highlights(GAME, say, rings)
    below, sites = tableaus.Tableaus(view, say, round_it), buildings.Buildings(view, say, round_it)

    def block(name: str, title: Message, high: float, drawn: str, column: int = 2) -> Block:
        return Block(name, (WIDTH, high), drawn, column, say(title), round_it.links())

    blocks = [
        block("river", sentence("The river"), river.HEIGHT + 4, river.River(view, say, round_it).whole(6), 1),
        block("sites", sentence("Buildings and graves"), 50 + buildings.HEIGHT, below.ring(8) + sites.whole(48), 1),
        block(
            "markets",
            sentence("Markets and points"),
            tableaus.MARKETS + 42,
            below.markets(4) + below.track(tableaus.MARKETS + 6),
        ),
        *(block(f"seat-{seat}", Message("{seat}", {"seat": seat}), *below.panel(seat, 2)) for seat in view.board.order),
    ]
    return Sheet(GAME, say(sentence("The board of Egizia")), say(heading(view)), tuple(blocks))


def printed(view: View, say: Say) -> tuple[Block, ...]:
    """The face of each card by its id, and the river, the buildings and the markets by the groups of the form."""
    cards, t = river.River(view, say), view.t
    face, task = ((int(wide) + 4, high + 4) for wide, high in (river.FACE, river.TASK))
    return (
        *(block for block in sheet(view, say).blocks if block.name in {"river", "sites", "markets"}),
        *(Block(name, face, cards.face(card, 2, 2)) for card, name in enumerate(t.names)),
        *(Block(one.id, task, cards.task(card, 2, 2)) for card, one in enumerate(t.sphinx)),
    )


def legend(say: Say) -> Legend:
    """Return what the signs mean: each sign in a box of 32 by 24, and its words."""
    signs = (
        (shapes.stone(4, 3), N_("stones, and how many the quarries bring each round")),
        (shapes.ship(3, 1), N_("ships left this round")),
        (shapes.scroll(5, 2), N_("Sphinx cards")),
        (shapes.grave(6, 1), N_("graves; their values count together")),
        (shapes.ear(8, 0), N_("grain the watered fields give, and grain the crews want")),
        (shapes.arrow(4, 2), N_("steps on a market")),
        (shapes.star(6, 1), N_("points")),
        (rectangle(13, 0, 6, 24, fill("accent")), N_("a card that lasts")),
        (rectangle(13, 0, 6, 24, fill("gold")), N_("a card used once")),
        (path("M4 22L28 2", stroke("danger", 3)), N_("a crew that has worked this round")),
    )
    names = [say(Message(name)) for name in data.CREWS]
    crews = ((f'<g transform="scale(.8)">{shapes.figure(at, names, 8, 0)}</g>', name) for at, name in enumerate(names))
    return (*crews, *explained(signs, say))
