"""Doors that strangers, scanners and pranksters try: they learn nothing, change nothing, and hold nobody up."""

from __future__ import annotations

import re
from functools import partial
from html import unescape
from html.parser import HTMLParser
from typing import TYPE_CHECKING

import pytest
from msgspec import structs
from sqlalchemy import event, select

from pbem.capabilities import api_keys, links
from pbem.capabilities.tokens import tokens
from pbem.extensions import mail as mailman
from pbem.extensions import settings
from pbem.letters import delivery
from pbem.mail.maildir import Maildir
from pbem.messages import LONGEST_NAME
from pbem.play.orders.submission import Submission, submit
from pbem.play.seats import preferences
from pbem.store.models import Player
from tests.factories import START, forged
from tests.steps import steps

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime
    from email.message import EmailMessage
    from pathlib import Path

    from sqlalchemy.orm import Session

    from tests.web.conftest import Table

MEGABYTE = 1_000_000
HOSTILE = (
    "<script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "{{ 7 * 7 }}{% raw %}",
    "{seat}{0}%s%(seat)s",
    "\N{RIGHT-TO-LEFT OVERRIDE}evil\N{LEFT-TO-RIGHT ISOLATE}",
    "Bob\r\nBcc: all@world.example",
    "Bob\N{LINE SEPARATOR}Bcc: all@world.example",
    "=?utf-8?q?=0d=0aBcc:_all@world.example?=",
    "x" * 10_000,
)


@pytest.fixture
def mails(table: Table, tmp_path: Path) -> list[EmailMessage]:
    """Every letter there is so far, sent and read."""
    return sent(table, tmp_path)


def sent(table: Table, folder: Path) -> list[EmailMessage]:
    """Deliver everything that is due into the local mailbox; every mail in it."""
    return mails_of(table.db.session(), folder, START)


def mails_of(session: Session, folder: Path, now: datetime) -> list[EmailMessage]:
    """The same for whoever has no table."""
    carrier = delivery.delivery_worker("test", settings(), tokens(), mailman.get_connection())
    for _ in range(50):
        if not carrier.deliver_one(session, now):
            break
    shelf = Maildir(folder / "mailbox")
    found = [shelf.read(number) for number in shelf.numbers()]
    return [mail for mail in found if mail is not None]


def text_of(mail: EmailMessage, kind: str) -> str:
    """The text of one of a mail's two parts."""
    part = mail.get_body((kind,))
    assert part is not None
    return str(part.get_content())


_FIELDS = re.compile(r"</?(?:form|input|select|option|textarea|button)\b[^>]*>[^<]*")


def only_fields(page: str) -> str:
    """A page without what isn't of its forms, which takes long to read; our templates write no bare `>` in a tag."""
    return "".join(_FIELDS.findall(page))


class Forms(HTMLParser):
    """Every form of a page as a machine sends it: all fields with their default values, no button pressed."""

    def __init__(self, page: str) -> None:
        """Read a page."""
        super().__init__()
        self.forms: list[tuple[str, str, dict[str, str]]] = []
        self._name = self._options = ""
        self.feed(only_fields(page))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note forms and the values their fields begin with."""
        found = {name: value or "" for name, value in attrs}
        name = found.get("name", "")
        if tag == "form":
            self.forms.append((found.get("action", ""), found.get("method", "get").lower(), {}))
        elif not self.forms:
            return
        elif tag == "input" and name and found.get("type") != "submit":
            if found.get("type") not in {"radio", "checkbox"} or "checked" in found:
                self.forms[-1][2][name] = found.get("value", "")
        elif tag == "textarea":
            self._name = name
            self.forms[-1][2][name] = ""
        elif tag == "select":
            self._options = name
        elif tag == "option" and self._options and ("selected" in found or self._options not in self.forms[-1][2]):
            self.forms[-1][2][self._options] = found.get("value", "")

    def handle_data(self, data: str) -> None:
        """Take what stands in a text area."""
        if self._name and self.forms:
            self.forms[-1][2][self._name] = data

    def handle_endtag(self, tag: str) -> None:
        """Leave a field."""
        if tag == "textarea":
            self._name = ""
        elif tag == "select":
            self._options = ""


def test_link_scanners_change_nothing(table: Table, mails: list[EmailMessage], rows: Callable[[], str]) -> None:
    """Over every link of every mail: HEAD, GET, and every form found there sent with its defaults. No row differs."""
    urls = {unescape(url) for mail in mails for url in re.findall(r"https?://club\.example[^\s\"'<>)]+", _all(mail))}
    browser = table.app.test_client()
    table.db.session.commit()
    before = rows()
    tried, changed = 0, set()
    for url in sorted(urls):
        path = url.removeprefix("http://club.example")
        browser.head(path)
        page = browser.get(path, follow_redirects=True)
        for action, method, fields in Forms(page.text).forms:
            if "unsubscribe" in (action or path):
                continue  # its one button is what RFC 8058 asks for: the token is the right to press it
            tried += method == "post"
            browser.open(action or page.request.path, method=method.upper(), data=fields)
            if rows() != before:
                changed.add(action or page.request.path)
                before = rows()

    assert len(urls) >= 3
    assert tried >= 2
    assert changed == set()


def _all(mail: EmailMessage) -> str:
    return text_of(mail, "plain") + text_of(mail, "html")


def test_unknown_revoked_and_foreign_cost_and_look_the_same(table: Table) -> None:
    """A stranger can't tell by the page, its size or the work behind it whether a link was ever good."""
    good = links.seat_token(tokens(), table.alice.seat_id, 0, 1)
    revoked = links.seat_token(tokens(), table.alice.seat_id, 7, 1)
    nobody = links.seat_token(tokens(), 999_999, 0, 1)
    client = table.app.test_client()
    seen = set()
    for token in (forged(good), revoked, nobody):
        statements: list[str] = []
        heard = partial(_note, statements)
        event.listen(table.db.engine, "before_cursor_execute", heard)
        page = client.get(f"/l/{token}")
        event.remove(table.db.engine, "before_cursor_execute", heard)
        seen.add((page.status_code, page.data, len(statements)))

    assert {(status, count) for status, _, count in seen} == {(404, next(iter(seen))[2])}
    assert len(seen) == 1


