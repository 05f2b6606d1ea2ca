"""How Alembic reaches the app's database and knows its tables."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from alembic import context
from flask import current_app

from pbem.extensions import Moment

if TYPE_CHECKING:
    from alembic.autogenerate.api import AutogenContext
    from flask_sqlalchemy import SQLAlchemy

database: SQLAlchemy = current_app.extensions["migrate"].db
arguments = current_app.extensions["migrate"].configure_args


def render_item(kind: str, item: object, _context: AutogenContext) -> str | Literal[False]:
    """Write our own column types as the ones they are stored in, so that old revisions never import the app."""
    return "sa.DateTime(timezone=True)" if kind == "type" and isinstance(item, Moment) else False


def run() -> None:
    """Run the migrations that are due, each in its own transaction."""
    with database.engine.connect() as connection:
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
