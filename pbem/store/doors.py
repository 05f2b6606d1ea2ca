"""What the doors ask all day long: statements built once, and of each row only what is used.

A page or an order costs little more than its statements, so these give plain rows and load no objects.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple, cast

from sqlalchemy import Integer, String, and_, bindparam, case, exists, func, literal, or_, select
from sqlalchemy import cast as cast_to

from pbem.store.tables import Club, Decision, Game, Note, Order, Player, Ply, Seat, Sitter, Standing

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime

    from sqlalchemy import ColumnElement, Connection, FromClause, Row, Table
    from sqlalchemy.orm import Session

GAMES, SEATS, PLIES, DECISIONS, STANDING, ORDERS, PLAYERS, CLUBS, NOTES, SITTERS = (
    cast("Table", entity.__table__)
    for entity in (Game, Seat, Ply, Decision, Standing, Order, Player, Club, Note, Sitter)
)


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


_HELD = (
    select(
        *(SEATS.c[name] for name in ("id", "game_id", "seat", "player_id", "epoch")),
        *(GAMES.c.slug, GAMES.c.finished_at, PLAYERS.c.id, PLAYERS.c.language, PLAYERS.c.zone, NOTES.c.text),
        exists().where(
            STANDING.c.game_id == SEATS.c.game_id, STANDING.c.seat == SEATS.c.seat, STANDING.c.ended_at.is_(None)
        ),
    )
    .join_from(SEATS, GAMES, GAMES.c.id == SEATS.c.game_id)
    .outerjoin(NOTES, and_(NOTES.c.game_id == SEATS.c.game_id, NOTES.c.seat == SEATS.c.seat))
    .where(SEATS.c.id == bindparam("seat_id"), SEATS.c.bot == "")
)


def _on_ring(player: FromClause) -> ColumnElement[bool]:
    """Whether a player's number and epoch are on the ring of keys that is asked with."""
    key = literal(",") + cast_to(player.c.id, String) + ":" + cast_to(player.c.epoch, String) + ","
    return bindparam("ring", type_=String).contains(key)


def _ring(players: Mapping[int, int]) -> str:
    """Keys of persons, epoch by number, as one value: the statement stays the same however many there are."""
    return f",{','.join(f'{number}:{epoch}' for number, epoch in players.items())},"


_OWN_SEAT = _HELD.join(PLAYERS, PLAYERS.c.id == SEATS.c.player_id).where(
    or_(SEATS.c.epoch == bindparam("epoch"), _on_ring(PLAYERS))
)
_SAT_SEAT = (
    _HELD.join(SITTERS, and_(SITTERS.c.game_id == SEATS.c.game_id, SITTERS.c.seat == SEATS.c.seat))
    .join(PLAYERS, PLAYERS.c.id == SITTERS.c.player_id)
    .where(
        _on_ring(PLAYERS),
        SITTERS.c.starts <= bindparam("now"),
        SITTERS.c.ends > bindparam("now"),
        SITTERS.c.ended_at.is_(None),
    )
)


def held(session: Session, seat_id: int, epoch: int | None, players: Mapping[int, int]) -> HeldRow | None:
    """The seat, for who knows its epoch or is, by number and epoch, its player.

    The database compares: a wrong key costs as much as none.
    """
    wanted = {"seat_id": seat_id, "epoch": epoch, "ring": _ring(players)}
    row = session.execute(_OWN_SEAT, wanted).one_or_none()
    return None if row is None else HeldRow._make(row)


def sat(session: Session, now: datetime, seat_id: int, players: Mapping[int, int]) -> HeldRow | None:
    """The seat, for one of these persons who sits in for its player at present."""
    row = session.execute(_SAT_SEAT, {"seat_id": seat_id, "now": now, "ring": _ring(players)}).first()
    return None if row is None else HeldRow._make(row)


