"""The door for programs: a turn through it, whose key opens what, and a description that holds."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
import schemathesis
from hypothesis import HealthCheck, given, settings
from schemathesis import GenerationMode
from schemathesis.checks import (
    content_type_conformance,
    not_a_server_error,
    response_schema_conformance,
    status_code_conformance,
)
from schemathesis.core.result import Ok

from pbem.club import keys
from pbem.store.tables import Club, Member
from tests.factories import START, ClubFactory, GameFactory, PlayerFactory, seat_of, some_order

if TYPE_CHECKING:
    from flask import Flask
    from flask.testing import FlaskClient
    from flask_sqlalchemy import SQLAlchemy

    from pbem.store.tables import Game

CHECKS = [not_a_server_error, status_code_conformance, content_type_conformance, response_schema_conformance]


class House:
    """A club of Alice's with one game; keys of its first seat and of the club."""

    def __init__(self, db: SQLAlchemy) -> None:
        """Open the game and make the keys."""
        session = db.session()
        self.club: Club = ClubFactory.create()
        self.alice, self.bob = PlayerFactory.create_batch(2)
        session.add(Member(club_id=self.club.id, player_id=self.alice.id, role="organiser", joined_at=START))
        self.game: Game = GameFactory.create(
            people=[self.alice, self.bob],
            bots=(),
            options={"auctions": "in_turn"},
            club_id=self.club.id,
            organiser_id=self.alice.id,
        )
        self.seat = seat_of(session, self.game, 0).id
        self.other = seat_of(session, self.game, 1).id
        self.seat_key = _bearer(keys.issue_for_seat(session, START, self.alice.id, self.seat, "script"))
        self.club_key = _bearer(keys.issue_for_club(session, START, self.alice.id, self.club.id, "script"))
        session.commit()


