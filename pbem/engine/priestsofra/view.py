"""What one seat may see: everything but, with hidden scores, the points of the others (PR-1.4)."""

from __future__ import annotations

from itertools import takewhile
from typing import TYPE_CHECKING

import msgspec

from pbem.engine.priestsofra.choices import legal
from pbem.engine.priestsofra.data import ENDINGS, FACES, RA_SPACES, TILES, TOTAL
from pbem.engine.priestsofra.orders import AnyOrder, Bid, Call, Draw, Flip, Pass, Show
from pbem.engine.priestsofra.state import AUCTIONS, NOBODY, PHASES, State, bits_of, sealed, suns_of

if TYPE_CHECKING:
    from pbem.engine.core.rng import Chance


class Player(msgspec.Struct, frozen=True):
    """One seat's display."""

    tiles: dict[str, int]
    """How many of each face, all fifteen, in the order of scoring."""
    suns_up: tuple[int, ...]
    """Highest first."""
    suns_down: tuple[int, ...]
    ankhs: int
    points: int | None
    """None where they are hidden from the reader."""


class View(msgspec.Struct, frozen=True):
    """The table as one reader sees it."""

    seat: int | None
    phase: str
    """One of `turn`, `face`, `bid`, `flip`, `over`."""
    epoch: int
    actor: int | None
    """The seat that must decide; None when the game is over."""
    turn: int
    """The seat on turn; during an auction it is the Ra player."""
    asked: tuple[int, ...]
    """Seats asked at once for sealed lists (PR-3.6); usually empty."""
    players: tuple[Player, ...]
    lot: tuple[str, ...]
    """The faces on the auction track, in order."""
    centre: int
    ra: int
    ra_spaces: int
    auction: str
    """One of `none`, `called`, `full` (a forced call), `ra`."""
    auctions: int
    """Auctions begun so far."""
    best: int
    """The best bid on the table, 0 for none."""
    best_by: int | None
    drawn: str
    """The two-faced tile whose face is being chosen, or nothing."""
    flips: int
    """Priests just won and not used yet."""
    bag: dict[str, int]
    gone: dict[str, int]
    sales: int
    sold: tuple[int, ...]
    endings: tuple[str, ...]
    """How each epoch ended so far, by `Meta.endings`."""
    sheets: tuple[tuple[tuple[int, ...], ...], ...]
    """For each epoch and seat: the lines of `data.SHEET`, net and total; empty where hidden from the reader."""
    hide_scores: bool
    sealed: bool


def _players(state: State, shown: list[bool]) -> tuple[Player, ...]:
    return tuple(
        Player(
            dict(zip(FACES, tiles, strict=True)),
            suns_of(state.up[seat]),
            suns_of(state.down[seat]),
            state.ankhs[seat],
            state.points[seat] if shown[seat] else None,
        )
        for seat, tiles in enumerate(state.display)
    )


def _sheets(state: State, shown: list[bool]) -> tuple[tuple[tuple[int, ...], ...], ...]:
    return tuple(tuple(tuple(sheet) if shown[seat] else () for seat, sheet in enumerate(each)) for each in state.sheets)


def view(state: State, seat: int | None) -> View:
    """PR-1.4: what `seat` may see, or a spectator (None)."""
    over = PHASES[state.phase] == "over"
    shown = [over or not state.hide_scores or seat == other for other in range(state.seats)]
    return View(
        seat=seat,
        phase=PHASES[state.phase],
        epoch=state.epoch,
        actor=None if state.actor == NOBODY else state.actor,
        turn=state.turn,
        asked=sealed(state),
        players=_players(state, shown),
        lot=tuple(FACES[face] for face in state.lot),
        centre=state.centre,
        ra=state.ra,
        ra_spaces=RA_SPACES[state.seats],
        auction=AUCTIONS[state.auction],
        auctions=state.auctions,
        best=state.best,
        best_by=None if state.best_by == NOBODY else state.best_by,
        drawn=TILES[state.drawn] if state.drawn else "",
        flips=state.flips,
        bag=dict(zip(TILES, state.bag, strict=True)),
        gone=dict(zip(TILES, state.gone, strict=True)),
        sales=state.sales,
        sold=tuple(state.sold),
        endings=tuple(ENDINGS[ending] for ending in state.endings),
        sheets=_sheets(state, shown),
        hide_scores=state.hide_scores,
        sealed=state.sealed,
    )


def rebuild(view: View, hidden_points: int = 0) -> State:
    """Return the state behind `view`, with `hidden_points` for every total that it doesn't show."""
    return State(
        len(view.players),
        view.hide_scores,
        view.sealed,
        list(view.bag.values()),
        list(view.gone.values()),
        [list(player.tiles.values()) for player in view.players],
        [bits_of(player.suns_up) for player in view.players],
        [bits_of(player.suns_down) for player in view.players],
        [hidden_points if player.points is None else player.points for player in view.players],
        [player.ankhs for player in view.players],
        NOBODY if view.actor is None else view.actor,
        view.turn,
        PHASES.index(view.phase),
        view.epoch,
        view.centre,
        view.ra,
        [FACES.index(face) for face in view.lot],
        TILES.index(view.drawn) if view.drawn else 0,
        AUCTIONS.index(view.auction),
        view.auctions,
        view.best,
        NOBODY if view.best_by is None else view.best_by,
        view.flips,
        view.sales,
        list(view.sold),
        [ENDINGS.index(ending) for ending in view.endings],
        [[list(sheet) or [0] * (TOTAL + 1) for sheet in epoch] for epoch in view.sheets],
    )


_SPREAD = 21
"""How far hidden points are guessed around the reader's own."""


def imagine(view: View, chance: Chance) -> State:
    """Return a whole state that agrees with `view`; hidden points are drawn around the reader's own."""
    state = rebuild(view)
    own = 0 if view.seat is None else state.points[view.seat]
    for seat, player in enumerate(view.players):
        if player.points is None:
            state.points[seat] = max(0, own + chance.below(_SPREAD) - _SPREAD // 2)
    return state


def choices(view: View) -> list[AnyOrder]:
    """Every plain order of the view's seat: of draws only the one without wishes, which stand behind all others."""
    if view.seat is None:
        return []
    return list(takewhile(_is_plain, legal(rebuild(view), view.seat)))


def _is_plain(order: AnyOrder) -> bool:
    return not isinstance(order, Draw) or not order.prefer


def cautious(view: View) -> AnyOrder:
    """Return the safe default: draw rather than call, pass rather than bid, the face one has more of, no flip."""
    if view.phase == "turn":
        return Call() if "draw" not in {str(order) for order in choices(view)} else Draw()
    if view.phase == "face":
        return _fuller_face(view)
    if view.phase == "bid":
        return _lowest(view)
    return Flip()


def _fuller_face(view: View) -> Show:
    one, other = (order for order in choices(view) if isinstance(order, Show))
    own = tuple(_own(view).tiles.values())
    return other if own[other.face] > own[one.face] else one


def _lowest(view: View) -> Pass | Bid:
    """PR-3.2: pass where that is allowed, else bid the lowest sun."""
    must = view.auction == "called" and view.seat == view.turn == view.actor and not view.best
    return Bid(min(_own(view).suns_up)) if must else Pass()


def _own(view: View) -> Player:
    assert view.seat is not None
    return view.players[view.seat]
