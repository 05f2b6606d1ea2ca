"""What people type is only text: every field of every form, then every page, feed, file and letter that may show it."""

from __future__ import annotations

import csv
import re
from datetime import timedelta
from html.parser import HTMLParser
from typing import TYPE_CHECKING, Any

import pytest

from pbem.store.models import Member, Player
from tests.factories import START
from tests.security.scenes import at_home
from tests.security.test_buttons import Buttons, endpoint_of, filled
from tests.security.test_doors import mails_of, text_of

if TYPE_CHECKING:
    from collections.abc import Iterator
    from email.message import EmailMessage
    from pathlib import Path

    from flask import Flask
    from werkzeug.test import TestResponse

    from tests.web.club_house import House


TYPED = {
    "tags and headers": "<img src=x onerror=alert(1)>\r\nBcc: all@world.example",
    "attributes and links": "\"'><script>alert(1)</script>[a](javascript:alert(1))",
    "tables and marks": "=1+1\N{RIGHT-TO-LEFT OVERRIDE}\N{LINE SEPARATOR}Bcc: all@world.example {{7*7}}",
    "encoded words": "=?utf-8?q?=0d=0aBcc:_a=40w.example?= %0d%0aBcc: x",
}
"""What is typed, short enough for a name."""
BESIDE = {
    "season.announce": {"title": "priestsofra", "size-priestsofra": "2"},
    "seat_settings.act": {"starts": f"{START:%Y-%m-%d}", "ends": f"{START + timedelta(days=7):%Y-%m-%d}"},
}
"""What else a form has to be filled in with by hand, so that what is typed gets as far as it can."""
REACHED = {
    ("season.announce", "name"),
    ("seat_settings.act", "handover"),
    ("talk.note", "text"),
    ("club_settings.send", "text"),
}
"""Some of the fields that others read, which take such words."""
REFUSED = {("standing.change", "text"), ("play.answer", "text")}
"""Orders are no such words: what was typed is shown again to who typed it."""
LEAST = 12
"""Fields that have to take such words, so that the walk has walked."""
BEYOND = 250
"""Pages looked at."""


