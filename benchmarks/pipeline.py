"""Ratio 4: plies a second by two processes, beside tasks that do nothing and beside a bare loop; how long a turn takes.

    python -m benchmarks.pipeline [--repeats 6] [--games 300]

Ours: games with their last order in, carried on by one message as the orders' commits send it, with the real rules, one
commit a ply, letters into the outbox, on a PostgreSQL with fsync. Letters leave by their own queue, which has no worker
here. The peers, each by two Celery processes too: acks_late tasks that return at once; and a loop of psycopg that
claims a due row by SKIP LOCKED, inserts what a ply of ours inserts, and commits: two statements. It inserts as many
rows of as many bytes as the ply of ours in the middle (the ply, what is asked after it, its letters), each in a table
with its natural key and no other index; it reads no state, asks no rules and reckons no deadline. Then, with pages,
worker, mailer and sink: from the last order to the committed ply, and to the last letter the relay took; and what each
station carries by itself.
"""

from __future__ import annotations

import argparse
import os
import signal
import statistics
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, NamedTuple

from benchmarks import hammer
from benchmarks.faults.players import Club
from benchmarks.faults.stage import PLAIN, Stage, behind, stage
from benchmarks.faults.targets import Process
from benchmarks.orders import REAL_TIME
from pbem import clock
from pbem.extensions import db
from pbem.jobs.celery_app import GAMES
from pbem.play.orders import submission
from tests.servers import PATIENCE, until

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime
    from typing import LiteralString

    from psycopg import Connection

    from benchmarks.faults.players import Question


DUE = "SELECT 1 FROM games WHERE state = 'running' AND wake_at <= now() ORDER BY wake_at LIMIT 1"
"""Asked again and again while the time runs, so it must cost next to nothing: in that order it reads one game, and all
that run where PostgreSQL knows too little of the table to choose its index."""


BAR, BARE, SOON = 0.45, 0.5, 0.05
"""The least of ratio 4, and beside the loop by processor time, for both wait for the disk and for whoever else is at
work; the seconds within which 95 of 100 plies follow their last order."""
MIDDLE = """
SELECT body, asked, letters FROM (
    SELECT concat(convert_from(snapshot || events, 'UTF8'), orders, hands, chance, digest, phase, round) AS body,
        ARRAY(SELECT d::text FROM decisions d WHERE d.game_id = p.game_id AND d.ply = p.ply + 1) AS asked,
        ARRAY(SELECT l::text FROM letters l
            WHERE l.game_id = p.game_id AND l.ply = p.ply AND l.kind <> 'receipt') AS letters
    FROM plies p ORDER BY id DESC LIMIT %(count)s
) AS newest ORDER BY octet_length(newest::text) OFFSET %(count)s / 2 LIMIT 1"""
"""What the rows of one of the newest plies hold, as texts: of that in the middle by its bytes."""
BARE_DUE = "SELECT 1 FROM peer_due WHERE wake_at <= now() LIMIT 1"
MAKE_DUE = """
INSERT INTO peer_due SELECT number, 0, now() FROM generate_series(1, %s) number
ON CONFLICT (id) DO UPDATE SET wake_at = excluded.wake_at"""


class Found(NamedTuple):
    """What a worker carried."""

    rate: float
    """Tasks a second."""
    cost: float
    """Milliseconds of processor time each, of the worker and its processes."""
    database: float = 0.0
    """The same of PostgreSQL's."""


def ours(on: Stage, worker: Process, club: Club, count: int) -> Found:
    """`count` games with their last order in, advanced by the worker."""
    club.games.clear()
    club.open(count, people=2)
    worker.hold(signal.SIGSTOP)  # each order's commit calls it: what it did meanwhile would not be counted
    with on.app.app_context():
        for one in club.questions():
            sent = submission.Submission(seat_id=one.seat_id, ply=one.ply, text=one.order)
            submission.submit(db.session(), clock.now(), sent)
            db.session.commit()
    with behind(on) as connection, on.broker.client() as broker:
        broker.delete(GAMES)  # the orders' commits called it a hundred times: for nothing, after its last ply
        before, cost, database = on.plies(), hammer.worked(worker.group), hammer.worked(on.database.main)
        start = time.monotonic()
        on.app.extensions["celery"].send_task("pbem.jobs.tasks.advance_games")
        worker.hold(signal.SIGCONT)
        until(lambda: connection.execute(DUE).fetchone() is None, "every game has gone on", 120)
    seconds = time.monotonic() - start
    plies = on.plies() - before
    worked = hammer.worked(worker.group) - cost, hammer.worked(on.database.main) - database
    return Found(plies / seconds, *(one / plies for one in worked))


