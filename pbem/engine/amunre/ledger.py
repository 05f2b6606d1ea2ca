"""The seat's own figures and what to warn it of, for a preview of its order."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pbem.engine.amunre.data import CARD_POINTS, PRICES, TEMPLE_SPACES
from pbem.engine.amunre.harvest import is_asked, workers, yields
from pbem.engine.amunre.orders import Bid, Keep, Offer
from pbem.engine.amunre.scoring import banks, counting, lines
from pbem.engine.amunre.state import BID, OFFER, owned
from pbem.engine.amunre.view import imagine
from pbem.engine.amunre.view import view as view_of
from pbem.engine.core.types import N_, Message, sentence

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pbem.engine.amunre.orders import AnOrder
    from pbem.engine.amunre.state import State
    from pbem.engine.amunre.view import View
    from pbem.engine.core.rng import Chance

HARVESTS = (
    N_("harvest with the temple on 1"),
    N_("harvest with the temple on 2"),
    N_("harvest with the temple on 3"),
    N_("harvest with the temple on 4"),
)
POINTS, SCORING = N_("points"), N_("points at the scoring, before gold")
OF_ALL = frozenset({POINTS, SCORING})


def figures(view: View) -> dict[str, int]:
    """Return the own figures of the view's seat by name."""
    seat, own = view.seat or 0, owned(view, view.seat or 0)
    bid = PRICES[view.bids[seat]] if view.phase == BID and view.at[seat] >= 0 else 0
    found = {
        N_("gold"): view.gold[seat],
        N_("gold left once bids are paid"): view.gold[seat] - bid,
        N_("power cards"): sum(view.hand),
        N_("farmers"): sum(workers(view, p) for p in own),
        N_("stones"): sum(view.stones[p] for p in own),
        N_("pyramids"): sum(view.pyramids[p] for p in own),
    }
    for space, name in zip(range(1, TEMPLE_SPACES + 1), HARVESTS, strict=True):
        found[name] = sum(yields(view, p, space) for p in own)
    return found | {POINTS: view.points[seat], SCORING: _at_scoring(view, seat, own)}


def _at_scoring(state: State, seat: int, own: list[int]) -> int:
    """AR-9.1 to AR-9.5: what the seat's provinces and bonus cards would bring as they stand."""
    if not own:
        return 0
    return sum(lines(state, seat, banks(state)[seat])) + CARD_POINTS * len(counting(state, seat, own))


def hanging(view: View, after: View, *, open_ended: bool) -> frozenset[str]:
    """Return the figures that others may change in the same ply: points; all, where it may go on to a later phase."""
    if _may_be_owed(view, after) or _may_be_harvested(view, after):
        return frozenset(figures(after))
    return OF_ALL if open_ended else frozenset()


def _may_be_owed(view: View, after: View) -> bool:
    """AR-5.5: whether somebody else may choose a sale before bids are paid; a hidden purse may hold too little."""
    others = (one for seat, one in enumerate(zip(view.at, view.bids, view.gold, strict=True)) if seat != view.seat)
    is_paid = view.phase == BID and after.phase != BID
    return is_paid and any(p >= 0 and PRICES[bid] > gold for p, bid, gold in others)


def _may_be_harvested(view: View, after: View) -> bool:
    """AR-7.6, AR-8.4: whether nobody may be asked before the harvest, because all others may play theft, too."""
    seat = view.seat or 0
    return view.phase == OFFER and after.offers[seat] <= 0 and not is_asked(view, seat)


def carried_out(view: View, order: AnOrder, chance: Chance, /) -> tuple[View, ...]:
    """AR-9.5: bonus cards said to be kept are not scored; nothing that others do till then changes that."""
    if not isinstance(order, Keep) or view.seat is None:
        return ()
    world = imagine(view, chance)
    world.keeps[view.seat] = list(order.cards)
    return (view_of(world, view.seat),)


def stakes(view: View, orders: Sequence[AnOrder], /) -> tuple[Message, ...]:
    """AR-5.10: the highest bid of a sealed list is the most that it can cost; where no line fits, it ends with 0."""
    gold = view.gold[view.seat] if view.seat is not None else 0
    most = max((PRICES[order.space] for order in orders if isinstance(order, Bid)), default=0)
    if most > gold:
        text = N_("This list bids up to {most}, more than your {gold} gold: you would have to sell cards.")
        return (sentence(text, "AR-5.10", most=most, gold=gold),)
    text = N_("This list bids at most {most} of your {gold} gold: at least {left} gold is left.")
    return (sentence(text, "AR-5.10", most=most, gold=gold, left=gold - most),)


def warnings(view: View, order: AnOrder, _after: View) -> tuple[Message, ...]:
    """Return what a player may not have meant."""
    gold = view.gold[view.seat or 0] if view.seat is not None else 0
    if isinstance(order, Bid) and PRICES[order.space] == gold:
        return (sentence("This bid takes all your gold: nothing is left for farmers, stones and cards."),)
    if isinstance(order, Bid) and PRICES[order.space] > gold:
        return (sentence("This bid is more than your {gold} gold: you would have to sell cards.", gold=gold),)
    if isinstance(order, Offer) and order.gold and order.gold == gold:
        return (sentence("This offering takes all your gold."),)
    return ()
