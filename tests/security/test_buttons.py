"""Every button and call that may send a letter, pressed far oftener than its budget: nobody gets more than that."""

from __future__ import annotations

import typing
from collections import Counter
from typing import TYPE_CHECKING, Any

import msgspec
import pytest
from sqlalchemy import func, literal, select, union_all

from pbem.capabilities import api_keys
from pbem.extensions import Base
from pbem.letter_kinds import KINDS
from pbem.store.models import Game, Letter, Seat
from tests.factories import START
from tests.security.scenes import SCENES
from tests.security.test_budgets import REGISTRY, budgets, lift
from tests.security.test_doors import Forms
from tests.security.test_routes import INNER, example
from tests.web.club_house import House

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping

    from flask import Flask
    from werkzeug.routing import Rule

    from tests.conftest import Clock

SECONDS = 100
"""What all presses of one button are spread over."""
FEW = 3
"""The most letters of a kind to one person here: a budget of 60 is held by the same guard as one of 3, pressed sooner;
each at its own number in `test_budgets.py`. Of a kind without a budget so many come, one a cause of the game."""
BUDGETS = {name: min(kind.budget.most, FEW) if kind.budget else FEW for name, kind in KINDS.items()}
TYPED = {
    "address": "new{n}@nile.example",
    "people": "guest{n}@nile.example, Guest, player",
    "guests": "guest{n}@nile.example, Guest, player",
    "table": "guest{n}@nile.example, Guest, player",
    "text": "Hello {n}",
    "title": "News {n}",
    "name": "Name {n}",
    "reason": "because {n}",
    "contact": "club@nile.example",
    "hours": "24",
    "starts": "2026-04-01",
    "ends": "2026-04-08",
}
"""What a person writes into fields that begin empty; each press another number."""
ELSEWHERE = {
    "mailbox.reply": "the demo's own",
    "mailhook.incoming": "a machine's; ten answers a day, tests/security/test_budgets.py",
}
"""Routes that are posted to from no page walked here, and what holds them."""


TWICE = {
    ("account.act", "key"): "each key is shown once, on the page that answers: a second tap makes one that is shown",
    ("services.act", "key"): "as above",
    ("services.act", "add"): "as above, of a webhook's secret",
    ("box.act", "enter"): "it says how something is to be; the log says who said so, and when",
    ("club_settings.save", "save"): "as above",
    ("links.send_me", ""): "of an address nobody has, a row that is never sent",
}
"""Buttons that do again what was done when the same form comes twice, and why they may."""


