"""The conditions of standing orders as data: terms over named facts, whether they hold, and how they sound in words."""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias

import msgspec

from pbem.engine.core.message import N_, Message, sentence
from pbem.engine.core.types import Fact
from pbem.engine.text.notation import fold
from pbem.structs import Value

_SIGNS: Mapping[str, tuple[Callable[[Any, Any], bool], str, str]] = {
    "<": (operator.lt, N_("{left} is under {right}"), ">="),
    "<=": (operator.le, N_("{left} is at most {right}"), ">"),
    ">": (operator.gt, N_("{left} is over {right}"), "<="),
    ">=": (operator.ge, N_("{left} is at least {right}"), "<"),
    "=": (operator.eq, N_("{left} is {right}"), "!="),
    "!=": (operator.ne, N_("{left} is not {right}"), "="),
}
"""By sign: how values are compared, how that is said, and the sign that means the opposite."""
_OR = N_("{first} or {second}")


class _Part(Value, tag=True):
    """Base of all parts: as data they are told apart by their names."""


class Amount(_Part, frozen=True):
    """A number as written."""

    value: int

    def __str__(self) -> str:
        return str(self.value)


class Literal(_Part, frozen=True):
    """One word, or several of which any will do."""

    words: tuple[str, ...]

    def __str__(self) -> str:
        quoted = [f'"{word}"' for word in self.words]
        return quoted[0] if len(quoted) == 1 else f"{{{', '.join(quoted)}}}"


class Named(_Part, frozen=True):
    """A fact by its name. By itself it holds if it is neither 0 nor empty."""

    name: str

    def __str__(self) -> str:
        return self.name


class _Pair(_Part, frozen=True):
    """Two terms with a sign between them."""

    left: Term
    sign: str
    right: Term

    def __str__(self) -> str:
        return f"{self.left} {self.sign} {self.right}"


class Sum(_Pair, frozen=True):
    """Two numbers added or taken from each other."""


class Compare(_Pair, frozen=True):
    """Two terms compared by one of < <= > >= = !=."""


class Among(_Part, frozen=True):
    """Holds if at least `least` of `item` are among the words of the fact `place`."""

    item: Term
    place: Named
    least: int = 1

    def __str__(self) -> str:
        return f"{self.least} of {self.item} in {self.place}" if self.least > 1 else f"{self.item} in {self.place}"


class Not(_Part, frozen=True):
    """Holds if `part` does not."""

    part: Condition

    def __str__(self) -> str:
        return f"not ({self.part})" if isinstance(self.part, Joined) else f"not {self.part}"


class Joined(_Part, frozen=True):
    """Conditions with `and` between them, or with `or`: holds if all do, or if any does."""

    word: str
    parts: tuple[Condition, ...]

    def __str__(self) -> str:
        return f" {self.word} ".join(
            f"({part})" if isinstance(part, Joined) and (self.word, part.word) != ("or", "and") else str(part)
            for part in self.parts
        )


Term: TypeAlias = Amount | Literal | Named | Sum
Condition: TypeAlias = Compare | Among | Named | Not | Joined


def holds(condition: Condition, facts: Mapping[str, Fact]) -> bool:
    """Return whether `condition` is true of `facts`."""
    match condition:
        case Joined(word, parts):
            return (all if word == "and" else any)(holds(part, facts) for part in parts)
        case Not(part):
            return not holds(part, facts)
        case Named(name):
            return bool(facts[name])
        case Among(item, place, least):
            return len(_value(item, facts) & _value(place, facts)) >= least
        case Compare(left, sign, right):
            return _SIGNS[sign][0](_value(left, facts), _value(right, facts))


def decided(condition: Condition, facts: Mapping[str, Fact]) -> bool | None:
    """Return whether `condition` is true by these facts alone; None if that hangs on facts that aren't among them."""
    match condition:
        case Joined(word, parts):
            each, ends = {decided(part, facts) for part in parts}, word == "or"
            return ends if ends in each else None if None in each else not ends
        case Not(part):
            found = decided(part, facts)
            return None if found is None else not found
        case _:
            return holds(condition, facts) if names_in(condition) <= facts.keys() else None


def _value(term: Term, facts: Mapping[str, Fact]) -> Any:
    """Return a term's number, or its words, folded."""
    match term:
        case Amount(value):
            return value
        case Literal(words):
            return frozenset(words)
        case Sum(left, sign, right):
            return _value(left, facts) + _value(right, facts) * (1 if sign == "+" else -1)
        case Named(name):
            fact = facts[name]
            return fact if isinstance(fact, int) else frozenset(map(fold, [fact] if isinstance(fact, str) else fact))


def names_in(part: Any) -> frozenset[str]:
    """Return the facts that a condition, or a part of one, speaks of."""
    if isinstance(part, Named):
        return frozenset({part.name})
    parts = msgspec.structs.astuple(part) if isinstance(part, msgspec.Struct) else part
    return frozenset().union(*map(names_in, parts)) if isinstance(parts, tuple) else frozenset()


def spoken(condition: Condition) -> Message:
    """Return the condition in words, its facts by their names in the reader's language."""
    match condition:
        case Joined(word, parts):
            return _linked(N_("{first} and {second}") if word == "and" else _OR, [_grouped(part) for part in parts])
        case Not(part):
            return _denied(part)
        case Compare(left, sign, right):
            return sentence(_SIGNS[sign][1], left=_plain(left), right=_plain(right))
        case Among(item, place, least):
            text = N_("{item} is in {place}") if least == 1 else N_("at least {count} of {item} are in {place}")
            return sentence(text, count=least, item=_plain(item), place=_plain(place))
        case Named():
            return sentence("{fact} holds", fact=_plain(condition))


def _denied(part: Condition) -> Message:
    """Return the opposite of a condition, said plainly: `not a < b` as a is at least b."""
    match part:
        case Compare(left, sign, right):
            return spoken(Compare(left, _SIGNS[sign][2], right))
        case Among(item, place, 1):
            return sentence("{item} is not in {place}", item=_plain(item), place=_plain(place))
        case Named():
            return sentence("{fact} does not hold", fact=_plain(part))
        case Not(twice):
            return spoken(twice)
        case _:
            return sentence("it is not so that {condition}", condition=_grouped(part))


def _grouped(part: Condition) -> Message:
    said = spoken(part)
    return Message("({condition})", {"condition": said}) if isinstance(part, Joined) else said


def _linked(text: str, said: Sequence[Message | str]) -> Message:
    """One thing by itself, or several with "and" or "or" between them."""
    first, *rest = said
    if not rest:
        return first if isinstance(first, Message) else Message("{word}", {"word": first})
    return sentence(text, first=first, second=_linked(text, rest))


def _plain(term: Term) -> Message | str | int:
    match term:
        case Named(name):
            return name.replace("_", " ")
        case Literal(words):
            return _linked(_OR, words)
        case Sum(left, sign, right):
            text = N_("{left} plus {right}") if sign == "+" else N_("{left} less {right}")
            return sentence(text, left=_plain(left), right=_plain(right))
        case Amount(value):
            return value
