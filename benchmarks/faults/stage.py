"""The stage: PostgreSQL, Redis, a sink, and the processes of the Procfile with striking points, on loopback only."""

from __future__ import annotations

import os
import shlex
import signal
import subprocess
import sys
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import redis
from celery import Celery
from sqlalchemy import func, select

from benchmarks.faults.sink import Sink, sink
from pbem import clock
from pbem.extensions import db
from pbem.mail import outbox
from pbem.store.tables import Game, Letter, Ply
from tests.conftest import make_app, set_up, settings_in
from tests.servers import LOOPBACK, Postgres, answers, as_postgres, free_port, postgres, until, workshop

if TYPE_CHECKING:
    from collections.abc import Iterator

    from flask import Flask

HOME = Path(__file__).parents[2]
RECOVERY = 120.0
"""Seconds after a fault within which all due work must be done."""
_MODULE = "benchmarks.faults.saboteur"


class Bell:
    """A Redis that can be killed, stopped, and started again at the same socket."""

    def __init__(self, folder: Path) -> None:
        """Choose the place; `start` starts it."""
        self.socket = folder / "redis"
        self._log = folder / "redis.log"
        self._process: subprocess.Popen[bytes] | None = None

    def start(self, *options: str) -> None:
        """Listen, with nothing remembered."""
        self.socket.unlink(missing_ok=True)
        command = ("redis-server", "--port", "0", "--unixsocket", str(self.socket), "--save", "", *options)
        with self._log.open("ab") as log:
            self._process = subprocess.Popen(command, stdout=log, stderr=log, cwd=self.socket.parent)
        until(self._answers, "Redis answers")

    def _answers(self) -> bool:
        try:
            with self.client() as client:
                return bool(client.ping())
        except redis.RedisError:
            return False

    def strike(self, how: signal.Signals) -> None:
        """Send it a signal."""
        assert self._process is not None
        self._process.send_signal(how)
        if how == signal.SIGKILL:
            self._process.wait(20)

    def stop(self) -> None:
        """End it, whatever state it is in."""
        if self._process is not None and self._process.poll() is None:
            self._process.kill()
            self._process.wait(20)

    def client(self) -> redis.Redis:
        """A connection to look inside with."""
        return redis.Redis(unix_socket_path=str(self.socket), socket_timeout=5)


class Process:
    """One process group of the server."""

    def __init__(self, command: tuple[str, ...], env: dict[str, str], log: Path) -> None:
        """Start it."""
        with log.open("ab") as out:
            self._process = subprocess.Popen(
                command, env=env, stdout=out, stderr=out, cwd=HOME, start_new_session=True
            )

    def strike(self, how: signal.Signals) -> None:
        """Send the whole group a signal."""
        if self._process.poll() is None:
            os.killpg(self._process.pid, how)
        if how == signal.SIGKILL:
            self._process.wait(20)

    def stop(self) -> None:
        """End it; by force, because a fault may have left it in any state."""
        self.strike(signal.SIGKILL)


