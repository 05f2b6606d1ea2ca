"""Who is asked what, which orders may answer, and which step follows which (AR-3)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import lru_cache
from typing import Any, NamedTuple

from pbem.engine.amunre import auction, buy, harvest, offering, scoring
from pbem.engine.amunre import state as s
from pbem.engine.amunre.data import KINGDOMS, ROUNDS, SEATS
from pbem.engine.amunre.grammar import example
from pbem.engine.amunre.orders import Adjust, AnOrder, Bid, Build, Buy, Draft, Harvest, Keep, Offer, Sell, Take
from pbem.engine.amunre.reveal import reveal
from pbem.engine.amunre.state import Ply, State, order_of_play
from pbem.engine.core.message import N_, Event, Message, sentence
from pbem.engine.core.rng import Chance
from pbem.engine.core.types import Decision

NOT_ASKED = N_("You are not asked for an order now.")
_OPEN = tuple(tuple(Decision(kind, held=held) for kind in s.PHASES) for held in (False, True))
"""Of which all know who is asked, by whether the answer is held and by phase."""
_ONE = tuple(tuple(tuple({seat: one} for seat in range(5)) for one in decisions) for decisions in _OPEN)
_BY_HAND = frozenset((s.BUILD, s.BUY_DRAFT))
"""Steps in which a plan may answer or fall by the cards in hand, and so tell of what only its owner sees."""
_BY_PURSE = frozenset((s.BID, s.BUY))
"""Steps in which it may by what its owner can pay, gold and cards sold."""
_KEEP = {
    n: dict.fromkeys(range(n), Decision(N_("keep"), secret=True, candidates=tuple(range(n)), needed=False))
    for n in SEATS
}
"""AR-9.5: by seat count, what anybody who isn't asked may say in the last round of a kingdom: bonus cards to keep."""
_LISTS = {
    n: tuple(
        {seat % n: Decision("bid", sealed=True, needed=seat == first) for seat in range(first, first + n)}
        for first in range(n)
    )
    for n in SEATS
}
"""AR-5.10: by seat count and first player, everybody's list, in the order in which they bid."""


def asked(state: State) -> Mapping[int, Decision]:
    """Return every seat that may answer now, and what (AR-3.2, AR-5.10, AR-9.5)."""
    phase, seats = state.phase, state.asked
    now: Mapping[int, Decision]
    if phase in s.HIDDEN:
        now = dict.fromkeys(seats, _secret(s.PHASES[phase], _candidates(state)))
    elif phase == s.BID and auction.is_sealed(state):
        return _LISTS[state.seats][seats[0]]
    else:
        options = state.options
        hidden = options.gold == "hidden" or options.hand_counts == "hidden"
        held = phase in _BY_HAND or (hidden and phase in _BY_PURSE)
        now = _ONE[held][phase][seats[0]] if len(seats) == 1 else dict.fromkeys(seats, _OPEN[held][phase])
    if state.round != ROUNDS or phase == s.OVER:
        return now
    return {**now, **_KEEP[state.seats], **now}  # who is asked comes first, and is asked that


@lru_cache(maxsize=512)
def _secret(kind: str, seats: tuple[int, ...]) -> Decision:
    return Decision(kind, secret=True, candidates=seats)


def _candidates(state: State) -> tuple[int, ...]:
    """Return every seat that could be asked now by what everybody knows, for a decision that hides who is asked."""
    phase = state.phase
    seats: Iterable[int] = state.asked
    if phase == s.SELL and state.options.gold == "hidden":
        seats = [seat for seat in range(state.seats) if state.bids[seat] > 0]
    elif phase == s.SELL:
        seats = [seat for seat in range(state.seats) if auction.missing(state, seat)]
    elif phase == s.HARVEST:
        unknown = state.options.hand_counts != "public"
        seats = [seat for seat in range(state.seats) if state.items[seat] or unknown or any(state.hands[seat])]
    return tuple(sorted(seats))


def asked_kind(state: State, seat: int | None) -> str:
    """Return the kind of decision that a seat may answer now; "" for none."""
    decision = asked(state).get(seat) if seat is not None else None
    return decision.kind if decision else ""


def check(state: State, seat: int, order: AnOrder) -> list[Message]:
    """Name every fault of an order."""
    kind = asked_kind(state, seat)
    if not kind:
        return [sentence(NOT_ASKED, "AR-3.2")]
    if type(order) is not (Keep if kind == "keep" else _STEPS[state.phase].order):
        text = N_("{order!r} is no answer to what you are asked now. Write for example: {example}.")
        return [sentence(text, "AR-3.1", order=str(order), example=example(kind))]
    if type(order) is Keep:
        return list(harvest.check_keep(order))
    return list(_STEPS[state.phase].check(state, seat, order))


