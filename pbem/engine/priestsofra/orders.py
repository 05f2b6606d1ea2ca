"""The six orders, their one canonical text, and the table that documents how they may be written."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from pbem.engine.core.types import N_, Order
from pbem.engine.priestsofra.data import FACES, SPELLINGS
from pbem.engine.text.notation import GrammarRow, Names

if TYPE_CHECKING:
    from collections.abc import Iterable


class Draw(Order, frozen=True, tag="draw"):
    """Draw a tile; if it has a face of `prefer`, that face is shown at once (PR-2.1, PR-2.3)."""

    prefer: tuple[int, ...] = ()
    """Faces in the order of scoring, at most one of each tile."""

    def __str__(self) -> str:
        return f"draw {_listed(self.prefer)}" if self.prefer else "draw"


class Call(Order, frozen=True, tag="ra"):
    """Call Ra: start an auction (PR-2.1)."""

    def __str__(self) -> str:
        return "ra"


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

    def __str__(self) -> str:
        return "pass"


class Flip(Order, frozen=True, tag="flip"):
    """Turn own two-faced tiles, named by the faces they show now (PR-4.1)."""

    faces: tuple[int, ...] = ()
    """In the order of scoring; a face may come several times."""

    def __str__(self) -> str:
        return f"flip {_listed(self.faces)}" if self.faces else "flip none"


AnyOrder: TypeAlias = Draw | Call | Show | Bid | Pass | Flip


def _listed(faces: Iterable[int]) -> str:
    return ", ".join(FACES[face] for face in faces)


FACE_NAMES = Names(N_("face"), dict(zip(FACES, SPELLINGS, strict=True)))

# The words of each verb and particle, folded: English, Italian, French.
DRAW = (
    "(?:draw|pesca|pescare|pesco|estrai|estraggo|pioche|piocher|tire|tirer)"
    "(?: (?:a|one|una|la|une) (?:tile|tessera|tuile))?"
)
RA = r"(?:(?:call|invoke|invoca|invoco|chiama|chiamo|invoque|invoquer|appelle|appeler) )?ra|call"
SHOW = "show|face|mostra|mostro|montre|montrer"
BID = "bid|offri|offro|punta|punto|offre|mise|miser"
PASS = "pass|passo|passa|passe|passer|no bid"  # noqa: S105 - the word for not bidding, no secret
FLIP = "flip|turn(?: over)?|gira|giro|girare|retourne|retourner"
NONE = "none|nothing|nessuno|nessuna|niente|aucun|aucune|rien"
LOWEST = "lowest|piu basso|minimo|plus bas"
HIGHEST = "highest|piu alto|massimo|plus haut"
UP_TO = "up to|fino a|al massimo|jusqu'a"
TO = "to|into|in|en"
SPLIT = r" *(?:,|\+|&| and | e | et ) *"

SPOKEN = {
    "draw": ("pesca", "pioche"),
    "show": ("mostra", "montre"),
    "bid": ("offri", "mise"),
    "lowest": ("minimo", "plus bas"),
    "highest": ("massimo", "plus haut"),
    "up to": ("fino a", "jusqu'à"),
    "pass": ("passo", "passe"),
    "flip": ("gira", "retourne"),
    "none": ("niente", "rien"),
}
"""What canonical orders say in Italian and French."""

_NAME = "(?:" + "|".join(FACE_NAMES.spellings()) + ")"
_NAMES = f"{_NAME}(?:{SPLIT}{_NAME})*"
_TURNED = f"(?:[0-9]+ )?{_NAME}(?: (?:{TO}) {_NAME})?"
_SUN = "[0-9]{1,2}"

GRAMMAR = (
    GrammarRow(
        "turn",
        "draw",
        "draw",
        N_("Draw a tile. If it has two faces you are asked which one it shows."),
        f"(?:{DRAW})",
    ),
    GrammarRow(
        "turn",
        "draw FACE, FACE ...",
        "draw farmer, market",
        N_("Draw a tile; if it has one of these faces it shows that one, and you aren't asked."),
        f"(?:{DRAW}) {_NAMES}",
    ),
    GrammarRow("turn", "ra", "ra", N_("Call Ra: an auction of the lot begins."), RA),
    GrammarRow(
        "face",
        "show FACE",
        "show farmer",
        N_("The tile just drawn shows this face. The face alone will do: farmer."),
        f"(?:(?:{SHOW}) )?{_NAME}",
    ),
    GrammarRow(
        "bid", "bid SUN", "bid 9", N_("Bid this face-up sun. The number alone will do: 9."), f"(?:(?:{BID}) )?{_SUN}"
    ),
    GrammarRow(
        "bid",
        "bid lowest [up to SUN]",
        "bid lowest up to 9",
        N_("Bid your lowest sun that beats the best bid, if it isn't above the limit. Short: bid up to 9."),
        f"(?:{BID}) (?:(?:{LOWEST})(?: (?:{UP_TO}) {_SUN})?|(?:{UP_TO}) {_SUN})",
    ),
    GrammarRow(
        "bid",
        "bid highest [up to SUN]",
        "bid highest up to 9",
        N_("Bid your highest sun that isn't above the limit, if it beats the best bid."),
        f"(?:{BID}) (?:{HIGHEST})(?: (?:{UP_TO}) {_SUN})?",
    ),
    GrammarRow("bid", "pass", "pass", N_("Make no bid in this auction."), f"(?:{PASS})"),
    GrammarRow(
        "flip",
        "flip FACE, FACE ...",
        "flip farmer, library",
        N_("Flip one tile of yours for each priest just won; name the faces they show now, as often as you flip one."),
        f"(?:{FLIP}) {_TURNED}(?:{SPLIT}{_TURNED})*",
    ),
    GrammarRow("flip", "flip none", "flip none", N_("Flip nothing."), f"(?:{FLIP}) (?:{NONE})", f"(?:{NONE})"),
)
