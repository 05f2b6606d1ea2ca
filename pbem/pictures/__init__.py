"""Boards drawn from what one seat may see: as text, in words, and as SVG. Knows no database and no mail."""

from __future__ import annotations

from typing import Any, Protocol, cast

from pbem import packages
from pbem.engine.registry import rules_of
from pbem.pictures.blocks import Block, Sheet
from pbem.pictures.renderer import Legend, Say
from pbem.pictures.rings import Marked
from pbem.pictures.rows import RowDrawing


class Drawing(Protocol):
    """What a game's module of the group `pbem.pictures` offers."""

    def svg(self, view: Any, say: Say, rings: Marked = ()) -> str:
        """Return the board, what has changed ringed and numbered; the elements of choices carry `data-target`."""

    def sheet(self, view: Any, say: Say, rings: Marked = ()) -> Sheet:
        """Return the same in blocks, for a page to lay out by the room it has."""

    def legend(self, say: Say) -> Legend:
        """Return what the signs mean: each as shapes in a box of 32 by 24, and its words."""

    def text(self, view: Any, say: Say) -> str:
        """Return the whole board in monospace, at most 72 columns wide."""

    def alt(self, view: Any, say: Say) -> str:
        """Return the board in sentences, for who can't see it."""

    def hand(self, view: Any, say: Say) -> tuple[str, ...]:
        """Return what only the view's own seat knows, in sentences; empty for a spectator."""


def of(game: str) -> Drawing:
    """Return the drawings of `game` by its own hand, or else those made of the rows its rules tell of a position."""
    module = packages.load(packages.PICTURES, game)
    return RowDrawing(rules_of(game)) if module is None else cast("Drawing", module)


def printed(game: str, view: Any, say: Say) -> tuple[Block, ...]:
    """A drawing of each thing in a game's box, by its row or group in the box's form; none where nobody drew them."""
    draw = getattr(packages.load(packages.PICTURES, game), "printed", None)
    return () if draw is None else cast("tuple[Block, ...]", draw(view, say))
