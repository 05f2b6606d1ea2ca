"""What one run of a game begins with, read as plain rows: objects of the ORM would cost a third of its time.

A plain row has the names of its table's class, as far as a run uses them, and is handed on as one; nothing that is set
in it is written by itself.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from itertools import accumulate, pairwise, starmap
from operator import itemgetter
from typing import Any, NamedTuple, cast

import msgspec
from sqlalchemy import CTE, Select, Table, and_, bindparam, exists, select
from sqlalchemy.orm import Session

from pbem.store.models import Game, GameState, OpenDecision, Player, Seat, StoredStandingOrders
from pbem.store.queries.requests import ORDERS, PLIES, STANDING
from pbem.store.statements import Statement

PLAIN = {
    Game: "id club_id game rules_version seed state ply version tries outcome finished_at cadence due_at due_version"
    " cover_at wake_at",
    Seat: "game_id seat player_id bot ladder never kinds_off bank_used sat_until joined_at",
    Player: "id address address_state zone wakes sleeps weekends quiet kinds_off digest_hour accepted_at away_until",
    OpenDecision: "id seat kind secret optional ahead sealed opened_at began_at held_until base_at"
    " order_id answered_at hand",
}
"""The columns of a plain row, by class."""
_TABLES = {entity: cast("Table", entity.__table__) for entity in PLAIN}
_ROWS: dict[type, Any] = {
    entity: msgspec.defstruct(f"Plain{entity.__name__}", names.split()) for entity, names in PLAIN.items()
}
_ENDS = list(accumulate(len(names.split()) for names in PLAIN.values()))
_PARTS = dict(zip(PLAIN, starmap(slice, pairwise((0, *_ENDS))), strict=True))
"""Where each class has its columns in a row."""
_SEAT = itemgetter(_PARTS[Seat].start + PLAIN[Seat].split().index("seat"))
"""The number of a row's seat: PostgreSQL would take a twentieth of the statement to put two to five rows in order."""
_GAMES, _SEATS, _PLAYERS, _DECISIONS = _TABLES.values()


class SeatInputs(NamedTuple):
    """A seat before a ply: who holds it, what it is asked, and the order that counts so far."""

    seat: Seat
    player: Player | None
    decision: OpenDecision | None
    order: str | None
    source: str | None
    """The way by which the order came."""


class PlyInputs(NamedTuple):
    """Everything that one run of a game begins with."""

    game: Game
    snapshot: bytes
    """The state after the ply resolved last."""
    seats: list[SeatInputs]
    ahead: bool
    """Whether anybody at the table has given orders ahead."""


def _inputs(game: Table | CTE) -> Select[*tuple[Any, ...]]:
    """Return a row for each seat, the state with the first of them."""
    columns = [table.c[name] for entity, table in _TABLES.items() for name in PLAIN[entity].split()]
    ours = [game.c[column.name] if column.table is _GAMES else column for column in columns]
    live = exists().where(STANDING.c.game_id == game.c.id, StoredStandingOrders.in_force())
    asked = and_(
        _DECISIONS.c.game_id == game.c.id,
        # Said so that no index finds it: planned while there was little, each claim read every decision of these seats.
        _DECISIONS.c.seat.is_not_distinct_from(_SEATS.c.seat),
        _DECISIONS.c.ply == game.c.ply + 1,
    )
    return (
        select(*ours, ORDERS.c.canonical, ORDERS.c.source, PLIES.c.snapshot, live)
        .join_from(game, _SEATS, _SEATS.c.game_id == game.c.id)
        .outerjoin(_PLAYERS, _PLAYERS.c.id == _SEATS.c.player_id)
        .outerjoin(_DECISIONS, asked)
        .outerjoin(ORDERS, ORDERS.c.id == _DECISIONS.c.order_id)
        .outerjoin(PLIES, and_(PLIES.c.game_id == game.c.id, PLIES.c.ply == game.c.ply, _SEATS.c.seat == 0))
    )


READ = 8
"""Due games that are read at once: for each by itself PostgreSQL would take twice as long to look."""
PARTS = 6
"""Of the games that have been due longest, as many parts of so many: workers that meet read on in different ones."""
_LONGEST = (
    select(*(_GAMES.c[name] for name in PLAIN[Game].split()))
    .where(_GAMES.c.state == GameState.RUNNING, _GAMES.c.wake_at <= bindparam("now"), _GAMES.c.tries == 0)
    .order_by(_GAMES.c.wake_at)
    .limit(READ * PARTS)
    .subquery()
)
_DUE = select(_LONGEST).order_by(_LONGEST.c.wake_at).limit(READ).offset(bindparam("skipped")).cte("due")
_READ_DUE = Statement(_inputs(_DUE))
_LOCK = Statement(select(_GAMES.c.id).where(_GAMES.c.id == bindparam("game")).with_for_update(key_share=True))
_INPUTS = Statement(_inputs(_GAMES).where(_GAMES.c.id == bindparam("game")))


def claim(session: Session, game_id: int) -> PlyInputs | None:
    """Return a game, locked, and what its next ply begins with; None if there is no such game."""
    _LOCK.rows(session, {"game": game_id})  # by itself: what the lock waited for is seen by later statements only
    rows = _INPUTS.rows(session, {"game": game_id})
    return _read(rows) if rows else None


def due(session: Session, now: datetime, part: int) -> list[PlyInputs]:
    """Return what the next plies begin with of a part of the running games that have been due longest, without a lock.

    Games of which an earlier run failed aren't among them.
    """
    games: dict[int, list[Sequence[Any]]] = {}
    for row in _READ_DUE.rows(session, {"now": now, "skipped": part * READ}, alone=True):
        games.setdefault(row[0], []).append(row)
    return sorted(map(_read, games.values()), key=lambda one: one.game.wake_at or now)


def _read(rows: Sequence[Sequence[Any]]) -> PlyInputs:
    game, seat, player, decision = _ROWS.values()
    held, asked = _PARTS[Player].start, _PARTS[OpenDecision].start
    rows = sorted(rows, key=_SEAT)
    order, source, snapshot, ahead = range(_PARTS[OpenDecision].stop, _PARTS[OpenDecision].stop + 4)
    seats = [
        SeatInputs(
            seat(*row[_PARTS[Seat]]),
            None if row[held] is None else player(*row[_PARTS[Player]]),
            None if row[asked] is None else decision(*row[_PARTS[OpenDecision]]),
            row[order],
            row[source],
        )
        for row in rows
    ]
    first = rows[0]
    return PlyInputs(game(*first[_PARTS[Game]]), first[snapshot], seats, first[ahead])