class ChairRow(NamedTuple):
    """A seat that sends an order, and its game."""

    game_id: int
    game: str
    rules_version: int
    state: str
    ply: int
    cooling: int
    wake_at: datetime | None
    cover_at: datetime | None
    seat_id: int
    seat: int
    player_id: int | None


_CHAIR = (
    select(
        GAMES.c.id,
        *(GAMES.c[name] for name in ("game", "rules_version", "state", "ply", "cooling", "wake_at", "cover_at")),
        *(SEATS.c[name] for name in ("id", "seat", "player_id")),
    )
    .join_from(SEATS, GAMES, GAMES.c.id == SEATS.c.game_id)
    .where(SEATS.c.id == bindparam("seat_id"))
)
_CHAIR_LOCKED = _CHAIR.with_for_update(of=GAMES, key_share=True)


def chair(connection: Connection, seat_id: int, *, locked: bool) -> ChairRow | None:
    """A seat with its game, whose row is locked until the transaction ends if `locked`; None if there is no such seat.

    What may change while one waits for the lock is read after it, by `asked`: this statement saw it before.
    """
    row = connection.execute(_CHAIR_LOCKED if locked else _CHAIR, {"seat_id": seat_id}).one_or_none()
    return None if row is None else ChairRow._make(row)


class AskedRow(NamedTuple):
    """A decision that is asked, and the state it is asked in."""

    id: int
    seat: int
    sealed: bool
    optional: bool
    order_id: int | None
    snapshot: bytes
    chained: bool
    """Whether the seat that looks has the rest of a chain of orders in force."""


_ASKED = (
    select(
        *(DECISIONS.c[name] for name in ("id", "seat", "sealed", "optional", "order_id")),
        PLIES.c.snapshot,
        exists().where(
            STANDING.c.game_id == bindparam("game_id"),
            STANDING.c.seat == bindparam("seat"),
            STANDING.c.kind == "then",
            STANDING.c.ended_at.is_(None),
        ),
    )
    .join_from(PLIES, DECISIONS, and_(DECISIONS.c.game_id == PLIES.c.game_id, DECISIONS.c.ply == PLIES.c.ply + 1))
    .where(PLIES.c.game_id == bindparam("game_id"), PLIES.c.ply == bindparam("ply"))
    .order_by(DECISIONS.c.seat)
)


def asked(connection: Connection, at: ChairRow) -> list[AskedRow]:
    """Every decision asked at the game's present ply, by seat, as the seat `at` finds it."""
    rows = connection.execute(_ASKED, {"game_id": at.game_id, "ply": at.ply, "seat": at.seat})
    return [AskedRow._make(row) for row in rows]


class GameRow(NamedTuple):
    """A game as it stands; none of it is secret but the seed."""

    id: int
    slug: str
    title: str
    game: str
    options: dict[str, str]
    state: str
    ply: int
    rules_version: int
    commitment: str
    seed: str
    club_id: int | None
    organiser_id: int | None
    practice: bool
    outcome: bytes | None
    cooling: int
    cadence: dict[str, Any]
    due_at: datetime | None
    cover_at: datetime | None
    wake_at: datetime | None
    created_at: datetime
    started_at: datetime | None
    finished_at: datetime | None
    club: str | None
    organiser: str | None
    digest: str | None
    """Of the state after the ply that is looked at; None if there is no such ply. Hidden things are in it."""


class SeatRow(NamedTuple):
    """A seat and who holds it."""

    id: int
    seat: int
    player_id: int | None
    bot: str
    epoch: int
    ladder: list[str]
    never: list[str]
    name: str | None
    address_state: str | None
    language: str | None
    zone: str | None


class DecisionRow(NamedTuple):
    """What a seat is asked at the present ply, and the order that counts so far, which is that seat's own affair."""

    id: int
    ply: int
    seat: int
    kind: str
    secret: bool
    optional: bool
    sealed: bool
    opened_at: datetime
    due_at: datetime | None
    base_at: datetime | None
    due_version: int
    nudge_at: datetime | None
    letter_at: datetime | None
    order_id: int | None
    answered_at: datetime | None
    hand: str
    closed_at: datetime | None
    answer: str | None
    draft: str | None
    """The newest one."""


