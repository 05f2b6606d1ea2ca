"""What every board is drawn with: the palette, words, seat marks and named elements.

Each shape carries its day colour as an attribute and a class beside it, by which pages recolour it at night.
"""

from __future__ import annotations

import html
import re
from functools import cache, lru_cache
from math import cos, pi, sin
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

PALETTE = {
    "paper": "#faf7f0",
    "raised": "#fffdf8",
    "ink": "#1d2433",
    "muted": "#5b6472",
    "line": "#d9d2c3",
    "accent": "#1f4e8c",
    "danger": "#a3312b",
    "water": "#2f7f8f",
    "sand": "#e4cf9f",
    "desert": "#f6f0e1",
    "field": "#76973e",
    "bank": "#bfcca0",
    "gold": "#b5832a",
}
"""Desert and bank are sand and field, as pale as land beneath the rest has to be."""
NIGHT = {
    "paper": "#14161a",
    "raised": "#1c1f25",
    "ink": "#e9e6df",
    "muted": "#a7adb8",
    "line": "#2c3038",
    "accent": "#8ab6f0",
    "danger": "#e58a83",
    "water": "#2f7f8f",
    "sand": "#e4cf9f",
    "desert": "#393732",
    "field": "#76973e",
    "bank": "#40502a",
    "gold": "#b5832a",
}
SEATS = (
    *("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#000000"),
    *("#56b4e9", "#f0e442", "#8c564b", "#8a8f98", "#9acd32"),
)
"""Colours by seat, Okabe and Ito's first; never without shape and letter."""
DARK_ON_FILL = PALETTE["ink"]
"""For words on sand, gold, field or a light seat colour: the same by day and by night."""
_FIXED = {"dark": DARK_ON_FILL, "light": "#ffffff"}
_SHAPES = ("circle", "square", "triangle", "diamond", "star", "hexagon", "cross", "flag", "pentagon", "bar")
_LIGHT_LETTERS = frozenset({0, 4, 7})
_SMALL_LETTERS = {"triangle": 0.22, "star": 0.0, "flag": -0.16}
"""Shapes with little room inside, and how far below their middle the letter stands, in radii."""
SMALLEST = 18
"""The least size of lettering: 11 px where a board's 600 units are 386 px wide, as on a phone."""
_POINTS = 5
_WIDE = frozenset("mwMW@%…ÆŒ—")
_NARROW = frozenset("iljtfrI.,:;'|!()[] -")
_SPECIAL = re.compile("[&<>\"']")
memoized = lru_cache(maxsize=8192)
"""Of what is drawn alike on many boards: writing four numbers out takes ten times as long as finding them written."""


@memoized
def escaped(text: str) -> str:
    """Return `text` as it stands in a drawing; most lettering is looked through once instead of five times.

    All of it is ASCII: a page in which one sign isn't is encoded sign by sign, a fortieth of Egizia's.
    """
    plain = html.escape(text) if _SPECIAL.search(text) else text
    return plain.encode("ascii", "xmlcharrefreplace").decode()


def night_style() -> str:
    """Return the style sheet that recolours a drawing for the night, as the pages' own does."""
    fills = "".join(f".c-{name}{{fill:{colour}}}.k-{name}{{stroke:{colour}}}" for name, colour in NIGHT.items())
    return fills + ".s-5{stroke:#ffffff;stroke-width:1.5}"


@cache
def fill(name: str) -> str:
    """Attributes that fill a shape with a colour of the palette."""
    return f' class="c-{name}" fill="{PALETTE[name]}"'


@cache
def stroke(name: str, width: float = 1.5) -> str:
    """Attributes for an outline without filling."""
    return f' class="k-{name}" fill="none" stroke="{PALETTE[name]}" stroke-width="{width:g}"'


@cache
def fill_and_stroke(inside: str, outline: str, width: float = 1.5) -> str:
    """Attributes for a filled shape with an outline."""
    return (
        f' class="c-{inside} k-{outline}" fill="{PALETTE[inside]}" stroke="{PALETTE[outline]}" stroke-width="{width:g}"'
    )


DASHED = ' stroke-dasharray="4 4"'


@memoized
def box(x: float, y: float, width: float, height: float, paint: str) -> str:
    """Return a rectangle with slightly rounded corners, painted by `fill`, `stroke` or `fill_and_stroke`."""
    return f'<rect x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}" rx="5"{paint}/>'


def words(  # noqa: PLR0913 - a line of lettering has that many sides
    x: float,
    y: float,
    text: str,
    size: int = 20,
    *,
    weight: int = 400,
    anchor: str = "start",
    colour: str = "ink",
    serif: bool = False,
) -> str:
    """Return a line of lettering with its baseline at y; `dark` and `light` stay so at night, for words on fillings."""
    return f"{_lettering(x, y, size, weight, anchor, colour, 'Serif' if serif else 'Sans')}{escaped(text)}</text>"


@memoized
def _lettering(  # noqa: PLR0913, PLR0917 - as above
    x: float, y: float, size: int, weight: int, anchor: str, colour: str, family: str
) -> str:
    paint = f' fill="{_FIXED[colour]}"' if colour in _FIXED else fill(colour)
    side = "" if anchor == "start" else f' text-anchor="{anchor}"'
    face = f'font-family="Notebook {family}" font-size="{size}" font-weight="{weight}"'
    return f'<text x="{x:g}" y="{y:g}" {face}{side}{paint}>'


