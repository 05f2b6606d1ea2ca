"""What is said to people: sentences whose holes are filled when they are read, and events, which are sentences too."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias

from pbem.structs import ORDERS, Value

Param: TypeAlias = "int | float | str | Message | tuple[int | str | Message, ...]"
"""A hole's filling: a number, a thing's name, a part of a sentence, or several. Names that begin with `seat` (or are
`seats`) hold seat numbers.
"""

Params: TypeAlias = Mapping[str, Param]
"""What fills the holes of one sentence."""


N_ = str
"""Marks a text as a message id for the translators' catalogue and gives it back; the name is gettext's own."""


class Message(Value, omit_defaults=True):
    """A sentence for a person: an English message id with named holes, what fills them, and the rule id."""

    text: str
    params: Mapping[str, Param] = {}
    rule: str = ""

    def __str__(self) -> str:
        """Give the English sentence, its holes filled as they are and lists by commas."""
        return self.text.format(**{name: _plain(value) for name, value in self.params.items()})


REPEATED = 80
"""Characters of an input that a sentence repeats in quotes or as code: what fits a line. An order is told whole."""


def sentence(text: str, rule: str = "", /, **holes: Param) -> Message:
    """Return `text` with what fills its holes and its rule id; a text in quotes is marked for the catalogue, too."""
    return Message(text, {name: _repeated(text, name, filling) for name, filling in holes.items()}, rule)


def _repeated(text: str, name: str, filling: Param) -> Param:
    """Return as much of what fills a hole as is told; the last sign tells that there is more."""
    if not isinstance(filling, str) or len(filling) <= REPEATED or name in ORDERS:
        return filling
    is_input = f"{{{name}!r}}" in text or f"`{{{name}}}`" in text
    return f"{filling[: REPEATED - 1]}…" if is_input else filling


def _plain(value: Param) -> float | str | Message:
    return ", ".join(map(str, value)) if isinstance(value, tuple) else value


GONE = "-"
"""What a mark begins with that says: what lay on the elements whose ids begin like its rest lies there no more."""


class Event(Value, omit_defaults=True):
    """What a resolution did: a sentence, who did it, who may read it, and which parts of the board it touched."""

    text: str
    params: Mapping[str, Param] = {}
    rule: str = ""
    seat: int | None = None
    """The seat whose deed it was, if anybody's."""
    seen_by: tuple[int, ...] | None = None
    """None: everybody. Otherwise only these seats; nobody else may learn even that it exists."""
    marks: tuple[str, ...] = ()
    """Ids of board elements that changed, as `pictures` names them (`province:Memphis`), or `GONE` and a beginning."""

    def is_known_to(self, reader: int | None) -> bool:
        """Return whether a seat, or a spectator (None), may know of it."""
        return self.seen_by is None or reader in self.seen_by


def event(
    text: str, rule: str = "", seat: int | None = None, /, *, marks: tuple[str, ...] = (), **holes: Param
) -> Event:
    """Return what happened, told to everybody; `seat` did it and fills the hole of that name.

    A text in quotes is marked for the catalogue, too.
    """
    return Event(text, holes if seat is None else {"seat": seat, **holes}, rule, seat, None, marks)
