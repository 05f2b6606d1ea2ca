"""RULES.md: every rule of the catalogue is there, and its tables are those of the code."""

from __future__ import annotations

import re
from pathlib import Path

from pbem.engine.egizia import RULES
from pbem.engine.egizia.tables import tables_of
from pbem.engine.egizia.words import sphinx_said
from pbem.engine.text import standing_text

TEXT = (Path(__file__).parents[3] / "pbem/engine/egizia/RULES.md").read_text(encoding="utf-8")
COUNTS = {1: 9, 2: 2, 3: 9, 4: 5, 5: 3, 6: 7, 7: 4, 8: 2, 9: 4, 10: 15}
"""How many rules each chapter of the catalogue has, and how many worked examples."""


def test_every_rule_of_the_catalogue_is_stated_once() -> None:
    """EG-1.1 to EG-9.4 and the worked examples have a paragraph each."""
    due = [f"EG-{chapter}.{number}" for chapter, count in COUNTS.items() for number in range(1, count + 1)]

    assert re.findall(r"^- \*\*(EG-\d+\.\d+)\*\*", TEXT, re.MULTILINE) == due


def test_the_grammar_table_is_the_codes() -> None:
    """RULES.md repeats the grammar verbatim; no cell breaks the table."""
    rows = "\n".join(f"| {row.kind} | `{row.syntax}` | `{row.example}` | {row.meaning} |" for row in RULES.grammar)

    assert f"|---|---|---|---|\n{rows}\n\n" in TEXT
    assert not any("|" in row.syntax + row.example + row.meaning for row in RULES.grammar)


def test_the_fact_table_is_the_codes() -> None:
    """RULES.md repeats every fact with its meaning."""
    rows = "\n".join(f"| `{name}` | {meaning} |" for name, meaning in RULES.facts_help.items())

    assert f"| Fact | Meaning |\n|---|---|\n{rows}\n\n" in TEXT


def test_every_card_is_described_and_doubtful_ones_are_marked() -> None:
    """All 56 Nile and 29 Sphinx cards have a line, with a question mark where the value is not confirmed."""
    t = tables_of("")
    marks = [(card.id, card.confirmed) for card in t.cards] + [(card.id, card.confirmed) for card in t.sphinx]
    for name, confirmed in marks:
        assert re.search(rf"\| {name}{'' if confirmed else ' [?]'} \|", TEXT), name
    for index in range(len(t.sphinx)):
        assert str(sphinx_said(t, index)).partition(": ")[2] in TEXT


def test_the_standing_orders_shown_are_read() -> None:
    """The examples of standing orders in RULES.md can be stored as they stand."""
    blocks = re.findall(r"```\n(.*?)```", TEXT, re.DOTALL)

    assert len(blocks) == 2
    for block in blocks:
        assert standing_text.parse(RULES, block).lines
