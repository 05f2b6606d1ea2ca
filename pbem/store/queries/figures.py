"""Figures of the whole server, counted in the database when somebody asks: the same from every process."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import Select, case, func, or_, select, text
from sqlalchemy.orm import Session

from pbem.store.models import LIVE, Game, GameState, Inbound, Letter, Pulse
from pbem.structs import Value

OPEN = ("pending", "claimed", "failed")
"""States of letters that somebody still has to look after; each has its own small index."""


class Figures(Value, kw_only=True):
    """How much work there is, how old it is, and what went wrong."""

    games: dict[str, int]
    """By state, but for those that are over: they are many, and only become more. Exact up to `EXACT` of a state."""
    letters: dict[str, int]
    """By state, but for those that are done with."""
    letters_due: int
    oldest_letter_due: float
    """Seconds since the letter that waits longest, also in a sender's hands, should have left; 0 if none is late."""
    games_due: int
    oldest_game_due: float
    """Seconds since the game that waits longest should have moved on."""
    mails_unread: int
    sweeps: dict[str, float]
    """Seconds since each sweep last ran."""


_UNSENT = ("pending", "claimed")
_LATE_AFTER = 4
"""Tries after which a letter is late: a quarter of an hour, so that a relay that puts off who is new alarms nobody."""
EXACT = 1_000
"""Games of one state that are counted: beyond it PostgreSQL's own statistics tell."""
_KNOWN = text(
    "SELECT reltuples * part FROM pg_class JOIN pg_stats ON tablename = relname AND attname = 'state',"
    " unnest(most_common_vals::text::text[], most_common_freqs) AS known (state, part)"
    " WHERE relname = 'games' AND state = 'running'"
)


def figures(session: Session, now: datetime) -> Figures:
    """Count everything once and in one statement; each count is answered by an index or a small table."""
    letter_due = (Letter.state == "pending", Letter.next_try_at <= now)
    # one that failed again and again is late, although its next try is yet to come
    worn = Letter.attempts > _LATE_AFTER
    since = select(func.min(case((worn, Letter.created_at), else_=Letter.next_try_at)))
    late = or_(worn, Letter.next_try_at <= now)
    game_due = (Game.state == GameState.RUNNING, Game.wake_at <= now)
    wanted: dict[str, Select[Any]] = {
        "letters_due": select(func.count()).where(*letter_due),
        **{f"late {state}": since.where(Letter.state == state, late) for state in _UNSENT},
        "games_due": select(func.count()).where(*game_due),
        "oldest_game": select(func.min(Game.wake_at)).where(*game_due),
        "mails": select(func.count()).where(Inbound.state == "new"),
        **{f"letters {state}": select(func.count()).where(Letter.state == state) for state in OPEN},
        **{f"games {state}": _some(state) for state in LIVE},
    }
    counts = select(*(count.scalar_subquery().label(name) for name, count in wanted.items()))
    found: dict[str, Any] = dict(session.execute(counts).mappings().one())
    games = {state.value: found[f"games {state}"] for state in LIVE}
    if games[GameState.RUNNING.value] == EXACT and session.get_bind().dialect.name == "postgresql":
        games[GameState.RUNNING.value] = max(EXACT, int(session.scalar(_KNOWN) or 0))
    return Figures(
        games={state: count for state, count in games.items() if count},
        letters={state: found[f"letters {state}"] for state in OPEN},
        letters_due=found["letters_due"],
        oldest_letter_due=max(_age(found[f"late {state}"], now) for state in _UNSENT),
        games_due=found["games_due"],
        oldest_game_due=_age(found["oldest_game"], now),
        mails_unread=found["mails"],
        sweeps={name: _age(at, now) for name, at in session.execute(select(Pulse.name, Pulse.at))},
    )


def _some(state: GameState) -> Select[int]:
    return select(func.count()).select_from(select(Game.id).where(Game.state == state).limit(EXACT).subquery())


def _age(moment: datetime | None, now: datetime) -> float:
    return 0.0 if moment is None else max(0.0, (now - moment).total_seconds())
