"""PR-3: the one round of bids, and who takes the lot."""

from __future__ import annotations

from functools import cache

from pbem.engine.core.message import GONE, N_, Event, event
from pbem.engine.priestsofra import epochs
from pbem.engine.priestsofra.data import LOT_SPACES, ONE_FACED, PRIEST, named
from pbem.engine.priestsofra.marks import CENTRE, LOT_EMPTIED, lot_mark, sun_mark, tile_mark
from pbem.engine.priestsofra.orders import Bid, Call, Pass
from pbem.engine.priestsofra.state import BID, CALLED, FLIP, FULL, NO_AUCTION, Ply, State, left_of


def call(ply: Ply, _order: Call) -> None:
    """PR-2.1, PR-2.4: call Ra, of free will or because the lot is full."""
    state = ply.state
    kind = FULL if len(state.lot) == LOT_SPACES else CALLED
    ply.events.append(_called(state.actor, kind, len(state.lot)))
    begin(state, kind)


def begin(state: State, kind: int) -> None:
    """PR-3.1: open an auction; the first face-up sun to the left of the Ra player bids first."""
    state.auction = kind
    state.auctions += 1
    state.phase = BID
    state.actor = left_of(state, state.turn)


def bid(ply: Ply, order: Bid) -> None:
    """PR-3.1: the bid is the best so far."""
    state = ply.state
    state.best = order.sun
    state.best_by = state.actor
    ply.events.append(_bid(state.actor, order.sun))
    _next(ply)


def decline(ply: Ply, _order: Pass) -> None:
    """PR-3.1: pass."""
    ply.events.append(_passed(ply.state.actor))
    _next(ply)


def _next(ply: Ply) -> None:
    """PR-3.1: one round; the Ra player is last. PR-3.3, PR-3.4: where nobody bids, the tiles of a forced call leave."""
    state = ply.state
    if state.actor != state.turn:
        state.actor = left_of(state, state.actor)
    elif state.best:
        _sell(ply)
    else:
        if state.auction == FULL:
            ply.tell("Nobody bids: the whole lot leaves the game.", "PR-3.3", marks=LOT_EMPTIED)
            epochs.discard_lot(state)
        else:
            ply.tell("Nobody bids: the lot stays.", "PR-3.4")
        epochs.go_on(ply)


def _sell(ply: Ply) -> None:
    """PR-3.5: the winner takes the lot and the centre sun face down; the bid becomes the centre sun."""
    state = ply.state
    winner, sun, centre, tiles = state.best_by, state.best, state.centre, state.display[state.best_by]
    text = N_("{seat} wins with sun {sun} and takes sun {centre} face down; the lot was empty.")
    if state.lot:
        text = N_("{seat} wins with sun {sun}, takes {faces}, and sun {centre} face down.")
    stacks = (tile_mark(winner, face) for face in dict.fromkeys(state.lot))
    marks = (*LOT_EMPTIED, f"{GONE}sun:", *stacks, CENTRE, sun_mark(sun), sun_mark(centre))
    ply.tell(text, "PR-3.5", winner, marks=marks, sun=sun, centre=centre, faces=named(state.lot))
    for face in state.lot:
        tiles[face] += 1
    state.flips = state.lot.count(PRIEST)
    state.lot.clear()
    state.up[winner] ^= 1 << sun
    state.down[winner] |= 1 << centre
    state.centre = sun
    state.sales += 1
    left = [] if state.up[winner] else [seat for seat in range(state.seats) if state.up[seat]]
    if left:
        ply.tell("{seat} has used every sun and waits for the end of the epoch.", "PR-2.1", winner)
    if len(left) == 1:
        ply.tell("{seat} goes on alone.", "PR-5.3", left[0])
    if state.flips and any(tiles[:ONE_FACED]):
        state.phase = FLIP
        state.actor = winner
    else:
        state.flips = 0
        epochs.go_on(ply)


_CALLS = {
    FULL: (N_("The lot is full: {seat} must call Ra."), "PR-2.4"),
    CALLED: (N_("{seat} calls Ra for {count} tile(s)."), "PR-2.1"),
    NO_AUCTION: (N_("{seat} calls Ra while the lot is empty."), "PR-2.1"),
}


@cache
def _called(seat: int, kind: int, tiles: int) -> Event:
    text, rule = _CALLS[kind if tiles else NO_AUCTION]
    return event(text, rule, seat, marks=tuple(map(lot_mark, range(1, tiles + 1))), count=tiles)


@cache
def _bid(seat: int, sun: int) -> Event:
    return event("{seat} bids {sun}.", "PR-3.1", seat, marks=(sun_mark(sun),), sun=sun)


@cache
def _passed(seat: int) -> Event:
    return event("{seat} passes.", "PR-3.1", seat)
