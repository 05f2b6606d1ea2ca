"""The embedded server as a whole: it starts, is small, stops when asked, and the demo keeps its club."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import httpx
import pytest

from tests.servers import until
from tests.test_house import HOME

if TYPE_CHECKING:
    from collections.abc import Iterator

LIMIT = 150_000_000
"""Bytes the server may take at rest."""


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
            run.wait(20)


def children(pid: int) -> set[int]:
    """A process and all it started."""
    found = {pid}
    for path in Path(f"/proc/{pid}/task").glob("*/children"):
        for child in path.read_text(encoding="ascii").split():
            found |= children(int(child))
    return found


def memory(pid: int) -> int:
    """Bytes of memory that a process and its children take, what they share counted once."""
    sizes = [Path(f"/proc/{one}/smaps_rollup").read_text(encoding="ascii") for one in children(pid)]
    return sum(int(size) for text in sizes for size in re.findall(r"(?m)^Pss:\s+(\d+) kB", text)) * 1024


def ready(url: str) -> bool:
    """Whether the server answers that it is ready."""
    return httpx.get(f"{url}/readyz").status_code == 200


def test_serve_is_small_and_stops_when_asked(tmp_path: Path) -> None:
    """A fresh folder: the server sets it up, says where it is, takes under 150 MB at rest, and leaves with 0."""
    with pbem(tmp_path, "serve", "--port", "0") as (run, line):
        url = line.removeprefix("The club is open at ")
        assert re.fullmatch(r"http://127\.0\.0\.1:\d+", url)
        until(lambda: ready(url), "the server is ready")
        assert httpx.get(url).status_code == 200
        until(lambda: httpx.get(f"{url}/readyz").json()["last_sweep_s"] is not None, "a sweep has run")
        assert memory(run.pid) < LIMIT

    assert run.returncode == 0
    assert (tmp_path / "pbem.sqlite").is_file()
    assert (tmp_path / "secret_keys").stat().st_mode & 0o077 == 0


@pytest.fixture(scope="module")
def demo_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder that the demo is started in twice."""
    return tmp_path_factory.mktemp("demo")


@pytest.mark.parametrize("time", ["first", "second"])
def test_demo_shows_its_address_and_everybodys_mail(time: str, demo_folder: Path) -> None:
    """The first line is the address of the mailbox; letters of games under way are there, today and next time."""
    with pbem(demo_folder, "demo", "--port", "0", "--data", str(demo_folder)) as (run, line):
        assert re.fullmatch(r"http://127\.0\.0\.1:\d+/mailbox/", line)
        until(
            lambda: httpx.get(line).text.count("It is your turn") >= 3, f"letters are there the {time} time", seconds=60
        )
        assert memory(run.pid) < LIMIT

    assert run.returncode == 0
