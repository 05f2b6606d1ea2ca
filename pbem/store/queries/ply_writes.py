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
PLY = (
    *("game_id", "ply", "kind", "orders", "hands", "chance", "events", "snapshot", "digest", "phase", "round"),
    "resolved_at",
)
"""Columns of a ply, as they are handed in."""
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
_ADD_AND_CLOSE = (
    insert(_PLIES)
    .values({name: bindparam(f"new_{name}", type_=_PLIES.c[name].type) for name in PLY})
    .add_cte(_CLOSE.cte("closed"))
)
"""Both by one statement, which SQLite has no way to say. A parameter called like a column would be set in both."""
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


def add_plies(session: Session, now: datetime, rows: Sequence[Row]) -> None:
    """Append plies of a game, and close every decision for the first of them that is open."""
    first, *rest = rows
    closing = {"game": first["game_id"], "number": first["ply"], "now": now}
    if session.get_bind().dialect.name == "postgresql":
        session.execute(_ADD_AND_CLOSE, closing | {f"new_{name}": first[name] for name in PLY})
    else:
        session.execute(_ADD_PLIES, first)
        session.execute(_CLOSE, closing)
    if rest:
        session.execute(_ADD_PLIES, rest)


def ask(session: Session, rows: Sequence[Row]) -> None:
    """Open decisions, if there are any."""
    if rows:
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
