"""Egizia, edition of 2009 with the revision of 2010, for 2 to 4 players. The rules in words are in RULES.md."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import product

import msgspec

from pbem.engine.core.errors import IllegalOrder
from pbem.engine.core.message import Event, Message
from pbem.engine.core.rng import Chance
from pbem.engine.core.types import Decision, Meta, Resolution, Rules, Scope
from pbem.engine.egizia import components, data, facts, forms, phases, reading, scoring, sheet, verbs, words
from pbem.engine.egizia import state as s
from pbem.engine.egizia import view as views
from pbem.engine.egizia.cautious import cautious
from pbem.engine.egizia.grammar import GRAMMAR
from pbem.engine.egizia.orders import AnyOrder, Pass
from pbem.engine.egizia.ply import opened
from pbem.engine.egizia.sailing import waiting
from pbem.engine.egizia.state import State
from pbem.engine.egizia.view import View

_SEATS = (2, 3, 4)
_NAMES = {
    **data.CREW_SPELLINGS,
    **data.PLACE_SPELLINGS,
    **{f"card {number}": () for number in range(1, 11)},
    "none": (),
    **{f"{letter}{number:02}": () for letter in "ABCS" for number in range(1, 100)},
    **dict.fromkeys((*data.RING_NAMES, *s.STAGES, *data.SHORT.values()), ()),
}
_DECISIONS = {kind: Decision(kind, held=kind == s.KEEP) for kind in s.STAGES}
"""EG-7.2: a ranking of Sphinx cards answers or falls by those drawn, so the speed of an answer would tell of them."""
_NEXT_SHIP = Decision(s.SHIP, needed=False, ahead=True)
_SINGLE = {
    kind: tuple({seat: _DECISIONS[kind]} for seat in range(max(_SEATS))) for kind in s.STAGES if kind not in s.TOGETHER
}


class Egizia(Rules[State, AnyOrder, View]):
    """The rules object; it holds no state of its own."""

    meta = Meta(
        "egizia",
        "Egizia",
        "2009, revised 2010",
        data.VERSION,
        _SEATS,
        data.LANGUAGE.options,
        data.ENDINGS,
        hidden_chance=("sphinx",),
        hidden_orders=(s.KEEP,),
        once={
            **dict.fromkeys((s.LEFTOVER, s.FEED, s.AFTER), ()),
            **dict.fromkeys((s.SHIFT, s.KEEP), (s.BUILD,)),
            s.DRAW: (s.KEEP, s.BUILD),
        },
        names=_NAMES,
        order_words=data.LANGUAGE.spoken,
        order_things=(*data.CREWS, *data.PARTS, *data.SITE_NAMES),
    )
    state_type = State
    view_type = View
    order_type = AnyOrder
    grammar = GRAMMAR
    facts_help = data.LANGUAGE.facts

    read = staticmethod(reading.read)
    check = staticmethod(verbs.check)
    legal = staticmethod(verbs.legal)
    sample = staticmethod(verbs.sample)
    view = staticmethod(views.view_of)
    imagine = staticmethod(views.imagine)
    facts = staticmethod(facts.facts_of)
    cautious = staticmethod(cautious)
    heading = staticmethod(words.heading)
    question = staticmethod(words.question)
    describe = staticmethod(words.describe)
    topics = staticmethod(words.topics)
    figures = staticmethod(sheet.figures)
    warnings = staticmethod(sheet.warnings)
    hanging = staticmethod(sheet.hanging)
    score_sheet = staticmethod(sheet.score_sheet)
    account = staticmethod(sheet.account)
    form = staticmethod(forms.form)
    order_text = staticmethod(forms.order_text)
    outcome = staticmethod(scoring.outcome_of)
    problems = staticmethod(s.problems_of)

    def setup(self, seats: int, options: Mapping[str, str], chance: Chance) -> Resolution:
        """EG-1: open a game. Raises IllegalOrder naming every wrong option and every fault of the components."""
        faults: tuple[Message, ...] = ()
        text = options.get("components", "").strip()
        try:
            text = msgspec.json.encode(components.load(text)).decode() if text else ""
        except IllegalOrder as error:
            faults = error.faults
        chosen = self.meta.chosen(seats, options, "EG-1.8", faults)
        ply = phases.setup(seats, text, chance, first_sphinx=chosen["first_sphinx"] == "on")
        ply.state.together = chosen["ships"] == "together"
        return Resolution(ply.state, tuple(ply.events))

    def carried_out(self, view: View, order: AnyOrder, chance: Chance, /) -> Iterator[View]:
        """EG-3.1 with the option `ships`: the ring (EG-3.6) may be moved till then, and it may be the last ship."""
        seat = view.seat or 0
        for ring, is_last in product(range(len(data.RING_POSITIONS)), (False, True)):
            world = views.imagine(view, chance)
            world.ring, at = ring, world.order.index(seat)
            world.asked = [seat] if is_last else [*world.order[at:], *world.order[:at]]
            world.passed |= sum(1 << other for other in world.order if other != seat) * is_last
            if verbs.check(world, seat, order):
                continue
            self.apply(world, {seat: order}, chance)
            if is_last and world.stage == s.SHIP and world.acting == [seat]:
                self.apply(world, {seat: Pass()}, chance)
            yield views.view_of(world, seat)

    @staticmethod
    def asked(state: State) -> Mapping[int, Decision]:
        """Return every seat that must act now, and what it is asked."""
        kind, seats = state.stage, state.asked
        if state.together and kind == s.SHIP:
            ahead = waiting(state)
            return {**_SINGLE[kind][seats[0]], **dict.fromkeys(ahead, _NEXT_SHIP)}
        return _SINGLE[kind][seats[0]] if kind in _SINGLE and seats else dict.fromkeys(seats, _DECISIONS[kind])

    def is_certain(self, state: State, seat: int, order: AnyOrder) -> bool:  # noqa: ARG002 - EG-3.1: nobody can prevent it
        """EG-3.1: whoever's turn it is may pass."""
        return isinstance(order, Pass)

    def apply(self, state: State, orders: Mapping[int, AnyOrder], chance: Chance) -> list[Event]:
        """Carry out one legal order of each awaited seat in place."""
        ply = opened(state, chance)
        verbs.act(ply, orders)
        return ply.events

    def scope(self, state: State) -> Scope:
        """The phases of EG-2.1; building at the three sites is one, so that orders for later ones can be sent ahead."""
        phase = "build" if state.stage in s.AT_SITE else state.stage
        return Scope(f"{state.round}-{phase}", str(state.round))


RULES = Egizia()
