"""Ratio 3: durable orders a second over HTTP, eight clients, beside a bare psycopg route in the same run.

    python -m benchmarks.orders [--turns 12] [--seconds 1.5]

Ours: the API's door, with the order read, checked, stored with its receipt and its job enqueued. The peer: token, lock,
upsert, commit, enqueue. Both under gunicorn with two processes of eight threads, on one PostgreSQL with fsync. Leaves
with 1 if a bar is missed.
"""

from __future__ import annotations

import argparse
import os
import statistics
import sys
from typing import TYPE_CHECKING

import msgspec

from benchmarks import hammer
from benchmarks.faults.players import Club
from benchmarks.faults.stage import PLAIN, Stage, stage
from benchmarks.faults.targets import Process
from pbem import clock
from tests.servers import LOOPBACK, answers, free_port, until

if TYPE_CHECKING:
    from collections.abc import Callable

    from benchmarks.faults.players import Question

BAR, SOON = 0.65, 20.0
"""The least of ratio 3, and the milliseconds within which 95 of 100 orders are answered."""
CLIENTS = 8
PAIR = ("--workers", "2")
REAL_TIME = {clock.OFFSET_FILE: ""}
"""The web's clock is the machine's: the stage's own, which can be moved, reads a file each time it is asked."""


def targets(on: Stage) -> tuple[hammer.Target, hammer.Target]:
    """Start ours and the peer."""
    web = on.start("web", *PAIR, **REAL_TIME)
    return hammer.Target(on.port, web.group, on.database.main), peer(on)


def peer(on: Stage) -> hammer.Target:
    """Start the peer on the same servers."""
    port = free_port()
    bind = f"{LOOPBACK}:{port}"
    command = ("gunicorn", "--worker-class", "gthread", "--threads", "8", *PAIR, "--bind", bind, "benchmarks.peers:app")
    os.environ |= {"DATABASE_URL": on.environ["DATABASE_URL"], "REDIS_URL": on.environ["REDIS_URL"]}
    from benchmarks import peers  # noqa: PLC0415 - it reads the environment set above

    peers.lay_out()
    process = Process("peer", (sys.executable, "-m", *command), on.env(), on.folder / "peer.log")
    on.keep(process)
    until(lambda: answers(port), "the peer answers")
    return hammer.Target(port, process.group, on.database.main)


def peer_token(game_id: int) -> str:
    """A token of the peer's."""
    from benchmarks import peers  # noqa: PLC0415 - as above

    return str(peers.SIGNER.dumps([game_id, 1]))


def our_client(key: str, one: Question) -> Callable[[int], bytes]:
    """One player who changes their order again and again."""

    def make(number: int) -> bytes:
        body = msgspec.json.encode({"ply": one.ply, "text": one.order, "request": f"{one.seat_id}-{number}-{id(key)}"})
        path = f"/api/v1/seats/{one.seat_id}/orders"
        return hammer.request("POST", path, body, Authorization=f"Bearer {key}", Content_Type="application/json")

    return make


def peer_client(game_id: int) -> Callable[[int], bytes]:
    """The same at the peer."""
    token = peer_token(game_id)

    def make(number: int) -> bytes:
        body = msgspec.json.encode({"ply": 1, "text": "draw", "request": str(number)})
        return hammer.request("POST", "/orders", body, Authorization=f"Bearer {token}", Content_Type="application/json")

    return make


def clients(club: Club, turn: int) -> list[Callable[[int], bytes]]:
    """Eight players, each at a table of their own."""
    club.games.clear()
    club.open(CLIENTS, people=2, title=f"turn {turn}")
    return [our_client(club.keys[one.seat_id], one) for one in club.questions()]


def measure(on: Stage, turns: int, seconds: float) -> tuple[list[hammer.Shots], list[hammer.Shots]]:
    """Both in turn; the first turn of each only warms up."""
    (own, other), club = targets(on), Club(on)
    ours, peers = [], []
    for turn in range(turns + 1):
        ours.append(hammer.turn(own, clients(club, turn), seconds))
        peers.append(hammer.turn(other, [peer_client(turn * CLIENTS + n + 1) for n in range(CLIENTS)], seconds))
    return ours[1:], peers[1:]


def main() -> None:
    """Measure, print, and leave with 1 if a bar is missed."""
    parser = argparse.ArgumentParser(description="Durable orders a second beside a bare route.")
    parser.add_argument("--turns", type=int, default=12)
    parser.add_argument("--seconds", type=float, default=1.5)
    given = parser.parse_args()
    with stage(PLAIN, durable=True) as on:
        ours, peers = measure(on, given.turns, given.seconds)
    ratio = hammer.report("ratio 3", ours, peers, "orders/s")
    slowest = statistics.median(shots.percentile(95) for shots in ours)
    sys.exit(ratio < BAR or slowest > SOON)


if __name__ == "__main__":
    main()
