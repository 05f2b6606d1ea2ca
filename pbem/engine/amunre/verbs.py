"""Which module answers for which decision: check, legal and sample by phase."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pbem.engine.amunre import auction, build, buy, harvest, offering, rewards
from pbem.engine.amunre.data import ROUNDS
from pbem.engine.amunre.orders import Adjust, AnOrder, Bid, Build, Buy, Draft, Harvest, Keep, Offer, Sell, Take
from pbem.engine.amunre.state import OVER, PHASES, State
from pbem.engine.core.types import N_, Message

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

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


def may_keep(state: State, seat: int) -> bool:
    """AR-9.5: whether a seat that isn't asked may say which bonus cards to keep."""
    return state.round == ROUNDS and state.phase != OVER and seat not in state.asked


def asked_kind(state: State, seat: int) -> str:
    """The kind of decision that a seat may answer now, asked or optional; "" for none."""
    if seat in state.asked:
        return PHASES[state.phase]
    return "keep" if may_keep(state, seat) else ""


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
    if seat in state.asked:
        return _LEGAL[state.phase](state, seat)
    return harvest.legal_keeps() if may_keep(state, seat) else iter(())


def sample(state: State, seat: int, chance: Chance) -> AnOrder:
    """One random legal order; every legal order can come up."""
    if seat in state.asked:
        order: AnOrder = _SAMPLE[state.phase](state, seat, chance)
        return order
    return harvest.sample_keep(chance)
