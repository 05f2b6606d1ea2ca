"""Boards drawn from what one seat may see: as text, in words, and as SVG. Knows no database and no mail."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from importlib.util import find_spec
from typing import Any, Protocol, cast

from pbem.engine.core.types import Event, Message
from pbem.pictures.rings import Marked


class Drawing(Protocol):
    """What the package `pbem.pictures.<game>` offers for each game."""

    def svg(self, view: Any, say: Callable[[Message | Event], str], rings: Marked = ()) -> str:
        """The board, what has changed ringed and numbered; the elements of choices carry `data-target`."""
        ...

    def text(self, view: Any, say: Callable[[Message | Event], str]) -> str:
        """The whole board in monospace, at most 72 columns wide."""
        ...

    def alt(self, view: Any, say: Callable[[Message | Event], str]) -> str:
        """The board in sentences, for who can't see it."""
        ...

    def hand(self, view: Any, say: Callable[[Message | Event], str]) -> tuple[str, ...]:
        """What only the view's own seat knows, in sentences; empty for a spectator."""
        ...


def is_drawn(game: str) -> bool:
    """Whether there are drawings for `game`: one can be added, and played in words, before it has any."""
    return find_spec(f"pbem.pictures.{game}") is not None


def of(game: str) -> Drawing:
    """The drawings of `game`; raises ModuleNotFoundError if it has none."""
    return cast("Drawing", import_module(f"pbem.pictures.{game}"))
