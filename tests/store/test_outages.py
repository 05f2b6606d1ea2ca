"""A database without room, or out of reach: which failures mean that, how often it is told, and who is not to blame."""

from __future__ import annotations

import json
import sqlite3
from contextlib import contextmanager, nullcontext, suppress
from typing import TYPE_CHECKING

import psycopg
import pytest
from sqlalchemy import create_engine, event, exc, select, text
from sqlalchemy.exc import DBAPIError, OperationalError, SQLAlchemyError
from sqlalchemy.pool import NullPool

from pbem import clock
from pbem.extensions import db
from pbem.jobs import tasks
from pbem.play.seats import opening
from pbem.play.turns import stuck
from pbem.store import outages
from pbem.store.models import Game
from tests.jobs.test_tasks import ply_of, read, state_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from flask import Flask
    from sqlalchemy.engine import Connection

    from pbem.config import Config


@pytest.fixture
def disk(app: Flask, monkeypatch: pytest.MonkeyPatch) -> outages.Outages:
    """What an app knows of its disk, as yet nothing; its clock is `moment`."""
    found = outages.Outages(app.extensions["pbem.settings"])
    monkeypatch.setitem(app.extensions, "pbem.outages", found)
    return found


@pytest.fixture
def moment(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """Seconds that pass only where a test says so."""
    now = [1000.0]
    monkeypatch.setattr("time.monotonic", lambda: now[0])
    return now


@contextmanager
def full() -> Iterator[None]:
    """SQLite's file may not grow meanwhile, by its own limit: it says what it says on a full disk."""

    def hold(connection: Connection) -> None:
        pages = connection.exec_driver_sql("PRAGMA page_count").scalar_one()
        connection.exec_driver_sql(f"PRAGMA max_page_count = {pages}")

    db.session.rollback()
    with db.engine.begin() as connection:
        connection.exec_driver_sql("CREATE TABLE filler (what BLOB)")
    event.listen(db.engine, "begin", hold)
    try:
        with suppress(OperationalError):  # pages that lie free in the file
            while True:
                with db.engine.begin() as connection:
                    connection.exec_driver_sql("INSERT INTO filler VALUES (randomblob(4000))")
        yield
    finally:
        event.remove(db.engine, "begin", hold)
        db.session.rollback()
        db.engine.dispose()
        with db.engine.begin() as connection:
            connection.exec_driver_sql("DROP TABLE filler")


def a_full_disk() -> DBAPIError:
    """What a statement raises that finds no room."""
    with full(), db.engine.connect() as connection, pytest.raises(OperationalError) as caught:
        connection.execute(text("CREATE TABLE too_much AS SELECT randomblob(1000000) AS what"))
    return caught.value


@pytest.mark.usefixtures("db")
def test_one_line_a_rest_and_each_rest_is_longer(
    disk: outages.Outages, moment: list[float], capsys: pytest.CaptureFixture[str]
) -> None:
    """Who met it, what is full, what to do, when it is tried again; the second failure of a rest says nothing."""
    fault, rests = a_full_disk(), []
    for _ in range(6):
        assert disk.met(fault, "a job")
        assert disk.met(fault, "another job")
        (line,) = capsys.readouterr().err.splitlines()
        said = json.loads(line)
        assert "make room" in said["event"]
        assert (said["during"], said["fault"]) == ("a job", "OperationalError: database or disk is full")
        assert said["disk_of"].endswith(".sqlite")
        rests.append(said["next_try_s"])
        assert disk.is_resting()
        moment[0] += said["next_try_s"]
        assert not disk.is_resting()

    assert rests == [5, 10, 20, 40, 60, 60]
    moment[0] += outages.LONGEST
    disk.met(fault, "a job")
    assert json.loads(capsys.readouterr().err)["next_try_s"] == outages.FIRST


@pytest.mark.usefixtures("db")
def test_a_job_rests_and_its_game_is_not_to_blame(
    disk: outages.Outages, moment: list[float], capsys: pytest.CaptureFixture[str]
) -> None:
    """A job without room leaves one line and no trace, the next one does not begin; the game isn't set aside for it."""
    plan = opening.GamePlan(game="egizia", seats=(opening.SeatPlan(bot="random"),) * 2, seed="full")
    game_id = opening.open_game(db.session(), clock.now(), plan).id
    db.session.commit()
    before = ply_of(game_id)
    with full():
        for _ in range(stuck.TRIES + 2):
            tasks.advance_game(game_id, again=True)
            assert disk.is_resting()
            tasks.advance_game(game_id, again=True)
            moment[0] += outages.LONGEST
    written = capsys.readouterr().err
    assert written.count("the disk is full") == stuck.TRIES + 2
    assert "Traceback" not in written
    assert (ply_of(game_id), state_of(game_id), tries_of(game_id)) == (before, "running", 1)

    moment[0] += outages.LONGEST
    tasks.advance_game(game_id, again=True)
    assert ply_of(game_id) > before


@pytest.mark.usefixtures("db")
@pytest.mark.parametrize("found_full", [True, False])
def test_a_task_fails_aloud_but_for_a_full_disk(
    app: Flask, disk: outages.Outages, monkeypatch: pytest.MonkeyPatch, *, found_full: bool
) -> None:
    """Whichever task it is; its transaction is over either way."""
    monkeypatch.setattr(outages, "is_full", lambda *_: found_full)

    def fail(*_: object) -> None:
        db.session.execute(text("SELECT * FROM nothing_of_that_name"))

    own = {name: task for name, task in app.extensions["celery"].tasks.items() if name.startswith(tasks.__name__)}
    assert len(own) > 10
    for name, task in own.items():
        monkeypatch.setattr(task, "run", fail)
        disk._until = 0.0
        with nullcontext() if found_full else pytest.raises(OperationalError, match="no such table"):
            assert task() is None, name
        assert disk.is_resting() is found_full, name
        assert not db.session().in_transaction(), name


def tries_of(game_id: int) -> int:
    """How often the game's run was begun without coming to an end."""
    return read(select(Game.tries).where(Game.id == game_id))


def fault_of(address: str, statement: str) -> SQLAlchemyError:
    """What a statement raises on a connection of its own to the database at `address`."""
    engine = create_engine(address, poolclass=NullPool)
    with pytest.raises(SQLAlchemyError) as caught, engine.connect() as connection:
        connection.execute(text(statement))
    return caught.value


def test_what_is_an_outage_and_what_is_a_fault_of_ours(pg_url: str) -> None:
    """A server that is gone, ends us, only lets read, or has no connection left; nothing that a statement asked for."""
    gone = pg_url.replace("host=", "host=/nowhere")
    read_only = f"{pg_url}&options=-c%20default_transaction_read_only%3Don"
    outage_by = {
        "gone": fault_of(gone, "SELECT 1"),
        "ended": fault_of(pg_url, "SELECT pg_terminate_backend(pg_backend_pid())"),
        "read only": fault_of(read_only, "CREATE TABLE t (n int)"),
        "none left": exc.TimeoutError("QueuePool limit of size 10 overflow 20 reached"),
    }
    ours = [
        fault_of(pg_url, asked) for asked in ("SELECT * FROM nothing_of_that_name", "SELECT 1 / 0", "SELECT 'x'::int")
    ]
    overslept = psycopg.errors.IdleInTransactionSessionTimeout("terminating connection")
    ours.append(exc.OperationalError("SELECT 1", {}, overslept, connection_invalidated=True))

    assert {name: outages.is_out_of_reach(fault) for name, fault in outage_by.items()} == dict.fromkeys(outage_by, True)
    assert not any(map(outages.is_out_of_reach, ours))


def test_what_means_that_there_is_no_room(settings: Config) -> None:
    """PostgreSQL says so by its code, SQLite by its own; no other fault of either does."""
    full_by = (psycopg.errors.DiskFull("no room"), _sqlite(sqlite3.SQLITE_FULL))
    well_by = (
        psycopg.errors.DeadlockDetected("two"),
        _sqlite(sqlite3.SQLITE_BUSY),
        _sqlite(sqlite3.SQLITE_IOERR),
        OSError("gone"),
    )
    found = [outages.is_full(exc.OperationalError("INSERT", {}, fault), settings) for fault in (*full_by, *well_by)]

    assert found == [True] * len(full_by) + [False] * len(well_by)


def _sqlite(code: int) -> sqlite3.OperationalError:
    fault = sqlite3.OperationalError("a fault")
    fault.sqlite_errorcode = code | 1 << 8  # with a detail
    return fault


def test_an_outage_is_told_once_a_minute_and_when_it_changes(
    disk: outages.Outages, moment: list[float], capsys: pytest.CaptureFixture[str]
) -> None:
    """Whichever task or page meets it, without a trace; tasks go on trying, as only that shows its end."""
    no_room, gone = (exc.TimeoutError(said) for said in ("none left\nmore", "gone"))
    for fault, seconds in ((no_room, 0), (no_room, 59), (no_room, 1), (gone, 0), (gone, 1)):
        moment[0] += seconds
        assert disk.met(fault, "a job")
        assert not disk.is_resting()

    told = [json.loads(line) for line in capsys.readouterr().err.splitlines()]
    assert [line["fault"] for line in told] == [
        "TimeoutError: none left",
        "TimeoutError: none left",
        "TimeoutError: gone",
    ]
    assert {line["during"] for line in told} == {"a job"}


@pytest.mark.usefixtures("db")
def test_every_task_bears_an_outage(
    app: Flask, disk: outages.Outages, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """What it would have done stays due; the log has one line for all of them."""

    def fail(*_: object) -> None:
        raise exc.OperationalError(None, None, OSError("connection refused"))

    own = [task for name, task in app.extensions["celery"].tasks.items() if name.startswith(tasks.__name__)]
    for task in own:
        monkeypatch.setattr(task, "run", fail)
        assert task() is None
    assert not disk.is_resting()
    assert json.loads(capsys.readouterr().err)["fault"] == "OperationalError: connection refused"
