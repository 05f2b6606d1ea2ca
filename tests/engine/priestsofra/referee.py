"""A second reading of the rules, written from the catalogue alone, that follows a record and adds up the scores.

It shares no code with the engine: it takes the order texts and the tiles drawn, and knows nothing else.
"""

from __future__ import annotations

import re
from collections import Counter

TRACK = {2: 6, 3: 8, 4: 9, 5: 10}
TWINS = (
    ("farmer", "warrior"),
    ("merchant", "scribe"),
    ("granary", "fortress"),
    ("market", "library"),
    ("chamber A", "chamber B"),
    ("chamber C", "chamber D"),
)
TWIN = {one: other for pair in TWINS for one, other in (pair, pair[::-1])}
DRAWN = {"chamber-A/B": ("chamber A", "chamber B"), "chamber-C/D": ("chamber C", "chamber D")}
PEOPLE = ("farmer", "warrior", "merchant", "scribe")
BUILDINGS = ("granary", "fortress", "market", "library")
COSTS = (0, 1, 3, 6, 10, 15, 20)


class Seat:
    """One player's things."""

    def __init__(self, suns: str) -> None:
        self.up = {int(sun) for sun in suns.split("-")}
        self.down: set[int] = set()
        self.tiles: Counter[str] = Counter()
        self.points, self.ankhs = 10, 0


class Referee:
    """Follows a record line by line."""

    def __init__(self, text: str) -> None:
        self.orders: list[tuple[int, str]] = []
        self.tiles: list[str] = []
        suns = ""
        for line in text.splitlines():
            if found := re.fullmatch(r"\d+ (\d): (.*)", line):
                self.orders.append((int(found[1]), found[2]))
            elif found := re.fullmatch(r"\d+ \*: (tile|suns): (.*)", line):
                if found[1] == "suns":
                    suns = found[2]
                else:
                    self.tiles.append(found[2])
        self.seats = [Seat(group) for group in suns.split()]
        self.centre, self.epoch, self.ra = 1, 1, 0
        self.lot: list[str] = []
        self.turn = self.highest()

    def highest(self) -> int:
        """The seat with the highest sun."""
        return max(range(len(self.seats)), key=lambda seat: max(self.seats[seat].up))

    def next(self, seat: int) -> int:
        """The next seat with a face-up sun, or -1."""
        count = len(self.seats)
        return next((i % count for i in range(seat + 1, seat + count + 1) if self.seats[i % count].up), -1)

    def take(self, seat: int) -> str:
        """The next order, which must be this seat's."""
        who, text = self.orders.pop(0)
        assert who == seat, (who, seat, text)
        return text

    def play(self) -> list[int]:
        """Follow the whole record; give the final points."""
        while self.epoch <= 3:
            text = self.take(self.turn)
            if text == "ra":
                self.auction("full" if len(self.lot) == 8 else "called")
            else:
                assert text.startswith("draw")
                assert len(self.lot) < 8
                self.draw(text)
        assert not self.orders
        assert not self.tiles
        return [seat.points for seat in self.seats]

    def draw(self, text: str) -> None:
        """PR-2: a tile is drawn and placed, or Ra comes."""
        tile = self.tiles.pop(0)
        if tile == "ra":
            self.ra += 1
            if self.ra == TRACK[len(self.seats)]:
                self.end()
            else:
                self.auction("ra")
            return
        faces = DRAWN.get(tile, tuple(tile.split("/")))
        wished = [face for face in text.removeprefix("draw").strip().split(", ") if face in faces]
        if len(faces) == 2:
            face = wished[0] if wished else self.take(self.turn).removeprefix("show ")
            assert face in faces
            self.lot.append(face)
        else:
            self.lot.append(tile)
        self.turn = self.next(self.turn)

    def auction(self, kind: str) -> None:
        """PR-3: one round of bids, and whose turn it is then."""
        best, holder, seat = 0, -1, self.turn
        while True:
            seat = self.next(seat)
            text = self.take(seat)
            if text == "pass":
                assert best or kind != "called" or seat != self.turn
            else:
                sun = int(text.removeprefix("bid "))
                assert sun in self.seats[seat].up
                assert sun > best
                best, holder = sun, seat
            if seat == self.turn:
                break
        if best:
            self.sell(holder, best)
        elif kind == "full":
            self.lot = []
        following = self.next(self.turn)
        if following < 0:
            self.end()
        else:
            self.turn = following

    def sell(self, holder: int, best: int) -> None:
        """PR-3.5, PR-4: lot and suns change hands, tiles are turned."""
        own = self.seats[holder]
        own.tiles.update(self.lot)
        own.up.remove(best)
        own.down.add(self.centre)
        self.centre = best
        priests, self.lot = self.lot.count("priest"), []
        if priests and any(own.tiles[face] for face in TWIN):
            text = self.take(holder).removeprefix("flip ")
            flips = [] if text == "none" else text.split(", ")
            assert len(flips) <= priests
            for face in flips:
                own.tiles[face] -= 1
            for face in flips:
                assert own.tiles[face] >= 0
                own.tiles[TWIN[face]] += 1

    def end(self) -> None:
        """PR-5, PR-6: the epoch is scored and the next one begins."""
        self.ra, self.lot = 0, []
        for own in self.seats:
            kinds = sum(own.tiles[kind] > 0 for kind in PEOPLE)
            own.ankhs = min(4, own.ankhs + {3: 1, 4: 2}.get(kinds, 0))
            if own.tiles["priest"] >= 3 and own.tiles["plague"]:
                own.tiles["plague"] -= 1
        gains = [self.gain(own) + (self.last(own) if self.epoch == 3 else 0) for own in self.seats]
        for own, gain in zip(self.seats, gains, strict=True):
            own.points = max(0, own.points + gain)
            for face in (*PEOPLE, "priest"):
                own.tiles[face] = 0
            own.up |= own.down
            own.down = set()
        self.epoch += 1
        self.turn = self.highest()

    def gain(self, own: Seat) -> int:
        """What every epoch brings."""
        total = 2 * own.tiles["priest"] - COSTS[min(6, own.tiles["plague"])]
        for kind in PEOPLE:
            if own.tiles[kind] >= 2 and own.tiles[kind] == max(seat.tiles[kind] for seat in self.seats):
                total += 5
        pairs = [own.tiles[kind] // 2 for kind in BUILDINGS]
        return total + 2 * sum(pairs) + {3: 5, 4: 10}.get(sum(map(bool, pairs)), 0)

    def last(self, own: Seat) -> int:
        """What only the third epoch brings."""
        colours = [own.tiles[f"chamber {colour}"] for colour in "ABCD"]
        blocks = own.tiles["pyramid"] + sum(colours)
        total = 20 if blocks >= 10 else 10 if blocks >= 6 else 5 if blocks >= 3 else 0
        total += sum(10 if count >= 4 else 5 if count == 3 else 0 for count in colours)
        total += (0, 0, 5, 10, 20)[own.ankhs]
        sums = [sum(seat.up | seat.down) for seat in self.seats]
        mine = sum(own.up | own.down)
        if max(sums) > min(sums):
            total += 5 * (mine == max(sums)) - 5 * (mine == min(sums))
        return total
