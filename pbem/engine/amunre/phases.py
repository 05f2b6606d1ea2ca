"""The course of the game: which step follows which, read beside the rulebook (AR-3)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pbem.engine.amunre import auction, buy, harvest, offering, rewards, scoring
from pbem.engine.amunre.build import build
from pbem.engine.amunre.data import KINGDOMS, ROUNDS
from pbem.engine.amunre.orders import Keep
from pbem.engine.amunre.reveal import reveal
from pbem.engine.amunre.state import (
    ADJUST,
    BUILD,
    BUY,
    BUY_DRAFT,
    HARVEST,
    OFFER,
    OVER,
    SELL,
    TAKE,
    TAKE_DRAFT,
    order_of_play,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from pbem.engine.amunre.orders import AnOrder
    from pbem.engine.amunre.state import State
    from pbem.engine.core.rng import Chance
    from pbem.engine.core.types import Event


def apply(state: State, orders: Mapping[int, AnOrder], chance: Chance) -> list[Event]:
    """Carry out the orders in place and go on to the next point where somebody must decide."""
    events: list[Event] = []
    if len(orders) > len(state.asked):
        for seat, order in orders.items():
            if seat not in state.asked and type(order) is Keep:
                harvest.keep(state, seat, order.cards, events)
    _STEPS[state.phase](state, orders, chance, events)
    return events


def _of(state: State, orders: Mapping[int, Any], seats: list[int]) -> list[tuple[int, Any]]:
    """The orders of those of `seats` that are asked, in the order of `seats`."""
    asked = state.asked
    return [(seat, orders[seat]) for seat in seats if seat in asked]


def _bid(state: State, orders: Mapping[int, Any], chance: Chance, events: list[Event]) -> None:
    """AR-5.2 to AR-5.7; after the last bid AR-5.5 asks who must choose cards to sell."""
    seat = state.asked[0]
    auction.place_bid(state, seat, orders[seat], events)
    if not state.asked:
        state.phase = SELL
        state.asked = [seat for seat in range(state.seats) if auction.must_choose(state, seat)]
        if not state.asked:
            _sell(state, {}, chance, events)


def _sell(state: State, orders: Mapping[int, Any], chance: Chance, events: list[Event]) -> None:  # noqa: ARG001 - all steps are alike
    """AR-5.5, AR-5.8; then AR-6.1 or AR-6.12 begins."""
    auction.take_over(state, {seat: orders[seat].sell for seat in state.asked}, events)
    state.queue = order_of_play(state)
    state.built = []
    if state.options.actions == "in_turn":
        _next_to_act(state)
    elif state.options.card_draft == "off":
        state.queue = []
        state.phase, state.asked = BUY, [seat for seat in range(state.seats) if buy.limit(state, seat)]
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
    state.phase, state.asked = BUY if buy.limit(state, seat) else BUILD, [seat]


def _next_to_buy(state: State) -> None:
    """AR-6.12 with AR-6.11: A one player after another, then B and C for all."""
    while state.queue:
        seat = state.queue.pop(0)
        if buy.limit(state, seat):
            state.phase, state.asked = BUY, [seat]
            return
    _all_build(state)


def _all_build(state: State) -> None:
    """AR-6.12: B and C for all who did not send them along with A."""
    state.queue = []
    state.phase, state.asked = BUILD, [seat for seat in range(state.seats) if seat not in state.built]
    if not state.asked:
        _ask_offers(state)


def _buy(state: State, orders: Mapping[int, Any], chance: Chance, events: list[Event]) -> None:
    """AR-6.3: action A of one player, or of all in player order (AR-6.12)."""
    for seat, order in _of(state, orders, order_of_play(state)):
        if order.build is not None:
            state.built.append(seat)
        if buy.buy(state, seat, order, chance, events):
            state.phase = BUY_DRAFT
            return
    _after_buying(state)


def _buy_draft(state: State, orders: Mapping[int, Any], chance: Chance, events: list[Event]) -> None:  # noqa: ARG001 - as above
    """AR-6.11 at A."""
    seat = state.asked[0]
    buy.draft(state, seat, orders[seat], events)
    _after_buying(state)


def _after_buying(state: State) -> None:
    if state.options.actions == "in_turn":
        if state.asked[0] in state.built:
            _next_to_act(state)
        else:
            state.phase = BUILD
    elif state.options.card_draft == "off":
        _all_build(state)
    else:
        _next_to_buy(state)


def _build(state: State, orders: Mapping[int, Any], chance: Chance, events: list[Event]) -> None:  # noqa: ARG001 - as above
    """AR-6.4 to AR-6.8: B and C of one player, or of all (AR-6.12)."""
    for seat, order in _of(state, orders, order_of_play(state)):
        build(state, seat, order, events)
    _next_to_act(state)


def _ask_offers(state: State) -> None:
    state.phase, state.asked = OFFER, list(range(state.seats))


def _offer(state: State, orders: Mapping[int, Any], chance: Chance, events: list[Event]) -> None:
    """AR-7.1, AR-7.2."""
    offering.reveal_offers(state, orders, events)
    _next_adjuster(state, chance, events)


def _adjust(state: State, orders: Mapping[int, Any], chance: Chance, events: list[Event]) -> None:
    """AR-7.3."""
    seat = state.asked[0]
    offering.adjust(state, seat, orders[seat], events)
    _next_adjuster(state, chance, events)


def _next_adjuster(state: State, chance: Chance, events: list[Event]) -> None:
    """AR-7.3, AR-7.4, AR-7.5: who still raises or lowers; then the temple, then the rewards."""
    state.phase = ADJUST
    offering.ask_adjuster(state, events)
    if state.asked:
        return
    offering.move_temple(state, events)
    ranked = rewards.award(state, events)
    state.phase = TAKE
    if state.options.card_draft == "off":
        state.asked = sorted(ranked)
        if not ranked:
            _ask_harvest(state, chance, events)
    else:
        state.queue = ranked
        _next_to_take(state, chance, events)


def _next_to_take(state: State, chance: Chance, events: list[Event]) -> None:
    """AR-6.11: rewards one player after the other."""
    if state.queue:
        state.phase, state.asked = TAKE, [state.queue.pop(0)]
    else:
        _ask_harvest(state, chance, events)


def _take(state: State, orders: Mapping[int, Any], chance: Chance, events: list[Event]) -> None:
    """AR-7.6: the cards among the rewards, dealt in the order of reward."""
    for seat, order in _of(state, orders, rewards.ranking(state)):
        if rewards.take(state, seat, order, chance, events):
            state.phase = TAKE_DRAFT
            return
    _next_to_take(state, chance, events)


def _take_draft(state: State, orders: Mapping[int, Any], chance: Chance, events: list[Event]) -> None:
    """AR-6.11 at the rewards."""
    seat = state.asked[0]
    buy.draft(state, seat, orders[seat], events)
    _next_to_take(state, chance, events)


def _ask_harvest(state: State, chance: Chance, events: list[Event]) -> None:
    """AR-7.6, AR-8.3, AR-8.4: everybody who has items to place or a harvest card."""
    state.phase = HARVEST
    state.asked = [seat for seat in range(state.seats) if harvest.is_asked(state, seat)]
    if not state.asked:
        _harvest(state, {}, chance, events)


def _harvest(state: State, orders: Mapping[int, Any], chance: Chance, events: list[Event]) -> None:
    """AR-7.6, AR-7.7, AR-8; then AR-3.1: the next round, the scoring, the next kingdom or the end."""
    given = {seat: orders[seat] for seat in state.asked}
    harvest.settle(state, given, events)
    rewards.pass_the_pharaoh(state, rewards.ranking(state), events)
    harvest.harvest(state, given, events)
    if state.round < ROUNDS:
        state.round += 1
    else:
        scoring.score(state, events)
        if state.kingdom == len(KINGDOMS):
            state.phase, state.asked = OVER, []
            return
        scoring.change_kingdom(state, events)
    reveal(state, chance, events)


_STEPS: tuple[Callable[[State, Mapping[int, Any], Chance, list[Event]], None], ...] = (
    _bid,
    _sell,
    _buy,
    _buy_draft,
    _build,
    _offer,
    _adjust,
    _take,
    _take_draft,
    _harvest,
)
"""By phase, what its orders do (AR-3.1)."""
