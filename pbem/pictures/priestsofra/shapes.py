"""What both halves of the picture are drawn with: a renderer that knows the view, and suns."""

from __future__ import annotations

from pbem.engine.priestsofra.view import View
from pbem.pictures import blocks, renderer
from pbem.pictures.elements import memoized, stroke, words

GAME = "priestsofra"
MARGIN = 20
RIGHT = blocks.WIDTH - MARGIN


class Renderer(renderer.Renderer[View]):
    """One view being drawn for one reader."""

    game = GAME


@memoized
def sun(value: int, x: float, y: float, radius: float, size: int) -> str:
    """Return a sun face up: a disc in its rays."""
    rays = f'<circle cx="{x:g}" cy="{y:g}" r="{radius + 3:g}"{stroke("gold", 4)} stroke-dasharray="3 4"/>'
    return (
        rays
        + f'<circle cx="{x:g}" cy="{y:g}" r="{radius:g}" class="c-sand" fill="#e4cf9f"/>'
        + words(x, y + size * 0.36, str(value), size, weight=600, anchor="middle", colour="dark")
    )


@memoized
def sun_down(value: int, x: float, y: float) -> str:
    """Return a sun face down: an empty circle, its number known to all but out of use."""
    return f'<circle cx="{x:g}" cy="{y:g}" r="17"{stroke("muted")} stroke-dasharray="3 3"/>' + words(
        x, y + 6, str(value), 18, anchor="middle", colour="muted"
    )
