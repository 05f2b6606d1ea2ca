"""What a fault can hit: a Redis, a process group, a database server; each can be struck and started again."""

from __future__ import annotations

import os
import shlex
import signal
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING

import redis

from tests.servers import Postgres, as_postgres, until

if TYPE_CHECKING:
    from collections.abc import Callable

    from benchmarks.faults.loader import Forked, Loader

HOME = Path(__file__).parents[2]
PATIENCE = 300.0
"""Seconds after which waiting makes no sense even on a slow machine. What must be quick is measured, not waited for."""


def patiently(true: Callable[[], object], what: str) -> None:
    """Come back once `true()` holds; looks seldom enough to leave the processor to those who are waited for."""
    until(true, what, PATIENCE, pause=0.1)


class Broker:
    """A Redis that can be killed, stopped, and started again at the same socket."""

    before: tuple[str, ...] = ()
    """What its command begins with, to run it elsewhere."""

    def __init__(self, folder: Path) -> None:
        """Choose the place; `start` starts it."""
        self.folder = folder
        self.socket = folder / "redis"
        self._log = folder / "redis.log"
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        """Its address as the broker setting takes it."""
        return f"redis+socket://{self.socket}"

    def start(self, *options: str) -> None:
        """Listen, with nothing remembered."""
        self.socket.unlink(missing_ok=True)
        command = (
            *self.before,
            "redis-server",
            "--port",
            "0",
            "--unixsocket",
            str(self.socket),
            "--save",
            "",
            *options,
        )
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
        self._process.send_signal(how)  # none is sent to one that has ended
        if how == signal.SIGKILL:
            self._process.wait(20)

    def mend(self) -> None:
        """Have it listen, empty and with room, whatever a fault has left."""
        self.strike(signal.SIGCONT)
        if self._process is None or self._process.poll() is not None:
            self.start()
        with self.client() as client:
            client.config_set("maxmemory", "0")
            client.flushall()

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

    def __init__(
        self, what: str, command: tuple[str, ...], env: dict[str, str], log: Path, loader: Loader | None = None
    ) -> None:
        """Start it, by a `loader` that has loaded what a command of Python's needs if there is one."""
        self.what = what
        self._struck = False
        self._process: subprocess.Popen[bytes] | Forked
        if loader is not None:
            self._process = loader.begin(command, env, HOME, log)
        else:
            with log.open("ab") as out:
                self._process = subprocess.Popen(
                    command, env=env, stdout=out, stderr=out, cwd=HOME, start_new_session=True
                )
        with (log.parent / "pids").open("a", encoding="ascii") as pids:
            pids.write(f"{what} {self._process.pid}\n")  # whoever finds one left over can tell whose it is

    @property
    def group(self) -> int:
        """The number of its process group."""
        return self._process.pid

    @property
    def is_whole(self) -> bool:
        """Whether it runs, and was never struck as a whole."""
        return not self._struck and self._process.poll() is None

    @property
    def has_ended(self) -> bool:
        """Whether it ended without being struck."""
        return not self._struck and self._process.poll() is not None

    def hold(self, how: signal.Signals) -> None:
        """Stop the whole group for a while (SIGSTOP), or let it go on (SIGCONT); it isn't struck by that."""
        os.killpg(self._process.pid, how)

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


def crash(database: Postgres) -> None:
    """Kill every process of the database server at once, as a power cut would."""
    head = database.main
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
