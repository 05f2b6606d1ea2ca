"""Refusals of use cases about a seat that the tests of what they do leave out: each in its own words."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from sqlalchemy import delete

from pbem.errors import NotAllowed, NotSeated, WrongInput
from pbem.play.admin.game_admin import AdminAction
from pbem.play.deadlines import fallback
from pbem.play.orders import plans, standing_orders
from pbem.play.seats import proposals, recruitment, sitters
from pbem.play.seats.proposals import ProposalPlan
from pbem.store.models import Game, GameState, Member, Player
from tests.factories import GameFactory, PlayerFactory, hours, in_a_club, seat_of

if TYPE_CHECKING:
    from datetime import datetime

    from sqlalchemy.orm import Session

REWIND = ProposalPlan(kind="rewind", to_ply=0, reason="A slip.")


@pytest.fixture
def game(now: datetime) -> Game:
    """Two persons in the middle of a game."""
    made: Game = GameFactory.create(now=now, plays=3)
    return made


def waiting(session: Session, now: datetime) -> Game:
    """A game whose second seat is free."""
    game: Game = GameFactory.create(now=now)
    seat_of(session, game, 1).player_id = None
    game.ply, game.state = -1, GameState.OPEN
    session.flush()
    return game


def by(session: Session, now: datetime, game: Game) -> AdminAction:
    """What its organiser does."""
    return AdminAction(now=now, game=game, by=session.get_one(Player, game.organiser_id))


def test_only_a_game_that_is_played_is_voted_on_and_once_at_a_time(session: Session, now: datetime, game: Game) -> None:
    """A second proposal waits for the first; one of another kind would not."""
    player = seat_of(session, game, 0).player_id or 0
    proposals.propose(session, now, game.id, player, REWIND)
    with pytest.raises(NotAllowed, match="There is a proposal to vote on already; wait for its end"):
        proposals.propose(session, now, game.id, player, REWIND)
    game.state = GameState.FINISHED
    with pytest.raises(NotAllowed, match="This game is not being played, so there is nothing to agree on"):
        proposals.propose(session, now, game.id, player, REWIND)


def test_a_seat_that_is_not_there_is_given_to_nobody(session: Session, now: datetime) -> None:
    """Neither to a bot nor to a person; and a person has one seat in a game."""
    game = waiting(session, now)
    with pytest.raises(NotSeated):
        recruitment.put(session, by(session, now, game), 7, bot="random")
    with pytest.raises(WrongInput, match="This person has a seat in the game already; name somebody else"):
        recruitment.put(session, by(session, now, game), 1, player_id=seat_of(session, game, 0).player_id or 0)


def test_who_never_answered_sits_in_for_nobody(session: Session, now: datetime, game: Game) -> None:
    """Their address is not proved to be theirs, member or not."""
    friend = PlayerFactory.create(accepted_at=None)
    in_a_club(session, game, friend.id)
    seat = seat_of(session, game, 0)
    with pytest.raises(WrongInput, match="Only somebody who has answered from their address before can sit in"):
        sitters.appoint(session, now, seat.id, friend.id, now, now + hours(48))
    session.execute(delete(Member))
    with pytest.raises(WrongInput, match="Only a member of the game's club can sit in"):
        sitters.appoint(session, now, seat.id, friend.id, now, now + hours(48))


def test_nothing_is_answered_ahead_before_the_game_begins(session: Session, now: datetime) -> None:
    """Standing orders are tried and kept by nobody, and neither is a plan."""
    game = waiting(session, now)
    seat = seat_of(session, game, 0)
    said = (
        standing_orders.trial(session, now, seat.id, "draw"),
        standing_orders.store(session, now, seat.id, "draw"),
        plans.store(session, now, seat.id, "bid", {}),
    )
    assert {fault.text for one in said for fault in one.faults} == {
        "This game has not started, so there is nothing to answer ahead."
    }
    assert [len(one.faults) for one in said] == [1, 1, 1]
    assert standing_orders.listed(session, seat.id) == ()


def test_nobody_arranges_what_happens_at_a_seat_that_is_not_there(session: Session) -> None:
    """It is refused as what nobody has."""
    with pytest.raises(NotSeated):
        fallback.set_ladder(session, 999_999, ["pass"])
