"""What a finished game came to: points by source, what was paid for what it brought, the luck of the draws."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from pbem.engine.core.sheet import Source
from pbem.engine.core.types import N_, Event, Message

if TYPE_CHECKING:
    from collections.abc import Sequence

POINTS = N_("points")


class Step(msgspec.Struct, frozen=True):
    """One position of a game that is over, and what led to it."""

    ply: int
    state: Any
    events: tuple[Event, ...] = ()


class Purchase(msgspec.Struct, frozen=True):
    """Something that was bid for and won."""

    ply: int
    seat: int
    thing: Message
    paid: int
    """In gold, by a sun's number, or whatever the game bids with."""
    brought: int
    """Points."""


class Luck(msgspec.Struct, frozen=True):
    """What came of draws, by seat, and what could be expected of them."""

    name: Message
    came: tuple[int, ...]
    expected: tuple[float, ...]


class Account(msgspec.Struct, frozen=True):
    """What a finished game came to."""

    sources: tuple[Source, ...]
    """They add up to the result."""
    purchases: tuple[Purchase, ...] = ()
    paid_with: Message = Message("")
    luck: tuple[Luck, ...] = ()


def summed(rows: Sequence[Sequence[int]]) -> tuple[int | None, ...]:
    """Rows of figures by seat added up."""
    return tuple(sum(column) for column in zip(*rows, strict=True))
