"""What a game tells people who don't know it: its goal, a round in pictures, examples, and a glossary of its things."""

from __future__ import annotations

import msgspec

from pbem.engine.core.types import Message


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
    """The rule to read on at."""
    words: tuple[str, ...] = ()
    """What sentences, boards and cards call it, in English: where one of these stands, the entry is meant."""
    orders: tuple[str, ...] = ()
    """How it is typed, for a kind of order."""


class Guide(msgspec.Struct, frozen=True):
    """The rules for people."""

    goal: tuple[str, ...]
    scenes: tuple[Scene, ...]
    examples: tuple[WorkedExample, ...]
    entries: tuple[Entry, ...]
