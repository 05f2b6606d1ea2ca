"""What a game calls things, as a table beside its rules: forms of order, facts, questions, spellings, rules to read."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from string import Template
from typing import Any, ClassVar

import msgspec

from pbem.engine.core.tables import GameTable
from pbem.engine.core.types import Option
from pbem.engine.text.notation import GrammarRow
from pbem.structs import Value


class OrderForm(Value, forbid_unknown_fields=True):
    """One form of order, as `GrammarRow` has it, with its patterns in terms of others (`$bid`)."""

    kind: str
    syntax: str
    example: str
    meaning: str
    start: str
    """What such an order begins with."""
    bare: str = ""
    """What a short answer begins with."""


class DecisionWords(Value, forbid_unknown_fields=True):
    """What is said where one kind of decision is asked."""

    topics: tuple[str, ...] = ()
    """The rules that help with it."""
    phase: str = ""
    """What the heading calls it."""
    question: str = ""
    rule: str = ""
    """The rule that the question cites; empty: the first of `topics`, where a game cites any."""


def spelled_out(patterns: Iterable[str]) -> set[str]:
    """Return every word and number that patterns spell out, each also without a last letter that may be left out."""
    plain = (re.sub(r"\\[a-z]|\[[^]]*\]", " ", pattern) for pattern in patterns)
    found = {word for pattern in plain for word in re.findall(r"[a-z]+\??|[0-9]+(?![0-9,]*\})", pattern)}
    return {word.removesuffix("?") for word in found} | {word[:-2] for word in found if word.endswith("?")} - {""}


class GameWords(GameTable, frozen=True):
    """The whole table."""

    FILE: ClassVar[str] = "words.toml"

    decisions: Mapping[str, DecisionWords]
    orders: tuple[OrderForm, ...]
    facts: dict[str, str]
    """By fact, what it means."""
    spoken: Mapping[str, tuple[str, str]]
    """What canonical orders say in Italian and French."""
    bid_facts: Mapping[str, str] = {}
    """The same of those that bids change while an auction goes on."""
    spellings: Mapping[str, dict[str, tuple[str, ...]]] = {}
    """By group and name, how else a thing may be written."""
    verbs: Mapping[str, str] = {}
    """Patterns over folded text, by name."""
    clauses: Mapping[str, str] = {}
    """Patterns of what can stand behind a verb, likewise."""
    said: Mapping[str, dict[str, str]] = {}
    """By group and name, what is said of a thing, or what it is called."""
    opened_with: Mapping[str, Mapping[str, Any]] = msgspec.field(default_factory=dict, name="options")
    """By option, what else `core.types.Option` holds of it."""

    @property
    def options(self) -> tuple[Option, ...]:
        """What the game can be opened with."""
        return msgspec.convert([{"name": name, **rest} for name, rest in self.opened_with.items()], tuple[Option, ...])

    def grammar(self, patterns: Mapping[str, str], rest: str = "", **rests: str) -> tuple[GrammarRow, ...]:
        """Return the forms of order by these patterns; `rest` is what may follow in any of them, `rests` by kind."""

        def filled(kind: str, form: str, end: str = "") -> str:
            return form and f"(?:{Template(form).substitute(patterns)}){end}{rests.get(kind, rest)}"

        return tuple(
            GrammarRow(
                *(one.kind, one.syntax, one.example, one.meaning),
                *(filled(one.kind, one.start), filled(one.kind, one.bare, r"\b")),
            )
            for one in self.orders
        )
