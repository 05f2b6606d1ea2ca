"""Headings, questions and descriptions, facts and the safe default, as a player reads them."""

from __future__ import annotations

import pytest

from pbem.engine.egizia import RULES
from tests.engine.egizia.places import PLACES
from tests.engine.egizia.tables import VOICE, Table

DESCRIBED = (
    ("sail", "pass", "You pass and place no more ships this round."),
    ("sail", "ship to A05", "You take brown field 6 (A05)."),
    ("sail", "ship to A13", "You take field improver (A13)."),
    ("sail", "ship to A21", "You take crew +3 (A21)."),
    ("sail", "ship to Edfu", "You sail to Edfu: stone market and grain market one step each."),
    ("sail", "ship to Thebae", "You sail to Thebae: blue and black +1."),
    ("sail", "ship to Alyl, crew blue", "You sail to Alyl: blue +1 and 2 stones."),
    ("sail", "ship to Heliopolis, ring left", "You sail to Heliopolis: joker +1. The water ring moves left."),
    ("sail", "ship to Sphinx", "You sail to Sphinx, slot 1."),
    (
        "sail",
        "ship to Edfu using upstream, sell 3",
        "You sail to Edfu: stone market and grain market one step each. You use upstream and sell stones (3 stones).",
    ),
    ("leftover", "leftover A09", "You take quarry 3 (A09), left on the river."),
    ("leftover", "leftover none", "You take no card that was left."),
    (
        "feed",
        "feed",
        (
            "You feed with your fields alone. 4 grain are missing: minus 12 points. "
            "Then your quarries bring 3 stones, and you have 5."
        ),
    ),
    (
        "feed",
        "feed with 4 grain and stones 1",
        (
            "You feed with 4 grain from cards and 1 stone. No grain is missing. "
            "Then your quarries bring 3 stones, and you have 4."
        ),
    ),
    ("move", "stay", "Your ship stays where it is; you keep the card."),
    ("move", "move to slot 2", "Your ship moves to slot 2, that of 1 to yours."),
    ("sphinx", "renounce", "You give your place away."),
    ("sphinx", "sphinx 2 with blue + joker", "You pay 2 stones and draw 2 Sphinx cards with blue and joker."),
    (
        "keep",
        "keep S02",
        "You score 2 points for what you put back, and keep S02: Obelisk space 8 is filled: 7 points.",
    ),
    ("keep", "keep none", "You keep no card and score 3 points."),
    (
        "obelisk",
        "build obelisk 1-2, grave with blue, stone market",
        "You build 2 Obelisk spaces and take 1 grave for 5 stones and 5 points. You go one step down the stone market.",
    ),
    (
        "pyramid",
        "build pyramid 1+1, left pylon with blue",
        "You build 2 spaces in row 1 of the Pyramid and 1 space of the left pylon for 3 stones and 3 points.",
    ),
    ("after", "done", "You use no card now."),
    ("after", "done, improve blue", "You use crew improver (blue)."),
)

QUESTIONS = {
    "sail": ("Round 1: sailing", "Where do you place a ship? You have 8 ships left."),
    "leftover": ("Round 1: cards left on the river", "Which card left on the river do you take?"),
    "feed": ("Round 1: feeding", "Your crews want 10 grain and 4 are missing, 3 points each. What do you feed with?"),
    "move": (
        "Round 1: before Obelisk is resolved",
        "Your ship at Obelisk is in slot 1. Do you move it before the site is resolved?",
    ),
    "sphinx": (
        "Round 1: the Sphinx",
        "At the Sphinx: how many cards do you draw, with which crews? You have 9 stones.",
    ),
    "keep": ("Round 1: the Sphinx", "You drew 3 Sphinx cards. Which one do you keep, if any?"),
    "obelisk": ("Round 1: building at Obelisk", "At Obelisk: what do you build, with which crews? You have 9 stones."),
    "pyramid": ("Round 1: building at Pyramid", "At Pyramid: what do you build, with which crews? You have 9 stones."),
    "after": (
        "Round 1: after building",
        "Building is over. Do you use cards before the points for taking part are scored?",
    ),
}


@pytest.mark.parametrize(("place", "text", "sentence"), DESCRIBED)
def test_what_an_order_will_do_is_said_in_words(place: str, text: str, sentence: str) -> None:
    """Before it is sent, the player reads what the order means, its price and its points."""
    state = PLACES[place]().state

    assert VOICE(RULES.describe(RULES.view(state, 0), RULES.read(state, 0, text))) == sentence


@pytest.mark.parametrize("place", QUESTIONS)
def test_each_decision_has_a_heading_and_a_question(place: str) -> None:
    """Where the game stands, and what is asked, with the numbers that matter; others read who decides."""
    state = PLACES[place]().state

    assert (VOICE(RULES.heading(RULES.view(state, 0))), VOICE(RULES.question(RULES.view(state, 0)))) == QUESTIONS[place]
    assert VOICE(RULES.question(RULES.view(state, None))).startswith("0 decides now")
    assert RULES.topics(RULES.view(state, 0))


@pytest.mark.parametrize(
    ("place", "order"),
    [
        ("sail", "ship to Sphinx, slot 1"),
        ("leftover", "leftover A05"),
        ("feed", "feed with 4 grain"),
        ("move", "stay"),
        ("sphinx", "sphinx 1 with blue"),
        ("obelisk", "build obelisk 1, graves 3 with blue + joker, stone market"),
        ("pyramid", "build pyramid 1+1, left column x2, right column with blue + joker"),
        ("after", "done"),
    ],
)
def test_the_safe_default_stays_in_the_game(place: str, order: str) -> None:
    """To the next site, fed as far as cards go, the dearest building without cards, one Sphinx card."""
    table = PLACES[place]()
    found = RULES.cautious(RULES.view(table.state, 0))

    assert str(found) == order
    assert RULES.check(table.state, 0, found) == []


def test_facts_are_those_of_the_own_seat() -> None:
    """Numbers and sets a player would put into a condition."""
    table = Table.position("""
        3 players
        0: has A13 A05 A21
    """)
    table.do("0: ship to Edfu", "1: ship to Thebae", "2: pass")
    facts = RULES.facts(RULES.view(table.state, 0))

    assert (facts["phase"], facts["round"], facts["place"], facts["ships"], facts["last_space"]) == ("ship", 1, 1, 7, 2)
    assert (facts["need"], facts["grain"], facts["missing"], facts["stones"]) == (5, 6, 0, 2)
    assert facts["my_cards"] == frozenset({"field", "+3"})
    assert facts["my_fields"] == frozenset({"A05"})
    assert "Edfu" not in facts["free"]  # type: ignore[operator] # a set
    assert {"Alyl", "Sphinx"} <= facts["free"]  # type: ignore[operator] # a set
    assert facts["still_sailing"] == 1
    assert RULES.facts(RULES.view(table.state, None))["stones"] == 0
