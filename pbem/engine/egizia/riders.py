"""EG-4.5: cards that may go along with any own order, and the decisions that are asked for cards alone."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import combinations_with_replacement, product
from typing import Any, NamedTuple

import msgspec

from pbem.engine.core.message import N_, Message, sentence
from pbem.engine.core.rng import Chance, Recorded
from pbem.engine.egizia import data
from pbem.engine.egizia.cards import card_label, few_stones, lacks, no_crew, ordered
from pbem.engine.egizia.orders import NOTHING, Also, Done, Move, Pass, Renounce
from pbem.engine.egizia.ply import Ply, ready_count
from pbem.engine.egizia.state import SHIFT, State, colour_of, copy_of
from pbem.engine.egizia.tables import Tables

NO_CHANCE = Recorded(())
"""For trying a deed on a copy: nothing that is tried draws."""


def perform(ply: Ply, seat: int, also: Also) -> list[Message]:
    """Let the cards of `also` act, in canonical order; gives the faults of those that couldn't."""
    faults = []
    for power, rider in RIDERS.items() if also is not NOTHING else ():
        things = getattr(also, rider.field)
        for thing in things if isinstance(things, tuple) else (things,) * bool(things):
            fault = rider.act(ply, seat, thing) if ply.state.power[seat] & power else lacks(power)
            if fault is not None:
                faults.append(fault)
    return faults


def _crew_fault(ply: Ply, seat: int, crew: str) -> Message | None:
    if crew not in data.CREW_INDEX:
        return no_crew(crew)
    if ply.state.crews[seat * 4 + data.CREW_INDEX[crew]] >= ply.t.crew_max:
        return sentence("Your {crew} crew is at its maximum of {most}.", "EG-4.4", crew=crew, most=ply.t.crew_max)
    return None


def _improve(ply: Ply, seat: int, crew: str) -> Message | None:
    """EG-4.4: once a round one crew +1."""
    fault = _crew_fault(ply, seat, crew)
    if fault is None:
        ply.spend(seat, data.IMPROVE)
        ply.crew(seat, data.CREW_INDEX[crew])
        ply.tell(seat, N_("{seat} improves the {crew} crew by 1."), "EG-4.4", (f"seat:{seat}",), crew=crew)
    return fault


def _trade(ply: Ply, seat: int, crew: str) -> Message | None:
    """EG-4.4: once a round two stones for one crew +1."""
    have = ply.state.stones[seat]
    if fault := _crew_fault(ply, seat, crew):
        return fault
    if have < data.TRADE_STONES:
        return few_stones(data.TRADE_STONES, have, "EG-4.4")
    ply.spend(seat, data.TRADE)
    ply.stones(seat, -data.TRADE_STONES)
    ply.crew(seat, data.CREW_INDEX[crew])
    text = N_("{seat} pays {stones} stone(s): the {crew} crew +1.")
    ply.tell(seat, text, "EG-4.4", (f"seat:{seat}",), crew=crew, stones=data.TRADE_STONES)
    return None


def _lay(ply: Ply, seat: int, field: str) -> Message | None:
    """EG-4.4: one own field is one colour better from now on."""
    t, state = ply.t, ply.state
    card = t.index.get(field, -1)
    if card not in state.fields[seat] or colour_of(t, state, seat, card) <= 0:
        fault = N_("{field} is no field of yours that an improver could better: name another one.")
        return sentence(fault, "EG-4.4", field=field)
    ply.spend(seat, data.LAY)
    state.laid[seat].append(card)
    colour = data.COLOURS[colour_of(t, state, seat, card)]
    text = N_("{seat} improves field {field}: it is {colour} now.")
    ply.tell(seat, text, "EG-4.4", (f"seat:{seat}",), field=field, colour=colour)
    return None


def _sell(ply: Ply, seat: int, stones: int) -> Message | None:
    """EG-4.3: stones for points, one each, up to the card's number."""
    have, most = ply.state.stones[seat], sale_limit(ply.t, ply.state, seat)
    if not 0 < stones <= most:
        fault = N_("{most} stone(s) at most are sold with your cards; you named {found}.")
        return sentence(fault, "EG-4.3", most=most, found=stones)
    if stones > have:
        return few_stones(stones, have, "EG-4.3")
    left = stones
    while left > 0:
        left -= ply.t.value[ply.spend(seat, data.SELL)]
    ply.stones(seat, -stones)
    ply.score(seat, stones)
    text = N_("{seat} sells {stones} stone(s) for {stones} point(s).")
    ply.tell(seat, text, "EG-4.3", (f"seat:{seat}", "track"), stones=stones)
    return None


