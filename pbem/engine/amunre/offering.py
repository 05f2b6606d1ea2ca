"""Phase 4: offerings, the adjustment of their total, the temple, and the rewards (AR-7)."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Mapping

from pbem.engine.amunre.cards import MARKS, deal, draw_some, open_draft, play, sale_faults, sell, some, to_be_had
from pbem.engine.amunre.data import ADJUSTMENT, PRIZES, STEP, TEMPLE_LIMITS
from pbem.engine.amunre.orders import Adjust, Offer, Take
from pbem.engine.amunre.state import Ply, State, order_of_play
from pbem.engine.core.choosing import choices
from pbem.engine.core.message import N_, Message, sentence
from pbem.engine.core.rng import Chance

OFFERED = {
    (True, False): N_("{seat} offers {gold} gold."),
    (True, True): N_("{seat} offers {gold} gold, with an adjustment card."),
    (False, False): N_("{seat} plays theft."),
    (False, True): N_("{seat} plays theft, with an adjustment card."),
}
"""By whether there is gold, and an adjustment card."""


def temple_space(total: int) -> int:
    """AR-7.4: the temple space for a total."""
    return bisect_left(TEMPLE_LIMITS, total) + 1


def check_offer(state: State, seat: int, order: Offer) -> Iterator[Message]:
    """Name every fault of an offering."""
    hand = state.hands[seat]
    if order.gold < 0:
        yield sentence("{gold} is no offering: offer at least 1 gold, or play theft.", "AR-7.1", gold=order.gold)
    reserved = (ADJUSTMENT,) if order.adjustment else ()
    yield from sale_faults(hand, reserved, order.sell, order.gold - state.gold[seat], "AR-7.1")


def legal_offers(state: State, seat: int) -> Iterator[Offer]:
    """Yield every legal offering: plain ones first, then with an adjustment card, then with cards sold."""
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
            for sold in choices(left, short):
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


def reveal_offers(ply: Ply, orders: Mapping[int, Offer]) -> None:
    """AR-7.1, AR-7.2, AR-7.8: the offerings are laid open and paid; theft brings 3 gold and stays a card (AR-1.3)."""
    state = ply.state
    state.total = 0
    state.queue = []
    for seat in order_of_play(state):
        order = orders[seat]
        sell(ply, seat, order.sell)
        if order.adjustment:
            play(state, seat, ADJUSTMENT)
            state.queue.append(seat)
        state.adjusters[seat] = int(order.adjustment)
        state.offers[seat] = order.gold
        state.gold[seat] += -order.gold if order.gold else STEP
        state.total += order.gold or -STEP
        text = OFFERED[order.gold > 0, order.adjustment]
        ply.tell(text, "AR-7.1", seat, marks=MARKS[seat], gold=order.gold)
    ply.tell("The offerings come to {total}.", "AR-7.2", marks=("total",), total=state.total)


def ask_adjuster(ply: Ply) -> None:
    """AR-7.3: ask the next to raise or lower, or note +3 where it can't matter."""
    state = ply.state
    state.asked = []
    while state.queue:
        seat = state.queue.pop(0)
        reach = STEP * (len(state.queue) + 1)
        if temple_space(state.total - reach) != temple_space(state.total + reach):
            state.asked = [seat]
            return
        _move(ply, seat, STEP, _SETTLED)


_SETTLED = N_(
    "{seat} need not choose, since up or down the temple comes to the same space: the total is raised to {total}."
)


def legal_adjusts(_state: State, _seat: int) -> Iterator[Adjust]:
    """AR-7.3: up or down."""
    return iter((Adjust(up=True), Adjust(up=False)))


def sample_adjust(_state: State, _seat: int, chance: Chance) -> Adjust:
    """Up or down at random."""
    return Adjust(up=chance.below(2) == 1)


def adjust(ply: Ply, seat: int, order: Adjust) -> None:
    """AR-7.3: the total moves by 3; nobody's own offering does."""
    text = N_("{seat} raises the total to {total}.") if order.up else N_("{seat} lowers the total to {total}.")
    _move(ply, seat, STEP if order.up else -STEP, text)


def _move(ply: Ply, seat: int, by: int, text: str) -> None:
    """AR-7.3: the total moves by so much for a seat, as `text` tells."""
    ply.state.total += by
    ply.tell(text, "AR-7.3", seat, marks=("total",), total=ply.state.total)


def move_temple(ply: Ply) -> None:
    """AR-7.4: the temple marker goes to the space of the total."""
    state = ply.state
    before, state.temple = state.temple, temple_space(state.total)
    text = N_("The temple moves to space {temple}: every farmer earns {temple} gold.")
    if state.temple == before:
        text = N_("The temple stays on space {temple}: every farmer earns {temple} gold.")
    ply.tell(text, "AR-7.4", marks=("temple",), temple=state.temple)


REWARD = N_("{seat} earns a reward of {items} item(s).")
TOOK = N_("{seat} takes power cards as a reward: {cards}.")


def ranking(state: State) -> list[int]:
    """AR-7.5: the seats that are rewarded, in the order of reward: highest, second, then by player order."""
    by_turn = [seat for seat in order_of_play(state) if state.offers[seat] > 0]
    best = sorted(by_turn, key=lambda seat: -state.offers[seat])[:2]  # a stable sort keeps ties in player order
    return best + [seat for seat in by_turn if seat not in best]


def award(ply: Ply) -> list[int]:
    """AR-7.5: note how many items everybody may take; gives the seats in the order of reward."""
    state = ply.state
    ranked = ranking(state)
    state.items = [0] * state.seats
    for place, seat in enumerate(ranked):
        items = PRIZES[min(place, len(PRIZES) - 1)]
        state.items[seat] = items
        ply.tell(REWARD, "AR-7.5", seat, marks=MARKS[seat], items=items)
    return ranked


def check_take(state: State, seat: int, order: Take) -> Iterator[Message]:
    """Name every fault of the number of reward cards."""
    if not 0 <= order.cards <= state.items[seat]:
        text = N_("You can't take cards: {cards}. Items of your reward: {items}.")
        yield sentence(text, "AR-7.6", cards=order.cards, items=state.items[seat])


def legal_takes(state: State, seat: int) -> Iterator[Take]:
    """Return every number of cards from none to all items."""
    return map(Take, range(state.items[seat] + 1))


def sample_take(state: State, seat: int, chance: Chance) -> Take:
    """Draw a number of cards."""
    return Take(chance.below(state.items[seat] + 1))


def take(ply: Ply, seat: int, order: Take) -> bool:
    """AR-7.6, AR-6.9: draw what there is; the rest stays for farmers and stones. True if a draft must be asked."""
    state = ply.state
    n = min(order.cards, to_be_had(state))
    state.items[seat] -= n
    ply.tell(TOOK, "AR-7.6", seat, marks=MARKS[seat], cards=n)
    if n and state.options.card_draft != "off":
        return open_draft(ply, seat, n)
    deal(ply, seat, draw_some(ply, n))
    return False


def pass_the_pharaoh(ply: Ply, ranked: list[int]) -> None:
    """AR-7.7: the highest offerer becomes first player; after thefts only, nothing changes."""
    state = ply.state
    if ranked and ranked[0] != state.first:
        state.first = ranked[0]
        text = N_("{seat} offered most and is first player from now on.")
        ply.tell(text, "AR-7.7", state.first, marks=MARKS[state.first])
