"""Phase 4, first half: the secret offerings, the total, the adjustment cards, the temple (AR-7.1 to 7.4)."""

from __future__ import annotations

from bisect import bisect_left
from typing import TYPE_CHECKING

from pbem.engine.amunre.cards import MARKS, play, sale_faults, sales, sell, some
from pbem.engine.amunre.data import ADJUSTMENT, STEP, TEMPLE_LIMITS
from pbem.engine.amunre.orders import Adjust, Offer
from pbem.engine.amunre.state import order_of_play
from pbem.engine.core.types import N_, Event, Message, Params

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from pbem.engine.amunre.state import State
    from pbem.engine.core.rng import Chance

OFFERED = N_("{seat} offers {gold} gold.")
OFFERED_MORE = N_("{seat} offers {gold} gold, with an adjustment card.")
THEFT = N_("{seat} plays theft.")
THEFT_MORE = N_("{seat} plays theft, with an adjustment card.")
TOTAL = N_("The offerings come to {total}.")
ROSE = N_("{seat} raises the total to {total}.")
FELL = N_("{seat} lowers the total to {total}.")
TEMPLE = N_("The temple moves to space {temple}: every farmer earns {temple} gold.")


def temple_space(total: int) -> int:
    """AR-7.4: the temple space for a total."""
    return bisect_left(TEMPLE_LIMITS, total) + 1


def check_offer(state: State, seat: int, order: Offer) -> list[Message]:
    """Name every fault of an offering."""
    hand = state.hands[seat]
    faults = []
    if order.gold < 0:
        hole: Params = {"gold": order.gold}
        faults.append(Message(N_("{gold} is no offering: offer at least 1 gold, or play theft."), hole, "AR-7.1"))
    reserved = (ADJUSTMENT,) if order.adjustment else ()
    return faults + sale_faults(hand, reserved, order.sell, order.gold - state.gold[seat], "AR-7.1")


def legal_offers(state: State, seat: int) -> Iterator[Offer]:
    """Every legal offering: plain ones first, then with an adjustment card, then with cards sold."""
    gold, hand = state.gold[seat], state.hands[seat]
    both = (False, True)[: 1 + (hand[ADJUSTMENT] > 0)]
    for adjustment in both:
        for amount in range(1, gold + 1):
            yield Offer(amount, adjustment)
        yield Offer(0, adjustment)
    for adjustment in both:
        left = hand[:]
        left[ADJUSTMENT] -= adjustment
        for short in range(1, sum(left) + 1):
            for sold in sales(left, short):
                yield Offer(gold + short, adjustment, sold)


def sample_offer(state: State, seat: int, chance: Chance) -> Offer:
    """Draw a legal offering; every one can come up."""
    gold, hand = state.gold[seat], state.hands[seat]
    adjustment = hand[ADJUSTMENT] > 0 and chance.below(2) == 1
    amount = chance.below(gold + sum(hand) - adjustment + 1)
    if amount <= gold:
        return Offer(amount, adjustment)
    left = hand[:]
    left[ADJUSTMENT] -= adjustment
    return Offer(amount, adjustment, some(left, amount - gold, chance))


def reveal_offers(state: State, orders: Mapping[int, Offer], events: list[Event]) -> None:
    """AR-7.1, AR-7.2, AR-7.8: the offerings are laid open and paid; theft brings 3 gold and stays a card (AR-1.3)."""
    state.total = 0
    state.queue = []
    for seat in order_of_play(state):
        order = orders[seat]
        sell(state, seat, order.sell, events)
        if order.adjustment:
            play(state, seat, ADJUSTMENT)
            state.queue.append(seat)
        state.adjusters[seat] = int(order.adjustment)
        state.offers[seat] = order.gold
        state.gold[seat] += -order.gold if order.gold else STEP
        state.total += order.gold or -STEP
        params: Params = {"seat": seat, "gold": order.gold}
        if order.gold:
            text = OFFERED_MORE if order.adjustment else OFFERED
        else:
            text = THEFT_MORE if order.adjustment else THEFT
        events.append(Event(text, params, "AR-7.1", seat, None, MARKS[seat]))
    events.append(Event(TOTAL, {"total": state.total}, "AR-7.2", None, None, ("total",)))


def ask_adjuster(state: State, events: list[Event]) -> None:
    """AR-7.3: ask the next to raise or lower, or note +3 where it can't matter."""
    state.asked = []
    while state.queue:
        seat = state.queue.pop(0)
        reach = STEP * (len(state.queue) + 1)
        if temple_space(state.total - reach) != temple_space(state.total + reach):
            state.asked = [seat]
            return
        adjust(state, seat, Adjust(up=True), events)


def adjust(state: State, seat: int, order: Adjust, events: list[Event]) -> None:
    """AR-7.3: the total moves by 3; nobody's own offering does."""
    state.total += STEP if order.up else -STEP
    params: Params = {"seat": seat, "total": state.total}
    events.append(Event(ROSE if order.up else FELL, params, "AR-7.3", seat, None, ("total",)))


def move_temple(state: State, events: list[Event]) -> None:
    """AR-7.4: the temple marker goes to the space of the total."""
    state.temple = temple_space(state.total)
    events.append(Event(TEMPLE, {"temple": state.temple}, "AR-7.4", None, None, ("temple",)))
