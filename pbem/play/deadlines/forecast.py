"""The deadlines a game would have, for those who choose its pace: from the hours of the people named so far."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime

from sqlalchemy import select
from sqlalchemy.orm import Session

from pbem.play.deadlines import cadence as deadlines
from pbem.store.models import Player
from pbem.store.queries import common
from pbem.waking_hours import person_of


def forecast(
    session: Session, now: datetime, cadence: deadlines.Cadence, player_ids: Collection[int] = ()
) -> tuple[datetime, ...]:
    """Return the next deadlines if everybody answers in the last minute; by the bare clock while nobody is named.

    Absences that are announced count; what is left of a bank doesn't, since nobody has touched it yet.
    """
    players = session.scalars(select(Player).where(Player.id.in_(player_ids))).all() if player_ids else []
    absent = common.absences_of(session, players, now)
    return deadlines.preview(cadence, [person_of(player, absent.get(player.id, ())) for player in players], now)
