"""The door for programs: a turn through it, whose key opens what, and a description that holds."""

from __future__ import annotations

import json
import re
from collections import Counter
from contextvars import Context
from typing import TYPE_CHECKING, Any, NoReturn

import pytest
import schemathesis
from flask import request
from hypothesis import HealthCheck, given, settings
from schemathesis import GenerationMode
from schemathesis.checks import (
    content_type_conformance,
    not_a_server_error,
    response_schema_conformance,
    status_code_conformance,
)
from schemathesis.core.result import Ok
from sqlalchemy import exc

from pbem import clock
from pbem.capabilities import api_keys, links
from pbem.clubs.seasons import seasons
from pbem.engine.core.types import COLOURS
from pbem.play.seats import sitters
from pbem.play.views import spectator
from pbem.store.models import Club, Game, Member
from pbem.store.outages import UNAVAILABLE
from tests import trusted
from tests.factories import START, ClubFactory, GameFactory, PlayerFactory, answer_all, hours, seat_of, some_order

if TYPE_CHECKING:
    from collections.abc import Callable

    from flask import Flask
    from flask.testing import FlaskClient
    from flask_sqlalchemy import SQLAlchemy


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
        plan = seasons.SeasonPlan(name="Spring", titles=(seasons.Title("priestsofra", 2),), rounds=1)
        self.season = seasons.announce(session, START, self.club.id, self.alice.id, plan).slug
        self.seat = seat_of(session, self.game, 0).id
        self.other = seat_of(session, self.game, 1).id
        self.seat_key = _bearer(api_keys.issue_for_seat(session, START, self.alice.id, self.seat, "script"))
        self.club_key = _bearer(api_keys.issue_for_club(session, START, self.alice.id, self.club.id, "script"))
        self.own_key = _bearer(api_keys.issue_for_person(session, START, self.alice.id, "script"))
        self.holes: dict[str, Any] = {"seat_id": self.seat, "club_id": self.club.id, "player_id": self.bob.id}
        self.slug = self.game.slug
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
    keys = {house.seat: house.seat_key, house.other: _key_of(house, db, 1)}
    sent = {one: client.get(f"/api/v1/seats/{one}/orders/{ply}", headers=keys[one]).get_json() for one in keys}
    back = client.delete(f"/api/v1/seats/{seat}/orders/{ply}", headers=key)

    assert preview["canonical"] == first.get_json()["canonical"] == answer
    assert {one: [order["text"] for order in found] for one, found in sent.items()} == {
        one: [text] if one == seat else [] for one in keys
    }
    assert (first.status_code, again.status_code, back.status_code) == (200, 200, 200)
    assert client.get(f"/api/v1/seats/{seat}", headers=key).get_json()["asked"]["answer"] == ""


