"""EG-3: ships on the river: where one may go and what may be chosen there, what is wrong, what each space does."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cache
from itertools import product

from msgspec.structs import replace

from pbem.engine.core.choosing import pick
from pbem.engine.core.message import N_, Message, sentence
from pbem.engine.core.rng import Chance
from pbem.engine.egizia import cards, data, riders
from pbem.engine.egizia.cards import card_faults, taken
from pbem.engine.egizia.orders import NOTHING, Pass, Ship
from pbem.engine.egizia.ply import Ply
from pbem.engine.egizia.state import SHIP, Own, State
from pbem.engine.egizia.tables import ALL, BITS_HIGH, BITS_LOW, HALF, LOW, bits


def free_spaces(own: Own) -> int:
    """Mask of the spaces a ship could go to if direction didn't matter (EG-3.3: a site always has its queue)."""
    return ~(own.state.taken | own.docked) & ALL


def downstream(last: int) -> int:
    """Mask of the spaces behind `last`."""
    return ALL & (-1 << (last + 1))


def upstream(last: int) -> int:
    """Mask of the spaces strictly before `last`; nothing before the first ship."""
    return (1 << last) - 1 if last > 0 else 0


def ahead(own: Own) -> int:
    """EG-3.2: mask of the spaces that a ship can go to without a card."""
    return free_spaces(own) & downstream(own.last)


def reusable(own: Own) -> int:
    """EG-4.4: occupied round spaces downstream, not Heliopolis."""
    return own.state.taken & own.t.repeatable & downstream(own.last)


def can_sail(state: State, seat: int) -> bool:
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
    return bool(power & data.REUSE and reusable(state.own(seat)))


def waiting(state: State) -> list[int]:
    """EG-3.1 with the option `ships`: seats that can order their next ship though it isn't their turn."""
    if not state.together or state.stage != SHIP or state.again:
        return []
    rest = [seat for seat in state.order if seat not in state.asked[:1]]
    return [seat for seat in rest if not state.passed >> seat & 1 and can_sail(state, seat)]


def ordering(state: State) -> list[int]:
    """Seats whose order is taken now: those that act, and those that wait and can say what they will do."""
    return [*state.acting, *waiting(state)] if state.together else state.acting


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


_USING = tuple(data.USING)


def in_order(using: Sequence[str]) -> tuple[str, ...]:
    """Cards after `using` in canonical order."""
    return tuple(sorted(using, key=_USING.index))


def name_of(state: State, space: int) -> str:
    """Return how an order calls a space: a card by the one that lies there."""
    return state.t.space_name[space] or state.t.names[state.cards[space]]


def first_free(state: State, site: int) -> int:
    """Return the free slot of a site that is nearest the river; 0, its queue, if there is none."""
    slots = state.slots[site]
    return slots.index(-1) + 1 if -1 in slots else 0


def space_of(state: State, name: str) -> int:
    """Return the river space of a card lying there, a round space or a site; -1 if there is none now."""
    card = state.t.index.get(name, -1)
    if card >= 0:
        return state.cards.index(card) if card in state.cards else -1
    return state.t.where.get(name, -1)


def bases(own: Own, using: tuple[str, ...]) -> Iterator[tuple[int, tuple[str, ...]]]:
    """Yield every space a ship can go to with at most the cards `using`, and those it needs; plain ones first."""
    for space in bits(ahead(own)):
        yield space, ()
    if "reuse" in using:
        for space in bits(reusable(own)):
            yield space, ("reuse",)
    if "upstream" in using:
        for space in bits(free_spaces(own) & upstream(own.last)):
            yield space, ("upstream",)


def reached(own: Own) -> list[tuple[int, tuple[str, ...]]]:
    """Return every space a ship can go to, with the card that takes it there."""
    names = tuple(name for name in ("reuse", "upstream") if own.power & data.USING[name])
    return list(bases(own, names))


def crews_due(state: State, space: int, times: int) -> int:
    """EG-3.7, EG-4.2: how many crews of one's choice are raised at `space`, done `times` times."""
    t = state.t
    if t.kind[space] == data.CARD:
        return t.steps[state.cards[space]]
    return times if t.action[space] == data.ANY_CREW else 0


def choices(own: Own, space: int, way: tuple[str, ...] = (), times: int = 1) -> Iterator[Ship]:
    """Yield every choice at `space`, reached with the cards `way` and done `times` times."""
    state, name, using = own.state, name_of(own.state, space), in_order((*way, *("double",) * (times - 1)))
    kind, action = own.t.kind[space], own.t.action[space]
    if kind == data.SITE:
        free = state.free_slots(own.t.site_of[space])
        yield from (Ship(name, slot, using=using) for slot in free or [0])
        if not free and own.power & data.EXTRA:
            yield Ship(name, using=in_order((*using, "extra ship")))
    elif action == data.JOKER_RING:
        yield from (Ship(name, 0, (), rings, using) for rings in ring_ways(state.ring, times))
    else:
        for crews in cards.crew_choices(crews_due(state, space, times)):
            yield Ship(name, 0, crews, (), using)


