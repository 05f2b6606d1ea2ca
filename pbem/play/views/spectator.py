"""What anybody may see of a game by its public name: delayed while it runs, everything once it is over."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import msgspec
from sqlalchemy import case, select

from pbem.engine.core.errors import UnknownVersion
from pbem.engine.core.types import Event, Message
from pbem.engine.registry import rules_of
from pbem.errors import nobody
from pbem.play.views import seat_view as situation
from pbem.play.views.game_context import UNPLAYED, state_of
from pbem.play.views.positions import Told
from pbem.play.views.seat_view import Situation
from pbem.store.models import OVER, Club, Game, GameState, StoredPly

if TYPE_CHECKING:
    from datetime import datetime

    from sqlalchemy.orm import Session

_EVENTS = msgspec.json.Decoder(list[Event])
_CLOSED = -1
"""The delay that lets nobody watch while the game runs."""


class Watched(msgspec.Struct, frozen=True, kw_only=True):
    """A position with what led to it, as far as everybody may know."""

    situation: Situation
    last: int
    """The newest ply that may be looked at."""
    told: tuple[Told, ...]
    orders: Mapping[int, str]
    """Orders by seat; only once the game is over."""


def _last(game: Game) -> int:
    """The newest ply spectators may see. Raises NotSeated where nobody may watch, as if there were no such game."""
    if game.state.is_over:
        return game.ply
    if game.watch_delay == _CLOSED or game.ply < 0:
        raise nobody()
    return max(0, game.ply - game.watch_delay)


def club_of(session: Session, club_id: int | None) -> str:
    """The name of the club a game is played in; empty for one that is played in none."""
    name = session.execute(select(Club.name).where(Club.id == club_id)).scalar_one_or_none()
    return name or ""


def watch(session: Session, now: datetime, slug: str, ply: int | None = None) -> Watched:
    """A game as spectators see it after `ply`, by default the newest they may see. Raises NotSeated."""
    game = session.execute(select(Game).where(Game.slug == slug)).scalar_one_or_none()
    if game is None:
        raise nobody()
    last = _last(game)
    at = last if ply is None else ply
    if at > last:
        raise nobody()
    return Watched(
        situation=situation.watch(session, now, game.id, at),
        last=last,
        told=_told(session, game, at),
        orders=orders_of(session, game, at),
    )


def orders_of(session: Session, game: Game, ply: int) -> dict[int, str]:
    """The orders that were resolved in `ply`, by seat; none while the game runs."""
    if not game.state.is_over:
        return {}
    orders = session.execute(
        select(StoredPly.orders).where(StoredPly.game_id == game.id, StoredPly.ply == ply)
    ).scalar_one_or_none()
    return {int(seat): text for seat, text in sorted((orders or {}).items())}


def _told(session: Session, game: Game, ply: int) -> tuple[Told, ...]:
    """The events of one ply: those for everybody, or all of them once the game is over."""
    row = session.execute(
        select(StoredPly.resolved_at, StoredPly.events).where(StoredPly.game_id == game.id, StoredPly.ply == ply)
    ).one_or_none()
    if row is None:
        return ()
    return tuple(
        Told(ply=ply, at=row.resolved_at, event=event)
        for event in _EVENTS.decode(row.events)
        if event.seen_by is None or game.state.is_over
    )


def whole(session: Session, now: datetime, slug: str) -> tuple[Watched, ...]:
    """Every position of a finished game. Raises NotSeated if it isn't over."""
    game = session.execute(select(Game).where(Game.slug == slug)).scalar_one_or_none()
    if game is None or not game.state.is_over:
        raise nobody()
    return tuple(watch(session, now, slug, ply) for ply in range(game.ply + 1))


class Watchable(msgspec.Struct, frozen=True, kw_only=True):
    """A game anybody may look at, for a list."""

    slug: str
    title: str
    game: str
    heading: Message
    state: GameState
    seats: int


def watchable(session: Session, limit: int = 12) -> tuple[Watchable, ...]:
    """The newest games that run and may be watched, then the newest that ended, as far as spectators are."""
    seen = case((Game.state.in_(OVER), Game.ply), (Game.ply > Game.watch_delay, Game.ply - Game.watch_delay), else_=0)
    rows = session.execute(
        select(Game, StoredPly.snapshot)
        .join(StoredPly, (StoredPly.game_id == Game.id) & (StoredPly.ply == seen))
        .where(Game.state.in_(OVER) | ((Game.state == GameState.RUNNING) & (Game.watch_delay != _CLOSED)))
        .order_by(Game.state.desc(), Game.id.desc())
        .limit(limit)
    )
    return tuple(_watchable(game, snapshot) for game, snapshot in rows)


def _watchable(game: Game, snapshot: bytes) -> Watchable:
    try:
        rules = rules_of(game.game, game.rules_version)
        heading = rules.heading(rules.view(state_of(rules, snapshot), None))
    except UnknownVersion:
        heading = Message(UNPLAYED)
    return Watchable(
        slug=game.slug, title=game.title, game=game.game, heading=heading, state=game.state, seats=game.seats
    )
