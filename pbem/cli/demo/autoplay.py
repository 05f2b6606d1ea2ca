"""`pbem demo --auto`: one whole game through the real doors, played by people who know nothing but their letters."""

from __future__ import annotations

import os
import queue
import subprocess
import sys
import tempfile
import time
from contextlib import ExitStack, contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click
import httpx
from aiosmtpd.controller import Controller

from pbem.bots import players as bots
from pbem.bots import selfplay
from pbem.cli import make_app
from pbem.cli.demo.correspondent import ACCEPT, Correspondent, UnexpectedPage, read_letter
from pbem.cli.demo.environment import set_environment
from pbem.cli.demo.results import DemoResult, result
from pbem.cli.serve import listening_socket, set_up_database
from pbem.clubs.members.demo_club import address, invite
from pbem.engine.registry import rules_of
from pbem.extensions import current, db

if TYPE_CHECKING:
    from collections.abc import Iterator

    from aiosmtpd.smtp import SMTP, Envelope, Session
    from flask import Flask

    from pbem.engine.core.types import AnyRules

NAMES = ("Ada", "Ben", "Cleo", "Dan", "Eve", "Finn", "Gil", "Hana", "Ines", "Joy")
PATIENCE = 60.0
"""Seconds without a letter, or for a page, after which the game is said to stand still."""
FAILED = 1
_OVER = "See the whole game"


class MailSink:
    """A real SMTP server that hands every mail on, in the order of arrival."""

    def __init__(self) -> None:
        """Start empty."""
        self.mails: queue.Queue[tuple[str, bytes]] = queue.Queue()
        self.count = 0

    async def handle_DATA(self, _server: SMTP, _session: Session, envelope: Envelope) -> str:  # noqa: N802 - aiosmtpd's hook
        """Take one mail."""
        content = envelope.content
        assert isinstance(content, bytes)
        for recipient in envelope.rcpt_tos:
            self.mails.put((recipient, content))
            self.count += 1
        return "250 kept"


@contextmanager
def mail_sink() -> Iterator[tuple[MailSink, int]]:
    """A postbox, and the port it takes mail at."""
    with listening_socket("127.0.0.1", 0) as door:
        port = door.getsockname()[1]
    box = MailSink()
    controller = Controller(box, hostname="127.0.0.1", port=port)
    controller.start()
    try:
        yield box, port
    finally:
        controller.stop()


@contextmanager
def server(log: Path) -> Iterator[str]:
    """Run `pbem serve` in a process of its own; gives the address of its pages. What it logs goes to `log`."""
    command = [sys.executable, "-m", "pbem.cli", "serve", "--port", "0"]
    with (
        log.open("w", encoding="utf-8") as said,
        subprocess.Popen(command, stdout=subprocess.PIPE, stderr=said, text=True) as process,  # noqa: S603 - our own
    ):
        try:
            assert process.stdout is not None
            line = process.stdout.readline()
            if not line:
                raise click.ClickException(f"The server did not start: {log.read_text(encoding='utf-8')}")
            yield line.split()[-1]
        finally:
            process.terminate()


def open_table(app: Flask, game: str, seats: int, seed: str) -> None:
    """Found a club and invite everybody to one game; the letters leave when the server finds them."""
    with app.app_context():
        invite(*current(), game, NAMES[:seats], seed)
        db.session.commit()


def expected(rules: AnyRules, seats: int, seed: str) -> int:
    """About how many orders such a game takes: as many as one among bots."""
    table = selfplay.SelfplayTable(rules, (bots.bot_of(rules.meta.name, "random"),) * seats)
    return selfplay.play(table, seed).decisions


def play_through(game: str, seats: int, seed: str) -> None:
    """Play one game to its end, then print its table, its figures and its digest."""
    rules = rules_of(game)
    if seats not in rules.meta.seats:
        allowed = ", ".join(map(str, rules.meta.seats))
        raise click.UsageError(f"--seats is {seats}: {rules.meta.title} takes {allowed}")
    began = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="pbem-demo-") as folder, mail_sink() as (box, port):
        set_environment(Path(folder), "")
        del os.environ["BASE_URL"]
        os.environ |= {"SMTP_URL": f"smtp://127.0.0.1:{port}", "RATE_LIMITS": "no"}
        app = make_app()
        set_up_database(app)
        open_table(app, rules.meta.name, seats, seed)
        with server(Path(folder) / "log"):
            correspond(box, NAMES[:seats], seed, expected(rules, seats, seed))
            until_delivered(box, app)
        found = final(app)
    _report(rules, found, box.count, time.monotonic() - began)


def correspond(
    box: MailSink, names: tuple[str, ...], seed: str, orders: int, way: httpx.BaseTransport | None = None
) -> None:
    """Let everybody answer their letters until the last one tells that the game is over; about `orders` are due.

    `way`: how pages are reached, if not by the network.
    """
    browser = partial(httpx.Client, follow_redirects=True, timeout=PATIENCE, trust_env=False, transport=way)
    with ExitStack() as stack:
        players = {address(name): Correspondent(name, seed, stack.enter_context(browser())) for name in names}
        bar = stack.enter_context(click.progressbar(length=orders, label="orders", show_pos=True, file=sys.stderr))
        over: set[str] = set()
        while len(over) < len(names):
            recipient, raw = _next(box)
            if recipient in players and _read(players[recipient], raw):
                over.add(recipient)
            done = sum(player.orders for player in players.values())
            bar.length = max(orders, done)
            bar.update(done - bar.pos)
        bar.length = bar.pos
        bar.render_finish()


def _next(box: MailSink) -> tuple[str, bytes]:
    try:
        return box.mails.get(timeout=PATIENCE)
    except queue.Empty:
        raise click.ClickException(f"No letter came for {PATIENCE:.0f} seconds: the game stands still") from None


def _read(player: Correspondent, raw: bytes) -> bool:
    """Do what a letter asks; whether it tells that the game is over."""
    letter = read_letter(raw)
    try:
        if letter.link(ACCEPT):
            player.accept(letter)
        elif letter.is_turn():
            player.answer(letter)
    except httpx.TimeoutException:
        raise click.ClickException(f"No page came for {PATIENCE:.0f} seconds: the game stands still") from None
    except (UnexpectedPage, httpx.HTTPError) as fault:
        raise click.ClickException(str(fault)) from fault
    return bool(letter.link(_OVER))


def until_delivered(box: MailSink, app: Flask) -> None:
    """Take in what still is on its way: the outbox empties by itself."""
    for _ in range(int(PATIENCE)):
        if final(app).undelivered == 0:
            return
        try:
            box.mails.get(timeout=1)
        except queue.Empty:
            continue


def final(app: Flask) -> DemoResult:
    """What the app's database holds."""
    with app.app_context():
        return result(*current())


def _report(rules: AnyRules, found: DemoResult, received: int, seconds: float) -> None:
    click.echo(f"{rules.meta.title}, the final table")
    for place, name, points in found.standings:
        click.echo(f"  {place}. {name:<12} {points:>4}")
    click.echo(
        f"plies {found.plies}, orders {found.orders}, letters sent {found.letters} and received {received}, "
        f"{seconds:.1f} s"
    )
    click.echo(f"digest {found.digest}")
    if found.undelivered or received < found.letters:
        click.echo(f"Letters that were not delivered: {found.undelivered}.", err=True)
        raise click.exceptions.Exit(FAILED)
