"""Several machines: database and Redis, pages, and workers each on a host of their own, and links that are cut.

    python -m benchmarks.hosts [--games 6] [--cut 6] [--results FILE]

Three network namespaces stand for the hosts, joined by a bridge: db (PostgreSQL, Redis), web (gunicorn), work (worker,
mailer, beat); the players and the relay are outside. Whole games are played over HTTP from host to host; on the way
each host's link in turn is cut for some seconds and heals. Then the invariants are checked as after any fault. Needs
root and iproute2, and takes everything down again. Leaves with 1 if an invariant doesn't hold.
"""

from __future__ import annotations

import argparse
import os
import socket
import subprocess
import sys
import threading
import time
from contextlib import ExitStack, contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from benchmarks.faults.checker import check, told
from benchmarks.faults.players import Club
from benchmarks.faults.sink import Sink, sink
from benchmarks.faults.stage import PLAIN, Stage
from benchmarks.faults.targets import Broker, Process, patiently
from pbem import clock
from pbem.engine.registry import GAMES
from pbem.extensions import db
from tests.conftest import forget_torn
from tests.servers import Postgres, as_postgres, postgres_programs, until, workshop

if TYPE_CHECKING:
    from collections.abc import Iterator

RESULTS = Path("instance/hosts.jsonl")
NET = "10.77.0"
OUTSIDE, DB, WEB, WORK = f"{NET}.254", f"{NET}.1", f"{NET}.2", f"{NET}.3"
HOSTS = {"db": DB, "web": WEB, "work": WORK}
BRIDGE = "pbem-br"
WHERE = {"web": "web", "worker": "work", "mailer": "work", "beat": "work"}
"""Which process runs on which host."""


def ip(*words: str) -> None:
    """Call iproute2."""
    subprocess.run(("ip", *words), check=True)


def on_host(host: str) -> tuple[str, ...]:
    """What a command begins with that runs on a host."""
    return ("ip", "netns", "exec", f"pbem-{host}")


@contextmanager
def network() -> Iterator[None]:
    """The hosts and the bridge between them, taken down at the end."""
    with ExitStack() as stack:
        ip("link", "add", BRIDGE, "type", "bridge")
        stack.callback(ip, "link", "del", BRIDGE)
        ip("addr", "add", f"{OUTSIDE}/24", "dev", BRIDGE)
        ip("link", "set", BRIDGE, "up")
        for host, address in HOSTS.items():
            ip("netns", "add", f"pbem-{host}")
            stack.callback(ip, "netns", "del", f"pbem-{host}")
            ip("link", "add", f"pbem-{host}", "type", "veth", "peer", "name", "eth0", "netns", f"pbem-{host}")
            ip("link", "set", f"pbem-{host}", "master", BRIDGE, "up")
            ip("-n", f"pbem-{host}", "addr", "add", f"{address}/24", "dev", "eth0")
            ip("-n", f"pbem-{host}", "link", "set", "eth0", "up")
            ip("-n", f"pbem-{host}", "link", "set", "lo", "up")
        yield


def link(host: str, state: str) -> None:
    """Cut a host's cable (`down`) or plug it in again (`up`)."""
    ip("link", "set", f"pbem-{host}", state)


class Distant(Postgres):
    """A PostgreSQL on the host db."""

    def url(self, name: str) -> str:
        """The address of the database called `name`."""
        return f"postgresql+psycopg://postgres@{DB}/{name}"


@contextmanager
def distant_postgres() -> Iterator[Distant]:
    """Start it there, for its neighbours to use."""
    programs = postgres_programs()
    with workshop("postgres") as folder:
        data = ("-D", str(folder / "data"))
        as_postgres(folder, programs / "initdb", *data, "-U", "postgres", "-A", "trust", "-N", "--locale=C.UTF-8")
        with (folder / "data/pg_hba.conf").open("a", encoding="ascii") as rules:
            rules.write(f"host all all {NET}.0/24 trust\n")
        options = f"-k {folder} -c listen_addresses={DB} -c max_connections=100"
        start = (str(programs / "pg_ctl"), *data, "-w", "-l", str(folder / "log"), "-o", options, "start")
        as_postgres(folder, *start, before=on_host("db"))
        try:
            yield Distant(folder, iter(range(1, 100)))
        finally:
            as_postgres(folder, programs / "pg_ctl", *data, "-m", "immediate", "stop")


