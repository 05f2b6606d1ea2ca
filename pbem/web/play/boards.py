"""A position's board for a page: the drawing, and the same in text."""

from __future__ import annotations

import functools
import re
from collections import Counter
from typing import TYPE_CHECKING, Any

from markupsafe import Markup
from msgspec.structs import replace

from pbem import pictures
from pbem.engine.registry import guide_of, rules_for
from pbem.messages import Translator
from pbem.pictures.blocks import columns
from pbem.pictures.rings import drawn, numbered
from pbem.structs import Value
from pbem.study import guides

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from pbem.engine.core.message import Event
    from pbem.engine.core.types import AnyRules
    from pbem.pictures.blocks import Column, Part
    from pbem.pictures.rings import Marked
    from pbem.play.views.positions import VisibleEvent
    from pbem.play.views.seat_view import Situation


_EVENT_LINK = re.compile(r'href="#\w+-event-\d+"')


class RingLegend(Value):
    """Which of the rings on the board belong to which of the events beside it."""

    name: str = ""
    """What the ids of the board and of the events begin with."""
    numbers: tuple[int, ...] = ()
    """Event by event: the number of its rings, 0 for none."""
    links: Mapping[int, str] = {}
    """Number by number: the id of its first ring on the board."""

    def beside(self, told: Sequence[Any]) -> Iterator[tuple[Any, int, str]]:
        """Yield each event with its number and the id of its first ring; empty for none."""
        return ((one, number, self.links.get(number, "")) for one, number in zip(told, self.numbers, strict=True))


class BoardView(Value):
    """What the board part of a page shows; what explains it is made only where it is asked for."""

    columns: tuple[Column, ...]
    words: str
    """The board in sentences."""
    hand: tuple[str, ...] = ()
    """What only the reader's seat knows, in sentences."""
    rings: RingLegend = RingLegend()
    view: Any = None
    say: Translator | None = None
    """Without one there is nothing to explain."""

    @property
    def text(self) -> str:
        """The board in monospace."""
        return pictures.of(self.say.game).text(self.view, self.say) if self.say else ""

    @property
    def legend(self) -> tuple[tuple[Markup, str], ...]:
        """Each sign on the board, and what it means."""
        return _legend(self.say.game, self.say.language) if self.say else ()

    @property
    def is_explained(self) -> bool:
        """Whether there is a glossary of what it may name."""
        return self.say is not None and guide_of(self.say.game) is not None

    @property
    def things(self) -> tuple[str, ...]:
        """The glossary's keys of the cards and spaces that the board names."""
        if self.say is None:
            return ()
        return tuple(entry.key for entry in guides.named(self.say, self.text, self.words, *self.hand))


@functools.cache
def _legend(game: str, language: str) -> tuple[tuple[Markup, str], ...]:
    found = pictures.of(game).legend(Translator(language, game=game))
    return tuple((Markup(sign), told) for sign, told in found)  # noqa: S704 - our own shapes


class ListedEvent(Value):
    """An event as the list beside a board takes it, where no ply is stored that it could be told from."""

    event: Event


def draw(s: Situation, say: Translator, told: Sequence[VisibleEvent] = ()) -> BoardView:
    """Draw the position, what `told` has changed ringed with the numbers that those events have in their list."""
    return draw_view(rules_for(s.game), s.view, say, [one.event for one in told])


def draw_marked(s: Situation, say: Translator, marks: Marked) -> BoardView:
    """Draw the position, these elements of it ringed, each with its number; all of them lead to the page's top."""
    board = _drawn(rules_for(s.game), s.view, marks, say)
    return redrawn(board, lambda part: _EVENT_LINK.sub('href="#main"', part.svg))


def redrawn(board: BoardView, change: Callable[[Part], str]) -> BoardView:
    """Return the board with what `change` makes of each part's drawing."""
    columns = tuple(
        replace(column, parts=tuple(replace(part, svg=change(part)) for part in column.parts))
        for column in board.columns
    )
    return replace(board, columns=columns)


def draw_view(rules: AnyRules, view: Any, say: Translator, events: Sequence[Event] = ()) -> BoardView:
    """Draw what somebody may see, what `events` have changed ringed with their numbers."""
    numbers = numbered(events)
    board = _drawn(rules, view, numbers.rings, say)
    return replace(board, rings=replace(board.rings, numbers=numbers.events))


def draw_next(s: Situation, say: Translator, after: Any, told: Sequence[VisibleEvent] = ()) -> BoardView:
    """Return the board as an order would leave it: what it brings is marked as `mine`, to be shown half-transparent."""
    now, then = draw(s, say, told), draw(replace(s, view=after), say, told)
    drawn_now = {part.name: part.svg for column in now.columns for part in column.parts}
    return redrawn(then, lambda part: _mine(part.svg, drawn_now.get(part.name, "")))


_SHAPE = re.compile(r"<(text|path|rect|circle|polygon|use)\b[^>]*?(?:/>|>[^<]*</\1>)")


def _mine(svg: str, before: str) -> str:
    """Return a drawing with every shape that was not there before marked."""
    there = Counter(found[0] for found in _SHAPE.finditer(before))

    def marked(found: re.Match[str]) -> str:
        there[found[0]] -= 1
        return found[0] if there[found[0]] >= 0 else f'<g class="mine">{found[0]}</g>'

    return _SHAPE.sub(marked, svg)


def _drawn(rules: AnyRules, view: Any, rings: Marked, say: Translator) -> BoardView:
    """Return the drawing of a view, and the same in sentences."""
    game = rules.meta.name
    if say.game != game:
        say = Translator(say.language, names=say.names, game=game)
    room = pictures.of(game)
    sheet = room.sheet(view, say, rings)
    links = drawn(sheet.links)
    return BoardView(
        columns(sheet), room.alt(view, say), room.hand(view, say), RingLegend(game, links=links), view, say
    )
