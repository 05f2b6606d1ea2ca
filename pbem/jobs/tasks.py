"""Tasks that ask the database what is due and do it. Losing any message costs a minute, never a turn."""

from __future__ import annotations

import fcntl
import secrets
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager
from datetime import datetime, timedelta
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import structlog
from celery import shared_task
from flask import current_app
from prometheus_client import Histogram
from sqlalchemy.exc import OperationalError

from pbem import clock
from pbem.capabilities.tokens import tokens
from pbem.clubs import gazette
from pbem.clubs.account import address_change
from pbem.clubs.integrations import webhooks
from pbem.clubs.ratings import rating_sweep
from pbem.clubs.seasons import seasons
from pbem.engine.core.errors import EngineError
from pbem.errors import PlayError
from pbem.extensions import current, db, mail, settings
from pbem.inbound import receive, working
from pbem.jobs import queue
from pbem.jobs.celery_app import enqueue
from pbem.jobs.time_limit import TimeLimit
from pbem.letters import delivery
from pbem.mail import outbox
from pbem.play.admin import retention
from pbem.play.deadlines import reminders
from pbem.play.proof import snapshots
from pbem.play.seats import recruitment, sitters
from pbem.play.turns import stuck
from pbem.play.turns.advance import AdvanceResult, DueGames, advance, advance_next
from pbem.store import outages
from pbem.store.queries import common
from pbem.store.statements import has_begun, kept_connection
from pbem.store.unit_of_work import Work

if TYPE_CHECKING:
    from sqlalchemy.orm import Session

    from pbem.letters.delivery import DeliveryWorker

Ran = TypeVar("Ran", bound="AdvanceResult | None")

log = structlog.get_logger()
_watchdog = TimeLimit()
_own = threading.local()
_SECONDS = Histogram("pbem_ply_seconds", "Seconds from the lock or the read to the commit of one run of a game.")

BATCH = 1000
"""Rows one sweep takes on; the next one goes on."""
AT_ONCE = 50
"""Mails read before it is a game's turn: about half a second."""
ROUND = 20.0
"""Seconds one delivery round works before it makes room for others."""
RULES_TAKE = 30.0
"""Seconds after which a game's rules are taken to loop for ever."""
OVERDUE = timedelta(seconds=10)
"""A game that is due so long was forgotten, or is too much for its worker: it gets a message of its own."""
_LOOKED = "pbem_looked_for_unknown_rules"
"""Set in the app's extensions once this process has looked for games whose rules it doesn't hold."""


@shared_task(bind=True)
def advance_games(self: Any) -> None:
    """Carry on all games that are due, one commit each, beside other workers that do the same.

    Bots that take their time choose when no other game is due, one at a time of all that this machine's workers carry
    on, and only once before it is asked again whether one is: else the bots of two games kept all others from two
    workers.
    """
    if (self.request.delivery_info or {}).get("redelivered"):  # one of the games may have killed its worker
        _begin_again(timedelta(0))
        return
    session, end, carried, failed = db.session(), time.monotonic() + ROUND, list[AdvanceResult](), True
    try:
        with kept_connection(session):
            _drain(session, end, carried)
            session.commit()  # where the round ended before all that were read together
        failed = False
    finally:
        _told(carried)
        if failed:  # as after a kill, or the next worker would begin with the same game and end there
            session.rollback()
            _begin_again(timedelta(0))
    if time.monotonic() >= end:
        enqueue({Work.GAMES})


def _drain(session: Session, end: float, carried: list[AdvanceResult]) -> None:
    """Carry on what is due until nothing is, or it is `end`, and let bots think; `carried` notes what was done."""
    thinking: list[AdvanceResult] = []
    with _turn_to_think(settings().pbem_home) as has_turn:
        due = DueGames(may_think=lambda: not thinking and has_turn())
        go_on = partial(_carry_on, session, lambda: advance_next(session, clock.now(), due), due)
        while time.monotonic() < end or thinking:
            done = go_on() if time.monotonic() < end else None
            if done is not None:
                if not carried:
                    enqueue({Work.GAMES})  # where more are due, another worker helps, while this one's bot thinks, too
                carried.append(done)
            elif thinking:
                done = _thought(session, thinking.pop(0))
                due.passed.clear()
            else:
                break
            if done.think:
                thinking.append(done)


