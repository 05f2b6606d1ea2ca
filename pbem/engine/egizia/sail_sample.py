"""A random ship order, fast: what self-play and property tests ask for; never lists all orders."""

from __future__ import annotations

from typing import Final

from pbem.engine.core.rng import Chance
from pbem.engine.egizia import cards, data, rider_choices, riders
from pbem.engine.egizia.orders import NOTHING, Pass, Ship
from pbem.engine.egizia.ply import ready_count
from pbem.engine.egizia.riders import with_late_riders
from pbem.engine.egizia.river import bases, choices, in_order, ring_ways, taken_by
from pbem.engine.egizia.sailing import check, place, taken
from pbem.engine.egizia.state import State
from pbem.engine.egizia.tables import ALL, BITS_HIGH, BITS_LOW, HALF, LOW, Tables

SPREAD: Final = 1 << 48
"""`sample` draws one number below this and peels small ones off it; the bias is below one in ten million."""
RARE: Final = 15
"""A hand that holds cards tries them in one sample of RARE + 1."""
_CARDS: Final = data.SAILORS | data.RIDERS
_LATE: Final = data.RIDERS | data.TWO_SHIPS
_check_whole = with_late_riders(check, taken, place)


def sample(t: Tables, state: State, seat: int, chance: Chance) -> Ship | Pass:
    """A random legal order; cards are tried now and then."""
    r = chance.below(SPREAD)
    if state.power[seat] & _CARDS:
        if not r & RARE:
            return _sample_with_cards(t, state, seat, chance)
        r >>= 4
    fleet = state.fleet[seat]
    free = ~(state.taken | state.docked[seat]) & ALL & (-1 << (fleet[-1] + 1 if fleet else 0))
    spaces = BITS_LOW[free & LOW] + BITS_HIGH[free >> HALF]
    r, pick = divmod(r, len(spaces) + 1)
    if pick == len(spaces):
        return Pass()
    return _sample_at(t, state, seat, spaces[pick], (r, chance))


def _sample_at(t: Tables, state: State, seat: int, space: int, source: tuple[int, Chance]) -> Ship:
    """A plain order to `space`, its choices peeled off the source's number."""
    r, chance = source
    kind = t.kind[space]
    if kind == data.CARD:
        card = state.cards[space]
        if t.power[card] & _LATE and not r & 3:
            return _sample_late(t, state, seat, Ship(t.names[card]), chance)
        steps = t.steps[card]
        return Ship(t.names[card], crews=_peel_crews(steps, r)) if steps else Ship(t.names[card])
    if kind == data.SITE:
        slots = state.slots[t.site_of[space]]
        free = [i for i, owner in enumerate(slots, 1) if owner < 0]
        return Ship(t.space_name[space], free[r % len(free)] if free else 0)
    action = t.action[space]
    if action == data.ANY_CREW:
        return Ship(t.space_name[space], crews=(data.CREWS[r & 3],))
    if action == data.JOKER_RING:
        ways = ring_ways(state.ring, 1)
        return Ship(t.space_name[space], rings=ways[r % len(ways)])
    return Ship(t.space_name[space])


def _sample_late(t: Tables, state: State, seat: int, order: Ship, chance: Chance) -> Ship:
    """EG-4.3: `order` with the card that it takes used at once, where that is legal."""
    if t.power[taken_by(t, state, order)] & data.TWO_SHIPS:
        return _two_ships(t, state, seat, order, chance)
    card = taken_by(t, state, order)
    full = Ship(order.to, also=rider_choices.sample(t, state, seat, chance, card))
    return order if _check_whole(t, state, seat, full) else full


def _peel_crews(due: int, r: int) -> tuple[str, ...]:
    return cards.ordered(tuple(data.CREWS[r >> 2 * i & 3] for i in range(due)))


def _spare(state: State, seat: int, using: tuple[str, ...], chance: Chance) -> tuple[str, ...]:
    """Each card of `using` that `seat` holds, by the toss of a coin."""
    return tuple(name for name in using if state.power[seat] & data.USING[name] and chance.below(2))


def _sample_with_cards(t: Tables, state: State, seat: int, chance: Chance) -> Ship | Pass:
    """A random order with random cards; a plain one where they don't fit."""
    also = rider_choices.sample(t, state, seat, chance)
    then, faults = riders.tried(state, seat, also)
    if faults:
        also, then = NOTHING, state
    every = list(bases(t, then, seat, _spare(then, seat, ("reuse", "upstream"), chance)))
    space, using = every[chance.below(len(every))] if every else (-1, ())
    if space < 0 or not chance.below(len(every) + 1):
        return Pass(also)
    times = 1
    if t.repeatable >> space & 1 and ready_count(t, then, seat, data.DOUBLE):
        extra = chance.below(ready_count(t, then, seat, data.DOUBLE) + 1)
        times, using = 1 + extra, (*using, *("double",) * extra)
    offers = list(choices(t, then, seat, space, times))
    slot, crews, rings, more = offers[chance.below(len(offers))]
    name = t.names[then.cards[space]] if t.kind[space] == data.CARD else t.space_name[space]
    order = Ship(name, slot, crews, rings, in_order((*using, *more)), also)
    return _two_ships(t, then, seat, order, chance)


def _two_ships(t: Tables, state: State, seat: int, order: Ship, chance: Chance) -> Ship:
    """The same order with two ships in this turn, by the toss of a coin, where it is legal."""
    power = (state.power[seat] | t.power[taken_by(t, state, order)]) & data.TWO_SHIPS
    if not power or chance.below(2):
        return order
    using = in_order((*order.using, "two ships"))
    two = Ship(order.to, order.slot, order.crews, order.rings, using, order.also)
    return order if check(t, state, seat, two) else two
