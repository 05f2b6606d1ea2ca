"""The tables that a game's RULES.md repeats from its code: its forms of order, and its facts."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from pbem.engine.core.message import N_
from pbem.engine.core.types import AnyRules

_ORDERS = (N_("Decision"), N_("Order"), N_("Example"), N_("What it does"))
_FACTS = (N_("Fact"), N_("Meaning"))


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Rows of cells as a table in Markdown."""
    return "".join(f"| {' | '.join(row)} |\n" if row else "|---" * len(head) + "|\n" for row in (head, (), *rows))


ORDERS_HEAD, FACTS_HEAD = table(_ORDERS, ()), table(_FACTS, ())


def orders(rules: AnyRules, say: Callable[[str], str] = str, write: Callable[[str], str] = str) -> str:
    """The forms of order as a table in Markdown, in the words that `say` gives; orders as `write` writes them."""
    rows = ((row.kind, f"`{write(row.syntax)}`", f"`{write(row.example)}`", say(row.meaning)) for row in rules.grammar)
    return table([say(head) for head in _ORDERS], rows)


def facts(rules: AnyRules, say: Callable[[str], str] = str) -> str:
    """Return the facts for conditions of standing orders as a table in Markdown, in the words that `say` gives."""
    rows = ((f"`{name}`", say(meaning)) for name, meaning in rules.facts_help.items())
    return table([say(head) for head in _FACTS], rows)


def rules_text(rules: AnyRules) -> str:
    """Return a rules text of nothing but the tables, for a game whose package has none."""
    return f"# {rules.meta.title}\n\n## Orders\n\n{orders(rules)}\n## Facts for standing orders\n\n{facts(rules)}"
