"""Each stage's verbs in one table: which orders answer it, what is wrong with one, every legal one, its effect."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import msgspec

from pbem.engine.core.message import N_, Message, sentence
from pbem.engine.core.rng import Chance
from pbem.engine.egizia import cards, crews, data, draws, feeding, monuments, orders, phases, riders, sailing, tombs
from pbem.engine.egizia import state as s
from pbem.engine.egizia.grammar import example
from pbem.engine.egizia.orders import NOTHING, AnyOrder
from pbem.engine.egizia.ply import Ply
from pbem.engine.egizia.sailing import ordering
from pbem.engine.egizia.state import Own, State
from pbem.structs import Value

Legal = Callable[[Own], Iterator[Any]]
Sample = Callable[[Own, Chance], Any]


class Verb(Value):
    """What a stage offers."""

    orders: tuple[type, ...]
    check: riders.Check
    """What is wrong with an order, its riders left out."""
    legal: Legal
    sample: Sample
    act: Callable[..., None]
    """What an order does, by ply, seat and order; in a stage of `TOGETHER` what all do, by ply and orders."""
    take: riders.Take | None = None
    """What takes a card from the river."""

    def faults(self, own: Own, order: Any) -> list[Message]:
        """Return every fault of an order, its riders included."""
        return riders.faults(own, order, self.check, self.take)


_RENOUNCE_RARE = 12
_RIDERS_RARE = 8
"""One random order in so many is renounced, or tries riders."""


def act(ply: Ply, given: Mapping[int, Any]) -> None:
    """Carry out the orders of a stage: everybody's at once, or that of the one seat asked, riders first."""
    stage = ply.state.stage
    if stage in s.TOGETHER:
        VERBS[stage].act(ply, given)
        return
    order = given[ply.seat]
    if stage in s.AT_SITE:
        riders.perform(ply, order.also)
    if order.__class__ is orders.Renounce:
        phases.renounced(ply)
    else:
        VERBS[stage].act(ply, order)


def _sail(own: Ply, order: orders.Ship | orders.Pass) -> None:
    if isinstance(order, orders.Pass):
        riders.perform(own, order.also)
        own.state.passed |= 1 << own.seat
        own.state.again = False
        own.tell(N_("{seat} passes."), "EG-3.1")
        phases.next_sailor(own, own.seat)
        return
    riders.taking(own, order, sailing.place)
    own.state.again = "two ships" in order.using
    if own.state.again:  # EG-4.3: the same seat once more
        own.state.asked = [own.seat]
    else:
        phases.next_sailor(own, own.seat)


def _leftover(own: Ply, order: orders.Leftover) -> None:
    own.state.asked.pop(0)
    riders.taking(own, order, feeding.take_leftover)
    phases.ask_leftover(own)


def _move(own: Ply, order: orders.Move) -> None:
    """EG-4.3: the ship goes to its new slot."""
    if order.slot:
        riders.shift(own, data.SITE_NAMES[own.state.site], order.slot)
    own.state.asked.pop(0)
    phases.ask_move(own)


def _draw(own: Ply, order: orders.Sphinx) -> None:
    draws.draw(own, order)
    own.state.stage = s.KEEP


def _keep(own: Ply, order: orders.Keep) -> None:
    draws.keep(own, order)
    phases.next_ship(own)


def _build(own: Ply, order: orders.Raise | orders.Stack) -> None:
    if isinstance(order, orders.Raise) and tombs.build(own, order):
        own.state.stage = s.DIG
    else:
        if isinstance(order, orders.Stack):
            monuments.build(own, order)
        phases.next_ship(own)


def _dig(own: Ply, order: orders.Dig) -> None:
    if not tombs.dig(own, order):
        phases.next_ship(own)


def _after(ply: Ply, given: Mapping[int, Any]) -> None:
    """EG-4.5: the cards act in turn order."""
    for seat in ply.state.order:
        if seat in given:
            riders.perform(ply.of(seat), given[seat].also)
    phases.end_round(ply)


