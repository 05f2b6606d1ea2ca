"""EG-3.1 to EG-3.3: where a ship may go, with and without cards, and what may be chosen there."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from itertools import product

from pbem.engine.egizia import cards, data
from pbem.engine.egizia.orders import Ship
from pbem.engine.egizia.state import SHIP, State, acting
from pbem.engine.egizia.tables import ALL, Tables, bits, tables_of


def free_spaces(state: State, seat: int) -> int:
    """Mask of the spaces a ship could go to if direction didn't matter (EG-3.3: a site always has its queue)."""
    return ~(state.taken | state.docked[seat]) & ALL


def last_ship(state: State, seat: int) -> int:
    """Return the space of the ship that counts for EG-3.2; -1 before the first."""
    fleet = state.fleet[seat]
    return fleet[-1] if fleet else -1


def downstream(last: int) -> int:
    """Mask of the spaces behind `last`."""
    return ALL & (-1 << (last + 1))


def upstream(last: int) -> int:
    """Mask of the spaces strictly before `last`; nothing before the first ship."""
    return (1 << last) - 1 if last > 0 else 0


def reusable(t: Tables, state: State, seat: int) -> int:
    """EG-4.4: occupied round spaces downstream, not Heliopolis."""
    return state.taken & t.repeatable & downstream(last_ship(state, seat))


def can_sail(t: Tables, state: State, seat: int) -> bool:
    """EG-3.1: whether `seat` has a ship and a legal space, its cards considered."""
    fleet = state.fleet[seat]
    if len(fleet) >= data.SHIPS:
        return False
    last = fleet[-1] if fleet else -1
    free = ~(state.taken | state.docked[seat]) & ALL
    if free >> (last + 1):
        return True
    power = state.power[seat]
    if power & data.UPSTREAM and free & upstream(last):
        return True
    return bool(power & data.REUSE and reusable(t, state, seat))


def waiting(t: Tables, state: State) -> list[int]:
    """EG-3.1 with the option `ships`: seats that can order their next ship though it isn't their turn."""
    if not state.together or state.stage != SHIP or state.again:
        return []
    rest = [seat for seat in state.order if seat not in state.asked[:1]]
    return [seat for seat in rest if not state.passed >> seat & 1 and can_sail(t, state, seat)]


def ordering(state: State) -> list[int]:
    """Seats whose order is taken now: those that act, and those that wait and can say what they will do."""
    return [*acting(state), *waiting(tables_of(state.components), state)] if state.together else acting(state)


@cache
def ring_ways(ring: int, times: int) -> tuple[tuple[str, ...], ...]:
    """EG-3.6: every way to move the ring at most `times` circles, staying first."""
    ways: list[tuple[str, ...]] = []
    for n in range(times + 1):
        ways += [way for way in product(("left", "right"), repeat=n) if ring_end(ring, way) >= 0]
    return tuple(ways)


def ring_end(ring: int, way: tuple[str, ...]) -> int:
    """Return where the ring stands after `way`; -1 if it would leave the circles."""
    for step in way:
        ring += 1 if step == "right" else -1
        if not 0 <= ring < len(data.RING_POSITIONS):
            return -1
    return ring


def in_order(using: Sequence[str]) -> tuple[str, ...]:
    """Cards after `using` in canonical order."""
    return tuple(name for name in data.USING for _ in range(using.count(name)))


def taken_by(t: Tables, state: State, order: Ship) -> int:
    """The card that `order` takes from the river; -1 for none (also where its power is 0: Tables end in a blank)."""
    card = t.index.get(order.to, -1)
    return card if card >= 0 and card in state.cards else -1


def name_of(t: Tables, state: State, space: int) -> str:
    """Return how an order calls a space: a card by the one that lies there."""
    return t.space_name[space] or t.names[state.cards[space]]


def first_free(state: State, site: int) -> int:
    """Return the free slot of a site that is nearest the river; 0, its queue, if there is none."""
    slots = state.slots[site]
    return slots.index(-1) + 1 if -1 in slots else 0


def space_of(t: Tables, state: State, name: str) -> int:
    """Return the river space of a card lying there, a round space or a site; -1 if there is none now."""
    card = t.index.get(name, -1)
    if card >= 0:
        return state.cards.index(card) if card in state.cards else -1
    return t.where.get(name, -1)


def bases(t: Tables, state: State, seat: int, using: tuple[str, ...]) -> Iterator[tuple[int, tuple[str, ...]]]:
    """Yield every space a ship can go to with at most the cards `using`, and those it needs; plain ones first."""
    last, free = last_ship(state, seat), free_spaces(state, seat)
    for space in bits(free & downstream(last)):
        yield space, ()
    if "reuse" in using:
        for space in bits(reusable(t, state, seat)):
            yield space, ("reuse",)
    if "upstream" in using:
        for space in bits(free & upstream(last)):
            yield space, ("upstream",)


def reached(t: Tables, state: State, seat: int) -> list[tuple[int, tuple[str, ...]]]:
    """Return every space a ship can go to, with the card that takes it there."""
    names = tuple(name for name in ("reuse", "upstream") if state.power[seat] & data.USING[name])
    return list(bases(t, state, seat, names))


def crews_due(t: Tables, state: State, space: int, times: int) -> int:
    """EG-3.7, EG-4.2: how many crews of one's choice are raised at `space`, done `times` times."""
    if t.kind[space] == data.CARD:
        return t.steps[state.cards[space]]
    return times if t.action[space] == data.ANY_CREW else 0


Choice = tuple[int, tuple[str, ...], tuple[str, ...], tuple[str, ...]]


def choices(t: Tables, state: State, seat: int, space: int, times: int) -> Iterator[Choice]:
    """Slot, crews, ring moves and the extra ship card: every choice at `space`, done `times` times."""
    kind, action = t.kind[space], t.action[space]
    if kind == data.SITE:
        free = [i for i, owner in enumerate(state.slots[t.site_of[space]], 1) if owner < 0]
        for slot in free or [0]:
            yield slot, (), (), ()
        if not free and state.power[seat] & data.EXTRA:
            yield 0, (), (), ("extra ship",)
    elif action == data.JOKER_RING:
        for rings in ring_ways(state.ring, times):
            yield 0, (), rings, ()
    else:
        for crews in cards.crew_choices(crews_due(t, state, space, times)):
            yield 0, crews, (), ()
