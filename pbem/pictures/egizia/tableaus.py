"""Markets, water ring and score track, and what each player has."""

from __future__ import annotations

from pbem.engine.core.types import N_
from pbem.engine.egizia import data
from pbem.engine.egizia import state as s
from pbem.engine.egizia.scoring import grave_sum
from pbem.pictures.egizia.pen import FIELD_PAINT, MARGIN, RIGHT, Pen, counted, crossed
from pbem.pictures.elements import both, breadth, cut, seat_mark, stroke, words
from pbem.pictures.pen import sharp

MARKETS = 92
PANEL = 118
_CELL = 44
_RING = 34


class Tableaus(Pen):
    """Draws the lower part of the picture."""

    def markets(self, top: float) -> str:
        """Both markets with every marker, side by side, and the water ring beside them."""
        parts = self.t.parts
        costs = tuple(str(cost) for cost in parts.grain_market_cost)
        sells = tuple("2:1" if sells else "" for sells in parts.stone_market_sell)
        stone = self._market(N_("Stone market"), "market:stone", (MARGIN, top), sells)
        grain = self._market(N_("Grain market"), "market:grain", (RIGHT - len(costs) * _CELL, top), costs)
        return stone + grain

    def _market(self, name: str, mark: str, at: tuple[float, float], labels: tuple[str, ...]) -> str:
        """Spaces from the top of the market on; the last one is strongly framed because it pays."""
        x, top = at
        places = self.board.stone_at if mark == "market:stone" else self.board.grain_at
        found = [words(x, top + 17, self.word(name), 19, weight=600, serif=True)]
        for i, label in enumerate(labels):
            last = i + 1 == len(labels)
            found.append(sharp(x + i * _CELL, top + 24, _CELL, 58, both("paper", "ink", 2.5 if last else 1)))
            found.append(words(x + i * _CELL + _CELL / 2, top + 78, label, 14, anchor="middle", colour="muted"))
            here = [seat for seat, place in enumerate(places) if place == i]
            for n, seat in enumerate(here):
                found.append(seat_mark(seat, x + i * _CELL + 12 + n % 2 * 20, top + 35 + n // 2 * 19, 8))
        ring = self.rings.ring(mark, x, top + 24, len(labels) * _CELL, 58)
        return self.named(mark, self.word(name), *found, ring)

    def ring(self, top: float) -> str:
        """EG-1.7: the three circles; the ring lies round one of them."""
        label = self.word(N_("Water ring"))
        found = [words(MARGIN, top + 23, label, 19, weight=600, serif=True)]
        x = MARGIN + breadth(label, 19) * 1.12 + 26
        for i, paint in enumerate(FIELD_PAINT):
            found.append(f'<circle cx="{x + i * _RING:g}" cy="{top + 17:g}" r="9"{both(paint, "ink", 1)}/>')
        at = x + self.board.ring * _RING
        found.append(f'<circle cx="{at:g}" cy="{top + 17:g}" r="14"{stroke("water", 5)}/>')
        waters = self.word(N_("waters: {colours}"), colours=data.COLOURS[: self.board.ring + 1])
        found.append(words(x + 3 * _RING - 8, top + 23, waters, 17))
        return self.named("ring", label, *found, self.rings.ring("ring", MARGIN - 4, top - 2, 560, 36))

    def track(self, top: float) -> str:
        """EG-1.4: points from the front of the track backwards; the turn order beside them."""
        found = [words(MARGIN, top + 22, self.word(N_("Points")), 19, weight=600, serif=True)]
        x = MARGIN + 84.0
        for seat in self.board.track:
            points = str(self.board.score[seat])
            found.append(seat_mark(seat, x, top + 16, 10))
            found.append(words(x + 15, top + 22, points, 19, weight=600))
            x += 34 + breadth(points, 19)
        order = self.word(N_("turn order"))
        x = RIGHT - 26.0 * self.board.players - breadth(order, 17) - 6
        found.append(words(x, top + 22, order, 17, colour="muted"))
        x += breadth(order, 17) + 20
        for seat in self.board.order:
            found.append(seat_mark(seat, x, top + 16, 9))
            x += 26
        return self.named("track", self.word(N_("Points")), *found, self.rings.ring("track", MARGIN - 4, top, 580, 32))

    def panel(self, seat: int, top: float) -> str:
        """One player: name and points, crews, stones, grain, cards."""
        board = self.board
        asked = seat in s.acting(board)
        height = PANEL - 8
        paint = both("raised", "accent", 2.5) if asked else both("raised", "line", 1.5)
        mark = f"seat:{seat}"
        found = [sharp(MARGIN, top, RIGHT - MARGIN, height, paint), seat_mark(seat, MARGIN + 20, top + 20, 12)]
        name = self.word("{seat}", seat=seat)
        points = self.word(N_("{points} point(s)"), points=board.score[seat])
        room = RIGHT - MARGIN - 60 - breadth(points, 19)
        found.append(words(MARGIN + 42, top + 27, cut(name, room, 20), 20, weight=600, serif=True))
        found.append(words(RIGHT - 10, top + 27, points, 19, weight=600, anchor="end"))
        found += [self._crews(seat, top + 51), self._goods(seat, top + 51), self._needs(seat, top + 74)]
        found.append(self._cards(seat, top + 97))
        return self.named(mark, name, *found, self.rings.ring(mark, MARGIN, top, RIGHT - MARGIN, height))

    def _crews(self, seat: int, y: float) -> str:
        """The four crews; those that have worked are crossed out."""
        found, x = [], MARGIN + 10.0
        for i, crew in enumerate(data.CREWS):
            lettered = f"{self.word(crew)} {self.board.crews[seat * 4 + i]}"
            tired = bool(self.board.tired[seat] >> i & 1)
            wide = breadth(lettered, 17)
            found.append(words(x, y, lettered, 17, weight=600, colour="muted" if tired else "ink"))
            if tired:
                found.append(crossed(x, y - 6, wide))
            x += wide + 14
        return "".join(found)

    def _goods(self, seat: int, y: float) -> str:
        """Stones, ships left and Sphinx cards, from the right."""
        board = self.board
        text = self.word(
            N_("{stones} stone(s), {ships} ship(s), {sphinx} Sphinx"),
            stones=board.stones[seat],
            ships=data.SHIPS - len(board.fleet[seat]),
            sphinx=len(board.kept[seat]),
        )
        return words(RIGHT - 10, y, text, 17, anchor="end")

    def _needs(self, seat: int, y: float) -> str:
        """Grain against need, quarry and graves; the fields as coloured squares with their values."""
        t, board = self.t, self.board
        grain, need = s.grain_of(t, board, seat), s.need_of(board, seat)
        text = self.word(N_("grain {grain} of {need}"), grain=grain, need=need)
        found = [words(MARGIN + 10, y, text, 17, colour="danger" if grain < need else "ink")]
        more = self.word(
            N_("quarry {stones}, graves {total}"), stones=s.quarry_of(t, board, seat), total=grave_sum(t, board, seat)
        )
        found.append(words(RIGHT - 10, y, more, 17, anchor="end"))
        x = MARGIN + 24 + breadth(text, 17)
        start = t.parts.start_field
        fields = [(data.COLOURS.index(start.colour), start.value)]
        fields += [(s.colour_of(t, board, seat, card), t.value[card]) for card in board.fields[seat]]
        room = RIGHT - 20 - breadth(more, 17) - x
        step = min(26.0, room / len(fields))
        for colour, value in sorted(fields):
            found.append(sharp(x, y - 16, step - 2, 20, both(FIELD_PAINT[colour], "ink", 0.8)))
            found.append(words(x + step / 2 - 1, y, str(value), 15, anchor="middle", colour="dark"))
            x += step
        return "".join(found)

    def _cards(self, seat: int, y: float) -> str:
        """What lies open and can be used; used ones in brackets."""
        names = counted(self.card(card) for card in self.board.ready[seat])
        used = [card for card in self.board.permanents[seat] if card not in self.board.ready[seat]]
        names += [f"({name})" for name in counted(self.card(card) for card in used)]
        line = ", ".join(names) or self.word(N_("no cards"))
        return words(MARGIN + 10, y, cut(line, RIGHT - MARGIN - 20, 16), 16, colour="ink" if names else "muted")
