"""A position's board for a page: the drawing, and the same in text."""

from __future__ import annotations

import functools
from importlib import import_module
from typing import TYPE_CHECKING

import msgspec
from markupsafe import Markup

from pbem.engine.registry import rules_of
from pbem.words import Voice

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pbem.engine.types import Event
    from pbem.play.situation import Situation


KEPT = 100
"""Drawings kept in memory, some 40 kB each."""
_JSON = msgspec.json.Encoder()


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
    return _drawn(s.game.game, _JSON.encode(s.view), tuple(s.marks), say.language, say.names)


@functools.lru_cache(maxsize=KEPT)
def _drawn(game: str, view: bytes, marks: tuple[str, ...], language: str, names: tuple[str, ...]) -> Board:
    """The drawing of a view; nothing else goes into it, so the same view is drawn once for all who load it again."""
    room = import_module(f"pbem.pictures.{game}")
    say = Voice(language, names=names)
    seen = msgspec.json.decode(view, type=rules_of(game).view_type)
    drawn = Markup(room.svg(seen, say, marks))  # noqa: S704 - drawn by us, every word escaped there
    return Board(drawn, room.text(seen, say), room.alt(seen, say), tuple(room.hand(seen, say)))
