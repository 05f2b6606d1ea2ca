"""The embedded server as a whole: it starts, is small, keeps answering, and stops when asked."""

from __future__ import annotations

import os
import re
import socket
import subprocess
import sys
from contextlib import ExitStack
from typing import TYPE_CHECKING, NamedTuple

import httpx
import pytest

from tests.e2e.stack import memory, other_than_json, pbem
from tests.servers import LOOK, PATIENCE, until
from tests.test_house import HOME

if TYPE_CHECKING:
    from pathlib import Path

LIMIT = 125_000_000
"""Bytes that the embedded server may take at rest."""
NOT_AT_START = ("alembic", "httpx", "mako", "PIL", "thorvg_python", "prometheus_client", "pbem.jobs.tasks")
"""What pages do without: 1 to 8 MB each, for commands, hooks, letters' pictures, figures and what workers do."""


def ready(url: str) -> bool:
    """Whether the server answers that it is ready, and has swept once."""
    answer = httpx.get(f"{url}/readyz", timeout=PATIENCE)
    return answer.status_code == 200 and answer.json()["last_sweep_s"] is not None


SLOW = (
    b"",
    b"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\nX-",
    b"POST /links HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 5000\r\n\r\naddress=",
    b"GET /static/js/htmx.min.js HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n" * 10,
)
"""What a connection sends before it falls silent: nothing, half a header, half a body, much and takes no answer."""


class Run(NamedTuple):
    """What one server did from its start to its end."""

    folder: Path
    greeting: str
    size: int
    """Bytes at rest."""
    answers: list[int]
    """Of pages asked for beside the slow connections."""
    alive: set[int]
    """The ports at which those still were afterwards."""
    code: int
    log: str


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Run:
    """Start `pbem serve` in a fresh folder, let it rest, hold it up, and stop it."""
    folder = tmp_path_factory.mktemp("serve")
    with pbem(folder, "serve", "--port", "0") as (process, line), ExitStack() as stack:
        url = line.removeprefix("The club is open at ")
        port = int(url.rpartition(":")[2])
        until(lambda: ready(url), "the server is ready, and a sweep has run", pause=LOOK)
        assert httpx.get(url, timeout=PATIENCE).status_code == 200
        size = memory(process.pid)
        doors = []
        for sent in SLOW * 8:
            door = stack.enter_context(socket.socket())
            door.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            door.connect(("127.0.0.1", port))
            door.sendall(sent)
            doors.append(door)
        answers = [httpx.get(url, timeout=PATIENCE / 4).status_code for _ in range(3)]
        alive = {door.getpeername()[1] for door in doors}
        stack.close()
        process.terminate()
        said = process.communicate(timeout=PATIENCE)[1]
    return Run(folder, line, size, answers, alive, process.returncode, said)


def test_serve_is_small_and_stops_when_asked(run: Run) -> None:
    """A fresh folder: the server sets it up, says where it is, takes under 125 MB at rest, and leaves with 0."""
    assert re.fullmatch(r"The club is open at http://127\.0\.0\.1:\d+", run.greeting)
    assert run.size < LIMIT
    assert run.code == 0
    assert (run.folder / "pbem.sqlite").is_file()
    assert (run.folder / "secret_keys").stat().st_mode & 0o077 == 0


def test_slow_connections_hold_up_nobody(run: Run) -> None:
    """Four times as many as there are threads, all open and silent: others are answered all the same."""
    assert run.answers == [200, 200, 200]
    assert run.alive == {int(run.greeting.rpartition(":")[2])}


def test_every_line_of_the_one_process_is_json(run: Run) -> None:
    """`pbem serve` greets on standard output, and logs on standard error."""
    assert "pages are answered" in run.log
    assert other_than_json(run.log) == []


def test_an_app_is_made_without_what_pages_do_without_and_with_its_tables(tmp_path: Path) -> None:
    """The libraries of commands, hooks and pictures aren't loaded.

    The tables are put together before the processes of pages part: 3 MB that each of them would have by itself.
    """
    made = "from pbem.app import create_app; create_app(); from pbem.store.models import Game"
    found = loaded_by(f"{made}; assert Game.__mapper__.configured", tmp_path)
    assert sorted(found.intersection(NOT_AT_START)) == []


def test_a_worker_loads_no_pages(tmp_path: Path) -> None:
    """A process that carries games on is made with the tasks, without the doors it never opens."""
    found = loaded_by("import worker; worker.celery.loader.import_default_modules()", tmp_path)
    assert found & {"pbem.jobs.tasks", "pbem.web", "flask_limiter", "flask_wtf"} == {"pbem.jobs.tasks"}


def loaded_by(program: str, home: Path) -> set[str]:
    """The modules that a process has after `program`."""
    call = [sys.executable, "-c", f"{program}; import sys; print(*sys.modules)"]
    environ = {**os.environ, "PBEM_HOME": str(home)}
    return set(subprocess.run(call, cwd=HOME, env=environ, capture_output=True, text=True, check=True).stdout.split())
