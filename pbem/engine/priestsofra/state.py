"""The whole state of one game, mutable, to and from JSON without loss; and what must always hold of it."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from pbem.engine.core.message import N_
from pbem.engine.core.ply import PlyUnderWay
from pbem.engine.priestsofra import data

TURN, FACE, BID, FLIP, OVER = range(5)
PHASES = (N_("turn"), N_("face"), N_("bid"), N_("flip"), N_("over"))
NOBODY = -1
NO_AUCTION, CALLED, FULL, RA_DRAWN = range(4)
AUCTIONS = ("none", "called", "full", "ra")


class State(msgspec.Struct):
    """A game between two decisions. Suns are bit sets: bit 9 of `up[seat]` says that seat's sun 9 lies face up."""

    seats: int
    hide_scores: bool
    sealed: bool
    bag: list[int]
    """Tiles left in the bag, by index in `data.TILES`."""
    gone: list[int]
    """Tiles that left the game, likewise (PR-5.5)."""
    display: list[list[int]]
    """For each seat how many of each face it has, by index in `data.FACES`."""
    up: list[int]
    down: list[int]
    points: list[int]
    ankhs: list[int]
    actor: int
    """The seat that must decide."""
    turn: int
    """The seat on turn; during an auction it is the Ra player."""
    phase: int = TURN
    epoch: int = 1
    centre: int = 1
    ra: int = 0
    """Ra tiles on their track."""
    lot: list[int] = []
    """The faces on the auction track, in order."""
    drawn: int = 0
    """The two-faced tile whose face is being chosen; 0 (Ra is never held) while there is none."""
    auction: int = NO_AUCTION
    auctions: int = 0
    """Auctions begun so far in the game."""
    best: int = 0
    """The best bid on the table, 0 for none."""
    best_by: int = NOBODY
    flips: int = 0
    """Priests just won and not used yet."""
    sales: int = 0
    """Auctions with a winner in this epoch."""
    sold: list[int] = []
    """The same for each epoch that is over."""
    endings: list[int] = []
    """How each epoch ended, by index in `data.ENDINGS`."""
    sheets: list[list[list[int]]] = []
    """For each scored epoch and seat: the lines of `data.SHEET`, the net result and the new total."""


class Ply(PlyUnderWay[State]):
    """What deeds act through."""


def suns_of(bits: int) -> tuple[int, ...]:
    """Return the suns of a bit set, highest first."""
    return tuple(sun for sun in range(bits.bit_length() - 1, 0, -1) if bits >> sun & 1)


def left_of(state: State, seat: int) -> int:
    """Return the next seat clockwise after `seat` that has a face-up sun (PR-2.1), or NOBODY."""
    for step in range(1, state.seats + 1):
        other = (seat + step) % state.seats
        if state.up[other]:
            return other
    return NOBODY


def sealed(state: State) -> tuple[int, ...]:
    """PR-3.6: at an auction's start everyone who may bid in it, if sealed lists are asked and there are several."""
    if not state.sealed or state.phase != BID or state.best or state.actor != left_of(state, state.turn):
        return ()
    seats = bidders(state)
    return seats if len(seats) > 1 else ()


def bidders(state: State) -> tuple[int, ...]:
    """Everyone with a face-up sun in the order of bidding: from the Ra player's left, the Ra player last (PR-3.1)."""
    after, up = state.turn + 1, state.up
    return tuple([seat for seat in (*range(after, state.seats), *range(after)) if up[seat]])


def problems(state: State) -> tuple[str, ...]:
    """Return every broken invariant in words; empty for a sound state."""
    shape = tuple(_shape(state))
    return shape or (*_tiles(state), *_suns(state), *_epochs(state), *_phase(state))


def _shape(state: State) -> Iterator[str]:
    if state.seats not in data.SUN_GROUPS:
        yield f"there are {state.seats} seats"
        return
    for name in ("display", "up", "down", "points", "ankhs"):
        if len(getattr(state, name)) != state.seats:
            yield f"{name} is not of {state.seats} seats"
    for name in ("bag", "gone"):
        if len(getattr(state, name)) != len(data.TILES) or min(getattr(state, name)) < 0:
            yield f"{name} is no count of the ten tiles"
    if not all(len(tiles) == len(data.FACES) and min(tiles) >= 0 for tiles in state.display):
        yield "a display is no count of the fifteen faces"
    if not all(0 <= face < len(data.FACES) for face in state.lot):
        yield "the lot holds an unknown face"
    if not NOBODY <= state.actor < state.seats or not 0 <= state.turn < state.seats:
        yield "the seat on turn doesn't exist"


