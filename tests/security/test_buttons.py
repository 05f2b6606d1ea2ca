"""Every button and call that may send a letter, pressed a hundred times: nobody gets more than the kind's budget."""

from __future__ import annotations

import typing
from collections import Counter
from typing import TYPE_CHECKING, Any

import pytest

from pbem.capabilities import api_keys
from pbem.letter_kinds import KINDS
from pbem.store.models import Game, Letter, Seat
from tests.factories import START, seat_of
from tests.security.test_doors import Forms
from tests.security.test_routes import INNER, example
from tests.web.club_house import House

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from flask import Flask
    from flask.testing import FlaskClient
    from flask_sqlalchemy import SQLAlchemy
    from werkzeug.routing import Rule

    from tests.conftest import Clock

PRESSES = 100
BY_THE_GAME = 6
"""Letters of a kind without a budget that a hundred presses may write to one person: one a cause of the game."""
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
    "account.answer_address": "its link is in a letter, of a kind that has one letter a change",
    "analysis.of_finished": "tries orders out, of a game that is over",
    "analysis.of_seat": "tries orders out",
    "invitation.answer": "once, tests/security/test_findings.py",
    "box.act": "keeps a game's box, writes nobody",
    "club.invitation": "one letter a day and invitation, and the kind's budget",
    "club.join": "joins, writes nobody",
    "club_settings.send": "five letters a day and club, and the kind's budget",
    "learn.ask": "three offers a day and person, tests/flow/test_a_lesson_by_mail.py",
    "learn.begin": "the yes to an offer, once",
    "links.end": "once, tests/security/test_lockout.py",
    "learn.order": "a game without an address",
    "mailbox.reply": "the demo's own",
    "mailhook.incoming": "ten answers a day, tests/inbound/test_receive.py",
    "operator.act": "the operator's own, behind a code",
    "results.again": "opens a game, once a press; the kind's budget holds its invitations",
    "season.act": "a season begins and ends once",
    "mailhook.stop": "one letter a day and kind, tests/letters/test_unsubscribe.py",
}
"""Routes that are posted to from no page walked here, and what holds them."""


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
        budgets = {name: kind.budget.most if kind.budget else BY_THE_GAME for name, kind in KINDS.items()}
        return {key: count for key, count in self.more().items() if count > budgets[key[1]]}


def filled(fields: Mapping[str, str], number: int) -> dict[str, str]:
    """A form as a person fills it in, the `number`th time."""
    return {name: text or TYPED.get(name, "").format(n=number) for name, text in fields.items()}


@pytest.fixture
def build(app: Flask, db: SQLAlchemy, client: FlaskClient, clock: Clock) -> Any:  # noqa: ARG001 - the client sets requests apart, the clock stands still
    """Give a function that sets a club with a game up, the forms' marks not asked for."""
    app.config["WTF_CSRF_ENABLED"] = False

    def made() -> tuple[House, list[str]]:
        house = House(app, db)
        game = house.game()
        seat, alice = seat_of(house.session, game, 0).id, house.people["Alice"].id
        person, club, table = f"/player/{alice}", house.path, f"/seat/{seat}"
        pages = [f"{person}/account", f"{person}/settings", f"{club}/members", f"{club}/open", f"{club}/control"]
        pages += [f"{club}/services", f"{club}/seasons", f"{club}/settings", club, f"/organise/{game.slug}", "/links"]
        pages += [f"{table}{tail}" for tail in ("", "/decide", "/chair", "/standing", "/talk", "/plan")]
        return house, [*pages, f"{person}/practice", "/practice"]

    return made


def endpoint_of(app: Flask, path: str) -> str:
    """The route that is posted to at a path; empty for none."""
    with app.test_request_context(path, method="POST") as request:
        rule = request.request.url_rule
        return rule.endpoint if rule is not None else ""


def forms_at(house: House, page: str) -> list[tuple[str, dict[str, str]]]:
    """What the buttons of a page send; a page that others find by a link is looked for at its own address."""
    return list(Buttons(house.browsers["Alice"].get(page).text).presses(page))


def test_no_button_writes_more_than_the_budget(app: Flask, build: Any) -> None:
    """Each button of each page; a route that is posted to from no page is listed with what holds it."""
    house, pages = build()
    reached, wrote, over = set(), set(), {}
    for number in range(len(pages)):
        for place in range(len(forms_at(house, pages[number]))):
            path, fields = forms_at(house, pages[number])[place]
            pressed = endpoint_of(app, path), fields.get("act", ""), ",".join(sorted(fields))
            if pressed in reached:
                continue
            reached.add(pressed)
            written, client = Written(house), house.browsers["Alice"].client
            status = client.post(path, data=filled(fields, 0)).status_code
            assert status < 500, path
            if written.more():
                wrote.add(pressed[:2])
                for press in range(1, PRESSES):
                    client.post(path, data=filled(fields, press))
                if found := written.over():
                    over[pressed] = found
            if status < 400 or written.more():
                house, pages = build()

    posted = {rule.endpoint for rule in app.url_map.iter_rules() if "POST" in (rule.methods or ())}
    assert over == {}
    assert len(wrote) >= 8, sorted(wrote)
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
            for press in range(1, PRESSES):
                call(press)
            if found := written.over():
                over[rule.rule] = found
            house, _ = build()

    assert over == {}
    assert tried > 50


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
        return (
            app.test_client().open(path, method=method, headers={"Authorization": f"Bearer {key}"}, **body).status_code
        )

    return call


def _typed(body: Any, number: int) -> Any:
    """The same body, its texts told apart."""
    return {name: f"{text}{number}" if text == "x" else text for name, text in body.items()}
