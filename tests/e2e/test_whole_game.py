"""A whole game by mail and pages: once on the embedded default, once with every part a process of its own."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from pbem.cli.demo import autoplay
from pbem.engine.registry import GAMES, rules_of
from tests.conftest import make_app, settings_in
from tests.e2e.stack import procfile
from tests.servers import PATIENCE, until
from tests.test_house import HOME

if TYPE_CHECKING:
    from pathlib import Path

SEED = "the same in both"
AT_BOTH = "amunre"
"""The game of `./demo --auto` and of the many processes."""


def embedded(*words: str) -> str:
    """Run `pbem demo --auto`, a foreign database in the environment; gives what it printed."""
    done = subprocess.run(
        [sys.executable, "-m", "pbem.cli", "demo", "--auto", *words],
        cwd=HOME,
        env={**os.environ, "DATABASE_URL": "postgresql://nobody@nowhere/none"},
        capture_output=True,
        text=True,
        check=False,
        timeout=10 * PATIENCE,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def check_report(printed: str, title: str, seats: int) -> str:
    """The table has a place for each seat, every letter arrived; gives the last line, which is the digest."""
    lines = printed.splitlines()
    figures = re.fullmatch(
        r"(\d+) plies, (\d+) letters sent and (\d+) received, (\d+) orders, (\d+\.\d) seconds", lines[-2]
    )

    assert lines[0] == f"{title}, the final table"
    assert len(lines) == seats + 3
    assert figures is not None
    plies, sent, received, orders = (int(figure) for figure in figures.groups()[:4])
    assert sent == received
    assert sent > orders > 20
    assert plies > 20
    assert re.fullmatch(r"digest [0-9a-f]{64}", lines[-1])
    return lines[-1]


def test_one_process_and_many_play_the_same_game(tmp_path: Path, pg_url: str, redis_url: str) -> None:
    """`./demo --auto`, and PostgreSQL, Redis, two web processes, worker, mailer, beat, real SMTP: the same digest.

    Amun-Re: bids in turn, and choices that all make at once, so that letters and answers overtake each other. Its
    players know nothing but their letters here too; the other games are played through below.
    """
    digest = check_report(embedded("--seats", "3", "--seed", SEED), rules_of(AT_BOTH).meta.title, 3)
    with autoplay.mail_sink() as (box, port):
        environ = {"DATABASE_URL": pg_url, "REDIS_URL": redis_url, "SMTP_URL": f"smtp://127.0.0.1:{port}"}
        app = make_app(settings_in(tmp_path, **environ))
        with procfile(tmp_path, "web", "worker", "mailer", "beat", **environ):
            autoplay.open_table(app, AT_BOTH, 3, SEED)
            until(lambda: not box.mails.empty(), "the worker sends the first letter", seconds=120)
            autoplay.correspond(box, autoplay.NAMES[:3], SEED, orders=80)
            autoplay.until_delivered(box, app)
        result = autoplay.final(app)

    assert f"digest {result.digest}" == digest
    assert result.undelivered == 0
    assert box.count >= result.letters


@pytest.mark.parametrize("game", sorted(set(GAMES) - {AT_BOTH}))
def test_every_game_is_played_through(game: str) -> None:
    """Players who know nothing but their letters play each game to its end."""
    meta = rules_of(game).meta
    seats = min(meta.seats)

    check_report(embedded("--game", game, "--seats", str(seats)), meta.title, seats)
