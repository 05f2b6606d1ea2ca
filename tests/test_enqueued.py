"""What watches the commits of tests (`tests.enqueued`) fails none that did nothing wrong."""

from __future__ import annotations

import sqlite3
from typing import TYPE_CHECKING

from pbem.extensions import db
from tests import enqueued

if TYPE_CHECKING:
    from flask import Flask

CHANGED = "SELECT count(*) FROM pulses"


def test_what_is_written_meanwhile_shows_in_no_query(app: Flask) -> None:
    """A row that another thread commits between two queries of one look is seen by neither."""
    with app.app_context(), sqlite3.connect(str(db.engine.url.database)) as writer:
        beside = enqueued.Beside()
        assert beside.is_changed()
        assert beside._own is not None

        def write() -> None:
            writer.execute("INSERT INTO pulses (name, at) VALUES ('meanwhile', '2026-03-02 12:00:00')")
            writer.commit()

        beside._own.create_function("meanwhile", 0, write)
        assert beside.read(CHANGED, "SELECT meanwhile()", CHANGED) == [[(0,)], [(None,)], [(0,)]]
        assert beside.read(CHANGED) == [[(1,)]]
        beside.close()
    writer.close()


def test_so_it_is_on_postgresql(pg_app: Flask) -> None:
    """The queries of one look see one state of the database."""
    with pg_app.app_context():
        assert enqueued.read("SHOW transaction_isolation") == [[("repeatable read",)]]
