"""The tests' own servers: a port that somebody took is no failure, and one that never starts says why."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests import mail_servers, reaper, servers
from tests.e2e.stack import children, command
from tests.test_house import HOME

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

PLAYING = """
from pathlib import Path
from tests.servers import until

def test_that_goes_on(postgres, redis_server, _sink, tmp_path):
    Path({said!r}).write_text(f"{{postgres.folder}} {{redis_server.socket.parent}}\\n")
    until(lambda: False, "the end", seconds=600)
"""
"""A test that starts servers, says where, and is at work until it is broken off."""
MEETING = """
from pathlib import Path
from psycopg import connect
from smtplib import SMTP
from tests import servers

MINE, OTHERS = Path({mine!r}), Path({others!r})

def names(postgres):
    with connect(f"host={{postgres.folder}} user=postgres dbname=postgres") as connection:
        return [name for name, in connection.execute("SELECT datname FROM pg_database")]

def test_that_meets_another(postgres, redis_server, smtp_sink):
    before = names(postgres)
    postgres.fresh()
    with redis_server.client() as client, SMTP("127.0.0.1", smtp_sink.port) as door:
        client.set("whose", str(MINE))
        door.sendmail("a@example.org", [f"{{MINE.parent.name}}@example.org"], "Subject: hello")
        MINE.with_name("begun").write_text(servers.__file__)
        MINE.with_name("begun").rename(MINE)
        servers.until(OTHERS.exists, "the other is at work")
        assert client.get("whose").decode() == str(MINE)
    assert len(names(postgres)) == len(before) + 1
    assert len(smtp_sink.mails) == 1
"""
"""A test with servers of its own, in the middle of which another does the same; says whose code it is."""


def test_no_port_is_one_that_browsers_refuse() -> None:
    """A page at one of these is never loaded: a lesson was at one, once in many runs."""
    refused = (1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061, 6000, 6566, *range(6665, 6670), 6679, 6697, 10080)

    assert set(servers.PORTS).isdisjoint(refused)
    assert servers.free_port() in servers.PORTS


@pytest.mark.needs_root
@pytest.mark.parametrize("name", ["postfix", "dovecot"])
def test_a_server_whose_port_is_taken_begins_again_on_another(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Somebody listens on the first port chosen: the server that comes up listens elsewhere."""
    with socket.socket() as stranger, ExitStack() as stack:
        stranger.bind((servers.LOOPBACK, 0))
        stranger.listen()
        taken: int = stranger.getsockname()[1]
        given = [taken]
        monkeypatch.setattr(mail_servers, "free_port", lambda: given.pop() if given else servers.free_port())
        if name == "postfix":
            port = stack.enter_context(mail_servers.postfix(mail_servers.Sink(), tmp_path)).port
        else:
            port = stack.enter_context(mail_servers.dovecot()).port

        assert port != taken
        assert servers.answers(port)


def test_who_looks_for_lock_waiters_sees_those_who_came_later_and_holds_no_transaction(
    postgres: servers.Postgres,
) -> None:
    """A connection made after the first look is counted; a look within a transaction, where it isn't, is refused."""
    url = postgres.url("postgres")
    with (
        servers.connect(url) as holder,
        servers.connect(url) as onlooker,
        ThreadPoolExecutor(1) as pool,
    ):
        holder.execute("BEGIN")
        holder.execute("SELECT pg_advisory_xact_lock(1)")
        assert servers.lock_waiters(onlooker) == 0
        done = pool.submit(_lock_anew, url)
        servers.until(lambda: servers.lock_waiters(onlooker) == 1, "who came later waits")
        with pytest.raises(AssertionError, match="holds a transaction"):
            servers.lock_waiters(holder)
        holder.execute("COMMIT")
        done.result()


def _lock_anew(url: str) -> None:
    """Take the lock by a connection of its own."""
    with servers.connect(url) as other:
        other.execute("SELECT pg_advisory_xact_lock(1)")