def test_a_call_about_a_seat_looks_up_once_what_its_key_opens(
    app: Flask, house: House, client: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every one that reads: twice was twice the statements. A seat's own key is all there is to look up."""
    looked: list[str] = []
    enter = links.enter_seat

    def count(*given: Any, **more: Any) -> Any:
        looked.append(request.path)
        return enter(*given, **more)

    monkeypatch.setattr(links, "enter_seat", count)
    paths = [
        re.sub(r"<int:(?!seat_id)\w+>", "0", str(rule)).replace("<int:seat_id>", str(house.seat))
        for rule in app.url_map.iter_rules()
        if str(rule).startswith("/api/v1/seats/<int:seat_id>") and "GET" in (rule.methods or ())
    ]
    statuses = {path: client.get(path, headers=house.own_key).status_code for path in paths}
    own = Counter(looked)
    statuses |= {path: client.get(path, headers=house.seat_key).status_code for path in statuses}

    assert set(statuses.values()) == {200}
    assert Counter(looked) == own == Counter(paths), "a seat's key has told it already"


def _key_of(house: House, db: SQLAlchemy, number: int) -> dict[str, str]:
    """A key for one of the two seats."""
    if number == 0:
        return house.seat_key
    session = db.session()
    text = api_keys.issue_for_seat(session, START, house.bob.id, house.other, "bob's")
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


def test_a_sitters_key_opens_nothing_private(house: House, client: FlaskClient, db: SQLAlchemy) -> None:
    """It plays the seat; its plans, its talk and its notes stay its player's."""
    session, now, sitter = db.session(), clock.now(), PlayerFactory()
    session.add(Member(club_id=house.club.id, player_id=sitter.id, role="player", joined_at=START))
    with trusted.by_tests():
        sitters.appoint(session, now, house.seat, sitter.id, now, now + hours(9))
    key = _bearer(api_keys.issue_for_person(session, now, sitter.id, "script"))
    session.commit()
    ways = ("", "/standing", "/talk", "/notes")

    assert [client.get(f"/api/v1/seats/{house.seat}{way}", headers=key).status_code for way in ways] == [
        200,
        *[404] * 3,
    ]


def test_what_a_call_may_not_say_or_ask_is_said_in_words(house: House, client: FlaskClient) -> None:
    """Whose key it is, what no database keeps, and what is no day."""
    absence = {"starts": "0001-01-01T00:00:00Z", "ends": "2027-01-31T00:00:00Z", "note": ""}
    order, key = {"text": "pass\0", "ply": 1}, house.seat_key["Authorization"].partition(" ")[2]
    answers = (
        client.get(f"/api/v1/seats/{house.other}", headers=house.seat_key),
        client.get(f"/api/v1/seats/{house.seat}", headers={"Authorization": f"Token {key}"}),
        client.get(f"/api/v1/clubs/{house.club.id}", headers=house.seat_key),
        client.get(f"/api/v1/clubs/{house.club.id}/workload", headers=house.seat_key),
        client.get("/api/v1/me", headers=house.club_key),
        client.post(f"/api/v1/seats/{house.seat}/orders", json=order, headers=house.seat_key),
        client.post("/api/v1/me/absences", json=absence, headers=house.own_key),
    )

    assert [answer.get_json()["sentences"] for answer in answers] == [
        ["This key doesn't speak for that seat."],
        ["Send your key as `Authorization: Bearer KEY`."],
        ["This key doesn't speak for that club."],
        ["This key doesn't speak for that club."],
        ["This needs a key for everything of yours, not one for a seat or a club."],
        ["The text holds a NUL character, which can't be stored: leave it out."],
        ["“0001-01-01” is no day: write it like 2027-01-31."],
    ]


def test_what_is_too_long_is_refused_as_on_the_pages(house: House, client: FlaskClient) -> None:
    """A game's title, a season's name and a letter's subject are never cut in silence: the limit is named."""
    club = f"/api/v1/clubs/{house.club.id}"
    game = {"game": "priestsofra", "players": ["bot:random", "bot:random"], "title": "x" * 61}
    season = {"name": "x" * 61, "titles": [{"game": "priestsofra", "seats": 2}]}
    letter = {"title": "x" * 81, "text": "Hello"}
    calls = {"games": (game, "60"), "seasons": (season, "60"), "announcements": (letter, "80")}
    answers = {
        path: client.post(f"{club}/{path}", json=body, headers=house.club_key) for path, (body, _) in calls.items()
    }

    assert {path: answer.status_code for path, answer in answers.items()} == dict.fromkeys(calls, 422)
    assert [path for path, (_, limit) in calls.items() if limit not in answers[path].get_json()["sentences"][0]] == []


def test_the_control_room_for_programs(house: House, client: FlaskClient) -> None:
    """The club's key lists games with those they wait for, acts on them and undoes it."""
    club = f"/api/v1/clubs/{house.club.id}"
    (row,) = client.get(f"{club}/games", headers=house.club_key).get_json()
    typo = client.get(f"{club}/games?stat=late", headers=house.club_key)
    assert (typo.status_code, "unknown field `stat`" in typo.get_json()["sentences"][0]) == (422, True)
    act = {"act": "extend", "games": [house.game.id], "hours": 3}
    done = client.post(f"{club}/acts", json=act, headers=house.club_key).get_json()
    undone = client.post(f"{club}/acts/{done['audit_id']}/undo", headers=house.club_key).get_json()

    assert len(row["waits_for"]) == 1
    assert [effect["game_id"] for effect in done["effects"]] == [house.game.id]
    assert undone == {"count": 1, "left": 0}


def test_a_running_game_gives_no_seed(house: House, client: FlaskClient) -> None:
    """Spectators get commitment, view and a redacted record; nothing to verify before the end."""
    shown = client.get(f"/api/v1/games/{house.game.slug}").get_json()
    record = client.get(f"/api/v1/games/{house.game.slug}/record").get_json()["record"]

    assert shown["seed"] == ""
    assert len(shown["commitment"]) == 64
    assert house.game.seed not in record
    assert client.get(f"/api/v1/games/{house.game.slug}/verify").status_code == 404


def test_one_key_for_all_that_is_ones_own(house: House, client: FlaskClient) -> None:
    """A person's key opens their seats, queue, settings and clubs; a seat's or club's key opens none of that."""
    own = house.own_key
    opened = ("/me", "/me/queue", "/me/settings", "/me/keys", f"/seats/{house.seat}", f"/clubs/{house.club.id}")
    closed = (f"/seats/{house.other}", "/clubs/999", "/clubs/999/members")

    assert {path: client.get(f"/api/v1{path}", headers=own).status_code for path in opened} == dict.fromkeys(
        opened, 200
    )
    assert {path: client.get(f"/api/v1{path}", headers=own).status_code for path in closed} == dict.fromkeys(
        closed, 404
    )
    for key in (house.seat_key, house.club_key):
        assert [client.get(f"/api/v1{path}", headers=key).status_code for path in opened[:4]] == [404] * 4


def test_a_player_is_no_organiser(house: House, client: FlaskClient, db: SQLAlchemy) -> None:
    """A member's own key shows the club; its control room, its administration pages and its acts don't exist for it."""
    session = db.session()
    session.add(Member(club_id=house.club.id, player_id=house.bob.id, role="player", joined_at=START))
    key = _bearer(api_keys.issue_for_person(session, START, house.bob.id, "bob's"))
    session.commit()
    club = f"/api/v1/clubs/{house.club.id}"
    act = {"act": "pause", "games": [house.game.id]}

    assert client.get(f"{club}/members", headers=key).status_code == 200
    assert client.get(f"{club}/games", headers=key).status_code == 404
    assert client.get(f"{club}/games/{house.game.slug}", headers=key).status_code == 404
    assert client.post(f"{club}/acts", json=act, headers=key).status_code == 404
    assert client.get(f"{club}/hooks", headers=key).status_code == 404


def test_settings_through_the_api(house: House, client: FlaskClient) -> None:
    """What is read can be changed and written back; a wrong zone is named and changes nothing."""
    found = client.get("/api/v1/me/settings", headers=house.own_key).get_json()
    changed = {**found, "zone": "Europe/Rome", "digest_hour": 7, "rated": False}

    done = client.put("/api/v1/me/settings", json=changed, headers=house.own_key).get_json()
    wrong = client.put("/api/v1/me/settings", json={**changed, "zone": "Nile"}, headers=house.own_key)

    assert done == changed
    assert wrong.status_code == 422
    assert "is no time zone: write it like Europe/Rome" in wrong.get_json()["sentences"][0]
    assert client.get("/api/v1/me/settings", headers=house.own_key).get_json() == changed


ANEW: dict[str, Callable[[Any], dict[str, Any]]] = {
    "/api/v1/me/settings": lambda held: held | {"name": f"{held['name']} too"},
    "/api/v1/clubs/<int:club_id>/settings": lambda held: held | {"name": f"{held['name']} too"},
    "/api/v1/clubs/<int:club_id>/views": lambda held: {"name": f"view {len(held)}"},
    "/api/v1/seats/<int:seat_id>/ladder": lambda held: {"rungs": held["rungs"][1:]},
    "/api/v1/seats/<int:seat_id>/notes": lambda held: {"text": f"{held['text']} and more"},
}
"""By path, what a PUT puts in the place of what GET gave."""


def test_whatever_is_saved_whole_overwrites_nothing_unseen(app: Flask, house: House, client: FlaskClient) -> None:
    """Each PUT of what a GET gives takes its ETag as If-Match, also as a proxy weakens it; no other call does."""
    methods: dict[str, set[str]] = {}
    for rule in app.url_map.iter_rules():
        methods.setdefault(rule.rule, set()).update(rule.methods or ())
    assert {path for path, known in methods.items() if "/api/" in path and {"GET", "PUT"} <= known} == ANEW.keys()
    for path, anew in ANEW.items():
        url, key = re.sub(r"<int:(\w+)>", lambda hole: str(house.holes[hole[1]]), path), house.own_key
        first = client.get(url, headers=key)
        marked = key | {"If-Match": f'"other", W/{first.headers["ETag"]}'}
        done = client.put(url, json=anew(first.get_json()), headers=marked)
        then = client.get(url, headers=key)
        newer = anew(then.get_json())
        late = client.put(url, json=newer, headers=key | {"If-Match": first.headers["ETag"]})
        still = client.get(url, headers=key)
        assert (done.status_code, late.status_code, late.get_json()["error"]) == (200, 412, "Overtaken"), path
        assert (still.data, still.headers["ETag"]) == (then.data, then.headers["ETag"]), path
        assert client.put(url, json=newer, headers=key | {"If-Match": "*"}).status_code == 200, path
        assert client.put(url, json=anew(newer), headers=key).status_code == 200, path
    path, marked = f"/api/v1/seats/{house.seat}/proposals/1", house.own_key | {"If-Match": "*"}
    vote = client.put(path, json={"yes": True}, headers=marked)

    assert "If-Match is for what GET gives with an ETag" in vote.get_json()["sentences"][0]


def test_absences_stop_the_clock(house: House, client: FlaskClient) -> None:
    """Announced, listed, given up again; a time without its zone is refused."""
    away = {"starts": "2030-01-01T00:00:00Z", "ends": "2030-01-05T00:00:00Z", "note": "Nile cruise"}
    path, key = "/api/v1/me/absences", house.own_key

    (row,) = client.post(path, json=away, headers=key).get_json()
    left = client.delete(f"{path}/{row['id']}", headers=key).get_json()
    naive = client.post(path, json={**away, "starts": "2030-01-01T00:00:00"}, headers=key)

    assert (row["note"], left, naive.status_code) == ("Nile cruise", [], 422)


def test_arrangements_of_a_seat(house: House, client: FlaskClient) -> None:
    """The ladder and a vote to end the game: as on the seat's page."""
    path, key = f"/api/v1/seats/{house.seat}", house.seat_key

    ladder = client.put(f"{path}/ladder", json={"rungs": ["pass", "cautious"]}, headers=key).get_json()
    asked = client.post(f"{path}/proposals", json={"kind": "end"}, headers=key).get_json()
    end = {"kind": "end", "reason": "late"}
    proposed = client.post(f"{path}/proposals?sure=yes", json=end, headers=key).get_json()
    (ballot,) = client.get(f"{path}/proposals", headers=key).get_json()

    assert ladder["rungs"] == ["pass", "cautious"]
    assert (proposed["state"], ballot["kind"], ballot["votes"]) == ("open", "end", {"0": True})
    assert asked["error"] == "NeedsYes"
    assert "?sure=yes" in asked["sentences"][1]


def test_a_game_opened_with_waits_of_its_own(house: House, client: FlaskClient, db: SQLAlchemy) -> None:
    """The deadlines are given before; the game keeps the waits."""
    club, key = f"/api/v1/clubs/{house.club.id}/games", house.club_key
    pace = {"cadence": "blitz", "min_wait": 6, "max_wait": 12.5}
    game = {"game": "priestsofra", "players": [str(house.alice.id), "bot:random"], **pace}

    dues = client.post(f"{club}/deadlines", json={**pace, "players": game["players"]}, headers=key).get_json()["dues"]
    opened = client.post(club, json=game, headers=key).get_json()

    cadence = db.session().get_one(Game, opened["game_id"]).cadence
    assert len(dues) == 5
    assert (cadence["hours"], cadence["most"]) == (6, 12.5)


def test_a_call_takes_as_many_seats_as_a_game_can_have(house: House, client: FlaskClient) -> None:
    """Up to ten the game itself says which tables it has, never the shape of the call; more is no call."""
    club, key, many = f"/api/v1/clubs/{house.club.id}", house.club_key, len(COLOURS)
    calls: list[tuple[str, str, Callable[[int], dict[str, Any]]]] = [
        ("/games", "array", lambda seats: {"game": "priestsofra", "players": ["bot:random"] * seats}),
        ("/games/deadlines", "array", lambda seats: {"players": ["bot:random"] * seats}),
        ("/seasons", "int", lambda n: {"name": "Ten", "titles": [{"game": "priestsofra", "seats": n}], "rounds": 1}),
    ]

    def said(path: str, body: dict[str, Any]) -> str:
        return client.post(club + path, json=body, headers=key).get_data(as_text=True)

    game, dues, season = (said(path, body(many)) for path, _, body in calls)
    assert "Priests of Ra is not played by 10. Choose one of these player counts: 2, 3, 4 and 5." in game
    assert len(json.loads(dues)["dues"]) == 5
    assert "Priests of Ra has no tables of 10; there are: 2, 3, 4 and 5." in season
    for path, kind, body in calls:
        assert re.search(rf"`{kind}`[a-z ]* <= {many}\b", said(path, body(many + 1))), path


def test_a_desk_for_programs(house: House, client: FlaskClient) -> None:
    """Pausing for a reason is in the journal that every seat reads; a look at something hidden has no call."""
    admin = f"/api/v1/clubs/{house.club.id}/games/{house.game.slug}"
    act = {"act": "pause", "reason": "holidays"}

    done = client.post(f"{admin}/acts", json=act, headers=house.club_key).get_json()
    (entry,) = client.get(f"/api/v1/seats/{house.seat}/journal", headers=house.seat_key).get_json()
    look = client.post(f"{admin}/acts", json={"act": "look", "seat": 1}, headers=house.club_key)

    assert (done["state"], done["plays"]) == ("paused", True)
    assert (entry["text"], entry["reason"]) == ("Alice paused the game.", "holidays")
    assert look.status_code == 422


def test_spectators_are_as_far_behind_as_on_the_pages(house: House, client: FlaskClient, db: SQLAlchemy) -> None:
    """A game with a delay gives no newer position and no record; one closed to spectators doesn't exist."""
    session = db.session()
    for _ in range(6):
        answer_all(session, START, house.game)
    path, last = f"/api/v1/games/{house.game.slug}", house.game.ply
    house.game.watch_delay = 3
    session.commit()
    delayed = client.get(path).get_json()["ply"]
    newer = [client.get(f"{path}/positions/{ply}").status_code for ply in (last - 3, last - 2)]
    record = client.get(f"{path}/record").status_code
    house.game.watch_delay = -1
    session.commit()

    assert (delayed, newer, record) == (last - 3, [200, 404], 404)
    assert client.get(path).status_code == 404


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("/me/absences", {"starts": "0001-01-01T00:00:00+23:59", "ends": "9999-12-31T23:59:59-23:59"}),
        ("/me/settings", {"name": "a\u0000b"}),
        ("/clubs/{club}/members", {"csv": "a\rb"}),
        ("/clubs/{club}/games/csv", {"csv": '"' + "x" * 200}),
    ],
)
def test_nothing_odd_breaks_a_call(house: House, client: FlaskClient, path: str, body: dict[str, str]) -> None:
    """Days at the ends of time, characters no database keeps, tables that are none: each is refused in a sentence."""
    method = client.put if path.endswith("settings") else client.post
    answer = method("/api/v1" + path.format(club=house.club.id), json=body, headers=house.own_key)

    assert answer.status_code == 422
    assert answer.get_json()["sentences"]


