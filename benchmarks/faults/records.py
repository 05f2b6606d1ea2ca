"""Faults of the database: a crash at every statement, cut connections, locks, a full disk, a power cut."""

from __future__ import annotations

import os
import subprocess
from contextlib import contextmanager
from http import HTTPStatus
from typing import TYPE_CHECKING, Any

import psycopg
from sqlalchemy import event, func, select

from benchmarks.faults.checker import Allowed, check, told
from benchmarks.faults.fault import Outcome
from benchmarks.faults.players import Club
from benchmarks.faults.stage import behind, crash, revive
from pbem import clock
from pbem.extensions import db
from pbem.play import audit, orders
from pbem.play.advance import advance
from pbem.store.tables import Decision, Letter, Order, Ply, Standing
from tests.servers import until

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sqlalchemy.engine import Connection

    from benchmarks.faults.players import Question, Said
    from benchmarks.faults.stage import Stage

_TABLES = (Ply, Letter, Decision, Order, Standing)
SMALL = "64m"
"""The disk that is filled."""


class Crashed(BaseException):
    """The process ended here: nothing in the program may catch it."""


@contextmanager
def crash_at(number: int) -> Iterator[list[int]]:
    """Cut the connection and end the work at statement `number`, commits counted; gives the count so far. 0: never."""
    count = [0]

    def strike(connection: Connection, *_: Any) -> None:
        count[0] += 1
        if count[0] == number:
            connection.connection.dbapi_connection.close()  # type: ignore[union-attr]  # it is open
            raise Crashed

    for name in ("before_cursor_execute", "commit"):
        event.listen(db.engine, name, strike)
    try:
        yield count
    except Crashed:
        db.session.close()
        db.engine.dispose()
    finally:
        for name in ("before_cursor_execute", "commit"):
            event.remove(db.engine, name, strike)


def every_statement(stage: Stage, rounds: int) -> Outcome:
    """F2: `advance` crashes at every one of its statements in turn; nothing is half done, the next run does it all."""
    club, faults, statements = Club(stage), [], 0
    for number in range(rounds):
        game = ("priestsofra", "amunre")[number % 2]
        with stage.app.app_context():
            whole = _ready(club, game, number)
            with crash_at(0) as count:
                _advance(whole)
            statements += count[0]
            expected = _rows(whole)
            for n in range(1, count[0] + 1):
                faults += _crashed_once(club, game, number, n, expected)
    return Outcome(faults + check(club, Allowed(unsettled=True)), {"statements": statements})


def _crashed_once(club: Club, game: str, number: int, n: int, expected: dict[str, int]) -> list[str]:
    game_id = _ready(club, game, number)
    before = _rows(game_id)
    with crash_at(n):
        _advance(game_id)
    half = _rows(game_id)
    _advance(game_id)
    found = []
    if half != before:
        found.append(f"I2 {game}: a crash at statement {n} left {half} instead of {before}.")
    if _rows(game_id) != expected:
        found.append(f"I2 {game}: after a crash at statement {n} the next run made {_rows(game_id)}, not {expected}.")
    found += [f"I2 statement {n}: {fault}" for fault in audit.audit(db.session(), game_id).faults]
    db.session.commit()
    return found


def _ready(club: Club, game: str, number: int) -> int:
    """A game whose last order is in."""
    (game_id,) = club.open(1, game, 3, seed=f"crash-{number}")
    for one in club.questions([game_id]):
        _submit(one)
    return game_id


def _submit(one: Question) -> None:
    orders.submit(db.session(), clock.now(), orders.Submission(seat_id=one.seat_id, ply=one.ply, text=one.order))
    db.session.commit()


def _advance(game_id: int) -> None:
    advance(db.session(), clock.now(), game_id)
    db.session.commit()


def _rows(game_id: int) -> dict[str, int]:
    found = {}
    for table in _TABLES:
        query = select(func.count()).select_from(table).where(table.game_id == game_id)
        found[table.__tablename__] = db.session.execute(query).scalar_one()
    db.session.commit()
    return found


def bad_database(stage: Stage, rounds: int) -> Outcome:
    """F18: connections cut, rows locked, the server killed: a clear 503, no half ply, and the order works later."""
    stage.cast("worker", "mailer", "web")
    club, said, faults = Club(stage), [], []
    club.open(3)
    club.play(3)
    for _ in range(rounds):
        said += _cut(stage, club)
        faults += _locked(stage, club)
        said += _power_cut(stage, club)
    stage.settle()
    faults += check(club, Allowed(copies=2))
    for one in said:
        if one.status not in {HTTPStatus.OK, HTTPStatus.SERVICE_UNAVAILABLE, HTTPStatus.CONFLICT}:
            faults.append(f"An order was answered with {one.status} while the database was away.")
    refused = sum(one.status == HTTPStatus.SERVICE_UNAVAILABLE for one in said)
    return Outcome(faults, {"answered_503": refused, **told(club.history)})


