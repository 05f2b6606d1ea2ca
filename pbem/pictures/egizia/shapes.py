"""What all parts of the picture are drawn with: a renderer that knows the board, and small signs."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from pbem.engine.egizia import data
from pbem.engine.egizia.cards import has_value
from pbem.engine.egizia.state import Own
from pbem.engine.egizia.view import View
from pbem.pictures import blocks, renderer
from pbem.pictures.elements import fill, fill_and_stroke, memoized, stroke, text_width, truncated, words
from pbem.pictures.renderer import kept, path, rectangle, sign

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from pbem.engine.egizia.state import State
    from pbem.engine.egizia.tables import Tables

GAME = "egizia"
WIDTH = blocks.WIDTH
MARGIN = 14
RIGHT = WIDTH - MARGIN
FIELD_PAINT = ("field", "sand", "gold")
"""What green, yellow and brown fields are filled with; the first letters of their names stand in them."""
DOUBT = "\N{NO-BREAK SPACE}?"
"""Behind the name of what prints a value that no source confirms."""
_CREW_PAINT = (("accent", "paper"), ("ink", "paper"), ("sand", "dark"), ("raised", "ink"))
"""Body and letter of the blue, black and yellow crew and of the joker."""


class Renderer(renderer.Renderer[View]):
    """One view being drawn for one reader. Only what everybody may see is drawn."""

    game = GAME

    @property
    def board(self) -> State:
        """The position."""
        return self.view.board

    @cached_property
    def t(self) -> Tables:
        """What the box of this game prints."""
        return self.board.t

    def own(self, seat: int) -> Own:
        """Return what a seat has."""
        return self.board.own(seat)

    def card(self, card: int) -> str:
        """Return what a Nile card is, in words: `brown field 6`."""
        name = self.word(self.t.what[card])
        return f"{name} {self.t.value[card]}" if has_value(self.t, card) else name

    def track_name(self, text: str, part: str) -> str:
        """Return the name of a track, with a question mark if no source confirms what it prints."""
        return self.word(text) + ("" if self.t.parts.confirmed.get(part) else DOUBT)

    def usable(self, seat: int) -> list[str]:
        """Return the cards that lie open and can be used, then the used ones in brackets."""
        ready = self.own(seat).ready
        used = [card for card in self.board.permanents[seat] if card not in ready]
        return [*counted(map(self.card, ready)), *(f"({name})" for name in counted(map(self.card, used)))]

    def market_labels(self) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """EG-5.1, EG-9.1: what counts on each space of the stone market, and of the grain market."""
        sells = tuple("2:1" if sells else "" for sells in self.t.parts.stone_market_sell)
        return sells, tuple(map(str, self.t.parts.grain_market_cost))

    def field(self, seat: int, card: int) -> str:
        """Return an own field with its present colour: `green 6`."""
        return f"{self.word(data.COLOURS[self.own(seat).colour(card)])} {self.t.value[card]}"

    def swatch(self, colour: int, x: float, y: float, told: str = "") -> str:
        """Return a field: its colour, the colour's first letter, and its value where it is told; 22 high."""
        letter = self.word(data.COLOURS[colour])[:1].upper() + told
        wide = max(24.0, text_width(letter, 18) + 8)
        lettered = words(x + wide / 2, y + 18, letter, 18, anchor="middle", colour="dark")
        return rectangle(x, y, wide, 23, fill_and_stroke(FIELD_PAINT[colour], "ink", 1)) + lettered

    @kept
    def crew(self, crew: int, x: float, y: float) -> str:
        """Return a crew as a figure with its letter on its body, 24 by 30."""
        return figure(crew, [self.word(name) for name in data.CREWS], x, y)


def crew_letters(names: Sequence[str]) -> tuple[str, ...]:
    """Return a letter for each crew: its name's first, or its last where a crew before begins so (blue, blacK)."""
    found: list[str] = []
    for name in names:
        first, last = name[:1].upper(), name[-1:].upper()
        found.append(last if first in found else first)
    return tuple(found)


def figure(crew: int, names: Sequence[str], x: float, y: float) -> str:
    """Return a crew as a figure, 24 by 30: its letter among the reader's `names` stands on it."""
    body, ink = _CREW_PAINT[crew]
    drawn = path(f"M{x + 7:g} {y + 9:g}v-6l3-3h4l3 3v6l5 3l2 18h-24l2-18z", fill_and_stroke(body, "ink", 1.3))
    return drawn + words(x + 12, y + 27, crew_letters(names)[crew], 18, weight=600, anchor="middle", colour=ink)


def wrapped(text: str, width: float, size: int) -> tuple[str, ...]:
    """`text` on lines that fit into `width`, broken at its blanks; a word that is longer is shortened."""
    if text_width(text, size) <= width:
        return (text,)
    lines = [""]
    for word in text.split(" "):
        longer = f"{lines[-1]} {word}".lstrip()
        if text_width(longer, size) <= width:
            lines[-1] = longer
        else:
            lines.append(word)
    return tuple(truncated(line, width, size) for line in lines if line)


ship = sign(("M0 14h26l-5 8h-16z", fill("ink")), ("M13 0v13h-10zM15 2v11h8z", fill_and_stroke("sand", "ink", 1)))
"""A ship with its sail, 26 by 22."""
hull = sign(("M-17 0h34l-6 9h-22z", fill("ink")))
"""A ship's hull, 34 wide, drawn at its deck's middle."""
stone = sign(
    ("M0 6l6-6h18v12l-6 6h-18z", fill_and_stroke("line", "ink", 1.2)), ("M0 6h18v12M18 6l6-6", stroke("ink", 1.2))
)
"""A hewn block, 24 by 18."""
scroll = sign(("M3 0h16v20h-16z", fill_and_stroke("sand", "ink", 1.2)), ("M0 0h22M0 20h22", stroke("ink", 3)))
"""A Sphinx card: a scroll, 22 by 20."""
grave = sign(("M0 22v-14l6-8h8l6 8v14z", fill_and_stroke("sand", "ink", 1.2)), ("M6 22v-10h8v10z", fill("ink")))
"""A rock grave's door, 20 by 22."""
ear = sign(
    ("M8 24v-20", stroke("ink", 1.5)),
    ("M8 14l-6-4v-4zM8 14l6-4v-4zM8 9l-6-4v-4zM8 9l6-4v-4z", fill_and_stroke("gold", "ink", 0.8)),
)
"""An ear of corn, 16 by 24."""
star = sign(("M10 0l10 11l-10 11l-10-11z", fill_and_stroke("gold", "ink", 1.2)))
"""Points: a diamond, 20 by 22."""
arrow = sign(("M0 7h12v-6l12 9l-12 9v-6h-12z", fill_and_stroke("sand", "ink", 1.2)))
"""Steps on a market, 24 by 20."""
lasting = sign(("M3 3h10v10h-10zM10 6h12v10h-12z", stroke("ink", 2.5)))
"""A card that lasts: two links of a chain, 26 by 16."""


@memoized
def crossed(x: float, y: float) -> str:
    """Return a line through a figure: a crew that has worked."""
    return path(f"M{x:g} {y:g}l28 -30", stroke("danger", 3))


def counted(cards: Iterable[str]) -> list[str]:
    """Names, those that stand more than once with how often."""
    names = list(cards)
    return [
        name if names.count(name) == 1 else f"{name} \N{MULTIPLICATION SIGN}{names.count(name)}"
        for name in dict.fromkeys(names)
    ]
