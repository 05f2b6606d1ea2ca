"""Calls sent twice, as a program does whose first answer was lost: each acts once, by its mark or by what it is."""

from __future__ import annotations

import re
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest
from sqlalchemy import func, select

from pbem.capabilities import api_keys, forms
from pbem.clubs.integrations import webhooks
from pbem.clubs.members import members
from pbem.extensions import db as tables
from pbem.play.views import seat_view
from pbem.store.models import Invitation, Season
from tests import trusted
from tests.conftest import apart
from tests.factories import START, seat_of
from tests.servers import connect, lock_waiters, until
from tests.web.club_house import House

if TYPE_CHECKING:
    from collections.abc import Callable

    from flask import Flask
    from flask.testing import FlaskClient
    from flask_sqlalchemy import SQLAlchemy

    from tests.conftest import Clock


class Scene(NamedTuple):
    """A club with whatever there is to act on, and keys for all that is Alice's, and Bob's."""

    house: House
    holes: dict[str, Any]
    """By path, or by name, what its addresses are filled with."""
    key: dict[str, str]
    bobs: dict[str, str]


@pytest.fixture
def scene(app: Flask, db: SQLAlchemy, client: FlaskClient, clock: Clock) -> Scene:  # noqa: ARG001 - the client sets requests apart, the clock stands still
    """The club."""
    return set_scene(app, db)


def set_scene(app: Flask, db: SQLAlchemy) -> Scene:
    """A club with a game under way, one that waits for players, a season, a webhook and an invitation."""
    house = House(app, db)
    session, club, alice = house.session, house.club.id, house.people["Alice"].id
    house.club.settings = {"contact": "organisers@nile.example"}
    game, waiting, season = house.game(title="One"), house.open_game(), house.season(begun=False)
    with trusted.by_tests():
        webhooks.add(session, START, club, alice, "raw", "https://203.0.113.7/hook")
    members.invite(session, START, club, alice, members.read_guests("ada@nile.example, Ada"))
    keys = [api_keys.issue_for_person(session, START, house.people[name].id, "script") for name in ("Alice", "Bob")]
    session.commit()
    (hook,) = webhooks.hooks_of(session, club)
    guest, place = (
        session.scalars(select(Invitation.id).where(Invitation.game_id.is_not(None) == is_game)).one()
        for is_game in (False, True)
    )
    asked = seat_view.situation(session, START, seat_of(session, game, 0).id).asked
    assert asked is not None
    holes = {
        "club_id": club,
        "seat_id": seat_of(session, game, 0).id,
        "player_id": house.people["Bob"].id,
        "hook_id": hook.id,
        "invitation_id": guest,
        "/me/invitations/": place,
        "ply": asked.ply,
        "slug": game.slug,
        "games": [game.id],
        "/seats": waiting.slug,
        "/seasons/": season.slug,
    }
    return Scene(house, holes, *({"Authorization": f"Bearer {text}"} for text in keys))


