"""The program in processes of its own: those of the Procfile as they stand there, or one command."""

from __future__ import annotations

import os
import shlex
import signal
import subprocess
import sys
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING

from pbem.cli.operator.units import processes
from tests.servers import PATIENCE, answers, free_port, running, until
from tests.test_house import HOME

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@contextmanager
def procfile(folder: Path, *names: str, **environ: str) -> Iterator[str]:
    """Run the named processes with the settings `environ`; gives the address of the pages once they answer."""
    commands = processes((HOME / "Procfile").read_text(encoding="utf-8"))
    port = free_port()
    url = f"http://127.0.0.1:{port}"
    env = {
        **os.environ,
        "PBEM_HOME": str(folder),
        "BASE_URL": url,
        "WEB_BIND": f"127.0.0.1:{port}",
        "BEAT_SCHEDULE": str(folder / "beat"),
        "SECRET_KEYS": "e1:" + "a-secret-for-the-whole-stack-" * 2,
        "MAIL_DOMAIN": "nile.example",
        "RATE_LIMITS": "no",
        "HOLD_LETTERS": "no",
        **environ,
    }
    with ExitStack() as stack:
        for name in names:
            said = shlex.quote(str(folder / f"{name}.out"))  # the units throw it away
            command = ("sh", "-c", f"cd {shlex.quote(str(HOME))} && exec {commands[name]} >{said}")
            stack.enter_context(running(*command, log=folder / f"{name}.log", env=env))
        until(lambda: answers(port), "the pages answer")
        yield url


@contextmanager
def pbem(folder: Path, *words: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """Run `pbem` with these words; gives the process and the first line it printed."""
    command = [sys.executable, "-m", "pbem.cli", *words]
    env = {**os.environ, "PBEM_HOME": str(folder)}
    with subprocess.Popen(command, cwd=HOME, env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as run:
        assert run.stdout is not None
        try:
            yield run, run.stdout.readline().strip()
        finally:
            run.send_signal(signal.SIGTERM)
            run.wait(PATIENCE)
