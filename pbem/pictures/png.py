"""SVG to PNG for letters, with the fonts of the house and no others.

ThorVG draws to plain pixels in a tenth of the time that resvg took to letter, draw and pack the same board.
It is a library in C++, so no word of a player's goes into it: titles are left out, lettering comes as outlines.
"""

from __future__ import annotations

import re
from functools import cache, lru_cache
from io import BytesIO
from threading import Lock

from PIL import Image
from thorvg_python.base import Colorspace, Result
from thorvg_python.canvas.sw import SwCanvas
from thorvg_python.engine import Engine
from thorvg_python.paint.picture import Picture

from pbem.pictures.elements import night_style
from pbem.pictures.lettering import outlined

SOFT = 48
"""Colours for soft edges beside a drawing's own; half the bytes of 256 colours, and no eye sees the difference."""
NEAR = 24
"""A soft edge this near to one of the drawing's own colours (summed over red, green, blue) takes that colour."""
SAMPLE = 3
"""Soft edges are looked for in every third pixel of every third line: the same colours, for a fifth of the time."""
EFFORT = 5
"""Of 6 a picture would have a twenty-fifth fewer bytes and take two milliseconds more, of 4 the other way round."""
_PAGE = 65_536
"""Drawings are padded to whole pages: ctypes keeps a type for every length it has ever been given."""
_ONE_AT_A_TIME = Lock()
"""The renderer keeps lists of its own that two threads must not change at once."""
_SIZE = re.compile(r'<svg [^>]*\bwidth="(\d+)" height="([\d.]+)"[^>]*>')
_COLOUR = re.compile(r"#[0-9a-f]{6}\b")
_TITLE = re.compile(r"<title[^>]*>[^<]*</title>")

Colour = tuple[int, ...]


@lru_cache(maxsize=256)
def png(svg: str, width: int = 600, *, night: bool = False) -> bytes:
    """Return the picture as PNG, `width` pixels wide, kept for the next letter that shows the same board."""
    drawn = _TITLE.sub("", outlined(svg))
    if night:
        drawn = _SIZE.sub(rf"\g<0><style>{night_style()}</style>", drawn, count=1)
    out = BytesIO()
    _flat(_pixels(drawn, width), _own_colours(drawn)).save(out, "PNG", compress_level=EFFORT)
    return out.getvalue()


def _pixels(svg: str, width: int) -> Image.Image:
    """Return the drawing in full colour; raises ValueError if it doesn't begin as `marks.drawing` begins one."""
    size = _SIZE.match(svg)
    if size is None:
        raise ValueError(f"A drawing begins with its width and height, this one with {svg[:80]!r}.")
    height = round(float(size[2]) * width / int(size[1]))
    with _ONE_AT_A_TIME:
        canvas, picture = SwCanvas(_engine()), Picture(_engine())
        canvas.set_target(width, height, cs=Colorspace.ABGR8888)
        data = svg.encode()
        steps = (
            picture.load_data(data.ljust(-(-len(data) // _PAGE) * _PAGE), "svg", None, copy=True),
            picture.set_size(width, height),
            canvas.add(picture),  # from here on it is the canvas's, and goes with it
            canvas.draw(clear=True),
            canvas.sync(),
            canvas.destroy(),
        )
    if any(step != Result.SUCCESS for step in steps):
        raise ValueError(f"ThorVG could not draw a board: {steps}.")
    return Image.frombytes("RGB", (width, height), bytes(canvas.buffer_arr or b""), "raw", "RGBX")


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
    return all(sum(abs(a - b) for a, b in zip(edge, colour, strict=True)) > NEAR for colour in own)