MARKED: dict[str, dict[str, Any]] = {
    "/clubs/<int:club_id>/members": {"csv": "ben@nile.example, Ben"},
    "/clubs/<int:club_id>/announcements": {"title": "News", "text": "All is well."},
    "/clubs/<int:club_id>/invitations/<int:invitation_id>": {},
    "/clubs/<int:club_id>/games": {"game": "priestsofra", "players": ["bot:random", "bot:random"]},
    "/clubs/<int:club_id>/games/csv": {"csv": "Two,priestsofra,club,,bot:random,bot:random"},
    "/clubs/<int:club_id>/games/<slug>/acts": {"act": "extend", "hours": 24, "reason": "a holiday"},
    "/clubs/<int:club_id>/acts": {"act": "extend", "hours": 24, "games": [], "reason": "a holiday"},
    "/clubs/<int:club_id>/seasons": {"name": "Autumn", "titles": [{"game": "priestsofra", "seats": 2}]},
    "/clubs/<int:club_id>/hooks/<int:hook_id>/test": {},
    "/clubs/<int:club_id>/hooks/<int:hook_id>/retry": {},
    "/seats/<int:seat_id>/talk": {"text": "Hello."},
    "/seats/<int:seat_id>/proposals": {"kind": "end"},
}
"""By path, a body for each call that acts as often as it is sent: these take a mark."""
ALIKE: dict[str, tuple[dict[str, Any], str]] = {
    "/clubs/<int:club_id>/games/<slug>/seats": ({}, "who has a seat there keeps it"),
    "/clubs/<int:club_id>/games/deadlines": ({"cadence": "club"}, "nothing is stored"),
    "/clubs/<int:club_id>/acts/<int:audit_id>/undo": ({}, "an act is taken back once"),
    "/clubs/<int:club_id>/seasons/<slug>/entries": ({}, "who takes part takes part"),
    "/clubs/<int:club_id>/seasons/<slug>/entries/<int:player_id>": ({}, "who takes part takes part"),
    "/clubs/<int:club_id>/seasons/<slug>/start": ({}, "a season starts once"),
    "/clubs/<int:club_id>/seasons/<slug>/finish": ({}, "a season ends once"),
    "/me/absences": ({"starts": "2030-01-01T00:00:00Z", "ends": "2030-01-05T00:00:00Z"}, "days are announced once"),
    "/me/invitations/<int:invitation_id>": ({"accept": True}, "an invitation is answered once"),
    "/seats/<int:seat_id>/orders": (
        {"text": "draw", "ply": 0, "request": "mine"},
        "gives the same receipt by its own mark",
    ),
    "/seats/<int:seat_id>/preview": ({"text": "draw"}, "nothing is stored"),
    "/seats/<int:seat_id>/standing": ({"text": "pass"}, "stands in the place of the same one"),
    "/seats/<int:seat_id>/standing/trial": ({"text": "pass"}, "nothing is stored"),
    "/seats/<int:seat_id>/take-back": ({"ply": 0}, "names the step that is meant"),
}
"""By path, a body and why the second is harmless."""


def test_every_call_that_is_posted_takes_a_mark_or_needs_none(client: FlaskClient, app: Flask) -> None:
    """Those whose description has it are those that act as often as they are sent."""
    posted = {
        str(rule)[7:]
        for rule in app.url_map.iter_rules()
        if str(rule).startswith("/api/v1/") and "POST" in (rule.methods or ())
    }
    found = client.get("/api/v1/openapi.json").get_json()
    shapes = found["components"]["schemas"]
    marked = set()
    for path, methods in found["paths"].items():
        if body := methods.get("post", {}).get("requestBody"):
            name = body["content"]["application/json"]["schema"]["$ref"].rpartition("/")[2]
            if "carried out once" in shapes[name]["properties"].get("request", {}).get("description", ""):
                marked.add(path)
    assert posted == MARKED.keys() | ALIKE.keys()
    assert not MARKED.keys() & ALIKE.keys()
    assert marked == {"/api/v1" + re.sub(r"<(?:int:)?(\w+)>", r"{\1}", path) for path in MARKED}


def sender(scene: Scene, client: FlaskClient) -> Callable[..., Any]:
    """What sends a body to a path of the scene."""

    def send(path: str, body: dict[str, Any]) -> Any:
        found = [value for part, value in scene.holes.items() if part[0] == "/" and part in path]
        here = scene.holes | dict.fromkeys(("slug", "invitation_id"), found[0]) if found else scene.holes
        url = re.sub(r"<(?:int:)?(\w+)>", lambda hole: str(here[hole[1]]), path)
        body = {name: scene.holes.get(name, value) for name, value in body.items()}
        key = scene.bobs if path.startswith("/me/") else scene.key
        return client.post(f"/api/v1{url}?sure=yes", json=body or None, headers=key)

    return send


def rows(scene: Scene) -> dict[str, int]:
    """How many rows each table has, of those that haven't ended."""
    scene.house.session.rollback()
    found = {}
    for name, table in tables.metadata.tables.items():
        counted = select(func.count()).select_from(table)
        if "ended_at" in table.c:
            counted = counted.where(table.c.ended_at.is_(None))
        found[name] = scene.house.session.execute(counted).scalar_one()
    return found