class Stage:
    """Everything a fault can hit. `app` is the same program on the same database, for the audience to look with."""

    def __init__(self, folder: Path, database: Postgres, sink: Sink) -> None:  # noqa: PLR0917 - its three parts
        """Set up the database and start Redis; the processes are started by `start`."""
        self.folder, self.database, self.sink = folder, database, sink
        self.bell = Bell(folder)
        self.bell.start()
        self.strikes = folder / "strikes"
        self.strikes.mkdir()
        self._offset = folder / "clock"
        self._offset.write_text("0", encoding="ascii")
        os.environ[clock.OFFSET_FILE] = str(self._offset)
        self.port = free_port()
        self.environ = {
            "DATABASE_URL": database.fresh(),
            "REDIS_URL": f"redis+socket://{self.bell.socket}",
            "SMTP_URL": f"smtp://{LOOPBACK}:{sink.port}",
            "BASE_URL": f"http://{LOOPBACK}:{self.port}",
            "MAIL_DOMAIN": "club.example",
        }
        self.app: Flask = make_app(settings_in(folder, **self.environ))
        set_up(self.app)
        self._processes: list[Process] = []

    def clear(self) -> None:
        """Make the stage as it was at first: no rows, no mails, no strikes, no processes, the right time."""
        self.stop()
        self.sink.mails.clear()
        self.sink.lose = self.sink.slow = 0.0
        self.sink.refusal, self.sink.refused = "", {}
        for file in self.strikes.iterdir():
            file.unlink()
        self._offset.write_text("0", encoding="ascii")
        self.bell.stop()
        self.bell.start()
        with self.app.app_context(), db.engine.begin() as connection:
            names = ", ".join(f'"{table.name}"' for table in db.metadata.sorted_tables)
            connection.exec_driver_sql(f"TRUNCATE {names} CASCADE")

    # --- processes ---

    def env(self, **more: str) -> dict[str, str]:
        """The environment of a process."""
        settings = settings_in(self.folder)
        keys = ",".join(f"{name}:{secret}" for name, secret in settings.secret_keys)
        ours = {"PBEM_HOME": str(self.folder), "SECRET_KEYS": keys, "RATE_LIMITS": "no", **self.environ}
        return {**os.environ, **ours, "PBEM_STRIKES": str(self.strikes), "PYTHONPATH": str(HOME), **more}

    def start(self, what: str, **more: str) -> Process:
        """Start a worker, a beat or the pages, with `more` in its environment."""
        commands = {
            "worker": ("celery", "--app", f"{_MODULE}:celery", "worker", "--loglevel", "warning", "--concurrency", "2"),
            "beat": ("celery", "--app", f"{_MODULE}:celery", "beat", "--loglevel", "warning", "--schedule"),
            "web": ("gunicorn", "--worker-class", "gthread", "--workers", "1", "--threads", "8", "--bind"),
        }
        tails = {
            "worker": (),
            "beat": (str(self.folder / f"beat{len(self._processes)}"),),
            "web": (f"{LOOPBACK}:{self.port}", f"{_MODULE}:app"),
        }
        command = (sys.executable, "-m", *commands[what], *tails[what])
        process = Process(command, self.env(**more), self.folder / f"{what}.log")
        self._processes.append(process)
        if what == "web":
            until(lambda: answers(self.port), "the pages answer", 60)
        return process

    def stop(self) -> None:
        """End every process started here."""
        for process in self._processes:
            process.stop()
        self._processes.clear()

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
        """Ring as the beat does, for those that can't wait for it."""
        celery: Celery = self.app.extensions["celery"]
        for name in names or ("sweep_games", "sweep_outbox", "read_mail"):
            celery.send_task(f"pbem.tasks.{name}", expires=10, retry=False)

    def plies(self) -> int:
        """How many plies all games have."""
        return self._count(select(func.count()).select_from(Ply))

    def due(self) -> dict[str, int]:
        """What is due and not done."""
        now = clock.now()
        found = {
            "games": self._count(select(func.count()).where(Game.state == "running", Game.wake_at <= now)),
            "letters": self._count(select(func.count()).where(Letter.state == "pending", Letter.next_try_at <= now)),
            "claimed": self._count(select(func.count()).where(Letter.state == "claimed")),
        }
        return {what: number for what, number in found.items() if number}

    def _count(self, query: Any) -> int:
        with self.app.app_context():
            return int(db.session.execute(query).scalar_one())

    def settle(self, seconds: float = RECOVERY) -> None:
        """Wait until everything due is done; claims of dead senders are let grow old by moving the clock."""
        self.move(outbox.STALE.total_seconds() + 1)
        looks = 0

        def is_done() -> bool:
            nonlocal looks
            looks += 1
            if not self.due():
                return True
            if looks % 50 == 1:
                self.sweep()
            if looks % 1000 == 0:
                self.move(outbox.STALE.total_seconds() + 1)
            return False

        until(is_done, f"all due work is done, left: {self.due()}", seconds)


def crash(database: Postgres) -> None:
    """Kill every process of the database server at once, as a power cut would."""
    head = int((database.folder / "data/postmaster.pid").read_text(encoding="ascii").split()[0])
    children = Path(f"/proc/{head}/task/{head}/children").read_text(encoding="ascii").split()
    for pid in (head, *map(int, children)):
        try:
            os.kill(pid, signal.SIGKILL)
        except ProcessLookupError:
            continue
    until(lambda: not Path(f"/proc/{head}").exists(), "PostgreSQL is dead")


def revive(database: Postgres) -> None:
    """Start a database server again that was killed."""
    data = database.folder / "data"
    program, _, _, *options = shlex.split((data / "postmaster.opts").read_text(encoding="ascii"))
    (data / "postmaster.pid").unlink(missing_ok=True)
    log = database.folder / "log"
    control = Path(program).parent / "pg_ctl"
    as_postgres(database.folder, control, "-D", data, "-w", "-l", log, "-o", shlex.join(options), "start")


@contextmanager
def stage() -> Iterator[Stage]:
    """A stage of one's own, taken down at the end whatever happened on it."""
    with ExitStack() as stack:
        folder = stack.enter_context(workshop())
        made = Stage(folder, stack.enter_context(postgres()), stack.enter_context(sink()))
        stack.callback(made.bell.stop)
        stack.callback(made.stop)
        stack.callback(_let_go, made)
        yield made


def _let_go(stage: Stage) -> None:
    with stage.app.app_context():
        db.session.remove()
        db.engine.dispose()
    os.environ.pop(clock.OFFSET_FILE, None)


def name_of(stage: Stage) -> str:
    """The name of the stage's database."""
    return urlsplit(stage.environ["DATABASE_URL"]).path.removeprefix("/")
