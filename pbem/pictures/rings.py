"""Rings round what changed, each with the number of the event that tells of it; on a page they are links."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from html import escape, unescape

import msgspec

from pbem.engine.core.types import N_, Event, Message
from pbem.pictures.elements import fill, stroke, words

Marked = tuple[tuple[str, int], ...]
"""Ids of board elements, each with the number its ring bears."""
_EDGE = 3.0
_LINK = re.compile(r'<a id="([^"]+)" href="#\w+-event-(\d+)">')


class Numbered(msgspec.Struct, frozen=True):
    """The events of a list with their numbers, and what they ring on the board."""

    events: tuple[int, ...] = ()
    """Event by event: its number, counted from 1; 0 for one that rings nothing."""
    rings: Marked = ()


def numbered(events: Sequence[Event]) -> Numbered:
    """Number the events in their order; an element that several have changed belongs to the last of them."""
    last = {mark: at for at, event in enumerate(events) for mark in event.marks}
    number = {at: count for count, at in enumerate(sorted(set(last.values())), 1)}
    return Numbered(
        tuple(number.get(at, 0) for at in range(len(events))),
        tuple((mark, number[at]) for mark, at in last.items()),
    )


def drawn(svg: str) -> Mapping[int, str]:
    """The numbers that stand on a board, each with the id of the first link that bears it.

    What an event touched may be gone from the board since: its number then leads nowhere.
    """
    found: dict[int, str] = {}
    for name, number in _LINK.findall(svg):
        found.setdefault(int(number), unescape(name))
    return found


class Rings:
    """Draws the rings of one board where the elements are, and keeps their numbers for the end, above everything."""

    def __init__(self, game: str, say: Callable[[Message | Event], str], rings: Marked = ()) -> None:
        """Take the game, the reader's voice, and what has changed."""
        self.game = game
        self.say = say
        self.numbers = dict(rings)
        self._links: list[str] = []

    def ring(self, mark: str, x: float, y: float, width: float, height: float) -> str:
        """A thin ring round a box; nothing if `mark` is as it was."""
        number = self.numbers.get(mark)
        if number is None:
            return ""
        self._links.append(self._link(mark, number, x + width + _EDGE - 4, y - _EDGE + 4))
        return (
            f'<rect x="{x - _EDGE:g}" y="{y - _EDGE:g}" width="{width + 2 * _EDGE:g}" height="{height + 2 * _EDGE:g}"'
            f' rx="6"{stroke("accent", 2.5)}/>'
        )

    def links(self) -> str:
        """The numbers of all rings drawn so far, each a link to `#<game>-event-N`, the event's place in its list."""
        return "".join(self._links)

    def _link(self, mark: str, number: int, x: float, y: float) -> str:
        title = self.say(Message(N_("What happened here: number {number}"), {"number": number}))
        name = f"{self.game}-ring-{escape(mark, quote=True)}"
        return (
            f'<a id="{name}" href="#{self.game}-event-{number}"><title>{escape(title)}</title>'
            f'<circle cx="{x:g}" cy="{y:g}" r="22" fill="none" pointer-events="all"/>'
            f'<circle cx="{x:g}" cy="{y:g}" r="12"{fill("accent")}/>'
            f"{words(x, y + 6, str(number), 17, weight=600, anchor='middle', colour='paper')}</a>"
        )
