"""Bringing the current app's database to a scheme, and naming the newest."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, cast

import click
from alembic import command
from alembic.script import ScriptDirectory
from alembic.util import CommandError
from flask import current_app
from flask_migrate import Migrate
from sqlalchemy.exc import DBAPIError

from pbem import __version__
from pbem.cli import unavailable
from pbem.extensions import db
from pbem.store import migrations, transfer

if TYPE_CHECKING:
    from collections.abc import Callable

    from alembic.config import Config

MIGRATIONS = Path(migrations.__file__).parent


def scripts() -> Config:
    """Where Alembic finds the current app's migrations; commands load it, a server at rest does without its 8 MB."""
    if "migrate" not in current_app.extensions:
        Migrate(current_app, db, directory=str(MIGRATIONS))
    return cast("Config", current_app.extensions["migrate"].migrate.get_config())


def migrate(revision: str = "head", move: Callable[[Config, str], None] = command.upgrade) -> None:
    """Bring the current app's database to a revision, by default up. Raises ClickException where no way leads there."""
    if said := _too_new(present()):
        raise click.ClickException(said)
    try:
        move(scripts(), revision)
    except CommandError as fault:
        raise click.ClickException(str(fault)) from fault


def misfit() -> str:
    """Why the current app's database isn't as the program needs it, in a sentence; empty if it is."""
    try:
        found = present()
    except click.ClickException as fault:
        return fault.message
    if found == newest():
        return ""
    if found is None:
        return f"The database {_name()} is empty: set it up with 'pbem db upgrade', or mend DATABASE_URL"
    return _too_new(found) or f"The database is at scheme {found}, the program needs {newest()}: run 'pbem upgrade'"


def refuse_misfit() -> None:
    """Raise ClickException unless the current app's database is as the program needs it."""
    if fault := misfit():
        raise click.ClickException(fault)


def _too_new(found: str | None) -> str:
    """Why no way leads from the scheme `found` to this program's, in a sentence; empty if one does."""
    if found is None or found <= newest():
        return ""
    return (
        f"The database is at scheme {found}, and pbem {__version__} knows none after {newest()}: "
        "install the program that it was used with"
    )


def present() -> str | None:
    """The scheme of the current app's database; None if it is empty. Raises ClickException if it can't be asked."""
    try:
        with db.engine.connect() as connection:
            return transfer.scheme(connection)
    except DBAPIError as fault:
        raise click.ClickException(unavailable(fault, _name())) from fault


def _name() -> str:
    """The address of the current app's database, as it may be shown."""
    return db.engine.url.render_as_string(hide_password=True)


def newest() -> str:
    """The scheme this program works with."""
    return schemes()[0]


@cache
def schemes() -> tuple[str, ...]:
    """Every scheme that this program knows, the newest first."""
    return tuple(one.revision for one in ScriptDirectory.from_config(scripts()).walk_revisions())
