"""The Nile as a winding line with its twenty spaces, the ships on it, and the slots of the sites."""

from __future__ import annotations

from pbem.engine.core.message import N_
from pbem.engine.egizia import data
from pbem.engine.egizia.tables import ANYTIME, FIELD, PERMANENT
from pbem.engine.egizia.words import sphinx_said
from pbem.pictures.egizia import shapes
from pbem.pictures.egizia.shapes import MARGIN, RIGHT, WIDTH, Renderer
from pbem.pictures.elements import (
    DASHED,
    PALETTE,
    fill,
    fill_and_stroke,
    seat_mark,
    seat_tile,
    stroke,
    text_width,
    truncated,
    words,
)
from pbem.pictures.renderer import path, rectangle
from pbem.pictures.rings import Spot

COLUMNS = 4
_EDGE = 10
_GAP = 10
_WIDE = (WIDTH - 2 * (MARGIN + _EDGE) - (COLUMNS - 1) * _GAP) / COLUMNS
_HIGH = 86
FACE, TASK = (_WIDE, _HIGH), (2 * _WIDE + 20, _HIGH + 21)
"""How broad and high the face of a Nile card is, and that of a Sphinx card, whose condition takes up to three lines."""
_STEP = 94
ROWS = data.RIVER // COLUMNS
HEIGHT = ROWS * _STEP
_STREAM = 34
_BAR = 5
"""The edge that tells a lasting card from one used once."""
_ROUND_WORDS = {
    "EDFU": N_("both markets"),
    "ALYL": N_("any +1, 2 stones"),
    "PASSALON": N_("joker +1, ring"),
    "HELIOPOLIS": N_("joker +1, ring"),
}


