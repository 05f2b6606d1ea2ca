"""Every field of every form given what it can't take: a sentence names it and what to do, and nothing typed is lost."""

from __future__ import annotations

import re
from html import unescape
from html.parser import HTMLParser
from http import HTTPStatus
from typing import TYPE_CHECKING, Any, NamedTuple

from pbem.web import fields
from tests.security.scenes import SCENES
from tests.security.test_buttons import TYPED, endpoint_of
from tests.security.test_doors import only_fields

if TYPE_CHECKING:
    from collections.abc import Iterator

    from flask import Flask

BAD = {
    "date": ("soon",),
    "datetime-local": ("soon",),
    "email": ("nobody at all",),
    "number": ("seventy",),
    "radio": ("xyzzy",),
    "select": ("xyzzy",),
    "time": ("25:99",),
}
"""What a field of a kind can't take; one of text takes no more characters than it says itself."""
FILLED = TYPED | {
    "starts": "2026-04-01",
    "ends": "2026-04-08",
    "reason": "because of an exam",
    "url": "https://a.example/x",
    "build-fact": "epoch",
}
"""What a person writes into the other fields."""
ANYTHING = {
    "box.act s.#": "a sum counted by hand; empty is none, and another text is named: tests/web/club/test_box.py",
}
"""Fields that take whatever is sent, each with its reason."""


NEVER = frozenset({"nothing", "all", "kind"})
"""Boxes that are not ticked: what they say is said by other fields."""


OF_A_GAME = ("f-", "plan-", "v.", "s.", "opt-", "size-")
"""How the fields of a game's form, plan, box and options begin; their own pages keep them."""


class Field(NamedTuple):
    """A field of a form: its kind, and the most characters that it lets a browser send (0: it doesn't say)."""

    kind: str
    longest: int = 0

    def bad(self) -> tuple[str, ...]:
        """What it can't take."""
        return BAD.get(self.kind, ("x" * (self.longest + 1),) if self.longest else ())


class Form:
    """A form of a page: where it is sent, what stands in it, its fields and its buttons."""

    def __init__(self, action: str, method: str) -> None:
        """Nothing stands in it yet."""
        self.action, self.method = action, method
        self.sent: dict[str, str] = {}
        self.fields: dict[str, Field] = {}
        self.buttons: list[tuple[str, str]] = []

    def takes(self, tag: str, found: dict[str, str]) -> None:
        """Note a field and what stands in it; of buttons to choose from the first, so that the form is filled in."""
        name, kind = found.get("name", ""), "textarea" if tag == "textarea" else found.get("type", "text")
        if tag == "button":
            self.buttons.append((name, found.get("value", "")))
        elif name and kind == "hidden":
            self.sent[name] = found.get("value", "")
        elif name and kind not in {"file", "submit", "checkbox", "search"}:
            self.fields.setdefault(name, Field(kind, int(found.get("maxlength", 0))))
            if kind != "radio" or "checked" in found:
                self.sent.setdefault(name, found.get("value", ""))
        elif name and kind == "checkbox" and name not in NEVER:
            self.sent.setdefault(name, found.get("value", "on"))

    def is_typed(self, name: str) -> bool:
        """Whether a person writes into a field, and does not only choose."""
        return self.fields[name].kind not in {"select", "radio"}

    def filled(self) -> dict[str, str]:
        """As a person fills it in, who says yes if asked; what counts instead of the choices above it stays empty."""
        aside = {"text"} if any(name.startswith(("f-", "build-")) for name in self.fields) else set()
        return {
            key: text if key in aside else text or FILLED.get(key, "").format(n=1) for key, text in self.sent.items()
        } | {"sure": "yes"}


