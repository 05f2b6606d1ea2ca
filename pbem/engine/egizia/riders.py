"""EG-4.5: cards that may go along with any own order, and the decisions that are asked for cards alone."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import combinations_with_replacement, product
from typing import Any, NamedTuple

import msgspec

from pbem.engine.core.choosing import pick
from pbem.engine.core.message import N_, Message, sentence
from pbem.engine.core.rng import Chance, Recorded
from pbem.engine.egizia import data
from pbem.engine.egizia.cards import card_label, few_stones, lacks, no_crew, ordered, taken
from pbem.engine.egizia.orders import NOTHING, Also, Done, Move, Pass, Renounce
from pbem.engine.egizia.ply import Ply
from pbem.engine.egizia.state import SHIFT, Own, State
from pbem.engine.egizia.tables import Tables

Check = Callable[[Own, Any], list[Message]]
Take = Callable[[Ply, Any], None]
_NO_CHANCE = Recorded(())


def perform(own: Ply, also: Also) -> list[Message]:
    """Let the cards of `also` act, in canonical order; gives the faults of those that couldn't."""
    faults = []
    for power, rider in RIDERS.items() if also is not NOTHING else ():
        things = getattr(also, rider.field)
        for thing in things if isinstance(things, tuple) else (things,) * bool(things):
            fault = rider.act(own, thing) if own.power & power else lacks(power)
            if fault is not None:
                faults.append(fault)
    return faults


def _crew_fault(own: Ply, crew: str) -> Message | None:
    if crew not in data.CREW_INDEX:
        return no_crew(crew)
    if own.crews[data.CREW_INDEX[crew]] >= own.t.crew_max:
        return sentence("Your {crew} crew is at its maximum of {most}.", "EG-4.4", crew=crew, most=own.t.crew_max)
    return None


def _improve(own: Ply, crew: str) -> Message | None:
    """EG-4.4: once a round one crew +1."""
    fault = _crew_fault(own, crew)
    if fault is None:
        own.spend(data.IMPROVE)
        own.strengthen(data.CREW_INDEX[crew])
        own.tell(N_("{seat} improves the {crew} crew by 1."), "EG-4.4", own.mark, crew=crew)
    return fault


def _trade(own: Ply, crew: str) -> Message | None:
    """EG-4.4: once a round two stones for one crew +1."""
    have = own.stones
    if fault := _crew_fault(own, crew):
        return fault
    if have < data.TRADE_STONES:
        return few_stones(data.TRADE_STONES, have, "EG-4.4")
    own.spend(data.TRADE)
    own.gain(-data.TRADE_STONES)
    own.strengthen(data.CREW_INDEX[crew])
    text = N_("{seat} pays {stones} stone(s): the {crew} crew +1.")
    own.tell(text, "EG-4.4", own.mark, crew=crew, stones=data.TRADE_STONES)
    return None


def _lay(own: Ply, field: str) -> Message | None:
    """EG-4.4: one own field is one colour better from now on."""
    t, state = own.t, own.state
    card = t.index.get(field, -1)
    if card not in own.fields or own.colour(card) <= 0:
        fault = N_("{field} is no field of yours that an improver could better: name another one.")
        return sentence(fault, "EG-4.4", field=field)
    own.spend(data.LAY)
    state.laid[own.seat].append(card)
    colour = data.COLOURS[own.colour(card)]
    text = N_("{seat} improves field {field}: it is {colour} now.")
    own.tell(text, "EG-4.4", own.mark, field=field, colour=colour)
    return None


def _sell(own: Ply, stones: int) -> Message | None:
    """EG-4.3: stones for points, one each, up to the card's number."""
    have, most = own.stones, sum(own.values(data.SELL))
    if not 0 < stones <= most:
        fault = N_("{most} stone(s) at most are sold with your cards; you named {found}.")
        return sentence(fault, "EG-4.3", most=most, found=stones)
    if stones > have:
        return few_stones(stones, have, "EG-4.3")
    left = stones
    while left > 0:
        left -= own.t.value[own.spend(data.SELL)]
    own.gain(-stones)
    own.score(stones)
    text = N_("{seat} sells {stones} stone(s) for {stones} point(s).")
    own.tell(text, "EG-4.3", (*own.mark, "track"), stones=stones)
    return None


def _move(own: Ply, where: tuple[str, int]) -> Message | None:
    """EG-4.3: with another order, before the site begins; at the site in question the ship is moved by `shift`."""
    state, (name, slot) = own.state, where
    if state.stage == SHIFT and name == data.SITE_NAMES[state.site]:
        text = N_("Moving the ship at {site} is what you are asked about now: write `move {slot}`.")
        return sentence(text, "EG-4.5", site=name, slot=slot)
    fault = slot_fault(own, name, slot, state.site + 1)
    if fault is None:
        shift(own, name, slot)
    return fault