def _check_build(own: Own, order: Any) -> list[Message]:
    """EG-6.1 to EG-6.6: an order of this site, what it builds and who works."""
    state = own.state
    if isinstance(order, orders.Stack) != (state.site == data.PYRAMID):
        site = data.SITE_NAMES[state.site]
        return [sentence("Your ship is at {site}; that can't be built there.", "EG-6.1", site=site)]
    faults, value = (monuments if isinstance(order, orders.Stack) else tombs).judged(state, order)
    reach = own.strength(order.crews, order.using)
    return [*crews.faults(own, order), *faults, *crews.cost_faults(value, reach, own.stones, order.crews)]


def _legal_build(own: Own) -> Iterator[Any]:
    """Yield every build order without riders, those of plain crews first."""
    for team in crews.spans(own):
        budget = min(own.strength(*team), own.stones)
        yield from (tombs if own.state.site == data.OBELISK else monuments).legal(own.state, team, budget)


def _sample_build(own: Own, chance: Chance) -> Any:
    """Return a random build order; None if no crews or stones were found for one."""
    state = own.state
    site = tombs if state.site == data.OBELISK else monuments
    value = site.least(state)
    team = crews.sample(own, value, chance)
    budget = min(own.strength(*team), own.stones)
    if not team[0] or budget < value:  # the two-stones card may have taken what the cheapest thing costs
        return None
    return site.sample(state, team, budget, chance)


def _sample_leftover(own: Own, chance: Chance) -> Any:
    """Return a random card with riders; a card that is one itself may be used at once."""
    order = _ridden(feeding.sample_leftover, own, chance)
    card = cards.taken(own.state, order)
    if order.also != NOTHING or not own.t.power[card] & data.RIDERS:
        return order
    full = msgspec.structs.replace(order, also=riders.sample(own, chance, card))
    return order if VERBS[s.LEFTOVER].faults(own, full) else full


def _ridden(sample: Sample, own: Own, chance: Chance) -> Any:
    """Return what `sample` finds, riders along now and then; renouncing where that is all there is, or rarely."""
    also, then = NOTHING, own
    if own.power & data.RIDERS and not chance.below(_RIDERS_RARE):
        wish = riders.sample(own, chance)
        trial, faults = riders.tried(own, wish)
        if not faults:
            also, then = wish, trial
    order = None
    if own.state.stage not in {s.BUILD, s.DRAW} or chance.below(_RENOUNCE_RARE):
        order = sample(then, chance)
    if order is None:
        order = orders.Renounce()
    return order if also == NOTHING else msgspec.structs.replace(order, also=also)


VERBS: dict[str, Verb] = {
    s.SHIP: Verb((orders.Ship, orders.Pass), sailing.check, sailing.legal, sailing.sample, _sail, sailing.place),
    s.LEFTOVER: Verb(
        (orders.Leftover,),
        *(feeding.check_leftover, feeding.legal_leftover, _sample_leftover, _leftover),
        feeding.take_leftover,
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
    return verb.faults(state.own(seat), order)


def legal(state: State, seat: int) -> Iterator[AnyOrder]:
    """Yield every legal order: plain ones, then with cards, then with riders. The last kind may be very many."""
    if seat not in ordering(state):
        return
    own = state.own(seat)
    yield from _plain(own)
    for also in riders.options(own):
        then, faults = riders.tried(own, also)
        if not faults:
            for order in _plain(then):
                yield msgspec.structs.replace(order, also=also)
    if state.stage in {s.SHIP, s.LEFTOVER}:
        yield from _late_legal(own)


def _plain(own: Own) -> Iterator[AnyOrder]:
    """EG-6.1: a place may always be given away."""
    verb = VERBS[own.state.stage]
    if orders.Renounce in verb.orders:
        yield orders.Renounce()
    yield from verb.legal(own)


def _late_legal(own: Own) -> Iterator[AnyOrder]:
    """Orders whose riders need the card that they take."""
    verb = VERBS[own.state.stage]
    for order in verb.legal(own):
        card = cards.taken(own.state, order)
        if own.t.power[card] & data.RIDERS:
            for also in riders.options(own, card):
                full = msgspec.structs.replace(order, also=also)
                late = riders.split(own, also, card)[1]
                if late != NOTHING and not verb.faults(own, full):
                    yield full


def sample(state: State, seat: int, chance: Chance) -> AnyOrder:
    """One random legal order; every legal order can come up."""
    own, sample = state.own(seat), VERBS[state.stage].sample
    order: AnyOrder = _ridden(sample, own, chance) if state.stage in s.AT_SITE else sample(own, chance)
    return order
