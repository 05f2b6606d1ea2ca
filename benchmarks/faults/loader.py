"""A process that has loaded the program and begins the stage's others as forks of itself.

Loading is three quarters of what each would take to start. What it loads reads no settings; the app, its points and its
connections each of the others makes for itself. It reads a line for each process that is wanted, and answers with its
number.
"""

from __future__ import annotations

import gc
import importlib
import os
import runpy
import select
import signal
import subprocess
import sys
from contextlib import suppress
from typing import TYPE_CHECKING

import msgspec

from pbem import web

if TYPE_CHECKING:
    from pathlib import Path

LOADED = (
    *("celery.bin.celery", "celery.apps.worker", "celery.apps.beat", "celery.concurrency.prefork"),
    *("celery.worker.components", "celery.worker.consumer", "celery.events.receiver", "celery.app.log"),
    *("gunicorn.app.wsgiapp", "gunicorn.workers.gthread", "gunicorn.glogging"),
    *("pbem.app", "pbem.smtpd", "pbem.letters.context", "pbem.jobs.tasks", "pbem.jobs.redis_transport"),
    *("pbem.inbound.working", "pbem.engine.amunre", "pbem.engine.priestsofra"),
    *(f"pbem.web.{name}" for name in web.BLUEPRINTS),
    "tests.servers",
)
"""Modules that most of the stage's processes need."""
_MODULE = ("-m",)
"""What comes in a command between Python and the module to run."""


class Wanted(msgspec.Struct, frozen=True):
    """A process to begin: the module with its words, its environment, where it works and what it writes to."""

    words: tuple[str, ...]
    env: dict[str, str]
    cwd: str
    log: str


class Forked:
    """A process that the loader began, with so much of `subprocess.Popen` as the stage asks for."""

    def __init__(self, pid: int) -> None:
        """It runs."""
        self.pid = pid
        self._end = os.pidfd_open(pid)

    def __del__(self) -> None:
        """Let go of it."""
        os.close(self._end)

    def poll(self) -> int | None:
        """Return 0 once it has ended, in whichever way."""
        return 0 if select.select([self._end], [], [], 0)[0] else None

    def wait(self, seconds: float) -> None:
        """Come back once it has ended; raises TimeoutExpired if it doesn't in time."""
        if not select.select([self._end], [], [], seconds)[0]:
            raise subprocess.TimeoutExpired(str(self.pid), seconds)


class Loader:
    """The loader as the stage sees it. It has its processes' marks in its environment, for who must end them all."""

    def __init__(self, env: dict[str, str], home: Path) -> None:
        """Start it; it loads while the stage goes on."""
        command = (sys.executable, *_MODULE, __spec__.name)
        self._process = subprocess.Popen(
            command, env=env, stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=home, start_new_session=True
        )

    def begin(self, command: tuple[str, ...], env: dict[str, str], cwd: Path, log: Path) -> Forked:
        """Begin a command of Python's, `(PYTHON, "-m", MODULE, *WORDS)`, in a process group of its own."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        wanted = Wanted(command[1 + len(_MODULE) :], env, str(cwd), str(log))
        self._process.stdin.write(msgspec.json.encode(wanted) + b"\n")
        self._process.stdin.flush()
        return Forked(int(self._process.stdout.readline()))

    def stop(self) -> None:
        """End it; those it began go on."""
        self._process.communicate()


def main() -> None:
    """Begin what is asked for until nothing more can be; none is waited for before, so that no number is used again."""
    for module in LOADED:
        importlib.import_module(module)
    gc.freeze()
    for line in sys.stdin.buffer:
        pid = os.fork()
        if pid == 0:
            _become(msgspec.json.decode(line, type=Wanted))
            return
        print(pid, flush=True)
    with suppress(ChildProcessError):  # their time is counted as this one's
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass


def _become(wanted: Wanted) -> None:
    """Be what was wanted: run its module as Python would."""
    os.setsid()
    signal.signal(signal.SIGINT, signal.default_int_handler)
    nothing, log = os.open(os.devnull, os.O_RDONLY), os.open(wanted.log, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o644)
    os.dup2(nothing, 0)
    os.dup2(log, 1)
    os.dup2(log, 2)
    os.closerange(3, max(nothing, log) + 1)
    os.chdir(wanted.cwd)
    os.environ.clear()
    os.environ.update(wanted.env)
    sys.argv = list(wanted.words)
    runpy.run_module(wanted.words[0], run_name="__main__", alter_sys=True)


if __name__ == "__main__":
    main()
