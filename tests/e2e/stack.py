"""The program in processes of its own: those of the Procfile as they stand there, or one command."""

from __future__ import annotations

import json
import os
import re
import shlex
import signal
import subprocess
import sys
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from pbem.cli.operator.units import processes
from tests.servers import PATIENCE, answers, free_port, running, until
from tests.test_house import HOME

if TYPE_CHECKING:
    from collections.abc import Iterator


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


def children(pid: int) -> set[int]:
    """A process and all it started."""
    found = {pid}
    for path in Path(f"/proc/{pid}/task").glob("*/children"):
        for child in path.read_text(encoding="ascii").split():
            found |= children(int(child))
    return found


def command(pid: int) -> str:
    """What a process was started as."""
    return Path(f"/proc/{pid}/cmdline").read_text(encoding="utf-8").replace("\0", " ")


def memory(pid: int) -> int:
    """Bytes of memory that a process and its children take, what they share counted once."""
    sizes = [Path(f"/proc/{one}/smaps_rollup").read_text(encoding="ascii") for one in children(pid)]
    return sum(int(size) for text in sizes for size in re.findall(r"(?m)^Pss:\s+(\d+) kB", text)) * 1024


def is_json(line: str) -> bool:
    """Whether a machine can read a line of a log."""
    try:
        return isinstance(json.loads(line), dict)
    except json.JSONDecodeError:
        return False


def other_than_json(said: str) -> list[str]:
    """The lines of a log that no machine could read."""
    return [line for line in said.splitlines() if line.strip() and not is_json(line)]
