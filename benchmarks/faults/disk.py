"""A full disk under the database: a small one is mounted for it, which only root can do."""

from __future__ import annotations

import os
import signal
import subprocess
from contextlib import contextmanager
from typing import TYPE_CHECKING

import psycopg

from benchmarks.faults.checker import Allowed, check, told
from benchmarks.faults.fault import Outcome
from benchmarks.faults.players import Club
from benchmarks.faults.records import ANSWERED, order_once, refusals
from benchmarks.faults.stage import behind
from benchmarks.faults.tabs import Tab
from benchmarks.faults.targets import patiently

if TYPE_CHECKING:
    from collections.abc import Iterator

    from benchmarks.faults.stage import Stage
    from benchmarks.faults.targets import Process

SMALL = "64m"
"""The disk that is filled."""


@contextmanager
def small_disk(stage: Stage) -> Iterator[str]:
    """A folder on a small disk of its own; only root can make one."""
    disk = stage.database.folder / "disk"
    disk.mkdir()
    subprocess.run(("mount", "-t", "tmpfs", "-o", f"size={SMALL}", "tmpfs", disk), check=True)
    try:
        space = disk / "space"
        space.mkdir()
        subprocess.run(("chown", "postgres", disk, space), check=True)
        yield str(space)
    finally:
        subprocess.run(("umount", "-l", disk), check=True)


_ON_DISK = ("orders", "plies", "letters")
"""What is written by whom: orders by the pages, plies and letters by the workers."""


def full_disk(stage: Stage, rounds: int) -> Outcome:
    """F18b: the disk is full while people order (needs root): a clear 503, the order kept, all goes on with room."""
    if os.geteuid() != 0:
        return Outcome([], {"not run": "a small disk can be mounted by root only"})
    worker = stage.cast("worker", "mailer", "web")[0]
    club, faults = Club(stage), []
    club.open(2)
    club.play(2)
    stage.settle()
    with small_disk(stage) as space:
        with behind(stage) as connection:
            connection.execute(f"CREATE TABLESPACE small LOCATION '{space}'".encode())
        _moved(stage, "small")
        for _ in range(rounds):
            faults += _fill_and_order(stage, club, worker)
        club.play(2)
        stage.settle()
        faults += check(club, Allowed(copies=2))
        _moved(stage, "pg_default")
        with behind(stage) as connection:
            connection.execute("DROP TABLESPACE small")
    return Outcome(faults, told(club.history))


def _moved(stage: Stage, place: str) -> None:
    """Move the tables that grow; nobody works with them meanwhile."""
    with behind(stage) as connection:
        for table in _ON_DISK:
            connection.execute(f"ALTER TABLE {table} SET TABLESPACE {place}".encode())


def _fill_and_order(stage: Stage, club: Club, worker: Process) -> list[str]:
    """Fill the disk to the last page, order until nothing more fits, let a worker try, and make room again."""
    one = club.asked()
    tab = Tab(stage, one)
    worker.hold(signal.SIGSTOP)  # no ply is to be resolved while the last pages fill
    with behind(stage) as connection:
        connection.execute("CREATE TABLE filler (what text) TABLESPACE small")
        for size in (1_000_000, 8_000, 100):
            _fill(connection, size)
        said = [order_once(club, one, "full-0")]
        while said[-1].accepted and len(said) < 2000:  # pages of the table that have room for a few more rows
            said.append(order_once(club, one, f"full-{len(said)}"))
        shown = tab.send()
        # A form's order is a little shorter, and either may find room that the database has made: until neither does.
        while (shown.accepted or said[-1].accepted) and len(said) < 2000:
            tab = Tab(stage, one)
            shown = tab.send()
            said.append(order_once(club, one, f"full-{len(said)}"))
        found = refusals("full disk", tab, said[-1], shown)
        before, is_due = stage.plies(), bool(stage.due())
        worker.hold(signal.SIGCONT)
        if is_due:
            patiently(lambda: _tried(stage, before), "a worker tries to write the ply")
        connection.execute("DROP TABLE filler")
    stage.recover(lambda: order_once(club, one, "room").status in ANSWERED, "orders are taken again")
    stage.settle()
    return found


def _tried(stage: Stage, before: int) -> bool:
    """Whether a worker found the disk full, or had room enough."""
    stage.sweep("sweep_games")
    return stage.plies() > before or "DiskFull" in (stage.folder / "worker.log").read_text(encoding="utf-8")


def _fill(connection: psycopg.Connection, size: int) -> None:
    text = os.urandom(size // 2).hex()
    for _ in range(100_000):
        try:
            connection.execute("INSERT INTO filler VALUES (%s)", (text,))
        except psycopg.errors.DiskFull:
            return
    raise AssertionError("The small disk does not fill.")
