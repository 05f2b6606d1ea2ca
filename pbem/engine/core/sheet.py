"""Where points come from: a score sheet from one view while a game goes on, an account once it is over."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pbem.engine.core.message import N_, Event, Message, sentence
from pbem.structs import Value


class Source(Value):
    """One source of points."""

    name: str
    """A message id."""
    points: tuple[int | None, ...]
    """By seat, as the position stands; None where the reader may not know."""
    more: tuple[Message, ...] = ()
    """What one more is worth to the view's seat."""
    at_end: bool = False
    """Whether it counts at the game's end only."""

    @property
    def leaders(self) -> tuple[int, ...]:
        """The seats with the most of it, as far as is known; nobody where all have the same."""
        known = {seat: points for seat, points in enumerate(self.points) if points is not None}
        best = max(known.values(), default=0)
        if min(known.values(), default=0) == best:
            return ()
        return tuple(seat for seat, points in known.items() if points == best)


class Stock(Value):
    """What is left of something, by what the reader knows."""

    title: Message
    things: tuple[tuple[Message, int], ...]
    """Each kind of thing and how many."""


class ScoreSheet(Value):
    """Where everybody stands, as one reader may know it."""

    scored: tuple[int | None, ...]
    """Points by seat that nobody can lose by a better move of another; None where the reader may not know."""
    sources: tuple[Source, ...] = ()
    """What the position would bring besides."""
    left: tuple[Stock, ...] = ()
    to_come: tuple[Message, ...] = ()
    """What can still happen."""

    @property
    def totals(self) -> tuple[int | None, ...]:
        """Points by seat if all sources counted now, as far as is known; None for a seat whose points are hidden."""
        return tuple(
            None if scored is None else scored + sum(source.points[seat] or 0 for source in self.sources)
            for seat, scored in enumerate(self.scored)
        )


def worth(points: int, thing: Message) -> Message:
    """Say what one more of a thing brings."""
    text = N_("{thing}: {points} point(s) more") if points >= 0 else N_("{thing}: {points} point(s) fewer")
    return sentence(text, thing=thing, points=abs(points))


POINTS = N_("points")


class Step(Value):
    """One position of a game that is over, and what led to it."""

    ply: int
    state: Any
    events: tuple[Event, ...] = ()


class Purchase(Value):
    """Something that was bid for and won."""

    ply: int
    seat: int
    thing: Message
    paid: int
    """In gold, by a sun's number, or whatever the game bids with."""
    brought: int
    """Points."""


class Luck(Value):
    """What came of draws, by seat, and what could be expected of them."""

    name: Message
    came: tuple[int, ...]
    expected: tuple[float, ...]


class Account(Value):
    """What a finished game came to."""

    sources: tuple[Source, ...]
    """They add up to the result."""
    purchases: tuple[Purchase, ...] = ()
    paid_with: Message = Message("")
    luck: tuple[Luck, ...] = ()


def summed(rows: Sequence[Sequence[int]]) -> tuple[int | None, ...]:
    """Rows of figures by seat added up."""
    return tuple(sum(column) for column in zip(*rows, strict=True))
