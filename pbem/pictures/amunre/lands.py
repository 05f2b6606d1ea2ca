"""The fifteen provinces: what each prints, what stands there, whose it is, and its bids."""

from __future__ import annotations

from pbem.engine.amunre.data import PRICES, PROVINCES
from pbem.engine.core.types import N_
from pbem.pictures.amunre.pen import (
    Pen,
    camel,
    card,
    coin,
    farmers,
    pyramids,
    squares,
    temple,
)
from pbem.pictures.amunre.said import about, in_game, next_bid
from pbem.pictures.elements import both, fill, seat_mark, stroke, words
from pbem.pictures.pen import sharp

WIDE = 132
HIGH = 112
SCALE = 54
"""What the bids add below a province up for auction."""
SPACES = 5
"""Bid spaces shown: the lowest allowed and the next ones."""
_INSET = 8
_PIECES = 7
"""More fields and farmers than this are told as a figure."""
_DOUBLES = 3
"""So many double pyramids stand beside each other; more are told as a figure."""
_STEP, _TIGHT, _WIDTH = 32.0, 27.0, 23.0
_BOX = 23
_SHORE = 4
_CELLS = {
    "fields": N_("fields"),
    "card_limit": N_("card limit"),
    "half": N_("half of Egypt"),
    "riverside": N_("place on the river"),
}
"""What the columns of the printed board that are in doubt are called."""


