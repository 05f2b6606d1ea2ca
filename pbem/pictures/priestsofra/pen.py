"""What both halves of the picture are drawn with: the view, the reader's language, the rings, and suns."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pbem.engine.types import Said
from pbem.pictures.marks import named, stroke, words

if TYPE_CHECKING:
    from collections.abc import Callable

    from pbem.engine.priestsofra.view import View
    from pbem.engine.types import Event, Value
    from pbem.pictures.rings import Rings

    Say = Callable[[Said | Event], str]

GAME = "priestsofra"
WIDTH = 600
MARGIN = 20
RIGHT = WIDTH - MARGIN


class Pen:
    """One view being drawn for one reader."""

    def __init__(self, view: View, say: Say, rings: Rings) -> None:
        """Take the view, the reader's voice, and the rings round what changed."""
        self.view = view
        self.say = say
        self.rings = rings

    def word(self, text: str, **params: Value) -> str:
        """A sentence in the reader's language."""
        return self.say(Said(text, params))

    def named(self, mark: str, title: str, *inside: str) -> str:
        """A board element with its mark and its title."""
        return named(GAME, mark, title, *inside)


def sun(value: int, x: float, y: float, radius: float, size: int) -> str:
    """A sun face up: a disc in its rays."""
    rays = f'<circle cx="{x:g}" cy="{y:g}" r="{radius + 3:g}"{stroke("gold", 4)} stroke-dasharray="3 4"/>'
    return (
        rays
        + f'<circle cx="{x:g}" cy="{y:g}" r="{radius:g}" class="c-sand" fill="#e4cf9f"/>'
        + words(x, y + size * 0.36, str(value), size, weight=600, anchor="middle", colour="dark")
    )


def sun_down(value: int, x: float, y: float, radius: float) -> str:
    """A sun face down: an empty circle, its number known to all but out of use."""
    return f'<circle cx="{x:g}" cy="{y:g}" r="{radius:g}"{stroke("muted")} stroke-dasharray="3 3"/>' + words(
        x, y + 6, str(value), 17, anchor="middle", colour="muted"
    )
