"""Practice games: one person, bots, no ratings, and not too many at once."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from sqlalchemy import select

from pbem.engine.core.errors import InvalidOrder
from pbem.engine.registry import GAMES
from pbem.errors import NotOpen, WrongInput
from pbem.play.deadlines.cadence import CADENCES
from pbem.play.seats import practice
from pbem.store.models import Game, GameState, Seat
from tests.factories import GameFactory, PlayerFactory

if TYPE_CHECKING:
    from datetime import datetime

    from sqlalchemy.orm import Session


@pytest.mark.parametrize("strength", practice.STRENGTHS)
@pytest.mark.parametrize("game", GAMES)
def test_a_practice_game_begins_at_once(session: Session, now: datetime, game: str, strength: str) -> None:
    """The person has a seat, all others are bots of that strength, and it counts for nothing."""
    olga = PlayerFactory()
    seat = session.get_one(Seat, practice.open_practice(session, now, olga.id, game, strength))
    opened = session.get_one(Game, seat.game_id)
    others = session.execute(select(Seat.bot).where(Seat.game_id == opened.id, Seat.id != seat.id)).scalars().all()

    assert (opened.game, opened.state, opened.practice) == (game, GameState.RUNNING, True)
    assert seat.player_id == olga.id
    assert others == [practice.STRENGTHS[strength][0]] * (opened.seats - 1)


def test_no_more_than_a_few_at_a_time(session: Session, now: datetime) -> None:
    """One too many is refused, for that person only; a finished one makes room."""
    olga, otto = PlayerFactory(), PlayerFactory()
    for _ in range(practice.MOST):
        practice.open_practice(session, now, olga.id, "priestsofra", "fair")
    with pytest.raises(NotOpen, match=str(practice.MOST)):
        practice.open_practice(session, now, olga.id, "priestsofra", "fair")
    practice.open_practice(session, now, otto.id, "priestsofra", "fair")
    game = session.execute(select(Game).join(Seat).where(Seat.player_id == olga.id)).scalars().first()
    assert game is not None
    game.state = GameState.FINISHED

    assert practice.open_practice(session, now, olga.id, "priestsofra", "fair")


def test_wrong_wishes_are_refused_by_name(session: Session, now: datetime) -> None:
    """A strength or a title there isn't."""
    olga = PlayerFactory()
    with pytest.raises(WrongInput, match="godlike"):
        practice.open_practice(session, now, olga.id, "priestsofra", "godlike")
    with pytest.raises(InvalidOrder, match="chess"):
        practice.open_practice(session, now, olga.id, "chess", "fair")


def test_a_practice_game_keeps_nobody_waiting(session: Session, now: datetime) -> None:
    """It has as few players as the game allows, no reminders, and its person as organiser."""
    olga = PlayerFactory()
    seat = session.get_one(Seat, practice.open_practice(session, now, olga.id, "amunre", "easy"))
    game = session.get_one(Game, seat.game_id)

    assert (seat.seat, game.seats, game.organiser_id, game.club_id) == (0, 3, olga.id, None)
    assert (game.cadence["reminders"], game.cadence["hours"]) == ([], CADENCES["correspondence"].hours)


def test_only_practice_games_of_ones_own_that_go_on_count(
    session: Session, now: datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither games with others nor those that ended, however they did."""
    olga = PlayerFactory()
    GameFactory.create_batch(practice.MOST, people=[olga])
    for state in GameState:
        seat = session.get_one(Seat, practice.open_practice(session, now, olga.id, "priestsofra", "easy"))
        game = session.get_one(Game, seat.game_id)
        game.state = state
    session.commit()

    going_on = sum(not state.is_over for state in GameState)
    monkeypatch.setattr(practice, "MOST", going_on + 1)
    practice.open_practice(session, now, olga.id, "priestsofra", "easy")
    with pytest.raises(NotOpen, match=f"{going_on + 1} practice games under way: finish or leave one first"):
        practice.refuse_too_many(session, olga.id)