def shift(own: Ply, name: str, slot: int) -> None:
    """EG-4.3: an own ship goes to another slot of its site; a ship there takes its place."""
    own.spend(data.MOVE)
    site = data.SITE_NAMES.index(name)
    slots = own.state.slots[site]
    slots[slots.index(own.seat)], slots[slot - 1] = slots[slot - 1], own.seat
    text = N_("{seat} moves the ship at {site} to slot {slot}.")
    own.tell(text, "EG-4.3", (f"space:{data.SITE_IDS[site]}",), site=name, slot=slot)


def slot_fault(own: Own, name: str, slot: int, first: int) -> Message | None:
    """Why `seat` can't move its ship at the site called `name` to `slot`, if so; sites before `first` have begun."""
    site = data.SITE_NAMES.index(name) if name in data.SITE_NAMES else -1
    if site < 0 or own.seat not in own.state.slots[site]:
        return sentence("You have no ship in a slot of {site}.", "EG-4.3", site=name)
    if site < first:
        return sentence("{site} has begun to act; ships there stay where they are.", "EG-4.3", site=name)
    slots = own.state.slots[site]
    at = slots.index(own.seat) + 1
    if slot == at or not 1 <= slot <= len(slots):
        text = N_("{site} has slots 1 to {most}; yours is {own}. Slot {slot} is no other one.")
        return sentence(text, "EG-4.3", site=name, most=len(slots), own=at, slot=slot)
    return None


def thing_said(t: Tables, thing: str | int | tuple[str, int]) -> Message:
    """Return what a card that goes along is used for, in words: a crew, a field, stones, or a slot of a site."""
    if isinstance(thing, tuple):
        return sentence("{place}, slot {slot}", place=thing[0], slot=thing[1])
    if isinstance(thing, int):
        return sentence("{stones} stone(s)", stones=thing)
    return Message(thing) if thing in data.CREW_INDEX else card_label(t, t.index[thing])


def split(own: Own, also: Also, card: int) -> tuple[Also, Also]:
    """EG-4.3: what of `also` acts before the order, and what only `card`, just taken, makes possible."""
    power = own.t.power[card]
    if not power & data.RIDERS:
        return also, NOTHING
    held = own.count(power)
    name = RIDERS[power].field
    asked = getattr(also, name)
    if power == data.SELL:
        now = min(asked, sum(own.values(data.SELL)))
        return _with(also, name, now), _with(NOTHING, name, asked - now)
    if len(asked) != held + 1:
        return also, NOTHING
    return _with(also, name, asked[:-1]), _with(NOTHING, name, asked[-1:])


def _with(also: Also, name: str, value: object) -> Also:
    return msgspec.structs.replace(also, **{name: value})


def trial(own: Own) -> Ply:
    """Return the seat to act on a copy; nothing that is tried draws."""
    return Ply(own.state.copy(), own.seat, own.t, _NO_CHANCE, [])


def tried(own: Own, also: Also) -> tuple[Own, list[Message]]:
    """Return what the seat has once `also` has acted (`own` itself if it is nothing), and its faults."""
    if also == NOTHING:
        return own, []
    then = trial(own)
    return then, perform(then, also)


def taking(own: Ply, order: Any, take: Take) -> None:
    """EG-4.3: carry out an order that may take a card from the river, which may at once be used along with it."""
    if order.also is NOTHING:
        take(own, order)
        return
    before, after = split(own, order.also, taken(own.state, order))
    perform(own, before)
    take(own, order)
    perform(own, after)


def faults(own: Own, order: Any, check: Check, take: Take | None = None) -> list[Message]:
    """Return what is wrong with an order, its riders included: they act first, on a copy; but one that it takes."""
    before, after = split(own, order.also, taken(own.state, order))
    then, found = tried(own, before)
    plain = msgspec.structs.replace(order, also=NOTHING)
    if not isinstance(order, Pass | Renounce | Done):  # these are always allowed where they answer
        found = found + check(then, plain)
    if found or after == NOTHING or take is None:
        return found
    acting = trial(then)
    take(acting, plain)
    return perform(acting, after)


def may_move(own: Own) -> bool:
    """EG-4.5: an owner of "move ship" with a slot at the site where another slot is taken."""
    slots = own.state.slots[own.state.site]
    return bool(own.power & data.MOVE) and own.seat in slots and any(o not in {own.seat, -1} for o in slots)


def check_move(own: Own, order: Move) -> list[Message]:
    """EG-4.3: another slot of the site."""
    if not order.slot:
        return []
    if not own.power & data.MOVE:
        return [lacks(data.MOVE)]
    fault = slot_fault(own, data.SITE_NAMES[own.state.site], order.slot, own.state.site)
    return [] if fault is None else [fault]


