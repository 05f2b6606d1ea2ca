"""Each stage's verbs in one table: which orders answer it, what is wrong with one, every legal one, its effect."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import msgspec

from pbem.engine.core.message import N_, Message, sentence
from pbem.engine.core.rng import Chance
from pbem.engine.egizia import crews, data, draws, feeding, monuments, orders, phases, riders, sailing, tombs
from pbem.engine.egizia import state as s
from pbem.engine.egizia.grammar import example
from pbem.engine.egizia.orders import NOTHING, AnyOrder
from pbem.engine.egizia.ply import Ply
from pbem.engine.egizia.sailing import ordering
from pbem.engine.egizia.state import State
from pbem.engine.egizia.tables import Tables, tables_of

Legal = Callable[[Tables, State, int], Iterator[Any]]
Sample = Callable[[Tables, State, int, Chance], Any]


class Verb(msgspec.Struct, frozen=True):
    """What a stage offers."""

    orders: tuple[type, ...]
    check: riders.Check
    """What is wrong with an order, its riders left out."""
    legal: Legal
    sample: Sample
    act: Callable[..., None]
    """What an order does, by ply, seat and order; in a stage of `TOGETHER` what all do, by ply and orders."""
    taken: riders.Taken = riders.no_card
    """Which card an order takes from the river."""
    take: Callable[[Ply, int, Any], None] | None = None
    """What takes it."""

    def faults(self, t: Tables, state: State, seat: int, order: Any) -> list[Message]:
        """Return every fault of an order, its riders included."""
        return riders.with_riders(self.check, self.taken, self.take)(t, state, seat, order)


_RENOUNCE_RARE = 12
_RIDERS_RARE = 8
"""One random order in so many is renounced, or tries riders."""


def act(ply: Ply, given: Mapping[int, Any]) -> None:
    """Carry out the orders of a stage: everybody's at once, or that of the one seat asked, riders first."""
    stage = ply.state.stage
    if stage in s.TOGETHER:
        VERBS[stage].act(ply, given)
        return
    seat = ply.state.asked[0]
    order = given[seat]
    if stage in s.AT_SITE:
        riders.perform(ply, seat, order.also)
    if order.__class__ is orders.Renounce:
        phases.renounced(ply, seat)
    else:
        VERBS[stage].act(ply, seat, order)


def _sail(ply: Ply, seat: int, order: orders.Ship | orders.Pass) -> None:
    if isinstance(order, orders.Pass):
        riders.perform(ply, seat, order.also)
        ply.state.passed |= 1 << seat
        ply.state.again = False
        ply.tell(seat, N_("{seat} passes."), "EG-3.1")
        phases.next_sailor(ply, seat)
        return
    sailing.place(ply, seat, order)
    ply.state.again = "two ships" in order.using
    if ply.state.again:  # EG-4.3: the same seat once more
        ply.state.asked = [seat]
    else:
        phases.next_sailor(ply, seat)


def _leftover(ply: Ply, seat: int, order: orders.Leftover) -> None:
    ply.state.asked.pop(0)
    feeding.take_leftover(ply, seat, order)
    phases.ask_leftover(ply)


def _move(ply: Ply, seat: int, order: orders.Move) -> None:
    """EG-4.3: the ship goes to its new slot."""
    if order.slot:
        riders.shift(ply, seat, data.SITE_NAMES[ply.state.site], order.slot)
    ply.state.asked.pop(0)
    phases.ask_move(ply)


def _draw(ply: Ply, seat: int, order: orders.Sphinx) -> None:
    draws.draw(ply, seat, order)
    ply.state.stage = s.KEEP


def _keep(ply: Ply, seat: int, order: orders.Keep) -> None:
    draws.keep(ply, seat, order)
    phases.next_ship(ply)


def _build(ply: Ply, seat: int, order: orders.Raise | orders.Stack) -> None:
    if isinstance(order, orders.Raise) and tombs.build(ply, seat, order):
        ply.state.stage = s.DIG
    else:
        if isinstance(order, orders.Stack):
            monuments.build(ply, seat, order)
        phases.next_ship(ply)


def _dig(ply: Ply, seat: int, order: orders.Dig) -> None:
    if not tombs.dig(ply, seat, order):
        phases.next_ship(ply)


def _after(ply: Ply, given: Mapping[int, Any]) -> None:
    """EG-4.5: the cards act in turn order."""
    for seat in ply.state.order:
        if seat in given:
            riders.perform(ply, seat, given[seat].also)
    phases.end_round(ply)


def _check_build(t: Tables, state: State, seat: int, order: Any) -> list[Message]:
    """EG-6.1 to EG-6.6: an order of this site, what it builds and who works."""
    if isinstance(order, orders.Stack) != (state.site == data.PYRAMID):
        site = data.SITE_NAMES[state.site]
        return [sentence("Your ship is at {site}; that can't be built there.", "EG-6.1", site=site)]
    faults, value = (monuments if isinstance(order, orders.Stack) else tombs).judged(t, state, order)
    reach = crews.strength(t, state, seat, order.crews, order.using)
    return [
        *crews.faults(t, state, seat, order),
        *faults,
        *crews.cost_faults(value, reach, state.stones[seat], order.crews),
    ]


def _legal_build(t: Tables, state: State, seat: int) -> Iterator[Any]:
    """Yield every build order without riders, those of plain crews first."""
    for team in crews.spans(t, state, seat):
        budget = min(crews.strength(t, state, seat, *team), state.stones[seat])
        yield from (tombs if state.site == data.OBELISK else monuments).legal(t, state, team, budget)


