"""Deadlines shown before a game is opened."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from pbem.play.deadlines import absences, cadence
from pbem.play.deadlines.forecast import forecast
from tests.factories import PlayerFactory, hours

if TYPE_CHECKING:
    from datetime import datetime

    from sqlalchemy.orm import Session


def test_it_counts_the_hours_and_days_away_of_those_named(session: Session, now: datetime) -> None:
    """By the bare clock while nobody is named; an absence moves the first deadline, the longest wait holds it."""
    (ada,) = PlayerFactory.create_batch(1)
    absences.announce(session, now, ada.id, now + hours(1), now + timedelta(days=10))
    blitz, held = cadence.read("blitz"), cadence.read("blitz max=36")

    bare = forecast(session, now, blitz)

    assert [due - now for due in bare] == [n * hours(12) for n in range(1, 6)]
    assert forecast(session, now, blitz, [ada.id])[0] > now + timedelta(days=10)
    assert forecast(session, now, held, [ada.id])[0] == now + hours(36)