class DistantBroker(Broker):
    """A Redis on the host db."""

    before = on_host("db")
    url = f"redis://{DB}:6379/0"


class Hosts(Stage):
    """The club's processes, each on its host."""

    host = WEB

    def start(self, what: str, *options: str, **more: str) -> Process:
        """Start a process where it belongs."""
        commands = {
            "web": f"gunicorn --no-control-socket --worker-class gthread --preload --threads 8 --workers 2 "
            f"--bind {WEB}:{self.port} {PLAIN[1]}",
            "worker": "celery --app worker worker --loglevel warning --concurrency 2 --queues games",
            "mailer": "celery --app worker worker --loglevel warning --concurrency 1 --queues letters",
            "beat": f"celery --app worker beat --loglevel warning --schedule {self.folder}/beat",
        }
        command = (*on_host(WHERE[what]), sys.executable, "-m", *commands[what].split(), *options)
        environ = self.env(**{clock.OFFSET_FILE: ""}, **more)
        process = Process(what, command, environ, self.folder / f"{what}.log")
        self.keep(process)
        if what == "web":
            until(self._answers, "the pages answer", 60)
        return process

    def _answers(self) -> bool:
        with socket.socket() as door:
            door.settimeout(1)
            return door.connect_ex((WEB, self.port)) == 0


@contextmanager
def hosts() -> Iterator[Hosts]:
    """The whole club, taken down at the end whatever happened."""
    with ExitStack() as stack:
        stack.enter_context(network())
        broker = DistantBroker(stack.enter_context(workshop()))
        database = stack.enter_context(distant_postgres())
        stack.callback(broker.stop)
        broker.start("--bind", DB, "--port", "6379", "--protected-mode", "no")
        outside: Sink = stack.enter_context(sink(OUTSIDE))
        made = Hosts(database, broker, outside, PLAIN)
        stack.callback(made.stop)
        stack.callback(_let_go, made)
        yield made


def _let_go(on: Hosts) -> None:
    with on.app.app_context():
        db.session.remove()
        db.engine.dispose()
    forget_torn()
    os.environ.pop(clock.OFFSET_FILE, None)


def play(on: Hosts, games: int, seconds: float) -> tuple[Club, dict[str, float]]:
    """Play games to their end, each host cut off once on the way; what it took."""
    club, found = Club(on), {}
    for number in range(games):
        club.open(1, game=GAMES[number % len(GAMES)], people=3)
    start = time.monotonic()
    for what in WHERE:
        on.start(what)
    with club.playing():
        for host in HOSTS:
            goal = on.plies() + 5 * games
            patiently(lambda goal=goal: on.plies() >= goal or not club.running(), f"plies before {host} is cut off")  # type: ignore[misc]  # a default is the loop's own value
            found[f"{host}_back_after_s"] = cut(on, host, seconds)
        patiently(lambda: not club.running(), "all games are over")
    found["played_s"] = round(time.monotonic() - start, 1)
    on.settle()
    return club, found


def cut(on: Hosts, host: str, seconds: float) -> float:
    """Cut a host off for some seconds; how long after that the next ply was resolved."""
    link(host, "down")
    threading.Event().wait(seconds)
    link(host, "up")
    healed = time.monotonic()
    before = on.plies()
    patiently(lambda: on.plies() > before + 1, f"plies go on after {host} was cut off")
    return round(time.monotonic() - healed, 1)


def main() -> int:
    """Play, check, print; 1 if an invariant doesn't hold."""
    parser = argparse.ArgumentParser(description="A club on several machines.")
    parser.add_argument("--games", type=int, default=6)
    parser.add_argument("--cut", type=float, default=6, help="seconds without a link")
    parser.add_argument("--results", type=Path, default=RESULTS)
    given = parser.parse_args()
    with hosts() as on:
        club, found = play(on, given.games, given.cut)
        faults = check(club)
        figures = {**found, "plies": on.plies(), "mails": len(on.sink.mails), **told(club.history)}
    line = {"games": given.games, "cut_s": given.cut, "figures": figures, "violations": faults}
    line["at"] = datetime.now(UTC).isoformat(timespec="seconds")
    given.results.parent.mkdir(parents=True, exist_ok=True)
    with given.results.open("ab") as out:
        out.write(msgspec.json.encode(line) + b"\n")
    print(msgspec.json.format(msgspec.json.encode(line)).decode())
    return 1 if faults else 0


if __name__ == "__main__":
    raise SystemExit(main())