def nothing(on: Stage, worker: Process, count: int) -> Found:
    """Tasks that do nothing, from sending the first to an empty queue."""
    from benchmarks import peers  # noqa: PLC0415 - it reads the environment set below

    start, cost = time.monotonic(), hammer.worked(worker.group)
    for number in range(count):
        peers.nothing.apply_async((number,), queue="nothing")
    with on.broker.client() as client:
        until(lambda: not client.llen("nothing") and not client.hlen("unacked"), "the queue is empty", 120)
    return Found(count / (time.monotonic() - start), (hammer.worked(worker.group) - cost) / count)


def bare(on: Stage, worker: Process, count: int) -> Found:
    """As many plies by two loops of psycopg."""
    from benchmarks import peers  # noqa: PLC0415 - as above

    with behind(on) as connection:
        rows = connection.execute(MIDDLE, {"count": count}).fetchone()
        connection.execute(MAKE_DUE, (count,))
        cost, database = hammer.worked(worker.group), hammer.worked(on.database.main)
        start = time.monotonic()
        for _ in range(2):
            peers.plies.apply_async(rows, queue="nothing")
        until(lambda: connection.execute(BARE_DUE).fetchone() is None, "nothing is due", 120)
    seconds = time.monotonic() - start
    worked = hammer.worked(worker.group) - cost, hammer.worked(on.database.main) - database
    return Found(count / seconds, *(one / count for one in worked))


def ratio(on: Stage, repeats: int, count: int) -> bool:
    """All three in turn; whether both bars are reached."""
    os.environ |= {"REDIS_URL": on.environ["REDIS_URL"], "DATABASE_URL": on.environ["DATABASE_URL"]}
    from benchmarks import peers  # noqa: PLC0415 - it reads the environment set above

    peers.lay_out()
    worker = on.start("worker", **REAL_TIME)
    command = ("celery", "--app", "benchmarks.peers:celery", "worker", "--loglevel", "warning", "--concurrency", "2")
    peer = Process("peer", (sys.executable, "-m", *command, "--queues", "nothing"), on.env(), on.folder / "peer.log")
    on.keep(peer)
    club = Club(on)
    turns = [
        (ours(on, worker, club, count), nothing(on, peer, count), bare(on, peer, count)) for _ in range(repeats + 1)
    ]
    on.stop()  # what follows has the stage's clock,
    on.clear()  # and waits for no letters of these games
    own, tasks, loops = zip(*turns[1:], strict=True)
    by_rate, _ = compared("ratio 4, tasks", own, tasks)
    _, by_cost = compared("ratio 4, bare loop", own, loops)
    return by_rate >= BAR and by_cost >= BARE


def compared(title: str, own: Sequence[Found], other: Sequence[Found]) -> tuple[float, float]:
    """Print how ours and a peer did, and what each took of the processor; the ratios by rate and by processor time."""
    rates = [one.rate for one in own], [one.rate for one in other]
    print(hammer.told(title, *rates, "/s"))
    costs = [_told_cost(whose, turns) for whose, turns in (("ours", own), ("peer", other))]
    by_cost = costs[1] / costs[0]
    print(f"  peer's processor time / ours {by_cost:.2f}; load of the machine {os.getloadavg()[0]:.0f}")
    return hammer.quarters(*rates)[1], by_cost


def _told_cost(whose: str, turns: Sequence[Found]) -> float:
    """Print what one side took of the processor; its milliseconds each."""
    cost, database = statistics.median(one.cost for one in turns), statistics.median(one.database for one in turns)
    pace = 1000 / (cost + database)
    print(f"  {whose}: processor time {cost:.2f} + database {database:.2f} ms each, {pace:.0f} per processor second")
    return cost + database


