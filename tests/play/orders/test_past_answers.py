"""What a standing order would have answered to a seat's last questions."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from sqlalchemy import select

from pbem.engine.core.errors import InvalidOrder
from pbem.errors import NotSeated
from pbem.play.orders.past_answers import MOST, past_answers
from pbem.store.models import Game, StoredPly
from tests import built
from tests.factories import GameFactory, answer_all, seat_of

if TYPE_CHECKING:
    from datetime import datetime

    from sqlalchemy.orm import Session

pytestmark = pytest.mark.usefixtures("clock")
TURNS = (["draw"], ["ra"])
"""How the orders of a turn begin."""


@pytest.fixture
def played(session: Session, now: datetime) -> Game:
    """A game of Priests of Ra in which all seats have drawn, called and bid."""

    def play() -> int:
        game: Game = GameFactory(game="priestsofra", people=4, bots=(), seed="past", now=now)
        for _ in range(75):
            answer_all(session, now, game)
        return game.id

    return session.get_one(Game, built.once("past answers", play))


def test_each_question_of_its_kind_is_answered_anew(session: Session, played: Game) -> None:
    """The newest first, at most twenty, with what was ordered then; other kinds and other seats are left out."""
    seat = seat_of(session, played, 0)
    found = past_answers(session, seat.id, "until changed\nfor turn:\nwhen tiles >= 2: ra\ndraw")

    plies = session.execute(select(StoredPly.ply, StoredPly.orders).where(StoredPly.game_id == played.id))
    own = {ply: orders["0"] for ply, orders in plies if orders.get("0", "").split()[:1] in TURNS}

    assert [(one.ply, one.was) for one in found] == sorted(own.items(), reverse=True)[:MOST]
    assert 4 < len(own) <= MOST
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
