"""RULES.md: every rule of the catalogue is there, and its tables are those of the code."""

from __future__ import annotations

import re
from pathlib import Path

from pbem.engine.priestsofra import RULES
from pbem.engine.text import standing_text

HOME = Path(__file__).parents[3]
TEXT = (HOME / "pbem/engine/priestsofra/RULES.md").read_text(encoding="utf-8")
RULE = r"PR-\d\.\d"
COUNTS = {1: 5, 2: 5, 3: 6, 4: 1, 5: 5, 6: 6, 7: 5}
"""How many rules each chapter of the catalogue has."""


def test_every_rule_of_the_catalogue_is_stated_once() -> None:
    """PR-1.1 to PR-7.5 have a paragraph each, and PR-6.0 says how an epoch's result is added."""
    due = {f"PR-{chapter}.{number}" for chapter, count in COUNTS.items() for number in range(1, count + 1)}
    stated = re.findall(rf"^- \*\*({RULE})\*\*", TEXT, re.MULTILINE)

    assert sorted(stated) == sorted({*due, "PR-6.0"})


def test_code_cites_every_rule_and_no_other() -> None:
    """Each rule id is cited by the code, and each id that code or tests cite is in RULES.md."""
    stated = set(re.findall(RULE, TEXT))
    code = "".join(path.read_text(encoding="utf-8") for path in (HOME / "pbem/engine/priestsofra").glob("*.py"))

    assert set(re.findall(RULE, code)) == stated


def test_every_rule_is_named_by_a_test() -> None:
    """There is at least one `test_pr_N_M_...` for each rule."""
    tests = "".join(path.read_text(encoding="utf-8") for path in Path(__file__).parent.glob("test_*.py"))
    named = {f"PR-{a}.{b}" for a, b in re.findall(r"def test_pr_(\d)_(\d)_", tests)}

    assert set(re.findall(RULE, TEXT)) - named == set()


def test_the_grammar_table_is_the_codes() -> None:
    """RULES.md repeats the grammar verbatim."""
    rows = "\n".join(f"| {row.kind} | `{row.syntax}` | `{row.example}` | {row.meaning} |" for row in RULES.grammar)

    assert f"|---|---|---|---|\n{rows}\n\n" in TEXT


def test_the_fact_table_is_the_codes() -> None:
    """RULES.md repeats every fact with its meaning."""
    rows = "\n".join(f"| `{name}` | {meaning} |" for name, meaning in RULES.facts_help.items())

    assert f"| Fact | Meaning |\n|---|---|\n{rows}\n\n" in TEXT


def test_the_standing_orders_shown_are_read() -> None:
    """The examples of standing orders in RULES.md can be stored as they stand."""
    blocks = re.findall(r"```\n(.*?)```", TEXT, re.DOTALL)

    assert len(blocks) == 2
    for block in blocks:
        assert standing_text.parse(RULES, block).lines
