"""What an order reads and writes: one statement each on PostgreSQL, and no lock while the rules look at it.

The write counts only if the game's version is what was read, so whatever can invalidate an order raises it: orders of
other seats too, for the last one makes the game due. On SQLite the transaction holds the lock from its begin.
"""

from __future__ import annotations

from datetime import datetime
from typing import Any, NamedTuple

from sqlalchemy import and_, bindparam, exists, select, text, update
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.orm import Session

from pbem.store.models import GameState
from pbem.store.queries.requests import DECISIONS, GAMES, GIVEN_AHEAD, ORDERS, PLIES, SEATS, STANDING
from pbem.store.statements import Statement


class SubmittingSeatRow(NamedTuple):
    """A seat that sends an order, and its game."""

    game_id: int
    version: int
    game: str
    rules_version: int
    state: GameState
    ply: int
    cooling: int
    wake_at: datetime | None
    cover_at: datetime | None
    seat_id: int
    seat: int
    player_id: int | None


class AskedRow(NamedTuple):
    """A decision that is asked, and the state it is asked in."""

    id: int
    seat: int
    secret: bool
    held_until: datetime | None
    sealed: bool
    optional: bool
    ahead: bool
    order_id: int | None
    snapshot: bytes
    """Empty for a decision of another seat than the one that looks."""
    chained: bool
    """Whether the seat that looks has the rest of a chain of orders in force."""


class Question(NamedTuple):
    """All that is known before an order is read: whose it is, and what the game asks at present, in any order.

    To be put in order by PostgreSQL, however few they are, costs a sixteenth of the statement.
    """

    at: SubmittingSeatRow
    asked: list[AskedRow]


_LOCK = (
    select(GAMES.c.id)
    .join_from(SEATS, GAMES, GAMES.c.id == SEATS.c.game_id)
    .where(SEATS.c.id == bindparam("seat_id"))
    .with_for_update(of=GAMES, key_share=True)
)
_SEAT = ("id", "version", "game", "rules_version", "state", "ply", "cooling", "wake_at", "cover_at")
_QUESTION = Statement(
    select(
        *(GAMES.c[name] for name in _SEAT),
        *(SEATS.c[name] for name in ("id", "seat", "player_id")),
        *(DECISIONS.c[name] for name in AskedRow._fields[:-2]),
        PLIES.c.snapshot,
        exists().where(*GIVEN_AHEAD, STANDING.c.kind == "then"),
    )
    .join_from(SEATS, GAMES, GAMES.c.id == SEATS.c.game_id)
    .outerjoin(DECISIONS, and_(DECISIONS.c.game_id == GAMES.c.id, DECISIONS.c.ply == GAMES.c.ply + 1))
    .outerjoin(
        PLIES,
        and_(PLIES.c.game_id == GAMES.c.id, PLIES.c.ply == GAMES.c.ply, DECISIONS.c.seat == SEATS.c.seat),
    )
    .where(SEATS.c.id == bindparam("seat_id"))
)
_WIDTH = len(SubmittingSeatRow._fields)


def question(session: Session, seat_id: int, *, locked: bool = False) -> Question | None:
    """Return what an order of a seat may answer; None if there is no such seat.

    `locked`: nobody changes it before our end.
    """
    if locked:  # by a statement of its own: what the lock waited for is seen by later statements only
        session.execute(_LOCK, {"seat_id": seat_id})
    rows = _QUESTION.rows(session, {"seat_id": seat_id}, alone=True)
    if not rows:
        return None
    asked = [AskedRow._make(row[_WIDTH:]) for row in rows if row[_WIDTH] is not None]
    return Question(SubmittingSeatRow._make(rows[0][:_WIDTH]), asked)


COLUMNS = tuple(column.name for column in ORDERS.columns if column.name != "id")
"""Of an order, as they are handed in."""
_CONFLICT = ("game_id", "seat", "request")
_APPEND = {
    dialect.dialect.name: dialect.insert(ORDERS).on_conflict_do_nothing(index_elements=_CONFLICT).returning(ORDERS.c.id)
    for dialect in (postgresql, sqlite)
}
"""Append an order, unless the same form has brought it before."""


