"""A disk without room: which failures mean that, how often it is told, and that no game is set aside for it."""

from __future__ import annotations

import json
from contextlib import contextmanager, nullcontext, suppress
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import event, select, text
from sqlalchemy.exc import DBAPIError, OperationalError

from pbem import clock
from pbem.extensions import db
from pbem.jobs import tasks
from pbem.play.seats import opening
from pbem.play.turns import stuck
from pbem.store import full_disk
from pbem.store.models import Game
from tests.jobs.test_tasks import ply_of, read, state_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from flask import Flask
    from sqlalchemy.engine import Connection


@pytest.fixture
def disk(app: Flask, monkeypatch: pytest.MonkeyPatch) -> full_disk.FullDisk:
    """What an app knows of its disk, as yet nothing; its clock is `moment`."""
    found = full_disk.FullDisk(app.extensions["pbem.settings"])
    monkeypatch.setitem(app.extensions, "pbem.full_disk", found)
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
    disk: full_disk.FullDisk, moment: list[float], capsys: pytest.CaptureFixture[str]
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
    moment[0] += full_disk.LONGEST
    disk.met(fault, "a job")
    assert json.loads(capsys.readouterr().err)["next_try_s"] == full_disk.FIRST


@pytest.mark.usefixtures("db")
def test_a_job_rests_and_its_game_is_not_to_blame(
    disk: full_disk.FullDisk, moment: list[float], capsys: pytest.CaptureFixture[str]
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
            moment[0] += full_disk.LONGEST
    written = capsys.readouterr().err
    assert written.count("the disk is full") == stuck.TRIES + 2
    assert "Traceback" not in written
    assert (ply_of(game_id), state_of(game_id), tries_of(game_id)) == (before, "running", 1)

    moment[0] += full_disk.LONGEST
    tasks.advance_game(game_id, again=True)
    assert ply_of(game_id) > before


@pytest.mark.usefixtures("db")
@pytest.mark.parametrize("found_full", [True, False])
def test_a_task_fails_aloud_but_for_a_full_disk(
    app: Flask, disk: full_disk.FullDisk, monkeypatch: pytest.MonkeyPatch, *, found_full: bool
) -> None:
    """Whichever task it is; its transaction is over either way."""
    monkeypatch.setattr(full_disk, "is_full", lambda *_: found_full)

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
