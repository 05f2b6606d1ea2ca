"""The tables that a game's RULES.md repeats from its code: its forms of order, and its facts."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pbem.engine.core.types import AnyRules

ORDERS_HEAD = "| Decision | Order | Example | What it does |\n|---|---|---|---|\n"
FACTS_HEAD = "| Fact | Meaning |\n|---|---|\n"


def orders(rules: AnyRules) -> str:
    """The forms of order as a table in Markdown."""
    rows = (f"| {row.kind} | `{row.syntax}` | `{row.example}` | {row.meaning} |\n" for row in rules.grammar)
    return ORDERS_HEAD + "".join(rows)


def facts(rules: AnyRules) -> str:
    """The facts for conditions of standing orders as a table in Markdown."""
    return FACTS_HEAD + "".join(f"| `{name}` | {meaning} |\n" for name, meaning in rules.facts_help.items())


def rules_text(rules: AnyRules) -> str:
    """A rules text of nothing but the tables, for a game whose package has none."""
    return f"# {rules.meta.title}\n\n## Orders\n\n{orders(rules)}\n## Facts for standing orders\n\n{facts(rules)}"
