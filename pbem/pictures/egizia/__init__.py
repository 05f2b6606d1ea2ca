"""The boards of Egizia: as SVG, as text, and in sentences."""

from __future__ import annotations

from pbem.pictures.egizia.svg import legend, printed, sheet, svg
from pbem.pictures.egizia.text import alt, hand, text

__all__ = ["alt", "hand", "legend", "printed", "sheet", "svg", "text"]
