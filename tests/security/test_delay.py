"""Spectators' delay: two games that differ only in what came within it are the same to everybody outside their club."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

import pytest

from pbem.capabilities.tokens import CALENDAR, RESULTS, tokens
from pbem.clubs.integrations import webhooks
from pbem.clubs.members import club_settings
from pbem.play.turns.advance import advance
from pbem.play.views.spectator import CLOSED
from pbem.store.models import Game, HookCall, Member, Player
from tests.factories import START, ClubFactory, GameFactory, PlayerFactory, answer, asked, hours, some_order, state

if TYPE_CHECKING:
    from flask import Flask
    from flask.testing import FlaskClient
    from flask_sqlalchemy import SQLAlchemy
    from sqlalchemy.orm import Session

    from tests.conftest import Clock

OPENING = 8
"""Decisions that both games have in common."""
DOORS = {
    *("public.watch", "public.position", "public.record", "public.verify", "public.keepsake", "score.of_watched"),
    *("analysis.of_finished", "results.show", "results.picture", "results.pixels"),
    *("api.game", "api.past", "api.record", "api.verify"),
}
"""Everything that is looked at by a game's public name."""


class Twins(NamedTuple):
    """Two games of one club, alike up to where spectators are."""

    first: Game
    second: Game
    seen: int
    """The newest ply that spectators may see."""


def go_on(session: Session, game: Game, pick: int) -> None:
    """Answer what is asked with one of many legal orders."""
    for decision in asked(session, game):
        assert answer(session, START, game, decision.seat, some_order(session, game, decision.seat, pick)).accepted
    advance(session, START, game.id)
    session.commit()
    session.refresh(game)


@pytest.fixture(params=["priestsofra", "amunre", "egizia"])
def twins(db: SQLAlchemy, clock: Clock, request: pytest.FixtureRequest) -> Twins:  # noqa: ARG001 - the clock stands still
    """Both were dealt and played alike, and then otherwise."""
    session, people = db.session(), PlayerFactory.create_batch(3)
    club = ClubFactory.create()
    session.add_all(Member(club_id=club.id, player_id=one.id, role="organiser", joined_at=START) for one in people)
    session.commit()
    webhooks_of = {"club_id": club.id, "organiser_id": people[0].id, "title": "Nile", "bots": ()}
    games = [GameFactory(game=request.param, people=people, plays=OPENING, **webhooks_of) for _ in "ab"]
    seen = games[0].ply
    for game, picks in zip(games, (range(6), range(20, 26)), strict=True):
        for pick in picks:
            go_on(session, game, pick)
    while (least := min(games, key=lambda game: game.ply)).ply < max(game.ply for game in games):
        go_on(session, least, 3)
    first, second = games
    assert (first.ply, first.state) == (second.ply, second.state)
    assert state(session, first) != state(session, second)
    club_settings.open_to(session, START, club.id, people[0].id, first.ply - seen)
    session.commit()
    return Twins(first, second, seen)


def shown(client: FlaskClient, path: str, game: Game) -> tuple[int, str]:
    """A door's status and what it shows, with nothing of which of the two games it is."""
    answer_to = client.get(path)
    text = re.sub(r'name="(csrf_token|request)" value="[^"]*"', "", answer_to.text)
    return answer_to.status_code, text.replace(game.slug, "SLUG").replace(game.commitment, "COMMITMENT")


def doors(app: Flask, game: Game, plies: tuple[int, ...]) -> list[str]:
    """Every address under a game's public name."""
    found = []
    for rule in app.url_map.iter_rules():
        if rule.endpoint in DOORS and "code" not in rule.arguments:
            for ply in plies if "ply" in rule.arguments else plies[:1]:
                _, path = rule.build({"slug": game.slug} | ({"ply": ply} if "ply" in rule.arguments else {})) or (
                    "",
                    "",
                )
                found.append(path)
    return found


def test_every_door_of_a_games_public_name_is_listed(app: Flask) -> None:
    """A new one is looked at here too."""
    rules = [rule for rule in app.url_map.iter_rules() if "GET" in (rule.methods or ())]
    public = [rule for rule in rules if rule.rule.startswith(("/games/", "/api/v1/games/"))]

    assert {rule.endpoint for rule in public} == DOORS


def test_nobody_outside_learns_what_came_within_the_delay(app: Flask, twins: Twins) -> None:
    """Page, API, picture, keepsake, record, score: the same bytes, of the last position shown, and of none after it."""
    stranger, statuses = app.test_client(), set()
    plies = (twins.seen, 0, twins.seen + 1, twins.first.ply)
    pairs = zip(doors(app, twins.first, plies), doors(app, twins.second, plies), strict=True)
    for one, other in pairs:
        found = shown(stranger, one, twins.first)
        assert found == shown(stranger, other, twins.second), one
        statuses.add(found[0])
        if re.search(rf"/(ply|positions)/({twins.seen + 1}|{twins.first.ply})\b", one):
            assert found[0] == 404, one
    assert statuses == {200, 404}


def test_no_list_or_service_learns_what_came_within_the_delay(
    app: Flask, db: SQLAlchemy, twins: Twins, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The front page, the API's list, signed feeds and what webhooks tell, with either game alone there."""
    session, found = db.session(), []
    club = session.get_one(Member, 1).club_id
    monkeypatch.setattr("pbem.clubs.integrations.webhook_client.checked_url", lambda url: url)
    session.query(Member).update({"role": "organiser"})
    webhooks.add(session, START - hours(1), club, session.get_one(Member, 1).player_id, "raw", "https://hook.example/x")
    session.commit()
    outsider = PlayerFactory()
    session.commit()
    holders = [(one.id, one.epoch, one.feeds) for one in (outsider, session.get_one(Player, twins.first.organiser_id))]
    calendars = [f"/calendar/{tokens().sign(CALENDAR, *holder)}.ics" for holder in holders[:1]]
    subscribed = [*calendars, *(f"/feed/{tokens().sign(RESULTS, *holder, club)}.atom" for holder in holders)]
    for game, other in ((twins.first, twins.second), (twins.second, twins.first)):
        session.rollback()  # the pages before only read
        game.watch_delay, other.watch_delay = twins.first.ply - twins.seen, CLOSED
        session.commit()
        stranger = app.test_client()
        found.append([shown(stranger, path, game) for path in ("/", "/api/v1/games", *subscribed)])
    session.rollback()
    webhooks.collect(session, START)
    session.commit()
    bodies = [row.body for row in session.query(HookCall)]

    assert found[0] == found[1]
    assert [status for status, _ in found[0]] == [200, 200, 200, 404, 200]  # an outsider's feed of the club is none
    assert "SLUG" in found[0][1][1]
    assert len(bodies) == 2
    assert bodies[0] == bodies[1] == {"event": "started", "title": "Nile", "game": twins.first.game}