class Gathering(NamedTuple):
    """A game with everybody at its table."""

    game: GameRow
    seats: list[SeatRow]
    decisions: list[DecisionRow]
    """What is asked at present, by seat."""


_ORGANISERS = PLAYERS.alias("organisers")
_DRAFTS = ORDERS.alias("drafts")
_OWN = SEATS.alias("own")
_DRAFT = (
    select(_DRAFTS.c.canonical)
    .where(
        _DRAFTS.c.game_id == DECISIONS.c.game_id,
        _DRAFTS.c.ply == DECISIONS.c.ply,
        _DRAFTS.c.seat == DECISIONS.c.seat,
        _DRAFTS.c.kind == "draft",
    )
    .order_by(_DRAFTS.c.id.desc())
    .limit(1)
    .scalar_subquery()
)
_GATHERING = (
    select(
        *(GAMES.c[name] for name in GameRow._fields[:-3]),
        *(CLUBS.c.name, _ORGANISERS.c.name, PLIES.c.digest),
        *(SEATS.c[name] for name in SeatRow._fields[:-4]),
        *(PLAYERS.c[name] for name in SeatRow._fields[-4:]),
        *(DECISIONS.c[name] for name in DecisionRow._fields[:-2]),
        *(ORDERS.c.canonical, _DRAFT),
    )
    .select_from(
        GAMES.join(SEATS, SEATS.c.game_id == GAMES.c.id)
        .outerjoin(PLAYERS, PLAYERS.c.id == SEATS.c.player_id)
        .outerjoin(
            DECISIONS,
            and_(
                DECISIONS.c.game_id == GAMES.c.id,
                DECISIONS.c.ply == GAMES.c.ply + 1,
                DECISIONS.c.seat == SEATS.c.seat,
            ),
        )
        .outerjoin(ORDERS, ORDERS.c.id == DECISIONS.c.order_id)
        .outerjoin(CLUBS, CLUBS.c.id == GAMES.c.club_id)
        .outerjoin(_ORGANISERS, _ORGANISERS.c.id == GAMES.c.organiser_id)
        .outerjoin(
            PLIES,
            and_(
                PLIES.c.game_id == GAMES.c.id,
                PLIES.c.ply == func.coalesce(bindparam("ply", type_=Integer), GAMES.c.ply),
            ),
        )
    )
    .order_by(SEATS.c.seat)
)
_OWN_GAME = select(_OWN.c.game_id).where(_OWN.c.id == bindparam("seat_id"))
_HOLDERS = PLAYERS.alias("holders")
_HELD_GAME = (
    _OWN_GAME.join(_HOLDERS, _HOLDERS.c.id == _OWN.c.player_id)
    .where(_OWN.c.bot == "", or_(_OWN.c.epoch == bindparam("epoch"), _on_ring(_HOLDERS)))
    .scalar_subquery()
)
_GATHERED = {
    "game_id": _GATHERING.where(GAMES.c.id == bindparam("game_id")),
    "seat_id": _GATHERING.where(GAMES.c.id == _OWN_GAME.scalar_subquery()),
}
"""By what is known of the game. A seat's is looked up first: joined, it would be one table more than PostgreSQL puts in
order by itself (`join_collapse_limit`), and every game would be read to find one."""
_GATHERED_HELD = _GATHERING.add_columns(
    select(NOTES.c.text)
    .join(_OWN, and_(NOTES.c.game_id == _OWN.c.game_id, NOTES.c.seat == _OWN.c.seat))
    .where(_OWN.c.id == bindparam("seat_id"))
    .scalar_subquery(),
    exists(1)
    .where(STANDING.c.game_id == _OWN.c.game_id, STANDING.c.seat == _OWN.c.seat, STANDING.c.ended_at.is_(None))
    .where(_OWN.c.id == bindparam("seat_id")),
).where(GAMES.c.id == _HELD_GAME)
_SEAT_AT = len(GameRow._fields)
_DECISION_AT = _SEAT_AT + len(SeatRow._fields)
_READER_AT = _DECISION_AT + len(DecisionRow._fields)


