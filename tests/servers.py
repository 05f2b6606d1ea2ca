"""Real servers for the tests, each with its own settings: PostgreSQL and Redis; those of mail are next door."""

from __future__ import annotations

import atexit
import functools
import itertools
import os
import pwd
import shutil
import socket
import subprocess
import sys
import tempfile
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from threading import Event
from typing import IO, TYPE_CHECKING, NamedTuple, TypeVar

import psycopg
import redis

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

Server = TypeVar("Server")

LOOPBACK = "127.0.0.1"


PATIENCE = 120.0
"""Seconds after which a test stops waiting: only against hanging for ever, so longer than any machine should take."""
BROWSER_PATIENCE = 60.0
"""The same for what a page shows: a page of ours takes a second, and some ten on a machine ten times overloaded."""
LOOK = 0.2
"""Seconds between two looks at a page: asked a hundred times a second, it would be what keeps everybody waiting."""
DISK, MEMORY = "/tmp", "/dev/shm"  # noqa: S108 - only folders of names that nobody can foresee are made there
"""Folders of the system's for files of anybody's."""
PLENTY = 8 * 2**30
"""Bytes free in memory from which databases lie there: those of a whole run take up to two gigabytes."""
PORTS = range(10_100, 32_000)
"""What test servers listen on."""
_ports = itertools.count()


def until(true: Callable[[], object], what: str, seconds: float = PATIENCE, pause: float = 0.01) -> None:
    """Come back once `true()` holds; fail naming `what` was waited for if it doesn't within `seconds`.

    What takes long to look at is looked at every `pause` seconds, so that the looking isn't what slows the others.
    """
    never = Event()
    for _ in range(int(seconds / pause)):
        if true():
            return
        never.wait(pause)
    raise AssertionError(f"Not within {seconds} s: {what}")


def free_port() -> int:
    """A loopback port that nobody listens on just now, and that this process gives to nobody else.

    It lies below those the system hands out by itself, so that no connection of anybody takes it before its server is
    there, and above those that browsers refuse to open; each test process goes through them from a place of its own.
    """
    while True:
        port = PORTS[(os.getpid() * 331 + next(_ports)) % len(PORTS)]
        with socket.socket() as door, suppress(OSError):
            door.bind((LOOPBACK, port))
            return port


def answers(port: int) -> bool:
    """Whether somebody takes connections on the loopback `port`."""
    with socket.socket() as door:
        return door.connect_ex((LOOPBACK, port)) == 0


def greets(port: int, words: bytes) -> bool:
    """Whether who listens on the loopback `port` greets with `words`: another server that took the port doesn't."""
    with socket.socket() as door, suppress(OSError):
        door.settimeout(1)
        door.connect((LOOPBACK, port))
        return words in door.recv(1024)
    return False


class NotStarted(AssertionError):
    """A server did not come up; tells what it said, and its log."""

    def __init__(self, what: object, said: str, log: Path) -> None:
        """`said` is what it printed; nothing of a log that isn't there."""
        kept = log.read_text(encoding="utf-8", errors="replace") if log.is_file() else "(no log)"
        super().__init__(f"{what} did not start: {said.strip() or '(it said nothing)'}\n{log}:\n{kept[-4000:]}")


def started(start: Callable[[ExitStack], Server], stack: ExitStack, tries: int = 4) -> Server:
    """What `start` gives, begun anew in a folder and on ports of its own each time it raises NotStarted.

    What it enters on the stack handed to it ends with `stack`, or at once where it did not start: between choosing a
    free port and listening there, anybody may take it. Raises the last NotStarted.
    """
    for _ in range(tries - 1):
        with suppress(NotStarted), ExitStack() as own:
            made = start(own)
            stack.push(own.pop_all())
            return made
    return start(stack)


