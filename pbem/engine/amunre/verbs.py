"""Which module answers for which decision: check, legal and sample by phase."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any

from pbem.engine.amunre import auction, build, buy, harvest, offering, rewards
from pbem.engine.amunre.data import ROUNDS, SEATS
from pbem.engine.amunre.orders import Adjust, AnOrder, Bid, Build, Buy, Draft, Harvest, Keep, Offer, Sell, Take
from pbem.engine.amunre.state import HARVEST, HIDDEN, OVER, PHASES, SELL, State
from pbem.engine.core.types import N_, Decision, Message

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from pbem.engine.core.rng import Chance

ORDERS: tuple[type, ...] = (Bid, Sell, Buy, Draft, Build, Offer, Adjust, Take, Draft, Harvest)
"""By phase, the kind of order that answers it."""

_CHECK: tuple[Callable[[State, int, Any], list[Message]], ...] = (
    auction.check_bid,
    auction.check_sell,
    buy.check_buy,
    lambda state, _, order: buy.check_draft(state, order),
    build.check_build,
    offering.check_offer,
    lambda *_: [],
    rewards.check_take,
    lambda state, _, order: buy.check_draft(state, order),
    harvest.check_harvest,
)
_LEGAL: tuple[Callable[[State, int], Iterator[Any]], ...] = (
    auction.legal_bids,
    auction.legal_sells,
    buy.legal_buys,
    lambda state, _: buy.legal_drafts(state),
    build.legal_builds,
    offering.legal_offers,
    lambda *_: iter((Adjust(up=True), Adjust(up=False))),
    rewards.legal_takes,
    lambda state, _: buy.legal_drafts(state),
    harvest.legal_harvests,
)
_SAMPLE: tuple[Callable[[State, int, Chance], Any], ...] = (
    auction.sample_bid,
    auction.sample_sell,
    buy.sample_buy,
    lambda state, _, chance: buy.sample_draft(state, chance),
    build.sample_build,
    offering.sample_offer,
    lambda _, __, chance: Adjust(up=chance.below(2) == 1),
    rewards.sample_take,
    lambda state, _, chance: buy.sample_draft(state, chance),
    harvest.sample_harvest,
)
NOT_ASKED = N_("You are not asked for an order now.")
WRONG_KIND = N_("This is no answer to what you are asked now ({kind}): {order}.")


_PLAIN = tuple(Decision(kind) for kind in PHASES)
_ONE = tuple(tuple({seat: decision} for seat in range(5)) for decision in _PLAIN)
_KEEP_AMONG = {n: Decision("keep", secret=True, candidates=tuple(range(n)), needed=False) for n in SEATS}
"""AR-9.5: in the last round of a kingdom anybody who isn't asked may say which bonus cards to keep."""
_LISTS = {
    n: tuple(
        {seat % n: Decision("bid", sealed=True, needed=seat == first) for seat in range(first, first + n)}
        for first in range(n)
    )
    for n in SEATS
}
"""AR-5.10: by seat count and first player, everybody's list, in the order in which they bid."""


def asked(state: State) -> Mapping[int, Decision]:
    """Every seat that may answer now, and what (AR-3.2, AR-5.10, AR-9.5)."""
    phase, seats = state.phase, state.asked
    now: Mapping[int, Decision]
    if phase in HIDDEN:
        now = dict.fromkeys(seats, _secret(PHASES[phase], _candidates(state)))
    elif auction.is_sealed(state):
        return _LISTS[state.seats][seats[0]]
    elif len(seats) == 1:
        now = _ONE[phase][seats[0]]
    else:
        now = dict.fromkeys(seats, _PLAIN[phase])
    if state.round != ROUNDS or phase == OVER:
        return now
    return {**now, **{seat: _KEEP_AMONG[state.seats] for seat in range(state.seats) if seat not in seats}}


@lru_cache(maxsize=512)
def _secret(kind: str, seats: tuple[int, ...]) -> Decision:
    return Decision(kind, secret=True, candidates=seats)


def _candidates(state: State) -> tuple[int, ...]:
    """Every seat that could be asked now by what everybody knows, for a decision that hides who is asked."""
    phase = state.phase
    if phase == SELL:
        if state.options.gold == "hidden":
            return tuple(seat for seat in range(state.seats) if state.bids[seat] > 0)
        return tuple(seat for seat in range(state.seats) if auction.missing(state, seat))
    if phase == HARVEST:
        counts_known = state.options.hand_counts == "public"
        return tuple([s for s in range(state.seats) if state.items[s] or not counts_known or any(state.hands[s])])
    return tuple(sorted(state.asked))


def asked_kind(state: State, seat: int | None) -> str:
    """The kind of decision that a seat may answer now; "" for none."""
    decision = asked(state).get(seat) if seat is not None else None
    return decision.kind if decision else ""


def check(state: State, seat: int, order: AnOrder) -> list[Message]:
    """Name every fault of an order."""
    kind = asked_kind(state, seat)
    if not kind:
        return [Message(NOT_ASKED, {}, "AR-3.2")]
    if type(order) is not (Keep if kind == "keep" else ORDERS[state.phase]):
        return [Message(WRONG_KIND, {"kind": kind, "order": str(order)}, "AR-3.1")]
    if type(order) is Keep:
        return harvest.check_keep(order)
    return _CHECK[state.phase](state, seat, order)


def legal(state: State, seat: int) -> Iterator[AnOrder]:
    """Every legal order lazily: plain ones first, then those that use cards."""
    kind = asked_kind(state, seat)
    if kind == "keep":
        return harvest.legal_keeps()
    return _LEGAL[state.phase](state, seat) if kind else iter(())


def sample(state: State, seat: int, chance: Chance) -> AnOrder:
    """One random legal order; every legal order can come up."""
    if seat in state.asked or auction.is_sealed(state):
        order: AnOrder = _SAMPLE[state.phase](state, seat, chance)
        return order
    return harvest.sample_keep(chance)
