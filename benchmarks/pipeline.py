"""Ratio 4: plies a second by two Celery processes beside tasks that do nothing; and how long a turn takes end to end.

    python -m benchmarks.pipeline [--repeats 3] [--games 200]

Ours: `advance_game` with the real rules, one commit a ply, letters into the outbox, on a PostgreSQL with fsync. Letters
leave by their own queue, which has no worker here. The peer: acks_late tasks that return at once. Then, with pages,
worker and sink: from the last order to the committed ply, and to the last letter the relay took.
"""

from __future__ import annotations

import argparse
import os
import statistics
import sys
import time
from typing import TYPE_CHECKING

from sqlalchemy import func, select

from benchmarks import hammer
from benchmarks.faults.players import Club
from benchmarks.faults.stage import PLAIN, Process, Stage, behind, stage
from pbem import clock
from pbem.extensions import db
from pbem.play import orders
from pbem.store.tables import Letter, Ply
from tests.servers import until

if TYPE_CHECKING:
    from collections.abc import Sequence


DUE = "SELECT 1 FROM games WHERE state = 'running' AND wake_at <= now() LIMIT 1"
"""Asked again and again while the time runs, so it must cost next to nothing."""


def ours(on: Stage, club: Club, count: int) -> float:
    """Plies a second: `count` games with their last order in, advanced by the worker."""
    club.games.clear()
    club.open(count, people=2)
    with on.app.app_context():
        for one in club.questions():
            sent = orders.Submission(seat_id=one.seat_id, ply=one.ply, text=one.order)
            orders.submit(db.session(), clock.now(), sent)
            db.session.commit()
    before = on.plies()
    send = on.app.extensions["celery"].send_task
    start = time.monotonic()
    for game_id in club.games:
        send("pbem.tasks.advance_game", (game_id,))
    with behind(on) as connection:
        until(lambda: connection.execute(DUE).fetchone() is None, "every game has gone on", 120)
    seconds = time.monotonic() - start
    return (on.plies() - before) / seconds


def nothing(on: Stage, count: int) -> float:
    """Tasks a second that do nothing, from sending the first to an empty queue."""
    from benchmarks import peers  # noqa: PLC0415 - it reads the environment set below

    start = time.monotonic()
    for number in range(count):
        peers.nothing.apply_async((number,), queue="nothing")
    with on.bell.client() as client:
        until(lambda: not client.llen("nothing") and not client.hlen("unacked"), "the queue is empty", 120)
    return count / (time.monotonic() - start)


def ratio(on: Stage, repeats: int, count: int) -> None:
    """Both in turn."""
    os.environ |= {"REDIS_URL": on.environ["REDIS_URL"], "DATABASE_URL": on.environ["DATABASE_URL"]}
    on.start("worker")
    peer = ("celery", "--app", "benchmarks.peers:celery", "worker", "--loglevel", "warning", "--concurrency", "2")
    on.keep(Process("peer", (sys.executable, "-m", *peer, "--queues", "nothing"), on.env(), on.folder / "peer.log"))
    club = Club(on)
    found = [(ours(on, club, count), nothing(on, 2 * count)) for _ in range(repeats + 1)][1:]
    print(hammer.told("ratio 4", [own for own, _ in found], [other for _, other in found], "/s"))


def turns(on: Stage, count: int) -> None:
    """From the last order sent to the ply committed, and to the last of its letters taken by the relay."""
    on.cast("web", "worker", "mailer")
    club = Club(on)
    club.open(8, people=3)
    club.play(16)
    on.settle()
    plies, letters = [], []
    for _ in range(count):
        one = club.questions()[0]
        start = time.monotonic()
        with club.person() as player:
            player.insist(club.keys[one.seat_id], one, f"turn-{one.ply}")
        until(lambda one=one: resolved(on, one.game_id, one.ply), "the ply is there", 30)  # type: ignore[misc]  # bound now
        plies.append(time.monotonic() - start)
        until(lambda: not waiting(on), "the letters left", 30)
        letters.append(time.monotonic() - start)
    print(f"last order to committed ply: {percentiles(plies)}; to all letters taken: {percentiles(letters)}")


def percentiles(times: Sequence[float]) -> str:
    """The median and the 95th percentile in milliseconds."""
    hundredths = statistics.quantiles(times, n=100)
    return f"p50 {hundredths[49] * 1000:.0f} ms, p95 {hundredths[94] * 1000:.0f} ms"


def resolved(on: Stage, game_id: int, ply: int) -> bool:
    """Whether a ply is stored."""
    with on.app.app_context():
        return db.session.execute(select(Ply.id).where(Ply.game_id == game_id, Ply.ply == ply)).first() is not None


def waiting(on: Stage) -> int:
    """Letters that are due or on their way."""
    with on.app.app_context():
        due = (Letter.state == "claimed") | ((Letter.state == "pending") & (Letter.next_try_at <= clock.now()))
        return int(db.session.execute(select(func.count()).where(due)).scalar_one())


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description="Plies a second beside tasks that do nothing.")
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--turns", type=int, default=40)
    given = parser.parse_args()
    with stage(PLAIN, durable=True) as on:
        ratio(on, given.repeats, given.games)
        turns(on, given.turns)


if __name__ == "__main__":
    main()
