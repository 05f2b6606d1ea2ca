from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
import sqlalchemy as sa
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from alembic.util import CommandError
from click import ClickException
from sqlalchemy import inspect, text

from pbem.cli.migrating import MIGRATIONS, migrate, scripts
from pbem.clubs.integrations import webhook_client
from pbem.extensions import db
from pbem.play.admin import action_log
from pbem.store.migrations.before_1_0 import FIRST
from pbem.store.models import Lane
from tests import compiled
from tests.conftest import forget_torn, make_app, settings_in

if TYPE_CHECKING:
    from collections.abc import Iterator

    from flask import Flask
    from sqlalchemy.engine import Connection

    from tests.servers import Postgres

SCHEMES = Path(__file__).parent / "schemes"
"""How databases looked that programs before 1.0.0 made: by scheme and kind of database."""
REVISIONS = [one.revision for one in ScriptDirectory(str(MIGRATIONS)).walk_revisions()][::-1]
"""Every revision from 1.0.0 on, the oldest first."""
BOTH = pytest.mark.parametrize("which", ["sqlite", "postgresql"])
MOMENT = datetime(2026, 11, 21, 12, tzinfo=UTC)


@pytest.fixture
def empty(which: str, tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Flask]:
    """The app on an empty database of the kind `which`."""
    server: Postgres | None = request.getfixturevalue("postgres") if which == "postgresql" else None
    app = make_app(settings_in(tmp_path, **({"DATABASE_URL": server.fresh()} if server else {})))
    compiled.revisions()
    with app.app_context():
        yield app
        db.session.remove()
        db.engine.dispose()
    forget_torn()


def differences() -> list[object]:
    """What Alembic would have to change so that the database is as the tables say."""
    with db.engine.connect() as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": True})
        return list(compare_metadata(context, db.metadata))


def _value(column: sa.Column[Any], number: int) -> object:
    """Something a column of this type can hold, another for each `number` where it can."""
    kinds: list[tuple[type[Any], object]] = [
        (sa.Boolean, True),
        (sa.Integer, number),
        (sa.Float, number + 0.5),
        (sa.JSON, {"code": "other", "words": f"{column.name}{number}"}),  # a webhook's fault is put into words again
        (sa.DateTime, MOMENT),
        (sa.LargeBinary, b"\x00kept"),
        (sa.String, f"{column.name}{number}"),
    ]
    return next(value for kind, value in kinds if isinstance(column.type, kind))


RENAMED = {"api_tokens": "capabilities"}
"""Tables whose rows are kept in another one since."""


def fill(connection: Connection, number: int = 1) -> None:
    """Write row `number` into every table, so that each refers to rows of those it can refer to."""
    order = [table.name for table in db.metadata.sorted_tables]
    found = {name: columns for (_, name), columns in inspect(connection).get_multi_columns().items()}
    del found["alembic_version"]
    for name in sorted(found, key=lambda name: order.index(name) if name in order else len(order)):
        columns = [sa.Column(one["name"], one["type"]) for one in found[name]]
        row = {column.name: _value(column, number) for column in columns}
        connection.execute(sa.insert(sa.table(name, *columns)).values(row))


def contents(connection: Connection) -> dict[str, list[dict[str, object]]]:
    """Every row of every table in order, by the names of its columns, as the driver gives it."""
    names = set(inspect(connection).get_table_names()) - {"alembic_version"}
    asked = {name: text(f'SELECT * FROM "{name}" ORDER BY id') for name in sorted(names)}  # noqa: S608 - our own names
    return {name: [dict(row) for row in connection.execute(each).mappings()] for name, each in asked.items()}


def shared(
    rows: dict[str, list[dict[str, object]]], others: dict[str, list[dict[str, object]]]
) -> dict[str, list[dict[str, object]]]:
    """What of the rows is in tables and columns that the others have too."""
    return {
        table: [{name: value for name, value in row.items() if name in others[table][0]} for row in found]
        for table, found in rows.items()
        if others.get(table)
    }


