"""Practice games: one person against bots, opened by that person, unrated."""

from __future__ import annotations

from datetime import datetime

import msgspec
from sqlalchemy import select
from sqlalchemy.orm import Session

from pbem import budgets
from pbem.engine.core.message import N_
from pbem.engine.registry import rules_of
from pbem.errors import NotOpen, WrongInput
from pbem.play.deadlines.cadence import CADENCES
from pbem.play.seats import opening
from pbem.store.models import OVER, Game, Seat
from pbem.store.queries import common

STRENGTHS = {
    "easy": ("random", N_("Easy: they play whatever is allowed")),
    "fair": ("heuristic", N_("Fair: they know what things are worth")),
    "strong": ("search:0.5", N_("Strong: they try their choices out before they answer")),
}
"""By name: the bot, and what a person is told of it."""
MOST = 5
"""Practice games one person has under way at a time."""
_PACE = msgspec.structs.replace(CADENCES["correspondence"], reminders=())
"""Nobody waits for a practice game, so nobody is reminded."""


def open_practice(session: Session, now: datetime, player_id: int, game: str, strength: str) -> int:
    """Open a game of `player_id` against bots and give the person's seat id; as few play as the game allows.

    Raises InvalidOrder for an unknown game, WrongInput for a strength there isn't, NotOpen for one
    practice game too many.
    """
    if strength not in STRENGTHS:
        raise WrongInput("{word!r} is no strength. There are: {names}.", word=strength, names=tuple(STRENGTHS))
    refuse_too_many(session, player_id)
    meta = rules_of(game).meta
    bots = (opening.SeatPlan(bot=STRENGTHS[strength][0]),) * (meta.seats[0] - 1)
    plan = opening.GamePlan(
        game=meta.name,
        seats=(opening.SeatPlan(player_id=player_id, seated=True), *bots),
        organiser_id=player_id,
        cadence=_PACE,
        practice=True,
    )
    opened = opening.open_game(session, now, plan)
    return session.execute(select(Seat.id).where(Seat.game_id == opened.id, Seat.player_id == player_id)).scalar_one()


def refuse_too_many(session: Session, player_id: int) -> None:
    """Raise NotOpen for who has as many practice games under way as one person may."""
    budgets.lock(session, f"practice:{player_id}")
    under_way = (Seat.player_id == player_id, Seat.game_id == Game.id, Game.practice, Game.state.not_in(OVER))
    if common.count(session, *under_way) >= MOST:
        raise NotOpen("You have {limit} practice games under way: finish or leave one first.", limit=MOST)