def _sample_build(t: Tables, state: State, seat: int, chance: Chance) -> Any:
    """Return a random build order; None if no crews or stones were found for one."""
    site = tombs if state.site == data.OBELISK else monuments
    value = site.least(t, state)
    team = crews.sample(t, state, seat, value, chance)
    budget = min(crews.strength(t, state, seat, *team), state.stones[seat])
    if not team[0] or budget < value:  # the two-stones card may have taken what the cheapest thing costs
        return None
    return site.sample(t, state, team, budget, chance)


def _sample_leftover(t: Tables, state: State, seat: int, chance: Chance) -> Any:
    """Return a random card with riders; a card that is one itself may be used at once."""
    order = _ridden(feeding.sample_leftover, t, state, seat, chance)
    card = feeding.leftover_taken(t, state, order)
    if order.also != NOTHING or not t.power[card] & data.RIDERS:
        return order
    full = msgspec.structs.replace(order, also=riders.sample(t, state, seat, chance, card))
    return order if VERBS[s.LEFTOVER].faults(t, state, seat, full) else full


def _ridden(sample: Sample, t: Tables, state: State, seat: int, chance: Chance) -> Any:
    """Return what `sample` finds, riders along now and then; renouncing where that is all there is, or rarely."""
    also, then = NOTHING, state
    if state.power[seat] & data.RIDERS and not chance.below(_RIDERS_RARE):
        wish = riders.sample(t, state, seat, chance)
        trial, faults = riders.tried(state, seat, wish)
        if not faults:
            also, then = wish, trial
    order = None
    if state.stage not in {s.BUILD, s.DRAW} or chance.below(_RENOUNCE_RARE):
        order = sample(t, then, seat, chance)
    if order is None:
        order = orders.Renounce()
    return order if also == NOTHING else msgspec.structs.replace(order, also=also)


VERBS: dict[str, Verb] = {
    s.SHIP: Verb(
        (orders.Ship, orders.Pass), sailing.check, sailing.legal, sailing.sample, _sail, sailing.taken, sailing.place
    ),
    s.LEFTOVER: Verb(
        (orders.Leftover,),
        *(feeding.check_leftover, feeding.legal_leftover, _sample_leftover, _leftover),
        *(feeding.leftover_taken, feeding.take_leftover),
    ),
    s.FEED: Verb((orders.Feed,), feeding.check, feeding.legal, feeding.sample, phases.feed),
    s.SHIFT: Verb((orders.Move,), riders.check_move, riders.legal_move, riders.sample_move, _move),
    s.DRAW: Verb((orders.Sphinx, orders.Renounce), draws.check, draws.legal, draws.sample, _draw),
    s.KEEP: Verb((orders.Keep,), draws.check_keep, draws.legal_keep, draws.sample_keep, _keep),
    s.BUILD: Verb((orders.Raise, orders.Stack, orders.Renounce), _check_build, _legal_build, _sample_build, _build),
    s.DIG: Verb((orders.Dig,), tombs.check_dig, tombs.legal_dig, tombs.sample_dig, _dig),
    s.AFTER: Verb((orders.Done,), lambda *_: [], lambda *_: iter((orders.Done(),)), riders.sample_after, _after),
}


def check(state: State, seat: int, order: AnyOrder) -> list[Message]:
    """Return every fault of `order`, its riders included, each with its rule id."""
    if seat not in ordering(state):
        return [sentence("You aren't asked for anything now.", "EG-2.1")]
    verb = VERBS[state.stage]
    if not isinstance(order, verb.orders):
        text = N_("{order!r} is no answer to what you are asked now. Write for example: {example}.")
        return [sentence(text, "EG-2.1", order=str(order), example=example(state.stage))]
    return verb.faults(tables_of(state.components), state, seat, order)


def legal(state: State, seat: int) -> Iterator[AnyOrder]:
    """Yield every legal order: plain ones, then with cards, then with riders. The last kind may be very many."""
    if seat not in ordering(state):
        return
    t = tables_of(state.components)
    yield from _plain(t, state, seat)
    for also in riders.options(t, state, seat):
        then, faults = riders.tried(state, seat, also)
        if not faults:
            for order in _plain(t, then, seat):
                yield msgspec.structs.replace(order, also=also)
    if state.stage in {s.SHIP, s.LEFTOVER}:
        yield from _late_legal(t, state, seat)


def _plain(t: Tables, state: State, seat: int) -> Iterator[AnyOrder]:
    """EG-6.1: a place may always be given away."""
    verb = VERBS[state.stage]
    if orders.Renounce in verb.orders:
        yield orders.Renounce()
    yield from verb.legal(t, state, seat)


def _late_legal(t: Tables, state: State, seat: int) -> Iterator[AnyOrder]:
    """Orders whose riders need the card that they take."""
    verb = VERBS[state.stage]
    for order in verb.legal(t, state, seat):
        card = verb.taken(t, state, order)
        if t.power[card] & data.RIDERS:
            for also in riders.options(t, state, seat, card):
                full = msgspec.structs.replace(order, also=also)
                late = riders.split(t, state, seat, also, card)[1]
                if late != NOTHING and not verb.faults(t, state, seat, full):
                    yield full


def sample(state: State, seat: int, chance: Chance) -> AnyOrder:
    """One random legal order; every legal order can come up."""
    t, verb = tables_of(state.components), VERBS[state.stage]
    order: AnyOrder
    if state.stage in s.AT_SITE:
        order = _ridden(verb.sample, t, state, seat, chance)
    else:
        order = verb.sample(t, state, seat, chance)
    return order