def sale_limit(t: Tables, state: State, seat: int) -> int:
    """Stones that the cards in hand may sell."""
    return sum(t.value[card] for card in state.ready[seat] if t.power[card] == data.SELL)


def _move(ply: Ply, seat: int, where: tuple[str, int]) -> Message | None:
    """EG-4.3: with another order, before the site begins; at the site in question the ship is moved by `shift`."""
    state, (name, slot) = ply.state, where
    if state.stage == SHIFT and name == data.SITE_NAMES[state.site]:
        text = N_("Moving the ship at {site} is what you are asked about now: write `move {slot}`.")
        return sentence(text, "EG-4.5", site=name, slot=slot)
    fault = slot_fault(state, seat, name, slot, state.site + 1)
    if fault is None:
        shift(ply, seat, name, slot)
    return fault


def shift(ply: Ply, seat: int, name: str, slot: int) -> None:
    """EG-4.3: an own ship goes to another slot of its site; a ship there takes its place."""
    ply.spend(seat, data.MOVE)
    site = data.SITE_NAMES.index(name)
    slots = ply.state.slots[site]
    own = slots.index(seat)
    slots[own], slots[slot - 1] = slots[slot - 1], seat
    text = N_("{seat} moves the ship at {site} to slot {slot}.")
    ply.tell(seat, text, "EG-4.3", (f"space:{data.SITE_IDS[site]}",), site=name, slot=slot)


def slot_fault(state: State, seat: int, name: str, slot: int, first: int) -> Message | None:
    """Why `seat` can't move its ship at the site called `name` to `slot`, if so; sites before `first` have begun."""
    site = data.SITE_NAMES.index(name) if name in data.SITE_NAMES else -1
    if site < 0 or seat not in state.slots[site]:
        return sentence("You have no ship in a slot of {site}.", "EG-4.3", site=name)
    if site < first:
        return sentence("{site} has begun to act; ships there stay where they are.", "EG-4.3", site=name)
    slots = state.slots[site]
    own = slots.index(seat) + 1
    if slot == own or not 1 <= slot <= len(slots):
        text = N_("{site} has slots 1 to {most}; yours is {own}. Slot {slot} is no other one.")
        return sentence(text, "EG-4.3", site=name, most=len(slots), own=own, slot=slot)
    return None


def thing_said(t: Tables, thing: str | int | tuple[str, int]) -> Message:
    """Return what a card that goes along is used for, in words: a crew, a field, stones, or a slot of a site."""
    if isinstance(thing, tuple):
        return sentence("{place}, slot {slot}", place=thing[0], slot=thing[1])
    if isinstance(thing, int):
        return sentence("{stones} stone(s)", stones=thing)
    return Message(thing) if thing in data.CREW_INDEX else card_label(t, t.index[thing])


def split(t: Tables, state: State, seat: int, also: Also, taken: int) -> tuple[Also, Also]:
    """EG-4.3: what of `also` acts before the order, and what only the card just `taken` makes possible."""
    power = t.power[taken]
    if not power & data.RIDERS:
        return also, NOTHING
    held = ready_count(t, state, seat, power)
    name = RIDERS[power].field
    asked = getattr(also, name)
    if power == data.SELL:
        now = min(asked, sale_limit(t, state, seat))
        return _with(also, name, now), _with(NOTHING, name, asked - now)
    if len(asked) != held + 1:
        return also, NOTHING
    return _with(also, name, asked[:-1]), _with(NOTHING, name, asked[-1:])


def _with(also: Also, name: str, value: object) -> Also:
    return msgspec.structs.replace(also, **{name: value})


def tried(state: State, seat: int, also: Also) -> tuple[State, list[Message]]:
    """Return a state in which `also` has acted (`state` itself if it is nothing), and its faults."""
    if also == NOTHING:
        return state, []
    ply = Ply(copy_of(state), NO_CHANCE)
    return ply.state, perform(ply, seat, also)


Check = Callable[[Tables, State, int, Any], list[Message]]
Taken = Callable[[Tables, State, Any], int]


def no_card(_t: Tables, _state: State, _order: Any) -> int:
    """Return what an order takes that takes no card."""
    return -1


def with_riders(check: Check, taken: Taken = no_card, take: Callable[[Ply, int, Any], None] | None = None) -> Check:
    """Return a check that lets the order's riders act first, on a copy, and names their faults too.

    EG-4.3: a card that the order takes may at once be used along with it.
    """

    def whole(t: Tables, state: State, seat: int, order: Any) -> list[Message]:
        before, after = split(t, state, seat, order.also, taken(t, state, order))
        then, faults = tried(state, seat, before)
        plain = msgspec.structs.replace(order, also=NOTHING)
        if not isinstance(order, Pass | Renounce | Done):  # these are always allowed where they answer
            faults = faults + check(t, then, seat, plain)
        if faults or after == NOTHING or take is None:
            return faults
        ply = Ply(copy_of(then), NO_CHANCE)
        take(ply, seat, plain)
        return perform(ply, seat, after)

    return whole