def must_run(*command: str | Path, log: Path, cwd: Path | None = None) -> None:
    """Run a command that starts or stops a server. Raises NotStarted with what it said if it fails."""
    done = subprocess.run(command, check=False, capture_output=True, text=True, errors="replace", cwd=cwd)
    if done.returncode:
        raise NotStarted(" ".join(map(str, command)), f"exit {done.returncode} {done.stderr}{done.stdout}", log)


def comes_up(process: subprocess.Popen[bytes], true: Callable[[], object], log: Path) -> None:
    """Come back once `true()` holds of a server; raises NotStarted as soon as it has ended instead."""
    until(lambda: process.poll() is not None or true(), f"{process.args!r} listens")
    if process.poll() is not None:
        raise NotStarted(process.args, f"exit {process.returncode}", log)


@functools.cache
def _reaper() -> IO[str]:
    """Where to tell which folders are in use: who listens ends what is in them once this process is no more."""
    # Neither Ctrl-C nor what kills a group of processes reaches it.
    process = subprocess.Popen(
        (sys.executable, "-S", "-E", str(Path(__file__).with_name("reaper.py"))),
        stdin=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    assert process.stdin is not None
    atexit.register(process.communicate)
    return process.stdin


def _tell_reaper(mark: str, held: Path | int) -> None:
    print(f"{mark}{held}", file=_reaper(), flush=True)


@contextmanager
def workshop(owner: str = "", within: str = DISK) -> Iterator[Path]:
    """A short-named empty folder for one server (socket paths are limited), owned by `owner` when root makes it."""
    path = Path(tempfile.mkdtemp(prefix="pbem-", dir=within))
    if owner and os.geteuid() == 0:
        account = pwd.getpwnam(owner)
        os.chown(path, account.pw_uid, account.pw_gid)
    _tell_reaper("+", path)
    try:
        yield path
    finally:
        shutil.rmtree(path, ignore_errors=True)
        _tell_reaper("-", path)


@contextmanager
def running(*command: str | Path, log: Path, env: dict[str, str] | None = None) -> Iterator[subprocess.Popen[bytes]]:
    """Run `command` with its output in `log`; ask it to end and wait for it, at last by force, when done."""
    with log.open("ab") as out, subprocess.Popen(command, stdout=out, stderr=out, env=env) as process:
        _tell_reaper("+", process.pid)
        try:
            yield process
        finally:
            process.terminate()
            try:
                process.wait(PATIENCE)
            except subprocess.TimeoutExpired:
                process.kill()
            _tell_reaper("-", process.pid)


class Postgres(NamedTuple):
    """A PostgreSQL server on a unix socket."""

    folder: Path
    names: Iterator[int]

    @property
    def main(self) -> int:
        """The number of its main process."""
        return int((self.folder / "data/postmaster.pid").read_text(encoding="ascii").split()[0])

    def url(self, name: str) -> str:
        """The address of the database called `name`."""
        return f"postgresql+psycopg://postgres@/{name}?host={self.folder}"

    def fresh(self, template: str = "template1") -> str:
        """The address of a new database, a copy of `template`."""
        name = f"club{next(self.names)}"
        with connect(self.url("postgres")) as connection:
            connection.execute(f"CREATE DATABASE {name} TEMPLATE {template}".encode())
        return self.url(name)


def as_postgres(folder: Path, *command: str | Path, before: tuple[str, ...] = ()) -> None:
    """Run the command as the account `postgres` where we are root: PostgreSQL's programs refuse to work for root.

    `before` is put in front of it, to run it elsewhere.
    """
    account = ("runuser", "-u", "postgres", "--") if os.geteuid() == 0 else ()
    must_run(*before, *account, *command, log=folder / "log", cwd=folder)


def postgres_programs() -> Path:
    """Where the programs of Debian's newest PostgreSQL are."""
    return max(Path("/usr/lib/postgresql").glob("*/bin"), key=lambda path: int(path.parent.name))


def _lay_out(folder: Path, programs: Path) -> None:
    """Put an empty cluster to `folder`: a copy of one that is kept in the virtual environment once initdb has made it.

    Making it takes ten times as much of the processor as copying it.
    """
    options = ("-U", "postgres", "-A", "trust", "-N", "--locale=C.UTF-8")
    kept, data = Path(sys.prefix) / "-".join(("postgresql", programs.parent.name, *options)), folder / "data"
    if kept.is_dir():
        shutil.copytree(kept, data)
        if os.geteuid() == 0:
            for path in (data, *data.rglob("*")):
                shutil.chown(path, "postgres", "postgres")
        return
    as_postgres(folder, programs / "initdb", "-D", data, *options)
    with suppress(OSError), tempfile.TemporaryDirectory(dir=sys.prefix) as making:  # another may have been quicker
        shutil.copytree(data, Path(making) / "data")
        (Path(making) / "data").rename(kept)


_CARELESS = (
    *("fsync=off", "full_page_writes=off", "jit=off"),
    "autovacuum=off",  # of a hundred databases one would be looked over twice a second, each time by a new process
    "default_toast_compression=lz4",  # positions are packed at every ply: by default a sixth of PostgreSQL's time
)
"""How PostgreSQL takes less of the processor where nothing needs to outlive a crash of the machine."""


def _careless_folder() -> str:
    """Where files that need outlive nothing lie: in memory, if there is plenty of it.

    On a disk half of what the system does for tests of PostgreSQL is to find room for each of their files.
    """
    with suppress(OSError):
        if shutil.disk_usage(MEMORY).free > PLENTY:
            return MEMORY
    return DISK


@contextmanager
def postgres(*, durable: bool = False) -> Iterator[Postgres]:
    """Start Debian's newest PostgreSQL; what a crash of the machine would cost matters only if it is `durable`."""
    programs = postgres_programs()
    with workshop("postgres", DISK if durable else _careless_folder()) as folder:
        data = ("-D", folder / "data")
        _lay_out(folder, programs)
        careless = "".join(f" -c {one}" for one in _CARELESS if not durable)
        options = f"-k {folder} -c listen_addresses= -c max_connections=200{careless}"
        as_postgres(folder, programs / "pg_ctl", *data, "-w", "-l", folder / "log", "-o", options, "start")
        try:
            yield Postgres(folder, itertools.count(1))
        finally:
            as_postgres(folder, programs / "pg_ctl", *data, "-m", "immediate", "stop")


class Redis(NamedTuple):
    """A Redis server on a unix socket."""

    socket: Path

    @property
    def url(self) -> str:
        """Its address as Celery's broker setting takes it."""
        return f"redis+socket://{self.socket}"

    def client(self) -> redis.Redis:
        """A connection to look inside with; close it, or use it in a `with`."""
        return redis.Redis(unix_socket_path=str(self.socket))


def connect(url: str) -> psycopg.Connection:
    """A connection to the database at SQLAlchemy's `url` that begins no transaction by itself; use it in a `with`."""
    return psycopg.connect(url.replace("+psycopg", ""), autocommit=True)


def lock_waiters(onlooker: psycopg.Connection) -> int:
    """How many transactions of the onlooker's database wait for a lock at this moment.

    Who looks must hold no transaction: within one PostgreSQL tells only of those who were connected at the first look.
    """
    assert onlooker.info.transaction_status == psycopg.pq.TransactionStatus.IDLE, "who looks holds a transaction"
    query = "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()"
    return int(onlooker.execute(query).fetchone()[0])  # type: ignore[index]  # a count is always there


@contextmanager
def redis_server() -> Iterator[Redis]:
    """Start Debian's redis-server without a port and without a file."""
    with workshop() as folder:
        door = folder / "redis"
        command = ("redis-server", "--port", "0", "--unixsocket", door, "--save", "", "--dir", folder)
        with running(*command, log=folder / "log") as process:
            comes_up(process, door.exists, folder / "log")
            yield Redis(door)
