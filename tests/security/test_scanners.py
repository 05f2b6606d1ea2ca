"""Scanners of mail: whatever they do with every link of every kind of letter, nothing changes that must not."""

from __future__ import annotations

import re
import threading
from email import message_from_bytes
from email.policy import default
from html import unescape
from http import HTTPStatus
from typing import TYPE_CHECKING

import msgspec
import pytest

from pbem.capabilities.tokens import tokens
from pbem.clubs.account import address_change
from pbem.clubs.members import members
from pbem.extensions import settings
from pbem.letter_kinds import KINDS
from pbem.letters import delivery, samples, writer
from pbem.store.models import AddressChange, Invitation, Member, Player
from tests.factories import START, in_a_club, seat_of
from tests.security.test_doors import Forms, sent, text_of
from tests.web_server import web_server

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from playwright.sync_api import Page

    from pbem.letters.context import LetterData
    from tests.web.conftest import Table


class Scanner:
    """A scanner with a browser of its own: it looks, sends forms as they stand, and posts to addresses."""

    def __init__(self, table: Table, rows: Callable[[], str]) -> None:
        """Begin at the rows of now."""
        self.client, self.rows, self.before = table.app.test_client(), rows, rows()
        self.opened: set[str] = set()
        self.changed: list[str] = []
        self.tried: set[str] = set()

    def _look(self, what: str) -> None:
        if (now := self.rows()) != self.before:
            self.changed.append(what)
            self.before = now

    def scan(self, path: str) -> None:
        """HEAD, GET, OPTIONS; each form of the page with its defaults; a POST of nothing, and of a stranger's words."""
        self.client.head(path)
        self.client.options(path)
        page = self.client.get(path, follow_redirects=True)
        if page.status_code < HTTPStatus.BAD_REQUEST:
            self.opened.add(path)
        for action, method, fields in Forms(page.text).forms:
            where = action or page.request.path
            if (named := f"{method} {where} {sorted(fields)}") not in self.tried:
                self.tried.add(named)
                answer = self.client.open(where, method=method.upper(), data=fields)
                assert answer.status_code < HTTPStatus.INTERNAL_SERVER_ERROR, named
                self._look(named)
        for body in ({}, {"List-Unsubscribe": "Yes"}, {"a": "b"}):
            self.client.post(path, data=body)
        self._look(path)


def letter_of(table: Table, kind: str) -> LetterData:
    """A letter of a kind whose links are live: Alice's, about her seat, her invitation and her change of address."""
    session, alice = table.db.session(), table.alice
    player, seat = session.get_one(Player, alice.player_id), seat_of(session, table.game, alice.seat)
    made = samples.samples("priestsofra", "en", START)
    letter = next(one for name, one in made if name.partition("-")[0] == kind)
    to = msgspec.structs.replace(letter.to, player_id=player.id, epoch=player.epoch, address=player.address)
    data = dict(letter.data)
    if kind == "invitation":
        members.invite(session, START, table.game.club_id or 0, alice.player_id, [members.Guest("new@nile.example")])
        data["invitation_id"] = session.query(Invitation).one().id
    if kind == "address_change":
        address_change.ask(session, START, player.id, "new@nile.example")
        data["change"] = session.query(AddressChange).one().id
    if "items" in data:
        items = data["items"]
        data["items"] = tuple(msgspec.structs.replace(one, seat_id=seat.id, epoch=seat.epoch) for one in items)
    session.commit()
    return msgspec.structs.replace(
        letter, to=to, seat_id=seat.id, seat_epoch=seat.epoch, slug=table.game.slug, data=data
    )


@pytest.mark.parametrize("kind", KINDS)
def test_a_scanner_changes_nothing_by_any_link_of_a_letter(table: Table, rows: Callable[[], str], kind: str) -> None:
    """Each link in text, HTML and headers: looked at, its forms sent, posted to; one click of RFC 8058 alone stops."""
    session = table.db.session()
    in_a_club(session, table.game, table.alice.player_id, table.bob.player_id)
    session.query(Member).update({"role": "organiser"})
    letter = letter_of(table, kind)
    raw = writer.compose_mail(letter, delivery.mail_context(settings(), tokens()), START).raw
    mail = message_from_bytes(raw, policy=default)
    text = text_of(mail, "plain") + text_of(mail, "html") + str(mail["List-Unsubscribe"] or "")
    paths = {unescape(path) for path in re.findall(r"https?://club\.example([^\s\"'<>)]+)", text)}
    scanner = Scanner(table, rows)
    for path in sorted(paths):
        scanner.scan(path)

    assert scanner.opened, paths
    assert scanner.opened == paths
    assert scanner.changed == []
    stops = [path for path in paths if path.startswith("/mail/unsubscribe/")]
    assert len(stops) == KINDS[kind].stoppable
    assert (mail["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click") == KINDS[kind].stoppable
    for path in stops:
        table.app.test_client().post(path, data={"List-Unsubscribe": "One-Click"})
        session.expire_all()
        player = session.get_one(Player, table.alice.player_id)
        seat = seat_of(session, table.game, table.alice.seat)
        assert kind in [*player.kinds_off, *seat.kinds_off]


@pytest.fixture
def address(table: Table) -> Iterator[str]:
    """Where the pages are served to a browser."""
    server = web_server(table.app)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.port}"
    server.shutdown()
    thread.join(10)
    server.server_close()


def test_a_browser_that_opens_every_link_changes_nothing(
    table: Table, tmp_path: Path, rows: Callable[[], str], address: str, new_page: Callable[..., Page]
) -> None:
    """Scripts run to their end on every page that a letter leads to, and every link there is looked at too."""
    mails = sent(table, tmp_path)
    text = "".join(text_of(mail, "plain") + text_of(mail, "html") for mail in mails)
    paths = {unescape(path) for path in re.findall(r"https?://club\.example([^\s\"'<>)]+)", text)}
    table.db.session.commit()
    before, page, seen = rows(), new_page(), set()
    posted: list[str] = []
    page.on("request", lambda request: posted.append(request.url) if request.method != "GET" else None)
    for path in sorted(paths):
        page.goto(address + path, wait_until="networkidle")
        seen.add(page.url)
        for link in page.eval_on_selector_all("a[href^='/']", "all => all.map(a => a.getAttribute('href'))"):
            if link not in seen:
                seen.add(link)
                page.request.get(address + link)

    assert len(paths) >= 3
    assert len(seen) >= 10
    assert posted == []
    assert rows() == before