@pytest.mark.parametrize("kind", UNAVAILABLE, ids=lambda kind: kind.__name__)
def test_records_out_of_reach_are_said_in_json(
    house: House, client: FlaskClient, monkeypatch: pytest.MonkeyPatch, kind: type[Exception]
) -> None:
    """Whatever the driver or its pool raises, a program reads a sentence and not a page."""

    def lost(*_: object, **__: object) -> NoReturn:
        raise kind("SELECT", {}, OSError("gone")) if kind is not exc.TimeoutError else kind("pool")

    monkeypatch.setattr("sqlalchemy.orm.Session.execute", lost)
    answer = client.get("/api/v1/me", headers=house.own_key)

    assert answer.status_code == 503
    assert "Try again in a moment" in answer.get_json()["sentences"][0]


@pytest.mark.parametrize(
    "kind", ["application/x-www-form-urlencoded", "multipart/form-data", "text/plain", "application/json", ""]
)
def test_a_body_that_is_no_json(house: House, client: FlaskClient, kind: str) -> None:
    """Whatever a body calls itself, a call that needs JSON refuses it in a sentence."""
    bodies = [
        {"data": text, "content_type": kind} for text in ("name=Ada", "{", "[]", '{"name": "\xe9"}'.encode("latin-1"))
    ]
    for body in bodies if kind else [{}]:
        answer = client.put("/api/v1/me/settings", headers=house.own_key, **body)
        (said,) = answer.get_json()["sentences"]
        assert answer.status_code == 422
        assert said.startswith("The body of this call is no JSON object: send one" if kind else "This call doesn't fit")


