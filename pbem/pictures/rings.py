"""Rings round what changed, each with the number of the event that tells of it; on a page they are links."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from html import escape, unescape

import msgspec

from pbem.engine.core.types import GONE, N_, Event, Message
from pbem.pictures.elements import fill, stroke, words

Marked = tuple[tuple[str, int], ...]
"""Ids of board elements, each with the number its ring bears."""
MOST = 6
"""Rings on one board; dozens of them bury it."""
EACH = 3
_EDGE = 3.0
_LINK = re.compile(r'<a id="([^"]+)" href="#\w+-event-(\d+)">')


class Numbered(msgspec.Struct, frozen=True):
    """The events of a list with their numbers, and what they ring on the board."""

    events: tuple[int, ...] = ()
    """Event by event: its number, counted from 1; 0 for one that rings nothing."""
    rings: Marked = ()


def numbered(events: Sequence[Event]) -> Numbered:
    """Number the latest and weightiest changes, at most `MOST` of them, in the order of their events.

    An element that several events have changed belongs to the last of them. Places weigh more than a seat's purse,
    then later events more than earlier ones; of one event at most `EACH` elements are ringed.
    """
    last: dict[str, int] = {}
    for at, event in enumerate(events):
        for mark in event.marks:
            if mark.startswith(GONE):
                last = {one: then for one, then in last.items() if not one.startswith(mark[len(GONE) :])}
            else:
                last[mark] = at
    chosen, taken = list[tuple[str, int]](), Counter[int]()
    for mark, at in sorted(last.items(), key=lambda one: (one[0].startswith("seat:"), -one[1])):
        if len(chosen) < MOST and taken[at] < EACH:
            chosen.append((mark, at))
            taken[at] += 1
    number = {at: count for count, at in enumerate(sorted(taken), 1)}
    return Numbered(
        tuple(number.get(at, 0) for at in range(len(events))),
        tuple((mark, number[at]) for mark, at in sorted(chosen, key=lambda one: one[1])),
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