_SAIL_WORDS = tuple(name for name, power in data.USING.items() if power & data.SAILORS)


def check(own: Own, order: Ship) -> list[Message]:
    """Return every fault of `order` but those of its riders."""
    state = own.state
    faults = list(card_faults(own, _held_using(own, order), _SAIL_WORDS))
    space = space_of(state, order.to)
    if space < 0:
        return [*faults, _no_space(state, order.to)]
    faults += _way_faults(own, order, space)
    faults += _place_faults(own, order, space)
    faults += _choice_faults(state, order, space)
    if "two ships" in order.using and not faults:
        then = riders.trial(own)
        place(then, order)
        if not can_sail(then.state, own.seat):
            faults.append(sentence("After this ship you could place no second one: leave `two ships` out.", "EG-4.3"))
    return faults


def _no_space(state: State, name: str) -> Message:
    if name in state.t.index:
        return cards.not_there(state, name, "EG-3.3")
    return sentence("{place} is no space of the river.", "EG-3.3", place=name)


def _held_using(own: Own, order: Ship) -> tuple[str, ...]:
    """Return the cards that must be in hand: a two-ships card may be the one that this ship takes (EG-4.3)."""
    if own.t.power[taken(own.state, order)] & data.TWO_SHIPS and not own.power & data.TWO_SHIPS:
        using = list(order.using)
        if "two ships" in using:
            using.remove("two ships")
        return tuple(using)
    return order.using


def _way_faults(own: Own, order: Ship, space: int) -> Iterator[Message]:
    """EG-3.2, EG-4.4: downstream, or strictly upstream with the card."""
    last = own.last
    if len(own.fleet) >= data.SHIPS:
        yield sentence("You have placed all {ships} ship(s).", "EG-3.1", ships=data.SHIPS)
    if "upstream" in order.using:
        if not upstream(last) >> space & 1:
            said = N_("{place} isn't upstream of your last ship: name a space further up.")
            yield sentence(said, "EG-4.4", place=order.to)
    elif space <= last:
        text = N_("{place} isn't downstream of your last ship at {last}: name a space further down, or pass.")
        there = own.t.space_name[last] or sentence("card {number}", number=own.t.card_spaces.index(last) + 1)
        yield sentence(text, "EG-3.2", place=order.to, last=there)


def _place_faults(own: Own, order: Ship, space: int) -> Iterator[Message]:
    """EG-3.3: one ship a space, one own ship a site, slots before the queue; EG-4.3, EG-4.4 for cards."""
    t = own.t
    bit = 1 << space
    if "reuse" in order.using and (not reusable(own) & bit or "upstream" in order.using):
        text = N_("{place} can't be reused: it must be an occupied round space downstream, not Heliopolis.")
        yield sentence(text, "EG-4.4", place=order.to)
    elif own.state.taken & bit and "reuse" not in order.using:
        yield sentence("{place} is occupied: name a free space.", "EG-3.3", place=order.to)
    if "double" in order.using and not t.repeatable & bit:
        yield sentence("{place} can't be done twice: only a round space can, not Heliopolis.", "EG-4.3", place=order.to)
    if t.kind[space] != data.SITE:
        if order.slot or "extra ship" in order.using:
            yield sentence("{place} is no site: it has no slots.", "EG-3.3", place=order.to)
    elif own.docked & bit:
        yield sentence("You already have a ship at {place}: name another space.", "EG-3.3", place=order.to)
    else:
        yield from _slot_faults(own.state.free_slots(t.site_of[space]), order)


def _slot_faults(free: tuple[int, ...], order: Ship) -> Iterator[Message]:
    if free and "extra ship" in order.using:
        yield sentence("{place} has a free slot: the extra ship card is for a full site.", "EG-4.3", place=order.to)
    elif free and order.slot not in free:
        yield sentence("Free slots at {place}: {slots}. Name one of them.", "EG-3.3", place=order.to, slots=free)
    elif not free and order.slot:
        yield sentence("{place} has no free slot: the ship waits in the queue.", "EG-3.3", place=order.to)


def _choice_faults(state: State, order: Ship, space: int) -> Iterator[Message]:
    """EG-3.6, EG-3.7, EG-4.2: crews and ring moves where there is a choice, and only there."""
    times = _times(order)
    yield from cards.crew_faults(order.to, crews_due(state, space, times), order.crews)
    if not order.rings:
        return
    if state.t.action[space] != data.JOKER_RING:
        said = N_("At {place} the water ring doesn't move, only at Passalon and Heliopolis: leave it out.")
        yield sentence(said, "EG-3.6", place=order.to)
    elif len(order.rings) > times or set(order.rings) - {"left", "right"}:
        yield sentence("The ring moves one circle left or right, {times} time(s) at most.", "EG-3.6", times=times)
    elif ring_end(state.ring, order.rings) < 0:
        text = N_("The ring stands {ring}: it can't go further that way.")
        yield sentence(text, "EG-1.7", ring=data.RING_NAMES[state.ring])


