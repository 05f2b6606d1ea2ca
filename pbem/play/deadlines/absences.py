"""Days away, announced ahead: the clock stands still for them, within a yearly allowance."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta

from sqlalchemy import ColumnElement, select
from sqlalchemy.orm import Session

from pbem.errors import WrongInput, fitting, nobody, not_listed
from pbem.letter_queue import LetterQueue
from pbem.messages import clean
from pbem.play.deadlines import delivery_clock
from pbem.store.models import UNDERWAY, Absence, Game, Player, Seat
from pbem.store.queries import common
from pbem.waking_hours import union

A_YEAR = timedelta(days=365)
ALLOWED = timedelta(days=60)
"""Days away that stop the clock within any year."""
NOTE = 200
"""Characters of a word to the others."""
LONGEST = timedelta(days=35)
"""Of one absence; a longer one needs a sitter or a substitute."""


def announce(  # noqa: PLR0913, PLR0917 - whose, from, until, why
    session: Session, now: datetime, player_id: int, starts: datetime, ends: datetime, note: str = ""
) -> Absence:
    """Store an absence and move the deadlines it touches; what is announced already is stored once.

    Raises WrongInput naming what can't be.
    """
    if now < ends <= starts:
        raise WrongInput("To ({ends}) lies before From ({starts}): change one.", ends=ends, starts=starts)
    starts = max(starts, now)
    if ends <= starts:
        raise WrongInput("An absence until {ends} is over already: give a day to come.", ends=ends)
    if ends - starts > LONGEST:
        raise WrongInput(
            "{days} days away is too long: at most {limit}. Ask for a sitter or a substitute instead.",
            days=(ends - starts).days,
            limit=LONGEST.days,
        )
    player = common.lock_player(session, player_id)  # two at once would each see the whole allowance
    if player is None:
        raise nobody()
    near = (Absence.ends > starts - A_YEAR, Absence.starts < starts + A_YEAR)
    year = session.scalars(select(Absence).where(Absence.player_id == player_id, *near).order_by(Absence.id)).all()
    if known := next((row for row in year if row.starts <= starts and row.ends >= ends), None):
        return known
    spans = union([(starts, ends), *((row.starts, row.ends) for row in year)])
    used = sum((end - begin for begin, end in spans), timedelta())
    if used > ALLOWED:
        raise WrongInput(
            "That would be {days} days away within a year; {limit} stop the clock.",
            days=used.days,
            limit=ALLOWED.days,
        )
    row = Absence(player_id=player_id, starts=starts, ends=ends, note=clean(fitting(note, NOTE), NOTE), created_at=now)
    session.add(row)
    player.away_until = max(ends, player.away_until or ends)
    session.flush()
    delivery_clock.move_deadlines(session, player_id)
    _tell(session, now, row, player.name)
    return row


def _tell(session: Session, now: datetime, row: Absence, who: str) -> None:
    """One letter to each person who plays with who is away, however many games they share."""
    others = session.scalars(
        select(Player).join(Seat, Seat.player_id == Player.id).where(*beside(row.player_id)).order_by(Player.id)
    )
    post = LetterQueue(now)
    for player in others.unique():
        told = {"who": who, "starts": row.starts.isoformat(), "ends": row.ends.isoformat()}
        post.person("absence", player, f"absence:{row.id}:{player.id}", absence=row.id, **told)
    post.send(session)


def beside(player_id: int) -> tuple[ColumnElement[bool], ColumnElement[bool]]:
    """Return the conditions for the others' seats in the games that a person plays at present."""
    mine = select(Seat.game_id).join(Game).where(Seat.player_id == player_id, Game.state.in_(UNDERWAY))
    return Seat.game_id.in_(mine), Seat.player_id != player_id


def cancel(session: Session, now: datetime, absence_id: int, player_id: int) -> None:
    """Come back early: the rest of an own absence is given up. Deadlines stay where they were moved to.

    Raises WrongInput for none of the player's.
    """
    row = session.get(Absence, absence_id)
    if row is None or row.player_id != player_id:
        raise not_listed(absence_id)
    if row.starts >= now:
        session.delete(row)
    else:
        row.ends = min(row.ends, now)
    session.flush()


def coming(session: Session, now: datetime, player_id: int) -> Sequence[Absence]:
    """Return a player's present and future absences, in order."""
    return session.scalars(
        select(Absence).where(Absence.player_id == player_id, Absence.ends > now).order_by(Absence.starts)
    ).all()