class Buttons(Forms):
    """The forms of a page, with the buttons of each."""

    def __init__(self, page: str) -> None:
        """Read a page."""
        self.buttons: list[list[tuple[str, str]]] = []
        super().__init__(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note each button at its form."""
        super().handle_starttag(tag, attrs)
        found = {name: value or "" for name, value in attrs}
        if tag == "form":
            self.buttons.append([])
        elif tag == "button" and self.buttons and found.get("type", "submit") == "submit":
            self.buttons[-1].append((found.get("name", ""), found.get("value", "")))

    def presses(self, path: str) -> Iterator[tuple[str, dict[str, str]]]:
        """Where each button of each form that is posted leads, and what it sends."""
        for (action, method, fields), buttons in zip(self.forms, self.buttons, strict=True):
            for name, value in buttons or [("", "")]:
                if method == "post":
                    yield action or path, fields | ({name: value} if name else {})


class Written:
    """Letters by person and kind since the beginning."""

    def __init__(self, house: House) -> None:
        """Count what is there already."""
        self.house, self.before = house, self._now(house)

    @staticmethod
    def _now(house: House) -> Counter[tuple[int | None, str]]:
        house.session.rollback()
        rows = house.session.query(Letter.player_id, Letter.kind).filter(Letter.state != "dropped")
        return Counter((row.player_id, row.kind) for row in rows)

    def more(self) -> Counter[tuple[int | None, str]]:
        """What came since."""
        return self._now(self.house) - self.before

    def over(self) -> dict[tuple[int | None, str], int]:
        """What is beyond the budgets of one time."""
        return {key: count for key, count in self.more().items() if count > BUDGETS[key[1]]}

    def presses(self) -> int:
        """How often to press what wrote these letters: twice for each letter that their budgets allow, and more."""
        return 2 * max(BUDGETS[kind] for _, kind in self.more()) + 2


def filled(fields: Mapping[str, str], number: int) -> dict[str, str]:
    """A form as a person fills it in, the `number`th time, who says yes to what nobody can take back."""
    return {name: text or TYPED.get(name, "").format(n=number) for name, text in fields.items()} | {"sure": "yes"}


def rows(house: House) -> Counter[str]:
    """How many rows each table has."""
    house.session.rollback()
    counts = (select(literal(table.name), func.count()).select_from(table) for table in Base.metadata.sorted_tables)
    return Counter({str(row[0]): int(row[1]) for row in house.session.execute(union_all(*counts))})


def endpoint_of(app: Flask, path: str) -> str:
    """The route that is posted to at a path; empty for none."""
    with app.test_request_context(path, method="POST") as request:
        rule = request.request.url_rule
        return rule.endpoint if rule is not None else ""


def forms_at(house: House, page: str) -> list[tuple[str, dict[str, str]]]:
    """What the buttons of a page send; a page that others find by a link is looked for at its own address."""
    return list(Buttons(house.browsers["Alice"].get(page).text).presses(page))


def press(
    app: Flask, build: Any, clock: Clock, scene: Any, wanted: Collection[Any] | None = None
) -> tuple[set[Any], set[Any]]:
    """Press each button of a scene again and again, or those `wanted`: which were reached, and which write letters.

    Asserts that nobody gets more than the kind's budget, and that a form sent twice makes nothing twice and leads where
    it led.
    """
    house, pages = build(scene)
    reached, wrote = set(), set()
    for number in range(len(pages)):
        forms = forms_at(house, pages[number])
        for place in range(len(forms)):
            path, fields = forms[place]
            pressed = endpoint_of(app, path), fields.get("act", ""), ",".join(sorted(fields))
            if pressed in reached or (wanted is not None and pressed not in wanted):
                continue
            reached.add(pressed)
            written, client = Written(house), house.browsers["Alice"].client
            sent = client.get_cookie("pbem")
            first = client.post(path, data=filled(fields, 0))
            status = first.status_code
            assert status < 500, path
            if wanted is None and pressed[:2] not in TWICE:
                once = rows(house)
                client.set_cookie("pbem", sent.value if sent else "")  # without scripts a tap doesn't wait for another
                second = client.post(path, data=filled(fields, 0))
                assert status >= 400 or (second.status_code, second.location) == (status, first.location), pressed
                assert rows(house) - once == Counter(), pressed
            if written.more():
                wrote.add(pressed)
                presses = written.presses()
                for again in range(1, presses):
                    clock.move(seconds=SECONDS / presses)
                    client.post(path, data=filled(fields, again))
                assert written.over() == {}, pressed
                clock.set(START)
            if status < 400 or written.more():
                house, pages = build(scene)  # as it was, so the forms are the same
    return reached, wrote


@pytest.fixture(autouse=True)
def _few(monkeypatch: pytest.MonkeyPatch) -> None:
    """Lower the outbox's budgets to the numbers here."""
    for name, kind in KINDS.items():
        if kind.budget:
            few = msgspec.structs.replace(kind.budget, most=BUDGETS[name])
            monkeypatch.setitem(KINDS, name, msgspec.structs.replace(kind, budget=few))


def test_no_button_writes_more_than_the_budget(
    app: Flask, build: Any, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each button of each page; those that write letters once more with the outbox's budgets alone to hold them.

    A route that is posted to from no page is listed with what holds it.
    """
    reached: set[Any] = set()
    wrote: set[Any] = set()
    for scene in SCENES:
        found, writers = press(app, build, clock, scene)
        reached, wrote = reached | found, wrote | writers
        with monkeypatch.context() as lifted:
            lift(lifted, *(name for name in budgets() if not name.startswith(REGISTRY)))
            assert press(app, build, clock, scene, writers)[0] == writers

    posted = {rule.endpoint for rule in app.url_map.iter_rules() if "POST" in (rule.methods or ())}
    assert len({one[:2] for one in wrote}) >= 12, sorted(wrote)
    assert {one for one in posted - {pressed[0] for pressed in reached} if not one.startswith("api.")} == set(ELSEWHERE)


def test_no_call_writes_more_than_the_budget(app: Flask, build: Any) -> None:
    """Each call of a program that changes something, with the least it takes, by the organiser's own key."""
    house, _ = build()
    over, tried = {}, 0
    for rule in app.url_map.iter_rules():
        for method in sorted((rule.methods or set()) & {"POST", "PUT", "DELETE"}) if _is_call(rule) else ():
            call = caller(app, house, rule, method)
            written = Written(house)
            assert call(0) < 500, rule
            tried += 1
            if not written.more():
                continue
            for press in range(1, written.presses()):
                call(press)
            if found := written.over():
                over[rule.rule] = found
            house, _ = build()

    assert over == {}
    assert tried > 40


def _is_call(rule: Rule) -> bool:
    return str(rule.endpoint).startswith("api.")


def caller(app: Flask, house: House, rule: Rule, method: str) -> Any:
    """A function that makes the call for the so manyth time; gives its status."""
    alice = house.people["Alice"]
    seat = house.session.query(Seat.id).filter_by(player_id=alice.id).order_by(Seat.id.desc()).limit(1).scalar()
    slug = house.session.query(Game.slug).order_by(Game.id.desc()).limit(1).scalar()
    key = api_keys.issue_for_person(house.session, START, alice.id, "script")
    house.session.commit()
    holes: dict[str, Any] = dict.fromkeys(INNER, 1)
    holes |= {"club_id": house.club.id, "seat_id": seat, "player_id": alice.id, "slug": slug, "season": "none"}
    _, path = rule.build({name: holes.get(name, 1) for name in rule.arguments}) or ("", "")
    model = typing.get_type_hints(app.view_functions[rule.endpoint]).get("json")

    def call(number: int) -> int:
        body = {} if model is None else {"json": _typed(example(model), number)}
        headers = {"Authorization": f"Bearer {key}"}
        return app.test_client().open(f"{path}?sure=yes", method=method, headers=headers, **body).status_code

    return call


def _typed(body: Any, number: int) -> Any:
    """The same body, its texts told apart."""
    return {name: f"{text}{number}" if text == "x" else text for name, text in body.items()}
