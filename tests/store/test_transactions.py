from __future__ import annotations

import threading
from datetime import UTC, datetime, timedelta, timezone
from typing import TYPE_CHECKING, Any

import psycopg
import pytest
from psycopg.pq import TransactionStatus
from sqlalchemy import func, select, text
from sqlalchemy.exc import DBAPIError, IntegrityError, OperationalError, StatementError

from pbem.extensions import READING, begin_reading, db
from pbem.store.models import Club, Game, Member, Pulse, StoredPly
from pbem.store.queries import order_writes
from tests.conftest import make_app
from tests.servers import connect

if TYPE_CHECKING:
    from flask import Flask

    from pbem.config import Config

NOON = datetime(2026, 3, 2, 12, 0, 0, 123456, tzinfo=UTC)
BOTH = pytest.mark.parametrize("which", ["app", "pg_app"])


@BOTH
def test_moments_come_back_aware_and_in_utc(which: str, request: pytest.FixtureRequest) -> None:
    """A moment given in any zone is the same moment, in UTC, to the microsecond."""
    app: Flask = request.getfixturevalue(which)
    there = NOON.astimezone(timezone(timedelta(hours=5, minutes=30)))
    with app.app_context():
        db.session.add(Pulse(name="a", at=there))
        db.session.commit()
        found = db.session.execute(select(Pulse.at).where(Pulse.at == NOON)).scalar_one()

    assert found == NOON
    assert found.tzinfo is UTC


def test_a_moment_is_the_same_whatever_the_servers_zone(pg_app: Flask) -> None:
    """PostgreSQL takes a time without a zone for one of its own."""
    with pg_app.app_context():
        db.session.execute(text("SET LOCAL TIME ZONE 'Asia/Kolkata'"))
        db.session.add(Pulse(name="a", at=NOON))
        db.session.flush()
        found = db.session.execute(select(func.extract("epoch", Pulse.at))).scalar_one()
        db.session.rollback()

    assert float(found) == NOON.timestamp()


@BOTH
def test_a_moment_without_a_zone_is_refused(which: str, request: pytest.FixtureRequest) -> None:
    """A naive datetime is a slip of ours and never reaches the database."""
    app: Flask = request.getfixturevalue(which)
    with app.app_context():
        db.session.add(Pulse(name="a", at=NOON.replace(tzinfo=None)))
        with pytest.raises(StatementError, match="has no time zone"):
            db.session.commit()


@BOTH
def test_a_reading_transaction_can_not_write(which: str, request: pytest.FixtureRequest) -> None:
    """What GET and HEAD work in refuses every change, on both databases; the next transaction may write."""
    app: Flask = request.getfixturevalue(which)
    with app.app_context():
        begin_reading(db.session())
        assert db.session.execute(select(Pulse)).all() == []
        db.session.add(Pulse(name="a", at=NOON))
        with pytest.raises(DBAPIError, match=r"readonly|read-only"):
            db.session.commit()
        db.session.rollback()
        db.session.add(Pulse(name="a", at=NOON))
        db.session.commit()
        assert db.session.execute(select(Pulse.name)).scalars().all() == ["a"]


@BOTH
def test_what_points_nowhere_is_refused(which: str, request: pytest.FixtureRequest) -> None:
    """Foreign keys hold on both databases."""
    app: Flask = request.getfixturevalue(which)
    with app.app_context():
        db.session.add(Member(club_id=77, player_id=88, joined_at=NOON))
        with pytest.raises(IntegrityError):
            db.session.commit()


def test_sqlite_keeps_what_was_committed(settings: Config) -> None:
    """Write-ahead log, synchronous FULL, foreign keys on: an answer that was given survives a power cut.

    Asked of an app as the program makes it: that of the other tests doesn't wait for the disk.
    """
    with make_app(settings).app_context():
        found = [
            db.session.execute(text(f"PRAGMA {name}")).scalar_one()
            for name in ("journal_mode", "synchronous", "foreign_keys")
        ]
        db.session.remove()
        db.engine.dispose()

    assert found == ["wal", 2, 1]


def test_sqlite_writers_wait_for_each_other_from_the_start(app: Flask) -> None:
    """Two transactions that read and then write never end in "database is locked": one waits for the other."""
    with app.app_context():
        db.session.add(Club(name="A", slug="a", created_at=NOON))
        db.session.commit()
    inside = threading.Event()
    done: list[str] = []

    def rename(word: str, *, wait: bool) -> None:
        with app.app_context():
            club = db.session.execute(select(Club)).scalar_one()
            if wait:
                inside.set()
                second.join(0.2)
            club.name += word
            db.session.commit()
            done.append(word)

    def follow() -> None:
        inside.wait()
        rename("2", wait=False)

    second = threading.Thread(target=follow)
    second.start()
    rename("1", wait=True)
    second.join()
    with app.app_context():
        assert db.session.execute(select(Club.name)).scalar_one() == "A12"
    assert done == ["1", "2"]


