"""Words as outlines, set with the fonts of the house as a browser sets them: for pictures, which bring no fonts along.

A page's drawing keeps its real words. Outlines of glyphs and lines are kept for the next picture: most of what a board
says is said on every board of its game.
"""

from __future__ import annotations

import re
from functools import cache, lru_cache
from html import unescape
from pathlib import Path

import uharfbuzz

LINES = 4096
"""Lines kept in memory, a kilobyte or two each."""
_FOLDER = Path(__file__).with_name("fonts")
_FACES = {
    ("Notebook Sans", "400"): "NotebookSans-Regular",
    ("Notebook Sans", "600"): "NotebookSans-SemiBold",
    ("Notebook Serif", "400"): "NotebookSerif-SemiBold",
    ("Notebook Serif", "600"): "NotebookSerif-SemiBold",
}
_WORDS = re.compile(
    r'<text x="(?P<x>[^"]+)" y="(?P<y>[^"]+)" font-family="(?P<family>[^"]+)" font-size="(?P<size>\d+)"'
    r' font-weight="(?P<weight>\d+)"(?: text-anchor="(?P<anchor>\w+)")?(?P<paint>[^>]*)>(?P<words>[^<]*)</text>'
)
"""A line of lettering, as `marks.words` and `marks.seat_mark` write it."""
_BEFORE = {None: 0.0, "middle": 0.5, "end": 1.0}
"""The part of a line's length that stands before its anchor."""


def outlined(svg: str) -> str:
    """Return the drawing with every line of lettering as a path; raises KeyError for a font that isn't the house's."""
    return _WORDS.sub(_as_path, svg)


def _as_path(found: re.Match[str]) -> str:
    face = _FACES[found["family"], found["weight"]]
    outline, length = line(face, unescape(found["words"]))
    scale = int(found["size"]) / font(face).face.upem
    x = float(found["x"]) - length * scale * _BEFORE[found["anchor"]]
    return f'<path transform="translate({x:.2f} {found["y"]}) scale({scale:.6f})" d="{outline}"{found["paint"]}/>'


@cache
def font(face: str) -> uharfbuzz.Font:
    """One of the bundled fonts, read once in each process."""
    return uharfbuzz.Font(uharfbuzz.Face(uharfbuzz.Blob.from_file_path(_FOLDER / f"{face}.ttf")))


@lru_cache(LINES)
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

    def moveTo(self, to: tuple[float, float]) -> None:  # noqa: N802 - the pen protocol's name
        self.at = round(to[0]), -round(to[1])
        self.drawn.append((*self.at, []))

    def lineTo(self, to: tuple[float, float]) -> None:  # noqa: N802 - the pen protocol's name
        self._go("l", to)

    def qCurveTo(self, *points: tuple[float, float]) -> None:  # noqa: N802 - the pen protocol's name
        self._go("q", *points)

    def curveTo(self, *points: tuple[float, float]) -> None:  # noqa: N802 - the pen protocol's name
        self._go("c", *points)

    def closePath(self) -> None:  # noqa: N802 - the pen protocol's name
        """Every contour is closed in `contours`."""

    def _go(self, step: str, *points: tuple[float, float]) -> None:
        places = [(round(x), -round(y)) for x, y in points]
        moved = " ".join(f"{x - self.at[0]} {y - self.at[1]}" for x, y in places)
        self.drawn[-1][2].append(f"{step}{moved}")
        self.at = places[-1]
