"""How far a regular expression looks on a text: a matcher that backtracks as Python's own does, and counts its steps.

Python's matcher tells nobody how far it looked. This one walks the same parsed pattern in the same order, and its
count is the same on every machine. What it answers is held against Python's own answer.
"""

from __future__ import annotations

import re
import sys
from functools import cache
from re import _compiler, _constants, _parser  # type: ignore[attr-defined]  # the parser's own modules, without types
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

    Then = Callable[[int], bool]
    _Ones = dict[int, re.Pattern[Any]]

_SINGLE = {_constants.LITERAL, _constants.NOT_LITERAL, _constants.ANY, _constants.IN}
"""What takes exactly one character."""
_FINAL = {_constants.POSSESSIVE_REPEAT, _constants.ATOMIC_GROUP}
_REPEATS = {_constants.MAX_REPEAT, _constants.MIN_REPEAT}


_DEEP = 100_000
"""Calls within calls: each round of a repeated group waits for what follows it."""


class TooMany(Exception):
    """More steps than anybody may take."""


def _flags_within(nodes: Any, flags: int) -> dict[int, int]:
    """The flags that hold for each node, by its identity: a group may have flags of its own."""
    found = {}
    for node in nodes:
        kind, given = node
        found[id(node)] = flags
        inner: list[tuple[Any, int]] = []
        if kind in _REPEATS or kind is _constants.POSSESSIVE_REPEAT:
            inner = [(given[2], flags)]
        elif kind is _constants.ATOMIC_GROUP:
            inner = [(given, flags)]
        elif kind is _constants.SUBPATTERN:
            inner = [(given[3], (flags | given[1]) & ~given[2])]
        elif kind is _constants.BRANCH:
            inner = [(way, flags) for way in given[1]]
        elif kind in {_constants.ASSERT, _constants.ASSERT_NOT}:
            inner = [(given[1], flags)]
        for ways, own in inner:
            found |= _flags_within(ways, own)
    return found


@cache
def _prepared(pattern: str | bytes, flags: int) -> tuple[Any, dict[int, int], _Ones, dict[tuple[int, Any], bool]]:
    """A pattern's nodes, the flags of each, and of those that take one character what is met: matchers and answers."""
    nodes = _parser.parse(pattern, flags)
    return nodes.data, _flags_within(nodes, flags), {}, {}


