"""What the doors ask all day long: statements built once, and of each row only what is used.

A page or an order costs little more than its statements, so these give plain rows and load no objects.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from datetime import datetime
from typing import NamedTuple, cast

from sqlalchemy import ColumnElement, FromClause, String, Table, and_, bindparam, exists, func, literal, or_, select
from sqlalchemy import cast as cast_to
from sqlalchemy.orm import Session

from pbem.store.models import (
    Capability,
    Game,
    Letter,
    Note,
    OpenDecision,
    Player,
    Proposal,
    Seat,
    Sitter,
    StoredOrder,
    StoredPly,
    StoredStandingOrders,
)

GAMES, SEATS, PLIES, DECISIONS, STANDING, ORDERS, PLAYERS, NOTES, SITTERS, BROWSERS, PROPOSALS = (
    cast("Table", entity.__table__)
    for entity in (
        *(Game, Seat, StoredPly, OpenDecision, StoredStandingOrders, StoredOrder, Player, Note, Sitter),
        Capability,
        Proposal,
    )
)
ENDED_BROWSER = and_(BROWSERS.c.digest.in_(bindparam("digests", expanding=True)), BROWSERS.c.revoked_at.is_not(None))
"""A browser that was ended for one of the persons whom `digests` stand for."""
GIVEN_AHEAD = (STANDING.c.game_id == SEATS.c.game_id, STANDING.c.seat == SEATS.c.seat, StoredStandingOrders.in_force())
"""For orders given ahead by a seat that are in force."""
PROPOSED = exists().where(PROPOSALS.c.game_id == SEATS.c.game_id, PROPOSALS.c.state == "open")
"""Whether something is put to the vote of a seat's table."""


class HeldRow(NamedTuple):
    """A seat for whoever may speak for it, with what its reader alone is to know."""

    seat_id: int
    game_id: int
    seat: int
    player_id: int
    epoch: int
    slug: str
    finished_at: datetime | None
    reader_id: int
    language: str
    zone: str
    note: str | None
    ahead: bool
    """Whether it gave orders ahead that are in force."""
    proposed: bool
    """Whether something is put to its table's vote, be the time for that over or not."""
    waiting: tuple[int, ...]
    """Seats where a decision waits for who holds the same keys, the most urgent first;
    nothing where the table is not read with it."""


_HELD = (
    select(
        *(SEATS.c[name] for name in ("id", "game_id", "seat", "player_id", "epoch")),
        *(GAMES.c.slug, GAMES.c.finished_at, PLAYERS.c.id, PLAYERS.c.language, PLAYERS.c.zone, NOTES.c.text),
        exists().where(*GIVEN_AHEAD),
        PROPOSED,
    )
    .join_from(SEATS, GAMES, GAMES.c.id == SEATS.c.game_id)
    .outerjoin(
        NOTES,
        and_(
            NOTES.c.game_id == SEATS.c.game_id,
            NOTES.c.seat == SEATS.c.seat,
            NOTES.c.player_id == SEATS.c.player_id,
        ),
    )
    .where(SEATS.c.id == bindparam("seat_id"), SEATS.c.bot == "")
)


def on_ring(holder: FromClause, name: str = "ring") -> ColumnElement[bool]:
    """Return whether the number and epoch of a player, or a seat, are on the ring of keys that is asked with."""
    key = literal(",") + cast_to(holder.c.id, String) + ":" + cast_to(holder.c.epoch, String) + ","
    return bindparam(name, type_=String).contains(key)


def ring(keys: Mapping[int, int]) -> str:
    """Keys, epoch by number, as one value: the statement stays the same however many there are."""
    return f",{','.join(f'{number}:{epoch}' for number, epoch in keys.items())},"


_OWN_SEAT = _HELD.join(PLAYERS, PLAYERS.c.id == SEATS.c.player_id).where(
    or_(SEATS.c.epoch == bindparam("epoch"), on_ring(PLAYERS))
)
_SAT_SEAT = (
    _HELD.join(SITTERS, and_(SITTERS.c.game_id == SEATS.c.game_id, SITTERS.c.seat == SEATS.c.seat))
    .join(PLAYERS, PLAYERS.c.id == SITTERS.c.player_id)
    .where(on_ring(PLAYERS), Sitter.at_present(bindparam("now")))
)


def held(session: Session, seat_id: int, epoch: int | None, players: Mapping[int, int]) -> HeldRow | None:
    """Return the seat, for who knows its epoch or is, by number and epoch, its player.

    The database compares: a wrong key costs as much as none.
    """
    wanted = {"seat_id": seat_id, "epoch": epoch, "ring": ring(players)}
    row = session.execute(_OWN_SEAT, wanted).one_or_none()
    return None if row is None else HeldRow._make((*row, ()))


def sat(session: Session, now: datetime, seat_id: int, players: Mapping[int, int]) -> HeldRow | None:
    """Return the seat, for one of these persons who sits in for its player at present."""
    row = session.execute(_SAT_SEAT, {"seat_id": seat_id, "now": now, "ring": ring(players)}).first()
    return None if row is None else HeldRow._make((*row, ()))


def letters_since(
    session: Session, people: Collection[int], moments: Mapping[str, datetime]
) -> dict[tuple[int, str], int]:
    """Return how many letters of a kind each of `people` was sent since the moment given for it, by person and kind."""
    rows = session.execute(
        select(Letter.player_id, Letter.kind, func.count())
        .where(
            Letter.player_id.in_(people),
            Letter.created_at > min(moments.values()),
            or_(*(and_(Letter.kind == kind, Letter.created_at > since) for kind, since in moments.items())),
        )
        .group_by(Letter.player_id, Letter.kind)
    )
    return {(player_id, kind): count for player_id, kind, count in rows if player_id is not None}