def test_the_methods_a_path_knows(house: House, client: FlaskClient) -> None:
    """A method that isn't there is refused with those that are (RFC 9110 15.5.6)."""
    answer = client.patch("/api/v1/me/settings", headers=house.own_key)

    assert answer.status_code == 405
    assert {"GET", "PUT"} <= set(answer.headers["Allow"].split(", "))
    assert answer.get_json()["sentences"] == [
        "This address takes no PATCH; what it takes stands in the header `Allow`."
    ]


def test_what_a_path_takes_is_told_without_a_key(house: House, client: FlaskClient) -> None:
    """OPTIONS (RFC 9110 9.3.7) names the methods; nothing lets a page of another site call with somebody's key."""
    for path in (f"/clubs/{house.club.id}/games", "/me/settings", "/games"):
        answer = client.options(f"/api/v1{path}", headers={"Origin": "https://elsewhere.example"})
        assert (answer.status_code, answer.data) == (200, b""), path
        assert {"GET", "OPTIONS"} <= set(answer.headers["Allow"].split(", "))
        assert not [name for name, _ in answer.headers if name.startswith("Access-Control-")]


def test_every_list_is_given_by_pages(house: House, client: FlaskClient) -> None:
    """One at a time, by the addresses of `Link`, is what is given at once; nothing is cut without saying so."""
    paths = client.get("/api/v1/openapi.json").get_json()["paths"]
    lists = [path for path, methods in paths.items() if _is_list(methods.get("get"))]
    assert all(_offset(paths[path]["get"]) for path in lists)
    long = 0
    for path in lists:
        key = house.seat_key if "/seats/" in path else house.own_key
        filled = {"slug": house.slug, "ply": 0, "first": 0, "last": 9} | house.holes | {"player_id": house.alice.id}
        url = re.sub(r"{(\w+)}", lambda hole: str(filled[hole[1]]), path)  # noqa: B023 - called at once
        whole = client.get(url, headers=key)
        found, way = [], f"{url}?limit=1"
        for _ in whole.get_json() or [None]:
            answer = client.get(way, headers=key)
            found += answer.get_json()
            way = answer.headers.get("Link", "").partition(">")[0].removeprefix("<")
        assert (whole.status_code, "Link" in whole.headers, found, way) == (200, False, whole.get_json(), ""), path
        long += len(found) > 1
    assert long >= 2


