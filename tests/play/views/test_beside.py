"""What is read of a game or a seat is its own, whoever plays beside: the same people elsewhere, others at the table."""

from __future__ import annotations

from typing import TYPE_CHECKING
from unittest.mock import Mock

import pytest
from sqlalchemy import select

from pbem.budgets import Budget
from pbem.errors import WrongInput
from pbem.play.seats import talk
from pbem.play.views import headings, look_back, seat_view, spectator
from pbem.store.models import GameState, Member, StoredOrder, StoredPly
from pbem.store.queries import common
from tests.factories import ClubFactory, GameFactory, PlayerFactory, hours, in_a_club, seat_of

if TYPE_CHECKING:
    from datetime import datetime

    from sqlalchemy.orm import Session


def test_another_game_changes_nothing_that_is_read(session: Session, now: datetime) -> None:
    """Its rounds, orders, drafts and heading, and what each seat has sent."""
    game = GameFactory(now=now, plays=6)
    in_a_club(session, game)
    over, ply = Mock(id=game.id, state=GameState.FINISHED), game.ply + 1

    def read() -> list[object]:
        headings._known.clear()
        sent = [seat_view.orders_of(session, game.id, number, ply) for number in range(3)]
        resolved = [spectator.orders_of(session, over, number) for number in range(ply)]
        stands = headings.headings(session, game.club_id or 0)
        return [
            sent,
            resolved,
            stands,
            look_back.rounds(session, game.id, game.ply),
            common.drafts(session, game.id, ply),
        ]

    alone, other = read(), GameFactory(game="egizia", now=now, plays=9)
    while other.ply < game.ply:
        other = GameFactory(game="egizia", now=now, plays=2 * other.ply)
    for number in range(3):
        said = {"text": "pass", "canonical": "pass", "source": "web", "created_at": now, "kind": "draft"}
        player = seat_of(session, other, number).player_id
        session.add(StoredOrder(game_id=other.id, ply=ply, seat=number, player_id=player, **said))
    assert read() == alone

    stored = session.scalars(select(StoredPly).where(StoredPly.game_id == other.id)).all()
    over.id = other.id
    assert all(
        spectator.orders_of(session, over, row.ply) == {int(n): o for n, o in row.orders.items()} for row in stored
    )
    session.add(StoredOrder(game_id=game.id, ply=ply, seat=1, **said))
    assert [len(orders) for orders in read()[0]] == [0, 1, 0]  # type: ignore[attr-defined]  # the first of a list


def test_who_plays_elsewhere_plays_there_alone(session: Session, now: datetime) -> None:
    """Their seat here is the one they have here; who has none here plays nothing."""
    alice, bob, carl = PlayerFactory.create_batch(3)
    other, game = (GameFactory(now=now, people=people) for people in ((alice, carl), (bob, alice)))
    seen = Mock(game=game, players=[Mock(player_id=one.id) for one in (bob, alice)])

    assert spectator.own_seat(session, seen, {alice.id}) == seat_of(session, game, 1).id
    assert [spectator._plays(session, at, {carl.id}) for at in (other, game)] == [True, False]


def test_everybody_at_a_table_may_say_as_much(session: Session, now: datetime, monkeypatch: pytest.MonkeyPatch) -> None:
    """What others say uses nobody's hour up."""
    monkeypatch.setattr(talk, "SAID", Budget(1, hours(1)))
    game = GameFactory(now=now)
    for number in (0, 1):
        seat_id = seat_of(session, game, number).id
        talk.say(session, now, seat_id, "Hello")
        with pytest.raises(WrongInput, match="You have said 1 things in an hour"):
            talk.say(session, now, seat_id, "Hello again")


def test_only_a_games_own_organisers_are_told(session: Session, now: datetime) -> None:
    """Those of its club, where it has none of its own."""
    ours, theirs = PlayerFactory.create_batch(2)
    game = GameFactory(now=now, organiser_id=None)
    in_a_club(session, game)
    for club_id, who in ((ClubFactory.create().id, theirs), (game.club_id, ours)):
        session.add(Member(club_id=club_id, player_id=who.id, role="organiser", joined_at=now))

    assert common.organisers_about(session, game) == [ours]
