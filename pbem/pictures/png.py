"""SVG to PNG for letters, with the fonts of the house and no others."""

from __future__ import annotations

from functools import lru_cache
from io import BytesIO
from pathlib import Path

import resvg_py
from PIL import Image

from pbem.pictures.marks import night_style

COLOURS = 256
"""Enough for flat colours and their soft edges; a third of the size of a full-colour picture."""
EFFORT = 6
"""A seventh fewer bytes than with 3, for three milliseconds more; 9 takes ten times as long for little."""
FONTS = [str(path) for path in sorted(Path(__file__).with_name("fonts").glob("*.ttf"))]


@lru_cache(maxsize=256)
def png(svg: str, width: int = 600, *, night: bool = False) -> bytes:
    """The picture as PNG, `width` pixels wide, kept for the next letter that shows the same board."""
    made: bytes = resvg_py.svg_to_bytes(
        svg_string=svg,
        width=width,
        style_sheet=night_style() if night else None,
        font_files=FONTS,
        skip_system_fonts=True,
    )
    out = BytesIO()
    full = Image.open(BytesIO(made))
    full.quantize(COLOURS, Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE).save(out, "PNG", compress_level=EFFORT)
    return out.getvalue()
