"""What commands on the database share: the app's context, tables that are up to date, one commit."""

from __future__ import annotations

from functools import wraps
from typing import TYPE_CHECKING, Any, TypeVar

import click
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from flask import current_app
from flask.cli import with_appcontext
from sqlalchemy.exc import OperationalError

from pbem import clock
from pbem.extensions import db

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from sqlalchemy.orm import Session

R = TypeVar("R")


def missing_migrations() -> str:
    """Why the database isn't as the program needs it, in a sentence; empty if it is."""
    config = current_app.extensions["migrate"].migrate.get_config()
    newest = ScriptDirectory.from_config(config).get_current_head()
    try:
        with db.engine.connect() as connection:
            present = MigrationContext.configure(connection).get_current_revision()
    except OperationalError as fault:
        where = db.engine.url.render_as_string(hide_password=True)
        return f"The database {where} does not answer ({_first_line(fault)}): start it, or mend DATABASE_URL"
    if present == newest:
        return ""
    if present is None:
        return "The database is empty: set it up with 'pbem db upgrade'"
    return f"The database is at version {present}, the program needs {newest}: run 'pbem db upgrade'"


def _first_line(fault: OperationalError) -> str:
    return str(fault.orig).strip().splitlines()[0]


def at_the_desk(command: Callable[..., R]) -> Callable[..., R]:
    """Run a command within the app, on a database that is up to date; it commits itself, by `done`."""

    @wraps(command)
    def ready(*args: Any, **named: Any) -> R:
        fault = missing_migrations()
        if fault:
            raise click.ClickException(fault)
        return command(*args, **named)

    wrapped: Callable[..., R] = with_appcontext(ready)
    return wrapped


def session() -> Session:
    """The session of the current command."""
    found: Session = db.session()
    return found


def now() -> datetime:
    """The moment of the current command."""
    return clock.now()


def done() -> None:
    """Commit."""
    db.session.commit()
