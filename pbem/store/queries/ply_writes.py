"""What a run of a game writes, without the ORM and by statements made once: either would cost a third of its time."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from sqlalchemy import bindparam, insert, update
from sqlalchemy.dialects import postgresql, sqlite

from pbem.store.models import Letter, OpenDecision, StoredPly

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from sqlalchemy import Table
    from sqlalchemy.orm import Session

Row = dict[str, Any]

_PLIES, _DECISIONS, _LETTERS = (cast("Table", entity.__table__) for entity in (StoredPly, OpenDecision, Letter))
_ADD_PLIES = insert(_PLIES)
_ASK = insert(_DECISIONS)
_CLOSE = (
    update(_DECISIONS)
    .where(
        _DECISIONS.c.game_id == bindparam("game"),
        _DECISIONS.c.ply == bindparam("number"),
        _DECISIONS.c.closed_at.is_(None),
    )
    .values(closed_at=bindparam("now"), nudge_at=None)
)
_DROP_RECEIPTS = (
    update(_LETTERS)
    .where(
        _LETTERS.c.game_id == bindparam("game"),
        _LETTERS.c.ply == bindparam("number"),
        _LETTERS.c.kind == "receipt",
        _LETTERS.c.state == "pending",
        _LETTERS.c.mail_id.is_(None),
    )
    .values(state="dropped")
)
_QUEUE = {
    name: dialect.insert(_LETTERS).on_conflict_do_nothing(index_elements=["cause"])
    for name, dialect in (("postgresql", postgresql), ("sqlite", sqlite))
}
"""By database."""


def add_plies(session: Session, rows: Sequence[Row]) -> None:
    """Append plies."""
    session.execute(_ADD_PLIES, rows)


def ask(session: Session, rows: Sequence[Row]) -> None:
    """Open decisions."""
    session.execute(_ASK, rows)


def close(session: Session, now: datetime, game_id: int, ply: int) -> None:
    """Close every decision for a ply that is open."""
    session.execute(_CLOSE, {"game": game_id, "number": ply, "now": now})


def drop_receipts(session: Session, game_id: int, ply: int) -> None:
    """Drop the receipts about a ply that have not left, but for those that answer a mail."""
    session.execute(_DROP_RECEIPTS, {"game": game_id, "number": ply})


def queue(session: Session, rows: Sequence[Row]) -> None:
    """Put letters into the outbox; a cause that has its letter already gets no second one."""
    session.execute(_QUEUE[session.get_bind().dialect.name], rows)