class Page(HTMLParser):
    """The forms of a page."""

    def __init__(self, page: str) -> None:
        """Read it."""
        super().__init__()
        self.forms: list[Form] = []
        self._select = self._area = ""
        self._is_option_of_text = False
        self.feed(only_fields(page))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note forms, fields and the values that stand chosen."""
        found = {name: value or "" for name, value in attrs}
        if tag == "form":
            self.forms.append(Form(found.get("action", ""), found.get("method", "get").lower()))
        elif not self.forms:
            return
        elif tag in {"input", "textarea"} or (tag == "button" and found.get("type", "submit") == "submit"):
            self.forms[-1].takes(tag, found)
            self._area = found.get("name", "") if tag == "textarea" else self._area
        elif tag == "select":
            self._select = found.get("name", "")
            self.forms[-1].fields[self._select] = Field("select")
        elif tag == "option" and self._select and ("selected" in found or self._select not in self.forms[-1].sent):
            self.forms[-1].sent[self._select] = found.get("value", "")
            self._is_option_of_text = "value" not in found

    def handle_data(self, data: str) -> None:
        """Take what stands in a text area, or in an option that has no other value."""
        if self._select and self._is_option_of_text:
            self.forms[-1].sent[self._select] = data
            self._is_option_of_text = False
        if self._area:
            self.forms[-1].sent[self._area] = data.removeprefix("\n")

    def handle_endtag(self, tag: str) -> None:
        """Leave a field."""
        self._area = "" if tag == "textarea" else self._area
        self._select = "" if tag == "select" else self._select


class Answer(NamedTuple):
    """What came of a form with one bad field."""

    is_named: bool
    """Refused, and a sentence of the refusal names what was sent."""
    lost: tuple[str, ...]
    """What was typed into other fields, or into this one, and stands on the page no more."""
    said: str


def _family(name: str) -> str:
    """A field's name without what tells it from others of its kind."""
    name = re.sub(r"^(f-|plan-|[vs]\.|opt-|size-|kind-).*", r"\1#", name)
    return re.sub(r"\d+", "#", name)


def _said(page: str) -> str:
    main = re.sub(r"(?s)<(textarea|script|select|template|svg)\b.*?</\1>", " ", page)
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", main)).split())


def _answer(page: str, status: int, sent: dict[str, str], field: str, bad: str, form: Form) -> Answer:
    said = _said(page)
    kind, longest = form.fields[field]
    counted = longest and (f"{longest:,}" in said or f"{longest + 1:,}" in said)
    is_named = bad[:20] in said or bool(counted) or kind in CHOSEN
    typed = {name: text for name, text in sent.items() if name in form.fields and form.fields[name].kind not in CHOSEN}
    kept = {text for one in Page(page).forms for text in one.sent.values()}
    lost = tuple(name for name, text in typed.items() if text.strip() and text not in kept)
    return Answer(status >= HTTPStatus.BAD_REQUEST and is_named, lost, f"{status} {said[:400]}")


CHOSEN = frozenset({"select", "radio", "date", "time", "datetime-local"})
"""Kinds of fields in which nothing can be typed that they don't offer."""


def _tries(app: Flask, build: Any) -> Iterator[tuple[str, Answer]]:
    """Each field of each form with each button: where it stands, and what came of it."""
    done = set()
    for scene in SCENES:
        house, pages = build(scene)
        for page in pages:
            for form in Page(house.browsers["Alice"].get(page).text).forms:
                endpoint = endpoint_of(app, form.action.split("#")[0] or page)
                for button in form.buttons or [("", "")] if form.method == "post" and endpoint else ():
                    for name, field in form.fields.items():
                        place = endpoint, button[1] if button[0] == "act" else "", _family(name)
                        if place in done:
                            continue
                        done.add(place)
                        for bad in field.bad():
                            sent = form.filled() | ({button[0]: button[1]} if button[0] else {}) | {name: bad}
                            answer = house.browsers["Alice"].client.post(form.action.split("#")[0] or page, data=sent)
                            yield (
                                f"{endpoint} {_family(name)}",
                                _answer(answer.text, answer.status_code, sent, name, bad, form),
                            )
                            if answer.status_code < HTTPStatus.BAD_REQUEST:
                                house, _ = build(scene)


def test_every_field_is_refused_by_name_and_kept(app: Flask, build: Any) -> None:
    """Some button of its form refuses what a field can't take, names it, and the page keeps what was typed."""
    found: dict[str, list[Answer]] = {}
    for place, answer in _tries(app, build):
        found.setdefault(place, []).append(answer)
    silent = {place: answers[0].said for place, answers in found.items() if not any(one.is_named for one in answers)}
    lost = {f"{place}: {one.lost}" for place, answers in found.items() for one in answers if one.is_named and one.lost}
    assert sorted(silent.keys() - ANYTHING.keys()) == [], "\n".join(
        f"{place}: {said}" for place, said in sorted(silent.items())
    )
    assert sorted(lost) == []
    assert len(found) > 60


def test_every_field_has_a_name_for_its_refusal(build: Any) -> None:
    """What is typed outside a game's own fields stands on the page of a refusal with its label, to be changed there."""
    written = set()
    for scene in SCENES:
        house, pages = build(scene)
        for page in pages:
            forms = Page(house.browsers["Alice"].get(page).text).forms
            written |= {name for form in forms if form.method == "post" for name in form.fields if form.is_typed(name)}
    assert sorted(name for name in written - fields.TYPED.keys() if not name.startswith(OF_A_GAME)) == []
    assert len(written & fields.TYPED.keys()) > 20
