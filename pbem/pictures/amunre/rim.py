"""Round the map: heading, temple track, and one line for each seat."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pbem.engine.amunre.data import TEMPLE_LIMITS, TEMPLE_SPACES
from pbem.engine.amunre.words import heading
from pbem.engine.core.types import N_
from pbem.pictures.amunre.lands import HIGH, WIDE
from pbem.pictures.amunre.pen import MARGIN, RIGHT, Pen, camel, card, coin, crown, temple
from pbem.pictures.amunre.said import is_count_open, is_purse_open, offered, temple_of, total_of
from pbem.pictures.elements import both, breadth, cut, fill, seat_mark, words
from pbem.pictures.pen import sharp

if TYPE_CHECKING:
    from collections.abc import Iterator

LINE = 36
"""The height of one seat's line."""


class Rim(Pen):
    """Draws what isn't a province."""

    def head(self) -> str:
        """Where the game stands."""
        title = cut(self.say(heading(self.view)), RIGHT - MARGIN, 25)
        return words(MARGIN, 33, title, 25, weight=600, serif=True)

    def _deck(self, x: float, y: float) -> str:
        """AR-6.9: how many cards deck and discard pile hold."""
        view = self.view
        piles = self.word(N_("deck {deck}, pile {pile}"), deck=view.deck, pile=sum(view.discard))
        lettered = words(x + WIDE / 2, y + 108, piles, 16, anchor="middle", colour="muted")
        return self.named("deck", piles, lettered) + self.rings.ring("deck", x, y + 93, WIDE, 19)

    def temple_box(self, x: float, y: float) -> str:
        """AR-7.4: the four spaces of the temple, with the totals they begin at."""
        view = self.view
        spaces = [self._space(space, x + 6 + (space - 1) * 30.5, y + 24) for space in range(1, TEMPLE_SPACES + 1)]
        lettered = words(x + WIDE / 2, y + 16, self.word(N_("Temple")), 16, anchor="middle", colour="muted")
        track = self.named("temple", self.say(temple_of(view)), lettered, *spaces)
        total = total_of(view)
        told = self.say(total) if total else ""
        line = self.named(
            "total",
            told or self.word(N_("no offerings yet")),
            words(x + WIDE / 2, y + 90, told, 16, weight=600, anchor="middle"),
        )
        rings = self.rings.ring("temple", x, y, WIDE, HIGH - 38) + self.rings.ring("total", x, y + 75, WIDE, 19)
        return track + line + self._deck(x, y) + rings

    def _space(self, space: int, x: float, y: float) -> str:
        here = self.view.temple == space
        paint = both("accent", "accent", 1) if here else both("paper", "muted", 1)
        number = words(x + 14, y + 22, str(space), 20, weight=600, anchor="middle", colour="paper" if here else "ink")
        low = f"{TEMPLE_LIMITS[space - 2] + 1}+" if space > 1 else ""
        top = temple(x + 6, y + 30, fill("accent")) if here else ""
        foot = "" if here else words(x + 14, y + 44, low, 14, anchor="middle", colour="muted")
        return sharp(x, y, 28, 28, paint) + number + foot + top

    def legend(self, y: float) -> str:
        """What the small signs mean."""
        signs = (
            (card, 16, N_("card limit")),
            (coin, 21, N_("income")),
            (camel, 27, N_("income by camel")),
            (_front, 21, N_("temple")),
        )
        x, parts = float(MARGIN), []
        for sign, wide, text in signs:
            told = self.word(text)
            parts.append(sign(x, y) + words(x + wide, y + 13, told, 15, colour="muted"))
            x += wide + breadth(told, 15) + 18
        return "".join(parts)

    def seats(self, y: float) -> str:
        """One line for each seat."""
        return "".join(self._seat(seat, y + seat * LINE) for seat in range(self.view.seats))

    def _seat(self, seat: int, y: float) -> str:
        view = self.view
        name = self.word("{seat}", seat=seat)
        turn = view.awaited is not None and seat in view.awaited
        parts = [
            sharp(MARGIN, y, RIGHT - MARGIN, LINE - 4, both("raised", "accent" if turn else "line", 2 if turn else 1)),
            seat_mark(seat, MARGIN + 18, y + 16, 11),
            words(MARGIN + 38, y + 22, cut(name, 170, 18), 18, weight=600 if turn else 400),
            crown(MARGIN + 216, y + 9) if view.first == seat else "",
            words(MARGIN + 304, y + 22, str(view.points[seat]), 20, weight=600, anchor="end"),
            words(MARGIN + 310, y + 22, self.word(N_("points")), 16, colour="muted"),
            *self._purse(seat, y),
        ]
        mark = f"seat:{seat}"
        ring = self.rings.ring(mark, MARGIN, y, RIGHT - MARGIN, LINE - 4)
        return self.named(mark, name, *parts) + ring

    def _purse(self, seat: int, y: float) -> Iterator[str]:
        """AR-1.5: gold and cards as far as all may see them; the offering, or the place in the end."""
        view = self.view
        if is_purse_open(view):
            yield coin(MARGIN + 372, y + 8) + words(MARGIN + 393, y + 22, str(view.gold[seat]), 18)
        if is_count_open(view):
            yield card(MARGIN + 432, y + 8) + words(MARGIN + 448, y + 22, str(view.cards[seat]), 18)
        gift = offered(view, seat)
        last = (
            self.word(N_("place {place}"), place=view.places[seat]) if view.places else self.say(gift) if gift else ""
        )
        yield words(RIGHT - 8, y + 22, cut(last, 104, 16), 16, anchor="end") if last else ""


def _front(x: float, y: float) -> str:
    return temple(x, y, fill("ink"))
