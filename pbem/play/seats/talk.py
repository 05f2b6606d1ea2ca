"""Words at the table: said by a seat to everybody or to one other seat, heard only by those."""

from __future__ import annotations

from datetime import datetime, timedelta

from sqlalchemy import and_, or_, select
from sqlalchemy.orm import Session

from pbem import budgets
from pbem.budgets import Budget
from pbem.errors import WrongInput
from pbem.letter_queue import LetterQueue
from pbem.play.views.game_context import seat_of
from pbem.store.models import Seat, Talk
from pbem.store.queries import common
from pbem.structs import Value

LONGEST = 2000
"""Characters of one message."""
SAID = Budget(20, timedelta(hours=1))
"""Messages of one person, at all their tables."""
KEPT = 200
"""Messages shown, the newest."""


class Word(Value):
    """One message as a reader sees it."""

    seat: int | None
    """Who said it; None: the organiser."""
    to_seat: int | None
    """To whom alone; None: everybody."""
    text: str
    at: datetime


def heard(session: Session, seat_id: int, limit: int | None = KEPT) -> tuple[Word, ...]:
    """Return what was said to everybody, to this seat or by it, the newest last.

    Private words belong to who had the seat then: whoever takes it over hears none of them.
    """
    game, seat = seat_of(session, seat_id)
    since = seat.joined_at or game.created_at
    rows = session.scalars(
        select(Talk)
        .where(
            Talk.game_id == seat.game_id,
            or_(
                Talk.to_seat.is_(None),
                and_(Talk.to_seat == seat.seat, Talk.created_at >= since),
                Talk.player_id == seat.player_id,
            ),
        )
        .order_by(Talk.created_at.desc(), Talk.id.desc())
        .limit(limit)
    )
    return tuple(Word(row.seat, row.to_seat, row.text, row.created_at) for row in reversed(rows.all()))


def _refuse_flood(session: Session, now: datetime, seat: Seat) -> None:
    """Raise WrongInput for somebody who says more in an hour than a table reads."""
    budgets.lock(session, f"talk:{seat.player_id}")
    if common.count(session, Talk.player_id == seat.player_id, Talk.created_at > SAID.since(now)) >= SAID.most:
        raise WrongInput("You have said {limit} things in an hour: wait a while.", limit=SAID.most)


def say(session: Session, now: datetime, seat_id: int, text: str, to_seat: int | None = None) -> Word:
    """Say `text` to the table, or to one seat, and write to those who hear it. Raises WrongInput."""
    game, seat = seat_of(session, seat_id)
    kept = text.replace("\0", "").replace("\r\n", "\n").strip()
    if not kept:
        raise WrongInput("The message is empty: write something, or leave it.")
    if len(kept) > LONGEST:
        raise WrongInput(
            "The message has {length} characters; at most {limit} are sent at once.",
            length=len(kept),
            limit=LONGEST,
        )
    if to_seat is not None and (to_seat == seat.seat or not 0 <= to_seat < game.seats):
        raise WrongInput("There is nobody else in that seat: pick one of the list.")
    _refuse_flood(session, now, seat)
    row = Talk(game_id=game.id, seat=seat.seat, player_id=seat.player_id, to_seat=to_seat, text=kept, created_at=now)
    session.add(row)
    session.flush()
    post = LetterQueue(now)
    for other, player in common.seats_of(session, game.id):
        if player is not None and other.seat != seat.seat and to_seat in (None, other.seat):
            post.seat("talk", game, other, player, f"talk:{row.id}", talk=row.id)
    post.send(session)
    return Word(row.seat, row.to_seat, row.text, row.created_at)
