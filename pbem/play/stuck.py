"""Games whose rules failed: set aside with the trace, the organiser told, and taken up again when mended."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pbem.engine.types import N_, Said
from pbem.errors import NotAllowed
from pbem.play.post import Post
from pbem.store import queries
from pbem.store.tables import Player

if TYPE_CHECKING:
    from datetime import datetime

    from sqlalchemy.orm import Session

    from pbem.play.table import Table
    from pbem.store.tables import Game

TRIES = 5
"""Runs that may begin without coming to an end before a game is set aside."""


def stick(session: Session, now: datetime, table: Table, trace: str) -> bool:
    """Set a game aside; whether a letter was written. The trace stays in the database: it may hold secrets."""
    return set_aside(session, now, table.game, trace)


def set_aside(session: Session, now: datetime, game: Game, trace: str) -> bool:
    """Mark `game` stuck and tell its organiser."""
    game.state = "stuck"
    game.trace = trace
    game.stuck_at = now
    game.version += 1
    game.wake_at = None
    post = Post(now)
    organiser = session.get(Player, game.organiser_id) if game.organiser_id else None
    if organiser is not None:
        cause = f"{game.id}:{game.ply}:-:stuck:{game.version}"
        post.person("stuck", organiser, cause, game_id=game.id, ply=game.ply, club_id=game.club_id)
    session.flush()
    return post.send(session)


def begin_again(session: Session, now: datetime, game_id: int) -> bool:
    """Count one more try of a run that should have come to an end; False once the game is set aside for it."""
    game = queries.lock_game(session, game_id)
    if game is None or game.state != "running" or game.wake_at is None or game.wake_at > now:
        return False  # nothing is due any more
    game.tries += 1
    if game.tries > TRIES:
        set_aside(session, now, game, f"advance was begun {TRIES} times and never came to an end.")
        return False
    return True


def unstick(session: Session, now: datetime, game_id: int) -> frozenset[int]:
    """Take a stuck game up where it stood; gives the games to ring for. Raises NotAllowed if it isn't stuck."""
    game = queries.lock_game(session, game_id)
    if game is None or game.state != "stuck":
        raise NotAllowed(Said(N_("This game is not stuck, so there is nothing to take up again.")))
    game.state = "running"
    game.trace = ""
    game.stuck_at = None
    game.tries = 0
    game.version += 1
    game.wake_at = now
    return frozenset({game.id})
