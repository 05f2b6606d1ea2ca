"""The seat's own figures and what to warn it of, for a preview of its order."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pbem.engine.core.types import N_, Message, sentence
from pbem.engine.priestsofra.data import BUILDINGS, CHAMBERS, NET, PEOPLE, PLAGUE, PRIEST, PYRAMID
from pbem.engine.priestsofra.orders import Bid
from pbem.engine.priestsofra.scoring import sheets
from pbem.engine.priestsofra.state import suns_of
from pbem.engine.priestsofra.view import cautious

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pbem.engine.priestsofra.orders import AnyOrder
    from pbem.engine.priestsofra.view import View


def figures(view: View) -> dict[str, int]:
    """Return the own figures of the view's seat by name."""
    seat = view.seat or 0
    suns, tiles = suns_of(view.up[seat]), view.display[seat]

    def held(*faces: int) -> int:
        return sum(tiles[face] for face in faces)

    return {
        N_("tiles in the lot"): len(view.lot),
        N_("space on the Ra track"): view.ra,
        N_("suns face up"): len(suns),
        N_("sum of suns face up"): sum(suns),
        N_("people"): held(*PEOPLE),
        N_("buildings"): held(*BUILDINGS),
        N_("priests"): held(PRIEST),
        N_("plagues"): held(PLAGUE),
        N_("pyramid and chambers"): held(PYRAMID, *CHAMBERS),
        N_("ankhs"): view.ankhs[seat],
        N_("points"): view.points[seat],
        N_("points if the epoch ended now"): sheets(view)[seat][NET],
    }


def stakes(view: View, orders: Sequence[AnyOrder], /) -> tuple[Message, ...]:
    """PR-3.6: a sealed list gives away its highest sun at most; who must bid gives at least the lowest."""
    suns = [order.sun for order in orders if isinstance(order, Bid)]
    last = cautious(view)
    highest = max([*suns, *([last.sun] if isinstance(last, Bid) else [])], default=0)
    if not highest:
        return (sentence("This list bids nothing: you keep all your suns.", "PR-3.6"),)
    text = N_("At most your sun {sun} is at stake: who wins with it takes the centre sun {centre} for it, face down.")
    return (sentence(text, "PR-3.6", sun=highest, centre=view.centre),)


def warnings(view: View, order: AnyOrder, _after: View) -> tuple[Message, ...]:
    """Return what a player may not have meant: the last sun."""
    if isinstance(order, Bid) and len(suns_of(view.up[view.seat or 0])) == 1:
        return (sentence("That is your last sun face up: if you win, you sit out the rest of the epoch."),)
    return ()
