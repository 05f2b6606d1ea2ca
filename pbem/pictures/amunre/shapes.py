"""What all parts of the map are drawn with: a renderer that knows the view, and the small signs."""

from __future__ import annotations

from pbem.engine.amunre.view import View
from pbem.pictures import renderer
from pbem.pictures.elements import fill, fill_and_stroke, memoized
from pbem.pictures.renderer import path, rectangle, sign

GAME = "amunre"


class Renderer(renderer.Renderer[View]):
    """One view being drawn for one reader."""

    game = GAME


@memoized
def farmer(x: float, y: float, paint: str) -> str:
    """Return a figure with a hat, 14 by 15."""
    return path(f"M{x + 7:g} {y:g}l5 5h-3l4 10h-12l4-10h-3z", paint)


@memoized
def square(x: float, y: float, side: float, paint: str) -> str:
    """Return a square."""
    return path(f"M{x:g} {y:g}h{side:g}v{side:g}h-{side:g}z", paint)


pyramid = sign(
    ("M0 0l10.5-17l4.5 17z", fill_and_stroke("sand", "ink", 1.2)),
    ("M10.5 -17l10.5 17h-6z", fill_and_stroke("gold", "ink", 1.2)),
)
"""A pyramid, 21 wide, drawn at its foot: a lit side and a shaded one."""


@memoized
def card(x: float, y: float) -> str:
    """Return a card, 11 by 15."""
    return rectangle(x, y, 11, 15, fill_and_stroke("raised", "ink", 1.3))


coin = sign(("M5 0h6l5 5v6l-5 5h-6l-5-5v-6z", fill_and_stroke("gold", "ink", 1.2)))
"""A coin, 16 wide: an octagon."""


camel = sign(("M0 15v-8l3-3l3 2l3-4l3 4l3 1v-6h5v3h-2v6l-3 2v5h-2v-4h-8v4z", fill("gold")))
"""A camel, 22 by 15, looking right."""


@memoized
def temple(x: float, y: float, paint: str) -> str:
    """Return a temple front, 16 by 16."""
    return path(
        f"M{x:g} {y + 5:g}l8-5l8 5v2h-16z"
        f"M{x + 1:g} {y + 8:g}h3v5h-3z"
        f"M{x + 6.5:g} {y + 8:g}h3v5h-3z"
        f"M{x + 12:g} {y + 8:g}h3v5h-3z"
        f"M{x:g} {y + 14:g}h16v2h-16z",
        paint,
    )


crown = sign(("M0 13l-1-11l5 5l5-7l5 7l5-5l-1 11z", fill_and_stroke("gold", "ink", 1)))
"""The first player's crown, 18 by 13."""
