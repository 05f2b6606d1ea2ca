"""The fifteen provinces: what each prints, what stands there, whose it is, and its bids."""

from __future__ import annotations

from pbem.engine.amunre.auction import lowest
from pbem.engine.amunre.data import LANGUAGE, PRICES, PROVINCES
from pbem.engine.core.message import N_
from pbem.pictures.amunre import shapes
from pbem.pictures.amunre.captions import about, in_game, lying_on
from pbem.pictures.amunre.shapes import Renderer
from pbem.pictures.elements import fill, fill_and_stroke, memoized, seat_mark, stroke, words
from pbem.pictures.renderer import kept, path, rectangle

WIDE = 134
HIGH = 116
SCALE = 72
"""What bonus and bids add below a province up for auction."""
SPACES = 2
"""Bid spaces shown: the lowest allowed and the next; a tap on the province offers the others."""
_INSET = 8
_PIECES = 6
"""More fields and farmers than this are told as a figure."""
_DOUBLES = 3
"""So many double pyramids stand beside each other; more are told as a figure."""
_STEP, _TIGHT, _WIDTH = 32.0, 27.0, 23.0
_BOX = 40
_COAST = (0.0, 2.5, 1.0, 3.5, 0.5, 3.0, 1.5)
"""By how much the edge of a land gives way from one of its points to the next."""


