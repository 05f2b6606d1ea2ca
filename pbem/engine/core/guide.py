"""What a game tells people who don't know it: its goal, a round in pictures, examples, and a glossary of its things."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from pbem.engine.core.types import Message

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping


class Scene(msgspec.Struct, frozen=True):
    """One picture of a round: a position of the guide's record, and what there is to see."""

    ply: int
    """The position after this ply of the record."""
    title: str
    text: tuple[Message, ...]


class WorkedExample(msgspec.Struct, frozen=True):
    """A case worked out: what is asked, what comes of it, by which rule."""

    case: str
    result: str
    rule: str


class Entry(msgspec.Struct, frozen=True, kw_only=True):
    """One thing of the game, or several alike, explained."""

    key: str
    """Its anchor on the glossary's page."""
    group: str
    """The heading that it stands under."""
    name: Message
    text: tuple[Message, ...]
    rule: str
    """The id of the rule in RULES.md that says more."""
    words: tuple[str, ...] = ()
    """What sentences, boards and cards call it, in English: where one of these stands, the entry is meant."""
    orders: tuple[str, ...] = ()
    """How it is typed, for a kind of order."""


def plain(group: str, key: str, name: str, words: tuple[str, ...], rule: str, text: str) -> Entry:  # noqa: PLR0913, PLR0917 - a table's row
    """Return the entry of a thing that one sentence explains."""
    return Entry(key=key, group=group, name=Message(name), text=(Message(text),), rule=rule, words=words)


def order_entries(
    group: str, told: Mapping[str, tuple[str, str, str]], examples: Iterable[tuple[str, str]]
) -> tuple[Entry, ...]:
    """An entry for each kind of order, from its name, rule and text in `told`, with its `examples` (kind, text)."""
    typed: dict[str, tuple[str, ...]] = {}
    for kind, text in examples:
        typed[kind] = (*typed.get(kind, ()), text)
    return tuple(
        Entry(key=f"order-{kind}", group=group, name=Message(name), text=(Message(text),), rule=rule, orders=orders)
        for kind, orders in typed.items()
        for name, rule, text in (told[kind],)
    )


class Guide(msgspec.Struct, frozen=True):
    """The rules for people."""

    goal: tuple[str, ...]
    scenes: tuple[Scene, ...]
    examples: tuple[WorkedExample, ...]
    entries: tuple[Entry, ...]
