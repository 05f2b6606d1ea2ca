"""A player of Priests of Ra that knows what tiles and suns are worth; it sees only its view."""

from __future__ import annotations

from collections.abc import Sequence

from pbem.bots.personality import Heuristic, factor
from pbem.engine.priestsofra import data, scoring
from pbem.engine.priestsofra.data import FACES, FACES_OF, PLAGUE, PRIEST
from pbem.engine.priestsofra.orders import AnyOrder, Bid, Call, Draw, Flip, Pass, Show
from pbem.engine.priestsofra.state import BID, CALLED, FACE, FLIP, NO_AUCTION, TURN, suns_of
from pbem.engine.priestsofra.view import View

Tiles = list[int]

# What is hoped for, in points: by the number of tiles or kinds, beside what the rules give for certain.
_LEVEL, _AHEAD, _BEHIND = 3.5, 4.5, 0.6
_ANKHS_FOR_KINDS = (0.0, 0.4, 1.2, 5.0, 9.0)
_SETS = (0.0, 0.8, 2.2, 6.0, 10.0)
_HALF_BUILDING = 0.9
_PYRAMID = (0.0, 1.5, 3.0, 5.0, 6.5, 8.2, 10.0, 12.3, 14.7, 17.2, 20.0)
_CHAMBERS = (0.0, 0.6, 2.2, 5.0, 10.0)
_FLIP = 1.5
_SUN_BASE, _SUN_STEP = 3.6, 0.27
"""What a sun should bring: the lowest something, each higher number more."""
_SUN_SUM = 0.3
"""What a point on a sun is worth for the next epoch or the last comparison."""
_MALICE = 0.25
"""How far a rival's gain is counted as one's own loss."""
_ENOUGH_ALONE = 5
_WORTH_CALLING = 1.0


def decide(view: View, personality: str) -> AnyOrder:
    """Value each lot for everybody, foresee the auction from that, and bid, call and turn tiles accordingly."""
    return _DECIDE[view.phase](Evaluation(view, personality))


class Evaluation:
    """What a view means in numbers: displays, suns and the lot, from the eyes of its seat."""

    def __init__(self, view: View, personality: str = "") -> None:
        """Read `view`, which must be a seat's own, with the eyes of a player of this personality."""
        assert view.seat is not None
        self.personality = personality
        self.view = view
        self.seat = view.seat
        self.tiles, self.lot = view.display, view.lot
        self.up = [suns_of(up)[::-1] for up in view.up]
        self.left = data.EPOCHS + 1 - view.epoch

    def worth(self, seat: int, tiles: Tiles) -> float:
        """Return the points that `tiles` promise `seat` by the end of the game."""
        others = [own for other, own in enumerate(self.tiles) if other != seat]
        return (
            _people(tiles, others)
            + self.left * _buildings(tiles)
            + data.PRIEST_POINTS * tiles[PRIEST]
            + self.left * scoring.plagues(tiles[PLAGUE] - (tiles[PRIEST] >= data.HEALING_PRIESTS and tiles[PLAGUE] > 0))
            + _monument(tiles)
        )

    def gain(self, seat: int, lot: Sequence[int]) -> float:
        """Return what winning `lot` brings `seat`, flips included."""
        tiles = self.tiles[seat]
        after = tiles[:]
        for face in lot:
            after[face] += 1
        gained = self.worth(seat, after) - self.worth(seat, tiles) + _FLIP * list(lot).count(PRIEST)
        if not self.personality or not lot:
            return gained
        return gained * sum(factor(self.personality, FACES[face]) for face in lot) / len(lot)

    def price(self, seat: int, sun: int) -> float:
        """Return what using `sun` should bring `seat`, the exchange for the centre sun counted."""
        fresh = 1.0 - self.view.ra / self.view.ra_spaces
        scarce = len(self.up[seat]) / max(1, sum(map(len, self.up)))
        base = (_SUN_BASE + _SUN_STEP * sun) * (0.35 + 0.65 * fresh) * (1.25 - 0.5 * scarce)
        return base + _SUN_SUM * (sun - self.view.centre)

    def bid(self, seat: int, best: int, gain: float, *, must: bool) -> int:
        """Return the lowest sun that beats `best` and is worth it to `seat`; 0 for none."""
        suns = [sun for sun in self.up[seat] if sun > best]
        fits = [sun for sun in suns if self.price(seat, sun) < gain]
        return fits[0] if fits else suns[0] if must and suns else 0

    def simulated(self, lot: Sequence[int], bidders: Sequence[int], best: int = 0, holder: int = -1) -> tuple[int, int]:
        """Return the winner and sun if `bidders` bid in this order by the same lights; the last must if nobody has."""
        for seat in bidders:
            must = best == 0 and seat == bidders[-1] and self.view.auction in {NO_AUCTION, CALLED}
            sun = self.bid(seat, best, self.gain(seat, lot), must=must and len(lot) < data.LOT_SPACES)
            if sun:
                best, holder = sun, seat
        return holder, best

    def bidders(self, after: int, last: int) -> list[int]:
        """Return everyone with suns from the left of `after` to `last`."""
        found: list[int] = []
        seat = after
        while seat != last or not found:
            seat = (seat + 1) % len(self.tiles)
            if self.up[seat]:
                found.append(seat)
            if seat == last:
                break
        return found

    def surplus(self, lot: Sequence[int], winner: int, sun: int) -> float:
        """Return how good an auction's end is for this seat."""
        if winner == self.seat:
            return self.gain(winner, lot) - self.price(winner, sun)
        if winner < 0:
            return 0.0
        return -_MALICE * max(0.0, self.gain(winner, lot) - self.price(winner, sun))


