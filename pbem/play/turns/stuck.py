"""Games whose rules failed: set aside with the trace, the organiser told, and taken up again when mended."""

from __future__ import annotations

from datetime import datetime, timedelta

from sqlalchemy import or_, select
from sqlalchemy.orm import Session

from pbem.engine.core.errors import UnknownVersion
from pbem.engine.registry import GAMES, rules_for, versions
from pbem.errors import NotAllowed
from pbem.letter_queue import LetterQueue
from pbem.play.deadlines import delivery_clock, reminders
from pbem.store import unit_of_work
from pbem.store.models import Game, GameState
from pbem.store.queries import common

TRIES = 5
"""Runs that may begin without coming to an end before a game is set aside."""


def set_aside(session: Session, now: datetime, game: Game, trace: str) -> None:
    """Mark `game` stuck and tell its organiser. The trace stays in the database: it may hold secrets."""
    game.state = GameState.STUCK
    game.trace = trace
    game.stuck_at = now
    game.version += 1
    game.wake_at = None
    post = LetterQueue(now)
    cause = f"{game.id}:{game.ply}:-:stuck:{game.version}"
    post.organisers("stuck", session, game, cause, game_id=game.id, ply=game.ply, club_id=game.club_id)
    session.flush()
    post.send(session)


def begin_again(session: Session, now: datetime, game_id: int) -> bool:
    """Count one more try of a run that should have come to an end; False once the game is set aside for it."""
    game = common.lock_game(session, game_id)
    if game is None or game.state != GameState.RUNNING or game.wake_at is None or game.wake_at > now:
        return False  # nothing is due any more
    game.tries += 1
    if game.tries > TRIES:
        set_aside(session, now, game, f"advance was begun {TRIES} times and never came to an end.")
        return False
    return True


def was_not_its_fault(session: Session, game_id: int) -> None:
    """Count no tries but the last that `begin_again` counted: the run failed on what it was to be stored in."""
    game = common.lock_game(session, game_id)
    if game is not None:
        game.tries = min(game.tries, 1)


def unstick(session: Session, now: datetime, game_id: int) -> None:
    """Resume a stuck game; its deadlines move by the time it was stuck.

    Raises NotAllowed if it isn't stuck, UnknownVersion if its rules are still not there.
    """
    game = common.lock_game(session, game_id)
    if game is None or game.state != GameState.STUCK:
        raise NotAllowed("This game is not stuck, so there is nothing to take up again.")
    rules_for(game)
    if game.stuck_at is not None:
        _give_time_back(session, game, now - game.stuck_at)
    game.state = GameState.RUNNING
    game.trace = ""
    game.stuck_at = None
    game.tries = 0
    game.version += 1
    unit_of_work.wake(session, game, now)


def _give_time_back(session: Session, game: Game, by: timedelta) -> None:
    delivery_clock.shift(game, by, "due_at", "cover_at")
    for decision in common.decisions_of(session, game):
        reminders.put_off(decision, by)


def set_aside_unknown(session: Session, now: datetime) -> None:
    """Set aside every game whose rules version this program doesn't hold.

    Done when a program begins its work, so that nobody's time runs out while nobody could answer.
    """
    known = or_(*((Game.game == name) & Game.rules_version.in_(versions(name)) for name in GAMES))
    rows = session.scalars(select(Game.id).where(Game.state == GameState.RUNNING, ~known).order_by(Game.id)).all()
    for game_id in rows:
        game = common.lock_game(session, game_id)
        if game is not None and game.state == GameState.RUNNING:
            try:
                rules_for(game)
            except UnknownVersion as fault:
                set_aside(session, now, game, str(fault))
