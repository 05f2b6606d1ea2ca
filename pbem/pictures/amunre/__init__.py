"""The boards of Amun-Re: as SVG, as text, and in sentences."""

from __future__ import annotations

from pbem.pictures.amunre.svg import legend, printed, sheet, svg
from pbem.pictures.amunre.text import alt, hand, text

__all__ = ["alt", "hand", "legend", "printed", "sheet", "svg", "text"]