def _bearer(text: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {text}"}


@pytest.fixture
def house(db: SQLAlchemy) -> House:
    """The club."""
    return House(db)


def test_a_whole_turn(house: House, client: FlaskClient, db: SQLAlchemy) -> None:
    """Look, preview, order, order again with the same mark, withdraw: all as the pages do it."""
    asked = [
        (seat, number)
        for seat, number in ((house.seat, 0), (house.other, 1))
        if client.get(f"/api/v1/seats/{seat}", headers=_key_of(house, db, number)).get_json()["asked"]
    ]
    ((seat, number),) = asked
    key = _key_of(house, db, number)
    shown = client.get(f"/api/v1/seats/{seat}", headers=key).get_json()
    ply, text = shown["asked"]["ply"], some_order(db.session(), house.game, number)

    preview = client.post(f"/api/v1/seats/{seat}/preview", json={"text": text}, headers=key).get_json()
    order = {"text": text, "ply": ply, "request": "mine"}
    first = client.post(f"/api/v1/seats/{seat}/orders", json=order, headers=key)
    again = client.post(f"/api/v1/seats/{seat}/orders", json=order, headers=key)
    answer = client.get(f"/api/v1/seats/{seat}", headers=key).get_json()["asked"]["answer"]
    back = client.delete(f"/api/v1/seats/{seat}/orders/{ply}", headers=key)

    assert preview["canonical"] == first.get_json()["canonical"] == answer
    assert (first.status_code, again.status_code, back.status_code) == (200, 200, 200)
    assert client.get(f"/api/v1/seats/{seat}", headers=key).get_json()["asked"]["answer"] == ""


def _key_of(house: House, db: SQLAlchemy, number: int) -> dict[str, str]:
    """A key for one of the two seats."""
    if number == 0:
        return house.seat_key
    session = db.session()
    text = keys.issue_for_seat(session, START, house.bob.id, house.other, "bob's")
    session.commit()
    return _bearer(text)


@pytest.mark.parametrize("path", ["", "/events/0-9", "/standing", "/talk"])
def test_a_key_opens_its_own_seat_only(house: House, client: FlaskClient, path: str) -> None:
    """Other seats and clubs answer as if they didn't exist; no key gets 401."""
    own = client.get(f"/api/v1/seats/{house.seat}{path}", headers=house.seat_key)
    foreign = client.get(f"/api/v1/seats/{house.other}{path}", headers=house.seat_key)
    by_club = client.get(f"/api/v1/seats/{house.seat}{path}", headers=house.club_key)
    without = client.get(f"/api/v1/seats/{house.seat}{path}")

    assert [answer.status_code for answer in (own, foreign, by_club, without)] == [200, 404, 404, 401]
    assert without.headers["WWW-Authenticate"] == "Bearer"


def test_a_refusal_has_its_sentences(house: House, client: FlaskClient) -> None:
    """A late order is a conflict, an unreadable one unprocessable; both say why in words."""
    late = client.post(f"/api/v1/seats/{house.seat}/orders", json={"text": "pass", "ply": 999}, headers=house.seat_key)
    wrong = client.post(f"/api/v1/seats/{house.seat}/orders", json={"text": "x"}, headers=house.seat_key)

    assert late.status_code == 409
    assert late.get_json()["sentences"] == [
        "The question this order answers is settled: the game has moved on. See what is asked now."
    ]
    assert wrong.status_code == 422
    assert "ply" in wrong.get_json()["sentences"][0]


def test_the_control_room_for_programs(house: House, client: FlaskClient) -> None:
    """The club's key lists games with those they wait for, acts on them and undoes it."""
    club = f"/api/v1/clubs/{house.club.id}"
    (row,) = client.get(f"{club}/games", headers=house.club_key).get_json()
    act = {"act": "extend", "games": [house.game.id], "hours": 3}
    done = client.post(f"{club}/acts", json=act, headers=house.club_key).get_json()
    undone = client.post(f"{club}/acts/{done['audit_id']}/undo", headers=house.club_key).get_json()

    assert len(row["waits_for"]) == 1
    assert [effect["game_id"] for effect in done["effects"]] == [house.game.id]
    assert undone == {"count": 1}


def test_a_running_game_gives_no_seed(house: House, client: FlaskClient) -> None:
    """Spectators get commitment, view and a redacted record; nothing to verify before the end."""
    shown = client.get(f"/api/v1/games/{house.game.slug}").get_json()
    record = client.get(f"/api/v1/games/{house.game.slug}/record").get_json()["record"]

    assert shown["seed"] == ""
    assert len(shown["commitment"]) == 64
    assert house.game.seed not in record
    assert client.get(f"/api/v1/games/{house.game.slug}/verify").status_code == 404


@pytest.mark.parametrize("mode", [GenerationMode.POSITIVE, GenerationMode.NEGATIVE])
def test_every_answer_is_described(house: House, app: Flask, mode: GenerationMode) -> None:
    """Whatever is sent, each call answers with a status and a body that its description names; none fails."""
    schema = schemathesis.openapi.from_wsgi("/api/v1/openapi.json", app)
    operations: list[Any] = [result.ok() for result in schema.get_all_operations() if isinstance(result, Ok)]
    if mode is GenerationMode.NEGATIVE:  # any text is a game's public name, so only bodies and numbers can be wrong
        operations = [operation for operation in operations if "{slug}" not in operation.path]

    for operation in operations:
        _fuzz(house, operation, mode)

    assert len(operations) >= 20


def _fuzz(house: House, operation: Any, mode: GenerationMode) -> None:
    """Send made-up calls to our own seat and club."""
    key = house.seat_key if "/seats/" in operation.path else house.club_key
    own = {"seat_id": house.seat, "club_id": house.club.id}

    @settings(max_examples=5, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
    @given(case=operation.as_strategy(generation_mode=mode))
    def call(case: Any) -> None:
        if mode is GenerationMode.POSITIVE:
            case.path_parameters = {name: own.get(name, value) for name, value in (case.path_parameters or {}).items()}
        case.call_and_validate(headers=key, checks=CHECKS)

    call()