@BOTH
def test_a_ply_is_written_once(which: str, request: pytest.FixtureRequest) -> None:
    """A second row for the same ply of a game is refused by the database itself."""
    app: Flask = request.getfixturevalue(which)
    common = {"events": b"[]", "snapshot": b"{}", "digest": "", "phase": "", "round": "", "resolved_at": NOON}
    with app.app_context():
        game = Game(game="x", slug="x", title="", seats=2, seed="", commitment="", rules_version=1, created_at=NOON)
        db.session.add(game)
        db.session.flush()
        db.session.add_all([StoredPly(game_id=game.id, ply=3, **common), StoredPly(game_id=game.id, ply=3, **common)])
        with pytest.raises(IntegrityError):
            db.session.commit()


def test_loading_pages_leaves_their_statements_prepared(pg_app: Flask) -> None:
    """What a page asks again and again is planned once, for any values: nothing that a GET ends with undoes that."""
    client = pg_app.test_client()
    for _ in range(10):
        assert client.get("/").status_code == 200
    with pg_app.app_context():
        begin_reading(db.session())
        plans = db.session.execute(text("SELECT generic_plans, custom_plans FROM pg_prepared_statements")).all()

    assert any(generic > 1 for generic, _ in plans)
    assert {custom for _, custom in plans} == {0}


@pytest.mark.parametrize("is_looking", [True, False])
def test_a_statement_that_stands_alone_leaves_a_connection_as_it_was(pg_app: Flask, *, is_looking: bool) -> None:
    """What an order asks without a transaction: who only looks goes on without one, who writes with one."""
    with pg_app.app_context():
        session = db.session()
        if is_looking:
            begin_reading(session)
        driver: Any = session.connection().connection.driver_connection
        session.connection().rollback()
        assert order_writes.question(session, 1) is None
        assert driver.autocommit is is_looking


def test_looking_opens_no_transaction_on_postgresql(pg_app: Flask) -> None:
    """A statement that only looks stands by itself: nothing is begun before it, and nothing is left to be ended."""
    with pg_app.app_context():
        begin_reading(db.session())
        assert db.session.execute(text("SHOW transaction_read_only")).scalar_one() == "on"
        driver = db.session.connection().connection.driver_connection
        assert isinstance(driver, psycopg.Connection)
        assert driver.info.transaction_status == TransactionStatus.IDLE
        db.session.commit()
        assert db.session.execute(text("SHOW transaction_read_only")).scalar_one() == "off"
        driver = db.session.connection().connection.driver_connection
        assert isinstance(driver, psycopg.Connection)
        assert driver.info.transaction_status == TransactionStatus.INTRANS


@pytest.mark.parametrize("end", ["close", "commit", "rollback"])
def test_a_connection_that_only_looks_is_given_back(pg_app: Flask, end: str) -> None:
    """A page's statements share one connection and begin no transaction of the session; it is free when they end."""
    with pg_app.app_context():
        pool: Any = db.engines[READING].pool
        session = db.session()
        begin_reading(session)
        assert pool.checkedout() == 0
        first = session.connection()
        assert first is session.connection()
        assert not session.in_transaction()
        assert session.execute(select(Pulse)).all() == []
        assert pool.checkedout() == 1
        getattr(session, end)()
        assert pool.checkedout() == 0


def test_a_connection_that_was_asked_nothing_is_given_back_at_the_end(pg_app: Flask) -> None:
    """No transaction of the session ends then, only the session itself."""
    with pg_app.app_context():
        pool: Any = db.engines[READING].pool
        begin_reading(db.session())
        db.session.connection()
        assert pool.checkedout() == 1
        db.session.close()
        assert pool.checkedout() == 0


def test_a_cut_connection_is_felt_once(pg_app: Flask) -> None:
    """After the database has cut all connections one statement fails, and then reading and writing both work again."""
    cut = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> %s"
    look = text("SELECT 1")
    with pg_app.app_context():
        for begin in (db.session.rollback, lambda: begin_reading(db.session())):  # both engines have a connection
            begin()
            db.session.execute(look)
        db.session.commit()
        with connect(db.engine.url.render_as_string(hide_password=False)) as knife:
            knife.execute(cut, (knife.info.backend_pid,))
        with pytest.raises(OperationalError):
            db.session.execute(look)
        db.session.rollback()
        begin_reading(db.session())
        assert db.session.execute(look).scalar_one() == 1
        db.session.commit()
        assert db.session.execute(look).scalar_one() == 1


def test_an_error_that_cuts_nothing_is_felt_by_no_other_connection(pg_app: Flask) -> None:
    """A statement that can't be understood costs neither engine its connections."""
    with pg_app.app_context():
        pools = [engine.pool for engine in db.engines.values()]
        for begin in (db.session.rollback, lambda: begin_reading(db.session())):
            begin()
            with pytest.raises(DBAPIError, match="nobody"):
                db.session.execute(text("SELECT nobody"))
        db.session.rollback()

        assert len(pools) > 1
        assert [engine.pool for engine in db.engines.values()] == pools
