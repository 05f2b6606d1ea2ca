"""Positions: each reader sees their own view of the ply they look at."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec
import pytest

from pbem.engine.registry import rules_of
from pbem.errors import NotSeated
from pbem.play.views import seat_view
from tests import factories
from tests.factories import GameFactory, seat_of

if TYPE_CHECKING:
    from datetime import datetime

    from sqlalchemy.orm import Session

    from pbem.store.models import Game


@pytest.fixture
def game(session: Session, now: datetime) -> Game:
    """Amun-Re, three persons, some plies old."""
    made: Game = GameFactory(game="amunre", people=3, bots=(), now=now, seed="kept", plays=5)
    session.flush()
    return made


def test_a_position_is_its_seats_own(session: Session, now: datetime, game: Game) -> None:
    """Whoever looked before, each seat and each spectator gets their own view and no other's."""
    rules, state = rules_of("amunre"), factories.state(session, game)
    seats = {number: seat_of(session, game, number).id for number in range(3)}
    for _ in range(2):
        found = {number: seat_view.situation(session, now, seat_id) for number, seat_id in seats.items()}
        watched = seat_view.watch(session, now, game.id)

        assert {number: seen.view for number, seen in found.items()} == {n: rules.view(state, n) for n in seats}
        assert watched.view == rules.view(state, None)
        assert all(seen.public == watched.view for seen in found.values())
    assert len({msgspec.json.encode(seen.view) for seen in found.values()}) == len(seats)


def test_a_new_ply_is_seen_at_once(session: Session, now: datetime, game: Game) -> None:
    """The ply before is not shown in its place, and can still be looked at."""
    seat_id = seat_of(session, game, 0).id
    before = seat_view.situation(session, now, seat_id)
    factories.answer_all(session, now, game)
    after = seat_view.situation(session, now, seat_id)

    assert after.ply > before.ply
    assert after.view != before.view
    assert seat_view.situation(session, now, seat_id, before.ply).view == before.view


def test_a_ply_that_is_not_there_is_not_seen(session: Session, now: datetime, game: Game) -> None:
    """Neither one to come nor one before the first: answered as a game that isn't there."""
    for ply in (game.ply + 1, -1):
        with pytest.raises(NotSeated):
            seat_view.situation(session, now, seat_of(session, game, 0).id, ply)
        with pytest.raises(NotSeated):
            seat_view.watch(session, now, game.id, ply)
