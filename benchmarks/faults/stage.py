"""The stage: PostgreSQL, Redis, a sink, and the processes of the Procfile with striking points, on loopback only."""

from __future__ import annotations

import os
import signal
import sys
import time
from contextlib import ExitStack, contextmanager
from datetime import datetime
from typing import TYPE_CHECKING, Any

from celery import Celery
from sqlalchemy import func, select
from sqlalchemy.exc import OperationalError

from benchmarks.faults.loader import Loader
from benchmarks.faults.sink import Sink, sink
from benchmarks.faults.targets import HOME, PATIENCE, Broker, Process, patiently
from pbem import clock
from pbem.extensions import db
from pbem.mail import outbox
from pbem.store.models import Game, Inbound, Letter, StoredPly
from tests.conftest import forget_torn, make_app, set_up, settings_in
from tests.servers import LOOPBACK, Postgres, answers, connect, free_port, postgres, until, workshop

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    import psycopg
    from flask import Flask

    from benchmarks.faults.history import Said

_HANDS = "--without-gossip --without-mingle --loglevel warning"
_PAGES = "--no-control-socket --worker-class gthread --preload --threads 8"
_QUIET = 3.0
"""Seconds without a change after which letters still claimed are taken to be a dead sender's."""
STRUCK = ("benchmarks.faults.saboteur:celery", "benchmarks.faults.saboteur:app")
"""The Celery and the Flask app with striking points."""
PLAIN = ("worker", "pbem.app:create_app()")
"""The same as the Procfile starts them."""