def test_a_server_that_never_starts_says_what_it_said(tmp_path: Path) -> None:
    """After as many tries as there are, the command, its words and the end of its log are in the error."""
    log, tries = tmp_path / "log", []

    def start(_own: ExitStack) -> None:
        tries.append(1)
        log.write_text(f"try {len(tries)}: no such cluster", encoding="utf-8")
        servers.must_run("sh", "-c", "echo the disk is full >&2; exit 3", log=log)

    with (
        pytest.raises(servers.NotStarted, match=r"(?s)exit 3 the disk is full.*try 3: no such cluster"),
        ExitStack() as stack,
    ):
        servers.started(start, stack, tries=3)
    assert len(tries) == 3


@pytest.fixture
def at_work(tmp_path: Path) -> Iterator[tuple[subprocess.Popen[bytes], list[str]]]:
    """A run of tests in two processes, in the middle of a test, and the folders of its servers."""
    file, said = tmp_path / "test_long.py", tmp_path / "said"
    file.write_text(PLAYING.format(said=str(said)), encoding="utf-8")
    words = ("-q", "-n", "1", "-p", "tests.conftest", "-p", "no:cacheprovider", "-c", HOME / "pyproject.toml", file)
    heedful = ("env", "--default-signal=INT")  # what a shell began in the background is deaf to Ctrl-C
    command = (*heedful, sys.executable, "-m", "pytest", *words)
    with (tmp_path / "log").open("wb") as log:
        run = subprocess.Popen(command, cwd=HOME, stdout=log, stderr=log, start_new_session=True)
    servers._tell_reaper("+", run.pid)
    servers.comes_up(run, lambda: said.exists() and said.read_text(encoding="utf-8").endswith("\n"), tmp_path / "log")
    yield run, said.read_text(encoding="utf-8").split()
    run.kill()
    run.wait()
    servers._tell_reaper("-", run.pid)


def whole_group(run: subprocess.Popen[bytes], how: signal.Signals) -> None:
    """All processes of a terminal hear it."""
    os.killpg(run.pid, how)


def run_alone(run: subprocess.Popen[bytes], how: signal.Signals) -> None:
    """The process that hands out the tests is told."""
    run.send_signal(how)


def worker_alone(run: subprocess.Popen[bytes], how: signal.Signals) -> None:
    """The process is told that the tests run in."""
    (worker,) = (one for one in children(run.pid) if "exec(eval" in command(one))
    os.kill(worker, how)


@pytest.mark.parametrize(
    ("told", "how"),
    [
        (whole_group, signal.SIGINT),
        *((told, how) for told in (run_alone, worker_alone) for how in (signal.SIGTERM, signal.SIGKILL)),
    ],
)
def test_a_run_that_is_broken_off_leaves_nothing(
    at_work: tuple[subprocess.Popen[bytes], list[str]],
    told: Callable[[subprocess.Popen[bytes], signal.Signals], None],
    how: signal.Signals,
) -> None:
    """By Ctrl-C, which all processes of a terminal hear, or a kill: no server goes on and no folder stays."""
    run, folders = at_work
    assert all(reaper.users(folder) for folder in folders)

    told(run, how)
    if told is not worker_alone:  # another worker takes its place
        run.wait(servers.PATIENCE)

    servers.until(lambda: not any(Path(folder).exists() for folder in folders), f"{folders} are gone")
    assert [user for folder in folders for user in reaper.users(folder)] == []


def test_two_checkouts_test_at_the_same_time(tmp_path: Path) -> None:
    """The same test with the same servers, begun together in two folders: both pass, and neither meets the other's."""
    copy = tmp_path / "other"
    for name in ("tests", "pbem"):
        shutil.copytree(HOME / name, copy / name)
    shutil.copy(HOME / "pyproject.toml", copy)
    runs = []
    for folder, mine, others in ((HOME, "here", "there"), (copy, "there", "here")):
        file = tmp_path / mine / "test_meeting.py"
        file.parent.mkdir()
        file.write_text(MEETING.format(mine=str(tmp_path / mine / "said"), others=str(tmp_path / others / "said")))
        words = ("-q", "-p", "tests.conftest", "-p", "no:cacheprovider", "-c", folder / "pyproject.toml", file)
        runs.append(subprocess.Popen((sys.executable, "-m", "pytest", *words), cwd=folder, stdout=subprocess.PIPE))
    said = [run.communicate()[0].decode() for run in runs]

    assert [run.returncode for run in runs] == [0, 0], said
    assert len({(tmp_path / name / "said").read_text(encoding="utf-8") for name in ("here", "there")}) == 2
