"""The differential over people: what is hidden is changed, and whoever must not know it sees the same bytes."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

import pytest

from pbem.capabilities import api_keys, links
from pbem.capabilities.tokens import CALENDAR, RESULTS, tokens
from pbem.clubs.integrations import webhooks
from pbem.extensions import settings
from pbem.letters import context, delivery, writer
from pbem.play.orders import standing_orders
from pbem.play.orders.submission import Submission, submit
from pbem.play.seats import notes, sitters, substitutes, talk
from pbem.store.models import (
    Game,
    HookCall,
    Letter,
    Member,
    Note,
    Player,
    Sitter,
    StoredOrder,
    StoredStandingOrders,
    Talk,
)
from tests.factories import (
    START,
    ClubFactory,
    GameFactory,
    PlayerFactory,
    answer_all,
    asked,
    hours,
    seat_of,
    some_order,
)
from tests.web.conftest import Browser

if TYPE_CHECKING:
    from flask import Flask
    from flask.testing import FlaskClient
    from flask_sqlalchemy import SQLAlchemy
    from sqlalchemy.orm import Session
    from werkzeug.routing import Rule

    from tests.conftest import Clock

PEOPLE = ("alice", "bob", "dora", "alice's sitter", "bob's sitter", "dora's sitter", "emil", "olga")
READERS = ("bob", "bob's sitter", "alice's sitter", "emil", "olga", "a stranger")
"""Who must know none of it: another player and who sits in for them, Alice's own sitter, who will take her seat over,
the organiser, who doesn't play, and a spectator. The private word is Alice's to Dora, the sheet is Dora's."""
MARK = "HIDDENFACT"
SITTERS = ("/seat/1", "/seat/1/decide", "/seat/1/sent/{asked}", "/api/v1/seats/1")
"""Where Alice's sitter sees the answer that counts at present, which they may change."""
LONGEST = 60
"""Decisions until the first offering, and more."""


class Scene(NamedTuple):
    """Amun-Re at its first offering, three people asked in secret, with everything in it that somebody may hide."""

    app: Flask
    session: Session
    game: Game
    people: dict[str, Player]
    keys: dict[str, str]
    browsers: dict[str, FlaskClient]
    seats: tuple[int, ...]
    """The ids of the seats, by their number."""
    asked: int
    """The ply that is asked for."""
    orders: tuple[str, str]
    """Two legal answers of Alice's."""
    drafts: tuple[str, str]
    """Two legal answers of Dora's."""


def secret(session: Session, game: Game) -> bool:
    """Whether all three are asked in secret."""
    found = asked(session, game)
    return len(found) == 3 and all(decision.secret for decision in found)


def legal(session: Session, game: Game, seat: int) -> tuple[str, str]:
    """Two different orders."""
    found = list(dict.fromkeys(some_order(session, game, seat, pick) for pick in range(20)))
    return found[0], found[1]


