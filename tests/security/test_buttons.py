"""Every button and call that may send a letter, pressed far oftener than its budget: nobody gets more than that."""

from __future__ import annotations

import sqlite3
import typing
from collections import Counter
from copy import deepcopy
from typing import TYPE_CHECKING, Any

import msgspec
import pytest

from pbem.capabilities import api_keys, links
from pbem.clubs.account import address_change
from pbem.clubs.members import members
from pbem.clubs.seasons import seasons
from pbem.extensions import tokens
from pbem.letter_kinds import KINDS
from pbem.letters import unsubscribe
from pbem.play.seats import opening
from pbem.store.models import AddressChange, Game, Invitation, Letter, Seat
from tests.factories import START, ClubFactory, play_to_the_end, seat_of
from tests.security.test_budgets import REGISTRY, budgets, lift
from tests.security.test_doors import Forms
from tests.security.test_routes import INNER, example
from tests.web.club_house import House

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Mapping

    from flask import Flask
    from flask.testing import FlaskClient
    from flask_sqlalchemy import SQLAlchemy
    from werkzeug.routing import Rule

    from tests.conftest import Clock

PRESSES = 100
"""The most presses of one button, and the seconds that all its presses are spread over."""
BY_THE_GAME = 6
"""Letters of a kind without a budget that the presses may write to one person: one a cause of the game."""
BUDGETS = {name: kind.budget.most if kind.budget else BY_THE_GAME for name, kind in KINDS.items()}
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
        return min(PRESSES, 2 * max(BUDGETS[kind] for _, kind in self.more()) + 2)


def filled(fields: Mapping[str, str], number: int) -> dict[str, str]:
    """A form as a person fills it in, the `number`th time."""
    return {name: text or TYPED.get(name, "").format(n=number) for name, text in fields.items()}


def at_home(house: House) -> list[str]:
    """The pages of a person, a club and a game under way, the club with an open game, a season and an invitation."""
    session, alice, club = house.session, house.people["Alice"], house.path
    game = house.game()
    house.club.settings = {"contact": "club@nile.example"}
    seats = (opening.SeatPlan(player_id=house.people["Bob"].id), opening.SeatPlan(), opening.SeatPlan())
    opening.open_game(
        session, START, opening.GamePlan(game="priestsofra", seats=seats, club_id=house.club.id, organiser_id=alice.id)
    )
    plan = seasons.SeasonPlan(club_id=house.club.id, name="Spring", titles=(seasons.Title("priestsofra", 2),), rounds=1)
    season = seasons.announce(session, START, plan).slug
    members.invite(session, START, house.club.id, alice.id, [members.Guest(f"asked{house.club.id}@nile.example")])
    session.commit()
    person, table = f"/player/{alice.id}", f"/seat/{seat_of(session, game, 0).id}"
    pages = [f"{person}/account", f"{person}/settings", f"{club}/members", f"{club}/open", f"{club}/control"]
    pages += [f"{club}/services", f"{club}/seasons", f"{club}/settings", club, f"/organise/{game.slug}", "/links"]
    pages += [f"{club}/announce", f"{club}/seasons/{season}", f"{club}/box/amunre", "/operator"]
    pages += [f"{table}{tail}" for tail in ("", "/decide", "/chair", "/standing", "/talk", "/plan")]
    return [*pages, f"{table}/ply/{game.ply}/analysis", f"{person}/practice", "/practice"]


