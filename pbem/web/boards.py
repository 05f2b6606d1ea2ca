"""A position's board for a page: the drawing, and the same in text."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

import msgspec
from markupsafe import Markup

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pbem.engine.types import Event
    from pbem.play.situation import Situation
    from pbem.words import Voice


class Board(msgspec.Struct, frozen=True):
    """What the board part of a page shows."""

    svg: Markup
    text: str
    words: str
    """The board in sentences."""
    hand: tuple[str, ...] = ()
    """What only the reader's seat knows, in sentences."""


def ring_of(event: Event, marks: Sequence[str]) -> str:
    """The numbers of the rings that an event is about, as in `2` or `2-4`; empty if it marked nothing."""
    numbers = sorted({marks.index(mark) + 1 for mark in event.marks if mark in marks})
    if len(numbers) > 1 and numbers[-1] - numbers[0] == len(numbers) - 1:
        return f"{numbers[0]}-{numbers[-1]}"
    return ", ".join(map(str, numbers))


def draw(s: Situation, say: Voice) -> Board:
    """Draw the position, with what changed since the reader's last decision ringed."""
    room = import_module(f"pbem.pictures.{s.game.game}")
    drawn = Markup(room.svg(s.view, say, s.marks))  # noqa: S704 - drawn by us, every word escaped there
    return Board(drawn, room.text(s.view, say), room.alt(s.view, say), tuple(room.hand(s.view, say)))
