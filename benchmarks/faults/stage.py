"""The stage: PostgreSQL, Redis, a sink, and the processes of the Procfile with striking points, on loopback only."""

from __future__ import annotations

import os
import shlex
import signal
import subprocess
import sys
import time
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import psycopg
import redis
from celery import Celery
from sqlalchemy import func, select

from benchmarks.faults.sink import Sink, sink
from pbem import clock
from pbem.extensions import db
from pbem.mail import outbox
from pbem.store.tables import Game, Letter, Ply
from tests.conftest import forget_torn, make_app, set_up, settings_in
from tests.servers import LOOPBACK, Postgres, answers, as_postgres, free_port, postgres, until, workshop

if TYPE_CHECKING:
    from collections.abc import Iterator

    from flask import Flask

HOME = Path(__file__).parents[2]
RECOVERY = 120.0
"""Seconds after a fault within which all due work must be done."""
STRUCK = ("benchmarks.faults.saboteur:celery", "benchmarks.faults.saboteur:app")
"""The Celery and the Flask app with striking points."""
PLAIN = ("worker", "pbem.app:create_app()")
"""The same as the Procfile starts them."""


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

    def __init__(self, what: str, command: tuple[str, ...], env: dict[str, str], log: Path) -> None:
        """Start it."""
        self.what = what
        self._struck = False
        with log.open("ab") as out:
            self._process = subprocess.Popen(command, env=env, stdout=out, stderr=out, cwd=HOME, start_new_session=True)
        with (log.parent / "pids").open("a", encoding="ascii") as pids:
            pids.write(f"{what} {self._process.pid}\n")  # whoever finds one left over can tell whose it is

    @property
    def is_whole(self) -> bool:
        """Whether it runs, and was never struck as a whole."""
        return not self._struck and self._process.poll() is None

    @property
    def has_ended(self) -> bool:
        """Whether it ended without being struck."""
        return not self._struck and self._process.poll() is not None

    def set_apart(self) -> None:
        """Let no other fault have it: it was started in a way of its own."""
        self._struck = True

    def strike(self, how: signal.Signals) -> None:
        """Send the whole group a signal."""
        self._struck = True
        if self._process.poll() is None:
            os.killpg(self._process.pid, how)
        if how == signal.SIGKILL:
            self._process.wait(20)

    def stop(self) -> None:
        """End it; by force, because a fault may have left it in any state."""
        self.strike(signal.SIGKILL)


class Stage:
    """Everything a fault can hit. `app` is the same program on the same database, for the audience to look with."""

    def __init__(self, folder: Path, database: Postgres, sink: Sink, apps: tuple[str, str] = STRUCK) -> None:
        """Set up the database and start Redis; the processes are started by `start`, from `apps`."""
        self.folder, self.database, self.sink, self._apps = folder, database, sink, apps
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
        self._next_sweep = 0.0
        self.restarts = 0
        """How often a process ended by itself."""

    def clear(self) -> None:
        """Make the stage as it was at first: no rows, no mails, no strikes, the right time. Processes may stay."""
        self.sink.behave()
        for file in self.strikes.iterdir():
            file.unlink()
        self._offset.write_text("0", encoding="ascii")
        with self.bell.client() as client:
            client.flushall()
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
            self.restarts += 1

    def start(self, what: str, *options: str, **more: str) -> Process:
        """Start a worker, a beat or the pages, with `more` in its environment."""
        if what == "web":
            until(lambda: not answers(self.port), "the last pages have let go of their port")
        celery, pages = self._apps
        commands = {
            "worker": ("celery", "--app", celery, "worker", "--loglevel", "warning", "--concurrency", "2"),
            "mailer": ("celery", "--app", celery, "worker", "--loglevel", "warning", "--concurrency", "1"),
            "beat": ("celery", "--app", celery, "beat", "--loglevel", "warning", "--schedule"),
            "web": ("gunicorn", "--worker-class", "gthread", "--preload", "--threads", "8", "--bind"),
        }
        tails = {
            "worker": ("--queues", "games"),
            "mailer": ("--queues", "letters"),
            "beat": (str(self.folder / f"beat{time.monotonic_ns()}"),),
            "web": (f"{LOOPBACK}:{self.port}", pages),
        }
        command = (sys.executable, "-m", *commands[what], *tails[what], *options)
        process = Process(what, command, self.env(PBEM_ROLE=what, **more), self.folder / f"{what}.log")
        self._processes.append(process)
        if what == "web":
            until(lambda: answers(self.port), "the pages answer", 60)
        return process

    def keep(self, process: Process) -> None:
        """Look after one more process: it ends with the others."""
        self._processes.append(process)

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
        """Ring as the beat does, for those that can't wait for it, but twice a second at most."""
        if time.monotonic() < self._next_sweep:
            return
        self._next_sweep = time.monotonic() + 0.5
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
                self.supervise()
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
def stage(apps: tuple[str, str] = STRUCK, *, durable: bool = False) -> Iterator[Stage]:
    """A stage of one's own, taken down at the end whatever happened on it."""
    before = signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # asked to end, it still takes everything down
    with ExitStack() as stack:
        stack.callback(signal.signal, signal.SIGTERM, before)
        folder = stack.enter_context(workshop())
        database = stack.enter_context(postgres(durable=durable))
        made = Stage(folder, database, stack.enter_context(sink()), apps)
        stack.callback(made.bell.stop)
        stack.callback(made.stop)
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
    name = urlsplit(stage.environ["DATABASE_URL"]).path.removeprefix("/")
    address = f"host={stage.database.folder} user=postgres dbname={name}"
    with psycopg.connect(address, autocommit=True) as connection:
        yield connection
