"""A finished game as one file: every position drawn, every order shown, styles, letters and script inside."""

from __future__ import annotations

import base64
import functools
import re
from collections.abc import Sequence
from typing import Any

from markupsafe import Markup
from msgspec.structs import replace

from pbem.pictures.blocks import Part
from pbem.play.views.spectator import WatchedPosition
from pbem.web import pages
from pbem.web.assets import MANIFEST
from pbem.web.play import boards

_FONT = re.compile(r'url\("\.\./(fonts/[^"]+)"\)')


@functools.cache
def sheet() -> Markup:
    """Our style sheet with the letters inside it, but for those of rarer alphabets."""
    lines = [line for line in MANIFEST["css/pbem.css"].plain.decode().splitlines() if "-latin-ext" not in line]
    return Markup(_FONT.sub(_inside, "\n".join(lines)))  # noqa: S704 - ours


def _inside(found: re.Match[str]) -> str:
    """Return a font file as part of the style sheet."""
    return f'url("data:font/woff2;base64,{base64.b64encode(MANIFEST[found[1]].plain).decode()}")'


def address(ply: int) -> str:
    """Return where a position stands within the file."""
    return f"#p{ply}"


def _drawn(seen: WatchedPosition) -> boards.BoardView:
    """Return the board of one position, its ids made this position's own: all of them stand in one file."""
    board = boards.draw(seen.situation, pages.translator_at(seen.situation), seen.told)
    own, page = board.rings.name, f"p{seen.situation.ply}-"

    def renamed(part: Part) -> str:
        return part.svg.replace(f'="{own}-', f'="{page}{own}-').replace(f"#{own}-", f"#{page}{own}-")

    links = {number: page + name for number, name in board.rings.links.items()}
    rings = replace(board.rings, name=page + own, links=links)
    return replace(boards.redrawn(board, renamed), rings=rings)


def whole(plies: Sequence[WatchedPosition]) -> dict[str, Any]:
    """Return what the keepsake's template needs besides the last situation."""
    return {
        "sheet": sheet(),
        "script": Markup(MANIFEST["js/keepsake.js"].plain.decode()),  # noqa: S704 - ours
        "url": address,
        "steps": [(seen, _drawn(seen)) for seen in plies],
    }
