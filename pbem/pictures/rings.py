"""Rings round what changed, each with the number of the event that tells of it; on a page they are links."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from html import unescape

from pbem.engine.core.message import GONE, Event, sentence
from pbem.messages import Translator
from pbem.pictures.elements import escaped, fill, stroke, words
from pbem.structs import Value

Box = tuple[float, float, float, float]
"""Left, top, width and height."""
Spot = tuple[float, float]
Marked = tuple[tuple[str, int], ...]
"""Ids of board elements, each with the number its ring bears."""
MOST = 6
"""Rings on one board; dozens of them bury it."""
EACH = 3
RADIUS = 12.0
"""Of a number's disc."""
_EDGE = 3.0
_LINK = re.compile(r'<a id="([^"]+)" class="ring" href="#\w+-event-(\d+)">')


class Numbered(Value):
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
    """Return the numbers that stand on a board, each with the id of the first link that bears it.

    What an event touched may be gone from the board since: its number then leads nowhere.
    """
    found: dict[int, str] = {}
    for name, number in _LINK.findall(svg):
        found.setdefault(int(number), unescape(name))
    return found


class Highlights:
    """Draws the rings of one board where the elements are, and keeps their numbers for the end, above everything."""

    def __init__(self, game: str, say: Translator, rings: Marked = ()) -> None:
        """Take the game, the reader's translator, and what has changed."""
        self.game = game
        self.say = say
        self.numbers = dict(rings)
        self._links: list[str] = []
        self._at: list[Spot] = []

    def ring(self, mark: str, place: Box, *spots: Spot) -> str:
        """A thin ring round `place`, its number at the first free one of `spots`, else in the upper right corner.

        Nothing if `mark` is as it was, or if no spot is left, for no number covers anything.
        """
        number = self.numbers.get(mark)
        if number is None:
            return ""
        x, y, width, height = place
        wanted = spots or ((x + width - RADIUS, y + RADIUS),)
        free = [
            spot
            for spot in wanted
            if all(max(abs(spot[0] - at[0]), abs(spot[1] - at[1])) >= 2 * RADIUS for at in self._at)
        ]
        if not free:
            return ""
        self._at.append(free[0])
        self._links.append(self._link(mark, number, *free[0]))
        wide, high = width + 2 * _EDGE, height + 2 * _EDGE
        return (
            f'<g class="frame"><rect x="{x - _EDGE:g}" y="{y - _EDGE:g}" width="{wide:g}" height="{high:g}" rx="6"'
            f' pointer-events="none"{stroke("accent", 2.5)}/></g>'
        )

    def links(self) -> str:
        """Return the numbers of the rings drawn since it was last asked for, each a link to `#<game>-event-N`."""
        links = "".join(self._links)
        self._links, self._at = [], []
        return links

    def _link(self, mark: str, number: int, x: float, y: float) -> str:
        title = self.say(sentence("What happened here: number {number}", number=number))
        name = f"{self.game}-ring-{escaped(mark)}"
        return (
            f'<a id="{name}" class="ring" href="#{self.game}-event-{number}"><title>{escaped(title)}</title>'
            f'<circle cx="{x:g}" cy="{y:g}" r="19" fill="none" pointer-events="all"/>'
            f'<circle cx="{x:g}" cy="{y:g}" r="{RADIUS:g}"{fill("accent")}/>'
            f"{words(x, y + 6, str(number), 18, weight=600, anchor='middle', colour='paper')}</a>"
        )