def test_a_marked_call_is_carried_out_once(scene: Scene, client: FlaskClient, clock: Clock) -> None:
    """Sent again it is refused as done, and adds nothing; with another mark it is another one."""
    send = sender(scene, client)
    for path, body in MARKED.items():
        first = send(path, body | {"request": "one"})
        made = rows(scene)
        again = send(path, body | {"request": "one"})
        assert first.status_code == 200, first.text
        assert (again.status_code, again.get_json()["error"]) == (409, "Repeated"), path
        assert again.get_json()["sentences"] == [
            "This call was carried out when it was first sent with this mark: see what came of it by GET."
        ]
        assert rows(scene) == made, path
        clock.move(seconds=1)
        assert send(path, body | {"request": "two"}).get_json().get("error") != "Repeated", path


def test_of_two_calls_with_one_mark_at_once_one_is_carried_out(
    pg_app: Flask,
    pg_url: str,
    clock: Clock,  # noqa: ARG001 - it stands still
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The second comes before the first is done: it is refused as it would be afterwards, whatever stands then."""
    noted, second = forms.note, list[Future[Any]]()

    def note(*given: Any) -> None:
        noted(*given)
        if not second:
            second.append(pool.submit(sender(scene, pg_app.test_client()), path, body))
            until(lambda: second[0].done() or lock_waiters(onlooker), "the second to wait or to be done")

    monkeypatch.setattr(forms, "note", note)
    with pg_app.app_context():
        apart(pg_app)
        scene = set_scene(pg_app, tables)
        scene.house.session.rollback()
    found = {}
    with ThreadPoolExecutor(2) as pool, connect(pg_url) as onlooker:
        for path, wish in MARKED.items():
            second.clear()
            body = wish | {"request": "one"}
            first = pool.submit(sender(scene, pg_app.test_client()), path, body).result()
            again = second[0].result()
            found[path] = (first.status_code, again.status_code, again.get_json().get("error"))

    assert found == dict.fromkeys(MARKED, (200, 409, "Repeated"))


def test_a_call_without_a_mark_adds_nothing_when_it_is_sent_again(scene: Scene, client: FlaskClient) -> None:
    """Whether it is answered as before or refused, there is nothing more than after the first."""
    send = sender(scene, client)
    done = send("/clubs/<int:club_id>/acts", {"act": "pause", "games": []}).get_json()
    scene.holes["audit_id"] = done["audit_id"]
    for path, (body, why) in ALIKE.items():
        first = send(path, body)
        made = rows(scene)
        send(path, body)
        assert first.status_code == (422 if path.endswith("/take-back") else 200), first.text  # there is nothing
        assert rows(scene) == made, (path, why)


def test_a_refused_call_may_be_sent_again_with_its_mark(scene: Scene, client: FlaskClient) -> None:
    """What wants a yes first isn't taken for done, nor another text, nor another program's mark."""
    path, mark = f"/api/v1/seats/{scene.holes['seat_id']}", {"request": "one"}
    other = api_keys.issue_for_seat(
        scene.house.session, START, scene.house.people["Alice"].id, scene.holes["seat_id"], "other"
    )
    scene.house.session.commit()

    def say(body: dict[str, str], head: dict[str, str], call: str = "talk") -> int:
        return client.post(f"{path}/{call}", json=body | mark, headers=head).status_code

    ends = [say({"kind": "end"}, scene.key, f"proposals{sure}") for sure in ("", "?sure=yes", "?sure=yes")]
    said = [say({"text": text}, scene.key) for text in ("Hello.", "Well?", "Hello.")]
    assert (ends, said) == ([422, 200, 409], [200, 200, 409])
    assert say({"text": "Hello."}, {"Authorization": f"Bearer {other}"}) == 200
    assert scene.house.session.scalars(select(Season.state)).all() == ["open"]
