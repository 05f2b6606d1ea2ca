"""SVG to PNG for letters, with the fonts of the house and no others.

ThorVG draws to plain pixels in a tenth of the time that resvg took to letter, draw and pack the same board.
It is a library in C++, so no word of a player's goes into it: titles are left out, lettering comes as outlines, line by
line. A line is kept as it was drawn for the next picture, as most of what a board says is said on every board of its
game: lettering took a third of a picture's time. Canvases are kept, too, and lettered and coloured where they are:
fresh memory took a seventh, and copies a twentieth.
"""

from __future__ import annotations

import re
from functools import cache, lru_cache
from math import ceil
from threading import Lock
from typing import Any, NamedTuple

from isal.isal_zlib import compress, crc32
from PIL import Image
from thorvg_python.base import Colorspace, Result
from thorvg_python.canvas.sw import SwCanvas
from thorvg_python.engine import Engine
from thorvg_python.paint.picture import Picture

from pbem.pictures.elements import NIGHT, PALETTE, SEATS, night_style
from pbem.pictures.lettering import font, line, taken_out

NEAR, NEAR_AT_NIGHT = 60, 24
"""A soft edge this near to a colour that is there already (summed over red, green, blue) takes that colour.

By day nobody sees a difference up to here, and a picture has a twentieth fewer bytes than with 24; at night, which
only pages show, lettering would have violet edges.
"""
STEPS = 4
"""From one colour to another in so many steps, an edge looks as with all and a picture has an eighth fewer bytes."""
PALETTES = 8
"""Sets of colours kept in memory, each with half a megabyte in which Pillow notes what is nearest to a colour."""
LINES = 4096
"""Lines of lettering kept in memory, a kilobyte or two each."""
CANVASES = 8
"""Canvases kept in memory, of the sizes that were drawn last: two to four megabytes for a board, little for a line."""
_OVER = 4
"""Pixels beside a line for what reaches beyond its length."""
_PAGE = 65_536
"""Drawings are padded to whole pages: ctypes keeps a type for every length it has ever been given."""
_ONE_AT_A_TIME = Lock()
"""The renderer keeps lists of its own that two threads must not change at once."""
_SIZE = re.compile(r'<svg [^>]*\bwidth="(\d+)" height="([\d.]+)"[^>]*>')
_COLOUR = re.compile(r"#[0-9a-f]{6}\b")
_ALWAYS = frozenset((*PALETTE.values(), *SEATS, "#000000", "#ffffff"))
"""Colours of every palette, used or not, so that most pictures have the same one."""
_EDGES = sorted((step / STEPS for step in range(1, STEPS)), key=lambda step: abs(step - 0.5))
_SHADES = [round(round(shade / 255 * STEPS) / STEPS * 255) for shade in range(256)]

Colour = tuple[int, ...]
_BLACK = (0, 0, 0)


class Line(NamedTuple):
    """A line of lettering, drawn."""

    mask: Image.Image
    """How much of each pixel is covered."""
    left: int
    top: int
    """Where the mask stands beside the line's beginning."""
    length: float


def png(svg: str, width: int = 600, *, night: bool = False) -> bytes:
    """Return the picture as PNG, `width` pixels wide.

    Raises ValueError if the drawing doesn't begin as `elements.drawing` begins one.
    """
    size = _SIZE.match(svg)
    if size is None:
        raise ValueError(f"A drawing begins with its width and height, this one with {svg[:80]!r}.")
    shapes, words = taken_out(svg)
    if night:
        shapes = _SIZE.sub(rf"\g<0><style>{night_style()}</style>", shapes, count=1)
    scale = width / int(size[1])
    height = round(float(size[2]) * scale)
    colours = _ALWAYS.union(_COLOUR.findall(svg + night_style() if night else svg))
    with _ONE_AT_A_TIME:
        lines = [_line(one.face, one.size * scale, one.text) for one in words]  # first: they need canvases, too
        palette, full = _palette(colours, night=night), _drawn(shapes, width, height).im
        for one, (mask, beside, above, length) in zip(words, lines, strict=True):
            left, top = round(one.x * scale - length * one.before) + beside, round(one.y * scale) + above
            colour = NIGHT[one.name] if night and one.name else one.fill
            full.paste(_rgb(colour), (left, top, left + mask.width, top + mask.height), mask.im)
        full.paste(_BLACK, (width, 0, width + 1, height))
        # what quantize would do, which takes no picture of four channels and would want a copy of three
        picture = palette._new(full.convert("P", Image.Dither.NONE, palette.im))  # noqa: SLF001 - see above
    return _packed(picture)


