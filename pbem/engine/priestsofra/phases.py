"""How a game is opened and goes on: set-up, who is asked, and what each order does, beside the rulebook."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from types import MappingProxyType
from typing import Any

from pbem.engine.core.message import GONE, N_, Event, event
from pbem.engine.core.rng import Chance
from pbem.engine.core.types import Decision, Resolution, Scope
from pbem.engine.priestsofra import auction, data, epochs
from pbem.engine.priestsofra.marks import BAG, lot_mark, ra_mark, seat_mark, tile_mark
from pbem.engine.priestsofra.orders import AnyOrder, Bid, Call, Draw, Flip, Pass, Show
from pbem.engine.priestsofra.state import BID, FACE, OVER, PHASES, RA_DRAWN, TURN, Ply, State, left_of, sealed, suns_of

_MOST_SEATS = max(data.RA_SPACES)
_NONE_AWAITED: Mapping[int, Decision] = MappingProxyType({})
_AWAITED: tuple[tuple[Mapping[int, Decision], ...], ...] = tuple(
    tuple(MappingProxyType({seat: Decision(kind)}) for seat in range(_MOST_SEATS)) for kind in PHASES[:OVER]
)
_LIST, _LATER_LIST = Decision(PHASES[BID], sealed=True), Decision(PHASES[BID], sealed=True, needed=False)


def setup(seats: int, chosen: Mapping[str, str], chance: Chance) -> Resolution:
    """PR-1: the table laid out for `seats` players, by what is chosen of every option."""
    groups = chance.shuffle("suns", data.SUN_GROUPS[seats])
    state = State(
        seats,
        hide_scores=chosen["hide_scores"] == "yes",
        sealed=chosen["auctions"] == "sealed",
        bag=list(data.TILE_COUNTS),
        gone=[0] * len(data.TILE_COUNTS),
        display=[[0] * len(data.FACES) for _ in range(seats)],
        up=[sum(1 << int(sun) for sun in group.split("-")) for group in groups],
        down=[0] * seats,
        points=[data.START_POINTS] * seats,
        ankhs=[0] * seats,
        actor=0,
        turn=0,
        centre=data.CENTRE_SUN,
    )
    ply = Ply(state, chance)
    for seat, bits in enumerate(state.up):
        ply.tell("{seat} is dealt the suns {suns}.", "PR-1.2", seat, marks=(seat_mark(seat),), suns=suns_of(bits))
    epochs.begin(ply)
    return Resolution(state, tuple(ply.events))


@cache
def _lists(seats: tuple[int, ...]) -> Mapping[int, Decision]:
    """PR-3.6: everybody's list, the first bidder's order being needed."""
    return MappingProxyType({seat: _LATER_LIST if at else _LIST for at, seat in enumerate(seats)})


def asked(state: State) -> Mapping[int, Decision]:
    """Return the one seat that must act now, or all who owe a list (PR-3.6); empty when the game is over."""
    if state.phase == OVER:
        return _NONE_AWAITED
    if state.phase == BID and not state.best and (seats := sealed(state)):
        return _lists(seats)
    return _AWAITED[state.phase][state.actor]


def apply(state: State, orders: Mapping[int, AnyOrder], chance: Chance) -> list[Event]:
    """Carry out the awaited seat's legal order in place, up to the next decision."""
    ply, order = Ply(state, chance), orders[state.actor]
    _DEEDS[type(order)](ply, order)
    return ply.events


def scope(state: State) -> Scope:
    """Phase: the turns between two auctions, or one auction with its flips. Round: the epoch."""
    what = "turns" if PHASES[state.phase] in {"turn", "face"} else PHASES[OVER] if state.phase == OVER else "auction"
    return Scope(f"{state.epoch}-{what}-{state.auctions}", f"epoch-{state.epoch}")


