"""Phase 3, actions B and C: farmers, stones, the free farmer and the architect (AR-6.4 to 6.8)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pbem.engine.amunre.auction import highest, purse
from pbem.engine.amunre.cards import sale_faults, sales, sell, some
from pbem.engine.amunre.data import ARCHITECT, ARCHITECTS_STONES, FREE_FARMER, PRICES, PROVINCES
from pbem.engine.amunre.orders import Build, Cards, Placing
from pbem.engine.amunre.placing import (
    PROVINCE_MARKS,
    free_fields,
    lay_farmers,
    lay_stones,
    not_owned,
    number,
    place_faults,
    play_on,
    random_way,
    ways,
    worded,
)
from pbem.engine.amunre.state import owned
from pbem.engine.core.types import N_, Event, Message, Params, sentence

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pbem.engine.amunre.state import State
    from pbem.engine.core.rng import Chance

FARMERS = N_("{seat} buys farmers for {gold} gold: {placed}.")
STONES = N_("{seat} buys stones for {gold} gold: {placed}.")
NOTHING = N_("{seat} buys no farmers and no stones.")


def cost(order: Build) -> int:
    """AR-6.2: what the farmers and stones of an order cost."""
    farmers, stones = number(order.farmers), number(order.stones)
    last = len(PRICES) - 1
    return PRICES[min(farmers, last)] + PRICES[min(stones, last)]


def played(order: Build) -> Cards:
    """Return the cards an order plays."""
    return tuple(kind for kind, p in ((FREE_FARMER, order.free_farmer), (ARCHITECT, order.architect)) if p >= 0)


def check_build(state: State, seat: int, order: Build) -> list[Message]:
    """Name every fault of actions B and C."""
    faults = place_faults(state, seat, order.farmers, "AR-6.4", fields=True)
    faults += place_faults(state, seat, order.stones, "AR-6.6", fields=False)
    if order.free_farmer != -1:
        faults += not_owned(state, seat, order.free_farmer, "AR-6.5")
    if order.architect != -1:
        foreign = not_owned(state, seat, order.architect, "AR-6.7")
        faults += foreign
        if not foreign and order.architect not in _sites(state, [order.architect], order.stones):
            text = N_("The architect needs two stones on {province}: place them there, or leave the card out.")
            faults.append(sentence(text, "AR-6.7", province=PROVINCES[order.architect]))
    missing = cost(order) - state.gold[seat]
    return faults + sale_faults(state.hands[seat], played(order), order.sell, missing, "AR-6.8")


def legal_builds(state: State, seat: int) -> Iterator[Build]:
    """Yield every legal order for B and C: first those that neither play nor sell a card."""
    own = owned(state, seat)
    gold, hand = state.gold[seat], state.hands[seat]
    for farmers, stones, _ in _purchases(state, own, gold):
        yield Build(farmers, stones)
    for farmers, stones, price in _purchases(state, own, purse(state, seat)):
        for free_farmer in (-1, *own) if hand[FREE_FARMER] else (-1,):
            for architect in (-1, *_sites(state, own, stones)) if hand[ARCHITECT] else (-1,):
                short = max(price - gold, 0)
                if short or free_farmer >= 0 or architect >= 0:
                    left = hand[:]
                    left[FREE_FARMER] -= free_farmer >= 0
                    left[ARCHITECT] -= architect >= 0
                    for sold in sales(left, short):
                        yield Build(farmers, stones, free_farmer, architect, sold)


def _purchases(state: State, own: list[int], most: int) -> Iterator[tuple[Placing, Placing, int]]:
    """Yield every way of buying and placing farmers and stones for at most `most` gold, with the price."""
    room = free_fields(state, own)
    for f in range(min(sum(room), highest(most)) + 1):
        for farmers in ways(f, own, room):
            for s in range(highest(most - PRICES[f]) + 1):
                for stones in ways(s, own, [s] * len(own)):
                    yield farmers, stones, PRICES[f] + PRICES[s]


def _sites(state: State, own: list[int], stones: Placing) -> list[int]:
    """AR-6.7: the provinces where the architect can be played after `stones` are placed."""
    placed = dict(stones)
    return [p for p in own if state.stones[p] + placed.get(p, 0) >= ARCHITECTS_STONES]


def sample_build(state: State, seat: int, chance: Chance) -> Build:
    """Draw a legal order for B and C; every one can come up."""
    own = owned(state, seat)
    gold, hand = state.gold[seat], state.hands[seat]
    most = purse(state, seat)
    room = free_fields(state, own)
    f = chance.below(min(sum(room), highest(most)) + 1)
    s = chance.below(highest(most - PRICES[f]) + 1)
    farmers = random_way(f, own, room, chance)
    stones = random_way(s, own, None, chance)
    short = PRICES[f] + PRICES[s] - gold
    sold = some(hand, short, chance) if short > 0 else ()
    free_farmer = architect = -1
    if hand[FREE_FARMER] > sold.count(FREE_FARMER) and chance.below(2):
        free_farmer = own[chance.below(len(own))]
    if hand[ARCHITECT] > sold.count(ARCHITECT) and (sites := _sites(state, own, stones)) and chance.below(2):
        architect = sites[chance.below(len(sites))]
    return Build(farmers, stones, free_farmer, architect, sold)


def build(state: State, seat: int, order: Build, events: list[Event]) -> None:
    """AR-6.4 to AR-6.8: sell, pay and place."""
    sell(state, seat, order.sell, events)
    if order.free_farmer >= 0:
        state.ground[order.free_farmer] += 1  # the architect's work is done with the stones
    cards = ((FREE_FARMER, order.free_farmer, "AR-6.5"), (ARCHITECT, order.architect, "AR-6.7"))
    play_on(state, seat, cards, events)
    if order.farmers:
        _bought(state, seat, FARMERS, order.farmers, events)
        lay_farmers(state, order.farmers)
    if order.stones:
        _bought(state, seat, STONES, order.stones, events)
    if order.stones or order.architect >= 0:
        lay_stones(state, order.stones, order.architect, events)
    if not order.farmers and not order.stones:
        events.append(Event(NOTHING, {"seat": seat}, "AR-6.1", seat))


def _bought(state: State, seat: int, text: str, placing: Placing, events: list[Event]) -> None:
    price = PRICES[number(placing)]
    state.gold[seat] -= price
    params: Params = {"seat": seat, "gold": price, "placed": worded(placing)}
    marks = PROVINCE_MARKS[placing[0][0]] if len(placing) == 1 else tuple([PROVINCE_MARKS[p][0] for p, _ in placing])
    events.append(Event(text, params, "AR-6.2", seat, None, marks))