def in_letters(house: House) -> list[str]:
    """The pages that letters lead to, and those of who has no link: of first games, of an invitation, of an end."""
    session, alice, elsewhere = house.session, house.people["Alice"], ClubFactory()
    members.invite(session, START, elsewhere.id, house.people["Charlie"].id, [members.Guest(alice.address or "")])
    address_change.ask(session, START, alice.id, f"new{alice.id}@nile.example")
    session.commit()
    invitation = session.query(Invitation).order_by(Invitation.id.desc()).limit(1).one()
    change = session.query(AddressChange).order_by(AddressChange.id.desc()).limit(1).one()
    sides = [address_change.token(tokens(), change.id, side) for side in (address_change.NEW, address_change.OLD)]
    kinds = [unsubscribe.token(tokens(), alice.id, alice.epoch, None, kind) for kind in ("talk", "your_turn")]
    return [
        f"/invitation/{links.invitation_token(tokens(), invitation.id)}",
        *(f"/address/{token}" for token in sides),
        *(f"/mail/unsubscribe/{token}" for token in kinds),
        f"/links/end/{links.end_token(tokens(), alice.id, alice.epoch)}",
        f"/learn/letters/{links.lesson_token(tokens(), alice.id, alice.epoch, 'amunre')}",
        *("/learn/", "/learn/amunre"),
    ]


def at_an_end(house: House) -> list[str]:
    """The pages of a game that is over."""
    game = house.game()
    play_to_the_end(house.session, START, game)
    house.session.commit()
    return [f"/games/{game.slug}/result", f"/games/{game.slug}/ply/1/analysis"]


SCENES = (at_home, in_letters, at_an_end)


class Stage:
    """A scene that is set up once, and put back as it was: its database, and the cookies of its browsers."""

    def __init__(self, app: Flask, db: SQLAlchemy, scene: Callable[[House], list[str]]) -> None:
        """Set it up, and keep a copy."""
        self.house = House(app, db)
        self.settings = msgspec.structs.replace(
            app.extensions["pbem.settings"], operator=self.house.people["Alice"].address or ""
        )
        app.extensions["pbem.settings"] = self.settings
        self.pages = scene(self.house)
        self.house.session.commit()
        self._app, self._engine, self._kept = app, db.engine, sqlite3.connect(":memory:")
        self._copy(self._engine.raw_connection, lambda: self._kept)
        self._cookies = {name: deepcopy(one.client._cookies) for name, one in self.house.browsers.items()}

    def again(self) -> tuple[House, list[str]]:
        """As it was when it was set up, whatever was done since."""
        self.house.session.rollback()
        self.house.session.expire_all()
        self._copy(lambda: self._kept, self._engine.raw_connection)
        for name, cookies in self._cookies.items():
            self.house.browsers[name].client._cookies = deepcopy(cookies)
        self._app.extensions["pbem.settings"] = self.settings
        return self.house, self.pages

    @staticmethod
    def _copy(source: Callable[[], Any], target: Callable[[], Any]) -> None:
        """Copy the whole database of one connection over the other's."""
        ends = [source(), target()]
        driven = [getattr(end, "driver_connection", end) for end in ends]
        driven[0].backup(driven[1])
        for end in ends:
            if not isinstance(end, sqlite3.Connection):
                end.close()


@pytest.fixture
def build(app: Flask, db: SQLAlchemy, client: FlaskClient, clock: Clock) -> Any:  # noqa: ARG001 - the client sets requests apart, the clock stands still
    """Give a function that has a club with a scene's pages anew, the forms' marks not asked for."""
    app.config["WTF_CSRF_ENABLED"] = False
    stages: dict[Any, Stage] = {}

    def made(scene: Callable[[House], list[str]] = at_home) -> tuple[House, list[str]]:
        if scene not in stages:
            stages[scene] = Stage(app, db, scene)
        return stages[scene].again()

    return made


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

    Asserts that nobody gets more than the kind's budget.
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
            status = client.post(path, data=filled(fields, 0)).status_code
            assert status < 500, path
            if written.more():
                wrote.add(pressed)
                presses = written.presses()
                for again in range(1, presses):
                    clock.move(seconds=PRESSES / presses)
                    client.post(path, data=filled(fields, again))
                assert written.over() == {}, pressed
                clock.set(START)
            if status < 400 or written.more():
                house, pages = build(scene)
                forms = forms_at(house, pages[number])
    return reached, wrote


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
