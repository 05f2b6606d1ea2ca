"""PR-2: drawing a tile and choosing the face it shows."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from pbem.engine.core.types import N_, Event, event
from pbem.engine.priestsofra import auction, epochs
from pbem.engine.priestsofra.data import FACES, FACES_OF, RA, RA_SPACES, RA_TRACK, RA_TRACK_ALONE, TILE_KEYS, TILES
from pbem.engine.priestsofra.marks import BAG, lot_mark, ra_mark
from pbem.engine.priestsofra.state import FACE, RA_DRAWN, TURN, State, left_of

if TYPE_CHECKING:
    from pbem.engine.core.rng import Chance
    from pbem.engine.priestsofra.orders import Draw, Show


def draw(state: State, order: Draw, chance: Chance, events: list[Event]) -> None:
    """PR-2.1: draw a tile, and place it unless its face must be chosen first."""
    tile = chance.draw("tile", TILE_KEYS, state.bag)
    state.bag[tile] -= 1
    if tile == RA:
        _draw_ra(state, events)
        return
    faces = FACES_OF[tile]
    for face in faces if len(faces) == 1 else order.prefer:
        if face in faces:
            events.append(_drew(state.actor, tile, face, len(state.lot) + 1))
            _place(state, face)
            return
    state.drawn = tile
    state.phase = FACE
    events.append(_looks(state.actor, tile))


def show(state: State, order: Show, _chance: Chance, events: list[Event]) -> None:
    """PR-2.3: place the tile drawn with the face its drawer chose."""
    events.append(_showed(state.actor, order.face, len(state.lot) + 1))
    state.drawn = 0
    _place(state, order.face)


def _place(state: State, face: int) -> None:
    """PR-2.3, PR-2.4: the tile takes the next space and its drawer's turn is over."""
    state.lot.append(face)
    state.turn = state.actor = left_of(state, state.turn)
    state.phase = TURN


def _draw_ra(state: State, events: list[Event]) -> None:
    """PR-2.2, PR-5.2: a Ra tile starts an auction, or ends the epoch if it fills its track."""
    state.ra += 1
    events.append(_drew_ra(state.actor, state.ra, RA_SPACES[state.seats]))
    if state.ra < RA_SPACES[state.seats]:
        auction.begin(state, RA_DRAWN)
    else:
        alone = sum(suns > 0 for suns in state.up) == 1
        epochs.end(state, RA_TRACK_ALONE if alone else RA_TRACK, events)


@cache
def _drew(seat: int, tile: int, face: int, space: int) -> Event:
    text = N_("{seat} draws {tile} and shows the {face}: space {space}.")
    if len(FACES_OF[tile]) == 1:
        text = N_("{seat} draws a {tile}: space {space}.")
    marks = (lot_mark(space),)
    return event(text, "PR-2.3", seat, marks=marks, tile=TILES[tile], face=FACES[face], space=space)


@cache
def _looks(seat: int, tile: int) -> Event:
    text = N_("{seat} draws {tile} and chooses which face it shows.")
    return event(text, "PR-2.3", seat, marks=(BAG,), tile=TILES[tile])


@cache
def _showed(seat: int, face: int, space: int) -> Event:
    text, marks = N_("{seat} shows the {face}: space {space}."), (lot_mark(space),)
    return event(text, "PR-2.3", seat, marks=marks, face=FACES[face], space=space)


@cache
def _drew_ra(seat: int, count: int, spaces: int) -> Event:
    text = N_("{seat} draws Ra: {count} of {spaces} on the track.")
    return event(text, "PR-2.2", seat, marks=(ra_mark(count),), count=count, spaces=spaces)
