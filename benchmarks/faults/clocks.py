"""Faults of the clock: a year ahead, an hour back, nights of 23 and 25 hours, three days without a server."""

from __future__ import annotations

import time
from collections import Counter
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo

from sqlalchemy import select, update

from benchmarks.faults.checker import check, told
from benchmarks.faults.fault import Outcome
from benchmarks.faults.players import Club
from pbem import clock
from pbem.extensions import db
from pbem.play.deadlines import cadence
from pbem.store.models import Game, Letter, OpenDecision, Player, Pulse

if TYPE_CHECKING:
    from benchmarks.faults.stage import Stage

_HOUR = 3600
_DAY = 24 * _HOUR
ROME = ZoneInfo("Europe/Rome")
CAST = ("worker", "mailer", "web")


def clocks(stage: Stage, rounds: int) -> Outcome:
    """F19: the clock jumps, and the server is off for three days: nobody misses a turn, at most one reminder each."""
    stage.cast(*CAST)
    club, faults = Club(stage), []
    club.open(5 * rounds)
    club.open(5 * rounds, "amunre")
    _swept(stage)
    stage.finish()
    faults += _jump(stage, club, "the clock was a year ahead", 365 * _DAY, ())
    faults += _jump(stage, club, "the clock was set back by an hour", -_HOUR, ())
    over = stage.count(Game, Game.cover_at <= clock.now() + timedelta(days=3))
    faults += _jump(stage, club, "the server was off for three days", 3 * _DAY, CAST)
    for _ in range(2):
        faults += _night(stage, club)
    stage.finish()
    if over < len(club.games) - 2:
        faults.append(f"Only {over} of {len(club.games)} deadlines were in the three days.")
    return Outcome(faults + check(club), {"games": len(club.games), "over": over, **told(club.history)})


def _jump(stage: Stage, club: Club, what: str, seconds: float, off: tuple[str, ...]) -> list[str]:
    """Move the clock, with these processes ended meanwhile; everybody has the time left that they had.

    The first that happens afterwards is the worst that can: games are sent for and reminders looked for, before any
    sweep has noticed how late it is.
    """
    before, nudged, start = _left(stage), _nudges(stage), time.monotonic()
    stage.cast(*(process for process in CAST if process not in off))
    stage.move(seconds)
    celery = stage.app.extensions["celery"]
    celery.send_task("pbem.jobs.tasks.remind", retry=False)
    for game_id in club.games:
        celery.send_task("pbem.jobs.tasks.advance_game", (game_id,), retry=False)
    stage.cast(*CAST)
    _swept(stage)
    stage.finish()
    after, taken = _left(stage), time.monotonic() - start + 1
    found = [
        f"I6 game {game_id} lost {before[game_id] - left:.0f} s because {what}."
        for game_id, left in after.items()
        if before[game_id] - left > taken
    ]
    twice = [cause for cause, times in (_nudges(stage) - nudged).items() if times > 1]
    found += [f"I6 {cause} got more than one reminder when {what}." for cause in twice]
    return found + ([] if len(after) == len(before) else [f"I6 {len(before) - len(after)} deadlines are gone."])


def _swept(stage: Stage) -> None:
    """Have the sweeps run once more, and wait until they have."""
    since = clock.now()

    def has_swept() -> bool:
        stage.sweep("sweep_games", "remind", "sweep_outbox")
        with stage.app.app_context():
            at = db.session.execute(select(Pulse.at).where(Pulse.name == "sweep_games")).scalar_one_or_none()
            return at is not None and since <= at <= clock.now()

    stage.recover(has_swept, "the sweeps have run")


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


def _before_change() -> datetime:
    """Eight in the evening before Rome's clocks are changed next."""
    evening = clock.now().astimezone(ROME).replace(hour=20, minute=0, second=0, microsecond=0)
    while evening.utcoffset() == (evening + timedelta(days=1)).utcoffset():
        evening += timedelta(days=1)
    return evening.astimezone(UTC)


def _night(stage: Stage, club: Club) -> list[str]:
    """A deadline given in the evening before a change of the clocks leaves its full time; the change moves none."""
    with stage.app.app_context():
        db.session.execute(update(Player).values(zone=ROME.key))
        db.session.commit()
    evening = _before_change()
    stage.move((evening - clock.now()).total_seconds())
    _swept(stage)
    (game_id,) = club.open(1)
    with stage.app.app_context():
        game = db.session.get_one(Game, game_id)
        opened = (
            db.session.execute(select(OpenDecision.opened_at).where(OpenDecision.game_id == game_id)).scalars().first()
        )
        assert game.due_at is not None
        assert opened is not None
        hours = (game.due_at - opened) / timedelta(hours=1)
        least = cadence.cadence_of(game.cadence).hours
    found = [] if hours >= least else [f"I6 game {game_id}: only {hours:.1f} of {least} hours over {evening}."]
    stage.finish()
    stage.move((evening.replace(hour=0, minute=52) + timedelta(days=1) - clock.now()).total_seconds())
    _swept(stage)
    before = _dues(stage)
    for _ in range(4):  # over one o'clock in Greenwich, when Europe changes, in steps that are no outage
        stage.move(240)
        _swept(stage)
    moved = before.items() ^ _dues(stage).items()
    return found + [f"I6 the deadline of game {game_id} was moved to {due} in the night." for game_id, due in moved]


def _dues(stage: Stage) -> dict[int, datetime | None]:
    """Every game's deadline."""
    with stage.app.app_context():
        rows = db.session.execute(select(Game.id, Game.due_at).where(Game.state == "running"))
        return {row.id: row.due_at for row in rows}
