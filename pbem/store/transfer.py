"""Every row of a database, read and written table by table: what copying, backing up and restoring share.

Tables are taken as they stand in the database, not as this program declares them, so that a backup of an older scheme
can be restored at its own scheme and then be migrated.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

import msgspec
import sqlalchemy as sa
from alembic.migration import MigrationContext
from sqlalchemy.engine import Connection, Engine

BATCH = 500
"""Rows that are in memory at a time."""
_VERSIONS = "alembic_version"
Row = dict[str, Any]


def reading(engine: Engine) -> Connection:
    """Return a connection whose one transaction sees the database as it is now, whatever is written meanwhile."""
    connection = engine.connect()
    if engine.dialect.name == "postgresql":
        return connection.execution_options(isolation_level="REPEATABLE READ")
    return connection.execution_options(pbem_reading=True)


def scheme(connection: Connection) -> str | None:
    """Return the migration the database is at; None if it is empty."""
    return MigrationContext.configure(connection).get_current_revision()


def tables(connection: Connection) -> list[sa.Table]:
    """Return every table of ours, each after those it refers to."""
    found = sa.MetaData()
    found.reflect(connection)
    return [table for table in found.sorted_tables if table.name != _VERSIONS]


def rows(connection: Connection, table: sa.Table) -> Iterator[list[Row]]:
    """Yield the table's rows in order, some hundred at a time; moments are aware."""
    result = connection.execution_options(yield_per=BATCH).execute(table.select().order_by(table.c.id))
    for part in result.mappings().partitions(BATCH):
        yield [{name: _aware(value) for name, value in row.items()} for row in part]


def _aware(value: Any) -> Any:
    return value.replace(tzinfo=UTC) if isinstance(value, datetime) and value.tzinfo is None else value


def write(connection: Connection, table: sa.Table, found: Sequence[Mapping[str, Any]]) -> None:
    """Insert rows as `rows` gives them."""
    if not found:
        return
    if connection.dialect.name == "sqlite":  # it keeps moments without a zone, in UTC
        found = [{name: _naive(value) for name, value in row.items()} for row in found]
    connection.execute(table.insert(), list(found))


def _naive(value: Any) -> Any:
    return value.astimezone(UTC).replace(tzinfo=None) if isinstance(value, datetime) else value


def count_on(connection: Connection) -> None:
    """Let PostgreSQL number new rows after those written; SQLite does so by itself."""
    if connection.dialect.name != "postgresql":
        return
    for table in tables(connection):
        newest = connection.execute(sa.select(sa.func.max(table.c.id))).scalar()
        if newest is not None:
            sequence = sa.func.pg_get_serial_sequence(table.name, "id")
            connection.execute(sa.select(sa.func.setval(sequence, newest)))


def copy(source: Connection, target: Connection) -> dict[str, int]:
    """Write every row of `source` into the empty tables of `target`, of the same scheme; how many by table."""
    into = {table.name: table for table in tables(target)}
    counts = dict.fromkeys(into, 0)
    for table in tables(source):
        for part in rows(source, table):
            write(target, into[table.name], part)
            counts[table.name] += len(part)
    count_on(target)
    return counts


def is_empty(connection: Connection) -> bool:
    """Return whether there is no row in any table."""
    return not any(connection.execute(table.select().limit(1)).first() for table in tables(connection))


def typed(table: sa.Table, row: Row) -> Row:
    """Return a row of `table` as it was before it was written as JSON."""
    return {name: _typed(table.columns[name].type, value) for name, value in row.items()}


def _typed(kind: Any, value: Any) -> Any:
    wrote = isinstance(kind, sa.LargeBinary | sa.DateTime) and value is not None
    return msgspec.convert(value, kind.python_type) if wrote else value
