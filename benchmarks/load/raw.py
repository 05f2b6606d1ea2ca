"""What the same machine does with nothing of ours, measured in the same run: the limits beside the levels' figures."""

from __future__ import annotations

import os
import smtplib
import sys
import time
from typing import TYPE_CHECKING

from benchmarks import hammer, orders, pipeline
from benchmarks.faults.targets import Process
from pbem.extensions import db
from tests.servers import LOOPBACK

if TYPE_CHECKING:
    from benchmarks.faults.stage import Stage

SECONDS = 3.0
"""One measurement."""
TASKS, MAILS = 1000, 300
MAIL = b"From: a@club.example\r\nTo: b@people.example\r\nSubject: raw\r\n\r\n" + b"x" * 70 + b"\r\n" * 500


def limits(on: Stage) -> dict[str, float]:
    """Commits, bare orders, tasks that do nothing and ready-made mails, each a second, and the orders' p95."""
    shots = _orders(on)
    return {
        "raw_commits_per_s": _commits(),
        "raw_orders_per_s": round(shots.rate),
        "raw_order_p95_ms": round(shots.percentile(95), 1),
        "raw_tasks_per_s": _tasks(on),
        "raw_mails_per_s": _mails(on),
    }


def _commits() -> float:
    """One-row commits by one client."""
    with db.engine.connect() as connection:
        connection.exec_driver_sql("CREATE TABLE raw_limit (n int)")
        connection.commit()
        start, count = time.monotonic(), 0
        while time.monotonic() - start < SECONDS:
            connection.exec_driver_sql("INSERT INTO raw_limit VALUES (1)")
            connection.commit()
            count += 1
        connection.exec_driver_sql("DROP TABLE raw_limit")
        connection.commit()
    return round(count / SECONDS)


def _orders(on: Stage) -> hammer.Shots:
    """Orders at a bare route: token, lock, upsert, commit, enqueue, by eight clients."""
    port = orders.peer(on).port
    clients = [orders.peer_client(n + 1) for n in range(orders.CLIENTS)]
    hammer.volley(port, clients, SECONDS)  # until it is warm
    return hammer.volley(port, clients, SECONDS)


def _tasks(on: Stage) -> float:
    """Celery tasks that do nothing, by two processes."""
    os.environ |= {"REDIS_URL": on.environ["REDIS_URL"]}
    command = ("celery", "--app", "benchmarks.peers:celery", "worker", "--loglevel", "warning", "--concurrency", "2")
    worker = Process("peer", (sys.executable, "-m", *command, "--queues", "nothing"), on.env(), on.folder / "peer.log")
    on.keep(worker)
    pipeline.nothing(on, worker, TASKS // 10)  # until it is warm
    return round(pipeline.nothing(on, worker, TASKS).rate)


def _mails(on: Stage) -> float:
    """Ready-made mails over one kept connection to the sink."""
    with smtplib.SMTP(LOOPBACK, on.sink.port) as door:
        start = time.monotonic()
        for _ in range(MAILS):
            door.sendmail("a@club.example", ["b@people.example"], MAIL)
        spent = time.monotonic() - start
    on.sink.behave()
    return round(MAILS / spent)