class TextFields(Buttons):
    """The forms of a page, with the fields somebody types into."""

    def __init__(self, page: str) -> None:
        """Read a page."""
        self.typed: list[list[str]] = []
        super().__init__(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note each such field at its form."""
        super().handle_starttag(tag, attrs)
        found = {name: value or "" for name, value in attrs}
        if tag == "form":
            self.typed.append([])
        elif self.typed and found.get("name") and _is_typed(tag, found.get("type", "text")):
            self.typed[-1].append(found["name"])

    def texts(self, path: str) -> Iterator[tuple[str, dict[str, str], str]]:
        """Where each form leads, what it sends, and each field in turn that is typed into."""
        for (action, method, fields), buttons, typed in zip(self.forms, self.buttons, self.typed, strict=True):
            for name, value in buttons[:1] or [("", "")]:
                for field in typed if method == "post" else ():
                    yield action or path, fields | ({name: value} if name else {}), field


def _is_typed(tag: str, kind: str) -> bool:
    return tag == "textarea" or (tag == "input" and kind in {"text", "search", "email", "url"})


class Dangers(HTMLParser):
    """What of a page would do something that its author didn't write: scripts, handlers, addresses that are scripts."""

    def __init__(self, page: str) -> None:
        """Read a page."""
        super().__init__()
        self.found: list[str] = []
        self._in_script = False
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Look at one tag."""
        self._in_script = tag == "script"
        self.found += [f"{tag} {name}" for name, _ in attrs if name.startswith("on")]
        self.found += [f"{tag} {name}={value}" for name, value in attrs if _is_script(value or "")]

    def handle_data(self, data: str) -> None:
        """Look at the inside of a script."""
        if self._in_script and "alert(1)" in data:
            self.found.append("script")


def _is_script(address: str) -> bool:
    return re.sub(r"[\s\0]", "", address).lower().startswith(("javascript:", "data:text", "vbscript:"))


def type_everywhere(app: Flask, house: House, pages: list[str], text: str) -> dict[tuple[str, str], bool]:
    """Type a text into each field of each form, one by one; whether a form took it, by route and field.

    The page where a seat is left comes last.
    """
    browser, tried, took = house.browsers["Alice"], set(), dict[tuple[str, str], bool]()
    for page in sorted(pages, key=lambda page: page.startswith("/seat/") and page.endswith("/settings")):
        for path, fields, field in list(TextFields(browser.get(page).text).texts(page)):
            route, name = endpoint_of(app, path), field.partition(".")[0]
            where = route, fields.get("act", ""), name
            if where in tried:
                continue
            tried.add(where)
            sent = filled(fields, len(tried)) | BESIDE.get(route, {}) | {field: typed_into(field, text)}
            answer = browser.client.post(path, data=sent)
            assert answer.status_code < 500, (where, answer.status_code)
            assert "\n" not in "".join(answer.headers.values())
            took[route, name] = took.get((route, name), False) or answer.status_code < 400
            assert dangers_of(answer) == [], where
    return took


def typed_into(field: str, text: str) -> str:
    """The text with what its field wants around it: lists of people an address before it and a role behind."""
    return f"new@nile.example, {' '.join(text.split())}, player" if field in {"people", "guests", "table"} else text


def dangers_of(answer: TestResponse) -> list[str]:
    """What an answer would do; a table's cells that a spreadsheet would reckon among them."""
    kind = answer.mimetype
    if kind == "text/html":
        return Dangers(answer.text).found
    if kind == "text/csv":
        return [cell for row in csv.reader(answer.text.splitlines()) for cell in row if cell.startswith(tuple("=+-@"))]
    if kind in {"application/atom+xml", "image/svg+xml", "application/xml"}:
        return re.findall(r"<script|<img[^>]*onerror", answer.text)
    if kind == "text/calendar":
        return re.findall(r"(?m)^Bcc:.*", answer.text)
    return []


def shown_to(house: House, name: str, pages: list[str]) -> Iterator[tuple[str, TestResponse]]:
    """The pages, and what they lead to, as somebody sees them."""
    browser, ahead = house.browsers[name], dict.fromkeys([*pages, "/", "/queue", house.path, f"{house.path}/games"])
    seen: set[str] = set()
    while ahead and len(seen) < BEYOND:
        path = next(iter(ahead))
        del ahead[path]
        seen.add(path)
        answer = browser.get(path)
        yield path, answer
        if answer.mimetype == "text/html" and path in pages:
            found = re.findall(r'(?:href|src)="(?:http://club\.example)?(/[^"#]*)', answer.text)
            ahead |= dict.fromkeys(one for one in found if not one.startswith(("/assets/", "/rules/", "/learn/")))
            ahead = {one: None for one in ahead if one not in seen}


def letter_dangers(mail: EmailMessage, known: set[str]) -> list[str]:
    """What of a letter goes where it shouldn't, or does what nobody wrote."""
    found = Dangers(text_of(mail, "html")).found
    once = ("To", "From", "Subject", "Reply-To", "Date", "Message-ID", "List-Id", "Content-Type")
    found += [name for name in once if len(mail.get_all(name, [])) > 1]
    found += [name for name in ("Bcc", "Cc", "Sender") if name in mail]
    found += [one.addr_spec for one in mail["To"].addresses if one.addr_spec not in known]
    return found + [str(mail["Subject"])] * bool(re.search(r"[\r\n\u2028\u202e]", str(mail["Subject"])))


@pytest.mark.parametrize("what", TYPED)
def test_what_is_typed_is_only_text(app: Flask, build: Any, tmp_path: Path, what: str) -> None:
    """In every page, file and feed that a member and an organiser can reach, and in both parts of every letter."""
    house, pages = build(at_home)
    sitter = Member(club_id=house.club.id, player_id=house.people["Charlie"].id, role="player", joined_at=START)
    house.session.add(sitter)
    house.session.commit()
    took = type_everywhere(app, house, pages, TYPED[what])
    assert sum(took.values()) >= LEAST, took
    assert {where for where in REACHED if took.get(where) is not True} == set()
    assert {where for where in REFUSED if took.get(where) is not False} == set()

    shown = {}
    for name in ("Alice", "Bob", "Charlie"):
        for path, answer in shown_to(house, name, pages):
            assert answer.status_code < 500, path
            shown[name, path] = dangers_of(answer)
    assert {where: found for where, found in shown.items() if found} == {}
    assert len(shown) > 60

    mails = mails_of(house.session, tmp_path, START + timedelta(days=2))
    known = {player.address or "" for player in house.session.query(Player)}
    assert len(mails) >= 5
    assert [found for mail in mails if (found := letter_dangers(mail, known))] == []


@pytest.mark.parametrize(
    "page",
    [
        "<b onclick=x>",
        "<script>alert(1)</script>",
        "<a href=' java\nscript:alert(1)'>",
        '<p title=""><img src=x onerror=alert(1)>',
    ],
)
def test_a_danger_is_seen(page: str) -> None:
    """What the walk looks for is found where it is."""
    assert Dangers(page).found != []
    assert Dangers("<p title='&lt;img onerror=x&gt;'>&lt;script&gt;alert(1) [a](javascript:x)</p>").found == []
