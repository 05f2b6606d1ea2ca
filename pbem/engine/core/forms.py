"""A decision as a form, in data: what a page, a letter or a program needs to ask it without knowing the game."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import islice
from typing import TypeAlias

from pbem.engine.core.message import Message
from pbem.structs import Value

Filled: TypeAlias = Mapping[str, list[str]]
"""A form as it was filled in: by the name of each field, the values that were sent."""

MOST_QUICK = 8
"""So many orders at most go out as one-tap answers."""


class Choice(Value, omit_defaults=True):
    """One thing that can be picked."""

    value: str
    label: Message
    price: int | None = None
    """Gold, stones or points it costs; None where nothing is paid."""
    effect: Message | None = None
    """What picking it does, in words."""
    target: str = ""
    """The id of the board element that stands for it, so that it can be picked on the board."""
    within: str = ""
    """The id of a larger element that it belongs to: pointing at that one offers all choices within it."""
    needs: tuple[str, ...] = ()
    """Names of the fields that have to be filled in with it."""

    @property
    def number(self) -> str:
        """The hole of its label that holds a number; empty if none does: a seat is a player's name."""
        holes = (name for name, value in self.label.params.items() if isinstance(value, int))
        return next((name for name in holes if not name.startswith("seat")), "")

    @property
    def kin(self) -> tuple[object, ...]:
        """What two choices share that differ in a number only."""
        params = self.label.params
        counted = [name for name, value in params.items() if isinstance(value, int)]
        if len(counted) != 1 or counted[0].startswith("seat"):
            return (id(self),)
        words = tuple((name, value) for name, value in params.items() if not isinstance(value, int))
        return self.label.text, words, self.effect


KIN = 3
"""So many choices that differ in a number only are told as a row of numbers."""


class Pick(Value, omit_defaults=True, tag="pick"):
    """Exactly one choice (radio buttons); or, with `many`, any number of them (checkboxes)."""

    name: str
    label: Message
    choices: tuple[Choice, ...]
    many: bool = False
    chosen: tuple[str, ...] = ()
    """What is preset: never so that posting the form untouched would act unseen."""
    menu: bool = False
    """Whether it is a wish beside the rest, preset: a page shows one line of it that opens, a letter nothing."""


class Count(Value, omit_defaults=True, tag="count"):
    """A whole number; `prices[i]` is what `low + i` costs, where that isn't free."""

    name: str
    """`stones:Memphis` where the label says only where, and its group's title what is counted."""
    label: Message
    low: int
    high: int
    prices: tuple[int, ...] = ()
    chosen: int | None = None
    target: str = ""
    targets: tuple[str, ...] = ()
    """Of the first thing counted, the second and so on, each an element of its own: the n-th means n of them."""
    needs: tuple[str, ...] = ()
    """Names of the fields that have to be filled in with any number above naught."""


class TextField(Value, omit_defaults=True, tag="line"):
    """One line of text, for what no fixed choice can hold; several lines with `many`."""

    name: str
    label: Message
    help: Message | None = None
    many: bool = False


Field = Pick | Count | TextField


class Group(Value, omit_defaults=True):
    """Fields that belong together under one heading."""

    title: Message
    fields: tuple[Field, ...]
    help: Message | None = None
    aside: bool = False
    """Whether it holds wishes only, all preset, and most leave them so: a page keeps it folded beside what is asked."""
    paired: bool = False
    """Whether it holds small numbers of the same places as a group beside it: both fit one width of a phone."""


class Form(Value, omit_defaults=True):
    """All of one decision. Filled in, it becomes order text through the game's `order_text`."""

    kind: str
    question: Message
    groups: tuple[Group, ...]
    notes: tuple[Message, ...] = ()
    """What limits or prices hold for the whole form, in words."""
    quick: tuple[str, ...] = ()
    """Up to eight canonical orders that cover every legal one, for one-tap answers; empty if there are more."""


def quick(orders: Iterable[object]) -> tuple[str, ...]:
    """Return the canonical texts of all legal `orders` if they are few enough for one-tap answers, else none."""
    texts = tuple(str(order) for order in islice(orders, MOST_QUICK + 1))
    return texts if len(texts) <= MOST_QUICK else ()