@pytest.fixture
def scene(app: Flask, db: SQLAlchemy, client: FlaskClient, clock: Clock) -> Scene:  # noqa: ARG001 - requests apart, a standing clock
    """Alice has answered, noted, given orders ahead and said a private word; Dora has a draft and a sheet."""
    session, club = db.session(), ClubFactory.create()
    people: dict[str, Player] = {name: PlayerFactory(name=name.title()) for name in PEOPLE}
    for name, player in people.items():
        role = "organiser" if name == "olga" else "player"
        session.add(Member(club_id=club.id, player_id=player.id, role=role, joined_at=START))
    players = [people[name] for name in ("alice", "bob", "dora")]
    game: Game = GameFactory(game="amunre", people=players, bots=(), club_id=club.id, organiser_id=people["olga"].id)
    for _ in range(LONGEST):
        if secret(session, game):
            break
        answer_all(session, START, game)
    assert secret(session, game)
    alice, bob, dora = (seat_of(session, game, number) for number in range(3))
    for seat, name, sheet in ((alice, "alice", ""), (bob, "bob", ""), (dora, "dora", f"{MARK} 1")):
        sitters.appoint(session, START, seat.id, people[f"{name}'s sitter"].id, START, START + hours(99), sheet)
    notes.keep(session, START, alice.id, f"{MARK} 1")
    talk.say(session, START, alice.id, f"{MARK} 1", to_seat=2)
    orders, drafts = legal(session, game, 0), legal(session, game, 2)
    submit(session, START, Submission(seat_id=alice.id, ply=game.ply + 1, text=orders[0]))
    submit(session, START, Submission(seat_id=dora.id, ply=game.ply + 1, text=drafts[0], draft=True))
    assert not standing_orders.store(session, START, alice.id, "until changed\nask me").faults
    session.commit()
    keys = {name: api_keys.issue_for_person(session, START, player.id, name) for name, player in people.items()}
    session.commit()
    browsers = {name: Browser(app.test_client()) for name in READERS}
    for name in set(READERS) & set(people):
        browsers[name].get(f"/l/{links.player_token(tokens(), people[name].id, people[name].epoch)}")
        browsers[name].prove(people[name].id)
        app.test_client().get("/api/v1/me", headers={"Authorization": f"Bearer {keys[name]}"})
    clients = {name: browser.client for name, browser in browsers.items()}
    seats = alice.id, bob.id, dora.id
    return Scene(app, session, game, people, keys, clients, seats, game.ply + 1, orders, drafts)


def change(scene: Scene, number: int, *, answers: bool = True) -> None:
    """Make every hidden fact the first (0) or the other one (1), with the seats' answers or with what was typed alone.

    Nothing else.
    """
    session, ply = scene.session, scene.asked
    words = f"{MARK} {'is another' if number else 1}"
    for model, column in ((Note, "text"), (Talk, "text"), (Sitter, "handover")):
        assert session.query(model).filter(getattr(model, column).startswith(MARK)).update({column: words})
    for seat, orders in ((0, scene.orders), (2, scene.drafts)):
        rows = session.query(StoredOrder).filter_by(game_id=scene.game.id, ply=ply, seat=seat)
        assert rows.update({"text": orders[number], "canonical": orders[number]} if answers else {"text": words})
    ahead = ("until changed\nask me", "this round\nask me")[number]
    assert session.query(StoredStandingOrders).update({"text": ahead})
    session.query(Game).update({"version": Game.version + 1})
    session.commit()


def paths(scene: Scene, rule: Rule, reader: str) -> list[str]:
    """The addresses of a route, for each seat there, and for the reader and who has something to hide."""
    seats = scene.seats if "seat_id" in rule.arguments else scene.seats[:1]
    people = ("alice", "dora", reader if reader in scene.people else "bob")
    names = people if "player_id" in rule.arguments else people[:1]
    of_club, of_asked = "/club/" in rule.rule, "/sent/" in rule.rule or "/orders/" in rule.rule
    found = []
    for seat_id in seats:
        for name in names:
            holes = {
                "seat_id": seat_id,
                "player_id": scene.people[name].id,
                "ply": scene.asked if of_asked else scene.game.ply,
                "club_id": scene.game.club_id,
                "slug": f"club-{scene.game.club_id}" if of_club else scene.game.slug,
            }
            if rule.arguments <= set(holes):
                found.append((rule.build({name: holes[name] for name in rule.arguments}) or ("", ""))[1])
    return found


def signed(scene: Scene, name: str) -> dict[str, str]:
    """By endpoint, the signed addresses of one person: what their programs subscribe to, without a cookie."""
    player = scene.session.get_one(Player, scene.people[name].id)
    holder = (player.id, player.epoch, player.feeds)
    return {
        "feeds.calendar": f"/calendar/{tokens().sign(CALENDAR, *holder)}.ics",
        "feeds.results_of": f"/feed/{tokens().sign(RESULTS, *holder, scene.game.club_id or 0)}.atom",
    }


