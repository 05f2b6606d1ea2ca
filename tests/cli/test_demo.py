"""The demo's server and the people who play in it: whatever stops them is said in one sentence."""

from __future__ import annotations

import smtplib
import sys
from typing import TYPE_CHECKING

import click
import httpx
import pytest
from sqlalchemy import func, select

from pbem.cli.demo import autoplay
from pbem.cli.demo.correspondent import ACCEPT, DECIDE, Correspondent, Page, ReceivedLetter, UnexpectedPage, read_letter
from pbem.cli.demo.results import DemoResult
from pbem.engine.registry import rules_of
from pbem.extensions import db
from pbem.store.models import Game
from tests.servers import PATIENCE

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from flask import Flask

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
    with pytest.raises(click.UsageError, match="--seats is 9: Amun-Re is for 3, 4, 5 players"):
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

    assert left == code
    assert ("were not delivered" in capsys.readouterr().err) is (code is not None)
