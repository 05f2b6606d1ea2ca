"""The fields of a form that mean a given order: the way back from an order to what is picked."""

from __future__ import annotations

import heapq
import itertools
import re
from collections import Counter
from typing import TYPE_CHECKING, Any

import msgspec

from pbem.engine.core.errors import EngineError
from pbem.engine.core.forms import Count, Pick
from pbem.web.play.decision_form import fields_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from pbem.engine.core.forms import Form
    from pbem.engine.core.types import AnyRules

_WORD = re.compile(r"\w+")
_MOST = 1000
"""Half-filled forms that are carried on before an order counts as one the form can't say."""
_ENDS = ("renounce", "nothing", "yes", "no", "none")


def filled(rules: AnyRules, state: Any, seat: int, wanted: str) -> dict[str, list[str]] | None:
    """The fields that mean the order `wanted`, the nearest ones carried on first; None if the form has no such way.

    What ends an order at once, such as giving a place away, is tried only where nothing else comes to it.
    """
    for ends in (frozenset(_ENDS), frozenset[str]()):
        found = _filled(rules, state, seat, wanted, ends)
        if found is not None:
            return found
    return None


def _filled(
    rules: AnyRules, state: Any, seat: int, wanted: str, without: frozenset[str]
) -> dict[str, list[str]] | None:
    view = rules.view(state, seat)
    form = rules.form(view)

    def cost(fields: Mapping[str, list[str]]) -> tuple[int, int]:
        try:
            text = str(rules.read(state, seat, rules.order_text(view, fields)))
        except EngineError:
            told = Counter(_WORD.findall(" ".join(map(_gist, fields, fields.values()))))
            return 1000 + sum((goal - told).values()) + sum((told - goal).values()), 0
        told = Counter(_WORD.findall(text))
        return sum((goal - told).values()) + sum((told - goal).values()), int(text != wanted)

    goal = Counter(_WORD.findall(wanted))
    numbers = itertools.count()
    first: dict[str, list[str]] = {}
    waiting = [(cost(first), next(numbers), first)]
    seen = {msgspec.json.encode(first, order="sorted")}
    for _ in range(_MOST):
        if not waiting or waiting[0][0] == (0, 0):
            break
        for one in _steps(form, heapq.heappop(waiting)[2], without):
            mark = msgspec.json.encode(one, order="sorted")
            if mark not in seen:
                seen.add(mark)
                heapq.heappush(waiting, (cost(one), next(numbers), one))
    return waiting[0][2] if waiting and waiting[0][0] == (0, 0) else None


def _gist(name: str, values: list[str]) -> str:
    """The words of an order that a field stands for: its values, or what is counted."""
    if len(name) > 1 and all(value.isdecimal() for value in values) and name not in {"bid", "offer", "cards", "slot"}:
        return name.replace("row-", "pyramid ").replace("-", " ").replace(":", " ")
    return " ".join(values)


def _steps(form: Form, found: dict[str, list[str]], without: frozenset[str]) -> Iterator[dict[str, list[str]]]:
    """What `found` becomes by one more choice, or by another number."""
    for field in fields_of(form):
        have = found.get(field.name, [])
        if isinstance(field, Pick):
            kept = have if field.many else []
            values = [one.value for one in field.choices if one.value and one.value not in {*have, *without}]
            yield from ({**found, field.name: [*kept, value]} for value in values)
        elif isinstance(field, Count):
            numbers = map(str, range(max(1, field.low), field.high + 1))
            yield from ({**found, field.name: [number]} for number in numbers if [number] != have)