class River(Renderer):
    """Draws the river from `top` on."""

    def whole(self, top: float) -> str:
        """Return the stream, then its spaces in order."""
        return self._stream(top) + "".join(self._space(space, top) for space in range(data.RIVER))

    def _place(self, space: int, top: float) -> Spot:
        """Left and top of a space: rows run to the right and to the left by turns."""
        row, column = divmod(space, COLUMNS)
        if row % 2:
            column = COLUMNS - 1 - column
        return MARGIN + _EDGE + column * (_WIDE + _GAP), top + row * _STEP

    def _stream(self, top: float) -> str:
        """One broad river through the middle of the rows, bending at their ends, between green banks."""
        left, right = MARGIN + _EDGE + 20, RIGHT - _EDGE - 20
        y = top + _HIGH / 2
        bends = [f"M0 {y:g}H{right:g}"]
        for row in range(1, ROWS):
            reach = 36 if row % 2 else -36
            bends.append(f"c{reach} 0 {reach} {_STEP} 0 {_STEP}")
            onward = left if row % 2 else right
            bends.append(f"H{onward if row < ROWS - 1 else WIDTH:g}")
        course = "".join(bends)
        return path(course, stroke("bank", _STREAM + 14)) + path(course, stroke("water", _STREAM))

    def _space(self, space: int, top: float) -> str:
        x, y = self._place(space, top)
        mark = self.t.mark[space][0]
        ring = self.rings.ring(mark, (x, y, _WIDE, _HIGH), (x + _WIDE - 14, y + 15))
        draw = (self._card, self._round, self._site)[self.t.kind[space]]
        return self.named(mark, self._title(space), draw(space, x, y), ring)

    def _title(self, space: int) -> str:
        card = self.board.cards[space]
        if self.t.kind[space] != data.CARD:
            return self.word(self.t.space_name[space])
        number = self.t.card_spaces.index(space) + 1
        if card < 0:
            return self.word("Card space {number}, empty", number=number)
        return self.word("Card space {number}: {card}", number=number, card=self.card(card))

    def _ships(self, space: int, x: float, y: float) -> str:
        """Return the ships on a card or round space, side by side from the right."""
        seats = [seat for seat, fleet in enumerate(self.board.fleet) for place in fleet if place == space]
        places = [(seat, x + _WIDE - 22 - 36 * i) for i, seat in enumerate(seats)]
        return "".join(shapes.hull(at, y + _HIGH - 11) + seat_mark(seat, at, y + _HIGH - 25, 13) for seat, at in places)

    def _card(self, space: int, x: float, y: float) -> str:
        """Return a card's face, or the place of one that is gone."""
        card = self.board.cards[space]
        if card >= 0:
            return self.face(card, x, y)
        return rectangle(x, y, _WIDE, _HIGH, fill_and_stroke("paper", "line", 2) + DASHED) + self._ships(space, x, y)

    def face(self, card: int, x: float, y: float) -> str:
        """Return a card's face: its sign, its number, what it is; a bar on its edge if it is kept for later."""
        paint = {PERMANENT: "accent", ANYTIME: "gold"}.get(self.t.type[card])
        bar = rectangle(x, y, _BAR, _HIGH, fill(paint)) if paint else ""
        parts = [rectangle(x, y, _WIDE, _HIGH, fill_and_stroke("raised", "ink", 1.3)), bar]
        parts.append(self._sign(card, x + 10, y + 8))
        named = self.t.names[card] + ("" if self.t.cards[card].confirmed else shapes.DOUBT)
        parts.append(words(x + 42, y + 25, named, 18, colour="muted"))
        lines = shapes.wrapped(self.card(card), _WIDE - 16, 18)
        parts += [words(x + 10, y + 51 + 21 * i, line, 18, weight=600) for i, line in enumerate(lines)]
        return "".join(parts)

    def task(self, card: int, x: float, y: float) -> str:
        """Return the face of a Sphinx card, by its number in the tables: its condition and points in words."""
        found = self.t.sphinx[card]
        named, told = found.id + ("" if found.confirmed else shapes.DOUBT), self.say(sphinx_said(self.t, card))
        lines = shapes.wrapped(told.partition(": ")[2] or told, 2 * _WIDE, 18)
        inside = [words(x + 10, y + 51 + 21 * i, line, 18, weight=600) for i, line in enumerate(lines)]
        edge = rectangle(x, y, *TASK, fill_and_stroke("raised", "ink", 1.3))
        return "".join((edge, shapes.scroll(x + 10, y + 8), words(x + 42, y + 25, named, 18, colour="muted"), *inside))

    def _sign(self, card: int, x: float, y: float) -> str:
        """Return what a card is about, as a sign."""
        if self.t.type[card] == FIELD:
            return self.swatch(self.t.colour[card], x, y)
        if self.t.what[card] in _CREW_CARDS:
            return self.crew(data.JOKER, x, y - 5)
        return _SIGNS.get(self.t.what[card], shapes.lasting)(x, y)

    def _round(self, space: int, x: float, y: float) -> str:
        crews = self.t.space_crews[space]
        ships = sum(fleet.count(space) for fleet in self.board.fleet)
        if crews:
            does = "".join(self.crew(crew, x + 8 + 28 * i, y + 34) for i, crew in enumerate(crews))
            does += words(x + 8 + 28 * len(crews) + 4, y + 60, "+1", 18)
        else:
            lines = shapes.wrapped(self.word(_ROUND_WORDS[self.t.space_ids[space]]), _WIDE - 14 - 40 * ships, 18)
            does = "".join(words(x + 8, y + 50 + 21 * i, line, 18) for i, line in enumerate(lines))
        name = truncated(self.word(self.t.space_name[space]), self._room(space), 19)
        ground = rectangle(x, y, _WIDE, _HIGH, fill_and_stroke("paper", "water", 2.5))
        return ground + words(x + 8, y + 24, name, 19, weight=600, serif=True) + does + self._ships(space, x, y)

    def _room(self, space: int) -> float:
        """Return how wide a name in serif letters may be by `text_width`: beside a ring's number it is less."""
        return (_WIDE - (36 if self.t.mark[space][0] in self.rings.numbers else 12)) / 1.15

    def _site(self, space: int, x: float, y: float) -> str:
        """Return a site with its slots from the river on, and the queue behind them."""
        site = self.t.site_of[space]
        name, room = self.word(data.SITE_NAMES[site]), self._room(space)
        size = 20 if text_width(name, 20) <= room else 18
        parts = [rectangle(x, y, _WIDE, _HIGH, fill_and_stroke("sand", "ink", 1.8))]
        parts.append(words(x + 8, y + 24, truncated(name, room, size), size, weight=600, colour="dark", serif=True))
        slots, queue = self.board.slots[site], self.board.queue[site]
        step = min(35, (_WIDE - 34) / max(1, len(slots) + len(queue) - 1))
        for i, owner in enumerate((*slots, *queue)):
            cx, cy = x + 20 + i * step, y + 60
            waits = i >= len(slots)
            if not waits:
                parts.append(f'<circle cx="{cx:g}" cy="{cy:g}" r="16" fill="{PALETTE["paper"]}" stroke="#1d2433"/>')
            if owner >= 0:
                parts.append(seat_tile(owner, cx - 9, cy - 11, 18, 22) if waits else seat_mark(owner, cx, cy, 13))
            elif not waits:
                parts.append(words(cx, cy + 6, str(i + 1), 18, anchor="middle", colour="dark"))
        return "".join(parts)


_CREW_CARDS = {
    data.IMMEDIATE["crews_plus_1"],
    data.IMMEDIATE["two_crews_plus_1_or_one_plus_2"],
    *(data.EFFECT_NAMES[power] for power in (data.IMPROVE, data.TRADE, data.PLUS_3, data.COMBINE)),
}
_SIGNS = {
    data.QUARRY_NAME: shapes.stone,
    data.IMMEDIATE["stones"]: shapes.stone,
    data.IMMEDIATE["grain_market"]: shapes.arrow,
    data.IMMEDIATE["stone_market"]: shapes.arrow,
    data.IMMEDIATE["vp"]: shapes.star,
    data.IMMEDIATE["vp_per_own_stone"]: shapes.star,
    data.EFFECT_NAMES[data.SELL]: shapes.star,
    data.EFFECT_NAMES[data.GRAIN]: shapes.ear,
    data.EFFECT_NAMES[data.FEED_STONES]: shapes.ear,
    data.EFFECT_NAMES[data.LAY]: shapes.ear,
    data.EFFECT_NAMES[data.GRAVES_8]: shapes.grave,
    **dict.fromkeys((data.EFFECT_NAMES[power] for power in (data.PLUS_2, data.KEEP_TWO)), shapes.scroll),
    **dict.fromkeys(
        (data.EFFECT_NAMES[power] for power in (data.UPSTREAM, data.TWO_SHIPS, data.EXTRA, data.MOVE)), shapes.ship
    ),
}
"""By what a card is called; the others last."""