class Lands(Renderer):
    """Draws single provinces; where they go is the map's business."""

    def land(self, p: int, x: float, y: float) -> str:
        """One province in its coasts."""
        name, up = PROVINCES[p], p in self.view.shown
        high = HIGH + (SCALE if up else 0)
        mark = f"province:{name}"
        background = "raised" if in_game(self.view, p) else "paper"
        edge = fill_and_stroke(background, "accent", 3) if up else fill_and_stroke(background, "muted", 1.2)
        inside = [
            path(_coast(p, x, y, high), edge),
            self._shore(p, x, y, high),
            words(x + _INSET, y + 22, name, 19, weight=600, colour="ink" if in_game(self.view, p) else "muted"),
            seat_mark(self.view.owner[p], x + WIDE - 18, y + 19, 14) if self.view.owner[p] >= 0 else "",
            self._people(p, x + _INSET, y + 32),
            self._stones(p, x + _INSET, y + 84),
            self._printed(p, x + _INSET, y + 93),
            self._bonus(p, x + _INSET, y + HIGH),
        ]
        drawn = self.named(mark, self._title(p), *inside)
        scale = self._scale(p, x + _INSET, y + HIGH + 24) if up else ""
        return drawn + scale + self.rings.ring(mark, (x, y, WIDE, high), (x + WIDE - 15, y + HIGH - 14))

    def _title(self, p: int) -> str:
        """Return all about a province in words, and which of its figures no source confirms (AR-1.1)."""
        told = about(self.view, p, self.say)
        doubtful = tuple(
            LANGUAGE.said["doubtful"].get(cell, cell.replace("_", " ")) for cell in self.view.board.not_confirmed[p]
        )
        return f"{told} {self.word(N_('Not confirmed: {cells}.'), cells=doubtful)}" if doubtful else told

    def _doubt(self, p: int, cell: str, x: float, y: float) -> str:
        """Return a question mark behind a printed value that no source confirms, as the rules' table has it."""
        return words(x, y, "?", 18, colour="muted") if cell in self.view.board.not_confirmed[p] else ""

    def _shore(self, p: int, x: float, y: float, high: float) -> str:
        """Return the green bank of a province that lies on the river, in doubt as a broken one."""
        board = self.view.board
        if not board.riverside[p]:
            return ""
        sure = "riverside" not in board.not_confirmed[p]
        left = x + 2 if board.bank[p] else x + WIDE - 2
        dashes = "" if sure else ' stroke-dasharray="6 6"'
        return path(f"M{left:g} {y + 3:g}v{high - 6:g}", stroke("field", 5) + dashes)

    def _people(self, p: int, x: float, y: float) -> str:
        """AR-6.4, AR-6.5: fields with and without farmers, then printed farmers and those on open ground."""
        view = self.view
        fields, there = view.board.fields[p], view.farmers[p]
        outside = view.ground[p] + view.board.printed_farmers[p]
        if fields + outside > _PIECES:
            more = f" +{outside}" if outside else ""
            told = words(x + 22, y + 15, f"{there}/{fields}{more}", 18)
            return shapes.farmer(x, y, fill("field")) + told + self._doubt(p, "fields", x + 90, y + 15)
        spots = [(x + 19.0 * i, y) for i in range(fields + outside)]
        tilled = [shapes.square(*spot, 17, fill_and_stroke("field", "ink", 1.2)) for spot in spots[:there]]
        free = [shapes.square(*spot, 17, stroke("field", 2)) for spot in spots[there:fields]]
        figures = [(a + 1.5, b + 1.5) for a, b in spots]
        people = [shapes.farmer(*spot, fill("paper")) for spot in figures[:there]]
        others = [shapes.farmer(*spot, fill("field")) for spot in figures[fields:]]
        return "".join((*tilled, *free, *people, *others)) + self._doubt(p, "fields", x + 19 * len(spots), y + 15)

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
        bricks = "".join(shapes.square(*stone, 11, fill_and_stroke("line", "ink", 1.2)) for stone in stones)
        return "".join(shapes.pyramid(*one) for one in (*behind, *front)) + told + bricks

    def _printed(self, p: int, x: float, y: float) -> str:
        """AR-1.1: card limit, income and temples, each with a question mark where it is in doubt."""
        board, parts = self.view.board, []
        if board.card_limit[p] or "card_limit" in board.not_confirmed[p]:
            parts.append(shapes.card(x, y) + words(x + 15, y + 14, str(board.card_limit[p]), 18))
            parts.append(self._doubt(p, "card_limit", x + 26, y + 14))
            x += 40
        if board.income[p]:
            sign = shapes.camel(x, y) if board.camel[p] else shapes.coin(x, y)
            wide = 25 if board.camel[p] else 20
            parts.append(sign + words(x + wide, y + 14, str(board.income[p]), 18))
            x += wide + 16
        for _ in range(board.temples[p]):
            parts.append(shapes.temple(x, y, fill("ink")))
            x += 20
        return "".join(parts)

    def _bonus(self, p: int, x: float, y: float) -> str:
        """Return what lies there for who takes the province, above its bids."""
        (gold, cards), parts = lying_on(self.view, p), []
        if gold:
            parts.append(words(x, y + 16, f"+{gold}", 18, weight=600) + shapes.coin(x + 33, y + 2))
            x += 56
        if cards:
            parts.append(words(x, y + 16, f"+{cards}", 18, weight=600) + shapes.card(x + 24, y + 2))
        return "".join(parts)

    def _scale(self, p: int, x: float, y: float) -> str:
        """AR-5.1: the bid that stands, a bar under it where it blocks, and the next spaces on the scale."""
        view = self.view
        first = lowest(view, p)
        if p in view.at:
            seat = view.at.index(p)
            stands = seat_mark(seat, x + 12, y + 12, 13)
            stands += words(x + 12, y + 43, str(PRICES[view.bids[seat]]), 19, weight=600, anchor="middle")
            if view.blocks[seat]:
                stands += rectangle(x + 26, y - 1, 6, 40, fill("danger"))
        else:
            stands = words(x + 12, y + 28, "\N{EN DASH}", 19, anchor="middle", colour="muted")
        boxes = [self._space(PROVINCES[p], PRICES[first + i], x + 36 + i * (_BOX + 2), y) for i in range(SPACES)]
        return stands + "".join(boxes)

    @kept
    def _space(self, name: str, price: int, x: float, y: float) -> str:
        title = self.word("Bid {gold} on {province}", gold=price, province=name)
        lettered = words(x + _BOX / 2, y + 26, str(price), 19, anchor="middle")
        ground = rectangle(x, y, _BOX, _BOX, fill_and_stroke("paper", "muted", 1))
        return self.named(f"bid:{name}:{price}", title, ground, lettered)


@memoized
def _coast(p: int, x: float, y: float, high: float) -> str:
    """Return the outline of a land: nearly a rectangle, never quite the same one."""
    across = [(x + WIDE * i / 4, _COAST[(p + i) % 7]) for i in range(5)]
    down = [(y + high * i / 4, _COAST[(p * 3 + i) % 7]) for i in range(1, 4)]
    back = [(x + WIDE * i / 4, _COAST[(p * 2 + i) % 7]) for i in range(4, -1, -1)]
    up = [(y + high * i / 4, _COAST[(p + 2 * i) % 7]) for i in range(3, 0, -1)]
    points = [(a, y + give) for a, give in across] + [(x + WIDE - give, b) for b, give in down]
    points += [(a, y + high - give) for a, give in back] + [(x + give, b) for b, give in up]
    return "M" + "L".join(f"{a:g} {b:g}" for a, b in points) + "z"