def make_scheme(connection: Connection, which: str) -> None:
    """Make an empty database as the last program with scheme 0006 left it."""
    for statement in (SCHEMES / f"0006.{which}.sql").read_text(encoding="utf-8").split(";\n"):
        if statement.strip():
            connection.execute(text(statement.replace(":", "\\:")))
    connection.execute(text("INSERT INTO alembic_version VALUES ('0006')"))


def of_row(rows: dict[str, list[dict[str, object]]], number: int) -> dict[str, list[dict[str, object]]]:
    """Of every table the row of this number, if it has one."""
    return {table: [row for row in found if row["id"] == number] for table, found in rows.items()}


@BOTH
@pytest.mark.usefixtures("empty")
def test_rows_in_every_table_survive_the_way_to_the_newest_scheme_and_back(which: str) -> None:
    """From every released scheme up to the newest and down again nothing that both know is lost or changed.

    One database goes all the way: each scheme adds a row of its own to every table, which goes on from there. Once it
    is the newest, on both databases, it differs in nothing from what the tables declare.
    """
    written = []
    for number, revision in enumerate(REVISIONS, 1):
        migrate(revision)
        with db.engine.begin() as connection:
            fill(connection, number)
            written.append(of_row(contents(connection), number))
    assert differences() == [], which
    with db.engine.begin() as connection:
        newest = contents(connection)
    for number, before in enumerate(written, 1):
        after = of_row(newest, number)
        assert shared(after, before) == shared(before, after), REVISIONS[number - 1]
        assert {table: len(rows) for table, rows in before.items()} == {
            table: len(after[RENAMED.get(table, table)]) for table in before
        }, REVISIONS[number - 1]

    for number, revision in reversed(list(enumerate(REVISIONS, 1))):
        command.downgrade(scripts(), revision)
        with db.engine.begin() as connection:
            assert of_row(contents(connection), number) == written[number - 1], revision


ACTS = {
    "go on": "resume",
    "fresh link": "fresh",
    "call off": "call-off",
    "take up": "take-up",
    "not filled": "not-filled",
    "put_bot": "put-bot",
    "vote_out": "vote-out",
    "look view": "look-view",
    "look orders": "look-orders",
    "look standing": "look-standing",
    **{
        act: act for act in ("pause", "extend", "merge", "nudge", "fill", "filled", "undo", "resign", "replace", "seek")
    },
}
"""What is logged of a table: as programs with scheme 0015 wrote it, and how it is called since."""
CLUB_ACTS = {
    "take out": "take-out",
    **{f"operator: {act}": f"operator-{act}" for act in ("address", "erase", "link", "revoke")},
    **{f"operator: retry {what}": f"operator-retry-{what}" for what in ("letters", "webhook")},
    **{act: act for act in ("announce", "box", "close", "role", "settings", "webhook", "resume", "fresh", "call-off")},
}
"""The same of clubs, people and acts on several games."""
FAULTS: dict[str, dict[str, Any]] = {
    "": {},
    "it answered 503": {"code": "refused", "status": 503},
    "the call failed (ConnectTimeout)": {"code": "no-answer", "reason": "ConnectTimeout"},
    "its name leads to no server": {"code": "no-server"},
    "its name leads to an address that is not public": {"code": "not-public"},
    "its address can't be called": {"code": "no-address"},
    "a {brace} of another hand": {"code": "other", "words": "a {brace} of another hand"},
}
"""Why calls of webhooks failed: as programs with scheme 0015 wrote it, and as it is kept since."""
SINCE = {"seat-bot", "seat-invited", "try-webhook"}
"""Acts that no program with scheme 0015 wrote."""


