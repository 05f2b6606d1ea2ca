"""EG-4.5: moving a ship before a site, renouncing, and the cards asked for after building."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from pbem.engine.core.rng import Chance
from pbem.engine.core.types import Message
from pbem.engine.egizia import data, rider_choices, riders
from pbem.engine.egizia.orders import NOTHING, Done, Move
from pbem.engine.egizia.ply import Ply
from pbem.engine.egizia.state import State, colour_of
from pbem.engine.egizia.tables import Tables


def may_move(state: State, seat: int) -> bool:
    """EG-4.5: an owner of "move ship" with a slot at the site where another slot is taken."""
    slots = state.slots[state.site]
    return bool(state.power[seat] & data.MOVE) and seat in slots and any(o not in {seat, -1} for o in slots)


def check_move(_t: Tables, state: State, seat: int, order: Move) -> list[Message]:
    """EG-4.3: another slot of the site."""
    if not order.slot:
        return []
    if not state.power[seat] & data.MOVE:
        return [riders.lacks(data.MOVE)]
    fault = riders.slot_fault(state, seat, data.SITE_NAMES[state.site], order.slot, state.site)
    return [] if fault is None else [fault]


def legal_move(_t: Tables, state: State, seat: int) -> Iterator[Move]:
    """Stay, then every other slot."""
    yield Move()
    if state.power[seat] & data.MOVE:
        own = state.slots[state.site].index(seat)
        for slot in range(len(state.slots[state.site])):
            if slot != own:
                yield Move(slot + 1)


def sample_move(t: Tables, state: State, seat: int, chance: Chance) -> Move:
    """Stay or a random slot."""
    orders = list(legal_move(t, state, seat))
    return orders[chance.below(len(orders))]


def move(ply: Ply, seat: int, order: Move) -> None:
    """EG-4.3: the ship goes to its new slot."""
    if order.slot:
        riders.shift(ply, seat, data.SITE_NAMES[ply.state.site], order.slot)


def asked_after(t: Tables, state: State) -> list[int]:
    """EG-4.5: everybody with an unused crew improver or two-stones card; in round 5 also sell and field improver."""
    return [seat for seat in state.order if state.power[seat] & data.RIDERS and _may_use(t, state, seat)]


def _may_use(t: Tables, state: State, seat: int) -> bool:
    power, stones = state.power[seat], state.stones[seat]
    if min(state.crews[seat * 4 : seat * 4 + 4]) < t.crew_max and (
        power & data.IMPROVE or (power & data.TRADE and stones >= data.TRADE_STONES)
    ):
        return True
    if state.round < data.ROUNDS:
        return False
    return bool(power & data.SELL and stones) or (
        bool(power & data.LAY) and any(colour_of(t, state, seat, card) for card in state.fields[seat])
    )


def sample_after(t: Tables, state: State, seat: int, chance: Chance) -> Done:
    """Random cards or none."""
    also = rider_choices.sample(t, state, seat, chance)
    return Done() if riders.tried(state, seat, also)[1] else Done(also)


def use_all(ply: Ply, orders: Mapping[int, Done]) -> None:
    """EG-4.5: the cards act in turn order."""
    for seat in ply.state.order:
        if seat in orders and orders[seat].also != NOTHING:
            riders.perform(ply, seat, orders[seat].also)
