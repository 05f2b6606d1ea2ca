"""How Alembic reaches the app's database and knows its tables."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Literal

from alembic import context
from alembic.util import CommandError
from flask import current_app

from pbem.extensions import Moment
from pbem.store.migrations.before_1_0 import carry_over

if TYPE_CHECKING:
    from collections.abc import Iterator

    from alembic.autogenerate.api import AutogenContext
    from flask_sqlalchemy import SQLAlchemy
    from sqlalchemy.engine import Connection

database: SQLAlchemy = current_app.extensions["migrate"].db
arguments = current_app.extensions["migrate"].configure_args


def render_item(kind: str, item: object, _context: AutogenContext) -> str | Literal[False]:
    """Write our own column types as the ones they are stored in, so that old revisions never import the app."""
    return "sa.DateTime(timezone=True)" if kind == "type" and isinstance(item, Moment) else False


@contextmanager
def unlinked(connection: Connection) -> Iterator[None]:
    """Let a table of SQLite be replaced by its successor while other tables' rows refer to it.

    The pragma does nothing within a transaction, so it is set on the driver's own connection, outside of any, which is
    let go of at the end, however that comes. Raises CommandError if a row refers to none afterwards.
    """
    if connection.dialect.name != "sqlite":
        yield
        return
    driver = connection.connection.driver_connection
    assert driver is not None
    driver.execute("PRAGMA foreign_keys = OFF")
    try:
        yield
        lost = driver.execute("PRAGMA foreign_key_check").fetchall()
    finally:
        connection.invalidate()
    if lost:
        tables = ", ".join(sorted({row[0] for row in lost}))
        raise CommandError(f"After the migration rows of {tables} refer to rows that are gone: restore the backup.")


def run() -> None:
    """Run the migrations that are due, each in its own transaction."""
    with database.engine.connect() as connection, unlinked(connection):
        with connection.begin():
            carry_over(connection)
        context.configure(
            connection=connection,
            target_metadata=database.metadata,
            transaction_per_migration=True,
            render_item=render_item,
            **arguments,
        )
        with context.begin_transaction():
            context.run_migrations()


run()
