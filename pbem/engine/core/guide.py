"""What a game tells people who don't know it: its goal, a round in pictures, examples, and a glossary of its things."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, ClassVar

from pbem.engine.core.message import N_, Message, Param
from pbem.engine.core.tables import GameTable
from pbem.structs import Value

if TYPE_CHECKING:
    from pbem.engine.text.notation import GrammarRow


class Scene(Value, forbid_unknown_fields=True):
    """One picture of a round: a position of the guide's record, and what there is to see."""

    ply: int
    """The position after this ply of the record."""
    title: str
    text: tuple[Message, ...]


class WorkedExample(Value, forbid_unknown_fields=True):
    """A case worked out: what is asked, what comes of it, by which rule."""

    case: str
    result: str
    rule: str


class Entry(Value, kw_only=True):
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


class Guide(Value):
    """The rules for people."""

    goal: tuple[str, ...]
    scenes: tuple[Scene, ...]
    examples: tuple[WorkedExample, ...]
    entries: tuple[Entry, ...]


class Told(Value, kw_only=True, forbid_unknown_fields=True):
    """What one sentence says of a thing that the game's own tables name."""

    text: str
    rule: str
    name: str = ""
    """What it is called, if the tables don't say."""

    def entry(self, key: str, group: str, words: tuple[str, ...] = (), orders: tuple[str, ...] = ()) -> Entry:
        """Return the entry of a thing that is called by the name given here, and explained by the sentence alone."""
        return Entry(
            key=key,
            group=group,
            name=Message(self.name),
            text=(Message(self.text),),
            rule=self.rule,
            words=words,
            orders=orders,
        )


class Thing(Told, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A thing that no table of the game lists; its fields are those of the entry."""

    key: str
    group: str
    words: tuple[str, ...] = ()


class GuideTexts(GameTable, frozen=True):
    """All that a guide says in words of its own."""

    FILE: ClassVar[str] = "guide.toml"

    goal: tuple[str, ...]
    scenes: tuple[Scene, ...]
    examples: tuple[WorkedExample, ...]
    things: tuple[Thing, ...]
    orders: Mapping[str, Told]
    """By kind of decision, what is asked."""
    told: Mapping[str, Told] = {}
    """By what the game's tables call it."""

    def guide(self, entries: Iterable[Entry]) -> Guide:
        """Return the whole guide, with this glossary."""
        return Guide(self.goal, self.scenes, self.examples, tuple(entries))

    def entry(self, group: str, name: str, *more: Message, told: str = "", **holes: Param) -> Entry:
        """Return the entry of what a table of the game calls `name`, by the sentence for `told`, or else for the name.

        `holes` fill that sentence, and `more` are those beside it.
        """
        said = self.told[told or name]
        text = (Message(said.text, holes if "{" in said.text else {}), *more)
        key = name.replace(" ", "-")
        return Entry(key=key, group=group, name=Message(name), text=text, rule=said.rule, words=(name,))

    def others(self, grammar: Iterable[GrammarRow]) -> tuple[Entry, ...]:
        """Return what no table lists, then each kind of order with the examples of its rows of the grammar."""
        things = (one.entry(one.key, one.group, one.words) for one in self.things)
        group, typed = N_("What you may be asked"), dict[str, tuple[str, ...]]()
        for row in grammar:
            typed[row.kind] = (*typed.get(row.kind, ()), row.example)
        ways = (self.orders[kind].entry(f"order-{kind}", group, orders=orders) for kind, orders in typed.items())
        return (*things, *ways)
