from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from sqlalchemy import select

from pbem.clubs.ratings import rating_sweep
from pbem.play.seats import substitutes
from pbem.store.models import RatingStep
from tests.factories import GameFactory, PlayerFactory, near_the_end, play_to_the_end, seat_of

if TYPE_CHECKING:
    from datetime import datetime

    from sqlalchemy.orm import Session

    from pbem.store.models import Game


def test_a_seat_that_changed_hands_is_rated_for_nobody(session: Session, now: datetime) -> None:
    """Neither who left nor who took over: the two who played from the start are measured against each other."""
    here = near_the_end("priestsofra", 3, ("auctions", "in_turn"))
    game: Game = GameFactory(now=now, people=3, bots=(), options={"auctions": "in_turn"}, seed="rated", here=here)
    gone, newcomer, later = seat_of(session, game, 2).player_id, PlayerFactory(), now + timedelta(hours=1)
    substitutes.replace(session, later, game.id, 2, newcomer.id, by=game.organiser_id or 0)
    session.commit()
    play_to_the_end(session, later, game)

    assert rating_sweep.rate_finished(session) == 1
    counted = set(session.execute(select(RatingStep.player_id)).scalars())
    assert counted == {seat_of(session, game, seat).player_id for seat in (0, 1)}
    assert not counted & {gone, newcomer.id}
