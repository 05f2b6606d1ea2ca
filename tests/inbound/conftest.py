"""What the tests of mail that comes in share: a game, and the seat in it that is asked."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.factories import asked, one_question, seat_of

if TYPE_CHECKING:
    from sqlalchemy.orm import Session

    from pbem.store.models import Game, Seat


@pytest.fixture
def game(session: Session) -> Game:
    """A game of Priests of Ra of two people and a bot, in which the person of one seat is asked to draw or call."""
    return one_question(session)


@pytest.fixture
def seat(session: Session, game: Game) -> Seat:
    """The seat that is asked."""
    return seat_of(session, game, asked(session, game)[0].seat)
