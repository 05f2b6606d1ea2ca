"""Faults of the clock: a year ahead, an hour back, nights of 23 and 25 hours, three days without a server."""

from __future__ import annotations

from collections import Counter
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo

from sqlalchemy import select, update

from benchmarks.faults.checker import Allowed, check, told
from benchmarks.faults.fault import Outcome
from benchmarks.faults.players import Club
from pbem import clock
from pbem.extensions import db
from pbem.play import deadlines
from pbem.store.tables import Decision, Game, Letter, Player, Pulse
from tests.servers import until

if TYPE_CHECKING:
    from benchmarks.faults.stage import Stage

_HOUR = 3600
_DAY = 24 * _HOUR
ROME = ZoneInfo("Europe/Rome")
NIGHTS = ((3, 28), (10, 31))
"""When Rome's clocks are moved in 2027, by month and day."""


def clocks(stage: Stage, rounds: int) -> Outcome:
    """F19: the clock jumps, and the server is off for three days: nobody misses a turn, at most one reminder each."""
    stage.cast("worker", "mailer", "web")
    club, faults = Club(stage), []
    club.open(10 * rounds)
    _rung(stage)
    for what, seconds in (
        ("the clock was a year ahead", 365 * _DAY),
        ("the clock was set back by an hour", -_HOUR),
        ("the server was off for three days", 3 * _DAY),
    ):
        before, nudged = _left(stage), _nudges(stage)
        stage.move(seconds)
        _rung(stage)
        stage.settle()
        faults += _compare(what, before, _left(stage))
        twice = [cause for cause, times in (_nudges(stage) - nudged).items() if times > 1]
        faults += [f"I6 {cause} got more than one reminder when {what}." for cause in twice]
    faults += _nights(stage, club)
    stage.settle()
    return Outcome(faults + check(club, Allowed(copies=2)), {"games": len(club.games), **told(club.history)})


def _rung(stage: Stage) -> None:
    """Have the sweeps run once more, and wait until they have."""
    since = clock.now() - timedelta(seconds=1)

    def has_swept() -> bool:
        stage.sweep("sweep_games", "remind", "sweep_outbox")
        with stage.app.app_context():
            at = db.session.execute(select(Pulse.at).where(Pulse.name == "sweep_games")).scalar_one_or_none()
            return at is not None and abs((at - since).total_seconds()) < 10

    until(has_swept, "the sweeps have run", 60)


def _left(stage: Stage) -> dict[int, float]:
    """Seconds left for each game's decision."""
    now = clock.now()
    with stage.app.app_context():
        rows = db.session.execute(select(Game.id, Game.due_at).where(Game.state == "running", Game.due_at.is_not(None)))
        return {game_id: (due - now).total_seconds() for game_id, due in rows if due is not None}


def _nudges(stage: Stage) -> Counter[str]:
    """Reminders written so far, by game and seat."""
    with stage.app.app_context():
        rows = db.session.execute(select(Letter.game_id, Letter.seat).where(Letter.kind.in_(("reminder", "last_call"))))
        return Counter(f"game {game_id} seat {seat}" for game_id, seat in rows)


def _compare(what: str, before: dict[int, float], after: dict[int, float]) -> list[str]:
    """Nobody has less time than before, but for the moments the test itself took."""
    taken = 300.0
    return [
        f"I6 game {game_id} lost {before[game_id] - left:.0f} s because {what}."
        for game_id, left in after.items()
        if game_id in before and before[game_id] - left > taken
    ]


def _nights(stage: Stage, club: Club) -> list[str]:
    """Deadlines asked for in the evening before a change of the clocks leave the full time by the clock on the wall."""
    with stage.app.app_context():
        db.session.execute(update(Player).values(zone=ROME.key))
        db.session.commit()
    found = []
    for month, day in NIGHTS:
        evening = datetime(clock.now().year + 1, month, day, 20, 0, tzinfo=ROME).astimezone(UTC) - timedelta(days=1)
        stage.move((evening - clock.now()).total_seconds())
        _rung(stage)
        (game_id,) = club.open(1)
        with stage.app.app_context():
            game = db.session.get_one(Game, game_id)
            opened = db.session.execute(select(Decision.opened_at).where(Decision.game_id == game_id)).scalars().first()
            assert game.due_at is not None
            assert opened is not None
            hours = (game.due_at - opened) / timedelta(hours=1)
            least = deadlines.cadence_of(game.cadence).hours
        if hours < least:
            found.append(f"I6 game {game_id}: only {hours:.1f} of {least} hours over the night of {day}.{month}.")
        _rung(stage)
    return found
