"""The boards of Priests of Ra: as SVG, as text, and in sentences."""

from __future__ import annotations

from pbem.pictures.priestsofra.svg import legend, sheet, svg
from pbem.pictures.priestsofra.text import alt, hand, text

__all__ = ["alt", "hand", "legend", "sheet", "svg", "text"]
