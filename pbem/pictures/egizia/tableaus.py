"""Markets, water ring and score track, and what each player has."""

from __future__ import annotations

from pbem.engine.core.message import N_
from pbem.engine.egizia import data
from pbem.pictures.egizia import shapes
from pbem.pictures.egizia.shapes import MARGIN, RIGHT, Renderer
from pbem.pictures.elements import fill_and_stroke, seat_mark, seat_tile, stroke, text_width, truncated, words
from pbem.pictures.renderer import rectangle

MARKETS = 100
_PANEL = 138
_LINE = 22
_CELL = 44
_RING = 46


class Tableaus(Renderer):
    """Draws the lower part of the picture."""

    def markets(self, top: float) -> str:
        """Both markets with every marker, side by side, and the water ring beside them."""
        sells, costs = self.market_labels()
        stone = self._market(N_("Stone market"), "market:stone", (MARGIN, top), sells)
        grain = self._market(N_("Grain market"), "market:grain", (RIGHT - len(costs) * _CELL, top), costs)
        return stone + grain

    def _market(self, name: str, mark: str, at: tuple[float, float], labels: tuple[str, ...]) -> str:
        """Spaces from the top of the market on; the last one is strongly framed because it pays."""
        x, top = at
        places = self.board.stone_at if mark == "market:stone" else self.board.grain_at
        part = "stone_market_sell" if mark == "market:stone" else "grain_market_cost"
        found = [words(x, top + 17, self.track_name(name, part), 19, weight=600, serif=True)]
        for i, label in enumerate(labels):
            last = i + 1 == len(labels)
            paint = fill_and_stroke("paper", "ink", 2.5 if last else 1)
            found.append(rectangle(x + i * _CELL, top + 24, _CELL, 66, paint))
            found.append(words(x + i * _CELL + _CELL / 2, top + 86, label, 18, anchor="middle", colour="muted"))
            here = [seat for seat, place in enumerate(places) if place == i]
            for n, seat in enumerate(here):
                found.append(seat_tile(seat, x + i * _CELL + 3 + n % 2 * 19.5, top + 27 + n // 2 * 21, 18.5, 20))
        ring = self.rings.ring(mark, (x, top + 24, len(labels) * _CELL, 66), (x + len(labels) * _CELL - 13, top + 12))
        return self.named(mark, self.word(name), *found, ring)

    def ring(self, top: float) -> str:
        """EG-1.7: the three circles; the ring lies round one of them."""
        label = self.word("Water ring")
        found = [words(MARGIN, top + 23, label, 19, weight=600, serif=True)]
        x = MARGIN + text_width(label, 19) * 1.12 + 26
        found += [self.swatch(i, x - 12 + i * _RING, top + 5) for i in range(len(shapes.FIELD_PAINT))]
        at = x + self.board.ring * _RING
        found.append(f'<circle cx="{at:g}" cy="{top + 16:g}" r="20"{stroke("water", 5)}/>')
        waters = self.word("waters: {colours}", colours=data.COLOURS[: self.board.ring + 1])
        left = x + 3 * _RING - 8
        found.append(words(left, top + 23, truncated(waters, RIGHT - left - 34, 18), 18))
        ring = self.rings.ring("ring", (MARGIN - 4, top - 6, RIGHT - MARGIN + 8, 44), (RIGHT - 12, top + 16))
        return self.named("ring", label, *found, ring)

    def track(self, top: float) -> str:
        """EG-1.4: points from the front of the track backwards; the turn order beside them."""
        found = [words(MARGIN, top + 22, self.word("Points"), 19, weight=600, serif=True)]
        x = MARGIN + 84.0
        for seat in self.board.track:
            points = str(self.board.score[seat])
            found.append(seat_mark(seat, x, top + 16, 13))
            found.append(words(x + 18, top + 22, points, 19, weight=600))
            x += 42 + text_width(points, 19)
        order, left = self.word("turn order"), RIGHT - 31.0 * self.board.players - 28
        room = left - x
        if text_width(order, 18) < room:
            found.append(words(left, top + 22, order, 18, anchor="end", colour="muted"))
        x = left + 20
        for seat in self.board.order:
            found.append(seat_mark(seat, x, top + 16, 13))
            x += 31
        ring = self.rings.ring("track", (MARGIN - 4, top, RIGHT - MARGIN + 8, 32), (RIGHT - 7, top + 16))
        return self.named("track", self.word("Points"), *found, ring)

    def panel(self, seat: int, top: float) -> tuple[int, str]:
        """One player: name and points, crews and goods, grain and fields, cards; with its height, the gap included."""
        board = self.board
        asked = seat in board.acting
        cards = self._cards(seat, top + 120)
        high = _PANEL + _LINE * (len(cards) - 1)  # more where the cards take more than a line
        height = high - 6
        paint = fill_and_stroke("raised", "accent", 2.5) if asked else fill_and_stroke("raised", "line", 1.5)
        mark = f"seat:{seat}"
        found = [rectangle(MARGIN, top, RIGHT - MARGIN, height, paint), seat_mark(seat, MARGIN + 20, top + 20, 14)]
        name = self.player(seat)
        points = self.word("{points} point(s)", points=board.score[seat])
        room = RIGHT - MARGIN - 100 - text_width(points, 19)
        found.append(words(MARGIN + 42, top + 27, truncated(name, room, 20), 20, weight=600, serif=True))
        found.append(words(RIGHT - 10, top + 27, points, 19, weight=600, anchor="end"))
        found += [self._crews(seat, top + 36), self._goods(seat, top + 40), self._needs(seat, top + 73), *cards]
        spot = (RIGHT - 32 - text_width(points, 19), top + 20)
        ring = self.rings.ring(mark, (MARGIN, top, RIGHT - MARGIN, height), spot)
        return high, self.named(mark, name, *found, ring)

    def _crews(self, seat: int, y: float) -> str:
        """Return the four crews with their strength; those that have worked are crossed out."""
        own, found, x = self.own(seat), [], MARGIN + 10.0
        for i in range(len(data.CREWS)):
            tired = bool(own.tired >> i & 1)
            strength = str(own.crews[i])
            found.append(self.crew(i, x, y))
            found.append(words(x + 28, y + 25, strength, 19, weight=600, colour="muted" if tired else "ink"))
            if tired:
                found.append(shapes.crossed(x - 2, y + 30))
            x += 62
        return "".join(found)

    def _goods(self, seat: int, y: float) -> str:
        """Stones with what the quarries bring, ships left, Sphinx cards, and the sum of graves."""
        own = self.own(seat)
        goods = (
            (shapes.stone, f"{own.stones} +{own.quarry}", 104),
            (shapes.ship, str(own.ships), 64),
            (shapes.scroll, str(len(own.kept)), 60),
            (shapes.grave, str(own.graves), 60),
        )
        found, x = [], MARGIN + 276.0
        for sign, count, wide in goods:
            found.append(sign(x, y + 1) + words(x + 30, y + 20, count, 19))
            x += wide
        return "".join(found)

    def _needs(self, seat: int, y: float) -> str:
        """Grain against need; the fields as squares of their colour with its letter and their value."""
        t, own = self.t, self.own(seat)
        told = f"{own.grain} / {own.need}"
        colour = "danger" if own.missing else "ink"
        found = [shapes.ear(MARGIN + 12, y + 1), words(MARGIN + 36, y + 20, told, 19, weight=600, colour=colour)]
        x = MARGIN + 50 + text_width(told, 19)
        start = t.parts.start_field
        fields = [(data.COLOURS.index(start.colour), start.value)]
        fields += [(own.colour(card), t.value[card]) for card in own.fields]
        step = min(44.0, (RIGHT - 10 - x) / len(fields))
        for field, value in sorted(fields):
            found.append(self.swatch(field, x, y, str(value)))
            x += step
        return "".join(found)

    def _cards(self, seat: int, y: float) -> list[str]:
        """What lies open and can be used, used ones in brackets: in lines that break within no card's name."""
        usable = self.usable(seat)
        names = ", ".join(name.replace(" ", "\u00a0") for name in usable) or self.word("no cards")
        lines = shapes.wrapped(names, RIGHT - MARGIN - 24, 18)
        colour = "ink" if usable else "muted"
        return [words(MARGIN + 10, y + _LINE * i, line, 18, colour=colour) for i, line in enumerate(lines)]
