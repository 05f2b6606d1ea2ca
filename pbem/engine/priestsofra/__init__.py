"""Priests of Ra, 2009 edition, for 2 to 5 players. The rules in words are in RULES.md."""

from __future__ import annotations

from collections.abc import Mapping

from pbem.engine.core.rng import Chance
from pbem.engine.core.types import Meta, Outcome, Resolution, Rules
from pbem.engine.priestsofra import choices, facts, forms, phases, reading, scoring, sheet, state, words
from pbem.engine.priestsofra import view as views
from pbem.engine.priestsofra.data import ENDINGS, FACES, LANGUAGE, SUN_GROUPS
from pbem.engine.priestsofra.orders import GRAMMAR, AnyOrder
from pbem.engine.priestsofra.state import OVER, State

VERSION = 1
"""The rules version stored with each game; raised when behaviour changes."""


class PriestsOfRa(Rules[State, AnyOrder, views.View]):
    """The verbs of `engine.types.Rules`, each from its room."""

    meta = Meta(
        "priestsofra",
        "Priests of Ra",
        "2009",
        VERSION,
        tuple(SUN_GROUPS),
        LANGUAGE.options,
        ENDINGS,
        once={"bid": ("flip",), "flip": ()},
        names=facts.WORDS,
        order_words=LANGUAGE.spoken,
        order_things=FACES,
    )
    state_type = State
    view_type = views.View
    order_type = AnyOrder
    grammar = GRAMMAR
    facts_help = facts.FACTS
    bid_facts = LANGUAGE.bid_facts

    asked = staticmethod(phases.asked)
    apply = staticmethod(phases.apply)
    scope = staticmethod(phases.scope)
    read = staticmethod(reading.read)
    check = staticmethod(choices.check)
    is_certain = staticmethod(choices.is_certain)
    legal = staticmethod(choices.legal)
    sample = staticmethod(choices.sample)
    view = staticmethod(views.view)
    imagine = staticmethod(views.imagine)
    cautious = staticmethod(views.cautious)
    heading = staticmethod(words.heading)
    question = staticmethod(words.question)
    describe = staticmethod(words.describe)
    topics = staticmethod(words.topics)
    facts = staticmethod(facts.facts)
    figures = staticmethod(sheet.figures)
    warnings = staticmethod(sheet.warnings)
    stakes = staticmethod(sheet.stakes)
    score_sheet = staticmethod(sheet.score_sheet)
    account = staticmethod(sheet.account)
    form = staticmethod(forms.form)
    order_text = staticmethod(forms.order_text)
    problems = staticmethod(state.problems)

    def setup(self, seats: int, options: Mapping[str, str], chance: Chance) -> Resolution:
        """PR-1: open a game. Raises IllegalOrder naming every wrong option, or the number of seats."""
        return phases.setup(seats, self.meta.chosen(seats, options, "PR-1.2"), chance)

    @staticmethod
    def outcome(state: State) -> Outcome | None:
        """PR-7.5: how the game ended; None while it goes on."""
        return scoring.outcome(state) if state.phase == OVER else None


RULES = PriestsOfRa()
EXCEPTIONS = {
    "test_a_form_offers_exactly_the_legal_orders[turn]": (
        "A wish for a tile that has run out is legal and idle: the form leaves it out."
    )
}
"""Demands of the games' contract that this one doesn't meet, each with its reason."""
