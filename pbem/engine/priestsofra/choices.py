"""What may be ordered now: every legal order, what is wrong with the others, and a random one."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import cache
from itertools import product
from typing import Any

from pbem.engine.core.choosing import choices, pick
from pbem.engine.core.message import N_, Message, sentence
from pbem.engine.core.rng import Chance
from pbem.engine.priestsofra.data import FACES, FACES_OF, LOT_SPACES, ONE_FACED, TILES, TWO_FACED, named
from pbem.engine.priestsofra.orders import AnyOrder, Bid, Call, Draw, Flip, Pass, Show
from pbem.engine.priestsofra.state import BID, CALLED, FACE, FLIP, OVER, TURN, State, sealed, suns_of

_PLAIN = Draw()
_CALL = Call()
_PASS = Pass()
_PREFERRING: tuple[AnyOrder, ...] = tuple(
    Draw(tuple(face for face in choice if face is not None))
    for choice in product(*((None, *FACES_OF[tile]) for tile in TWO_FACED))
)[1:]
_TURN: tuple[AnyOrder, ...] = (_PLAIN, _CALL, *_PREFERRING)
_MUST_CALL: tuple[AnyOrder, ...] = (_CALL,)
_RANDOM_TURN: tuple[AnyOrder, ...] = (
    *_PREFERRING,
    *(_PLAIN,) * 4 * len(_PREFERRING),
    *(_CALL,) * len(_PREFERRING),
)
"""A sixth of random turns calls Ra and two thirds draw plainly, so that lots grow and every auction comes up."""
_SHOW: tuple[tuple[AnyOrder, ...], ...] = tuple(tuple(Show(face) for face in faces) for faces in FACES_OF)


@cache
def _bids(suns: int) -> tuple[AnyOrder, ...]:
    """Return the bids of a bit set of suns, lowest last; bit 0 stands for passing, which comes first."""
    bids = tuple(Bid(sun) for sun in suns_of(suns)[::-1])
    return (_PASS, *bids) if suns & 1 else bids


def _bid_key(state: State, seat: int) -> int:
    """PR-3.1, PR-3.2: suns above the best bid; the caller of a voluntary call may not pass if nobody has bid."""
    if state.best:
        above = state.best + 1
        return state.up[seat] >> above << above | 1
    if state.auction == CALLED and state.actor == seat == state.turn:
        return state.up[seat]
    return state.up[seat] | 1


def is_certain(state: State, seat: int, order: AnyOrder) -> bool:
    """PR-3.1, PR-3.2: passing, but for the caller of a voluntary call."""
    return isinstance(order, Pass) and not (state.auction == CALLED and seat == state.turn)


def winning_suns(state: State, seat: int) -> tuple[int, ...]:
    """Return the face-up suns of `seat` that beat the best bid, highest first; none outside an auction."""
    return tuple(sun for sun in suns_of(state.up[seat]) if sun > state.best and state.phase == BID)


def legal(state: State, seat: int) -> Iterator[AnyOrder]:
    """Return every legal order of `seat`, plain ones first; flips last, the fewest tiles first."""
    if seat != state.actor and seat not in sealed(state):
        return iter(())
    if state.phase == TURN:
        return iter(_MUST_CALL if len(state.lot) == LOT_SPACES else _TURN)
    if state.phase == BID:
        return iter(_bids(_bid_key(state, seat)))
    if state.phase == FACE:
        return iter(_SHOW[state.drawn])
    if state.phase == FLIP:
        counts = state.display[state.actor][:ONE_FACED]
        return (Flip(faces) for size in range(state.flips + 1) for faces in choices(counts, size))
    return iter(())


def sample(state: State, seat: int, chance: Chance) -> AnyOrder:
    """Return a random legal order of `seat`; every legal one can come up."""
    phase = state.phase
    if phase == BID:
        orders = _bids(_bid_key(state, seat))
    elif phase == FACE:
        orders = _SHOW[state.drawn]
    elif phase == TURN:
        orders = _MUST_CALL if len(state.lot) == LOT_SPACES else _RANDOM_TURN
    else:
        return _random_flip(state, seat, chance)
    return orders[chance.below(len(orders))] if len(orders) > 1 else orders[0]


def _random_flip(state: State, seat: int, chance: Chance) -> Flip:
    counts = state.display[seat][:ONE_FACED]
    chosen: list[int] = []
    for _ in range(chance.below(state.flips + 1)):
        there = [face for face, count in enumerate(counts) if count]
        if not there:
            break
        face = pick(there, chance)
        counts[face] -= 1
        chosen.append(face)
    return Flip(tuple(sorted(chosen)))


def check(state: State, seat: int, order: AnyOrder) -> list[Message]:
    """Return every fault of `order`, each with its rule id; empty if it is legal."""
    if state.phase == OVER:
        return [sentence("The game is over: nothing is left to decide.", "PR-5.4")]
    if seat != state.actor and seat not in sealed(state):
        return [sentence("{seat} decides now, not you.", "PR-2.1", seat=state.actor)]
    phase, faults = _CHECKS[type(order)]
    return list(faults(state, seat, order)) if state.phase == phase else [_DUE[state.phase]]


_DUE = {
    TURN: sentence("It is your turn: draw, or call Ra.", "PR-2.1"),
    FACE: sentence("You have drawn a tile: choose the face it shows.", "PR-2.3"),
    BID: sentence("An auction is on: bid a sun, or pass.", "PR-3.1"),
    FLIP: sentence("You have won priests: name the tiles you flip, or none.", "PR-4.1"),
}


def _check_draw(state: State, _seat: int, order: Draw) -> Iterator[Message]:
    """PR-2.3, PR-2.4."""
    if len(state.lot) == LOT_SPACES:
        yield sentence("All {spaces} spaces are full: you must call Ra.", "PR-2.4", spaces=LOT_SPACES)
    tiles = [face // 2 for face in order.prefer]
    if tiles != sorted(set(tiles)) or not all(0 <= face < ONE_FACED for face in order.prefer):
        yield sentence("Name at most one face of each two-faced tile, in the order of scoring.", "PR-2.3")


def _check_show(state: State, _seat: int, order: Show) -> Iterator[Message]:
    """PR-2.3."""
    if order.face not in FACES_OF[state.drawn]:
        one, other = named(FACES_OF[state.drawn])
        text = N_("You drew {tile}: it shows {one} or {other}.")
        yield sentence(text, "PR-2.3", tile=TILES[state.drawn], one=one, other=other)


def _check_bid(state: State, seat: int, order: Bid) -> Iterator[Message]:
    """PR-3.1."""
    suns = suns_of(state.up[seat])
    if order.sun not in suns:
        text = N_("Sun {sun} doesn't lie face up before you. You have: {suns}.")
        yield sentence(text, "PR-3.1", sun=order.sun, suns=suns)
    if order.sun <= state.best:
        yield sentence("Sun {sun} doesn't beat the best bid, {best}.", "PR-3.1", sun=order.sun, best=state.best)


def _check_pass(state: State, seat: int, _order: Pass) -> Iterator[Message]:
    """PR-3.2."""
    if not _bid_key(state, seat) & 1:
        yield sentence("You called Ra and nobody has bid: you must bid a sun.", "PR-3.2")


def _check_flip(state: State, seat: int, order: Flip) -> Iterator[Message]:
    """PR-4.1."""
    faces = order.faces
    if len(faces) > state.flips:
        text = N_("You named {count} tile(s) to flip but won {priests} priest(s): one each.")
        yield sentence(text, "PR-4.1", count=len(faces), priests=state.flips)
    if list(faces) != sorted(faces) or not all(0 <= face < ONE_FACED for face in faces):
        yield sentence("Name two-faced tiles only, in the order of scoring.", "PR-4.1")
        return
    for face in dict.fromkeys(faces):
        have, wanted = state.display[seat][face], faces.count(face)
        if wanted > have:
            text = N_("You would flip {wanted} {face}, but have {have}.")
            yield sentence(text, "PR-4.1", face=FACES[face], wanted=wanted, have=have)


_CHECKS: dict[type[AnyOrder], tuple[int, Callable[[State, int, Any], Iterable[Message]]]] = {
    Draw: (TURN, _check_draw),
    Call: (TURN, lambda _state, _seat, _order: ()),
    Show: (FACE, _check_show),
    Bid: (BID, _check_bid),
    Pass: (BID, _check_pass),
    Flip: (FLIP, _check_flip),
}
