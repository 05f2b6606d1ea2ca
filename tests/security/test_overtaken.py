"""Two windows on one form: neither overwrites unseen what the other one saved, and nothing typed is lost."""

from __future__ import annotations

from html.parser import HTMLParser
from http import HTTPStatus
from typing import TYPE_CHECKING, Any, NamedTuple

from werkzeug.datastructures import MultiDict

from pbem.web import errors
from tests.security.scenes import SCENES
from tests.security.test_buttons import endpoint_of
from tests.security.test_doors import only_fields
from tests.security.test_form_fields import Form, Page

if TYPE_CHECKING:
    from collections.abc import Iterator

    from flask import Flask

    from tests.web.conftest import Browser

SAVED = "This was saved anew since you opened it, so nothing is changed now."
WHOLE = ["box.act enter", "club.watch", "club_settings.save save"]
WHOLE += ["seat_settings.act ladder", "settings.change", "talk.note"]
"""Forms that show all that they save, by endpoint and button."""


class Shown(HTMLParser):
    """What each form of a page sends as it stands: what is written, chosen and ticked, and apart what nobody sees."""

    def __init__(self, page: str) -> None:
        """Read it."""
        super().__init__()
        self.forms: list[list[tuple[str, str]]] = []
        self.hidden: list[list[tuple[str, str]]] = []
        self._select = self._area = ""
        self.feed(only_fields(page))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note what a field holds."""
        found = {name: value or "" for name, value in attrs}
        name, value, kind = found.get("name", ""), found.get("value", ""), found.get("type", "text")
        if tag == "form":
            self.forms.append([])
            self.hidden.append([])
        elif not self.forms:
            return
        elif tag == "select":
            self._select = name
        elif tag == "textarea":
            self._area = name
        elif tag == "option" and "selected" in found:
            self.forms[-1].append((self._select, value))
        elif tag == "input" and ("checked" in found or kind not in {"checkbox", "radio", "file"}):
            (self.hidden if kind == "hidden" else self.forms)[-1].append((name, value))

    def handle_data(self, data: str) -> None:
        """Take what stands in a text area."""
        if self._area:
            self.forms[-1].append((self._area, data.removeprefix("\n")))

    def handle_endtag(self, tag: str) -> None:
        """Leave a text area."""
        self._area = "" if tag == "textarea" else self._area


def otherwise(form: Form) -> dict[str, str]:
    """What a form sends that is filled in, the first number in it another one, and the first text a word longer."""
    sent = form.filled()
    written = [name for name, field in form.fields.items() if field.kind in {"number", "text"} and sent.get(name)]
    number = [name for name in written if sent[name].isdecimal()][:1]
    words = [name for name in written if " " in sent[name] or sent[name].isalpha()][:1]
    return sent | {name: str(int(sent[name]) + 1) for name in number} | {name: f"{sent[name]} too" for name in words}


class Press(NamedTuple):
    """A button of a form that is filled in."""

    what: str
    alice: Browser
    page: str
    place: int
    """Which form of the page."""
    action: str
    sent: dict[str, str]

    def form(self) -> tuple[list[tuple[str, str]], list[tuple[str, str]]]:
        """What the form shows now, and what it hides; nothing where it is gone."""
        page = Shown(self.alice.get(self.page).text)
        return (page.forms[self.place], page.hidden[self.place]) if self.place < len(page.forms) else ([], [])

    def stale(self, shown: list[tuple[str, str]], hidden: list[tuple[str, str]]) -> str:
        """Press it with what the form showed once: what is wrong with that, for one that shows all it saves."""
        saved, _ = self.form()
        button = [field for field in self.sent.items() if field[0] == "act"]
        answer = self.alice.client.post(self.action, data=MultiDict(shown + hidden + button))
        is_told = SAVED in answer.text and answer.status_code == errors.OVERTAKEN
        if not is_told or self.form()[0] != saved:
            return f"{self.what} overwrites what it didn't show"
        page = Shown(answer.text)
        again = max((one + two for one, two in zip(page.forms, page.hidden, strict=True)), key=len)
        self.alice.client.post(self.action, data=MultiDict(again))
        return "" if sorted(self.form()[0]) == sorted(shown) else f"{self.what} loses what was written"


def presses(app: Flask, build: Any) -> Iterator[Press]:
    """Each button of each form with fields, once."""
    done = set()
    for scene in SCENES:
        house, pages = build(scene)
        for page in pages:
            for place, form in enumerate(Page(house.browsers["Alice"].get(page).text).forms):
                action = form.action.split("#")[0] or page
                for name, value in form.buttons or [("", "")]:
                    what = f"{endpoint_of(app, action)} {value if name == 'act' else ''}".strip()
                    if form.method == "post" and what not in done and (form.fields or len(form.sent) > 1):
                        done.add(what)
                        sent = otherwise(form) | ({name: value} if name else {})
                        yield Press(what, house.browsers["Alice"], page, place, action, sent)
                        house, _ = build(scene)


def test_a_stale_window_overwrites_nothing_unseen(app: Flask, build: Any) -> None:
    """Sent as it was opened, each form that shows all it saves is refused, whole; sent again, it takes its place."""
    whole, wrong = [], []
    for press in presses(app, build):
        before, hidden = press.form()
        if press.alice.client.post(press.action, data=press.sent).status_code >= HTTPStatus.BAD_REQUEST:
            continue
        saved = set(press.form()[0]) - set(before)
        if saved and saved <= set(press.sent.items()):
            whole.append(press.what)
            wrong.append(press.stale(before, hidden))
    assert sorted(whole) == WHOLE
    assert list(filter(None, wrong)) == []
