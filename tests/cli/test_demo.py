"""The demo's server and the people who play in it: whatever stops them is said in one sentence."""

from __future__ import annotations

import smtplib
import sys
from contextlib import nullcontext
from datetime import timedelta
from typing import TYPE_CHECKING

import click
import httpx
import msgspec
import pytest
from sqlalchemy import delete, func, select

from pbem.cli.demo import autoplay
from pbem.cli.demo.correspondent import (
    ACCEPT,
    DECIDE,
    TURN,
    Correspondent,
    Page,
    ReceivedLetter,
    UnexpectedPage,
    read_letter,
)
from pbem.cli.demo.results import DemoResult, result
from pbem.clubs.members.demo_club import address
from pbem.engine.core.types import Outcome
from pbem.engine.registry import rules_of
from pbem.extensions import db
from pbem.store.models import Game, Letter, StoredOrder, StoredPly
from tests.factories import GameFactory
from tests.servers import PATIENCE

if TYPE_CHECKING:
    from collections.abc import Iterator
    from contextlib import AbstractContextManager
    from datetime import datetime
    from pathlib import Path

    from flask import Flask
    from sqlalchemy.orm import Session

HOST = "http://club.example"
PICTURE = b"Subject: Hello\nContent-Type: image/png\n\nx"


@pytest.fixture
def ada(app: Flask) -> Iterator[Correspondent]:
    """Somebody at a browser, before the app's own pages."""
    with httpx.Client(transport=httpx.WSGITransport(app=app), follow_redirects=True) as browser:
        yield Correspondent("Ada", "seed", browser)


def letter(text: str) -> ReceivedLetter:
    """A letter to Ada."""
    return ReceivedLetter("ada@nile.example", "Your turn", text)


def test_a_letter_that_leads_nowhere_stops_its_reader(ada: Correspondent) -> None:
    """Without a text, without a link, to a page that isn't there, or to one with nothing to press: each is named."""
    with pytest.raises(UnexpectedPage, match="The letter 'Hello' has no text to read"):
        read_letter(PICTURE)
    with pytest.raises(UnexpectedPage, match="Ada got a letter without a link"):
        ada.answer(letter("Nothing."))
    with pytest.raises(UnexpectedPage, match=f"{HOST}/games/none answered Ada with 404"):
        ada.answer(letter(f"{DECIDE}:\n{HOST}/games/none"))
    with pytest.raises(UnexpectedPage, match="Ada found no way to accept 'Your turn'"):
        ada.accept(letter(f"{ACCEPT}:\n{HOST}/"))
    assert ada.orders == 0


def test_a_table_that_is_opened_is_there_for_the_server(app: Flask) -> None:
    """Another process sees it: it is committed."""
    autoplay.open_table(app, "amunre", 3, "seed")
    with app.app_context():
        assert db.session.scalar(select(func.count()).select_from(Game)) == 1


def test_a_demo_for_more_than_a_game_seats_is_refused() -> None:
    """Before anything is set up; the numbers there are, are named."""
    with pytest.raises(click.UsageError, match="--seats is 9: Amun-Re takes 3, 4, 5"):
        autoplay.play_through("amunre", 9, "seed")


