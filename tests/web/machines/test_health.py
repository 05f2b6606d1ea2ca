"""What machines that watch over the server are told while everything is well, and while something is gone."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from datetime import datetime, timedelta
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import pytest
from sqlalchemy import update

from pbem import __version__
from pbem.extensions import db as database
from pbem.jobs import tasks
from pbem.store.models import Game, Pulse
from pbem.store.unit_of_work import Work
from tests import enqueued
from tests.conftest import _open, forget_torn, settings_in
from tests.factories import GameFactory
from tests.servers import connect, free_port
from tests.test_house import HOME

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from flask import Flask
    from flask.testing import FlaskClient
    from flask_sqlalchemy import SQLAlchemy

    from tests import servers
    from tests.conftest import Clock


@pytest.fixture
def drowned(tmp_path: Path, postgres: servers.Postgres, pg_url: str) -> Iterator[Flask]:
    """The app whose database was dropped under its open connections."""
    for app in _open(settings_in(tmp_path, DATABASE_URL=pg_url)):
        ready = app.test_client().get("/readyz").get_json()
        assert ready == {"version": __version__, "database": "ok", "disk": "ok", "last_sweep_s": None, "redis": None}
        with connect(postgres.url("postgres")) as connection:
            connection.execute(f'DROP DATABASE "{urlsplit(pg_url).path[1:]}" WITH (FORCE)'.encode())
        yield app
    forget_torn()


def test_without_its_database_it_lives_but_is_not_ready(drowned: Flask) -> None:
    """The process answers, says what is gone, and shows no figures rather than wrong ones."""
    client = drowned.test_client()

    assert (client.get("/healthz").status_code, client.get("/healthz").text) == (200, "ok\n")
    assert client.get("/readyz").status_code == 503
    assert client.get("/readyz").get_json() == {"version": __version__, "database": "unreachable"}
    assert client.get("/metrics").status_code == 503


@pytest.mark.parametrize(("minutes", "status"), [(4, 200), (6, 503)])
def test_sweeps_that_stand_still_make_it_unready(
    db: SQLAlchemy, clock: Clock, client: FlaskClient, minutes: int, status: int
) -> None:
    """Six minutes after the last sweep it isn't ready; the newest of all sweeps counts."""
    db.session.add(Pulse(name="sweep_games", at=clock.now - timedelta(minutes=minutes)))
    db.session.add(Pulse(name="older", at=clock.now - timedelta(hours=2)))
    db.session.commit()
    answer = client.get("/readyz")

    assert answer.status_code == status
    assert answer.get_json() == {
        "version": __version__,
        "database": "ok",
        "disk": "ok",
        "last_sweep_s": minutes * 60.0,
        "redis": None,
    }


@pytest.fixture
def ringing(tmp_path: Path, settings: object, redis_url: str) -> Iterator[Flask]:
    """The app with a Redis."""
    assert settings is not None  # its database is in this folder
    yield from _open(settings_in(tmp_path, REDIS_URL=redis_url))


@pytest.fixture
def mute(tmp_path: Path, settings: object) -> Iterator[Flask]:
    """The app whose Redis is gone."""
    assert settings is not None  # its database is in this folder
    yield from _open(settings_in(tmp_path, REDIS_URL=f"redis://127.0.0.1:{free_port()}/0"))


def test_redis_is_told_of(ringing: Flask) -> None:
    """Where there is one, both doors say that it answers."""
    assert ringing.test_client().get("/readyz").get_json()["redis"] == "ok"
    assert "pbem_redis_up 1.0" in ringing.test_client().get("/metrics").text


def test_without_redis_pages_go_on(mute: Flask) -> None:
    """A Redis that is gone is named for the alert, and the server stays in service: orders are taken without it."""
    answer = mute.test_client().get("/readyz")

    assert (answer.status_code, answer.get_json()["redis"]) == (200, "unreachable")
    assert "pbem_redis_up 0.0" in mute.test_client().get("/metrics").text


def test_a_game_that_is_stuck_is_counted(db: SQLAlchemy, clock: Clock, client: FlaskClient) -> None:
    """Stuck games, due games and their age are what the alerts ask for."""
    GameFactory(now=clock.now)
    GameFactory(now=clock.now)
    db.session.execute(update(Game).where(Game.id == 1).values(state="stuck"))
    long_ago = {"wake_at": clock.now - timedelta(seconds=90), "version": Game.version + 1}
    db.session.execute(update(Game).where(Game.id == 2).values(long_ago))
    db.session().info[enqueued.ASKED] = {Work.GAMES}  # it waits for a worker that never came
    db.session.commit()
    text = client.get("/metrics").text

    assert 'pbem_games{state="stuck"} 1.0' in text
    assert 'pbem_games{state="running"} 1.0' in text
    assert "pbem_games_due 1.0" in text
    assert "pbem_games_due_oldest_seconds 90.0" in text


PLAYED = """
import os
from pbem.app import create_app
from pbem.jobs import tasks
for _ in range(2):
    if os.fork() == 0:
        for _ in range(3):
            with tasks._SECONDS.time():
                pass
        os._exit(0)
    assert os.wait()[1] == 0
print(create_app().test_client().get("/metrics").text)
"""
"""Two workers that took three plies each, then a process of pages."""


def test_the_pages_show_the_time_of_plies_that_workers_took(settings: object, tmp_path: Path) -> None:
    """Processes of one machine share a folder: what a worker measured stands in the pages' figures."""
    assert settings is not None  # its database is in this folder
    shared = tmp_path / "shared"
    shared.mkdir()
    environ = {
        **os.environ,
        "PBEM_HOME": str(tmp_path),
        "PROMETHEUS_MULTIPROC_DIR": str(shared),
        "PYTHONPATH": str(HOME),
    }
    done = subprocess.run([sys.executable, "-c", PLAYED], env=environ, capture_output=True, text=True, check=True)

    assert re.search(r"^pbem_ply_seconds_count 6.0$", done.stdout, re.MULTILINE)
    assert re.search(r'^pbem_ply_seconds_bucket\{le="\+Inf"\} 6.0$', done.stdout, re.MULTILINE)


def test_one_process_measures_its_own_plies(db: SQLAlchemy, clock: Clock, client: FlaskClient) -> None:
    """In the small set-up the worker's threads and the pages are one process, which needs no folder."""
    assert database is db
    game = GameFactory(now=clock.now)
    db.session.commit()
    before = _plies_measured(client)
    tasks.advance_game(game.id)

    assert _plies_measured(client) == before + 1


def _plies_measured(client: FlaskClient) -> int:
    """How many runs of games the figures tell of."""
    (count,) = re.findall(r"^pbem_ply_seconds_count (\d+)\.0$", client.get("/metrics").text, re.MULTILINE)
    return int(count)


def test_whom_to_tell_of_a_weakness_is_named(tmp_path: Path, client: FlaskClient, clock: Clock) -> None:
    """RFC 9116: contact and an end within a year where an operator is named; elsewhere there is no such file."""
    address = "/.well-known/security.txt"
    assert client.get(address).status_code == 404
    for app in _open(settings_in(tmp_path, OPERATOR="you@example.org")):
        told = app.test_client().get(address)
        fields = dict(line.split(": ", 1) for line in told.text.splitlines())
        assert told.mimetype == "text/plain"
        assert fields["Contact"] == "mailto:you@example.org"
        assert clock.now < datetime.fromisoformat(fields["Expires"]) < clock.now + timedelta(days=365)
        assert fields["Preferred-Languages"] == "en, it, fr"
