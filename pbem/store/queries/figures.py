"""Figures of the whole server, counted in the database when somebody asks: the same from every process."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec
from sqlalchemy import func, select, text

from pbem.store.models import LIVE, Game, GameState, Inbound, Letter, Pulse

if TYPE_CHECKING:
    from datetime import datetime

    from sqlalchemy.orm import Session


OPEN = ("pending", "claimed", "failed")
"""States of letters that somebody still has to look after; each has its own small index."""


class Figures(msgspec.Struct, frozen=True, kw_only=True):
    """How much work there is, how old it is, and what went wrong."""

    games: dict[str, int]
    """By state, but for those that are over: they are many, and only become more. Exact up to `EXACT` of a state."""
    letters: dict[str, int]
    """By state, but for those that are done with."""
    letters_due: int
    oldest_letter_due: float
    """Seconds since the letter that waits longest should have left; 0 if none is late."""
    games_due: int
    oldest_game_due: float
    """Seconds since the game that waits longest should have moved on."""
    mails_unread: int
    sweeps: dict[str, float]
    """Seconds since each sweep last ran."""


def figures(session: Session, now: datetime) -> Figures:
    """Count everything once; each count is answered by an index or a small table."""
    letter_due = (Letter.state == "pending", Letter.next_try_at <= now)
    game_due = (Game.state == GameState.RUNNING, Game.wake_at <= now)
    letters_due, oldest_letter = session.execute(
        select(func.count(), func.min(Letter.next_try_at)).where(*letter_due)
    ).one()
    games_due, oldest_game = session.execute(select(func.count(), func.min(Game.wake_at)).where(*game_due)).one()
    return Figures(
        games=_games(session),
        letters={state: _letters(session, state) for state in OPEN},
        letters_due=letters_due,
        oldest_letter_due=_age(oldest_letter, now),
        games_due=games_due,
        oldest_game_due=_age(oldest_game, now),
        mails_unread=session.execute(select(func.count()).where(Inbound.state == "new")).scalar_one(),
        sweeps={name: _age(at, now) for name, at in session.execute(select(Pulse.name, Pulse.at))},
    )


EXACT = 10_000
"""Games of one state that are counted: beyond it PostgreSQL's own statistics of the small index of live games tell."""


def _games(session: Session) -> dict[str, int]:
    counted = {}
    for state in LIVE:
        some = select(Game.id).where(Game.state == state).limit(EXACT).subquery()
        counted[state.value] = session.execute(select(func.count()).select_from(some)).scalar_one()
    if counted[GameState.RUNNING] == EXACT and session.get_bind().dialect.name == "postgresql":
        known = session.execute(text("SELECT reltuples FROM pg_class WHERE relname = 'ix_games_live'")).scalar_one()
        others = sum(counted.values()) - EXACT
        counted[GameState.RUNNING.value] = max(EXACT, int(known) - others)
    return {state: count for state, count in counted.items() if count}


def _letters(session: Session, state: str) -> int:
    return session.execute(select(func.count()).where(Letter.state == state)).scalar_one()


def _age(moment: datetime | None, now: datetime) -> float:
    return 0.0 if moment is None else max(0.0, (now - moment).total_seconds())