@lru_cache(maxsize=LINES)
def _line(face: str, size: float, text: str) -> Line:
    """Return a line drawn in letters of `size` pixels."""
    outline, units = line(face, text)
    scale = size / font(face).face.upem
    width, height = _whole(units * scale + 2 * _OVER, 256), _whole(1.5 * size, 32)
    svg = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}">'
        f'<path transform="translate({_OVER} {ceil(size)}) scale({scale:.6f})" d="{outline}" fill="#ffffff"/></svg>'
    )
    mask = _drawn(svg, width, height).getchannel("A").point(_SHADES)
    box = mask.getbbox() or (0, 0, 1, 1)
    return Line(mask.crop(box), box[0] - _OVER, box[1] - ceil(size), units * scale)


def _whole(length: float, part: int) -> int:
    """Return the next whole number of parts: what is made for every length anew would be made too often."""
    return ceil(length / part) * part


def _drawn(svg: str, width: int, height: int) -> Image.Image:
    """Return a drawing in the canvas's own memory, where it stands until the next one of that size.

    A column more than it is wide has nothing on it.
    """
    canvas, picture, data = _canvas(width + 1, height), Picture(_engine()), svg.encode()
    steps = (
        picture.load_data(data.ljust(_whole(len(data), _PAGE)), "svg", None, copy=True),
        picture.set_size(width, height),
        canvas.add(picture),
        canvas.draw(clear=True),
        canvas.sync(),
        canvas.remove(),  # the picture was the canvas's, and goes with it
    )
    if any(step != Result.SUCCESS for step in steps):
        raise ValueError(f"ThorVG could not draw a board: {steps}.")
    return canvas.pixels


class _Canvas(SwCanvas):
    """A canvas with memory of its own, both gone when nobody holds it any more."""

    def __init__(self, width: int, height: int) -> None:
        super().__init__(_engine())
        self.set_target(width, height, cs=Colorspace.ABGR8888)
        memory: Any = self.buffer_arr
        self.pixels = Image.frombuffer("RGBA", (width, height), memory, "raw", "RGBA", 0, 1)

    def __del__(self) -> None:
        self.destroy()


_canvas = lru_cache(maxsize=CANVASES)(_Canvas)


@cache
def _engine() -> Engine:
    """Return the renderer, without threads of its own, so that a process can still fork after it."""
    return Engine(threads=0)


@lru_cache(maxsize=PALETTES)
def _palette(own: frozenset[str], *, night: bool) -> Image.Image:
    """The colours a drawing is painted with, exactly as they are, and steps of soft edges from each to paper and ink.

    Black is the first. Which of them is nearest to a pixel's colour is found out once for all pictures that have the
    same ones.
    """
    kept = [_rgb(colour) for colour in sorted(own)]
    grounds = [_rgb((NIGHT if night else PALETTE)[name]) for name in ("paper", "ink")]
    near = NEAR_AT_NIGHT if night else NEAR
    edges = [(one, ground, step) for step in _EDGES for ground in grounds for one in kept]
    for one, ground, step in edges:
        edge = tuple(round(part + (under - part) * step) for part, under in zip(one, ground, strict=True))
        if all(sum(abs(part - other) for part, other in zip(edge, same, strict=True)) > near for same in kept):
            kept.append(edge)
    palette = Image.new("P", (1, 1))
    palette.putpalette([part for colour in kept[:256] for part in colour])
    palette.load()
    return palette


@cache
def _rgb(colour: str) -> Colour:
    return tuple(bytes.fromhex(colour[1:]))


def _packed(picture: Image.Image) -> bytes:
    """Return a picture with a palette as PNG (ISO 15948), its last column aside, by ISA-L.

    That column's black is the 0 by which the next line says that it is unfiltered. ISA-L takes a fifth of libdeflate's
    time for a fifth more bytes: most of a board is of one colour, and there others look at each pixel.
    """
    (width, height), pixels = picture.size, picture.tobytes()
    parts = (
        (b"IHDR", (width - 1).to_bytes(4) + height.to_bytes(4) + b"\x08\x03\0\0\0"),
        (b"PLTE", bytes(picture.getpalette("RGB") or ())),
        (b"IDAT", compress(b"\0" + pixels[:-1])),
        (b"IEND", b""),
    )
    chunks = (len(data).to_bytes(4) + kind + data + crc32(kind + data).to_bytes(4) for kind, data in parts)
    return b"\x89PNG\r\n\x1a\n" + b"".join(chunks)