def legal(own: Own) -> Iterator[Ship | Pass]:
    """Yield every legal order without riders: pass, plain ones, then those with cards."""
    yield Pass()
    yield from (order for order in _every(own) if not order.using)
    for order in _every(own):
        if order.using:
            yield order
        if (own.power | own.t.power[taken(own.state, order)]) & data.TWO_SHIPS:
            two = _with_second(order)
            if not check(own, two):
                yield two


def _every(own: Own) -> Iterator[Ship]:
    """Yield every ship, but for two ships in one turn."""
    doubles = own.count(data.DOUBLE)
    for space, using in reached(own):
        most = 1 + doubles if own.t.repeatable >> space & 1 else 1
        for times in range(1, most + 1):
            yield from choices(own, space, using, times)


def _with_second(order: Ship) -> Ship:
    """EG-4.3: the same order with two ships in this turn."""
    return replace(order, using=in_order((*order.using, "two ships")))


def place(own: Ply, order: Ship) -> None:
    """EG-3.3: the ship takes its space and acts there; its cards are used up."""
    t, state = own.t, own.state
    if order.using:
        own.use(tuple([name for name in order.using if name != "two ships"]))
    space = t.where.get(order.to, -1)
    if space < 0:
        space = state.cards.index(t.index[order.to])
    state.fleet[own.seat].append(space)
    if t.kind[space] == data.SITE:
        _dock(own, order, space)
    else:
        state.taken |= 1 << space
        (_land_on_card if t.kind[space] == data.CARD else _ROUND[t.action[space]])(own, order, space)
    if "two ships" in order.using:
        own.use(("two ships",))


def _land_on_card(own: Ply, order: Ship, space: int) -> None:
    t, state = own.t, own.state
    card = state.cards[space]
    state.cards[space] = data.HIDDEN
    text = (
        N_("{seat} takes {card}: {what} {value}.") if cards.has_value(t, card) else N_("{seat} takes {card}: {what}.")
    )
    own.tell(text, "EG-3.3", t.mark[space], **cards.card_words(t, card))
    cards.take(own, card, order.crews)


def _dock(own: Ply, order: Ship, space: int) -> None:
    """EG-3.3, EG-4.3: a free slot, a new last slot with the extra ship, or the queue."""
    t, state = own.t, own.state
    site = t.site_of[space]
    state.docked[own.seat] |= 1 << space
    slot = order.slot
    if slot:
        state.slots[site][slot - 1] = own.seat
    elif "extra ship" in order.using:
        state.slots[site].append(own.seat)
        slot = len(state.slots[site])
    else:
        state.queue[site].append(own.seat)
    text = (
        N_("{seat} sails to {place}, slot {slot}.")
        if slot
        else N_("{seat} sails to {place} and waits behind its slots.")
    )
    own.tell(text, "EG-3.3", t.mark[space], place=order.to, slot=slot)


def _times(order: Ship) -> int:
    return 1 + order.using.count("double")


def _both_markets(own: Ply, order: Ship, space: int) -> None:
    """EG-3.4: stone market and grain market, one step each."""
    times, text = _times(order), N_("{seat} sails to {place}: one step in both markets.")
    if times > 1:
        text = N_("{seat} sails to {place}: {times} steps in both markets.")
    own.tell(text, "EG-3.4", own.t.mark[space], place=order.to, times=times)
    for _ in range(times):
        own.step(data.STONE)
        own.step(data.GRAIN_MARKET)


def _crew_steps(own: Ply, order: Ship, space: int) -> None:
    """EG-3.5: the crews shown +1."""
    times, text = _times(order), N_("{seat} sails to {place}: {crews} +1.")
    if times > 1:
        text = N_("{seat} sails to {place}: {crews} +{times}.")
    own.tell(text, "EG-3.5", own.t.mark[space], place=order.to, crews=own.t.crew_names[space], times=times)
    for crew in own.t.space_crews[space]:
        own.strengthen(crew, times)


def _joker_ring(own: Ply, order: Ship, space: int) -> None:
    """EG-3.6: joker +1, then the ring if wanted."""
    state, times, text = own.state, _times(order), N_("{seat} sails to {place}: joker +1.")
    if times > 1:
        text = N_("{seat} sails to {place}: joker +{times}.")
    own.tell(text, "EG-3.6", own.t.mark[space], place=order.to, times=times)
    own.strengthen(data.JOKER, times)
    before, state.ring = state.ring, ring_end(state.ring, order.rings)
    if state.ring != before:
        text = N_("The water ring moves to the {ring}: it waters {waters} fields.")
        ring = {"ring": data.RING_NAMES[state.ring], "waters": data.RING_POSITIONS[state.ring]}
        own.tell(text, "EG-1.7", ("ring",), **ring)


