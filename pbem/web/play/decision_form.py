"""A decision's form, between engine and page: what was filled in, what that means as order text, what to preset."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, Any

import msgspec

from pbem.engine.core.errors import EngineError, InvalidOrder, invalid
from pbem.engine.core.forms import KIN, Choice, Count, Filled, Pick, TextField
from pbem.engine.core.message import Message, sentence

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from werkzeug.datastructures import MultiDict

    from pbem.engine.core.forms import Field, Form
    from pbem.engine.core.types import AnyRules
    from pbem.engine.preview import Figure
    from pbem.messages import Translator

NOTHING = "nothing"
"""The tick that says: I choose none of these."""
_LONGEST = 20_000
_CHIPS = 12
"""So many numbers are shown as buttons; more become a list."""


def prefix(step: int = 1) -> str:
    """Return what stands before the names of a game's own fields, so that none of them can be mistaken for one of ours.

    `step` counts the decisions asked on one page; the present one is 1.
    """
    return "f-" if step == 1 else f"f{step}-"


def nothing(step: int = 1) -> str:
    """Return the name of the tick that says that none of a step's choices is chosen."""
    return NOTHING if step == 1 else f"{NOTHING}-{step}"


def fields_of(form: Form) -> Iterator[Field]:
    """Yield every field of every group, in order."""
    for group in form.groups:
        yield from group.fields


def covers(form: Form, later: Form) -> bool:
    """Whether a form already asks what another kind of decision asks after it, as one for two steps of a turn does."""
    names = {field.name for field in fields_of(form)}
    return form.kind != later.kind and {field.name for field in fields_of(later)} - {NOTHING} <= names


def is_optional(rules: AnyRules, view: Any, form: Form) -> bool:
    """Return whether choosing nothing at all is a whole answer, and the form itself has no choice that says so."""
    names = [field.name for field in fields_of(form)]
    if not names or NOTHING in names:
        return False
    try:
        rules.order_text(view, {})
    except EngineError:
        return False
    return True


def filled(form: Form, post: MultiDict[str, str], step: int = 1) -> dict[str, list[str]]:
    """Return what a post fills into the fields this form has; empty values and foreign names are left out."""
    before = prefix(step)
    got = {field.name: _values(field, post.getlist(before + field.name)) for field in fields_of(form)}
    return {name: values for name, values in got.items() if values}


def _values(field: Field, posted: list[str]) -> list[str]:
    """Return the values of one field; a field for several lines has one value a line."""
    if isinstance(field, TextField) and field.many:
        posted = [line for text in posted for line in text.splitlines()]
    return [value.strip() for value in posted if value.strip()]


def is_untouched(form: Form, fields: Filled) -> bool:
    """Return whether the form was sent as it was shown."""
    presets = preset(form)
    return all(set(values) == presets.get(name, set()) for name, values in fields.items())


def is_chosen(form: Form, post: MultiDict[str, str], step: int = 1) -> bool:
    """Return whether a post chooses something in the form of a step."""
    return bool(post.get(nothing(step))) or not is_untouched(form, filled(form, post, step))


def order_text(rules: AnyRules, view: Any, form: Form, post: MultiDict[str, str]) -> str:
    """Give the order text a post means: what was typed, or else what was picked.

    Raises InvalidOrder for a form in which nothing was chosen, so that a form posted untouched never acts.
    """
    typed = post.get("text", "").strip()
    if typed:
        return typed[:_LONGEST]
    if not is_chosen(form, post):
        raise invalid("Nothing is chosen yet: pick one of the choices, or write your order.")
    return written(rules, view, form, filled(form, post))


def written(rules: AnyRules, view: Any, form: Form, fields: Filled) -> str:
    """Give the order text that filled fields mean. Raises InvalidOrder, which calls fields what the form does."""
    try:
        return rules.order_text(view, fields)
    except InvalidOrder as refusal:
        labels = {field.name: field.label for field in fields_of(form)}
        raise InvalidOrder(*(_labelled(fault, labels) for fault in refusal.faults)) from refusal


