"""What a standing order would have answered to a seat's last questions."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from pbem.engine.core.errors import InvalidOrder
from pbem.errors import NotSeated
from pbem.play.orders.past_answers import MOST, past_answers
from tests.factories import GameFactory, answer_all, seat_of

if TYPE_CHECKING:
    from datetime import datetime

    from sqlalchemy.orm import Session

    from pbem.store.models import Game


@pytest.fixture
def played(session: Session, now: datetime) -> Game:
    """A game of Priests of Ra in which both seats have drawn, called and bid."""
    game: Game = GameFactory(game="priestsofra", people=2, bots=(), seed="past", now=now)
    for _ in range(30):
        answer_all(session, now, game)
    return game


def test_each_question_of_its_kind_is_answered_anew(session: Session, played: Game) -> None:
    """The newest first, at most twenty, with what was ordered then; other kinds of questions are left out."""
    seat = seat_of(session, played, 0)
    found = past_answers(session, seat.id, "until changed\nfor turn:\nwhen tiles >= 2: ra\ndraw")

    assert 0 < len(found) <= MOST
    assert [one.ply for one in found] == sorted((one.ply for one in found), reverse=True)
    assert {one.was.split()[0] for one in found} <= {"draw", "ra", "flip"}
    assert {one.would for one in found} <= {"draw", "ra"}


def test_a_question_that_no_line_fits_would_have_been_asked(session: Session, played: Game) -> None:
    """An empty answer stands for that."""
    seat = seat_of(session, played, 0)
    found = past_answers(session, seat.id, "until changed\nfor turn:\nask me")

    assert found
    assert {one.would for one in found} == {""}


def test_what_is_no_standing_order_and_who_has_no_seat_are_refused(session: Session, played: Game) -> None:
    """As everywhere else."""
    with pytest.raises(InvalidOrder):
        past_answers(session, seat_of(session, played, 0).id, "no such order")
    with pytest.raises(NotSeated):
        past_answers(session, 10**6, "ask me")
