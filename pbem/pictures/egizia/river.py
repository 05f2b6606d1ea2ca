"""The Nile as a winding line with its twenty spaces, the ships on it, and the slots of the sites."""

from __future__ import annotations

from pbem.engine.core.types import N_
from pbem.engine.egizia import data
from pbem.pictures.egizia.pen import FIELD_PAINT, MARGIN, RIGHT, WIDTH, Pen, hull, is_field, wrapped
from pbem.pictures.elements import DASHED, PALETTE, both, breadth, cut, seat_mark, stroke, words
from pbem.pictures.pen import path, sharp

COLUMNS = 4
_EDGE = 18
_GAP = 12
_WIDE = (WIDTH - 2 * (MARGIN + _EDGE) - (COLUMNS - 1) * _GAP) / COLUMNS
_HIGH = 62
_STEP = 76
ROWS = data.RIVER // COLUMNS
HEIGHT = ROWS * _STEP
_STREAM = 30
_SWATCH = 20
_SWATCH_LOW = 13
"""Above a name of two lines."""
_ROUND_WORDS = {
    "EDFU": N_("both markets"),
    "ALYL": N_("any crew +1, 2 stones"),
    "PASSALON": N_("joker +1, ring"),
    "HELIOPOLIS": N_("joker +1, ring"),
}


class River(Pen):
    """Draws the river from `top` on."""

    def whole(self, top: float) -> str:
        """The stream, then its spaces in order."""
        return self._stream(top) + "".join(self._space(space, top) for space in range(data.RIVER))

    def _place(self, space: int, top: float) -> tuple[float, float]:
        """Left and top of a space: rows run to the right and to the left by turns."""
        row, column = divmod(space, COLUMNS)
        if row % 2:
            column = COLUMNS - 1 - column
        return MARGIN + _EDGE + column * (_WIDE + _GAP), top + row * _STEP

    def _stream(self, top: float) -> str:
        """One broad line through the middle of the rows, bending at their ends."""
        left, right = MARGIN + _EDGE, RIGHT - _EDGE
        y = top + _HIGH / 2
        bends = [f"M{MARGIN - 30} {y:g}H{right:g}"]
        for row in range(1, ROWS):
            reach = 30 if row % 2 else -30
            bends.append(f"c{reach} 0 {reach} {_STEP} 0 {_STEP}")
            onward = left if row % 2 else right
            bends.append(f"H{onward if row < ROWS - 1 else WIDTH + 20:g}")
        return path("".join(bends), stroke("water", _STREAM))

    def _space(self, space: int, top: float) -> str:
        x, y = self._place(space, top)
        mark = self.t.mark[space][0]
        ring = self.rings.ring(mark, x, y, _WIDE, _HIGH)
        draw = (self._card, self._round, self._site)[self.t.kind[space]]
        return self.named(mark, self._title(space), draw(space, x, y), ring)

    def _title(self, space: int) -> str:
        card = self.board.cards[space]
        if self.t.kind[space] != data.CARD:
            return self.word(self.t.space_name[space])
        number = self.t.card_spaces.index(space) + 1
        if card < 0:
            return self.word(N_("Card space {number}, empty"), number=number)
        return self.word(N_("Card space {number}: {card}"), number=number, card=self.card(card))

    def _ships(self, space: int, x: float, y: float) -> str:
        """The ships on a card or round space, side by side from the right."""
        seats = [seat for seat, fleet in enumerate(self.board.fleet) for place in fleet if place == space]
        return "".join(
            hull(x + _WIDE - 24 - i * 38, y + _HIGH - 14) + seat_mark(seat, x + _WIDE - 24 - i * 38, y + _HIGH - 26, 11)
            for i, seat in enumerate(seats)
        )

    def _card(self, space: int, x: float, y: float) -> str:
        card = self.board.cards[space]
        if card < 0:
            return sharp(x, y, _WIDE, _HIGH, both("paper", "line", 2) + DASHED) + self._ships(space, x, y)
        parts = [sharp(x, y, _WIDE, _HIGH, both("raised", "ink", 1.3))]
        parts.append(words(x + _WIDE - 6, y + 17, self.t.names[card], 15, anchor="end", colour="muted"))
        room = _WIDE - 14
        name = self.card(card)
        size = 17 if breadth(name, 17) <= room or breadth(name, 15) > room else 15
        lines = wrapped(name, room, size)
        if is_field(self.t, card):
            paint, high = FIELD_PAINT[self.t.colour[card]], _SWATCH if len(lines) == 1 else _SWATCH_LOW
            parts.append(sharp(x + 7, y + 6, _SWATCH, high, both(paint, "ink", 1)))
        y += 36 if len(lines) > 1 else 47
        parts += [words(x + 7, y + 19 * i, line, size, weight=600) for i, line in enumerate(lines)]
        return "".join(parts)

    def _round(self, space: int, x: float, y: float) -> str:
        crews = self.t.parts.river[space].crews
        does = " + ".join(self.word(crew) for crew in crews) or self.word(_ROUND_WORDS[self.t.space_ids[space]])
        ships = sum(fleet.count(space) for fleet in self.board.fleet)
        lines = wrapped(does, _WIDE - 14 - 40 * min(ships, 2), 15)
        return "".join(
            (
                sharp(x, y, _WIDE, _HIGH, both("paper", "water", 2)),
                words(x + 7, y + 22, self.word(self.t.space_name[space]), 18, weight=600, serif=True),
                "".join(words(x + 7, y + 40 + 16 * i, line, 15) for i, line in enumerate(lines)),
                self._ships(space, x, y),
            )
        )

    def _site(self, space: int, x: float, y: float) -> str:
        """A site with its slots from the river on, and the queue behind them."""
        site = self.t.site_of[space]
        name = cut(self.word(data.SITE_NAMES[site]), _WIDE - 14, 19)
        parts = [sharp(x, y, _WIDE, _HIGH, both("sand", "ink", 1.8))]
        parts.append(words(x + 7, y + 21, name, 19, weight=600, colour="dark", serif=True))
        slots, queue = self.board.slots[site], self.board.queue[site]
        step = min(30, (_WIDE - 20) / max(1, len(slots) + len(queue)))
        for i, owner in enumerate((*slots, *queue)):
            cx, cy = x + 20 + i * step, y + 44
            waits = i >= len(slots)
            if not waits:
                parts.append(f'<circle cx="{cx:g}" cy="{cy:g}" r="14" fill="{PALETTE["paper"]}" stroke="#1d2433"/>')
            if owner >= 0:
                parts.append(seat_mark(owner, cx, cy, 8 if waits else 10))
            elif not waits:
                parts.append(words(cx, cy + 6, str(i + 1), 16, anchor="middle", colour="dark"))
        return "".join(parts)