def gathering(session: Session, *, ply: int | None = None, **known: int) -> Gathering | None:
    """The game known by `game_id` or `seat_id`, with its seats and what they are asked; None if there is none.

    `ply` is looked at, by default the last.
    """
    (key,) = known
    rows = session.execute(_GATHERED[key], {"ply": ply, **known}).all()
    return _gathered(rows) if rows else None


def _gathered(rows: Sequence[Row[*tuple[Any, ...]]]) -> Gathering:
    return Gathering(
        GameRow._make(rows[0][:_SEAT_AT]),
        [SeatRow._make(row[_SEAT_AT:_DECISION_AT]) for row in rows],
        [DecisionRow._make(row[_DECISION_AT:_READER_AT]) for row in rows if row[_DECISION_AT] is not None],
    )


def held_table(
    session: Session, seat_id: int, epoch: int | None, players: Mapping[int, int], ply: int | None
) -> tuple[HeldRow, Gathering] | None:
    """What `held` and `gathering` give, in one statement."""
    wanted = {"seat_id": seat_id, "epoch": epoch, "ring": _ring(players), "ply": ply}
    rows = session.execute(_GATHERED_HELD, wanted).all()
    if not rows:
        return None
    table = _gathered(rows)
    game, seat = table.game, next(seat for seat in table.seats if seat.id == seat_id)
    assert seat.player_id is not None  # the statement asks for a seat with a player
    assert seat.language is not None
    assert seat.zone is not None
    note, ahead = rows[0][_READER_AT:]
    held = HeldRow(
        seat_id=seat_id,
        game_id=game.id,
        seat=seat.seat,
        player_id=seat.player_id,
        epoch=seat.epoch,
        slug=game.slug,
        finished_at=game.finished_at,
        reader_id=seat.player_id,
        language=seat.language,
        zone=seat.zone,
        note=note,
        ahead=ahead,
    )
    return held, table


class PlyRow(NamedTuple):
    """A resolved ply."""

    ply: int
    resolved_at: datetime
    events: bytes
    snapshot: bytes | None


_LOOKED_BACK = 200
"""Plies that are looked back over for news."""
_OWN_LAST = (
    select(func.max(DECISIONS.c.ply))
    .where(
        DECISIONS.c.game_id == bindparam("game_id"),
        DECISIONS.c.seat == bindparam("seat"),
        DECISIONS.c.ply.between(bindparam("ply") - _LOOKED_BACK, bindparam("ply")),
        DECISIONS.c.hand.in_(("player", "sitter")),
    )
    .scalar_subquery()
)
_NEWS = (
    select(PLIES.c.ply, PLIES.c.resolved_at, PLIES.c.events, case((PLIES.c.ply == bindparam("ply"), PLIES.c.snapshot)))
    .where(
        PLIES.c.game_id == bindparam("game_id"),
        PLIES.c.ply >= func.coalesce(_OWN_LAST, bindparam("first", type_=Integer)),
        PLIES.c.ply <= bindparam("ply"),
    )
    .order_by(PLIES.c.ply)
)


def news(session: Session, game_id: int, ply: int, seat: int | None) -> list[PlyRow]:
    """Every ply from the one a seat's newest own order went into to `ply`.

    For a spectator of `ply` alone. Only the last one comes with its snapshot.
    """
    first = ply if seat is None else max(ply - _LOOKED_BACK, 0)
    wanted = {"game_id": game_id, "ply": ply, "seat": seat, "first": first}
    return [PlyRow._make(row) for row in session.execute(_NEWS, wanted)]
