"""Who reads a game by its public name, in each of its states: one table, and every route that takes such a name."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from pbem.play.seats import opening
from pbem.play.views import spectator
from pbem.store.models import GameState
from tests.factories import START, GameFactory, near_the_end, play_to_the_end
from tests.web.club_house import House

if TYPE_CHECKING:
    from flask import Flask
    from flask.testing import FlaskClient
    from flask_sqlalchemy import SQLAlchemy
    from werkzeug.routing import Rule

    from pbem.store.models import Game

PLAYER, MEMBER, STRANGER, PROGRAM = "Alice", "Bob", "Charlie", "a program without a key"
EVERYBODY = {PLAYER, MEMBER, STRANGER, PROGRAM}
READS: dict[str, set[str]] = {
    "open": set(),
    "running": {PLAYER, MEMBER},
    "running, watched": EVERYBODY,
    "over": EVERYBODY,
    "ended": EVERYBODY,
    "practice": set(),
    "practice, over": {PLAYER},
}
"""By state, who reads a game of Alice's in Bob's club; a practice game of hers nobody else ever does."""


@pytest.fixture
def house(app: Flask, db: SQLAlchemy, client: FlaskClient) -> House:  # noqa: ARG001 - the client sets requests apart
    """A club whose members are Alice and Bob."""
    return House(app, db)


def _game(house: House, state: str) -> Game:
    alice, practice = house.people[PLAYER], state.startswith("practice")
    if state == "open":
        seats = (opening.SeatPlan(player_id=alice.id, seated=True), opening.SeatPlan())
        plan = opening.GamePlan(game="priestsofra", seats=seats, club_id=house.club.id, organiser_id=alice.id)
        game = opening.open_game(house.session, START, plan)
    else:
        game = GameFactory.create(
            people=[alice],
            bots=("random",),
            club_id=None if practice else house.club.id,
            practice=practice,
            organiser_id=alice.id,
            watch_delay=0 if state == "running, watched" else spectator.CLOSED,
            here=near_the_end("priestsofra", 2),
        )
    if "over" in state:
        play_to_the_end(house.session, START, game)
    if state == "ended":
        game.state, game.finished_at = GameState.ENDED, START
    house.session.commit()
    return game


def _readable(app: Flask) -> list[Rule]:
    """Every route that shows a game by its public name and nothing else."""
    rules = [rule for rule in app.url_map.iter_rules() if "GET" in (rule.methods or ()) and "slug" in rule.arguments]
    return [rule for rule in rules if rule.rule.removeprefix("/api/v1").startswith("/games/")]


@pytest.mark.parametrize("state", READS)
def test_a_game_is_read_by_whom_its_state_says(app: Flask, house: House, state: str) -> None:
    """No route that takes its name tells anybody else that there is such a game; who may read it reads its page."""
    game = _game(house, state)
    rules, told = _readable(app), set()
    assert len(rules) >= 13
    for rule in rules:
        holes = {"slug": game.slug, "ply": max(game.ply, 0), "code": "none"}
        _, path = rule.build({name: holes[name] for name in rule.arguments}) or ("", "")
        is_call = rule.rule.startswith("/api/")
        for reader in [PROGRAM] if is_call else [PLAYER, MEMBER, STRANGER]:
            client = app.test_client() if is_call else house.browsers[reader].client
            if client.get(path).status_code == 200:
                told.add(reader)
                assert reader in READS[state], (path, reader)

    assert told == READS[state]