def _people(tiles: Tiles, others: list[Tiles]) -> float:
    """PR-6.1, PR-6.2: leads held and kinds collected."""
    total = _ANKHS_FOR_KINDS[sum(tiles[kind] > 0 for kind in data.PEOPLE)]
    for kind in data.PEOPLE:
        most = max(data.FEWEST_PEOPLE, *(own[kind] for own in others))
        if tiles[kind] > most:
            total += _AHEAD
        elif tiles[kind] == most:
            total += _LEVEL
        else:
            total += _BEHIND * tiles[kind]
    return total


def _buildings(tiles: Tiles) -> float:
    """PR-6.3 for one epoch, single tiles and unfinished sets counted by their promise."""
    counts = [tiles[kind] for kind in data.BUILDINGS]
    complete = [count // data.TILES_A_BUILDING for count in counts]
    halves = sum(count % data.TILES_A_BUILDING for count in counts)
    return data.BUILDING * sum(complete) + _HALF_BUILDING * halves + _SETS[sum(number > 0 for number in complete)]


def _monument(tiles: Tiles) -> float:
    """PR-7.1, PR-7.2: the pyramid as far as it has grown, and chambers of one colour."""
    blocks = tiles[data.PYRAMID] + sum(tiles[kind] for kind in data.CHAMBERS)
    colours = sum(_CHAMBERS[min(tiles[kind], len(_CHAMBERS) - 1)] for kind in data.CHAMBERS)
    return _PYRAMID[min(blocks, len(_PYRAMID) - 1)] + colours


def _turn(table: Evaluation) -> AnyOrder:
    """Call where one must, where the lot would come one's own way with profit, or before it is lost; else draw."""
    view = table.view
    if len(table.lot) == data.LOT_SPACES:
        return Call()
    if sum(map(bool, table.up)) == 1:
        return Call() if _enough_alone(table) else Draw()
    bidders = table.bidders(table.seat, table.seat)
    winner, sun = table.simulated(table.lot, bidders)
    hurry = 3.0 * view.ra / view.ra_spaces
    wish = _WORTH_CALLING + max(0.0, 4.0 - len(table.lot)) - hurry
    return Call() if winner == table.seat and table.surplus(table.lot, winner, sun) > max(0.5, wish) else Draw()


def _enough_alone(table: Evaluation) -> bool:
    """Return whether the last player takes what lies there, or draws on at the risk that Ra fills the track."""
    view, suns = table.view, table.up[table.seat]
    gain = table.gain(table.seat, table.lot)
    spare = view.ra_spaces - view.ra
    if spare <= len(suns):
        return gain > 1.0
    return gain > table.price(table.seat, suns[0]) and len(table.lot) >= _ENOUGH_ALONE


def _face(table: Evaluation) -> AnyOrder:
    """Return the face that helps this seat most and the strongest rival least."""
    rivals = [seat for seat in range(len(table.tiles)) if seat != table.seat and table.up[seat]]

    def use(face: int) -> float:
        lot = [*table.lot, face]
        return table.gain(table.seat, lot) - 0.5 * max((table.gain(seat, lot) for seat in rivals), default=0.0)

    return Show(max(FACES_OF[table.view.drawn], key=use))


def _bid(table: Evaluation) -> AnyOrder:
    """Return the bid, or pass, from which the auction is foreseen to end best."""
    view, seat = table.view, table.seat
    after = table.bidders(seat, view.turn) if seat != view.turn else []
    must = view.auction == CALLED and seat == view.turn and not view.best
    choices = [sun for sun in table.up[seat] if sun > view.best]
    if not must:
        choices.insert(0, 0)

    def end(sun: int) -> float:
        best, holder = (sun, seat) if sun else (view.best, view.best_by)
        winner, price = table.simulated(table.lot, after, best, holder)
        return table.surplus(table.lot, winner, price)

    sun = max(choices, key=end)
    return Bid(sun) if sun else Pass()


def _flip(table: Evaluation) -> AnyOrder:
    """Turn one tile after another as long as it helps."""
    tiles, chosen = table.tiles[table.seat], []
    fresh = tiles[:]
    for _ in range(table.view.flips):
        worth, face = max(
            (table.worth(table.seat, _turned(tiles, face)), face)
            for face in range(-1, data.ONE_FACED)
            if face < 0 or fresh[face]
        )
        if face < 0 or worth <= table.worth(table.seat, tiles):
            break
        tiles = _turned(tiles, face)
        fresh[face] -= 1
        chosen.append(face)
    return Flip(tuple(sorted(chosen)))


def _turned(tiles: Tiles, face: int) -> Tiles:
    """Return the tiles with one of this face turned over; a negative face turns none."""
    after = tiles[:]
    if face >= 0:
        after[face] -= 1
        after[face ^ 1] += 1
    return after


_DECIDE = {TURN: _turn, FACE: _face, BID: _bid, FLIP: _flip}
HEURISTIC = Heuristic(decide)
