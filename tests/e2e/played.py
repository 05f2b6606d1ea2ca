"""Whole games in one process: players who know nothing but their letters, and a club that does what is due meanwhile.

    python -m tests.e2e.played GAME SEATS PLIES [GAME SEATS PLIES ...]

plays each of these games through in a club of its own, from its invitations on or, if `PLIES` isn't 0, so many before
its end, and prints its name and its digest.
"""

from __future__ import annotations

import queue
import shutil
import sys
from collections.abc import Callable
from email import message_from_bytes
from email.utils import parseaddr
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import click
import httpx

from pbem import clock
from pbem.cli.demo import autoplay
from pbem.clubs.members.demo_club import PATIENCE as CADENCE
from pbem.clubs.members.demo_club import address
from pbem.jobs import tasks
from tests import factories
from tests.conftest import make_app, set_up, settings_in

if TYPE_CHECKING:
    from flask import Flask

    from pbem.cli.demo.results import DemoResult


Begin = Callable[["Flask", str, int, str], None]
"""Opens a game, by its name, of so many people, drawn from a seed."""


class Post(queue.Queue[tuple[str, bytes]]):
    """The mailboxes of all players; while they are empty and somebody waits, the club does what is due."""

    def __init__(self, app: Flask, folder: Path) -> None:
        """Begin empty, for the letters of the club of `app`, which lie in `folder`."""
        super().__init__()
        self._app, self._folder = app, folder
        self.count = 0

    def get(self, block: bool = True, timeout: float | None = None) -> tuple[str, bytes]:  # noqa: FBT001, FBT002 - as in the class above
        """The oldest letter; raises Empty where none comes of all that is due."""
        if block and self.empty():
            with self._app.app_context():
                tasks.advance_games()
                tasks.deliver()
            for path in sorted(self._folder.glob("new/*")):
                raw = path.read_bytes()
                path.unlink()
                self.put((parseaddr(message_from_bytes(raw)["To"])[1], raw))
                self.count += 1
        return super().get(block=False, timeout=timeout)


def late(plies: int) -> Begin:
    """Open a game of people who have accepted, so many plies before its end: bots came so far; 0: invite them to it."""
    return partial(_begin_late, plies) if plies else autoplay.open_table


def _begin_late(plies: int, app: Flask, game: str, seats: int, seed: str) -> None:
    with app.app_context():
        people = [factories.PlayerFactory(name=name, address=address(name)) for name in autoplay.NAMES[:seats]]
        here = factories.near_the_end(game, seats, plies=plies)
        wishes = {"seed": seed, "here": here, "cadence": CADENCE, "now": clock.now()}
        factories.GameFactory(game=game, people=people, bots=(), **wishes)


def played(
    app: Flask,
    folder: Path,
    game: str,
    seats: int,
    seed: str,
    begin: Begin,
) -> DemoResult:
    """Play a game through in this process, with the real pages, tasks and letters of the club in `folder`.

    `begin` opens it.
    """
    box, post = autoplay.MailSink(), Post(app, folder / "mailbox")
    box.mails = post
    begin(app, game, seats, seed)
    autoplay.correspond(box, autoplay.NAMES[:seats], seed, orders=80, way=httpx.WSGITransport(app=app))
    autoplay.until_delivered(box, app)
    found = autoplay.final(app)

    assert len(found.standings) == seats
    assert found.letters == post.count
    assert found.letters > found.orders > seats
    return found


def main(*wanted: str) -> None:
    """Play what is `wanted`, games, their seats and plies in turn."""
    with TemporaryDirectory() as name:
        home = Path(name)
        set_up(make_app(settings_in(home)))
        for game, seats, plies in zip(wanted[::3], wanted[1::3], wanted[2::3], strict=True):
            club = home / game
            club.mkdir()
            shutil.copy(home / "pbem.sqlite", club)
            found = played(make_app(settings_in(club)), club, game, int(seats), "demo", late(int(plies)))
            click.echo(f"{game} {found.digest}")


if __name__ == "__main__":
    main(*sys.argv[1:])
