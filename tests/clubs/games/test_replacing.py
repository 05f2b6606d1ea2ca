"""An organiser hands a seat over: to whom, in which game, and who may not."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from sqlalchemy import select

from pbem.clubs.games import actions
from pbem.errors import GameOver, NotAllowed, WrongInput
from pbem.play.admin import action_log
from pbem.play.seats import opening
from pbem.store.models import Game, GameState, Invitation, Member, Player, Seat, Sitter
from tests.clubs.conftest import club_game
from tests.factories import PlayerFactory, answer, asked, hours

if TYPE_CHECKING:
    from datetime import datetime

    from sqlalchemy.orm import Session

    from tests.clubs.conftest import Circle


@pytest.fixture
def game(circle: Circle) -> Game:
    """A game of two members that is played."""
    return club_game(circle)


def hand(session: Session, now: datetime, game: Game, who: str, by: Player, seat: int = 0) -> str:
    """What the organiser is told of the act."""
    wish = actions.ActionRequest(act="replace", games=(game.id,), by=by.id, seat=seat, who=who, reason="Rain")
    (effect,) = actions.carry_out(session, now, game.club_id, wish).effects
    return str(effect.says)


def holds(session: Session, game: Game, seat: int = 0) -> tuple[int | None, str]:
    """Who has a seat: the person or the bot."""
    row = session.execute(select(Seat.player_id, Seat.bot).where(Seat.game_id == game.id, Seat.seat == seat)).one()
    return row.player_id, row.bot


@pytest.mark.parametrize("state", [GameState.RUNNING, GameState.PAUSED, GameState.OPEN])
def test_a_seat_goes_to_a_member_or_a_bot(session: Session, now: datetime, circle: Circle, state: GameState) -> None:
    """By name, in a game that is played or waits for its players; to nobody who is no member of its club."""
    if state == GameState.OPEN:
        seats = (opening.SeatPlan(player_id=circle.others[0].id, seated=True), *(opening.SeatPlan(),) * 2)
        plan = opening.GamePlan(game="priestsofra", seats=seats, club_id=circle.club.id, organiser_id=circle.alice.id)
        game, first, second = session.get_one(Game, opening.open_game(session, now, plan).id), 1, 2
    else:
        game, first, second = club_game(circle), 0, 1
        game.state = state
    friend, stranger, former = circle.others[5], PlayerFactory.create(), circle.others[6]
    session.scalars(select(Member).where(Member.player_id == former.id)).one().left_at = now
    session.commit()
    for who in (str(stranger.id), str(former.id), "", "bot", friend.name):
        with pytest.raises(WrongInput, match="Pick somebody of the list"):
            hand(session, now, game, who, circle.alice)

    assert hand(session, now, game, str(friend.id), circle.alice, first) == f"{friend.name} will have the seat."
    offers = session.execute(select(Invitation.seat, Invitation.player_id).where(Invitation.game_id == game.id)).all()
    if state == GameState.OPEN:  # it is kept for them until they say yes
        assert (holds(session, game, first), [tuple(offer) for offer in offers]) == ((None, ""), [(first, friend.id)])
    else:
        assert (holds(session, game, first), offers) == ((friend.id, ""), [])
    assert "will have the seat" in hand(session, now, game, "bot:heuristic", circle.alice, second)
    assert holds(session, game, second) == (None, "heuristic")


def test_who_plays_gives_no_seat_away(session: Session, now: datetime, circle: Circle, game: Game) -> None:
    """Neither their own nor another's, not even as an organiser; nor is anything to be given once the game is over."""
    player, friend = circle.others[0], circle.others[5]
    session.scalars(select(Member).where(Member.player_id == player.id)).one().role = "organiser"
    session.commit()
    for seat in (0, 1):
        with pytest.raises(NotAllowed, match="You play in this game"):
            hand(session, now, game, str(friend.id), player, seat)
    game.state, game.version = GameState.ENDED, game.version + 1
    session.commit()
    with pytest.raises(GameOver):
        hand(session, now, game, str(friend.id), circle.alice)


def test_who_knows_another_seat_takes_none(session: Session, now: datetime, circle: Circle, game: Game) -> None:
    """Who sat in there or gave it an order; for the same seat they may, as may who was only named to sit in later."""
    sat, ordered, later, elsewhere = circle.others[3:7]
    looked, other = PlayerFactory.create(), club_game(circle)
    session.add(Member(club_id=circle.club.id, player_id=looked.id, role="player", joined_at=now))
    action_log.write(session, now, game, "look-view", by=looked.id, seat=1)
    session.add(Sitter(game_id=other.id, seat=1, player_id=elsewhere.id, starts=now, ends=now, ended_at=now))
    there = asked(session, other)[0].seat
    answer(session, now, other, there, "draw", source="sitter", player_id=elsewhere.id)
    for player, starts in ((sat, now), (later, now + hours(1))):
        row = Sitter(game_id=game.id, seat=1, player_id=player.id, starts=starts, ends=now + hours(9))
        session.add(row)
        row.ended_at = now
    seat = asked(session, game)[0].seat
    answer(session, now, game, seat, "draw", source="sitter", player_id=ordered.id)
    session.commit()
    knows = {sat: 1, ordered: seat}
    for player, of in knows.items():
        with pytest.raises(WrongInput, match="has played for another seat of this game and knows it"):
            hand(session, now, game, str(player.id), circle.alice, 1 - of)
    with pytest.raises(WrongInput, match="has looked at something hidden of the game"):
        hand(session, now, game, str(looked.id), circle.alice)
    for player, of in (*knows.items(), (later, 0), (elsewhere, 0), (elsewhere, 1)):
        with session.begin_nested() as tried:
            hand(session, now, game, str(player.id), circle.alice, of)
            assert holds(session, game, of) == (player.id, "")
            tried.rollback()