class Lands(Pen):
    """Draws single provinces; where they go is the map's business."""

    def land(self, p: int, x: float, y: float) -> str:
        """One province in its box."""
        name, up = PROVINCES[p], p in self.view.shown
        high = HIGH + (SCALE if up else 0)
        mark = f"province:{name}"
        ground = "raised" if in_game(self.view, p) else "paper"
        edge = both(ground, "accent", 3) if up else both(ground, "line", 1.5)
        inside = [
            sharp(x, y, WIDE, high, edge),
            self._shore(p, x, y, high),
            words(x + _INSET, y + 22, name, 19, weight=600, colour="ink" if in_game(self.view, p) else "muted"),
            self._owner(p, x, y),
            self._people(p, x + _INSET, y + 32),
            self._stones(p, x + _INSET, y + 82),
            self._printed(p, x + _INSET, y + 90),
        ]
        drawn = self.named(mark, self._title(p), *inside)
        scale = self._scale(p, x + _INSET, y + HIGH) if up else ""
        return drawn + scale + self.rings.ring(mark, x, y, WIDE, high)

    def _title(self, p: int) -> str:
        """All about a province in words, and which of its figures no source confirms (AR-1.1)."""
        told = about(self.view, p, self.say)
        doubtful = tuple(_CELLS.get(cell, cell.replace("_", " ")) for cell in self.view.board.not_confirmed[p])
        return f"{told} {self.word(N_('Not confirmed: {cells}.'), cells=doubtful)}" if doubtful else told

    def _shore(self, p: int, x: float, y: float, high: float) -> str:
        """The edge of a province that lies on the river."""
        board = self.view.board
        left = x if board.bank[p] else x + WIDE - _SHORE
        return sharp(left, y, _SHORE, high, fill("water")) if board.riverside[p] else ""

    def _owner(self, p: int, x: float, y: float) -> str:
        seat = self.view.owner[p]
        return seat_mark(seat, x + WIDE - 17, y + 16, 11) if seat >= 0 else ""

    def _people(self, p: int, x: float, y: float) -> str:
        """AR-6.4, AR-6.5: fields with and without farmers, then printed farmers and those on open ground."""
        view = self.view
        fields, there = view.board.fields[p], view.farmers[p]
        outside = view.ground[p] + view.board.printed_farmers[p]
        if fields + outside > _PIECES:
            told = self.word(N_("{there} of {fields} fields"), there=there, fields=fields)
            more = f" +{outside}" if outside else ""
            return words(x, y + 15, told + more, 16)
        side, step = (17, 19.0) if fields + outside < _PIECES else (15, 16.6)
        spots = [(x + step * i, y) for i in range(fields + outside)]
        tilled = squares(spots[:there], side, both("field", "ink", 1.2))
        free = squares(spots[there:fields], side, stroke("field", 2))
        inset = (side - 14) / 2
        figures = [(a + inset, b + inset) for a, b in spots]
        return tilled + free + farmers(figures[:there], fill("paper")) + farmers(figures[fields:], fill("field"))

    def _stones(self, p: int, x: float, foot: float) -> str:
        """AR-1.4, AR-6.6: pyramids, the second of a double one behind the first, then stones."""
        count, told = self.view.pyramids[p], ""
        doubles, single = divmod(count, 2)
        if doubles > _DOUBLES:
            told = words(x + 34, foot, f"\N{MULTIPLICATION SIGN}{count}", 18, weight=600)
            doubles, single, wide = 1, 0, 70.0
        else:
            wide = (_STEP if doubles < _DOUBLES else _TIGHT) * doubles + _WIDTH * single
        step = _STEP if doubles < _DOUBLES else _TIGHT
        front = [(x + step * i, foot) for i in range(doubles + single)]
        behind = [(a + 9, b - 4) for a, b in front[:doubles]]
        stones = [(x + wide + 3 + 14 * i, foot - 11) for i in range(self.view.stones[p])]
        return pyramids(behind) + pyramids(front) + told + squares(stones, 11, both("line", "ink", 1.2))

    def _printed(self, p: int, x: float, y: float) -> str:
        """AR-1.1: card limit, income, temples; and for a province not yet owned its bonus."""
        board, parts = self.view.board, []
        if board.card_limit[p]:
            parts.append(card(x, y) + words(x + 15, y + 14, str(board.card_limit[p]), 18))
            x += 32
        if board.income[p]:
            sign = camel(x, y) if board.camel[p] else coin(x, y)
            wide = 25 if board.camel[p] else 20
            parts.append(sign + words(x + wide, y + 14, str(board.income[p]), 18))
            x += wide + 16
        for _ in range(board.temples[p]):
            parts.append(temple(x, y, fill("ink")))
            x += 20
        return "".join(parts) + self._bonus(p, x, y)

    def _bonus(self, p: int, x: float, y: float) -> str:
        view, parts = self.view, []
        cards = view.buried[view.shown.index(p)] if p in view.shown else 0
        gold = view.board.bonus_gold[p] if p in view.shown else 0
        if gold:
            parts.append(words(x, y + 14, f"+{gold}", 17, weight=600) + coin(x + 30, y))
            x += 50
        if cards:
            parts.append(words(x, y + 14, f"+{cards}", 17, weight=600) + card(x + 22, y))
        return "".join(parts)

    def _scale(self, p: int, x: float, y: float) -> str:
        """AR-5.1: the bid that stands, and the next spaces on the scale."""
        view = self.view
        first = next_bid(view, p)
        if p in view.at:
            seat = view.at.index(p)
            stands = seat_mark(seat, x + 10, y + 9, 10) + words(
                x + 26, y + 15, str(PRICES[view.bids[seat]]), 20, weight=600
            )
            if view.blocks[seat]:
                stands += words(x + 116, y + 15, self.word(N_("block")), 16, anchor="end", colour="danger")
        else:
            stands = words(x, y + 15, self.word(N_("no bid")), 16, colour="muted")
        boxes = [self._space(p, first + i, x + i * _BOX, y + 23) for i in range(SPACES)]
        return stands + "".join(boxes)

    def _space(self, p: int, space: int, x: float, y: float) -> str:
        price, name = str(PRICES[space]), PROVINCES[p]
        title = self.word(N_("Bid {gold} on {province}"), gold=PRICES[space], province=name)
        size = 16 if len(price) < 3 else 12  # noqa: PLR2004 - three digits are set smaller
        lettered = words(x + _BOX / 2, y + 17, price, size, anchor="middle")
        return self.named(f"bid:{name}:{price}", title, sharp(x, y, _BOX, _BOX, both("paper", "muted", 1)), lettered)