def flip(ply: Ply, order: Flip) -> None:
    """PR-4.1: turn the tiles named, all at once; then the auction is over, and perhaps the epoch with it."""
    state = ply.state
    tiles = state.display[state.actor]
    for face in order.faces:
        tiles[face] -= 1
        tiles[face ^ 1] += 1
    if order.faces:
        turned = dict.fromkeys(each for face in order.faces for each in (face, face ^ 1))
        marks = tuple(("" if tiles[face] else GONE) + tile_mark(state.actor, face) for face in turned)  # no empty stack
        text, others = N_("{seat} flips {faces} to {others}."), data.named(face ^ 1 for face in order.faces)
        ply.tell(text, "PR-4.1", state.actor, marks=marks, faces=data.named(order.faces), others=others)
    else:
        ply.tell("{seat} flips no tile.", "PR-4.1", state.actor)
    state.flips = 0
    epochs.go_on(ply)


def draw(ply: Ply, order: Draw) -> None:
    """PR-2.1: draw a tile, and place it unless its face must be chosen first."""
    state = ply.state
    tile = ply.chance.draw("tile", data.TILE_KEYS, state.bag)
    state.bag[tile] -= 1
    if tile == data.RA:
        _draw_ra(ply)
        return
    faces = data.FACES_OF[tile]
    for face in faces if len(faces) == 1 else order.prefer:
        if face in faces:
            ply.events.append(_drew(state.actor, tile, face, len(state.lot) + 1))
            _place(state, face)
            return
    state.drawn = tile
    state.phase = FACE
    ply.events.append(_looks(state.actor, tile))


def show(ply: Ply, order: Show) -> None:
    """PR-2.3: place the tile drawn with the face its drawer chose."""
    state = ply.state
    ply.events.append(_showed(state.actor, order.face, len(state.lot) + 1))
    state.drawn = 0
    _place(state, order.face)


def _place(state: State, face: int) -> None:
    """PR-2.3, PR-2.4: the tile takes the next space and its drawer's turn is over."""
    state.lot.append(face)
    state.turn = state.actor = left_of(state, state.turn)
    state.phase = TURN


def _draw_ra(ply: Ply) -> None:
    """PR-2.2, PR-5.2: a Ra tile starts an auction, or ends the epoch if it fills its track."""
    state = ply.state
    state.ra += 1
    ply.events.append(_drew_ra(state.actor, state.ra, data.RA_SPACES[state.seats]))
    if state.ra < data.RA_SPACES[state.seats]:
        auction.begin(state, RA_DRAWN)
    else:
        alone = sum(suns > 0 for suns in state.up) == 1
        epochs.end(ply, data.RA_TRACK_ALONE if alone else data.RA_TRACK)


@cache
def _drew(seat: int, tile: int, face: int, space: int) -> Event:
    text = N_("{seat} draws {tile} and shows {face}: space {space}.")
    if len(data.FACES_OF[tile]) == 1:
        text = N_("{seat} draws a {tile}: space {space}.")
    marks = (lot_mark(space),)
    return event(text, "PR-2.3", seat, marks=marks, tile=data.TILES[tile], face=data.FACES[face], space=space)


@cache
def _looks(seat: int, tile: int) -> Event:
    text = N_("{seat} draws {tile} and chooses which face it shows.")
    return event(text, "PR-2.3", seat, marks=(BAG,), tile=data.TILES[tile])


@cache
def _showed(seat: int, face: int, space: int) -> Event:
    text, marks = N_("{seat} shows {face}: space {space}."), (lot_mark(space),)
    return event(text, "PR-2.3", seat, marks=marks, face=data.FACES[face], space=space)


@cache
def _drew_ra(seat: int, count: int, spaces: int) -> Event:
    text = N_("{seat} draws Ra: {count} of {spaces} on the track.")
    return event(text, "PR-2.2", seat, marks=(ra_mark(count),), count=count, spaces=spaces)


_DEEDS: dict[type[AnyOrder], Callable[[Ply, Any], None]] = {
    Draw: draw,
    Show: show,
    Call: auction.call,
    Bid: auction.bid,
    Pass: auction.decline,
    Flip: flip,
}
