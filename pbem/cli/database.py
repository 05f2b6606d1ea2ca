"""`pbem db`: the database's scheme, and moving a club from one database to another."""

from __future__ import annotations

import os

import click
from alembic import command
from flask import Flask
from flask.cli import with_appcontext

from pbem.cli import make_app, output
from pbem.cli import session as cmd
from pbem.cli.migrating import migrate, newest, present, refuse_misfit, schemes
from pbem.config import database_address
from pbem.extensions import db as database
from pbem.store import transfer


@click.group()
def db() -> None:
    """The database's scheme, and moving a club to another database."""


@db.command()
@output.as_json
@with_appcontext
def upgrade() -> None:
    """Make the tables, or bring them to this program's scheme; 'pbem upgrade' makes a backup first."""
    before = present()
    migrate()
    came = f", from {before}" if before else ""
    output.tell(f"The database is at scheme {newest()}{came}.", scheme=newest(), before=before)


@db.command()
@output.as_json
@with_appcontext
def current() -> None:
    """Say which scheme the database is of, and which one the program needs."""
    found = present()
    output.tell(
        f"The database is at scheme {found or 'none'}, the program needs {newest()}.", scheme=found, needs=newest()
    )


@db.command()
@click.argument("revision")
@cmd.yes
@output.as_json
@with_appcontext
def downgrade(*, revision: str) -> None:
    """Take the database back to scheme REVISION, for an older program; what only the newer scheme holds is lost.

    `base` drops every table with every game.
    """
    known = ["base", *schemes()]
    if revision not in known:
        raise click.UsageError(f"{revision!r} is no scheme: write one of {', '.join(known)}")
    found = present() or "none"
    if found == "none" or (revision != "base" and revision > found):
        raise click.UsageError(f"The database is at scheme {found}: name an older one, to which a way leads back")
    what = "drops ALL tables with ALL games" if revision == "base" else f"takes the database back to {revision}"
    cmd.sure(f"This {what}; only a backup ('pbem backup') brings that back.")
    migrate(revision, command.downgrade)
    output.tell(f"The database is at scheme {present() or 'none'}.", scheme=present())


@db.command()
@click.argument("target", metavar="DATABASE_URL")
@output.as_json
@with_appcontext
def copy(*, target: str) -> None:
    """Copy the club into the empty database at DATABASE_URL, as from SQLite to PostgreSQL; stop the server first.

    The keys stay as they are: with SECRET_KEYS, or the file `secret_keys` in PBEM_HOME, old links open in the new club.
    """
    refuse_misfit()
    source = database.engine
    with at(target).app_context():
        migrate()
        with transfer.reading(source) as old, database.engine.begin() as new:
            if not transfer.is_empty(new):
                raise click.UsageError("The target has rows already: name an empty database")
            counts = transfer.copy(old, new)
    output.tell(
        f"Copied: tables {len(counts)}, rows {sum(counts.values())}, games {counts['games']}. Now set "
        "DATABASE_URL to the new database, run 'pbem audit', and start the server.",
        rows=sum(counts.values()),
        tables=len(counts),
        games=counts["games"],
    )


def at(url: str) -> Flask:
    """The app, on the database at `url` instead."""
    database_address("DATABASE_URL", url)
    before = os.environ.get("DATABASE_URL")
    os.environ["DATABASE_URL"] = url
    try:
        return make_app()
    finally:
        if before is None:
            del os.environ["DATABASE_URL"]
        else:
            os.environ["DATABASE_URL"] = before