class Stage:
    """Everything a fault can hit. `app` is the same program on the same database, for the audience to look with."""

    host = LOOPBACK
    """Where the pages are."""

    def __init__(self, database: Postgres, broker: Broker, sink: Sink, apps: tuple[str, str] = STRUCK) -> None:
        """Set up the database; files are kept beside Redis's, the processes are started by `start`, from `apps`."""
        self.folder, self.database, self.broker, self.sink, self._apps = broker.folder, database, broker, sink, apps
        folder = broker.folder
        self.strikes = folder / "strikes"
        self.strikes.mkdir()
        self._offset = folder / "clock"
        self._offset.write_text("0", encoding="ascii")
        os.environ[clock.OFFSET_FILE] = str(self._offset)
        self.port, self.mail_port = free_port(), free_port()
        self.environ = {
            "DATABASE_URL": database.fresh(),
            "REDIS_URL": broker.url,
            "SMTP_URL": f"smtp://{sink.host}:{sink.port}",
            "BASE_URL": f"http://{self.host}:{self.port}",
            "MAIL_DOMAIN": "club.example",
        }
        self.app: Flask = make_app(settings_in(folder, **self.environ))
        set_up(self.app)
        self._processes: list[Process] = []
        self._loader: Loader | None = None
        self._next_sweep = 0.0
        self.ended: list[str] = []
        """Which processes ended by themselves."""
        self.settled = 0.0
        """Seconds by the club's clock that the longest recovery took."""
        self.history: list[Said] = []
        """Everything people sent, and what they were told."""

    def clear(self) -> None:
        """Make the stage as it was at first: no rows, no mails, no strikes, the right time.

        Processes stay if nothing is due and no letter is being sent: one that is at work would bring a mail of the rows
        that were into those to be. The sink is emptied last, with what a sender that was ended has left in its line.
        """
        if self.due():
            self.stop()
        self.broker.mend()
        patiently(self._is_empty, "the tables are empty")
        if not self._processes:
            self.sink.down()
        self.sink.behave()
        self.sink.up()
        self.history.clear()
        self.ended.clear()
        self.settled = 0.0
        for file in self.strikes.iterdir():
            file.unlink()
        self._offset.write_text("0", encoding="ascii")

    def _is_empty(self) -> bool:
        """Empty every table, unless a process that finds nothing more to do stands in the way at this moment.

        No letter can be claimed meanwhile; if one is already, its sender is ended.
        """
        names = ", ".join(f'"{table.name}"' for table in db.metadata.sorted_tables)
        claimed = select(func.count()).where(Letter.state == "claimed")
        try:
            with self.app.app_context(), db.engine.begin() as connection:
                connection.exec_driver_sql(f'LOCK TABLE "{Letter.__tablename__}" IN ACCESS EXCLUSIVE MODE')
                if connection.execute(claimed).scalar_one():
                    self.stop()
                connection.exec_driver_sql(f"TRUNCATE {names} CASCADE")
        except OperationalError:  # a deadlock
            return False
        return True

    # --- processes ---

    def env(self, **more: str) -> dict[str, str]:
        """The environment of a process."""
        settings = settings_in(self.folder)
        keys = ",".join(f"{name}:{secret}" for name, secret in settings.secret_keys)
        ours = {
            "PBEM_HOME": str(self.folder),
            "SECRET_KEYS": keys,
            "RATE_LIMITS": "no",
            "HOLD_LETTERS": "no",
            "TMPDIR": str(self.folder),  # who is killed leaves what it began there
            **self.environ,
        }
        return {**os.environ, **ours, "PBEM_STRIKES": str(self.strikes), "PYTHONPATH": str(HOME), **more}

    def sleepers(self) -> list[Path]:
        """A file for each process that sleeps at a strike; its suffix is the process's number."""
        return list(self.strikes.glob("stopped.*"))

    def cast(self, *wanted: str) -> list[Process]:
        """Have exactly these processes: those that run already and were not struck go on, as others are started."""
        kept: dict[int, Process] = {}
        for number, what in enumerate(wanted):
            alive = [p for p in self._processes if p.what == what and p.is_whole and p not in kept.values()]
            if alive:
                kept[number] = alive[0]
        for process in self._processes:
            if process not in kept.values():
                process.stop()
        self._processes = list(kept.values())
        return [kept[number] if number in kept else self.start(what) for number, what in enumerate(wanted)]

    def supervise(self) -> None:
        """Start again what ended by itself, as systemd does with `Restart=always`."""
        for process in [one for one in self._processes if one.has_ended]:
            self._processes.remove(process)
            self.start(process.what)
            self.ended.append(process.what)

    def start(self, what: str, *options: str, **more: str) -> Process:
        """Start a worker, a beat, the mail door or the pages, with `more` in its environment."""
        if what == "web":
            until(lambda: not answers(self.port), "the last pages have let go of their port", PATIENCE)
        celery, pages = self._apps
        commands = {
            "worker": f"celery --app {celery} worker {_HANDS} --concurrency 2 --queues games,mails",
            "mailer": f"celery --app {celery} worker {_HANDS} --concurrency 1 --queues letters",
            "beat": f"celery --app {celery} beat --loglevel warning --schedule {self.folder}/beat{time.monotonic_ns()}",
            "web": f"gunicorn {_PAGES} --bind {LOOPBACK}:{self.port} {pages}",
            "smtpd": f"benchmarks.faults.saboteur {self.mail_port}",
        }
        command = (sys.executable, "-m", *commands[what].split(), *options)
        # Who measures what a process takes has them begun one by one, as they are everywhere else.
        if self._loader is None and self._apps == STRUCK:
            self._loader = Loader(self.env(), HOME)
        process = Process(what, command, self.env(PBEM_ROLE=what, **more), self.folder / f"{what}.log", self._loader)
        self._processes.append(process)
        door = {"web": self.port, "smtpd": self.mail_port}.get(what)
        if door:
            until(lambda: process.has_ended or answers(door), f"{what} answers", PATIENCE)
            assert not process.has_ended, f"{what} ended as it began, see {what}.log"
        return process

    def keep(self, process: Process) -> None:
        """Look after one more process: it ends with the others."""
        self._processes.append(process)

    def groups(self) -> set[int]:
        """The process groups of what was started here."""
        return {process.group for process in self._processes}

    def stop(self) -> None:
        """End every process started here."""
        for process in self._processes:
            process.stop()
        self._processes.clear()

    def take_down(self) -> None:
        """End everything started here, for good."""
        self.stop()
        if self._loader is not None:
            self._loader.stop()

    def arm(self, point: str, how: str = "kill", *, lasting: bool = False) -> None:
        """Let the next process that comes to `point` be struck."""
        draft = self.folder / "strike"
        draft.write_text(how, encoding="ascii")
        draft.rename(self.strikes / (f"{point}." if lasting else point))

    def has_struck(self, point: str) -> bool:
        """Whether the strike armed at `point` has hit somebody."""
        return not (self.strikes / point).exists()

    # --- time and work ---

    def move(self, seconds: float) -> None:
        """Move every process's clock."""
        draft = self.folder / "clock-draft"
        draft.write_text(str(float(self._offset.read_text(encoding="ascii")) + seconds), encoding="ascii")
        draft.rename(self._offset)

    def sweep(self, *names: str) -> None:
        """Send messages as the beat does, for those that can't wait for it, but twice a second at most."""
        if time.monotonic() < self._next_sweep:
            return
        self._next_sweep = time.monotonic() + 0.5
        celery: Celery = self.app.extensions["celery"]
        for name in names or ("sweep_games", "sweep_outbox", "read_mail"):
            celery.send_task(f"pbem.jobs.tasks.{name}", expires=10, retry=False)

    def count(self, table: type, *which: Any) -> int:
        """How many rows a table has, or has of `which`."""
        with self.app.app_context():
            return int(db.session.execute(select(func.count()).select_from(table).where(*which)).scalar_one())

    def plies(self) -> int:
        """How many plies all games have."""
        return self.count(StoredPly)

    def due(self) -> dict[str, int]:
        """What is due and not done: one statement, since it is asked all the while."""
        now = clock.now()
        waiting = {
            "games": select(func.count(Game.id)).where(Game.state == "running", Game.wake_at <= now),
            "letters": select(func.count(Letter.id)).where(Letter.state == "pending", Letter.next_try_at <= now),
            "mails": select(func.count(Inbound.id)).where(Inbound.state == "new", Inbound.next_try_at <= now),
            "claimed": select(func.count(Letter.id)).where(Letter.state == "claimed"),
        }
        with self.app.app_context():
            found = db.session.execute(select(*(one.scalar_subquery() for one in waiting.values()))).one()
        return {what: number for what, number in zip(waiting, found, strict=True) if number}

    def recover(self, true: Callable[[], object], what: str) -> None:
        """Wait for what must be so again soon after a fault, and note how long it took by the club's clock."""
        begun = clock.now()
        patiently(true, what)
        self.settled = max(self.settled, (clock.now() - begun).total_seconds())

    def settle(self) -> None:
        """Wait until everything due is done.

        What a dead sender had claimed is waited for by moving the clock, once nothing else is left.
        """
        left, since = self.due(), time.monotonic()

        def is_done() -> bool:
            nonlocal left, since
            before, left = left, self.due()
            if left != before:
                since = time.monotonic()
            if left.keys() == {"claimed"} and time.monotonic() - since > _QUIET:
                self._age_claims()
                since = time.monotonic()
            self.supervise()
            self.sweep()
            return not left

        self.recover(is_done, "all due work is done")

    def _age_claims(self) -> None:
        """Move the clock to the moment at which the newest claim is stale."""
        with self.app.app_context():
            newest: datetime | None = db.session.execute(select(func.max(Letter.claimed_at))).scalar_one()
        if newest is not None:
            self.move(max(0.0, (newest + outbox.STALE - clock.now()).total_seconds()))

    def finish(self) -> None:
        """Settle, and let time go by until no letter waits for its next try."""
        waiting = select(func.min(Letter.next_try_at)).where(Letter.state == "pending", Letter.attempts > 0)

        def is_empty() -> bool:
            self.settle()
            with self.app.app_context():
                first: datetime | None = db.session.execute(waiting).scalar_one()
            if first is not None:
                self.move(max(0.0, (first - clock.now()).total_seconds()))
            return first is None

        patiently(is_empty, "every letter has left")


@contextmanager
def stage(apps: tuple[str, str] = STRUCK, *, durable: bool = False) -> Iterator[Stage]:
    """A stage of one's own, taken down at the end whatever happened on it."""
    before = signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # asked to end, it still takes everything down
    with ExitStack() as stack:
        stack.callback(signal.signal, signal.SIGTERM, before)
        broker = Broker(stack.enter_context(workshop()))
        database = stack.enter_context(postgres(durable=durable))
        stack.callback(broker.stop)
        broker.start()
        made = Stage(database, broker, stack.enter_context(sink()), apps)
        stack.callback(made.take_down)
        stack.callback(_let_go, made)
        yield made


def _let_go(stage: Stage) -> None:
    with stage.app.app_context():
        db.session.remove()
        db.engine.dispose()
    forget_torn()
    os.environ.pop(clock.OFFSET_FILE, None)


@contextmanager
def behind(stage: Stage) -> Iterator[psycopg.Connection]:
    """A connection to the stage's database that knows nothing of the program."""
    with connect(stage.environ["DATABASE_URL"]) as connection:
        yield connection