OPEN = (
    *(
        "/assets",
        "/static",
        "/healthz",
        "/readyz",
        "/metrics",
        "/favicon",
        "/rules",
        "/learn",
        "/mailbox",
    ),
)
"""Pages and files that are about no game of anybody's."""
UNLIKE = re.compile(r'name="(?:csrf_token|request)" value="[^"]*"|"(?:at|now)": ?"[^"]*"')
"""What is drawn anew for each page."""


def seen(scene: Scene, readers: tuple[str, ...] = READERS) -> dict[str, tuple[int, str]]:
    """Every page and call that anybody can look at, as each reader sees it; and every letter to them."""
    rules = [rule for rule in scene.app.url_map.iter_rules() if "GET" in (rule.methods or ())]
    rules = [rule for rule in rules if not rule.rule.startswith(OPEN)]
    found = {}
    for name in readers:
        browser = scene.browsers[name]
        headers = {"Authorization": f"Bearer {scene.keys[name]}"} if name in scene.people else {}
        for path in [path for rule in rules for path in paths(scene, rule, name)]:
            answer = browser.get(path, headers=headers if path.startswith("/api/") else {})
            found[f"{name} {path}"] = answer.status_code, UNLIKE.sub("", answer.text)
        for endpoint, path in signed(scene, name).items() if name in scene.people else ():
            answer = scene.app.test_client().get(path)
            found[f"{name} {endpoint}"] = answer.status_code, UNLIKE.sub("", answer.text)
    scene.session.rollback()
    return found | letters_to(scene, readers)


def letters_to(scene: Scene, readers: tuple[str, ...]) -> dict[str, tuple[int, str]]:
    """What the letters to the readers say."""
    house, found = delivery.mail_context(settings(), tokens()), {}
    numbers = {player.id for name, player in scene.people.items() if name in readers}
    for letter in scene.session.query(Letter).filter(Letter.player_id.in_(numbers)):
        if (data := context.context(scene.session, START, letter)) is not None:
            said, _ = writer.preview(data, house)
            found[f"letter {letter.id} {letter.kind}"] = 0, said.subject + said.text + said.html
    scene.session.rollback()
    return found


def test_what_is_hidden_changes_nothing_for_anybody_else(
    scene: Scene, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """An answer, a draft, orders ahead, a note, a private word, a sheet: the same pages, calls, letters and news.

    Before and after somebody takes Alice's seat over, whose substitute then learns none of her private things.
    """
    caplog.set_level("DEBUG")
    session = scene.session
    monkeypatch.setattr("pbem.clubs.integrations.webhook_client.checked_url", lambda url: url)
    hook = (scene.game.club_id, scene.people["olga"].id, "raw", "https://hook.example/x")
    webhooks.add(session, START - hours(1), *hook)  # type: ignore[arg-type]  # the game has a club
    session.commit()
    before = seen(scene)
    change(scene, 1)
    after = seen(scene)
    webhooks.collect(session, START)
    session.commit()

    of_feeds = {rule.endpoint for rule in scene.app.url_map.iter_rules() if rule.endpoint.startswith("feeds.")}
    assert of_feeds == set(signed(scene, "bob"))
    assert [before[f"bob {endpoint}"][0] for endpoint in sorted(of_feeds)] == [200, 200]
    differ = {key for key in before if before[key] != after[key]}
    assert differ == {f"alice's sitter {path.format(asked=scene.asked)}" for path in SITTERS}
    assert len([key for key, (status, _) in before.items() if status == 200]) > 200
    assert MARK not in str([row.body for row in session.query(HookCall)])
    assert not {key for key, (_, text) in after.items() if MARK in text}

    substitutes.replace(
        session, START + hours(1), scene.game.id, 0, scene.people["emil"].id, by=scene.people["olga"].id
    )
    session.commit()
    taken = seen(scene, ("emil",))
    change(scene, 0, answers=False)  # the answer that counts stays with the seat, for whoever holds it
    assert seen(scene, ("emil",)) == taken
    assert taken[f"emil /seat/{scene.seats[0]}"][0] == 200
    assert not {key for key, (_, text) in taken.items() if MARK in text}
    assert MARK not in caplog.text