@memoized
def text_width(text: str, size: int) -> float:
    """About how wide `text` is when lettered, for fitting it into a space."""
    return size * sum(0.82 if c in _WIDE else 0.31 if c in _NARROW else 0.54 for c in text)


def truncated(text: str, width: float, size: int) -> str:
    """`text`, shortened by an ellipsis if it would be wider than `width`."""
    if text_width(text, size) <= width:
        return text
    while text and text_width(text + "…", size) > width:
        text = text[:-1]
    return text.rstrip() + "…"


@memoized
def seat_mark(seat: int, x: float, y: float, radius: float) -> str:
    """Return a seat's mark round (x, y): its shape, colour and letter, so that no reader needs colours."""
    is_pointed = _SHAPES[seat] in _SMALL_LETTERS
    radius *= 1.15 if is_pointed else 1.0
    size = max(SMALLEST, round(radius * (1.0 if is_pointed else 1.25)))
    drop = radius * _SMALL_LETTERS.get(_SHAPES[seat], 0.0)
    return _shape(_SHAPES[seat], x, y, radius, _seat_paint(seat)) + _letter(seat, x, y + drop, size)


@memoized
def seat_tile(seat: int, x: float, y: float, width: float, height: float) -> str:
    """A seat's mark where there is room for its colour and letter only: a tile with its upper left corner at (x, y)."""
    tile = f'<rect x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}"{_seat_paint(seat)}/>'
    return tile + _letter(seat, x + width / 2, y + height / 2, SMALLEST)


def _seat_paint(seat: int) -> str:
    return f' class="s-{seat + 1}" fill="{SEATS[seat]}"'


def letter(seat: int) -> str:
    """Return a seat's letter; a dot for nobody."""
    return chr(ord("A") + seat) if seat >= 0 else "."


def _letter(seat: int, x: float, y: float, size: int) -> str:
    """Return a seat's letter, its middle at (x, y)."""
    colour = "#ffffff" if seat in _LIGHT_LETTERS else "#000000"
    return (
        f'<text x="{x:g}" y="{y + size * 0.36:g}" font-family="Notebook Sans" font-size="{size}"'
        f' font-weight="600" text-anchor="middle" fill="{colour}">{letter(seat)}</text>'
    )


def _shape(shape: str, x: float, y: float, radius: float, paint: str) -> str:
    if shape == "circle":
        return f'<circle cx="{x:g}" cy="{y:g}" r="{radius:g}"{paint}/>'
    if shape == "square":
        side = radius * 1.8
        return f'<rect x="{x - side / 2:g}" y="{y - side / 2:g}" width="{side:g}" height="{side:g}"{paint}/>'
    points = " ".join(f"{x + dx * radius:.1f},{y + dy * radius:.1f}" for dx, dy in _CORNERS[shape])
    return f'<polygon points="{points}"{paint}/>'


_HALF_CROSS = ((-0.5, -1.1), (0.5, -1.1), (0.5, -0.5), (1.1, -0.5), (1.1, 0.5), (0.5, 0.5))


def _polygon(corners: int) -> list[tuple[float, float]]:
    return [(1.15 * sin(2 * pi * step / corners), -1.15 * cos(2 * pi * step / corners)) for step in range(corners)]


def _star() -> list[tuple[float, float]]:
    corners = []
    for step in range(2 * _POINTS):
        reach = 0.72 if step % 2 else 1.3
        angle = pi * step / _POINTS
        corners.append((reach * sin(angle), -reach * cos(angle)))
    return corners


_CORNERS = {
    "triangle": [(0.0, -1.15), (1.15, 0.95), (-1.15, 0.95)],
    "diamond": [(0.0, -1.25), (1.25, 0.0), (0.0, 1.25), (-1.25, 0.0)],
    "star": _star(),
    "hexagon": _polygon(6),
    "cross": [(x * flip, y * flip) for flip in (1, -1) for x, y in _HALF_CROSS],
    "flag": [(-1.15, -0.95), (1.15, -0.95), (0.0, 1.15)],
    "pentagon": _polygon(5),
    "bar": [(-0.7, -0.8), (1.3, -0.8), (0.7, 0.8), (-1.3, 0.8)],
}
"""By shape, from its middle, in radii."""


def named(game: str, mark: str, title: str, *inside: str) -> str:
    """Return a board element that events and choices call `mark`; `title` says what it is to who points at it."""
    name = escaped(mark)
    return f'<g id="{game}-{name}" data-target="{name}"><title>{escaped(title)}</title>{"".join(inside)}</g>'


def drawing(  # noqa: PLR0913 - a drawing has that many sides
    game: str,
    size: tuple[int, float],
    title: str,
    parts: Sequence[str],
    defs: str = "",
    *,
    paper: bool = True,
    followed: bool = False,
) -> str:
    """Return the whole SVG, on `paper` or on what is beneath; `title` is its name for who can't see it.

    It is an image as long as nothing in it can be `followed`.
    """
    width, height = size
    role = "group" if followed else "img"
    ground = f'<rect width="{width}" height="{height:g}"{fill("paper")}/>' if paper else ""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height:g}" width="{width}" height="{height:g}"'
        f' role="{role}" aria-labelledby="{game}-title"><title id="{game}-title">{escaped(title)}</title>'
        f"{f'<defs>{defs}</defs>' if defs else ''}"
        f"{ground}{''.join(parts)}</svg>"
    )
