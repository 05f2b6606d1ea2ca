"""The way into version 1.0.0 for a club of the months before it: schemes 0006 and 0007 become 0008.

Alembic's own revisions begin with 0008, which makes every table. A database from before has its tables already; what
it lacks is added here, once, and then it is 0008.
"""

from __future__ import annotations

from collections.abc import Callable

import sqlalchemy as sa
from alembic.migration import MigrationContext
from alembic.operations import Operations
from alembic.util import CommandError
from sqlalchemy.engine import Connection

FIRST = "0008"
"""The scheme of version 1.0.0."""


def carry_over(connection: Connection) -> None:
    """Bring the database to `FIRST` if it is of an older scheme. Raises CommandError below 0006. The caller commits."""
    present = MigrationContext.configure(connection).get_current_revision()
    if present is None or present >= FIRST:
        return
    if present not in _STEPS:
        raise CommandError(
            f"The database is of scheme {present}, which only trials of a development version have: "
            "begin with an empty database, and keep its games' records."
        )
    work = Operations(MigrationContext.configure(connection))
    for scheme, step in _STEPS.items():
        if scheme >= present:
            step(work)
    connection.execute(sa.text("UPDATE alembic_version SET version_num = :first"), {"first": FIRST})


def _lanes(work: Operations) -> None:
    """Three lanes in the outbox, where there were two: answers keep theirs, the others share the middle one."""
    work.drop_index("ix_letters_pending", "letters")
    work.add_column("letters", sa.Column("lane", sa.SmallInteger(), nullable=False, server_default="1"))
    work.execute("UPDATE letters SET lane = 0 WHERE urgent")
    with work.batch_alter_table("letters") as batch:
        batch.drop_column("urgent")
        batch.alter_column("lane", server_default=None)
    pending = sa.text("state = 'pending'")
    work.create_index(
        "ix_letters_pending", "letters", ["lane", "next_try_at"], postgresql_where=pending, sqlite_where=pending
    )


def _players_wanted(work: Operations) -> None:
    """The games that wait for their players, found by the end of their wait."""
    still_open = sa.text("state = 'open'")
    work.create_index("ix_games_unfilled", "games", ["wake_at"], postgresql_where=still_open, sqlite_where=still_open)


_STEPS: dict[str, Callable[[Operations], None]] = {"0006": _lanes, "0007": _players_wanted}
"""By scheme, what leads to the next one."""