def legal(state: State, seat: int) -> Iterator[AnOrder]:
    """Return every legal order lazily: plain ones first, then those that use cards."""
    kind = asked_kind(state, seat)
    if kind == "keep":
        return harvest.legal_keeps()
    return _STEPS[state.phase].legal(state, seat) if kind else iter(())


def sample(state: State, seat: int, chance: Chance) -> AnOrder:
    """One random legal order; every legal order can come up."""
    if seat in state.asked or auction.is_sealed(state):
        order: AnOrder = _STEPS[state.phase].sample(state, seat, chance)
        return order
    return harvest.sample_keep(chance)


def apply(state: State, orders: Mapping[int, AnOrder], chance: Chance) -> list[Event]:
    """Carry out the orders in place and go on to the next point where somebody must decide."""
    ply = Ply(state, chance)
    if len(orders) > len(state.asked):
        for seat, order in orders.items():
            if seat not in state.asked and type(order) is Keep:
                harvest.keep(ply, seat, order.cards)
    _STEPS[state.phase].act(ply, orders)
    return ply.events


def _of(state: State, orders: Mapping[int, Any], seats: list[int]) -> list[tuple[int, Any]]:
    """Return the orders of those of `seats` that are asked, in the order of `seats`."""
    asked = state.asked
    return [(seat, orders[seat]) for seat in seats if seat in asked]


def _bid(ply: Ply, orders: Mapping[int, Any]) -> None:
    """AR-5.2 to AR-5.7; after the last bid AR-5.5 asks who must choose cards to sell."""
    state = ply.state
    seat = state.asked[0]
    auction.place_bid(ply, seat, orders[seat])
    if not state.asked:
        state.phase = s.SELL
        state.asked = [seat for seat in range(state.seats) if auction.must_choose(state, seat)]
        if not state.asked:
            _sell(ply, {})


def _sell(ply: Ply, orders: Mapping[int, Any]) -> None:
    """AR-5.5, AR-5.8; then AR-6.1 or AR-6.12 begins."""
    state = ply.state
    auction.take_over(ply, {seat: orders[seat].sell for seat in state.asked})
    state.queue = order_of_play(state)
    state.built = []
    if state.options.actions == "in_turn":
        _next_to_act(state)
    elif state.options.card_draft == "off":
        state.queue = []
        state.phase, state.asked = s.BUY, [seat for seat in range(state.seats) if buy.limit(state, seat)]
        if not state.asked:
            _all_build(state)
    else:
        _next_to_buy(state)


def _next_to_act(state: State) -> None:
    """AR-6.1: the next player's A, or B and C at once where the card limit is 0."""
    if not state.queue:
        _ask_offers(state)
        return
    seat = state.queue.pop(0)
    state.phase, state.asked = s.BUY if buy.limit(state, seat) else s.BUILD, [seat]


def _next_to_buy(state: State) -> None:
    """AR-6.12 with AR-6.11: A one player after another, then B and C for all."""
    while state.queue:
        seat = state.queue.pop(0)
        if buy.limit(state, seat):
            state.phase, state.asked = s.BUY, [seat]
            return
    _all_build(state)


def _all_build(state: State) -> None:
    """AR-6.12: B and C for all who did not send them along with A."""
    state.queue = []
    state.phase, state.asked = s.BUILD, [seat for seat in range(state.seats) if seat not in state.built]
    if not state.asked:
        _ask_offers(state)


def _buy(ply: Ply, orders: Mapping[int, Any]) -> None:
    """AR-6.3: action A of one player, or of all in player order (AR-6.12)."""
    state = ply.state
    for seat, order in _of(state, orders, order_of_play(state)):
        if order.build is not None:
            state.built.append(seat)
        if buy.buy(ply, seat, order):
            state.phase = s.BUY_DRAFT
            return
    _after_buying(state)


def _draft(ply: Ply, orders: Mapping[int, Any]) -> None:
    """AR-6.11: at A, and at the rewards."""
    state = ply.state
    seat = state.asked[0]
    buy.draft(ply, seat, orders[seat])
    if state.phase == s.BUY_DRAFT:
        _after_buying(state)
    else:
        _next_to_take(ply)


def _after_buying(state: State) -> None:
    if state.options.actions == "in_turn":
        if state.asked[0] in state.built:
            _next_to_act(state)
        else:
            state.phase = s.BUILD
    elif state.options.card_draft == "off":
        _all_build(state)
    else:
        _next_to_buy(state)


