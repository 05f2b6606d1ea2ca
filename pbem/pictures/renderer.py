"""What every game's board is drawn by: one view, one reader's language, the rings, and shapes with straight edges.

Straight edges cost the renderer a tenth of what circles and round corners do.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from functools import wraps
from typing import TYPE_CHECKING, Any, Generic, TypeVar, cast

from pbem.engine.core.message import N_, Message
from pbem.messages import Translator
from pbem.pictures.elements import memoized, named, words
from pbem.pictures.rings import Highlights

if TYPE_CHECKING:
    from pbem.engine.core.message import Param

V = TypeVar("V")
Draw = TypeVar("Draw", bound=Callable[..., str])

Say = Translator
"""Says a sentence in the reader's language."""
Legend = tuple[tuple[str, str], ...]
"""Signs as shapes, each in a box of 32 by 24, and what they mean."""


class Renderer(Generic[V]):
    """One view being drawn for one reader."""

    game: str
    """The game's name, which the ids of its board's elements begin with."""

    def __init__(self, view: V, say: Say, rings: Highlights | None = None) -> None:
        """Take the view, the reader's translator, and the rings round what changed; none for what nothing rings."""
        self.view = view
        self.say = say
        self.rings = rings or Highlights(self.game, say)

    def word(self, text: str, **params: Param) -> str:
        """Return a sentence in the reader's language."""
        return self.say(text, **params)

    def player(self, seat: int) -> str:
        """Return what a seat is called."""
        return self.say.name(seat)

    def named(self, mark: str, title: str, *inside: str) -> str:
        """Return a board element with its mark and its title."""
        return named(self.game, mark, title, *inside)


def kept(draw: Draw) -> Draw:
    """Return a method that draws of nothing but what it is given, an element's mark first, and the reader's words.

    Most of that is alike on many boards, whoever plays: it is drawn once, and anew only where it is ringed.
    """

    @memoized
    def plain(kind: Any, language: str, game: str, *given: Any) -> str:
        return draw(kind(None, Say(language, game=game)), *given)

    @wraps(draw)
    def drawn(self: Any, *given: Any) -> str:
        if given[0] in self.rings.numbers:
            return draw(self, *given)
        return plain(self.__class__, self.say.language, self.say.game, *given)

    return cast("Draw", drawn)


@memoized
def rectangle(x: float, y: float, width: float, height: float, paint: str) -> str:
    """Return a rectangle with sharp corners, painted by `fill`, `stroke` or `fill_and_stroke`."""
    return f'<rect x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}"{paint}/>'


def path(d: str, paint: str) -> str:
    """Return a path painted by `fill`, `stroke` or `fill_and_stroke`; nothing for an empty one."""
    return f'<path d="{d}"{paint}/>' if d else ""


_START = re.compile(r"M(-?[0-9.]+) (-?[0-9.]+)")


def sign(*outlines: tuple[str, str]) -> Callable[[float, float], str]:
    """Return what draws a sign at (x, y): outlines that begin as if it stood at (0, 0), each with its paint."""
    drawn = "".join(path(*outline) for outline in outlines)

    @memoized
    def at(x: float, y: float) -> str:
        return _START.sub(lambda start: f"M{x + float(start[1]):g} {y + float(start[2]):g}", drawn)

    return at


def explained(signs: Iterable[tuple[str, str]], say: Say) -> Legend:
    """Return a legend's signs, each in a box of 32 by 24, and what they mean; last that of a value in doubt."""
    doubt = words(16, 18, "?", 18, anchor="middle", colour="muted"), N_("printed value that no source confirms")
    return tuple((sign, say(Message(told))) for sign, told in (*signs, doubt))
