"""What must always hold of a state (PR-8): tiles, suns and sales are conserved, and every field fits the phase."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pbem.engine.priestsofra import data
from pbem.engine.priestsofra.state import BID, FACE, FLIP, NO_AUCTION, NOBODY, OVER, TURN, suns_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pbem.engine.priestsofra.state import State


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
