"""Positions are worked out once and kept, each for one seat alone."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

import msgspec
import pytest
from sqlalchemy import event

from pbem.engine.registry import rules_of
from pbem.errors import NotSeated
from pbem.play.views import positions, seat_view
from tests import factories
from tests.factories import GameFactory, seat_of

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime

    from sqlalchemy.orm import Session

    from pbem.store.models import Game


@contextmanager
def statements(session: Session) -> Iterator[list[str]]:
    """What is asked of the database meanwhile."""
    asked: list[str] = []

    def note(_connection: object, _cursor: object, statement: str, *_: object) -> None:
        asked.append(statement)

    engine = session.get_bind()
    event.listen(engine, "before_cursor_execute", note)
    try:
        yield asked
    finally:
        event.remove(engine, "before_cursor_execute", note)


@pytest.fixture
def game(session: Session, now: datetime) -> Game:
    """Amun-Re, three persons, some plies old."""
    made: Game = GameFactory(game="amunre", people=3, bots=(), now=now, seed="kept", plays=5)
    session.flush()
    return made


def test_who_comes_back_is_answered_from_memory(session: Session, now: datetime, game: Game) -> None:
    """The second look at a ply reads no ply again, and sees the same."""
    seat_id = seat_of(session, game, 0).id
    first = seat_view.situation(session, now, seat_id)
    with statements(session) as asked:
        again = seat_view.situation(session, now, seat_id)

    assert msgspec.json.encode(again) == msgspec.json.encode(first)
    assert len(asked) == 1


def test_a_kept_position_is_its_seats_own(session: Session, now: datetime, game: Game) -> None:
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
    """What was kept of the ply before is not shown in its place, and can still be looked at."""
    seat_id = seat_of(session, game, 0).id
    before = seat_view.situation(session, now, seat_id)
    factories.answer_all(session, now, game)
    after = seat_view.situation(session, now, seat_id)

    assert after.ply > before.ply
    assert after.view != before.view
    assert seat_view.situation(session, now, seat_id, before.ply).view == before.view


def test_what_is_kept_is_bounded(session: Session, now: datetime, game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    """The position looked at longest ago goes first; a ply that isn't there is never kept."""
    monkeypatch.setattr(positions, "KEPT", 2)
    seats = [seat_of(session, game, number).id for number in range(3)]
    for seat_id in seats:
        seat_view.situation(session, now, seat_id)
    with statements(session) as asked:
        seat_view.situation(session, now, seats[2])
        seat_view.situation(session, now, seats[0])
    with pytest.raises(NotSeated):
        seat_view.situation(session, now, seats[0], game.ply + 1)

    assert sum("plies.events" in statement for statement in asked) == 1
