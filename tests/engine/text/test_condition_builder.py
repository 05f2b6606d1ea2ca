"""Lines that are built from a form: every fact of every game with every comparison, in the same grammar as text."""

from __future__ import annotations

import pytest

from pbem.engine.core.errors import InvalidOrder
from pbem.engine.core.rng import Rng
from pbem.engine.registry import GAMES, rules_of
from pbem.engine.text import standing_orders as standing
from pbem.engine.text import standing_text
from pbem.engine.text.condition_builder import COMPARISONS, JOINS, TESTS, FactTest, line, put, values_of

SUITS: dict[str, tuple[type, ...]] = {
    "least": (int,),
    "most": (int,),
    "is": (int, str),
    "not": (int, str),
    "holds": (frozenset,),
    "lacks": (frozenset,),
    "some": (int, str, frozenset),
    "none": (int, str, frozenset),
}
"""The kinds of fact that each comparison suits: a new one must be listed here."""
AS_TEXT = {
    "least": "is at least",
    "most": "is at most",
    "is": "is",
    "not": "is not",
}


@pytest.mark.parametrize("game", GAMES)
def test_every_fact_can_be_tested_in_every_way_that_suits_it(game: str) -> None:
    """Built, it is read, prints itself the same again and is told as a sentence; what doesn't suit is refused so."""
    assert SUITS.keys() == COMPARISONS.keys()
    rules = rules_of(game)
    facts = rules.facts(rules.view(rules.setup(4, {}, Rng("built", 0)).state, 0))
    words = list(rules.meta.names)
    for name in rules.facts_help:
        value = "3" if isinstance(facts[name], int) else words[0]
        for comparison in COMPARISONS:
            text = line("", [FactTest(name, comparison, value)], "and", "", rules.facts_help)
            if not isinstance(facts[name], SUITS[comparison]):
                with pytest.raises(InvalidOrder) as refused:
                    standing_text.parse(rules, text)
                assert len(refused.value.faults) == 1
                continue
            read = standing_text.parse(rules, text)
            assert standing_text.parse(rules, str(read)) == read
            sentence = str(standing.words(read)[-1])
            assert name.replace("_", " ") in sentence
            assert sentence.endswith("ask me.")


@pytest.mark.parametrize("comparison", AS_TEXT)
def test_a_built_line_is_what_somebody_would_have_written(comparison: str) -> None:
    """The same order comes of the form and of plain words, numbers and other facts alike."""
    rules = rules_of("priestsofra")
    for value in ("5", "my_suns"):
        built = line("turn", [FactTest("tiles", comparison, value)], "and", "ra", rules.facts_help)
        typed = f"for turn:\nwhen tiles {AS_TEXT[comparison]} {value}: ra"
        assert standing_text.parse(rules, built) == standing_text.parse(rules, typed)


def test_several_tests_go_together_by_and_or_or() -> None:
    """At most three; several words are a set."""
    rules = rules_of("priestsofra")
    tests = [FactTest("tiles", "least", "5"), FactTest("lot", "holds", "plague, library"), FactTest("alone", "none")]
    assert len(tests) == TESTS
    for word in JOINS:
        built = line("turn", tests, word, "draw", rules.facts_help)
        typed = f"for turn: when tiles >= 5 {word} {{plague, library}} in lot {word} not alone: draw"
        assert standing_text.parse(rules, built) == standing_text.parse(rules, typed)


@pytest.mark.parametrize("first", [True, False])
def test_a_line_put_before_or_after_others_changes_none_of_them(first: bool) -> None:  # noqa: FBT001 - a case
    """They keep the decisions they are for, and their scope."""
    rules = rules_of("priestsofra")
    own = "this round\ndraw\nfor bid:\npass"
    before = standing_text.parse(rules, own)
    built = line("turn", [], "and", "ra", ())
    after = standing_text.parse(rules, put(own, built, first=first))

    (more,) = standing_text.parse(rules, built).lines
    assert after.scope == before.scope
    assert after.lines == ((more, *before.lines) if first else (*before.lines, more))
    assert put(" ", built, first=first) == built


def test_the_words_offered_are_those_that_facts_hold_and_names_of_the_game() -> None:
    """Each once, in the order of the alphabet."""
    offered = values_of({"lot": frozenset({"plague"}), "phase": "turn", "tiles": 3}, ("flood", "plague"))

    alike = tuple(spelt for letter in "abcdefgh" for spelt in (letter.upper(), letter))
    assert offered == ("flood", "plague", "turn")
    assert values_of({}, alike) == alike  # not in the chance order of a set, which is another in each process