def _any_crew(own: Ply, order: Ship, space: int) -> None:
    """EG-3.7: any one crew +1, then two stones."""
    stones = data.ALYL_STONES * len(order.crews)
    text = N_("{seat} sails to {place}: {crews} +1 and {stones} stone(s).")
    own.tell(text, "EG-3.7", own.t.mark[space], place=order.to, crews=order.crews, stones=stones)
    for crew in order.crews:
        own.strengthen(data.CREW_INDEX[crew])
    own.gain(stones)


_ROUND: tuple[Callable[[Ply, Ship, int], None], ...] = (_both_markets, _crew_steps, _joker_ring, _any_crew)

SPREAD = 1 << 48
"""`sample` draws one number below this and peels small ones off it; the bias is below one in ten million."""
RARE = 15
"""A hand that holds cards tries them in one sample of RARE + 1."""
_CARDS = data.SAILORS | data.RIDERS
_LATE = data.RIDERS | data.TWO_SHIPS


def sample(own: Own, chance: Chance) -> Ship | Pass:
    """Return a random legal order; cards are tried now and then."""
    r, state, seat = chance.below(SPREAD), own.state, own.seat
    if state.power[seat] & _CARDS:
        if not r & RARE:
            return _sample_with_cards(own, chance)
        r >>= 4
    fleet = state.fleet[seat]
    free = ~(state.taken | state.docked[seat]) & ALL & (-1 << (fleet[-1] + 1 if fleet else 0))
    spaces = BITS_LOW[free & LOW] + BITS_HIGH[free >> HALF]
    r, pick = divmod(r, len(spaces) + 1)
    if pick == len(spaces):
        return Pass()
    return _sample_at(own, spaces[pick], (r, chance))


def _sample_at(own: Own, space: int, source: tuple[int, Chance]) -> Ship:
    """Return a plain order to `space`, its choices peeled off the source's number."""
    t, state = own.t, own.state
    r, chance = source
    kind = t.kind[space]
    if kind == data.CARD:
        card = state.cards[space]
        if t.power[card] & _LATE and not r & 3:
            return _sample_late(own, Ship(t.names[card]), chance)
        steps = range(t.steps[card])
        return Ship(t.names[card], crews=cards.ordered(data.CREWS[r >> 2 * i & 3] for i in steps) if steps else ())
    if kind == data.SITE:
        free = state.free_slots(t.site_of[space])
        return Ship(t.space_name[space], free[r % len(free)] if free else 0)
    action = t.action[space]
    if action == data.ANY_CREW:
        return Ship(t.space_name[space], crews=(data.CREWS[r & 3],))
    if action == data.JOKER_RING:
        ways = ring_ways(state.ring, 1)
        return Ship(t.space_name[space], rings=ways[r % len(ways)])
    return Ship(t.space_name[space])


def _sample_late(own: Own, order: Ship, chance: Chance) -> Ship:
    """EG-4.3: `order` with the card that it takes used at once, where that is legal."""
    card = taken(own.state, order)
    if own.t.power[card] & data.TWO_SHIPS:
        return _two_ships(own, order, chance)
    full = Ship(order.to, also=riders.sample(own, chance, card))
    return order if riders.faults(own, full, check, place) else full


def _sample_with_cards(own: Own, chance: Chance) -> Ship | Pass:
    """Return a random order with random cards; a plain one where they don't fit."""
    also = riders.sample(own, chance)
    then, faults = riders.tried(own, also)
    if faults:
        also, then = NOTHING, own
    tried = (name for name in ("reuse", "upstream") if then.power & data.USING[name] and chance.below(2))
    every = list(bases(then, tuple(tried)))
    space, using = pick(every, chance) if every else (-1, ())
    if space < 0 or not chance.below(len(every) + 1):
        return Pass(also=also)
    times = 1
    if own.t.repeatable >> space & 1 and then.count(data.DOUBLE):
        times += chance.below(then.count(data.DOUBLE) + 1)
    order = pick(list(choices(then, space, using, times)), chance)
    return _two_ships(then, replace(order, also=also), chance)


def _two_ships(own: Own, order: Ship, chance: Chance) -> Ship:
    """Return the same order with two ships in this turn, by the toss of a coin, where it is legal."""
    power = (own.power | own.t.power[taken(own.state, order)]) & data.TWO_SHIPS
    if not power or chance.below(2):
        return order
    two = _with_second(order)
    return order if check(own, two) else two
