"""PR-4: what the priests just won turn over."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pbem.engine.core.types import GONE, Event, event
from pbem.engine.priestsofra import epochs
from pbem.engine.priestsofra.data import named
from pbem.engine.priestsofra.marks import tile_mark

if TYPE_CHECKING:
    from pbem.engine.core.rng import Chance
    from pbem.engine.priestsofra.orders import Flip
    from pbem.engine.priestsofra.state import State


def flip(state: State, order: Flip, _chance: Chance, events: list[Event]) -> None:
    """PR-4.1: turn the tiles named, all at once; then the auction is over, and perhaps the epoch with it."""
    tiles = state.display[state.actor]
    for face in order.faces:
        tiles[face] -= 1
        tiles[face ^ 1] += 1
    events.append(_flipped(state.actor, order.faces, tiles))
    state.flips = 0
    epochs.go_on(state, events)


def _flipped(seat: int, faces: tuple[int, ...], tiles: list[int]) -> Event:
    """Return what is told of it; a stack of which nothing is left in `tiles` is no change to look at."""
    if not faces:
        return event("{seat} flips no tile.", "PR-4.1", seat)
    turned = dict.fromkeys(each for face in faces for each in (face, face ^ 1))
    marks = tuple(("" if tiles[face] else GONE) + tile_mark(seat, face) for face in turned)
    others = named(face ^ 1 for face in faces)
    return event("{seat} flips {faces} to {others}.", "PR-4.1", seat, marks=marks, faces=named(faces), others=others)