def _note(statements: list[str], _connection: object, _cursor: object, statement: str, *_more: object) -> None:
    """Keep what was asked of the database."""
    statements.append(statement)


@pytest.mark.parametrize(
    ("what", "status"),
    [("a" * MEGABYTE, 422), ("draw; then " * 90_000, 422), ("(" * MEGABYTE, 422), ("é\n" * 400_000, 413)],
    ids=["a", "chain", "brackets", "over the limit once encoded"],
)
def test_a_megabyte_of_order_is_answered_in_few_steps(table: Table, what: str, status: int) -> None:
    """By page and by program: refused with a sentence, quickly, and only a part of it kept."""
    browser = table.alice.opened()
    path = f"/seat/{table.alice.seat_id}/decide"
    token = browser.token(path)
    ply = table.game.ply + 1

    def by_page() -> None:
        page = browser.client.post(path, data={"csrf_token": token, "ply": ply, "text": what})
        assert page.status_code == status

    def by_program() -> None:
        order = Submission(seat_id=table.alice.seat_id, ply=ply, text=what)
        assert not submit(table.db.session(), START, order).accepted

    by_page()  # what is loaded and compiled at the first time is no work on this text
    assert steps(by_page) < 2 * MEGABYTE  # the browser's own encoding among them
    assert steps(by_program) < 50_000


@pytest.mark.parametrize("name", HOSTILE, ids=range(len(HOSTILE)))
def test_a_hostile_name_is_only_a_name(set_table: Callable[..., Table], tmp_path: Path, name: str) -> None:
    """In pages and in both parts of a mail it is text; in headers it is one header, with no new recipient."""
    name = name[:LONGEST_NAME]
    table = set_table(title=name)
    session = table.db.session()
    for player_id in (table.alice.player_id, table.bob.player_id):
        preferences.change_settings(
            session, player_id, structs.replace(preferences.read_settings(session, player_id), name=name)
        )
    session.commit()
    pages = [table.alice.opened().get(f"/seat/{table.alice.seat_id}{tail}").text for tail in ("", "/decide", "/talk")]
    found = sent(table, tmp_path)

    assert found
    for shown in (*pages, *(text_of(mail, "html") for mail in found)):
        assert "<script>alert" not in shown
        assert "<img src=x" not in shown
        assert "\N{RIGHT-TO-LEFT OVERRIDE}" not in shown
    for mail in found:
        assert len(mail.get_all("To", [])) == len(mail.get_all("Subject", [])) == 1
        assert mail["Bcc"] is None
        assert [address.addr_spec for address in mail["To"].addresses] in [
            [player.address] for player in session.execute(select(Player)).scalars()
        ]
        assert "49" not in str(mail["Subject"]) or "7 * 7" in name
        assert len(str(mail["Subject"])) < 400


def test_a_key_of_a_program_opens_one_seat_and_dies_at_once(table: Table) -> None:
    """It opens no other seat, no page, and nothing any more once it is revoked."""
    session = table.db.session()
    key = api_keys.issue_for_seat(session, START, table.alice.player_id, table.alice.seat_id, "bot")
    session.commit()
    client = table.app.test_client()
    headers = {"Authorization": f"Bearer {key}"}
    mine = client.get(f"/api/v1/seats/{table.alice.seat_id}", headers=headers).status_code
    other = client.get(f"/api/v1/seats/{table.bob.seat_id}", headers=headers).status_code
    page = client.get(f"/seat/{table.alice.seat_id}", headers=headers).status_code
    (row,) = api_keys.keys_of(session, START, table.alice.player_id)
    api_keys.revoke(session, START, table.alice.player_id, row.id)
    session.commit()
    after = client.get(f"/api/v1/seats/{table.alice.seat_id}", headers=headers).status_code

    assert [mine, other, page, after] == [200, 404, 404, 401]
