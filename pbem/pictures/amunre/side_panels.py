"""Round the map: temple track, deck, and one box for each seat."""

from __future__ import annotations

from collections.abc import Iterator

from pbem.engine.amunre.data import TEMPLE_LIMITS, TEMPLE_SPACES
from pbem.engine.core.message import N_
from pbem.pictures.amunre.captions import is_count_open, is_purse_open, offered, temple_of, total_of
from pbem.pictures.amunre.lands import HIGH, WIDE
from pbem.pictures.amunre.shapes import Renderer, card, coin, crown, temple
from pbem.pictures.blocks import HALF, Block
from pbem.pictures.elements import fill, fill_and_stroke, seat_mark, truncated, words
from pbem.pictures.renderer import rectangle

_EDGE = 4
_WIDE = HALF - 2 * _EDGE
_SEAT = 72
_TEMPLE = 132
_SPACE = 66


class SidePanels(Renderer):
    """Draws what isn't a province."""

    def deck(self, x: float, y: float) -> str:
        """AR-6.9: how many cards deck and discard pile hold; in the corner of the map without a land."""
        view = self.view
        piles = (
            self.word("deck {deck}", deck=view.deck_size),
            self.word("pile {pile}", pile=sum(view.discard)),
        )
        lettered = [words(x + 44, y + 48 + 26 * i, truncated(pile, WIDE - 46, 18), 18) for i, pile in enumerate(piles)]
        stack = [card(x + 14 + 4 * i, y + 32 + 3 * i) for i in range(3)]
        ring = self.rings.ring("deck", (x + 4, y + 22, WIDE - 8, HIGH - 44), (x + WIDE - 18, y + 18))
        return self.named("deck", ", ".join(piles), *stack, *lettered) + ring

    def temple(self) -> Block:
        """AR-7.4: the four spaces of the temple with their totals; on space n each farmer brings n gold."""
        view = self.view
        spaces = [self._space(space, 14 + (space - 1) * (_SPACE + 2)) for space in range(1, TEMPLE_SPACES + 1)]
        head = words(14, 24, self.word("Temple"), 19, weight=600, serif=True)
        track = self.named("temple", self.say(temple_of(view)), head, *spaces)
        total = total_of(view)
        told = self.say(total) if total else self.word("no offerings yet")
        lettered = words(14, 120, truncated(told, _WIDE - 50, 18), 18, weight=600 if total else 400, colour="ink")
        line = self.named("total", told, lettered)
        rings = self.rings.ring("temple", (_EDGE, 4, _WIDE, 94), (HALF - 24, 18))
        rings += self.rings.ring("total", (_EDGE, 102, _WIDE, 26), (HALF - 24, 115))
        edge = rectangle(_EDGE, 2, _WIDE, _TEMPLE - 4, fill_and_stroke("raised", "line", 1))
        drawn = edge + track + line + rings
        return Block("temple", (HALF, _TEMPLE), drawn, 2, self.word("Temple"), self.rings.links())

    def _space(self, space: int, x: float) -> str:
        here = self.view.temple == space
        paint = fill_and_stroke("accent", "accent", 1) if here else fill_and_stroke("paper", "muted", 1)
        low = TEMPLE_LIMITS[space - 2] + 1 if space > 1 else 0
        reach = f"{low}\N{EN DASH}{TEMPLE_LIMITS[space - 1]}" if space < TEMPLE_SPACES else f"{low}+"
        ink = "paper" if here else "ink"
        number = words(x + (46 if here else _SPACE / 2), 56, str(space), 22, weight=600, anchor="middle", colour=ink)
        top = temple(x + 12, 40, fill("paper")) if here else ""
        foot = words(x + _SPACE / 2, 84, reach, 18, anchor="middle", colour=ink if here else "muted")
        return rectangle(x, 34, _SPACE, 58, paint) + number + top + foot

    def seats(self) -> Iterator[Block]:
        """One box for each seat."""
        for seat in range(self.view.seats):
            drawn = self._seat(seat)
            yield Block(f"seat-{seat}", (HALF, _SEAT + 4), drawn, 2, self.player(seat), self.rings.links())

    def _seat(self, seat: int) -> str:
        view = self.view
        name = self.player(seat)
        turn = seat in view.awaited
        parts = [
            rectangle(
                _EDGE, 2, _WIDE, _SEAT, fill_and_stroke("raised", "accent" if turn else "line", 2.5 if turn else 1)
            ),
            seat_mark(seat, 22, 23, 14),
            words(42, 29, truncated(name, 142, 19), 19, weight=600),
            crown(196, 14) if view.first == seat else "",
            words(HALF - 14, 30, str(view.points[seat]), 22, weight=600, anchor="end"),
            *self._purse(seat),
        ]
        mark = f"seat:{seat}"
        title = f"{name}: {self.word(N_('{points} point(s)'), points=view.points[seat])}"
        return self.named(mark, title, *parts) + self.rings.ring(mark, (_EDGE, 2, _WIDE, _SEAT), (236, 22))

    def _purse(self, seat: int) -> Iterator[str]:
        """AR-1.5: gold and cards as far as all may see them; the offering, or the place in the end."""
        view = self.view
        if is_purse_open(view):
            yield coin(14, 45) + words(35, 60, str(view.gold[seat]), 19)
        if is_count_open(view):
            yield card(80, 45) + words(97, 60, str(view.cards[seat]), 19)
        gift = offered(view, seat)
        last = self.word("place {place}", place=view.places[seat]) if view.places else self.say(gift) if gift else ""
        yield words(HALF - 14, 60, truncated(last, 150, 18), 18, anchor="end") if last else ""
