"""SVG to PNG for letters, with the fonts of the house and no others.

ThorVG draws to plain pixels in a tenth of the time that resvg took to letter, draw and pack the same board.
It is a library in C++, so no word of a player's goes into it: titles are left out, lettering comes as outlines, line by
line. A line is kept as it was drawn for the next picture, as most of what a board says is said on every board of its
game: lettering took a third of a picture's time. Canvases are kept, too: fresh memory took a seventh.
"""

from __future__ import annotations

import re
from functools import cache, lru_cache
from io import BytesIO
from math import ceil
from threading import Lock
from typing import Any, NamedTuple

from PIL import Image
from thorvg_python.base import Colorspace, Result
from thorvg_python.canvas.sw import SwCanvas
from thorvg_python.engine import Engine
from thorvg_python.paint.picture import Picture

from pbem.pictures.elements import NIGHT, night_style
from pbem.pictures.lettering import Words, font, line, taken_out

SOFT = 48
"""Colours for soft edges beside a drawing's own; half the bytes of 256 colours, and no eye sees the difference."""
NEAR = 24
"""A soft edge this near to one of the drawing's own colours (summed over red, green, blue) takes that colour."""
SAMPLE = 3
"""Soft edges are looked for in every third pixel of every third line: the same colours, for a fifth of the time."""
STEPS = 4
"""From paper to ink in so many steps, a letter's edge looks as with all and a picture has an eighth fewer bytes."""
EFFORT = 4
"""Of 5 a picture would have a twentieth fewer bytes and take a fifth longer to pack, 3 the other way round."""
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
_SHADES = [round(round(shade / 255 * STEPS) / STEPS * 255) for shade in range(256)]

Colour = tuple[int, ...]


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
    scale, out = width / int(size[1]), BytesIO()
    with _ONE_AT_A_TIME:
        full = _drawn(shapes, width, round(float(size[2]) * scale)).convert("RGB")
        _lettered(full, words, scale, night=night)
    _flat(full, _own_colours(svg + night_style() if night else svg)).save(out, "PNG", compress_level=EFFORT)
    return out.getvalue()


def _lettered(full: Image.Image, words: list[Words], scale: float, *, night: bool) -> None:
    """Lay each line of lettering on the picture, at the whole pixel next to its place."""
    for one in words:
        drawn = _line(one.face, one.size * scale, one.text)
        left, top = round(one.x * scale - drawn.length * one.before), round(one.y * scale)
        colour = NIGHT[one.name] if night and one.name else one.fill
        full.paste(colour, (left + drawn.left, top + drawn.top), drawn.mask)


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
    """Return the pixels of a drawing, on the canvas's own memory: they stand until the next one of that size."""
    canvas, picture, data = _canvas(width, height), Picture(_engine()), svg.encode()
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
    return Image.frombuffer("RGBA", (width, height), canvas.pixels, "raw", "RGBA", 0, 1)


class _Canvas(SwCanvas):
    """A canvas with memory of its own, both gone when nobody holds it any more."""

    def __init__(self, width: int, height: int) -> None:
        super().__init__(_engine())
        self.set_target(width, height, cs=Colorspace.ABGR8888)
        self.pixels: Any = self.buffer_arr

    def __del__(self) -> None:
        self.destroy()


_canvas = lru_cache(maxsize=CANVASES)(_Canvas)


@cache
def _engine() -> Engine:
    """Return the renderer, without threads of its own, so that a process can still fork after it."""
    return Engine(threads=0)


def _own_colours(svg: str) -> tuple[Colour, ...]:
    """Return the colours a drawing is painted with."""
    return tuple(tuple(bytes.fromhex(found[1:])) for found in dict.fromkeys(_COLOUR.findall(svg)))


def _flat(full: Image.Image, own: tuple[Colour, ...]) -> Image.Image:
    """The picture in few colours: its own exactly as they are, and as many as it takes for soft edges between them."""
    some = full.resize((full.width // SAMPLE, full.height // SAMPLE), Image.Resampling.NEAREST)
    soft = some.quantize(SOFT, Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE).getpalette("RGB") or []
    edges = [edge for edge in zip(soft[::3], soft[1::3], soft[2::3], strict=True) if _is_far(edge, own)]
    palette = Image.new("P", (1, 1))
    palette.putpalette([part for colour in (*own, *edges) for part in colour])
    return full.quantize(palette=palette, dither=Image.Dither.NONE)


def _is_far(edge: Colour, own: tuple[Colour, ...]) -> bool:
    red, green, blue = edge
    return all(abs(red - r) + abs(green - g) + abs(blue - b) > NEAR for r, g, b in own)
