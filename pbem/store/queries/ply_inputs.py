"""What one run of a game begins with, locked and read as plain rows: objects of the ORM would cost a third of its time.

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


class PlyInputs(NamedTuple):
    """Everything that one run of a game begins with."""

    game: Game
    snapshot: bytes
    """The state after the ply resolved last."""
    seats: list[SeatInputs]
    ahead: bool
    """Whether anybody at the table has given orders ahead."""


def _inputs(game: Table | CTE, *more: Any) -> Select[*tuple[Any, ...]]:
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
        select(*ours, ORDERS.c.canonical, PLIES.c.snapshot, live, *more)
        .join_from(game, _SEATS, _SEATS.c.game_id == game.c.id)
        .outerjoin(_PLAYERS, _PLAYERS.c.id == _SEATS.c.player_id)
        .outerjoin(_DECISIONS, asked)
        .outerjoin(ORDERS, ORDERS.c.id == _DECISIONS.c.order_id)
        .outerjoin(PLIES, and_(PLIES.c.game_id == game.c.id, PLIES.c.ply == game.c.ply, _SEATS.c.seat == 0))
    )


_DUE = (
    select(*(_GAMES.c[name] for name in PLAIN[Game].split()))
    .where(_GAMES.c.state == GameState.RUNNING, _GAMES.c.wake_at <= bindparam("now"), _GAMES.c.tries == 0)
    .order_by(_GAMES.c.wake_at)
    .limit(1)
    .with_for_update(key_share=True, skip_locked=True)
    .cte("due")
)
_SEEN = _GAMES.alias()
_CLAIM = Statement(_inputs(_DUE, select(_SEEN.c.version).where(_SEEN.c.id == _DUE.c.id).scalar_subquery()))
_LOCK = Statement(select(_GAMES.c.id).where(_GAMES.c.id == bindparam("game")).with_for_update(key_share=True))
_INPUTS = Statement(_inputs(_GAMES).where(_GAMES.c.id == bindparam("game")))


def claim(session: Session, game_id: int) -> PlyInputs | None:
    """Return a game, locked, and what its next ply begins with; None if there is no such game."""
    _LOCK.rows(session, {"game": game_id})
    return inputs(session, game_id)


def claim_due(session: Session, now: datetime) -> PlyInputs | None:
    """Return the running game that has been due longest, locked, and what its next ply begins with.

    None if all that are due are worked on. Games of which an earlier run failed aren't among them.
    """
    rows = _CLAIM.rows(session, {"now": now})
    if not rows:
        return None
    found = _read(rows)
    # A row is locked as it is now, but the others are read as they were when the statement began.
    return found if rows[0][-1] == found.game.version else inputs(session, found.game.id)


def inputs(session: Session, game_id: int) -> PlyInputs | None:
    """Return what the next ply of a game begins with, whose row a statement before has locked."""
    rows = _INPUTS.rows(session, {"game": game_id})
    return _read(rows) if rows else None


def _read(rows: Sequence[Sequence[Any]]) -> PlyInputs:
    game, seat, player, decision = _ROWS.values()
    held, asked = _PARTS[Player].start, _PARTS[OpenDecision].start
    rows = sorted(rows, key=_SEAT)
    order, snapshot, ahead = range(_PARTS[OpenDecision].stop, _PARTS[OpenDecision].stop + 3)
    seats = [
        SeatInputs(
            seat(*row[_PARTS[Seat]]),
            None if row[held] is None else player(*row[_PARTS[Player]]),
            None if row[asked] is None else decision(*row[_PARTS[OpenDecision]]),
            row[order],
        )
        for row in rows
    ]
    first = rows[0]
    return PlyInputs(game(*first[_PARTS[Game]]), first[snapshot], seats, first[ahead])
