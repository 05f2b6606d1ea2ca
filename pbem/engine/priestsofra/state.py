"""The whole state of one game: small integers and lists, mutable, to and from JSON without loss."""

from __future__ import annotations

import msgspec

from pbem.engine.core.copies import copied
from pbem.engine.core.types import N_

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


def copy(state: State) -> State:
    """Return a state that shares nothing mutable with `state`."""
    return copied(state, State)


def suns_of(bits: int) -> tuple[int, ...]:
    """Return the suns of a bit set, highest first."""
    return tuple(sun for sun in range(bits.bit_length() - 1, 0, -1) if bits >> sun & 1)


def bits_of(suns: tuple[int, ...]) -> int:
    """Numbers of suns as one integer: bit n is sun n."""
    return sum(1 << sun for sun in suns)


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
