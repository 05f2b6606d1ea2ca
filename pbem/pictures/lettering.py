"""A drawing's words, set with the fonts of the house as a browser sets them: for pictures, which bring no fonts along.

A page's drawing keeps its real words; a picture's are taken out of it, and set on top of what else is drawn.
"""

from __future__ import annotations

import re
from functools import cache
from html import unescape
from pathlib import Path
from typing import NamedTuple

import uharfbuzz

from pbem.pictures.rings import Spot

_FOLDER = Path(__file__).with_name("fonts")
_FACES = {
    ("Notebook Sans", "400"): "NotebookSans-Regular",
    ("Notebook Sans", "600"): "NotebookSans-SemiBold",
    ("Notebook Serif", "400"): "NotebookSerif-SemiBold",
    ("Notebook Serif", "600"): "NotebookSerif-SemiBold",
}
_PARTS = re.compile(
    r'<(?:text x="([^"]+)" y="([^"]+)" font-family="([^"]+)" font-size="(\d+)" font-weight="(\d+)"'
    r'(?: text-anchor="(\w+)")?(?: class="c-(\w+)")? fill="(#\w{6})">([^<]*)</text>'
    r"|title[^>]*>[^<]*</title>|((?:g|symbol)\b[^>]*)>|(/(?:g|symbol)>))"
)
"""Words as `elements.words` and `elements.seat_mark` write them, titles, and what moves the things within it.

Begun by the sign that all begin with, which is looked for alone: most signs of a drawing are none of these.
"""
_MOVED = re.compile(r'g transform="translate\((\S+) (\S+)\)"$')
_CHANGED = re.compile("transform=|opacity=|viewBox=")
_BEFORE = {None: 0.0, "middle": 0.5, "end": 1.0}
"""The part of a line's length that stands before its anchor."""


class Words(NamedTuple):
    """A line of lettering on a drawing."""

    x: float
    y: float
    """Of its anchor, on the baseline."""
    before: float
    """The part of its length that stands before the anchor."""
    face: str
    size: int
    name: str | None
    """Its colour in the palette, if it changes at night."""
    fill: str
    text: str


def taken_out(svg: str) -> tuple[str, list[Words]]:
    """Return the drawing without words and titles, and its words.

    Raises KeyError for a font that isn't the house's, ValueError for words that are turned, scaled or faded.
    """
    lines: list[Words] = []
    moved: list[Spot | None] = [(0.0, 0.0)]

    def take(found: re.Match[str]) -> str:
        x, y, family, size, weight, anchor, name, fill, words, group, end = found.groups()
        if words is not None:
            if moved[-1] is None:
                raise ValueError(f"Words are only moved by the groups around them, but these are more: {found[0]!r}.")
            left, top = moved[-1]
            face = _FACES[family, weight]
            lines.append(
                Words(left + float(x), top + float(y), _BEFORE[anchor], face, int(size), name, fill, unescape(words))
            )
        elif group:
            moved.append(_within(group, moved[-1]))
        elif end:
            moved.pop()
        return found[0] if group or end else ""

    return _PARTS.sub(take, svg), lines


def _within(group: str, moved: Spot | None) -> Spot | None:
    """Return how far everything in a group is moved; None if it is more than moved."""
    if moved is None or not _CHANGED.search(group):
        return moved
    further = _MOVED.match(group)
    return (moved[0] + float(further[1]), moved[1] + float(further[2])) if further else None


@cache
def font(face: str) -> uharfbuzz.Font:
    """One of the bundled fonts, read once in each process."""
    return uharfbuzz.Font(uharfbuzz.Face(uharfbuzz.Blob.from_file_path(_FOLDER / f"{face}.ttf")))


def line(face: str, text: str) -> tuple[str, int]:
    """Return the path data of a line that begins at (0, 0), and its length, both in the font's units."""
    buffer = uharfbuzz.Buffer()
    buffer.add_str(text)
    buffer.guess_segment_properties()
    uharfbuzz.shape(font(face), buffer)
    drawn, x = [], 0
    for glyph, place in zip(buffer.glyph_infos, buffer.glyph_positions or (), strict=True):
        drawn += [
            f"M{x + place.x_offset + left} {top - place.y_offset}{rest}"
            for left, top, rest in contours(face, glyph.codepoint)
        ]
        x += place.x_advance
    return "".join(drawn), x


@cache
def contours(face: str, glyph: int) -> tuple[tuple[int, int, str], ...]:
    """A glyph's closed lines: where each begins, and how it goes on from there in relative steps; y grows downward."""
    pen = _Pen()
    font(face).draw_glyph_with_pen(glyph, pen)
    return tuple((left, top, f"{''.join(steps)}z") for left, top, steps in pen.drawn)


class _Pen:
    """Takes a glyph's outline down as relative path data, which stays the same wherever the glyph goes."""

    def __init__(self) -> None:
        self.drawn: list[tuple[int, int, list[str]]] = []
        self.at = (0, 0)

    def moveTo(self, to: Spot) -> None:  # noqa: N802 - the pen protocol's name
        self.at = round(to[0]), -round(to[1])
        self.drawn.append((*self.at, []))

    def lineTo(self, to: Spot) -> None:  # noqa: N802 - the pen protocol's name
        self._go("l", to)

    def qCurveTo(self, *points: Spot) -> None:  # noqa: N802 - the pen protocol's name
        self._go("q", *points)

    def curveTo(self, *points: Spot) -> None:  # noqa: N802 - the pen protocol's name
        self._go("c", *points)

    def closePath(self) -> None:  # noqa: N802 - the pen protocol's name
        """Every contour is closed in `contours`."""

    def _go(self, step: str, *points: Spot) -> None:
        places = [(round(x), -round(y)) for x, y in points]
        moved = " ".join(f"{x - self.at[0]} {y - self.at[1]}" for x, y in places)
        self.drawn[-1][2].append(f"{step}{moved}")
        self.at = places[-1]
