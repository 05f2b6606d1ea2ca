from __future__ import annotations

from typing import TYPE_CHECKING

import flask_migrate
import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import inspect, text

from pbem.extensions import db
from pbem.store.models import Lane

if TYPE_CHECKING:
    from flask import Flask


def differences(app: Flask) -> list[object]:
    """What Alembic would have to change so that the database is as the tables say."""
    with app.app_context(), db.engine.connect() as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": True})
        return list(compare_metadata(context, db.metadata))


def round_trip(app: Flask) -> tuple[set[str], set[str]]:
    """The tables left after going back to nothing, and those there after going forward again."""
    with app.app_context():
        flask_migrate.downgrade(revision="base")
        empty = set(inspect(db.engine).get_table_names())
        flask_migrate.upgrade()
        return empty, set(inspect(db.engine).get_table_names())


@pytest.mark.parametrize("which", ["app", "pg_app"])
def test_the_revisions_make_exactly_the_tables_of_the_program(which: str, request: pytest.FixtureRequest) -> None:
    """On both databases a migrated database differs in nothing from what the tables declare."""
    assert differences(request.getfixturevalue(which)) == []


@pytest.mark.parametrize("which", ["app", "pg_app"])
def test_every_revision_can_be_taken_back(which: str, request: pytest.FixtureRequest) -> None:
    """Down to nothing and up again leaves every table there."""
    empty, full = round_trip(request.getfixturevalue(which))

    assert empty == {"alembic_version"}
    assert full == {*db.metadata.tables, "alembic_version"}


@pytest.mark.parametrize("which", ["app", "pg_app"])
def test_answers_in_the_outbox_keep_their_lane(which: str, request: pytest.FixtureRequest) -> None:
    """A server that is brought up to date with letters in its outbox sends the answers among them first, as before."""
    columns = dict.fromkeys(("data", "last_error", "claim", "message_id"), "{}") | {"state": "pending", "attempts": 0}
    columns |= dict.fromkeys(("created_at", "next_try_at"), "2026-11-21 12:00:00+00:00")
    names = [*columns, "kind", "cause", "urgent"]
    insert = f"INSERT INTO letters ({', '.join(names)}) VALUES ({', '.join(f':{name}' for name in names)})"  # noqa: S608 - our own columns
    app = request.getfixturevalue(which)
    with app.app_context():
        flask_migrate.downgrade(revision="0006")
        with db.engine.begin() as connection:
            for kind, urgent in (("receipt", True), ("your_turn", False)):
                connection.execute(text(insert), {**columns, "kind": kind, "cause": kind, "urgent": urgent})
        flask_migrate.upgrade()
        with db.engine.begin() as connection:
            lanes = connection.execute(text("SELECT kind, lane FROM letters ORDER BY lane")).all()
            connection.execute(text("DELETE FROM letters"))

    assert [tuple(row) for row in lanes] == [("receipt", Lane.ANSWER), ("your_turn", Lane.MOVED)]
