"""The Flask extensions and the database's manners: one base for all tables, aware times, and transactions that hold."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, cast

from flask import current_app, has_app_context
from flask_mailman import Mail
from flask_sqlalchemy import SQLAlchemy
from flask_sqlalchemy.session import Session as FlaskSession
from sqlalchemy import DateTime, MetaData, event
from sqlalchemy.engine import Connection, Engine
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.orm import DeclarativeBase
from sqlalchemy.sql.selectable import _OffsetLimitParam
from sqlalchemy.types import TypeDecorator

from pbem import clock

if TYPE_CHECKING:
    from collections.abc import Callable

    import redis
    from sqlalchemy.engine import Dialect, ExceptionContext
    from sqlalchemy.orm import Session, SessionTransaction

    from pbem.config import Config

NAMING = {
    "ix": "ix_%(table_name)s_%(column_0_N_name)s",
    "uq": "uq_%(table_name)s_%(column_0_N_name)s",
    "ck": "ck_%(table_name)s_%(constraint_name)s",
    "fk": "fk_%(table_name)s_%(column_0_N_name)s",
    "pk": "pk_%(table_name)s",
}
"""How constraints are called, so that migrations can name them on both databases."""
BUSY_MS = 10_000
"""How long a writer waits for another on SQLite before it is told that the database is locked."""


class Moment(TypeDecorator[datetime]):
    """An aware datetime, stored and given back in UTC on both databases; refuses naive ones."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        """Turn an aware datetime into UTC; raises ValueError for one without a zone."""
        if value is None:
            return None
        if value.tzinfo is None:
            raise ValueError(f"{value} has no time zone; times are handed in aware.")
        return value.astimezone(UTC).replace(tzinfo=None) if dialect.name == "sqlite" else value

    def result_processor(self, dialect: Dialect, coltype: object) -> Callable[[Any], Any] | None:
        """Leave PostgreSQL's moments as they come, aware and in UTC: its connections are told to speak in it."""
        return super().result_processor(dialect, coltype) if dialect.name == "sqlite" else None

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:  # noqa: ARG002 - alike
        """Make a moment of SQLite's, which is in UTC, aware."""
        return value and value.replace(tzinfo=UTC)


@compiles(_OffsetLimitParam, "postgresql")
def _write_limit(limit: _OffsetLimitParam, compiler: Any, **how: Any) -> str:
    """Write how many rows are wanted into the statement.

    PostgreSQL makes its plan once, before it knows the parameters, and takes a limit it doesn't know for a tenth of all
    rows: to claim the one game that is due longest it read every ply there is.
    """
    return cast("str", compiler.visit_bindparam(limit, literal_execute=True, **how))


class Base(DeclarativeBase):
    """What every table derives from."""

    metadata = MetaData(naming_convention=NAMING)


class PagesSession(FlaskSession):
    """A session whose next transaction may be told to read only, where the database has connections for that."""

    def get_bind(self, *what: Any, **more: Any) -> Engine | Connection:
        """Return the engine to work with, or the connection that only looks."""
        return self._looking() if READING in self.info else super().get_bind(*what, **more)

    def connection(self, *what: Any, **more: Any) -> Connection:
        """Return the connection to work with: to look, one without a transaction, which a page would begin and end."""
        return self._looking() if READING in self.info else super().connection(*what, **more)

    def close(self) -> None:
        """End what is going on; a page that asked by statements alone has begun nothing and holds no objects."""
        if self.in_transaction() or self.identity_map:
            super().close()
        self.end_reading()

    def end_reading(self) -> None:
        """Give back the connection that only looks; what follows may write."""
        kept: Engine | Connection | None = self.info.pop(READING, None)
        if isinstance(kept, Connection):
            kept.close()

    def _looking(self) -> Connection:
        if isinstance(kept := self.info[READING], Engine):
            kept = self.info[READING] = kept.connect()
        return cast("Connection", kept)


@event.listens_for(PagesSession, "after_transaction_end")
def _end_reading(session: PagesSession, transaction: SessionTransaction) -> None:
    if transaction.parent is None:
        session.end_reading()


READING = "reading"
"""The bind of connections that only look. Each of their statements stands by itself, as it does in a transaction at
PostgreSQL's usual level, but without being asked to begin and to end one: a page's statements are half as many."""
db = SQLAlchemy(model_class=Base, session_options={"class_": PagesSession})
mail = Mail()


def settings() -> Config:
    """Return the settings of the current app."""
    return cast("Config", current_app.extensions["pbem.settings"])


def current() -> tuple[Session, datetime]:
    """What every use case begins with: the session of this request or command, and the moment."""
    return db.session(), clock.now()


def redis_client(config: Config, seconds: float) -> redis.Redis:
    """Return a client of the Redis that carries the jobs; it waits `seconds` at most. Close it after use."""
    import redis  # noqa: PLC0415 - a small club has none

    url = config.redis_url.replace("redis+socket://", "unix://")
    return redis.Redis.from_url(url, socket_timeout=seconds, socket_connect_timeout=seconds)


def begin_reading(session: Session) -> None:
    """Make the transaction that is about to begin a read-only one: what GET and HEAD work in.

    Call it at the start of a request: what the session was in the middle of is given up. On SQLite readers then
    don't wait for writers.
    """
    session.rollback()
    if engine := db.engines.get(READING):
        session.info[READING] = engine  # until something is looked for
    else:
        session.connection(execution_options={"pbem_reading": True})


@event.listens_for(Engine, "handle_error")
def _forget_connections(fault: ExceptionContext) -> None:
    """Where one connection was cut, those of the other engine were too: one request is told so, not one of each."""
    if fault.is_disconnect and has_app_context():
        for engine in db.engines.values():
            if engine is not fault.engine:
                engine.dispose()


@event.listens_for(Engine, "connect")
def _prepare_sqlite(connection: Any, _record: object) -> None:
    if not type(connection).__module__.startswith("sqlite3"):
        return
    connection.isolation_level = None  # transactions begin where we say, not where the driver guesses
    cursor = connection.cursor()
    cursor.execute(f"PRAGMA busy_timeout = {BUSY_MS}")
    cursor.execute("PRAGMA journal_mode = WAL")
    cursor.execute("PRAGMA synchronous = FULL")
    cursor.execute("PRAGMA foreign_keys = ON")
    cursor.close()


@event.listens_for(Engine, "begin")
def _begin_sqlite(connection: Connection) -> None:
    if connection.dialect.name != "sqlite":
        return
    reading = bool(connection.get_execution_options().get("pbem_reading"))
    connection.exec_driver_sql(f"PRAGMA query_only = {'ON' if reading else 'OFF'}")
    connection.exec_driver_sql("BEGIN DEFERRED" if reading else "BEGIN IMMEDIATE")
