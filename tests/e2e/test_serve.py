"""The embedded server as a whole: it starts, is small, stops when asked, and the demo keeps its club."""

from __future__ import annotations

import os
import re
import socket
import subprocess
import sys
from contextlib import ExitStack
from functools import partial
from pathlib import Path

import httpx

from pbem.clubs.members.demo_club import PLANS
from tests.e2e.stack import pbem, procfile
from tests.servers import LOOK, PATIENCE, until
from tests.test_house import HOME

LIMIT, PAGES_LIMIT = 125_000_000, 90_000_000
"""Bytes that the embedded server may take at rest, and each of two processes of the pages."""
NOT_AT_START = ("alembic", "httpx", "mako", "PIL", "thorvg_python")
"""Libraries that pages do without: 4 to 8 MB each, for commands, hooks and letters' pictures."""


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


def ready(url: str) -> bool:
    """Whether the server answers that it is ready."""
    return httpx.get(f"{url}/readyz", timeout=PATIENCE).status_code == 200


def test_serve_is_small_and_stops_when_asked(tmp_path: Path) -> None:
    """A fresh folder: the server sets it up, says where it is, takes under 125 MB at rest, and leaves with 0."""
    with pbem(tmp_path, "serve", "--port", "0") as (run, line):
        url = line.removeprefix("The club is open at ")
        assert re.fullmatch(r"http://127\.0\.0\.1:\d+", url)
        until(lambda: ready(url), "the server is ready", pause=LOOK)
        assert httpx.get(url, timeout=PATIENCE).status_code == 200
        until(
            lambda: httpx.get(f"{url}/readyz", timeout=PATIENCE).json()["last_sweep_s"] is not None,
            "a sweep has run",
            pause=LOOK,
        )
        assert memory(run.pid) < LIMIT

    assert run.returncode == 0
    assert (tmp_path / "pbem.sqlite").is_file()
    assert (tmp_path / "secret_keys").stat().st_mode & 0o077 == 0


SLOW = (
    b"",
    b"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\nX-",
    b"POST /links HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 5000\r\n\r\naddress=",
    b"GET /static/js/htmx.min.js HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n" * 10,
)
"""What a connection sends before it falls silent: nothing, half a header, half a body, much and takes no answer."""


def test_slow_connections_hold_up_nobody(tmp_path: Path) -> None:
    """Four times as many as there are threads, all open and silent: others are answered all the same."""
    with pbem(tmp_path, "serve", "--port", "0") as (_, line), ExitStack() as stack:
        url = line.removeprefix("The club is open at ")
        port = int(url.rpartition(":")[2])
        doors = []
        for sent in SLOW * 8:
            door = stack.enter_context(socket.socket())
            door.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            door.connect(("127.0.0.1", port))
            door.sendall(sent)
            doors.append(door)
        answers = [httpx.get(url, timeout=PATIENCE / 4).status_code for _ in range(3)]
        alive = {door.getpeername()[1] for door in doors}

    assert answers == [200, 200, 200]
    assert alive == {port}


def test_the_pages_are_small(tmp_path: Path, pg_url: str, redis_url: str) -> None:
    """Beside PostgreSQL and Redis, two processes that show pages, and the one that started them, take under 180 MB."""
    environ = {"DATABASE_URL": pg_url, "REDIS_URL": redis_url, "WEB_WORKERS": "2"}
    with procfile(tmp_path, "web", **environ) as url:
        assert [httpx.get(url, timeout=PATIENCE).status_code for _ in range(8)] == [200] * 8
        sizes = {one: memory(one) for one in children(os.getpid()) if "pbem.app:create_app()" in command(one)}

    assert len(sizes) == 3
    assert max(sizes.values()) < 2 * PAGES_LIMIT


def test_what_pages_do_without_is_not_loaded(tmp_path: Path) -> None:
    """The app is made without the libraries of commands, hooks and pictures."""
    assert sorted(loaded_by("from pbem.app import create_app; create_app()", tmp_path).intersection(NOT_AT_START)) == []


def test_a_worker_loads_no_pages(tmp_path: Path) -> None:
    """A process that carries games on is made without the doors it never opens."""
    assert loaded_by("import worker", tmp_path) & {"pbem.app", "pbem.web", "flask_limiter", "flask_wtf"} == {"pbem.app"}


def loaded_by(program: str, home: Path) -> set[str]:
    """The modules that a process has after `program`."""
    call = [sys.executable, "-c", f"{program}; import sys; print(*sys.modules)"]
    environ = {**os.environ, "PBEM_HOME": str(home)}
    return set(subprocess.run(call, cwd=HOME, env=environ, capture_output=True, text=True, check=True).stdout.split())


def test_demo_shows_its_address_and_everybodys_mail(tmp_path: Path) -> None:
    """The first line is the address of the mailbox; letters of games under way are there, today and next time."""

    def has_all(mailbox: str) -> bool:
        shown = httpx.get(mailbox, timeout=PATIENCE).text
        return all(plan.title in shown for plan in PLANS)

    for time in ("first", "second"):
        with pbem(tmp_path, "demo", "--port", "0", "--data", str(tmp_path)) as (run, line):
            assert re.fullmatch(r"http://127\.0\.0\.1:\d+/mailbox/", line)
            until(partial(has_all, line), f"letters, the {time} time", pause=LOOK)

        assert run.returncode == 0
