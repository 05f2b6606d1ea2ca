"""The six orders, their one canonical text, and the table that documents how they may be written."""

from __future__ import annotations

from typing import TypeAlias

from pbem.engine.core.message import N_
from pbem.engine.core.types import Order
from pbem.engine.priestsofra.data import FACE_SPELLINGS, FACES, LANGUAGE, named
from pbem.engine.text.notation import Names


class Draw(Order, frozen=True, tag="draw"):
    """Draw a tile; if it has a face of `prefer`, that face is shown at once (PR-2.1, PR-2.3)."""

    prefer: tuple[int, ...] = ()
    """Faces in the order of scoring, at most one of each tile."""

    def __str__(self) -> str:
        return f"draw {', '.join(named(self.prefer))}" if self.prefer else "draw"


class Call(Order, frozen=True, tag="ra"):
    """Call Ra: start an auction (PR-2.1)."""


class Show(Order, frozen=True, tag="show"):
    """Choose the face of the tile just drawn (PR-2.3)."""

    face: int

    def __str__(self) -> str:
        return f"show {FACES[self.face]}"


class Bid(Order, frozen=True, tag="bid"):
    """Bid a face-up sun (PR-3.1)."""

    sun: int

    def __str__(self) -> str:
        return f"bid {self.sun}"


class Pass(Order, frozen=True, tag="pass"):
    """Make no bid (PR-3.1)."""


class Flip(Order, frozen=True, tag="flip"):
    """Turn own two-faced tiles, named by the faces they show now (PR-4.1)."""

    faces: tuple[int, ...] = ()
    """In the order of scoring; a face may come several times."""

    def __str__(self) -> str:
        return f"flip {', '.join(named(self.faces))}" if self.faces else "flip none"


AnyOrder: TypeAlias = Draw | Call | Show | Bid | Pass | Flip
FACE_NAMES = Names(N_("face"), FACE_SPELLINGS)

VERBS = LANGUAGE.verbs
"""The words of each verb and particle, folded: English, Italian, French."""
_NAME = "(?:" + "|".join(FACE_NAMES.spellings()) + ")"
GRAMMAR = LANGUAGE.grammar(
    {
        **VERBS,
        "name": _NAME,
        "names": f"{_NAME}(?:{VERBS['split']}{_NAME})*",
        "turned": f"(?:[0-9]+ )?{_NAME}(?: (?:{VERBS['to']}) {_NAME})?",
        "sun": "[0-9]{1,2}",
    }
)
