"""This process's Celery: how it is set, which sweep runs when, and what is enqueued after a commit.

What the tasks do is loaded by workers alone: pages enqueue them by their names.
"""

from __future__ import annotations

import atexit
import secrets
import threading
from collections.abc import Callable, Collection, Mapping
from contextlib import nullcontext
from datetime import timedelta
from typing import TYPE_CHECKING, Any

import structlog
from celery import Celery, Task, signals
from celery.schedules import crontab
from flask import has_app_context
from kombu.transport import TRANSPORT_ALIASES
from sqlalchemy.exc import SQLAlchemyError

from pbem.extensions import PagesSession, db
from pbem.jobs import queue
from pbem.store import outages, unit_of_work
from pbem.store.unit_of_work import Work

if TYPE_CHECKING:
    from flask import Flask

    from pbem.config import Config

log = structlog.get_logger()

GAMES, LETTERS, MAILS = "games", "letters", "mails"
"""Celery's queues: letters have hands of their own, so that a relay that is slow holds no turn up; mail that came in is
taken by turns with the games, so that a flood of it doesn't either."""
_TASKS = "pbem.jobs.tasks"
_JOBS: Mapping[Work, str] = {
    Work.GAMES: f"{_TASKS}.advance_games",
    Work.LETTERS: f"{_TASKS}.deliver",
    Work.MAIL: f"{_TASKS}.read_mail",
}
"""The task for each kind of work, by name."""
LONGEST = 120
"""Seconds after which a task that hangs is killed, where workers are processes."""
TOGETHER = {Work.GAMES: 0.02, Work.LETTERS: 0.1, Work.MAIL: 0.0}
"""Seconds in which several messages for the same work become one; the first leaves at once.

A message takes the sender a quarter of a ply's time, and a mailer that is at work needs none.
"""


def init_app(app: Flask, config: Config) -> Celery:
    """Make the app's Celery: Redis, or the memory of this process, with the same tasks."""

    class FlaskTask(Task):  # type: ignore[misc]  # Celery ships no types
        def __call__(self, *args: object, **kwargs: object) -> object:
            known = outages.of(app)
            if known.is_resting():
                return None  # what it would have done stays due: a sweep comes back to it
            with nullcontext() if has_app_context() else app.app_context():
                try:
                    return self.run(*args, **kwargs)
                except SQLAlchemyError as fault:
                    db.session.rollback()
                    if not known.met(fault, self.name):
                        raise
                    return None

    TRANSPORT_ALIASES.update(dict.fromkeys(("redis", "rediss"), "pbem.jobs.redis_transport:RedisTransport"))
    celery = Celery("pbem", task_cls=FlaskTask, fixups=(), include=[_TASKS])
    celery.config_from_object(_celery_settings(config))
    celery.set_default()
    app.extensions["celery"] = celery
    return celery


def _celery_settings(config: Config) -> dict[str, Any]:
    bounded = {"socket_timeout": 1.0, "socket_connect_timeout": 1.0, "retry_on_timeout": False, "max_retries": 0}
    options = {"polling_interval": 0.02} if config.embedded else {**bounded, "visibility_timeout": 600}
    # Apps of one process share its memory: each takes from queues of its own, never another's message.
    apart = f".{secrets.token_hex(4)}" if config.embedded else ""
    games, letters, mails = (f"{queue}{apart}" for queue in (GAMES, LETTERS, MAILS))
    return {
        "broker_url": config.broker_url,
        "broker_transport_options": options,
        "broker_connection_retry_on_startup": True,
        "broker_connection_max_retries": None,
        "broker_channel_error_retry": True,  # a Redis that is full makes a worker wait, not end
        "task_queues": {games: {}, letters: {}, mails: {}},  # a worker that isn't told takes all
        "task_default_queue": games,
        "task_routes": {_JOBS[Work.LETTERS]: {"queue": letters}, _JOBS[Work.MAIL]: {"queue": mails}},
        "task_ignore_result": True,
        "task_acks_late": True,
        "task_reject_on_worker_lost": True,
        "task_publish_retry": False,
        "task_time_limit": None if config.embedded else LONGEST,
        "worker_prefetch_multiplier": 1,
        "worker_cancel_long_running_tasks_on_connection_loss": False,  # what is begun is ended; twice is harmless
        "timezone": "UTC",
        "beat_scheduler": "pbem.jobs.beat:KeptScheduler",
        "beat_schedule": {
            name: {"task": f"{_TASKS}.{name}", "schedule": every, "options": {"expires": expires}}
            for name, every, expires in _SCHEDULE
        },
    }


_SCHEDULE: tuple[tuple[str, Any, int], ...] = (
    ("sweep_games", timedelta(seconds=10), 10),
    ("sweep_outbox", timedelta(seconds=5), 5),
    ("read_mail", timedelta(seconds=10), 10),
    ("remind", timedelta(seconds=30), 30),
    ("carry_seasons", timedelta(minutes=1), 60),
    ("rate", timedelta(minutes=5), 300),
    ("call_hooks", timedelta(minutes=1), 60),
    ("publish_gazette", crontab(minute=0, hour=16, day_of_week="sunday"), 3600),
    ("prune_old", crontab(minute=17, hour=3), 3600),
)
"""Which sweep runs how often, and after how many seconds its message is worth nothing."""


@signals.setup_logging.connect
def _leave_logging_alone(**_: object) -> None:
    """Keep Celery from setting handlers, levels and standard error its own way: our lines would be lost."""


def _tell(what: str) -> Callable[..., None]:
    """What writes one line when it is called: Celery prints what it begins and ends for people, not into a log."""

    def tell(**_: object) -> None:
        log.info(what)

    return tell


_LIFE = {
    signals.worker_ready: "worker ready",
    signals.worker_shutdown: "worker ended",
    signals.beat_init: "beat begins",
}
for _moment, _what in _LIFE.items():
    _moment.connect(_tell(_what), weak=False)


@signals.beat_init.connect
def _tell_of_beats_end(**_: object) -> None:
    """Tell when beat ends as a process of its own: Celery has no signal for it."""
    if threading.current_thread() is threading.main_thread():
        atexit.register(log.info, "beat ended")


def enqueue(due: Collection[Work]) -> None:
    """Enqueue tasks for what a transaction made due; never waits for the broker."""
    for work in due:
        queue.enqueue(_JOBS[work], TOGETHER[work])


unit_of_work.on_commit(PagesSession, enqueue)