def turns(on: Stage, count: int) -> bool:
    """From the last order sent to the ply committed, and to the last of its letters taken; whether that was soon."""
    on.cast("web", "worker", "mailer")
    club = Club(on)
    club.open(8, people=3)
    club.play(16)
    on.settle()
    plies, letters = [], []
    with club.person() as player, behind(on) as connection:
        for _ in range(count):
            one = club.questions()[0]
            start = time.monotonic()
            player.insist(club.keys[one.seat_id], one, f"turn-{one.ply}")
            plies.append(seen(connection, RESOLVED, one.game_id, one.ply) - start)
            letters.append(seen(connection, LETTERS_GONE) - start)
    print(f"last order to committed ply: {percentiles(plies)}; to all letters taken: {percentiles(letters)}")
    return statistics.quantiles(plies, n=100)[94] <= SOON


RESOLVED = "SELECT 1 FROM plies WHERE game_id = %s AND ply = %s"
LETTERS_GONE = """SELECT 1 WHERE NOT EXISTS (
    SELECT 1 FROM letters WHERE state = 'claimed' OR state = 'pending' AND next_try_at <= now())"""
_LOOK = 0.001
"""Seconds between two looks."""


def seen(connection: Connection, query: LiteralString, *params: int) -> float:
    """The moment at which a query first finds a row."""
    pause, end = threading.Event(), time.monotonic() + PATIENCE
    while connection.execute(query, params).fetchone() is None:
        if time.monotonic() > end:
            raise AssertionError(f"Not within {PATIENCE} s: {query}")
        pause.wait(_LOOK)
    return time.monotonic()


def percentiles(times: Sequence[float]) -> str:
    """The median and the 95th percentile in milliseconds."""
    hundredths = statistics.quantiles(times, n=100)
    return f"p50 {hundredths[49] * 1000:.0f} ms, p95 {hundredths[94] * 1000:.0f} ms"


def stations(on: Stage, count: int) -> None:
    """What each station of a turn carries by itself: `count` games answered, then advanced, then their letters sent."""
    on.cast("web", "worker", "mailer")
    club = Club(on)
    club.open(count, people=2)
    on.settle()
    on.cast("web")
    with behind(on) as connection:
        before = connection.execute("SELECT now()").fetchone()
        assert before is not None
        orders_in = answered(club)
        on.cast("web", "worker")
        until(lambda: connection.execute(DUE).fetchone() is None, "every game has gone on", 120)
        on.cast("web", "mailer")
        seen(connection, LETTERS_GONE)
        plies, letters = (rate(connection, query, *before) for query in (PLIES, SENT))
    print(
        f"alone: {orders_in:.0f} orders/s (HTTP), {plies:.0f} plies/s by two processes, {letters:.0f} letters/s by one"
    )


CROWD = 8
"""People who answer at the same time."""
PLIES = "SELECT count(*), extract(epoch FROM max(resolved_at) - min(resolved_at)) FROM plies WHERE resolved_at > %s"
SENT = "SELECT count(*), extract(epoch FROM max(sent_at) - min(sent_at)) FROM letters WHERE sent_at > %s"


def answered(club: Club) -> float:
    """Orders a second: everything that is asked, answered over HTTP."""
    asked = club.questions()

    def sit(mine: list[Question]) -> None:
        with club.person() as player:
            for one in mine:
                player.insist(club.keys[one.seat_id], one, f"{one.ply}-{one.seat}")

    start = time.monotonic()
    with ThreadPoolExecutor(CROWD) as crowd:
        list(crowd.map(sit, (asked[number::CROWD] for number in range(CROWD))))
    return len(asked) / (time.monotonic() - start)


def rate(connection: Connection, query: LiteralString, since: datetime) -> float:
    """Rows a second, from the first to the last."""
    found = connection.execute(query, (since,)).fetchone()
    assert found is not None
    return float((found[0] - 1) / found[1])


def main() -> None:
    """Measure, print, and leave with 1 if a bar is missed."""
    parser = argparse.ArgumentParser(description="Plies a second beside tasks that do nothing.")
    parser.add_argument("--repeats", type=int, default=6)
    parser.add_argument("--games", type=int, default=300)
    parser.add_argument("--turns", type=int, default=40)
    given = parser.parse_args()
    with stage(PLAIN, durable=True) as on:
        reached = (ratio(on, given.repeats, given.games), turns(on, given.turns))
        stations(on, given.games)
    sys.exit(not all(reached))


if __name__ == "__main__":
    main()
