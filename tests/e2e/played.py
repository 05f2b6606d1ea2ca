"""Whole games in one process: players who know nothing but their letters, and a club that does what is due meanwhile.

    python -m tests.e2e.played GAME SEATS [GAME SEATS ...]

plays each of these games through in a club of its own and prints its name and its digest.
"""

from __future__ import annotations

import queue
import shutil
import sys
from email import message_from_bytes
from email.utils import parseaddr
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import click
import httpx

from pbem.cli.demo import autoplay
from pbem.jobs import tasks
from tests.conftest import make_app, set_up, settings_in

if TYPE_CHECKING:
    from collections.abc import Callable

    from flask import Flask

    from pbem.cli.demo.results import DemoResult


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


def played(
    app: Flask,
    folder: Path,
    game: str,
    seats: int,
    seed: str,
    begin: Callable[[Flask, str, int, str], None] = autoplay.open_table,
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
    """Play what is `wanted`, games and their seats in turn."""
    with TemporaryDirectory() as name:
        home = Path(name)
        set_up(make_app(settings_in(home)))
        for game, seats in zip(wanted[::2], wanted[1::2], strict=True):
            club = home / game
            club.mkdir()
            shutil.copy(home / "pbem.sqlite", club)
            click.echo(f"{game} {played(make_app(settings_in(club)), club, game, int(seats), 'demo').digest}")


if __name__ == "__main__":
    main(*sys.argv[1:])