@contextmanager
def _turn_to_think(folder: Path) -> Iterator[Callable[[], bool]]:
    """Give what takes this machine's one turn to let bots think, until the block is left; it says whether it could.

    Where `folder` isn't there or takes no file there are no turns: each worker may.
    """
    with ExitStack() as until:
        file = cache(lambda: until.enter_context((folder / "thinking").open("a", encoding="ascii")))

        def take() -> bool:
            try:
                fcntl.flock(file(), fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError as fault:
                return not isinstance(fault, BlockingIOError)
            return True

        yield take


@shared_task(bind=True)
def advance_game(self: Any, game_id: int, *, again: bool = False) -> None:
    """Carry one game on, if it is due. `again`: it should have been before, so this counts as one more try."""
    session = db.session()
    if again or (self.request.delivery_info or {}).get("redelivered"):
        go_on = stuck.begin_again(session, clock.now(), game_id)
        session.commit()
        if not go_on:
            return
    try:
        done = _carry_on(session, lambda: advance(session, clock.now(), game_id))
        _told([done])
        while done.think:
            done = _thought(session, done)
    except OperationalError as fault:
        session.rollback()
        if again and outages.is_full(fault, settings()):  # no fault of the game's, which is not set aside for it
            stuck.was_not_its_fault(session, game_id)
            session.commit()
        raise


def _thought(session: Session, done: AdvanceResult) -> AdvanceResult:
    """Let a game's slow bots choose, outside any transaction, and carry it on if this worker still holds its lease."""
    thoughts = {(thought.ply, thought.seat): thought.ponder() for thought in done.think}
    run = partial(advance, session, clock.now(), done.game, thoughts=thoughts, lease=done.lease)
    done = _carry_on(session, run)
    _told([done])
    return done


def _carry_on(session: Session, run: Callable[[], Ran], due: DueGames | None = None) -> Ran:
    """Commit what a run did. What one statement wrote is committed, and only what it made due waits for the session.

    That is handed on once for all that were read together: to end the session's transaction is a tenth of a ply.
    """
    with _watchdog.within(RULES_TAKE), _SECONDS.time():
        done = run()
        if due is None or not due.read or has_begun(session):
            session.commit()
    return done


def _told(carried: Iterable[AdvanceResult]) -> None:
    """Write which games went on: one line for many, for a line each would take a tenth of a ply's time."""
    if plies := {done.game: done.plies for done in carried if done.plies}:
        log.info("plies resolved", games=list(plies), plies=sum(plies.values()))


@shared_task
def deliver() -> None:
    """Send what is due in the outbox, as long as there is something and the round lasts."""
    carrier = _delivery_worker()
    end = time.monotonic() + ROUND
    while carrier.deliver_one(*current()):
        if time.monotonic() > end:
            carrier.release(*current())
            return


def _delivery_worker() -> DeliveryWorker:
    """This thread's sender, with its own connection to the relay, kept from task to task."""
    app = current_app._get_current_object()  # type: ignore[attr-defined]  # noqa: SLF001 - the app itself, not its proxy
    if getattr(_own, "app", None) is not app:
        _own.app = app
        _own.carrier = delivery.delivery_worker(secrets.token_hex(8), settings(), tokens(), mail.get_connection())
    carrier: DeliveryWorker = _own.carrier
    return carrier


@shared_task
def sweep_games() -> None:
    """Advance games whose deadline has passed, or whose message was lost."""
    session, now = current()
    reminders.give_time_back(session, now)
    session.commit()
    _set_aside_unknown(session, now)
    _begin_again(OVERDUE)


def _begin_again(overdue: timedelta) -> None:
    """A message of its own for each game that failed before or is `overdue`, one for all the others that are due."""
    session, now = current()
    due = common.games_due(session, now, BATCH)
    session.commit()
    alone = [row.id for row in due if row.tries or row.wake_at <= now - overdue]
    for game_id in alone:
        queue.publish(advance_game.name, game_id, again=True)
    if len(alone) < len(due):
        enqueue({Work.GAMES})


def _set_aside_unknown(session: Session, now: datetime) -> None:
    """Once in the life of a process: which rules its program holds doesn't change while it runs."""
    app = current_app._get_current_object()  # type: ignore[attr-defined]  # noqa: SLF001 - the app itself, not its proxy
    if _LOOKED in app.extensions:
        return
    stuck.set_aside_unknown(session, now)
    session.commit()
    app.extensions[_LOOKED] = True


@shared_task
def sweep_outbox() -> None:
    """Send letters whose time has come, or whose message was lost."""
    session, now = current()
    outbox.give_up(session, now)
    waiting = common.letters_due(session, now) or common.letters_abandoned(session, now - outbox.STALE)
    session.commit()
    if waiting:
        enqueue({Work.LETTERS})


@shared_task
def remind() -> None:
    """Write the reminders that are due."""
    session = db.session()
    reminders.remind(session, clock.now(), BATCH)
    session.commit()


@shared_task
def read_mail() -> None:
    """Fetch what lies in a hosted mailbox, if there is one, and work through the mail that came in."""
    if settings().imap_url:
        _fetch_mail(settings().imap_url)
    session, now = current()
    working.work_through(session, now, delivery.addresses_of(settings()), AT_ONCE)
    more = working.is_waiting(session, now)
    session.commit()
    if more:
        enqueue({Work.MAIL})


def _fetch_mail(url: str) -> None:
    from pbem.mail import imap  # noqa: PLC0415 - only servers with a hosted mailbox need it

    def keep(sender: str, recipient: str, raw: bytes) -> bool:
        receive.receive(db.session(), raw, recipient, clock.now(), sender=sender, source="imap")
        db.session.commit()
        return True

    visits: imap.Visits = current_app.extensions.setdefault("pbem.mailbox", imap.Visits())
    visits.pay(url, delivery.addresses_of(settings()), keep)


@shared_task
def carry_seasons() -> None:
    """See to games that wait for players and days that are over; open the games and rounds of seasons that are due."""
    session, now = current()
    recruitment.sweep(session, now)
    session.commit()
    sitters.end_overdue(session, now)
    session.commit()
    address_change.sweep(session, now)
    session.commit()
    for season_id in seasons.to_carry_on(session):
        try:
            seasons.carry_on(session, now, season_id)
        except (PlayError, EngineError) as refused:
            session.rollback()  # the other seasons go on
            log.error("season can't go on", season=season_id, fault=str(refused))  # noqa: TRY400 - a refusal, in words
        else:
            session.commit()


@shared_task
def rate() -> None:
    """Count finished games for the ratings."""
    session = db.session()
    while rating_sweep.rate_finished(session):
        session.commit()
    session.commit()


@shared_task
def call_hooks() -> None:
    """Tell other services what is new, for one round at most."""
    session, end = db.session(), time.monotonic() + ROUND
    webhooks.collect(session, clock.now())
    session.commit()
    while webhooks.call_one(session, clock.now()) and time.monotonic() < end:
        session.commit()
    session.commit()


@shared_task
def publish_gazette() -> None:
    """Write the clubs' weekly letters."""
    session = db.session()
    gazette.publish(session, clock.now())
    session.commit()


@shared_task
def prune_old() -> None:
    """Delete rows past their retention."""
    session = db.session()
    while retention.prune(session, clock.now()):
        session.commit()
    session.commit()
    end, last = time.monotonic() + ROUND, snapshots.drop_next(session, clock.now())
    while last is not None and time.monotonic() < end:
        session.commit()
        last = snapshots.drop_next(session, clock.now(), last)
    session.commit()
