"""Whole games by mail and pages: each in this process, and one with every part a process of its own."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, NamedTuple

import httpx
import pytest

from pbem.cli.demo import autoplay
from pbem.engine.registry import GAMES, rules_of
from tests.conftest import make_app, settings_in
from tests.e2e.played import late, played
from tests.e2e.stack import children, command, memory, other_than_json, procfile
from tests.servers import LOOK, PATIENCE, until

if TYPE_CHECKING:
    from pathlib import Path

    from flask import Flask

    from pbem.cli.demo.results import DemoResult
    from tests.servers import Postgres, Redis

SHORT = "a"
"""A seed with which players happen to fill in few forms that are refused, a quarter fewer pages in all."""
SEED = "c"
"""Another of the same kind, for the game that is played in both."""
AT_BOTH = "amunre"
"""The game of the many processes: bids in turn, and choices that all make at once, so that answers overtake letters."""
LAST = {AT_BOTH: 13, "priestsofra": 24, "egizia": 24}
"""Plies before its end where bots leave a game: what it asks for at all, it asks for again there.

From their invitations on, games are played by letters in tests/kit/test_packages.py.
"""
PROCESSES = ("web", "worker", "mailer", "beat")
PAGES_LIMIT = 90_000_000
"""Bytes that each of two processes of the pages may take."""


class Run(NamedTuple):
    """What came of the processes."""

    result: DemoResult
    received: int
    sizes: list[int]
    """Bytes of the processes that showed pages, and of the one that started them."""
    logs: dict[str, str]


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory, postgres: Postgres, redis_server: Redis, _pg_template: str) -> Run:
    """Let two web processes, worker, mailer and beat, with PostgreSQL, Redis and real SMTP, play a game; stop them."""
    folder, seats = tmp_path_factory.mktemp("many"), min(rules_of(AT_BOTH).meta.seats)
    with autoplay.mail_sink() as (box, port), redis_server.client() as client:
        client.flushall()
        environ = {
            "DATABASE_URL": postgres.fresh(template=_pg_template),
            "REDIS_URL": redis_server.url,
            "SMTP_URL": f"smtp://127.0.0.1:{port}",
            "LOG_JSON": "yes",
            "WEB_WORKERS": "2",
        }
        app = make_app(settings_in(folder, **environ))
        with procfile(folder, *PROCESSES, **environ) as url:
            assert [httpx.get(url, timeout=PATIENCE).status_code for _ in range(8)] == [200] * 8
            sizes = [memory(one) for one in children(os.getpid()) if "pbem.app:create_app()" in command(one)]
            late(LAST[AT_BOTH])(app, AT_BOTH, seats, SEED)
            until(lambda: not box.mails.empty(), "the worker sends the first letter", seconds=120)
            autoplay.correspond(box, autoplay.NAMES[:seats], SEED, orders=80)
            autoplay.until_delivered(box, app)
            until(
                lambda: httpx.get(f"{url}/readyz", timeout=PATIENCE).json()["last_sweep_s"] is not None,
                "a sweep ran",
                pause=LOOK,
            )
        found = autoplay.final(app)
    return Run(found, box.count, sizes, {name: (folder / f"{name}.log").read_text("utf-8") for name in PROCESSES})


def digest(app: Flask, folder: Path, game: str, seed: str) -> str:
    """The digest of a game that the fewest people play in this process."""
    found = played(app, folder, game, min(rules_of(game).meta.seats), seed, late(LAST[game]))
    assert min(found.plies, found.orders) > 10
    return found.digest


@pytest.mark.parametrize("game", sorted(set(GAMES) - {AT_BOTH}))
def test_every_game_is_played_through(game: str, app: Flask, tmp_path: Path) -> None:
    """Players who know nothing but their letters play each game to its end.

    How they begin is played by mail and on pages elsewhere: a round, and every kind of decision.
    """
    assert digest(app, tmp_path, game, SHORT)


def test_one_process_and_many_play_the_same_game(run: Run, app: Flask, tmp_path: Path) -> None:
    """This process, and PostgreSQL, Redis, two web processes, worker, mailer, beat, real SMTP: the same digest."""
    assert run.result.digest == digest(app, tmp_path, AT_BOTH, SEED)
    assert run.result.undelivered == 0
    assert run.received >= run.result.letters


def test_the_pages_are_small(run: Run) -> None:
    """Beside PostgreSQL and Redis, two processes that show pages, and the one that started them, take under 180 MB."""
    assert len(run.sizes) == 3
    assert max(run.sizes) < 2 * PAGES_LIMIT


def test_every_line_of_the_processes_is_json(run: Run) -> None:
    """They begin, play, sweep and are stopped: what they greet a person with is no part of the log.

    Gunicorn's own lines, from before there is an app, are no exception.
    """
    assert "gunicorn" in run.logs["web"]
    for name, said in run.logs.items():
        assert said, name
        assert other_than_json(said) == [], name
    assert "beat ended" in run.logs["beat"]
