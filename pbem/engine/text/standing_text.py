"""Standing orders as text: how they are read, with every fault by its line, and written in their one canonical form."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache
from typing import Literal

import msgspec

from pbem.engine.core.errors import InvalidOrder, invalid
from pbem.engine.core.message import N_, Message
from pbem.engine.core.plans import CHANGED, PHASE, ROUND
from pbem.engine.core.rng import Rng
from pbem.engine.core.types import AnyRules
from pbem.engine.registry import rules_of
from pbem.engine.text.condition_reader import Vocabulary, fault, kind_of, read_condition
from pbem.engine.text.conditions import Condition, Not
from pbem.engine.text.mentions import asked_back, mentioned
from pbem.engine.text.notation import ELSE, Names, fold, in_digits, matches_grammar, mistyped, qualified
from pbem.engine.text.spelling import LONGEST, mended, put_right
from pbem.structs import Value

MAX_TEXT = 20_000
MAX_LINES = 100
MAX_LINE = 500
MAX_CHAIN = 20
MAX_FAULTS = 20
"""Faults listed in one refusal."""
_SYNTAXES = 12
"""Forms of order shown in one refusal."""

Lifetime = Literal["phase", "round", "changed"]
LIFETIMES: dict[str, Lifetime] = {PHASE: "phase", ROUND: "round", CHANGED: "changed"}
_SCOPES = {lifetime: text for text, lifetime in LIFETIMES.items()}
_THEN = re.compile(r";\s*(?:then|poi|puis)\b", re.IGNORECASE)
_WHEN = re.compile(r"""(when|if|unless)\s+((?:[^":]|"[^"]*")*):\s*(.*)""", re.IGNORECASE)
_OPENS = re.compile(r"(when|if|unless)\s", re.IGNORECASE)
_FOR = re.compile(r"for\s+([\w\s,-]+):\s*(.*)", re.IGNORECASE)
_UNTIL = re.compile(r"\s+until\s+", re.IGNORECASE)
_AND_THEN = re.compile(r"\s*,\s*then\s+", re.IGNORECASE)
_ELSE = re.compile(r"(?:or\s+)?(?:otherwise|else|altrimenti|sinon)\b[:,]?\s*", re.IGNORECASE)
_OR_ELSE = re.compile(rf"[;,]\s*{_ELSE.pattern}", re.IGNORECASE)
_ANY = "any"
_PHRASES = (*LIFETIMES, "ask me")
"""Lines that are no orders."""
_KEYWORDS = ("when", "unless", "for", "until")


class StandingClause(Value, omit_defaults=True):
    """One line: for which decisions, on what condition, which order and what follows it."""

    orders: tuple[str, ...] = ()
    """The order and its later links; empty for `ask me`."""
    condition: Condition | None = None
    kinds: tuple[str, ...] = ()
    """Decision kinds it is for; empty for any."""

    def __str__(self) -> str:
        deed = "; then ".join(self.orders) or "ask me"
        return deed if self.condition is None else f"when {self.condition}: {deed}"


class StandingOrders(Value):
    """A standing order as stored; `str` gives its one canonical text."""

    lines: tuple[StandingClause, ...]
    scope: Lifetime = "phase"

    def __str__(self) -> str:
        text = [_SCOPES[self.scope]]
        kinds: tuple[str, ...] = ()
        for line in self.lines:
            if line.kinds != kinds:
                kinds = line.kinds
                text.append(f"for {', '.join(kinds) or _ANY}:")
            text.append(str(line))
        return "\n".join(text)


def parse(rules: AnyRules, text: str) -> StandingOrders:
    """Read a standing order. Raises InvalidOrder, and only that, with one sentence a fault that names its line."""
    if len(text) > MAX_TEXT:
        said = N_("The standing order is {length} characters long; at most {limit} are read.")
        raise invalid(said, length=len(text), limit=MAX_TEXT)
    reader = StandingReader(rules)
    for number, line in enumerate(text.replace("\r\n", "\n").split("\n"), 1):
        reader.read(number, line)
    if not reader.lines and not reader.faults:
        raise invalid("There is no order in it; write at least one, such as `ask me`.")
    if reader.faults:
        raise InvalidOrder(*reader.faults[:MAX_FAULTS])
    return StandingOrders(tuple(reader.lines), reader.scope or "phase")


class StandingReader:
    """One pass over the lines, collecting every fault."""

    def __init__(self, rules: AnyRules) -> None:
        """Begin with orders for any decision."""
        self.rules = rules
        self.lines: list[StandingClause] = []
        self.faults: list[Message] = []
        self.kinds: tuple[str, ...] = ()
        self.scope: Lifetime | None = None

    def read(self, number: int, line: str) -> None:
        """Read one line, whose faults are kept."""
        line = re.sub(r"\s+", " ", line).strip()
        if not line or line.startswith("#") or len(self.faults) > MAX_FAULTS:
            return
        try:
            _refuse_odd(line, len(self.lines))
            self._one(line)
        except InvalidOrder as error:
            self.faults += _numbered(error, number)

    def _one(self, line: str) -> None:
        lifetime = LIFETIMES.get(fold(line).rstrip(":"))
        if lifetime is not None:
            if self.scope not in {None, lifetime}:
                raise fault("Line {line}: the scope is given twice; keep one of them.")
            self.scope = lifetime
        elif found := _FOR.fullmatch(line):
            self.kinds = self._kinds(found[1])
            if found[2]:
                self._one(found[2])
        else:
            self.lines += self._clauses(line)

    def _kinds(self, text: str) -> tuple[str, ...]:
        known = tuple(dict.fromkeys(row.kind for row in self.rules.grammar))
        kinds = tuple(dict.fromkeys(fold(word) for word in text.split(",")))
        if kinds == (_ANY,):
            return ()
        for kind in kinds:
            if kind not in known and (meant := mistyped(kind, known)):
                said = N_("Line {line}: {word!r} is no decision of this game. Did you mean {name}?")
                raise fault(said, word=kind, name=meant)
            if kind not in known:
                said = N_("Line {line}: {word!r} is no decision of this game. There are: {names}.")
                raise fault(said, word=kind, names=known)
        return kinds

    def _clauses(self, line: str) -> Iterator[StandingClause]:
        line = without_else(line)
        order, *stop = _UNTIL.split(line, maxsplit=1)
        if not stop or _WHEN.fullmatch(line):
            yield self.link(line)
            return
        condition, *then = _AND_THEN.split(stop[0], maxsplit=1)
        yield StandingClause(self._orders(order), Not(self._condition(condition)), self.kinds)
        yield StandingClause(self._orders(then[0] if then else "ask me"), None, self.kinds)

    def link(self, text: str) -> StandingClause:
        """Read one line or link, `when COND: order` or a bare order. Raises InvalidOrder."""
        found = _WHEN.fullmatch(text)
        orders = self._orders(found[3] if found else text)
        return StandingClause(orders, self._when(found) if found else None, self.kinds)

    def _when(self, found: re.Match[str]) -> Condition:
        """Return what stands between `when` and the colon."""
        condition = self._condition(found[2])
        return Not(condition) if found[1].casefold() == "unless" else condition

    def _condition(self, text: str) -> Condition:
        return read_condition(text, vocabulary(self.rules.meta.name, self.rules.meta.version))

    def _orders(self, text: str) -> tuple[str, ...]:
        first, rest = split(text)
        if not rest and fold(first) == "ask me":
            return ()
        self._refuse_unreadable(first, self.kinds)
        for link in rest:
            self.refuse_link(link)
        return tuple(ELSE.join(alternatives(link)) for link in (first, *rest))

    def refuse_link(self, link: str) -> None:
        """Raise InvalidOrder for a later link of a chain that is no order, or whose condition can't be read."""
        found = _WHEN.fullmatch(link)
        if found:
            self._when(found)
        order = found[3] if found else link
        if fold(order) != "ask me":
            self._refuse_unreadable(order)

    def _refuse_unreadable(self, text: str, kinds: Sequence[str] = ()) -> None:
        grammar = self.rules.grammar
        rows = tuple(row for row in grammar if not kinds or row.kind in kinds)
        order = next((order for order in alternatives(text) if not matches_grammar(rows, order)), None)
        if order is None:
            return
        if _OPENS.match(order):
            raise fault("Line {line}: after the condition a colon and an order are due: when CONDITION: ORDER.")
        if meant := mistyped(fold(order), _PHRASES) or mended(grammar, order, rows) or _with_keyword(order):
            raise fault("Line {line}: {word!r} is no order here. Did you mean {order!r}?", word=order, order=meant)
        held = mentioned(self.rules, {row.kind for row in rows}, order, str) if len(order) <= LONGEST else ()
        if held := tuple(one for one in held if not qualified(one) and _counts(one) == _counts(order)):
            raise InvalidOrder(asked_back(order, held))
        forms = dict.fromkeys(row.syntax for row in rows)
        alike = [form for form in forms if form.partition(" ")[0].casefold() == fold(order).partition(" ")[0]]
        said = N_("Line {line}: {word!r} is no order here. Orders read: {forms}.")
        raise fault(said, word=order, forms=tuple(alike or forms)[:_SYNTAXES])


def _counts(order: str) -> bool:
    """Return whether an order names a number: without it, it is another one."""
    return re.search(r"\d", in_digits(order)) is not None


def _numbered(error: InvalidOrder, number: int) -> list[Message]:
    return [msgspec.structs.replace(one, params={**one.params, "line": number}) for one in error.faults]


def _refuse_odd(line: str, count: int) -> None:
    if len(line) > MAX_LINE:
        raise fault("Line {line}: {length} characters; a line has at most {limit}.", length=len(line), limit=MAX_LINE)
    if not line.isprintable():
        raise fault("Line {line}: it has characters that can't be printed; type it anew.")
    if count >= MAX_LINES:
        raise fault("Line {line}: a standing order has at most {limit} lines.", limit=MAX_LINES)


def _with_keyword(line: str) -> str:
    """Return the line with its keywords put right, if there is a slip in one."""
    right = put_right(line, _KEYWORDS)
    return right if any(shape.search(right) for shape in (_WHEN, _FOR, _UNTIL)) else ""


def links(text: str) -> list[str]:
    """Part `a; then b; then c`, in any of the languages, into its orders as they are written."""
    return [link.strip() for link in _THEN.split(text.strip())]


def split(text: str) -> tuple[str, tuple[str, ...]]:
    """Part `a; then b; then c` into its first order and the later links. Raises InvalidOrder for too many or empty."""
    first, *rest = links(text)
    if len(rest) > MAX_CHAIN:
        raise fault("Line {line}: {count} orders in one chain; at most {limit}.", count=len(rest), limit=MAX_CHAIN)
    if rest and not all((first, *rest)):
        raise fault("Line {line}: nothing stands before or after `; then`; write an order on both sides.")
    return first, tuple(rest)


def without_else(line: str) -> str:
    """Return a line without the `else` that it may begin with."""
    return line[found.end() :] if (found := _ELSE.match(line)) else line


def without_condition(line: str) -> str:
    """Return the order of a line that says when it is given, `when COND: order`; any other line as it is."""
    return found[3] if (found := _WHEN.fullmatch(line)) else line


def joined(lines: Sequence[str]) -> str:
    """Lines as one text of a chain; a line that begins with `else` stands in for the one above it."""
    first, *rest = lines
    return first + "".join(f"; {'' if _ELSE.match(line) else 'then '}{line}" for line in rest)


def alternatives(text: str) -> tuple[str, ...]:
    """Part `a; else b; else c` into the order wanted and those that stand in for it, the first that is possible.

    `else ask me` says what happens anyhow, and is left out. Raises InvalidOrder for too many or empty ones.
    """
    found = [order.strip() for order in _OR_ELSE.split(text.strip())]
    if len(found) > MAX_CHAIN:
        raise fault("Line {line}: {count} orders for one; at most {limit}.", count=len(found), limit=MAX_CHAIN)
    if len(found) > 1 and not all(found):
        raise fault("Line {line}: nothing stands before or after `; else`; write an order on both sides.")
    if len(found) > 1 and fold(found[-1]) == "ask me":
        found.pop()
    return tuple(found)


def check_links(rules: AnyRules, rest: Sequence[str]) -> tuple[int, list[Message]]:
    """What can be known ahead of the later links of a chain: how many stand before the first fault, and all faults.

    A fault is what is no order or no condition.
    """
    good = len(rest)
    faults: list[Message] = []
    for number, link in enumerate(rest, 2):
        try:
            _refuse_odd(link, 0)
            StandingReader(rules).refuse_link(link)
        except InvalidOrder as error:
            good = min(good, number - 2)  # the first order is line 1 and no link
            faults += _numbered(error, number)
    return good, faults


@cache
def vocabulary(game: str, version: int) -> Vocabulary:
    """Return what conditions of `game` may speak of: its facts with their kinds, and the names they can hold."""
    rules = rules_of(game, version)
    start = rules.setup(rules.meta.seats[0], {}, Rng("vocabulary", 0)).state
    facts = rules.facts(rules.view(start, 0))
    names = Names(N_("name"), rules.meta.names) if rules.meta.names else None
    return Vocabulary({name: kind_of(facts[name]) for name in rules.facts_help}, names)