def test_strangers_have_nothing_read_that_they_pass_over(
    db: SQLAlchemy, house: House, client: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of the list that needs no key: each of its lines is drawn from a position."""
    GameFactory.create_batch(4, club_id=house.club.id, watch_delay=0)
    db.session.commit()
    read, inner = list[Game](), spectator._watchable

    def watchable(game: Game, snapshot: bytes) -> spectator.Watchable:
        read.append(game)
        return inner(game, snapshot)

    monkeypatch.setattr(spectator, "_watchable", watchable)
    whole = client.get("/api/v1/games").get_json()
    read.clear()
    part = client.get("/api/v1/games?offset=2&limit=1")

    assert part.get_json() == whole[2:3]
    assert "offset=3" in part.headers["Link"]
    assert len(read) == 2  # one more tells that there is more


def test_what_http_refuses_is_said_in_the_callers_language(
    app: Flask, house: House, client: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Not in a library's words: no such address, a body that is too large, a fault of ours."""
    heads = house.own_key | {"Accept-Language": "it"}
    lost = client.get("/api/v1/nowhere", headers=heads)
    much = client.put(
        "/api/v1/me/settings", data=b"{" + b" " * 2_000_000, content_type="application/json", headers=heads
    )

    assert (lost.status_code, lost.get_json()["sentences"][0].partition(":")[0]) == (
        404,
        "Nessuna chiamata ha questo indirizzo",
    )
    assert (much.status_code, much.get_json()["sentences"][0].partition(".")[0]) == (
        413,
        "Si accettano al massimo 2 megabyte",
    )
    monkeypatch.setitem(app.config, "PROPAGATE_EXCEPTIONS", value=False)
    monkeypatch.setattr("pbem.play.seats.preferences.read_settings", lambda *_: 1 // 0)
    broken = client.get("/api/v1/me/settings", headers=heads)
    assert (broken.status_code, broken.get_json()["sentences"][0].partition(",")[0]) == (
        500,
        "Da noi si è rotto qualcosa",
    )


def _is_list(call: dict[str, Any] | None) -> bool:
    """Whether a described call answers with a list."""
    found = call["responses"]["200"]["content"]["application/json"]["schema"] if call else {}
    return str(found.get("$ref")).endswith("List")


def _offset(call: dict[str, Any]) -> bool:
    """Whether a described call takes the place in a list to go on from."""
    return "offset" in {one["name"] for one in call["parameters"]}


@pytest.mark.parametrize("path", ["clubs/none/games?text=%00", "nowhere?text=%00"])
def test_what_leads_nowhere_is_refused_as_json_too(client: FlaskClient, path: str) -> None:
    """A check of every request meets also what is no call: programs are answered as by one."""
    answer = client.get(f"/api/v1/{path}")

    assert (answer.status_code, answer.mimetype) == (422, "application/json")
    assert "NUL" in answer.get_json()["sentences"][0]


@pytest.mark.parametrize("mode", [GenerationMode.POSITIVE, GenerationMode.NEGATIVE])
def test_every_answer_is_described(house: House, app: Flask, mode: GenerationMode) -> None:
    """Whatever is sent, each call answers with a status and a body that its description names; none fails."""
    schema = schemathesis.openapi.from_wsgi("/api/v1/openapi.json", app)
    operations: list[Any] = [result.ok() for result in schema.get_all_operations() if isinstance(result, Ok)]
    if mode is GenerationMode.NEGATIVE:  # any text is a game's public name, so only bodies and numbers can be wrong
        operations = [
            operation
            for operation in operations
            if "{slug}" not in operation.path and ("{" in operation.path or list(operation.body))
        ]

    for operation in sorted(operations, key=_breaks):
        _fuzz(house, operation, mode)

    assert len(operations) >= (70 if mode is GenerationMode.POSITIVE else 45)


def _breaks(operation: Any) -> bool:
    """Whether a call may end what the others need: these come last."""
    path: str = operation.path
    return path.endswith(("/proposals", "/{key_id}"))


def _fuzz(house: House, operation: Any, mode: GenerationMode) -> None:
    """Send made-up calls to our own seat and club, and as ourselves."""
    key = house.seat_key if "/seats/" in operation.path else house.club_key
    if operation.path.startswith("/api/v1/me") or operation.path.endswith(("/me", "/seats", "/entries")):
        key = house.own_key
    own = {**house.holes, "slug": house.season if "/seasons/" in operation.path else house.slug}

    @settings(max_examples=3, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
    @given(case=operation.as_strategy(generation_mode=mode))
    def call(case: Any) -> None:
        if mode is GenerationMode.POSITIVE:
            case.path_parameters = {name: own.get(name, value) for name, value in (case.path_parameters or {}).items()}
        Context().run(case.call_and_validate, headers=key, checks=CHECKS)  # a session of its own, as for real callers

    call()
