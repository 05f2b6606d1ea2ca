"""Calls that change something, done: what each answers, and that the next call finds it done."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import pytest
from sqlalchemy import select

from pbem.capabilities import api_keys
from pbem.clubs.integrations import webhooks
from pbem.store.models import Audit, Invitation
from tests import trusted
from tests.factories import START
from tests.web.club_house import House

if TYPE_CHECKING:
    from collections.abc import Callable

    from flask import Flask
    from flask.testing import FlaskClient
    from flask_sqlalchemy import SQLAlchemy

    from tests.conftest import Clock


@pytest.fixture
def house(app: Flask, db: SQLAlchemy, client: FlaskClient, clock: Clock) -> House:  # noqa: ARG001 - the client sets requests apart, the clock stands still
    """A club of Alice's and Bob's."""
    return House(app, db)


def call(client: FlaskClient, key: str, method: str, path: str, **body: Any) -> Any:
    """What a call answers that is carried out."""
    headers = {"Authorization": f"Bearer {key}"}
    answer = client.open(f"/api/v1{path}", method=method, headers=headers, json=body or None)
    assert answer.status_code == 200, answer.text
    return answer.get_json()


def organising(house: House, client: FlaskClient) -> Callable[..., Any]:
    """Calls with a key of Alice's for the club."""
    key = api_keys.issue_for_club(house.session, START, house.people["Alice"].id, house.club.id, "script")
    house.session.commit()
    return lambda method, path="", **body: call(client, key, method, f"/clubs/{house.club.id}{path}", **body)


def own(house: House, client: FlaskClient, name: str) -> Callable[..., Any]:
    """Calls with somebody's key to all that is theirs."""
    key = api_keys.issue_for_person(house.session, START, house.people[name].id, "script")
    house.session.commit()
    return partial(call, client, key)


def test_a_club_is_looked_after_by_calls(house: House, client: FlaskClient) -> None:
    """People are invited, asked again and withdrawn, members taken out, the club settled."""
    ask = organising(house, client)

    assert ask("POST", "/members", csv="ada@nile.example, Ada\nben@nile.example, Ben\n") == {"count": 2}
    assert ask("POST", "/members", csv="ada@nile.example, Ada\ncleo@nile.example, Cleo\n") == {"count": 1}
    numbers = {one["name"]: one["id"] for one in ask("GET", "/invitations")}
    assert numbers.keys() == {"Ada", "Ben", "Cleo"}
    assert ask("POST", f"/invitations/{numbers['Ada']}") == {"state": "pending"}
    assert ask("DELETE", f"/invitations/{numbers['Ben']}") == {"state": "withdrawn"}
    assert {one["name"] for one in ask("GET", "/invitations")} == {"Ada", "Cleo"}
    held = ask("GET", "/settings")
    assert ask("PUT", "/settings", **held | {"zone": "Europe/Rome"}) == held | {"zone": "Europe/Rome"}


def test_games_of_a_club_are_opened_and_acted_on_by_calls(house: House, client: FlaskClient) -> None:
    """A line each; an act first says what it would do, then does it, and is taken back."""
    ask = organising(house, client)
    lines = "One,priestsofra,club,,bot:random,bot:random\nTwo,priestsofra,club,,bot:random,bot:random\n"
    assert ask("POST", "/games/csv", csv=lines) == {"count": 2}
    rows = {row["title"]: row for row in ask("GET", "/games")}
    game = house.game(title="Three")
    house.session.commit()

    shown = ask("POST", "/acts", act="pause", games=[game.id], preview=True)
    assert not house.session.scalars(select(Audit.id).where(Audit.act == "pause")).all()
    done = ask("POST", "/acts", act="pause", games=[game.id])
    assert [one["game_id"] for one in done["effects"]] == [one["game_id"] for one in shown["effects"]] == [game.id]
    assert ask("POST", f"/acts/{done['audit_id']}/undo")["count"] == 1
    assert rows.keys() == {"One", "Two"}


def test_other_services_of_a_club_are_told_by_calls(house: House, client: FlaskClient) -> None:
    """A test, what was given up once more, and a key made worthless."""
    alice, session = house.people["Alice"].id, house.session
    with trusted.by_tests():
        webhooks.add(session, START, house.club.id, alice, "raw", "https://203.0.113.7/hook")
    ask = organising(house, client)
    (hook,) = ask("GET", "/hooks")

    assert ask("POST", f"/hooks/{hook['id']}/test") == {"state": "waiting"}
    assert ask("GET", "/hooks")[0]["waiting"] == 1
    assert ask("POST", f"/hooks/{hook['id']}/retry") == {"state": "waiting"}
    spare = api_keys.issue_for_club(session, START, alice, house.club.id, "spare")
    session.commit()
    assert spare
    numbers = {one["name"]: one["id"] for one in ask("GET", "/keys")}
    assert ask("DELETE", f"/keys/{numbers['spare']}") == {"state": "revoked"}
    assert [one["name"] for one in ask("GET", "/keys")] == ["script"]


@pytest.mark.parametrize("accept", [False, True])
def test_a_place_is_answered_by_a_call(house: House, client: FlaskClient, *, accept: bool) -> None:
    """Taken or declined, as the answer and the row say."""
    house.open_game()
    house.session.commit()
    ask = own(house, client, "Bob")
    (offer,) = ask("GET", "/me/invitations")

    said = "accepted" if accept else "declined"
    assert ask("POST", f"/me/invitations/{offer['id']}", accept=accept) == {"state": said}
    house.session.expire_all()
    assert house.session.get_one(Invitation, offer["id"]).state == said
    assert ask("GET", "/me/invitations") == []