def test_a_server_that_does_not_start_says_why(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What it wrote stands in the refusal."""
    monkeypatch.setenv("DATABASE_URL", "mysql://nowhere")
    monkeypatch.setenv("PBEM_HOME", str(tmp_path))
    with (
        pytest.raises(click.ClickException, match=r"The server did not start: .*mysql"),
        autoplay.server(tmp_path / "log"),
    ):
        pass


def test_a_server_says_where_its_pages_are(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its last word is their address."""
    (tmp_path / "python").write_text('#!/bin/sh\necho "The club is open at http://127.0.0.1:$#"\nexec cat\n')
    (tmp_path / "python").chmod(0o700)
    monkeypatch.setattr(sys, "executable", str(tmp_path / "python"))
    with autoplay.server(tmp_path / "log") as address:
        assert address == "http://127.0.0.1:5"


def test_a_mail_is_handed_on_for_each_of_its_recipients() -> None:
    """In the order of arrival, and counted."""
    with autoplay.mail_sink() as (box, port), smtplib.SMTP("127.0.0.1", port) as door:
        assert box.count == 0
        door.sendmail("club@x.example", ["ada@y.example"], b"One")
        door.sendmail("club@x.example", ["ben@y.example", "cleo@y.example"], b"Two")
        mails = [box.mails.get(timeout=PATIENCE) for _ in range(3)]

    assert [(to, content.strip()) for to, content in mails] == [
        *[("ada@y.example", b"One"), ("ben@y.example", b"Two"), ("cleo@y.example", b"Two")],
    ]
    assert box.count == 3
    assert box.mails.empty()


def test_a_page_is_read_as_its_forms() -> None:
    """What each kind of field can hold, what is sent unasked, and its buttons; what stands outside of forms is none."""
    page = Page(
        """<input name=outside type=hidden value=1><form action=/go><input name=token type=hidden value=t>
        <input name=one type=radio value=a><input name=one type=radio value=b><input name=any type=checkbox value=c>
        <input name=words type=text value=d><select name=of><option value=""><option value=e></select>
        <button name=do value=it></button></form><div role=alert>Too <b>late</b></div><p>See you</p>"""
    )
    (form,) = page.forms
    fields = {name: (field.values, field.many) for name, field in form.fields.items()}

    assert (form.action, form.hidden, form.buttons) == ("/go", {"token": "t"}, [("do", "it")])
    assert fields == {"one": (["a", "b"], False), "any": (["c"], True), "of": (["e"], False)}
    assert page.alert == "Too late"


@pytest.mark.parametrize(("undelivered", "received", "code"), [(0, 5, None), (1, 5, 1), (0, 4, 1)])
def test_letters_that_never_came_are_told_by_the_exit_code(
    capsys: pytest.CaptureFixture[str], undelivered: int, received: int, code: int | None
) -> None:
    """Those that weren't sent, and those that were and never arrived."""
    found = DemoResult([(1, "Ada", 30)], plies=9, orders=8, letters=5, undelivered=undelivered, digest="d")
    left = None
    try:
        autoplay._report(rules_of("amunre"), found, received, 1)
    except click.exceptions.Exit as leaving:
        left = leaving.exit_code

    said = capsys.readouterr()
    assert left == code
    assert said.out.splitlines() == [
        "Amun-Re, the final table",
        "  1. Ada            30",
        f"plies 9, orders 8, letters sent 5 and received {received}, 1.0 s",
        "digest d",
    ]
    assert said.err == ("" if code is None else f"Letters that were not delivered: {undelivered}.\n")


def test_a_demo_ends_with_what_its_database_holds(session: Session, now: datetime) -> None:
    """Letters sent, those due and not sent or given up, orders without drafts; who played, by place."""
    game = GameFactory(game="priestsofra", people=2, bots=("random",), plays=4, now=now)
    orders = session.scalar(select(func.count()).select_from(StoredOrder))
    session.execute(delete(Letter))
    soon = now + timedelta(seconds=1)
    letters = (("sent", 2, now), ("pending", 3, now), ("claimed", 4, now), ("failed", 5, soon), ("dropped", 6, now))
    for state, count, due in (*letters, ("pending", 7, soon)):
        for number in range(count):
            cause = f"{state}:{number}:{due}"
            fields = {"cause": cause, "message_id": cause, "kind": "talk", "data": {}, "created_at": now}
            session.add(Letter(state=state, next_try_at=due, **fields))
    last = session.scalars(select(StoredPly.digest).order_by(StoredPly.ply)).all()[-1]
    draft = session.scalars(select(StoredOrder)).first()
    assert draft is not None
    draft.kind = "draft"
    found = result(session, now)

    assert (found.standings, found.digest, found.orders) == ([], last, (orders or 0) - 1)
    assert (found.plies, found.letters, found.undelivered) == (game.ply + 1, 2, 3 + 4 + 5)
    game.outcome = msgspec.json.encode(Outcome(scores=(7, 9, 8), places=(3, 1, 2), ending="suns"))
    session.flush()
    assert [(place, points) for place, _, points in result(session, now).standings] == [(1, 9), (3, 7)]


class Scripted(Correspondent):
    """Somebody who notes what was done of a letter."""

    def __init__(self, does: Exception | None = None) -> None:
        """Do nothing, or fail."""
        self.did, self.does, self.orders = list[str](), does, 0

    def accept(self, letter: ReceivedLetter) -> None:
        """Note it."""
        self._note("accept", letter)

    def answer(self, letter: ReceivedLetter) -> bool:
        """Note it."""
        return self._note("answer", letter)

    def _note(self, what: str, letter: ReceivedLetter) -> bool:
        if self.does:
            raise self.does
        self.did.append(f"{what} {letter.text.split()[0]}")
        return True


def mail(text: str) -> bytes:
    """A letter as it comes."""
    return f"To: ada@nile.example\nSubject: Hello\n\n{text}\n".encode()


ASKED = mail(f"one {TURN} noon.\n{DECIDE}:\n{HOST}/l/x")
OVER = mail(f"last\n{autoplay._OVER}:\n{HOST}/games/x")


@pytest.mark.parametrize(
    ("raw", "did", "over"),
    [
        (ASKED, ["answer one"], False),
        (mail(f"two {DECIDE}:\n{HOST}/l/x"), [], False),
        (mail(f"three {TURN} noon."), [], False),
        (mail(f"four\n{ACCEPT}:\n{HOST}/l/x"), ["accept four"], False),
        (OVER, [], True),
    ],
)
def test_a_letter_is_done_what_it_asks(raw: bytes, did: list[str], *, over: bool) -> None:
    """An invitation is accepted, a turn taken; the last one ends it."""
    player = Scripted()
    assert autoplay._read(player, raw) is over
    assert player.did == did


@pytest.mark.parametrize(
    ("fault", "said"),
    [
        (httpx.ReadTimeout("x"), "No page came for 60 seconds: the game stands still"),
        (httpx.ConnectError("no way"), "no way"),
        (UnexpectedPage("Ada is lost"), "Ada is lost"),
    ],
)
def test_a_page_that_does_not_come_ends_the_demo(fault: Exception, said: str) -> None:
    """In a sentence."""
    with pytest.raises(click.ClickException) as ended:
        autoplay._read(Scripted(fault), ASKED)

    assert ended.value.message == said


def test_the_demo_goes_on_until_everybody_has_the_last_letter(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Letters to others are passed over; what comes after the last one stays where it is."""
    box, read = autoplay.MailSink(), list[str]()
    made: list[dict[str, object]] = []

    class Player(Scripted):
        def __init__(self, name: str, *_: object) -> None:
            super().__init__()
            self.name = name

    def reads(player: Player, raw: bytes) -> bool:
        read.append(player.name)
        player.orders += raw == ASKED
        return raw == OVER

    def browser(**named: object) -> AbstractContextManager[None]:
        made.append(named)
        return nullcontext()

    ada, ben = (address(name) for name in ("Ada", "Ben"))
    for one in ((ada, ASKED), ("eve@else.example", OVER), (ada, OVER), (ben, ASKED), (ben, OVER), (ben, ASKED)):
        box.mails.put(one)
    monkeypatch.setattr(autoplay, "Correspondent", Player)
    monkeypatch.setattr(autoplay, "_read", reads)
    monkeypatch.setattr(httpx, "Client", browser)
    autoplay.correspond(box, ("Ada", "Ben"), "seed", 1)

    assert read == ["Ada", "Ada", "Ben", "Ben"]
    assert box.mails.qsize() == 1
    assert {(one["follow_redirects"], one["trust_env"]) for one in made} == {(True, False)}
    assert "orders" not in capsys.readouterr().out


def test_the_demo_waits_for_letters_on_their_way(monkeypatch: pytest.MonkeyPatch, app: Flask) -> None:
    """As long as one is due; each that comes meanwhile is taken in."""
    box, left = autoplay.MailSink(), [2, 1, 0, 7]
    for text in (b"1", b"2", b"3"):
        box.mails.put(("ada@nile.example", text))
    monkeypatch.setattr(autoplay, "final", lambda _: DemoResult([], 0, 0, 0, undelivered=left.pop(0), digest=""))
    autoplay.until_delivered(box, app)

    assert (left, box.mails.qsize()) == ([7], 1)
