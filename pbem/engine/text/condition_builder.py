"""Lines of standing orders put together from a form: tests of any facts of a game, written in the one grammar."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from pbem.engine.core.message import N_
from pbem.engine.core.types import Fact
from pbem.structs import Value

TESTS = 3
"""Tests that one line is built of at most; who needs more writes it as text."""
HIGHEST = 999
"""The highest number that a form's buttons step to."""
JOINS = {"and": N_("all of it holds"), "or": N_("any of it holds")}
"""How several tests go together, by the grammar's word."""


class FactComparison(Value):
    """One way to test a fact."""

    label: str
    """What it is called on a form, untranslated."""
    text: str
    """How the grammar writes it."""


COMPARISONS: Mapping[str, FactComparison] = {
    "least": FactComparison(N_("is at least"), "{fact} >= {value}"),
    "most": FactComparison(N_("is at most"), "{fact} <= {value}"),
    "is": FactComparison(N_("is"), "{fact} = {value}"),
    "not": FactComparison(N_("is not"), "{fact} != {value}"),
    "holds": FactComparison(N_("contains"), "{value} in {fact}"),
    "lacks": FactComparison(N_("does not contain"), "not {value} in {fact}"),
    "some": FactComparison(N_("is neither 0 nor empty"), "{fact}"),
    "none": FactComparison(N_("is 0 or empty"), "not {fact}"),
}
"""By the form's word. A test walks them over every fact of each game."""


class FactTest(Value):
    """A comparison as a form sends it: a fact's name, how it is compared, and with what, as it was typed."""

    fact: str
    comparison: str = "least"
    value: str = ""


def line(  # noqa: PLR0913, PLR0917 - the parts of a sentence
    kind: str, tests: Sequence[FactTest], join: str, order: str, facts: Collection[str], until: str = ""
) -> str:
    """Return the line that a filled-in form means, as somebody would write it; what is wrong in it, its reader says.

    `kind`: the decision it is for, empty for any. `facts`: names of the game's facts, which values may name, too.
    `until`: what is ordered as long as the tests do not hold, a line of its own; empty for nothing.
    """
    word = " or " if join == "or" else " and "
    condition = word.join(_written(test, facts) for test in tests)
    deed, other = " ".join(order.split()) or "ask me", " ".join(until.split())
    first = f"for {kind or 'any'}: " + (f"when {condition}: {deed}" if condition else deed)
    return f"{first}\n{other}" if condition and other else first


def _written(test: FactTest, facts: Collection[str]) -> str:
    comparison = COMPARISONS.get(test.comparison, COMPARISONS["least"])
    return comparison.text.format(fact=test.fact, value=_value(test.value, facts))


def _value(typed: str, facts: Collection[str]) -> str:
    """Return a number or another fact as it is, a word in quotes; several words, with commas between them, as a set."""
    words = [word.replace('"', "").strip() for word in typed.split(",")]
    words = [word for word in words if word]
    if len(words) == 1 and (words[0].isdecimal() or words[0] in facts):
        return words[0]
    quoted = ", ".join(f'"{word}"' for word in words)
    return f"{{{quoted}}}" if len(words) > 1 else quoted


def put(text: str, built: str, *, first: bool) -> str:
    """`text` with the built line before or after its own lines, which mean what they meant."""
    own = text.strip()
    if not own:
        return built
    return f"{built}\nfor any:\n{own}" if first else f"{own}\n{built}"


def values_of(facts: Mapping[str, Fact], names: Collection[str]) -> tuple[str, ...]:
    """Words to compare facts with: what they hold now, and every name of the game."""
    now: set[str] = set(names)
    for fact in facts.values():
        now |= {fact} if isinstance(fact, str) else fact if isinstance(fact, frozenset) else set()
    return tuple(sorted(filter(None, now), key=lambda word: (word.casefold(), word)))  # of a set, whose order is chance