def append(session: Session, at: SubmittingSeatRow, order: dict[str, Any]) -> int | None:
    """Keep a text that is no answer; its number, None if the same form was sent before."""
    number: int | None = session.scalar(_APPEND[session.get_bind().dialect.name], order)
    if order["source"] == "web":
        session.execute(_AT_THE_PAGE, {"number": at.seat_id, "page_at": order["created_at"]})
    return number


class OrderEffect(NamedTuple):
    """What an order does beside being kept."""

    decision_id: int | None = None
    """The decision it answers, or takes the answer from; None for a draft."""
    counts: bool = False
    hand: str = ""
    wake: str = "leave"
    """When the game is due: as before (leave), at the end of its grace (cover), at `wake_at` (set)."""
    wake_at: datetime | None = None


_WAKE = "CASE :wake WHEN 'leave' THEN wake_at WHEN 'cover' THEN cover_at ELSE CAST(:wake_at AS timestamptz) END"
_PAGED = """, paged AS (
    UPDATE seats SET page_at = CAST(:created_at AS timestamptz) FROM kept WHERE seats.id = :seat_id
)"""
_KEEP, _KEEP_PAGED = (
    Statement(
        text(
            f"""
    WITH unchanged AS (
        SELECT FROM games WHERE id = :game_id AND version = :version FOR NO KEY UPDATE
    ), kept AS (
        INSERT INTO orders ({", ".join(COLUMNS)}) SELECT {", ".join(f":{name}" for name in COLUMNS)} FROM unchanged
        ON CONFLICT ({", ".join(_CONFLICT)}) DO NOTHING RETURNING id
    ), moved AS (
        UPDATE games SET version = version + 1, wake_at = {_WAKE} FROM kept WHERE games.id = :game_id
    ), answered AS (
        UPDATE decisions SET order_id = CASE WHEN :counts THEN kept.id END, hand = :hand,
            answered_at = CASE WHEN :counts THEN CAST(:created_at AS timestamptz) END
        FROM kept WHERE decisions.id = :decision_id
    ){paged}
    SELECT (SELECT id FROM kept), EXISTS (SELECT FROM unchanged)
    """  # noqa: S608 - names of columns, no value
        )
    )
    for paged in ("", _PAGED)
)
"""An order, by whatever way it came, and by a page; the first one's plan is a fifth smaller."""
_ANSWER = update(DECISIONS).where(DECISIONS.c.id == bindparam("number"))
_AT_THE_PAGE = update(SEATS).where(SEATS.c.id == bindparam("number"))
_MOVE = update(GAMES).where(GAMES.c.id == bindparam("number")).values(version=GAMES.c.version + 1)


def keep(
    session: Session, at: SubmittingSeatRow, order: dict[str, Any], effect: OrderEffect, *, alone: bool = False
) -> tuple[bool, int | None]:
    """Store an order and what it does, if the game is as it was read. `alone`: nothing else is written with it.

    Gives whether it is, and the order's number, None if the same form was sent before: then nothing is written.
    """
    if session.get_bind().dialect.name == "postgresql":
        seen = {"version": at.version, "seat_id": at.seat_id}
        statement = _KEEP_PAGED if order["source"] == "web" else _KEEP
        ((number, unchanged),) = statement.rows(session, {**order, **effect._asdict(), **seen}, alone=alone)
        return unchanged, number
    number = append(session, at, order)
    if number is not None:
        _carry_out(session, at, order, effect, number)
    return True, number


def _carry_out(
    session: Session, at: SubmittingSeatRow, order: dict[str, Any], effect: OrderEffect, number: int
) -> None:
    """Do the same by single statements: nobody else can write meanwhile."""
    if effect.decision_id is not None:
        values: dict[str, Any] = {"order_id": None, "hand": effect.hand, "answered_at": None}
        if effect.counts:
            values |= {"order_id": number, "answered_at": order["created_at"]}
        session.execute(_ANSWER, {"number": effect.decision_id, **values})
    moment = {"cover": {"wake_at": at.cover_at}, "set": {"wake_at": effect.wake_at}}.get(effect.wake, {})
    session.execute(_MOVE, {"number": at.game_id, **moment})