def legal_move(own: Own) -> Iterator[Move]:
    """Stay, then every other slot."""
    yield Move()
    if own.power & data.MOVE:
        for slot, owner in enumerate(own.state.slots[own.state.site], 1):
            if owner != own.seat:
                yield Move(slot)


def sample_move(own: Own, chance: Chance) -> Move:
    """Stay or a random slot."""
    return pick(list(legal_move(own)), chance)


def asked_after(state: State) -> list[int]:
    """EG-4.5: everybody with an unused crew improver or two-stones card; in round 5 also sell and field improver."""
    return [seat for seat in state.order if state.power[seat] & data.RIDERS and _may_use(state.own(seat))]


def _may_use(own: Own) -> bool:
    power, stones = own.power, own.stones
    if min(own.crews) < own.t.crew_max and (
        power & data.IMPROVE or (power & data.TRADE and stones >= data.TRADE_STONES)
    ):
        return True
    if own.state.round < data.ROUNDS:
        return False
    return bool(power & data.SELL and stones) or (
        bool(power & data.LAY) and any(own.colour(card) for card in own.fields)
    )


def sample_after(own: Own, chance: Chance) -> Done:
    """Random cards or none."""
    also = sample(own, chance)
    return Done() if tried(own, also)[1] else Done(also=also)


def crew_options(own: Own) -> list[str]:
    """Crews that are not at their maximum."""
    return [crew for i, crew in enumerate(data.CREWS) if own.crews[i] < own.t.crew_max]


def field_options(own: Own) -> list[str]:
    """Own fields that an improver betters."""
    fields = [card for card in own.fields if own.colour(card) > 0]
    return [own.t.names[card] for card in fields]


def move_options(own: Own) -> list[tuple[str, int]]:
    """Return every other slot of a site where an own ship still may move."""
    found = []
    for site, name in enumerate(data.SITE_NAMES):
        slots = own.state.slots[site]
        found += [
            (name, slot) for slot in range(1, len(slots) + 1) if slot_fault(own, name, slot, own.state.site + 1) is None
        ]
    return found


def _spans(most: int, choices: list[str]) -> list[tuple[str, ...]]:
    return [combo for n in range(most + 1) for combo in combinations_with_replacement(choices, n)]


def options(own: Own, card: int = -1) -> Iterator[Also]:
    """Every way in which riders may go along with an order that takes `card` (-1 for none), but nothing."""
    t = own.t
    cards = [*own.ready, *[card] * (card >= 0)]
    counts = {power: sum(t.power[card] == power for card in cards) for power in RIDERS}
    if not any(counts.values()):
        return
    crews = crew_options(own)
    improve, trade = (_spans(counts[power], crews) for power in (data.IMPROVE, data.TRADE))
    fields = _spans(counts[data.LAY], field_options(own))
    moves = [combo for n in range(counts[data.MOVE] + 1) for combo in product(move_options(own), repeat=n)]
    most = min(sum(t.value[card] for card in cards if t.power[card] == data.SELL), t.stone_cap)
    for raised, paid, laid, moved, sold in product(improve, trade, fields, moves, range(most + 1)):
        also = Also(raised, paid, laid, sold, moved)
        if also != NOTHING:
            yield also


def sample(own: Own, chance: Chance, card: int = -1) -> Also:
    """Return a random choice of riders, possibly none; what it names can be done if nothing else stands in the way."""
    picked: dict[int, list[Any]] = {power: [] for power in RIDERS}
    sell = 0
    for one in [*own.ready, *[card] * (card >= 0)]:
        power = own.t.power[one]
        if power not in picked or chance.below(2):
            continue
        if power == data.SELL:
            sell += chance.below(own.t.value[one] + 1)
            continue
        choices = RIDERS[power].choices(own)
        if choices:
            picked[power].append(pick(choices, chance))
    improve, trade = ordered(picked[data.IMPROVE]), ordered(picked[data.TRADE])
    return Also(improve, trade, tuple(picked[data.LAY]), sell, tuple(picked[data.MOVE]))


class Rider(NamedTuple):
    """A kind of card that may go along with an order."""

    field: str
    """Which field of `Also` says what it is used on."""
    choices: Callable[[Own], list[Any]]
    """What it may be used on."""
    act: Callable[[Ply, Any], Message | None]
    """Uses it, or gives the reason why that can't be."""


RIDERS = {
    data.IMPROVE: Rider("improve", crew_options, _improve),
    data.TRADE: Rider("trade", crew_options, _trade),
    data.LAY: Rider("field", field_options, _lay),
    data.SELL: Rider("sell", lambda *_: [], _sell),
    data.MOVE: Rider("move", move_options, _move),
}
"""By effect, in the order in which they act."""
