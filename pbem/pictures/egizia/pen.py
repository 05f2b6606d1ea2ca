"""What all parts of the picture are drawn with: a pen that knows the board, and small signs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pbem.engine.egizia import data
from pbem.engine.egizia.state import colour_of
from pbem.engine.egizia.tables import FIELD, tables_of
from pbem.pictures import pen
from pbem.pictures.elements import breadth, cut, fill, stroke
from pbem.pictures.pen import path

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pbem.engine.egizia.state import State
    from pbem.engine.egizia.tables import Tables
    from pbem.engine.egizia.view import View
    from pbem.pictures.pen import Say
    from pbem.pictures.rings import Rings

GAME = "egizia"
WIDTH = 600
MARGIN = 14
RIGHT = WIDTH - MARGIN
FIELD_PAINT = ("field", "sand", "gold")
"""What green, yellow and brown fields are filled with; their names stand beside them."""


class Pen(pen.Pen):
    """One view being drawn for one reader. Only what everybody may see is drawn."""

    game = GAME

    def __init__(self, view: View, say: Say, rings: Rings) -> None:
        """Take the view, the reader's voice, and the rings round what changed."""
        super().__init__(say, rings)
        self.board: State = view.board
        self.t: Tables = tables_of(view.board.components)

    def card(self, card: int) -> str:
        """What a Nile card is, in words: `brown field 6`."""
        name = self.word(self.t.what[card])
        return f"{name} {self.t.value[card]}" if _counts(self.t, card) else name

    def field(self, seat: int, card: int) -> str:
        """An own field with its present colour: `green 6`."""
        return f"{self.word(data.COLOURS[colour_of(self.t, self.board, seat, card)])} {self.t.value[card]}"


def _counts(t: Tables, card: int) -> bool:
    """Whether a card's value says more than its name does."""
    return bool(t.value[card]) and t.power[card] not in {data.PLUS_3, data.GRAVES_8, data.SELL}


def wrapped(text: str, width: float, size: int) -> tuple[str, ...]:
    """`text` on one line, or on two that fit into `width`, the second shortened if need be."""
    if breadth(text, size) <= width:
        return (text,)
    line = ""
    pieces = text.split(" ")
    for count in range(len(pieces) - 1, 0, -1):
        line = " ".join(pieces[:count])
        if breadth(line, size) <= width:
            return line, cut(" ".join(pieces[count:]), width, size)
    return (cut(text, width, size),)


def hull(x: float, y: float) -> str:
    """A ship's hull, 30 wide, its deck's middle at (x, y)."""
    return path(f"M{x - 17:g} {y:g}h34l-6 9h-22z", fill("ink"))


def crossed(x: float, y: float, width: float) -> str:
    """A line through words: a crew that has worked."""
    return path(f"M{x:g} {y:g}h{width:g}", stroke("muted", 1.5))


def is_field(t: Tables, card: int) -> bool:
    """Whether a Nile card is a field."""
    return t.type[card] == FIELD


def counted(cards: Iterable[str]) -> list[str]:
    """Names, those that stand more than once with how often."""
    names = list(cards)
    return [
        name if names.count(name) == 1 else f"{name} \N{MULTIPLICATION SIGN}{names.count(name)}"
        for name in dict.fromkeys(names)
    ]
