"""A player's private notes of their seat: shown to nobody else, not to who takes the seat over either."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import bindparam, select
from sqlalchemy.orm import Session

from pbem.capabilities.acts import require_as_opened
from pbem.errors import WrongInput, fitting
from pbem.play.views.game_context import locked_seat
from pbem.store.models import Note, Seat

LONGEST = 4000
"""Characters of a notebook."""


_OWN = (
    select(Note)
    .join(Seat, Seat.holds(Note) & (Seat.player_id == Note.player_id))
    .where(Seat.id == bindparam("seat_id"))
)


def note_of(session: Session, seat_id: int) -> str:
    """Return the notes of a seat; empty where none were written."""
    row = session.scalar(_OWN, {"seat_id": seat_id})
    return row.text if row else ""


def add(session: Session, now: datetime, seat_id: int, text: str) -> str:
    """Write below what stands in the notes of a seat; gives all of it. Raises NotSeated, or WrongInput without room."""
    _, seat = locked_seat(session, seat_id)
    both = f"{note_of(session, seat_id)}\n{text}".strip()
    if len(both) > LONGEST:
        raise WrongInput("Your notes hold {limit} characters and have no room for this line.", limit=LONGEST)
    return _keep(session, now, seat, both)


def keep(session: Session, now: datetime, seat_id: int, text: str) -> str:
    """Replace the notes of a seat; gives what is kept. Raises NotSeated, Overtaken, or WrongInput without room."""
    _, seat = locked_seat(session, seat_id)
    return _keep(session, now, seat, text)


def _keep(session: Session, now: datetime, seat: Seat, text: str) -> str:
    kept = fitting(text.replace("\0", "").replace("\r\n", "\n"), LONGEST)
    row = session.scalar(_OWN, {"seat_id": seat.id})
    before = row.text if row else ""
    if kept == before:
        return kept
    require_as_opened(session, {"text": before}, {"text": kept})  # as programs are given it
    if row is None:
        session.add(Note(game_id=seat.game_id, seat=seat.seat, player_id=seat.player_id, text=kept, updated_at=now))
    else:
        row.text, row.updated_at = kept, now
    session.flush()
    return kept