def _labelled(fault: Message, labels: Mapping[str, Message]) -> Message:
    label = labels.get(str(fault.params.get("field")))
    if label is None:
        return fault
    if "names" in fault.params:
        return sentence("One more choice is needed: {label}.", fault.rule, label=label)
    return Message(fault.text, {**fault.params, "field": label}, fault.rule)


def preset(form: Form, fields: Filled | None = None) -> dict[str, set[str]]:
    """Return what stands ticked in the form: what was just posted, else what the game presets."""
    if fields is not None:
        return {name: set(values) for name, values in fields.items()}
    return {field.name: _chosen(field) for field in fields_of(form)}


def _chosen(field: Field) -> set[str]:
    """Return the values that are preset."""
    if isinstance(field, Pick):
        return set(field.chosen)
    if isinstance(field, Count) and field.chosen is not None:
        return {str(field.chosen)}
    return set()


class ChoiceGroup(msgspec.Struct):
    """Choices of one field that belong together: alike but for one number, or simply the next ones in the list."""

    choices: list[Choice]
    name: Message | None = None
    """The thing or things they are all about, where they differ in a number only."""
    number: str = ""
    """The hole of the label that holds the number; empty for choices shown one below the other."""

    @property
    def is_brief(self) -> bool:
        """Whether the choices are few names without more to say, to be shown side by side."""
        return len(self.choices) <= _BRIEF and all(c.effect is None and c.price is None for c in self.choices)

    def short(self, choice: Choice) -> int:
        """Return the number that tells this choice from its kin."""
        value = choice.label.params[self.number]
        assert isinstance(value, int)  # that made them a family
        return value


def cost(choice: Choice) -> int | None:
    """Return what a choice costs, unless that is the number that its label tells."""
    return None if choice.price == choice.label.params.get(choice.number) else choice.price


_BRIEF = 6
"""So many names stand side by side; more stand one below the other."""


def choice_groups(field: Pick) -> list[ChoiceGroup]:
    """Return the choices of a field in their order, those that differ in one number only gathered.

    Where one thing has a row of numbers, or two have a pair, all that are named like it have one: they look alike.
    """
    groups = [list(group) for _, group in itertools.groupby(field.choices, lambda choice: choice.kin)]
    pairs = [group[0].label.text for group in groups if len(group) > 1 and not field.many]
    rows = {text for text in pairs if pairs.count(text) > 1}
    rows |= {group[0].label.text for group in groups if len(group) >= KIN and not field.many}
    found: list[ChoiceGroup] = []
    for choices in groups:
        if choices[0].label.text in rows and choices[0].number:
            found.append(_numbered(choices))
        elif found and not found[-1].number:
            found[-1].choices += choices
        else:
            found.append(ChoiceGroup(choices))
    return found


def _numbered(choices: list[Choice]) -> ChoiceGroup:
    params, number = choices[0].label.params, choices[0].number
    things = next((value for value in params.values() if not isinstance(value, int)), None)
    return ChoiceGroup(choices, Message("{things}", {"things": things}) if things else None, number)


def shown_as(field: Field) -> str:
    """Return how a field is asked: by a `menu`, a `pick`, a `count`, or a `line` to write in."""
    if isinstance(field, Pick):
        return "menu" if field.menu else "pick"
    return "count" if isinstance(field, Count) else "line"


def as_chips(field: Count) -> bool:
    """Return whether a number is shown as a row of buttons rather than a list."""
    return field.high - field.low < _CHIPS


def numbers(field: Count) -> list[tuple[int, int | None]]:
    """Return every number that can be chosen with its price."""
    prices = list(field.prices)
    return [(field.low + i, prices[i] if i < len(prices) else None) for i in range(field.high - field.low + 1)]


def ledger(figures: Sequence[Figure], say: Translator) -> list[tuple[str, list[tuple[str, Figure]]]]:
    """Return figures by their names, those together whose names differ in a number at the end only, each with it."""
    rows: dict[str, list[tuple[str, Figure]]] = {}
    for figure in figures:
        name = say.thing(figure.name)
        words, _, number = name.rpartition(" ")
        row = (words, number) if number.isdecimal() else (name, "")
        rows.setdefault(row[0], []).append((row[1], figure))
    return list(rows.items())