def _tiles(state: State) -> Iterator[str]:
    """PR-1.1, PR-5.5: 174 tiles, each kind conserved."""
    counts = [bag + gone for bag, gone in zip(state.bag, state.gone, strict=True)]
    counts[data.RA] += state.ra
    for face in state.lot:
        counts[data.TILE_OF[face]] += 1
    if state.drawn:
        counts[state.drawn] += 1
    for tiles in state.display:
        for face, number in enumerate(tiles):
            counts[data.TILE_OF[face]] += number
    for name, count, due in zip(data.TILES, counts, data.TILE_COUNTS, strict=True):
        if count != due:
            yield f"there are {count} {name} tiles, not {due}"
    if len(state.lot) > data.LOT_SPACES:
        yield f"the lot holds {len(state.lot)} tiles"
    if not 0 <= state.ra < data.RA_SPACES[state.seats]:
        yield f"{state.ra} Ra tiles lie on the track"
    if state.phase == TURN and not sum(state.bag):
        yield "a draw is due from an empty bag"


def _suns(state: State) -> Iterator[str]:
    """PR-1.2: every sun is somewhere once; everybody has as many as at the start."""
    groups = data.SUN_GROUPS[state.seats]
    due = sorted([data.CENTRE_SUN, *(int(sun) for group in groups for sun in group.split("-"))])
    held = [suns_of(up) + suns_of(down) for up, down in zip(state.up, state.down, strict=True)]
    if sorted([state.centre, *(sun for suns in held for sun in suns)]) != due:
        yield f"the suns are {held} and {state.centre} in the centre"
    each = len(groups[0].split("-"))
    yield from (f"seat {seat} has {len(suns)} suns, not {each}" for seat, suns in enumerate(held) if len(suns) != each)
    if state.phase != OVER and sum(len(suns_of(down)) for down in state.down) != state.sales:
        yield f"{state.sales} sales don't fit the suns lying face down"


def _epochs(state: State) -> Iterator[str]:
    """PR-5: sales per epoch, its endings, points and ankhs in their bounds."""
    groups = data.SUN_GROUPS[state.seats]
    most = len(groups) * len(groups[0].split("-"))
    over = state.epoch - 1 + (state.phase == OVER)
    if not 1 <= state.epoch <= data.EPOCHS or not len(state.endings) == len(state.sold) == len(state.sheets) == over:
        yield f"{len(state.endings)} epochs have ended in epoch {state.epoch}"
    for sold, ending in zip(state.sold, state.endings, strict=False):
        if sold > most or (ending == data.LAST_SUN) != (sold == most):
            yield f"{sold} sales in an epoch that ended by {data.ENDINGS[ending]}"
    if min(state.points) < 0:
        yield "a total is below zero"
    if not all(0 <= ankhs <= data.MOST_ANKHS for ankhs in state.ankhs):
        yield "somebody has more ankhs than four or fewer than none"


def _phase(state: State) -> Iterator[str]:
    if not TURN <= state.phase <= OVER or (state.actor == NOBODY) != (state.phase == OVER):
        yield f"seat {state.actor} is awaited in phase {state.phase}"
        return
    if state.phase in {TURN, FACE} and (state.actor != state.turn or not state.up[state.turn]):
        yield f"seat {state.actor} is on turn without a face-up sun"
    if state.phase == BID and not state.up[state.actor]:
        yield f"seat {state.actor} bids without a face-up sun"
    if (state.phase in {BID, FLIP}) != (state.auction != NO_AUCTION):
        yield "an auction is on outside its phases"
    if (state.phase == FACE) != (state.drawn in data.TWO_FACED):
        yield "a tile is held outside its phase"
    if (state.phase == FLIP) != (state.flips > 0):
        yield "priests wait outside their phase"
    if (state.best == 0) != (state.best_by == NOBODY):
        yield "the best bid is nobody's"