def _once(club: Club, question: Question, mark: str) -> Said:
    with club.person() as player:
        return player.send(club.keys[question.seat_id], question, f"{mark}-{question.ply}-{question.seat}")


def _asked(club: Club) -> Question:
    until(club.questions, "somebody is asked", 60)
    return club.questions()[0]


def _cut(stage: Stage, club: Club) -> list[Said]:
    """Every connection is cut; each of the pool's may fail once, then orders are taken again."""
    one = _asked(club)
    with behind(stage) as connection:
        connection.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid()")
    with stage.app.app_context():
        db.engine.dispose()
    return _until_taken(club, one, "cut")


def _until_taken(club: Club, one: Question, mark: str) -> list[Said]:
    """Send an order until it is taken; everything that was answered on the way."""
    said: list[Said] = []

    def is_taken() -> bool:
        said.append(_once(club, one, mark))
        return said[-1].accepted

    until(is_taken, "orders are taken again", 60)
    return said


def _locked(stage: Stage, club: Club) -> list[str]:
    """Somebody holds a game's row for longer than we wait: a 503 in time, and the order works afterwards."""
    one = _asked(club)
    with behind(stage) as connection, connection.transaction():
        connection.execute("SELECT id FROM games WHERE id = %s FOR UPDATE", (one.game_id,))
        said = _once(club, one, "locked")
    after = _once(club, one, "locked")
    found = []
    if said.status != HTTPStatus.SERVICE_UNAVAILABLE:
        found.append(f"An order for a locked game was answered with {said.status} after {said.seconds:.0f} s.")
    if not after.accepted:
        found.append(f"After the lock the order was answered with {after.status}.")
    return found


def _power_cut(stage: Stage, club: Club) -> list[Said]:
    """The server dies and comes back; meanwhile nobody gets a false yes."""
    one = _asked(club)
    crash(stage.database)
    meanwhile = _once(club, one, "dark")
    revive(stage.database)
    with stage.app.app_context():
        db.engine.dispose()
    return [meanwhile, *_until_taken(club, one, "dark")]


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


def full_disk(stage: Stage, rounds: int) -> Outcome:
    """F18b: the disk is full while people order: a clear 503, and all goes on once there is room. Needs root."""
    if os.geteuid() != 0:
        return Outcome([], {"not run": "a small disk can be mounted by root only"})
    stage.cast("worker", "mailer", "web")
    club = Club(stage)
    club.open(2)
    club.play(2)
    statuses: set[int] = set()
    with small_disk(stage) as space:
        with behind(stage) as connection:
            stage.cast("web")
            connection.execute(f"CREATE TABLESPACE small LOCATION '{space}'".encode())
            for table in ("orders", "plies", "letters"):
                connection.execute(f"ALTER TABLE {table} SET TABLESPACE small".encode())
        for _ in range(rounds):
            statuses |= _fill_and_order(stage, club)
        stage.cast("worker", "mailer", "web")
        club.play(2)
        stage.settle()
        faults = check(club, Allowed(copies=2))
        with behind(stage) as connection:
            for table in ("orders", "plies", "letters"):
                connection.execute(f"ALTER TABLE {table} SET TABLESPACE pg_default".encode())
            connection.execute("DROP TABLESPACE small")
    if statuses - {HTTPStatus.OK} != {HTTPStatus.SERVICE_UNAVAILABLE}:
        faults.append(f"With a full disk orders were answered with {sorted(statuses)}.")
    return Outcome(faults, {"statuses": sorted(statuses), **told(club.history)})


def _fill_and_order(stage: Stage, club: Club) -> set[int]:
    """Fill the disk to the last page, order until nothing more fits, and make room again."""
    statuses = set()
    with behind(stage) as connection:
        connection.execute("CREATE TABLE filler (what text) TABLESPACE small")
        for size in (1_000_000, 8_000, 100):
            _fill(connection, size)
        one = _asked(club)
        for number in range(2000):
            statuses.add(_once(club, one, f"full-{number}").status)
            if HTTPStatus.OK not in statuses or len(statuses) > 1:
                break
        connection.execute("DROP TABLE filler")
    until(lambda: _once(club, one, "room").accepted, "orders are taken again", 60)
    return statuses


def _fill(connection: psycopg.Connection, size: int) -> None:
    text = os.urandom(size // 2).hex()
    for _ in range(100_000):
        try:
            connection.execute("INSERT INTO filler VALUES (%s)", (text,))
        except psycopg.errors.DiskFull:
            return
    raise AssertionError("The small disk does not fill.")