def may_move(state: State, seat: int) -> bool:
    """EG-4.5: an owner of "move ship" with a slot at the site where another slot is taken."""
    slots = state.slots[state.site]
    return bool(state.power[seat] & data.MOVE) and seat in slots and any(o not in {seat, -1} for o in slots)


def check_move(_t: Tables, state: State, seat: int, order: Move) -> list[Message]:
    """EG-4.3: another slot of the site."""
    if not order.slot:
        return []
    if not state.power[seat] & data.MOVE:
        return [lacks(data.MOVE)]
    fault = slot_fault(state, seat, data.SITE_NAMES[state.site], order.slot, state.site)
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
    also = sample(t, state, seat, chance)
    return Done() if tried(state, seat, also)[1] else Done(also=also)


def crew_options(t: Tables, state: State, seat: int) -> list[str]:
    """Crews that are not at their maximum."""
    return [crew for i, crew in enumerate(data.CREWS) if state.crews[seat * 4 + i] < t.crew_max]


def field_options(t: Tables, state: State, seat: int) -> list[str]:
    """Own fields that an improver betters."""
    fields = [card for card in state.fields[seat] if colour_of(t, state, seat, card) > 0]
    return [t.names[card] for card in fields]


def move_options(state: State, seat: int) -> list[tuple[str, int]]:
    """Return every other slot of a site where an own ship still may move."""
    found = []
    for site, name in enumerate(data.SITE_NAMES):
        slots = state.slots[site]
        found += [
            (name, slot)
            for slot in range(1, len(slots) + 1)
            if slot_fault(state, seat, name, slot, state.site + 1) is None
        ]
    return found


def _spans(most: int, choices: list[str]) -> list[tuple[str, ...]]:
    return [combo for n in range(most + 1) for combo in combinations_with_replacement(choices, n)]


def options(t: Tables, state: State, seat: int, taken: int = -1) -> Iterator[Also]:
    """Every way in which riders may go along with an order that takes the card `taken` (-1 for none), but nothing."""
    cards = [*state.ready[seat], *([taken] if taken >= 0 else [])]
    counts = {power: sum(t.power[card] == power for card in cards) for power in RIDERS}
    if not any(counts.values()):
        return
    crews = crew_options(t, state, seat)
    improve, trade = (_spans(counts[power], crews) for power in (data.IMPROVE, data.TRADE))
    fields = _spans(counts[data.LAY], field_options(t, state, seat))
    moves = [combo for n in range(counts[data.MOVE] + 1) for combo in product(move_options(state, seat), repeat=n)]
    most = min(sum(t.value[card] for card in cards if t.power[card] == data.SELL), t.stone_cap)
    for raised, paid, laid, moved, sold in product(improve, trade, fields, moves, range(most + 1)):
        also = Also(raised, paid, laid, sold, moved)
        if also != NOTHING:
            yield also


def sample(t: Tables, state: State, seat: int, chance: Chance, taken: int = -1) -> Also:
    """Return a random choice of riders, possibly none; what it names can be done if nothing else stands in the way."""
    cards = [*state.ready[seat], *([taken] if taken >= 0 else [])]
    picked: dict[int, list[Any]] = {power: [] for power in RIDERS}
    sell = 0
    for card in cards:
        power = t.power[card]
        if power not in picked or chance.below(2):
            continue
        if power == data.SELL:
            sell += chance.below(t.value[card] + 1)
            continue
        choices = RIDERS[power].choices(t, state, seat)
        if choices:
            picked[power].append(choices[chance.below(len(choices))])
    improve, trade = ordered(picked[data.IMPROVE]), ordered(picked[data.TRADE])
    return Also(improve, trade, tuple(picked[data.LAY]), sell, tuple(picked[data.MOVE]))


class Rider(NamedTuple):
    """A kind of card that may go along with an order."""

    field: str
    """Which field of `Also` says what it is used on."""
    choices: Callable[[Tables, State, int], list[Any]]
    """What it may be used on."""
    act: Callable[[Ply, int, Any], Message | None]
    """Uses it, or gives the reason why that can't be."""


RIDERS = {
    data.IMPROVE: Rider("improve", crew_options, _improve),
    data.TRADE: Rider("trade", crew_options, _trade),
    data.LAY: Rider("field", field_options, _lay),
    data.SELL: Rider("sell", lambda *_: [], _sell),
    data.MOVE: Rider("move", lambda _t, state, seat: move_options(state, seat), _move),
}
"""By effect, in the order in which they act."""