def _build(ply: Ply, orders: Mapping[int, Any]) -> None:
    """AR-6.4 to AR-6.8: B and C of one player, or of all (AR-6.12)."""
    state = ply.state
    for seat, order in _of(state, orders, order_of_play(state)):
        buy.build(ply, seat, order)
    _next_to_act(state)


def _ask_offers(state: State) -> None:
    state.phase, state.asked = s.OFFER, list(range(state.seats))


def _offer(ply: Ply, orders: Mapping[int, Any]) -> None:
    """AR-7.1, AR-7.2."""
    offering.reveal_offers(ply, orders)
    _next_adjuster(ply)


def _adjust(ply: Ply, orders: Mapping[int, Any]) -> None:
    """AR-7.3."""
    seat = ply.state.asked[0]
    offering.adjust(ply, seat, orders[seat])
    _next_adjuster(ply)


def _next_adjuster(ply: Ply) -> None:
    """AR-7.3, AR-7.4, AR-7.5: who still raises or lowers; then the temple, then the rewards."""
    state = ply.state
    state.phase = s.ADJUST
    offering.ask_adjuster(ply)
    if state.asked:
        return
    offering.move_temple(ply)
    ranked = offering.award(ply)
    state.phase = s.TAKE
    if state.options.card_draft == "off":
        state.asked = sorted(ranked)
        if not ranked:
            _ask_harvest(ply)
    else:
        state.queue = ranked
        _next_to_take(ply)


def _next_to_take(ply: Ply) -> None:
    """AR-6.11: rewards one player after the other."""
    state = ply.state
    if state.queue:
        state.phase, state.asked = s.TAKE, [state.queue.pop(0)]
    else:
        _ask_harvest(ply)


def _take(ply: Ply, orders: Mapping[int, Any]) -> None:
    """AR-7.6: the cards among the rewards, dealt in the order of reward."""
    state = ply.state
    for seat, order in _of(state, orders, offering.ranking(state)):
        if offering.take(ply, seat, order):
            state.phase = s.TAKE_DRAFT
            return
    _next_to_take(ply)


def _ask_harvest(ply: Ply) -> None:
    """AR-7.6, AR-8.3, AR-8.4: everybody who has items to place or a harvest card."""
    state = ply.state
    state.phase = s.HARVEST
    state.asked = [seat for seat in range(state.seats) if harvest.is_asked(state, seat)]
    if not state.asked:
        _harvest(ply, {})


def _harvest(ply: Ply, orders: Mapping[int, Any]) -> None:
    """AR-7.6, AR-7.7, AR-8; then AR-3.1: the next round, the scoring, the next kingdom or the end."""
    state = ply.state
    given = {seat: orders[seat] for seat in state.asked}
    harvest.settle(ply, given)
    offering.pass_the_pharaoh(ply, offering.ranking(state))
    harvest.harvest(ply, given)
    if state.round < ROUNDS:
        state.round += 1
    else:
        scoring.score(ply)
        if state.kingdom == len(KINGDOMS):
            state.phase, state.asked = s.OVER, []
            return
        scoring.change_kingdom(ply)
    reveal(ply)


class _Step(NamedTuple):
    """What one phase asks for, and what comes of it."""

    order: type
    check: Callable[[State, int, Any], Iterable[Message]]
    legal: Callable[[State, int], Iterator[Any]]
    sample: Callable[[State, int, Chance], Any]
    act: Callable[[Ply, Mapping[int, Any]], None]


_DRAFT = _Step(Draft, buy.check_draft, buy.legal_drafts, buy.sample_draft, _draft)
_STEPS = (
    _Step(Bid, auction.check_bid, auction.legal_bids, auction.sample_bid, _bid),
    _Step(Sell, auction.check_sell, auction.legal_sells, auction.sample_sell, _sell),
    _Step(Buy, buy.check_buy, buy.legal_buys, buy.sample_buy, _buy),
    _DRAFT,
    _Step(Build, buy.check_build, buy.legal_builds, buy.sample_build, _build),
    _Step(Offer, offering.check_offer, offering.legal_offers, offering.sample_offer, _offer),
    _Step(Adjust, lambda *_: [], offering.legal_adjusts, offering.sample_adjust, _adjust),
    _Step(Take, offering.check_take, offering.legal_takes, offering.sample_take, _take),
    _DRAFT,
    _Step(Harvest, harvest.check_harvest, harvest.legal_harvests, harvest.sample_harvest, _harvest),
)
"""By phase (AR-3.1)."""