class Attempt:
    """One try of a pattern on a text, from one place on."""

    def __init__(self, pattern: re.Pattern[Any], text: Any, most: int) -> None:
        """Take a compiled pattern; more than `most` steps are given up."""
        self._nodes, self._flags, self._ones, self._known = _prepared(pattern.pattern, pattern.flags)
        self._text, self._most = text, most
        self._groups: dict[int, tuple[int, int]] = {}
        self.steps = 0

    def begins(self, at: int, *, whole: bool = False) -> bool:
        """Whether it matches at a place, or all from there on; raises TooMany."""
        return self._match(self._nodes, 0, at, lambda end: not whole or end == len(self._text))

    def _one(self, node: Any, at: int) -> bool:
        """Whether a node's single character is at a place."""
        try:
            return self._known[id(node), self._text[at]]
        except IndexError:
            return False
        except KeyError:
            self._known[id(node), self._text[at]] = found = self._says(node, at)
            return found

    def _says(self, node: Any, at: int) -> bool:
        """Whether a single character, or an edge, is at a place: as Python's own matcher says."""
        if id(node) not in self._ones:
            self._ones[id(node)] = self._alone(node, node)
        return self._ones[id(node)].match(self._text, at) is not None

    def _run(self, node: Any, at: int, last: int) -> int:
        """Where the run of what a node takes ends, `last` at the latest."""
        if -id(node) not in self._ones:
            many = (_constants.MAX_REPEAT, (0, _constants.MAXREPEAT, _parser.SubPattern(_parser.State(), [node])))
            self._ones[-id(node)] = self._alone(node, many)
        found = self._ones[-id(node)].match(self._text, at, last)
        assert found is not None
        return found.end()

    def _alone(self, node: Any, what: Any) -> re.Pattern[Any]:
        """A matcher for `what`, with the flags that hold for `node`."""
        state = _parser.State()
        state.flags = flags = self._flags[id(node)]
        return _compiler.compile(_parser.SubPattern(state, [what]), flags)  # type: ignore[no-any-return]  # untyped

    def _match(self, nodes: Any, number: int, at: int, then: Then) -> bool:
        self.steps += 1
        if self.steps > self._most:
            raise TooMany
        if number == len(nodes):
            return then(at)
        kind, given = nodes[number]
        if kind in _SINGLE:
            return self._one(nodes[number], at) and self._match(nodes, number + 1, at + 1, then)
        if kind is _constants.AT:
            return self._says(nodes[number], at) and self._match(nodes, number + 1, at, then)
        return self._wide(kind, given, at, lambda end: self._match(nodes, number + 1, end, then))

    def _wide(self, kind: Any, given: Any, at: int, then: Then) -> bool:
        """A node that takes any number of characters."""
        if kind in _REPEATS:
            return self._repeat(kind, given, at, then)
        if kind in _FINAL:
            end = self._final(kind, given, at)
            return end >= 0 and then(end)
        if kind is _constants.BRANCH:
            return any(self._match(way.data, 0, at, then) for way in given[1])
        if kind is _constants.SUBPATTERN:
            return self._group(given[0], given[3], at, then)
        if kind in {_constants.ASSERT, _constants.ASSERT_NOT}:
            side, nodes = given
            start = at if side > 0 else at - nodes.getwidth()[0]
            found = start >= 0 and self._match(nodes.data, 0, start, lambda _: True)
            return found == (kind is _constants.ASSERT) and then(at)
        if kind is _constants.GROUPREF:
            begin, end = self._groups[given]
            said = self._text[begin:end]
            return bool(self._text.startswith(said, at)) and then(at + len(said))
        raise LookupError(kind)  # a pattern with something that none had before: teach it here

    def _final(self, kind: Any, given: Any, at: int) -> int:
        """Where what never gives anything back ends; below 0 if it doesn't match."""
        least, most, nodes = (1, 1, given) if kind is _constants.ATOMIC_GROUP else given
        ends = [at]

        def take(end: int) -> bool:
            ends.append(end)
            return True

        while len(ends) <= most and self._match(nodes.data, 0, ends[-1], take):
            if ends[-1] == ends[-2]:
                break
        return ends[-1] if len(ends) > least else -1

    def _group(self, number: int | None, nodes: Any, at: int, then: Then) -> bool:
        before = dict(self._groups)

        def after(end: int) -> bool:
            if number is not None:
                self._groups[number] = (at, end)
            return then(end)

        return self._match(nodes.data, 0, at, after) or bool(self._groups.update(before))

    def _repeat(self, kind: Any, given: Any, at: int, then: Then) -> bool:
        least, most, nodes = given
        if len(nodes) == 1 and nodes[0][0] in _SINGLE:
            return self._repeat_one(kind, least, most, nodes[0], at, then)
        greedy = kind is _constants.MAX_REPEAT

        def more(count: int, here: int) -> bool:
            onward = lambda end: end > here and more(count + 1, end)  # noqa: E731 - what follows one more
            if count < least:
                return self._match(nodes.data, 0, here, lambda end: more(count + 1, end))
            if not greedy and then(here):
                return True
            return (count < most and self._match(nodes.data, 0, here, onward)) or (greedy and then(here))

        return more(0, at)

    def _repeat_one(self, kind: Any, least: int, most: int, node: Any, at: int, then: Then) -> bool:
        """Of single characters: as many as there are, then one less each time; or the other way round."""
        greedy, last = kind is _constants.MAX_REPEAT, min(len(self._text), at + int(most))
        end = self._run(node, at, last if greedy else min(last, at + least))
        self.steps += end - at
        if end - at < least:
            return False
        if greedy:
            return any(then(here) for here in range(end, at + least - 1, -1))
        while not then(end):
            if end >= last or not self._one(node, end):
                return False
            end += 1
            self.steps += 1
        return True


def looks(pattern: re.Pattern[Any], text: Any, at: int, *, whole: bool = False, most: int = 1_000_000) -> int:
    """The steps of one try from a place on; raises TooMany beyond `most`."""
    attempt, before = Attempt(pattern, text, most), sys.getrecursionlimit()
    sys.setrecursionlimit(_DEEP)
    try:
        found = attempt.begins(at, whole=whole)
    finally:
        sys.setrecursionlimit(before)
    assert found == ((pattern.fullmatch if whole else pattern.match)(text, at) is not None), (pattern, text[:80], at)
    return attempt.steps