@BOTH
@pytest.mark.usefixtures("empty")
def test_acts_and_faults_are_renamed_row_by_row_and_back(which: str) -> None:
    """Every act that was ever logged becomes one of the program's, every failure one that it can say; and back."""
    migrate("0015")
    with db.engine.begin() as connection:
        fill(connection)
        found = sa.MetaData()
        found.reflect(connection)
        logged, calls = found.tables["audit_log"], found.tables["hook_calls"]
        (row,), (call,) = (list(connection.execute(table.select()).mappings()) for table in (logged, calls))
        connection.execute(logged.delete())
        connection.execute(calls.delete())
        acts = [(act, row["game_id"]) for act in ACTS] + [(act, None) for act in CLUB_ACTS]
        for number, (act, game) in enumerate(acts, 1):
            connection.execute(logged.insert().values({**row, "id": number, "act": act, "game_id": game}))
        for number, said in enumerate(FAULTS, 1):
            named = {"id": number, "cause": f"c{number}", "last_error": said}
            connection.execute(calls.insert().values({**call, **named}))
        before = contents(connection)
    migrate()

    with db.engine.begin() as connection:
        after = contents(connection)
    assert [one["act"] for one in after["audit_log"]] == [*ACTS.values(), *CLUB_ACTS.values()], which
    assert {one["act"] for one in after["audit_log"]} == set(action_log.ACTS) - SINCE
    faults = [one["fault"] for one in after["hook_calls"]]
    assert [json.loads(one) if isinstance(one, str) else one for one in faults] == list(FAULTS.values())
    assert {fault["code"] for fault in FAULTS.values() if fault} == set(webhook_client.FAULTS)
    assert [str(webhook_client.fault_of(fault) or "") for fault in FAULTS.values()] == list(FAULTS)
    command.downgrade(scripts(), "0015")
    with db.engine.begin() as connection:
        assert contents(connection) == before


@BOTH
@pytest.mark.usefixtures("empty")
def test_a_club_from_before_the_first_release_loses_nothing(which: str) -> None:
    """A database of scheme 0006 with rows in every table becomes the newest: answers keep their lane, rows stay."""
    with db.engine.begin() as connection:
        make_scheme(connection, which)
        fill(connection)
        letters = sa.Table("letters", sa.MetaData(), autoload_with=connection)
        row = connection.execute(letters.select()).mappings().one()
        connection.execute(letters.insert().values({**row, "id": 2, "cause": "another", "urgent": False}))
        before = contents(connection)
    migrate()

    assert differences() == []
    with db.engine.begin() as connection:
        after = contents(connection)
    assert [row["lane"] for row in after["letters"]] == [Lane.ANSWER, Lane.MOVED]
    assert shared(after, before) == shared(before, after)


@BOTH
@pytest.mark.usefixtures("empty")
def test_a_scheme_of_a_trial_is_refused_in_a_sentence(which: str) -> None:
    """What no program of a club ever made is left as it is."""
    with db.engine.begin() as connection:
        make_scheme(connection, which)
        connection.execute(text("UPDATE alembic_version SET version_num = '0003'"))

    with pytest.raises(CommandError, match="scheme 0003"):
        command.upgrade(scripts(), "head")


@pytest.mark.parametrize("which", ["sqlite"])
@pytest.mark.usefixtures("empty")
def test_rows_that_lost_what_they_refer_to_are_told_in_a_sentence(which: str) -> None:
    """SQLite lets tables be replaced unlinked; what then refers to nothing is named, with what to do, and no trace."""
    migrate(FIRST)
    with db.engine.connect() as connection:
        driver: Any = connection.connection.driver_connection
        driver.execute("PRAGMA foreign_keys = OFF")
        driver.execute(
            "INSERT INTO members (club_id, player_id, role, joined_at) VALUES (7, 7, 'player', '2026-11-21')"
        )
        driver.execute("PRAGMA foreign_keys = ON")

    with pytest.raises(ClickException, match="rows of members refer to rows that are gone: restore the backup"):
        migrate()
    assert which == "sqlite"


@BOTH
@pytest.mark.usefixtures("empty")
def test_every_revision_can_be_taken_back(which: str) -> None:
    """Down to nothing and up again leaves every table there."""
    migrate()
    command.downgrade(scripts(), "base")
    nothing = set(inspect(db.engine).get_table_names())
    migrate()

    assert nothing == {"alembic_version"}, which
    assert set(inspect(db.engine).get_table_names()) == {*db.metadata.tables, "alembic_version"}
    assert REVISIONS[0] == FIRST
