"""Mistyped orders: what was meant is found in every game, and talk isn't taken for an order."""

from __future__ import annotations

import pytest

from pbem.engine.registry import GAMES, rules_of
from pbem.engine.text.spelling import mended

SLIPS = [
    ("amunre", "bidd 6 on Memphis", "bid 6 on Memphis"),
    ("amunre", "bid 6 on Mempis", "bid 6 on Memphis"),
    ("amunre", "ofer 3", "offer 3"),
    ("amunre", "Theift", "Theft"),
    ("amunre", "buy 2 crads", "buy 2 cards"),
    ("priestsofra", "drwa", "draw"),
    ("priestsofra", "bid lowst up to 9", "bid lowest up to 9"),
    ("priestsofra", "flip famer, libary", "flip farmer, library"),
    ("egizia", "shp to Edfu", "ship to Edfu"),
    ("egizia", "feed with 4 grian", "feed with 4 grain"),
    ("egizia", "biuld grave with bleu", "build grave with bleu"),
]


@pytest.mark.parametrize(("game", "text", "meant"), SLIPS)
def test_a_slip_is_put_right(game: str, text: str, meant: str) -> None:
    """Verbs, names and particles alike; words of an order in any language stay as they are."""
    assert mended(rules_of(game).grammar, text) == meant


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("text", ["Thanks!", "Anna", "See you next week", "well played", "", "42", "x" * 5000])
def test_what_is_no_order_stays_none(game: str, text: str) -> None:
    """Greetings, names and numbers are nobody's order with a slip."""
    assert mended(rules_of(game).grammar, text) == ""


@pytest.mark.parametrize("game", GAMES)
def test_what_is_right_is_not_mended(game: str) -> None:
    """No example of any game's grammar is taken for a slip."""
    rows = rules_of(game).grammar
    assert [row.example for row in rows if mended(rows, row.example)] == []


def test_an_order_may_be_wanted_of_one_decision_only() -> None:
    """Where only some forms answer what is asked, a slip of another one is none."""
    rows = rules_of("amunre").grammar
    offers = tuple(row for row in rows if row.kind == "offer")

    assert mended(rows, "ofer 3", offers) == "offer 3"
    assert mended(rows, "buy 2 crads", offers) == ""


def test_a_short_answer_is_mended_where_it_is_asked() -> None:
    """A place alone is an order only while a ship is asked for."""
    rows = rules_of("egizia").grammar

    assert mended(rows, "Obelsk", asked="ship") == "Obelisk"
    assert mended(rows, "Obelsk", asked="feed") == ""
