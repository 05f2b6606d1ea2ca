"""RULES.md repeats the tables of the code word for word."""

from __future__ import annotations

from importlib.resources import files

from pbem.engine.amunre import RULES
from pbem.engine.amunre.board import COLUMNS, load, text_of
from pbem.engine.amunre.data import PROVINCES
from pbem.engine.amunre.facts import FACTS

TEXT = files("pbem.engine.amunre").joinpath("RULES.md").read_text(encoding="utf-8")


def test_the_board_stands_in_the_rules_with_its_doubtful_cells_marked() -> None:
    """AR-1.1: every cell, and a question mark on those that no source confirms."""
    board = load("")
    for p, line in enumerate(text_of(board).splitlines()[1:]):
        cells = [
            cell + ("?" if column in board.not_confirmed[p] else "")
            for column, cell in zip(COLUMNS[:-1], line.split(","), strict=False)
        ]
        assert f"| {' | '.join(cells)} |" in TEXT, PROVINCES[p]


def test_the_rules_say_how_a_clubs_own_board_begins() -> None:
    """AR-1.1: the header line that the loader asks for."""
    assert f"`{','.join(COLUMNS)}`" in TEXT


def test_the_grammar_stands_in_the_rules() -> None:
    """Every form of order with syntax, example and meaning, in the order of the table."""
    rows = [f"| {row.kind} | `{row.syntax}` | `{row.example}` | {row.meaning} |" for row in RULES.grammar]
    assert "\n".join(rows) in TEXT


def test_the_facts_stand_in_the_rules() -> None:
    """Every fact with its meaning."""
    assert "\n".join(f"| `{name}` | {text} |" for name, text in FACTS.items()) in TEXT


def test_every_option_is_explained_in_the_rules() -> None:
    """By its name, in the rule that it changes."""
    for option in RULES.meta.options:
        assert f"`{option.name}" in TEXT, option.name


def test_every_word_of_a_fact_has_its_spellings() -> None:
    """Provinces, cards and phases."""
    assert set(PROVINCES) <= set(RULES.meta.names)
    assert {"bid", "offer", "over", "architect"} <= set(RULES.meta.names)
