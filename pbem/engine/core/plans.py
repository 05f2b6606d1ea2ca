"""Plans: orders given ahead by tapping. What a page offers to tap, and the data it gives back.

Every game's `plans` module turns such data into standing orders and into words. A plan is made from one seat's view and
knows nothing else; what it says later hangs on the seat's own view at that time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Literal, Protocol

from pbem.engine.core.errors import InvalidOrder, invalid
from pbem.engine.core.forms import Filled
from pbem.engine.core.message import N_, Message, sentence
from pbem.structs import Value

PHASE, ROUND, CHANGED = "this phase", "this round", "until changed"
"""How long a standing order holds: its first line."""
Tapped = Literal["ranking", "number", "one", "many", "limits"]
"""How a field is filled in: names in an order, a number by steps, one of several, any of several, a number for each."""


class PlanOption(Value):
    """One thing that can be tapped."""

    value: str
    label: Message
    mark: str = ""
    """The element of the board that stands for it."""


class PlanField(Value):
    """What is asked of who taps a plan: one choice, several, or a number."""

    name: str
    kind: Tapped
    label: Message
    options: tuple[PlanOption, ...] = ()
    steps: tuple[int, ...] = ()
    """The numbers that a stepper runs through, or that can be a limit; a limit may be left out."""
    value: tuple[str, ...] = ()
    """What is filled in to begin with."""


class PlanPart(Value):
    """One plan that can be made now."""

    name: str
    title: Message
    fields: tuple[PlanField, ...]


class Plan(Value, tag_field="plan"):
    """Base of every game's plans; the field names are those of the form."""


class Planner(Protocol):
    """What the `plans` module of a game offers."""

    @property
    def PLANS(self) -> Any:  # noqa: N802 - a constant of the module
        """The union of the game's plans, for decoding."""
        return Plan

    def parts(self, view: Any) -> tuple[PlanPart, ...]:  # noqa: ARG002 - a game with plans looks
        """Return what the view's seat can plan now, whether it is asked or not."""
        return ()

    def plan(self, view: Any, part: str, fields: Filled) -> Plan:  # noqa: ARG002 - likewise
        """Return the plan that a filled-in part means. Raises InvalidOrder with every fault; an empty one has one."""
        raise invalid(NOT_HERE)

    def text(self, plan: Any) -> str:  # noqa: ARG002 - likewise
        """Return the standing order that a plan is."""
        return ""

    def words(self, plan: Any, view: Any) -> tuple[Message, ...]:  # noqa: ARG002 - likewise
        """Return the plan in sentences, what it names called as its seat's view shows it now."""
        return ()


class NoPlans(Planner):
    """Stands in for the `plans` module of a game that has none."""


NOT_HERE = N_("Nothing can be planned here now.")


def given(offered: Iterable[PlanPart], part: str, fields: Filled) -> dict[str, Any]:
    """Return what is given for each field of the one that is called `part`: the values, or as `_READ` has them.

    Raises InvalidOrder with every fault, naming each value that can't be tapped there.
    """
    found = next((one for one in offered if one.name == part), None)
    if found is None:
        raise invalid(NOT_HERE)
    faults = []
    given: dict[str, tuple[str, ...]] = {}
    for field in found.fields:
        values = tuple(fields.get(field.name, ()))
        if field.kind in {"ranking", "many"}:
            values = tuple(dict.fromkeys(value for value in values if value))
        known = _known(field)
        faults += [
            sentence("{value!r} can't be chosen for {field}.", value=value, field=field.label)
            for value in values
            if value not in known
        ]
        if field.kind == "limits" and len(values) not in {0, len(field.options)}:
            faults.append(sentence("There must be one value for each line of {field}.", field=field.label))
        given[field.name] = values or field.value
    if faults:
        raise InvalidOrder(*faults)
    return {field.name: _READ.get(field.kind, tuple)(given[field.name]) for field in found.fields}


_READ: Mapping[str, Callable[[tuple[str, ...]], Any]] = {
    "number": lambda values: int(values[0] or 0) if values else 0,
    "one": lambda values: values[0] if values else "",
    "limits": lambda values: tuple(int(value) if value else -1 for value in values),
}
"""By kind of field: a number, a choice, and a number for each option, -1 where there is none."""


def _known(field: PlanField) -> frozenset[str]:
    steps = frozenset(map(str, field.steps))
    if field.kind == "number":
        return steps
    if field.kind == "limits":
        return steps | {""}
    return frozenset(option.value for option in field.options)


def nothing() -> InvalidOrder:
    """Return what refuses a plan in which nothing was tapped."""
    return invalid("Nothing is planned yet: tap what should happen.")


def numbers(low: int, high: int) -> tuple[int, ...]:
    """Return the steps of a stepper."""
    return tuple(range(low, high + 1))
