"""The backup of docs/operating.md, rehearsed: dumped, restored elsewhere, audited, and played on."""

from __future__ import annotations

import subprocess
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from sqlalchemy import func, select

from pbem import clock
from pbem.extensions import db
from pbem.play.proof.replay_audit import audit
from pbem.store.models import Game, StoredOrder, StoredPly
from tests.conftest import make_app, settings_in
from tests.factories import GameFactory, answer_all

if TYPE_CHECKING:
    from pathlib import Path

    from flask import Flask

    from tests import servers


def played_game(app: Flask) -> int:
    """A game of Amun-Re some plies on; gives its number."""
    with app.app_context():
        game = GameFactory(game="amunre", people=3, bots=(), plays=6)
        return int(game.id)


def counts(app: Flask) -> tuple[int, ...]:
    """How many plies and orders the database holds."""
    with app.app_context():
        return tuple(
            db.session.execute(select(func.count()).select_from(table)).scalar_one()
            for table in (StoredPly, StoredOrder)
        )


def test_postgresql_dump_is_restored(pg_app: Flask, postgres: servers.Postgres, tmp_path: Path) -> None:
    """`pg_dump -Fc` and `pg_restore` elsewhere: the same rows, no difference in the audit, the game goes on."""
    game = played_game(pg_app)
    name = urlsplit(pg_app.config["SQLALCHEMY_DATABASE_URI"]).path.removeprefix("/")
    fresh = postgres.fresh()
    door = ("-h", str(postgres.folder), "-U", "postgres")
    subprocess.run(("pg_dump", *door, "-Fc", "-f", tmp_path / "pbem.dump", name), check=True)
    into = urlsplit(fresh).path.removeprefix("/")
    subprocess.run(("pg_restore", *door, "-d", into, "--exit-on-error", tmp_path / "pbem.dump"), check=True)
    restored = make_app(settings_in(tmp_path, DATABASE_URL=fresh))

    assert counts(restored) == counts(pg_app)
    check(restored, game)


def test_sqlite_copy_is_restored(app: Flask, tmp_path: Path) -> None:
    """SQLite's own backup of a file in use: the same rows, no difference in the audit, the game goes on."""
    game = played_game(app)
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    with app.app_context():
        source = db.engine.raw_connection()
        source.execute("VACUUM INTO ?", (str(elsewhere / "pbem.sqlite"),))
        source.close()
    restored = make_app(settings_in(elsewhere))

    assert counts(restored) == counts(app)
    check(restored, game)


def check(restored: Flask, game_id: int) -> None:
    """The restored game agrees with its orders, and its players can go on."""
    with restored.app_context():
        found = audit(db.session(), game_id)
        before = db.session.get_one(Game, game_id).ply
        assert (found.faults, found.plies) == ((), before + 1)
        game = db.session.get_one(Game, game_id)
        answer_all(db.session(), clock.now(), game)
        assert db.session.get_one(Game, game_id).ply > before
        db.session.remove()
        db.engine.dispose()
