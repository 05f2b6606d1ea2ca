"""What anybody may see of a club's game by its public name: delayed while it runs, everything once it is over."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import TYPE_CHECKING

from sqlalchemy import case, literal_column, select

from pbem.capabilities import roles
from pbem.engine.core.message import Message
from pbem.errors import nobody
from pbem.play.deadlines import waiting_reasons
from pbem.play.turns.resolution import PRIVATE_NOTES
from pbem.play.views import seat_view as situation
from pbem.play.views.headings import heading_of
from pbem.play.views.positions import EVENTS, VisibleEvent, disclosed, had, named
from pbem.play.views.seat_view import Situation
from pbem.store.models import OVER, Club, Game, GameState, Seat, StoredPly
from pbem.store.queries import common
from pbem.structs import Value, from_attributes

if TYPE_CHECKING:
    from datetime import datetime

    from sqlalchemy.orm import Session

CLOSED = -1
"""The delay that lets only members of its club watch a game."""
MOST_BEHIND = 500
"""Plies that spectators can be behind."""


WATCH = "watch_delay"
"""What a club's settings call the delay of its new games."""


class WatchedPosition(Value, kw_only=True):
    """A position with what led to it, as far as everybody may know."""

    situation: Situation
    last: int
    """The newest ply that may be looked at."""
    told: tuple[VisibleEvent, ...]
    orders: Mapping[int, str]
    """Orders by seat; only once the game is over."""


def own_seat(session: Session, s: Situation, readers: Collection[int]) -> int | None:
    """Return the number of the seat that one of these persons has in a game under way, which they can play in."""
    own = {player.player_id for player in s.players}.intersection(readers)
    if not own or s.game.state.is_over:
        return None
    return session.scalar(select(Seat.id).where(Seat.game_id == s.game.id, Seat.player_id.in_(own)).limit(1))


def newest(session: Session, game: Game, readers: Collection[int]) -> int:
    """Return the newest ply a spectator may see, or one of these persons.

    Raises NotSeated as if there were no such game.
    """
    if game.ply < 0 or (game.practice and not _plays(session, game, readers)):
        raise nobody()
    club = game.club_id
    if game.state.is_over or (club is not None and any(roles.is_member(session, club, reader) for reader in readers)):
        return game.ply
    if game.watch_delay == CLOSED:
        raise nobody()
    return max(0, game.ply - game.watch_delay)


def _plays(session: Session, game: Game, readers: Collection[int]) -> bool:
    return common.is_any(session, Seat.game_id == game.id, Seat.player_id.in_(readers))


def behind(session: Session, club_id: int) -> int:
    """Return how many plies spectators of a club's new games are behind; -1 for members alone."""
    return int(session.get_one(Club, club_id).settings.get(WATCH, CLOSED))


def club_of(session: Session, club_id: int | None) -> str:
    """Return the name of the club a game is played in; empty for one that is played in none."""
    name = session.scalar(select(Club.name).where(Club.id == club_id))
    return name or ""


def watch(
    session: Session, now: datetime, slug: str, ply: int | None = None, readers: Collection[int] = ()
) -> WatchedPosition:
    """Return a game as spectators see it after `ply`, by default the newest they may see. Raises NotSeated.

    `readers` are persons the one who looks can answer for: members of the game's club see it without delay, and a
    practice game is its own player's alone, also once it is over.
    """
    game = common.game_called(session, slug)
    if game is None:
        raise nobody()
    last = newest(session, game, readers)
    at = last if ply is None else ply
    if at > last:
        raise nobody()
    seen = situation.watch(session, now, game.id, at)
    return WatchedPosition(
        situation=seen,
        last=last,
        told=_told(session, game, at, had(at, seen.held)),
        orders=orders_of(session, game, at),
    )


def orders_of(session: Session, game: Game, ply: int) -> dict[int, str]:
    """Return the orders that were resolved in `ply`, by seat; none while the game runs."""
    if not game.state.is_over:
        return {}
    (orders,) = common.of_ply(session, game.id, ply, StoredPly.orders)
    return {int(seat): text for seat, text in sorted(orders.items())}


def _told(session: Session, game: Game, ply: int, names: Mapping[int, str]) -> tuple[VisibleEvent, ...]:
    """Return the events of one ply: those for everybody, and once the game is over all but `PRIVATE_NOTES`."""
    row = common.of_ply(session, game.id, ply, StoredPly.resolved_at, StoredPly.events)
    return tuple(
        VisibleEvent(ply=ply, at=row.resolved_at, event=named(disclosed(event), names))
        for event in EVENTS.decode(row.events)
        if event.seen_by is None or (game.state.is_over and event.text not in PRIVATE_NOTES)
    )


def whole(session: Session, now: datetime, slug: str, readers: Collection[int]) -> tuple[WatchedPosition, ...]:
    """Return every position of a finished game, to `readers` as `watch` does. Raises NotSeated if it isn't over."""
    game = common.game_called(session, slug)
    if game is None or not game.state.is_over:
        raise nobody()
    return tuple(watch(session, now, slug, ply, readers) for ply in range(game.ply + 1))


class Watchable(Value, kw_only=True):
    """A game anybody may look at, for a list."""

    slug: str
    title: str
    game: str
    heading: Message
    state: GameState
    seats: int


def watchable(session: Session, limit: int = 12, offset: int = 0) -> tuple[Watchable, ...]:
    """Return the newest games open to everybody that run, then those that ended, as far as spectators are.

    The first `offset` of them are passed over.
    """
    seen = case((Game.state.in_(OVER), Game.ply), (Game.ply > Game.watch_delay, Game.ply - Game.watch_delay), else_=0)
    newest = (
        select(Game.id)
        .where(Game.state.in_((*OVER, GameState.RUNNING)), Game.watch_delay > literal_column(f"{CLOSED}"))
        .order_by(Game.state.desc(), Game.id.desc())
        .limit(limit)
        .offset(offset)
    )
    rows = session.execute(
        select(Game, StoredPly.snapshot)
        .join(StoredPly, (StoredPly.game_id == Game.id) & (StoredPly.ply == seen))
        .where(Game.id.in_(newest))
        .order_by(Game.state.desc(), Game.id.desc())
    )
    return tuple(_watchable(game, snapshot) for game, snapshot in rows)


def _watchable(game: Game, snapshot: bytes) -> Watchable:
    heading = waiting_reasons.heading(game.state, heading_of(game.game, game.rules_version, snapshot))
    return from_attributes(Watchable, game, heading=heading)
