"""The conditions of standing orders as data: terms over named facts, whether they hold, and how they sound in words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeAlias

import msgspec

from pbem.engine.core.message import N_, Message, sentence
from pbem.engine.core.types import Fact
from pbem.engine.text.notation import fold

_COMPARISONS = {
    "<": N_("{left} is under {right}"),
    "<=": N_("{left} is at most {right}"),
    ">": N_("{left} is over {right}"),
    ">=": N_("{left} is at least {right}"),
    "=": N_("{left} is {right}"),
    "!=": N_("{left} is not {right}"),
}
_OR = N_("{first} or {second}")
_OPPOSITE = {"<": ">=", "<=": ">", ">": "<=", ">=": "<", "=": "!=", "!=": "="}


class Amount(msgspec.Struct, frozen=True, tag="number"):
    """A number as written."""

    value: int

    def __str__(self) -> str:
        return str(self.value)


class Literal(msgspec.Struct, frozen=True, tag="words"):
    """One word, or several of which any will do."""

    words: tuple[str, ...]

    def __str__(self) -> str:
        quoted = [f'"{word}"' for word in self.words]
        return quoted[0] if len(quoted) == 1 else f"{{{', '.join(quoted)}}}"


class Named(msgspec.Struct, frozen=True, tag="fact"):
    """A fact by its name. By itself it holds if it is neither 0 nor empty."""

    name: str

    def __str__(self) -> str:
        return self.name


class _Pair(msgspec.Struct, frozen=True):
    """Two terms with a sign between them."""

    left: Term
    sign: str
    right: Term

    def __str__(self) -> str:
        return f"{self.left} {self.sign} {self.right}"


class Sum(_Pair, frozen=True, tag="sum"):
    """Two numbers added or taken from each other."""


class Compare(_Pair, frozen=True, tag="compare"):
    """Two terms compared by one of < <= > >= = !=."""


class Among(msgspec.Struct, frozen=True, tag="in", omit_defaults=True):
    """Holds if at least `least` of `item` are among the words of the fact `place`."""

    item: Term
    place: Named
    least: int = 1

    def __str__(self) -> str:
        return f"{self.least} of {self.item} in {self.place}" if self.least > 1 else f"{self.item} in {self.place}"


class Not(msgspec.Struct, frozen=True, tag="not"):
    """Holds if `part` does not."""

    part: Condition

    def __str__(self) -> str:
        return f"not ({self.part})" if isinstance(self.part, Both | Either) else f"not {self.part}"


class Both(msgspec.Struct, frozen=True, tag="and"):
    """Holds if all parts do."""

    parts: tuple[Condition, ...]

    def __str__(self) -> str:
        return " and ".join(f"({part})" if isinstance(part, Both | Either) else str(part) for part in self.parts)


class Either(msgspec.Struct, frozen=True, tag="or"):
    """Holds if any part does."""

    parts: tuple[Condition, ...]

    def __str__(self) -> str:
        return " or ".join(f"({part})" if isinstance(part, Either) else str(part) for part in self.parts)


Term: TypeAlias = Amount | Literal | Named | Sum
Condition: TypeAlias = Compare | Among | Named | Not | Both | Either


def holds(condition: Condition, facts: Mapping[str, Fact]) -> bool:
    """Return whether `condition` is true of `facts`."""
    match condition:
        case Both(parts):
            return all(holds(part, facts) for part in parts)
        case Either(parts):
            return any(holds(part, facts) for part in parts)
        case Not(part):
            return not holds(part, facts)
        case Named(name):
            return bool(facts[name])
        case Among(item, place, least):
            return len(_words(item, facts) & _words(place, facts)) >= least
        case Compare(left, sign, right):
            return _compare(left, sign, right, facts)


def names_in(condition: Condition) -> frozenset[str]:
    """Return the facts that `condition` speaks of."""
    match condition:
        case Both(parts) | Either(parts):
            return frozenset().union(*map(names_in, parts))
        case Not(part):
            return names_in(part)
        case Named(name):
            return frozenset({name})
        case Among(item, place):
            return _named(item) | {place.name}
        case Compare(left, _, right):
            return _named(left) | _named(right)


def _named(term: Term) -> frozenset[str]:
    if isinstance(term, Sum):
        return _named(term.left) | _named(term.right)
    return frozenset({term.name}) if isinstance(term, Named) else frozenset()


def _compare(left: Term, sign: str, right: Term, facts: Mapping[str, Fact]) -> bool:
    is_number = isinstance(left, Named) and isinstance(facts[left.name], int)
    if is_number or isinstance(left, Amount | Sum):
        a, b = _number(left, facts), _number(right, facts)
        return {"<": a < b, "<=": a <= b, ">": a > b, ">=": a >= b, "=": a == b, "!=": a != b}[sign]
    return (_words(left, facts) == _words(right, facts)) == (sign == "=")


def _number(term: Term, facts: Mapping[str, Fact]) -> int:
    if isinstance(term, Amount):
        return term.value
    if isinstance(term, Sum):
        right = _number(term.right, facts)
        return _number(term.left, facts) + (right if term.sign == "+" else -right)
    assert isinstance(term, Named)
    value = facts[term.name]
    assert isinstance(value, int)
    return value


def _words(term: Term, facts: Mapping[str, Fact]) -> frozenset[str]:
    if isinstance(term, Literal):
        return frozenset(term.words)
    assert isinstance(term, Named)
    value = facts[term.name]
    if isinstance(value, str):
        return frozenset({fold(value)})
    assert isinstance(value, frozenset)
    return frozenset(map(fold, value))


def spoken(condition: Condition) -> Message:
    """Return the condition in words, its facts by their names in the reader's language."""
    match condition:
        case Both(parts):
            return _linked(N_("{first} and {second}"), [_grouped(part) for part in parts])
        case Either(parts):
            return _linked(_OR, [_grouped(part) for part in parts])
        case Not(part):
            return _denied(part)
        case Compare(left, sign, right):
            return sentence(_COMPARISONS[sign], left=_plain(left), right=_plain(right))
        case Among(item, place, least):
            text = N_("{item} is in {place}") if least == 1 else N_("at least {count} of {item} are in {place}")
            return sentence(text, count=least, item=_plain(item), place=_plain(place))
        case Named():
            return sentence("{fact} holds", fact=_plain(condition))


def _denied(part: Condition) -> Message:
    """Return the opposite of a condition, said plainly: `not a < b` as a is at least b."""
    match part:
        case Compare(left, sign, right):
            return spoken(Compare(left, _OPPOSITE[sign], right))
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
    return Message("({condition})", {"condition": said}) if isinstance(part, Both | Either) else said


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
