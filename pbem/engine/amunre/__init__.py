"""Amun-Re, 2003 edition: `RULES` is the game behind the verbs that every game offers."""

from __future__ import annotations

from collections.abc import Mapping

from pbem.engine.amunre import board, facts, forms, phases, reading, reveal, scoring, sheet, state, words
from pbem.engine.amunre import view as views
from pbem.engine.amunre.cautious import cautious
from pbem.engine.amunre.data import CARDS, LANGUAGE, SEATS
from pbem.engine.amunre.grammar import GRAMMAR
from pbem.engine.amunre.orders import AnOrder
from pbem.engine.amunre.state import BID, Options, State
from pbem.engine.amunre.view import View
from pbem.engine.core.errors import IllegalOrder
from pbem.engine.core.message import Message
from pbem.engine.core.rng import Chance
from pbem.engine.core.types import Meta, Resolution, Rules, Scope

VERSION = 1


class AmunRe(Rules[State, AnOrder, View]):
    """The rules of Amun-Re, 2003 edition, as `engine.types.Rules`."""

    meta = Meta(
        name="amunre",
        title="Amun-Re",
        edition="2003",
        version=VERSION,
        seats=SEATS,
        options=LANGUAGE.options,
        endings=scoring.ENDINGS,
        hidden_chance=("card",),
        hidden_orders=("draft",),
        once={
            **dict.fromkeys(("sell", "build", "offer", "adjust", "harvest"), ()),
            **dict.fromkeys(("buy", "take"), ("draft", "build")),
            "draft": ("build",),
        },
        names=facts.WORDS,
        order_words=LANGUAGE.spoken,
        order_things=CARDS,
    )
    state_type = State
    view_type = View
    order_type = AnOrder
    grammar = GRAMMAR
    facts_help = facts.FACTS
    bid_facts = facts.BID_FACTS

    asked = staticmethod(phases.asked)
    read = staticmethod(reading.read)
    check = staticmethod(phases.check)
    legal = staticmethod(phases.legal)
    sample = staticmethod(phases.sample)
    apply = staticmethod(phases.apply)
    view = staticmethod(views.view)
    imagine = staticmethod(views.imagine)
    facts = staticmethod(facts.facts)
    cautious = staticmethod(cautious)
    heading = staticmethod(words.heading)
    question = staticmethod(words.question)
    describe = staticmethod(words.describe)
    topics = staticmethod(words.topics)
    form = staticmethod(forms.form)
    order_text = staticmethod(forms.order_text)
    figures = staticmethod(sheet.figures)
    warnings = staticmethod(sheet.warnings)
    hanging = staticmethod(sheet.hanging)
    carried_out = staticmethod(sheet.carried_out)
    stakes = staticmethod(sheet.stakes)
    score_sheet = staticmethod(sheet.score_sheet)
    account = staticmethod(sheet.account)
    asked_next = staticmethod(views.asked_next)
    outcome = staticmethod(scoring.outcome)
    problems = staticmethod(state.problems)

    def setup(self, seats: int, options: Mapping[str, str], chance: Chance) -> Resolution:
        """Open a game (AR-2) and reveal its first provinces. Raises IllegalOrder naming every wrong option."""
        faults: tuple[Message, ...] = ()
        table = None
        try:
            table = board.load(options.get("board", ""))
        except IllegalOrder as error:
            faults = error.faults
        self.meta.chosen(seats, options, "AR-2.1", faults)
        assert table is not None
        chosen = Options(**{name: value for name, value in options.items() if name != "board"})
        ply = reveal.lay_out(seats, chosen, table, chance)
        reveal.reveal(ply)
        return Resolution(ply.state, tuple(ply.events))

    def scope(self, state: State) -> Scope:
        """Keys that change with the phase and the round."""
        key = f"{state.kingdom}-{state.round}"
        return Scope(f"{key}-{_SCOPES.get(state.phase, state.phase)}", key)


_SCOPES = {state.SELL: BID, state.BUY_DRAFT: state.BUY, state.BUILD: state.BUY, state.TAKE_DRAFT: state.TAKE}
"""Steps that belong to one phase."""

RULES = AmunRe()
