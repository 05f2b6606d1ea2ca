"""A game as its pages show it: everybody at the table, and what happened since.

As in `requests`, plain rows of only what is used.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, NamedTuple

from sqlalchemy import (
    ColumnElement,
    Integer,
    String,
    and_,
    bindparam,
    case,
    cast,
    exists,
    extract,
    func,
    literal,
    or_,
    select,
)
from sqlalchemy.dialects.postgresql import aggregate_order_by
from sqlalchemy.orm import Session

from pbem.store.models import GameState, StoredStandingOrders
from pbem.store.queries.requests import (
    DECISIONS,
    ENDED_BROWSER,
    GAMES,
    NOTES,
    ORDERS,
    PLAYERS,
    PLIES,
    PROPOSED,
    SEATS,
    STANDING,
    HeldRow,
    on_ring,
    ring,
)
from pbem.store.statements import Statement


class GameRow(NamedTuple):
    """A game as it stands; none of it is secret but the seed."""

    id: int
    slug: str
    title: str
    game: str
    state: GameState
    ply: int
    rules_version: int
    commitment: str
    seed: str
    club_id: int | None
    outcome: bytes | None
    cooling: int
    cadence: dict[str, Any]
    due_at: datetime | None
    cover_at: datetime | None
    wake_at: datetime | None
    finished_at: datetime | None


class SeatRow(NamedTuple):
    """A seat and who holds it."""

    id: int
    seat: int
    player_id: int | None
    bot: str
    epoch: int
    ladder: list[str]
    never: list[str]
    sat_until: datetime | None
    joined_at: datetime | None
    name: str | None
    address_state: str | None
    language: str | None
    zone: str | None
    away_until: datetime | None


class DecisionRow(NamedTuple):
    """What a seat is asked at the present ply, and the order that counts so far, which is that seat's own affair."""

    ply: int
    seat: int
    kind: str
    secret: bool
    optional: bool
    ahead: bool
    sealed: bool
    opened_at: datetime
    held_until: datetime | None
    due_at: datetime | None
    base_at: datetime | None
    nudge_at: datetime | None
    letter_at: datetime | None
    order_id: int | None
    answered_at: datetime | None
    closed_at: datetime | None
    answer: str | None
    draft: str | None
    """The newest one."""


class PlyRow(NamedTuple):
    """What is stored of a ply: when it was resolved, its events as JSON, the state after it (None once dropped)."""

    ply: int
    resolved_at: datetime
    events: bytes
    snapshot: bytes | None


class GameWithSeats(NamedTuple):
    """A game with everybody at its table."""

    game: GameRow
    seats: list[SeatRow]
    decisions: list[DecisionRow]
    """What is asked at present, by seat."""
    news: list[PlyRow] | None = None
    """What `news` gives at present to the seat that it was read for; None where that is still to be asked."""


class HeldTable(NamedTuple):
    """A seat for who holds its key, with its table."""

    seat: HeldRow
    table: GameWithSeats
    ended: bool
    """Whether the browser was ended for somebody whose key it carries: what it may open is to be asked without."""


_DRAFTS = ORDERS.alias("drafts")
_OWN = SEATS.alias("own")
_DRAFT = (
    select(_DRAFTS.c.canonical)
    .where(
        _DRAFTS.c.game_id == DECISIONS.c.game_id,
        _DRAFTS.c.ply == DECISIONS.c.ply,
        _DRAFTS.c.seat == DECISIONS.c.seat,
        _DRAFTS.c.kind == "draft",
        _DRAFTS.c.player_id == SEATS.c.player_id,
    )
    .order_by(_DRAFTS.c.id.desc())
    .limit(1)
    .scalar_subquery()
)
_ASKED = and_(DECISIONS.c.game_id == GAMES.c.id, DECISIONS.c.ply == GAMES.c.ply + 1, DECISIONS.c.seat == SEATS.c.seat)
_GATHERING = (
    select(
        *(GAMES.c[name] for name in GameRow._fields),
        *(SEATS.c[name] for name in SeatRow._fields[:-5]),
        *(PLAYERS.c[name] for name in SeatRow._fields[-5:]),
        *(DECISIONS.c[name] for name in DecisionRow._fields[:-2]),
        *(ORDERS.c.canonical, _DRAFT),
    )
    .select_from(
        GAMES.join(SEATS, SEATS.c.game_id == GAMES.c.id)
        .outerjoin(PLAYERS, PLAYERS.c.id == SEATS.c.player_id)
        .outerjoin(DECISIONS, _ASKED)
        .outerjoin(ORDERS, ORDERS.c.id == DECISIONS.c.order_id)
    )
    .order_by(SEATS.c.seat)
)
LOOKED_BACK = 200
"""Plies that are looked back over for news."""


def _is_new(game_id: Any, seat: Any, ply: Any, first: Any) -> ColumnElement[bool]:
    """Whether a ply is one since a seat's newest own order, or since `first`, up to `ply`."""
    own_last = (
        select(func.max(DECISIONS.c.ply))
        .where(
            DECISIONS.c.game_id == game_id,
            DECISIONS.c.seat == seat,
            DECISIONS.c.ply.between(ply - LOOKED_BACK, ply),
            DECISIONS.c.hand.in_(("player", "sitter")),
        )
        .correlate(GAMES, SEATS)
        .scalar_subquery()
    )
    return and_(PLIES.c.game_id == game_id, PLIES.c.ply >= func.coalesce(own_last, first), PLIES.c.ply <= ply)


_OWN_GAME = select(_OWN.c.game_id).where(_OWN.c.id == bindparam("seat_id"))
_HOLDERS = PLAYERS.alias("holders")
_HELD_GAME = (
    _OWN_GAME.join(_HOLDERS, _HOLDERS.c.id == _OWN.c.player_id)
    .where(_OWN.c.bot == "", or_(_OWN.c.epoch == bindparam("epoch"), on_ring(_HOLDERS)))
    .scalar_subquery()
)
_GATHERED = {
    "game_id": _GATHERING.where(GAMES.c.id == bindparam("game_id")),
    "seat_id": _GATHERING.where(GAMES.c.id == _OWN_GAME.scalar_subquery()),
}
"""By what is known of the game. A seat's is looked up first: joined, every game would be read to find one as soon as
there are more tables than PostgreSQL puts in order by itself (`join_collapse_limit`)."""
_SEATED = select(SEATS.c.id, SEATS.c.seat, GAMES.c.id.label("game_id"), GAMES.c.ply, GAMES.c.state).join_from(
    SEATS, GAMES, GAMES.c.id == SEATS.c.game_id
)
_MINE = _SEATED.where(SEATS.c.id.in_(bindparam("seats", expanding=True)), on_ring(SEATS, "seat_ring")).union(
    _SEATED.join(PLAYERS, PLAYERS.c.id == SEATS.c.player_id).where(
        PLAYERS.c.id.in_(bindparam("players", expanding=True)), on_ring(PLAYERS)
    )
)
_SEAT = _MINE.subquery("mine")
_WAITS = (
    select(func.coalesce(cast(extract("epoch", DECISIONS.c.due_at), String), "") + ":" + cast(_SEAT.c.id, String))
    .where(
        _SEAT.c.state == GameState.RUNNING,  # here, or a plan made while there was little begins with all of them
        DECISIONS.c.game_id == _SEAT.c.game_id,
        DECISIONS.c.ply == _SEAT.c.ply + 1,
        DECISIONS.c.seat == _SEAT.c.seat,
        DECISIONS.c.order_id.is_(None),
        DECISIONS.c.optional.is_(False),
    )
    .scalar_subquery()
)
"""What waits for one seat, by index. Joined with all that is asked, PostgreSQL would begin with every running game: it
takes few of them to be asked in their next ply."""
_QUEUE = select(func.aggregate_strings(_WAITS, ",")).select_from(_SEAT).scalar_subquery()
"""Deadline and number of every seat where a decision waits for the reader, as one value; to have PostgreSQL number
them in their order would make the statement half as dear again."""
_HELD = _GATHERING.add_columns(
    _QUEUE,
    select(NOTES.c.text)
    .join(
        _OWN,
        and_(
            NOTES.c.game_id == _OWN.c.game_id,
            NOTES.c.seat == _OWN.c.seat,
            NOTES.c.player_id == _OWN.c.player_id,
        ),
    )
    .where(_OWN.c.id == bindparam("seat_id"))
    .scalar_subquery(),
    exists(1)
    .where(STANDING.c.game_id == _OWN_GAME.scalar_subquery(), StoredStandingOrders.in_force())
    .where(STANDING.c.seat == _OWN.c.seat, _OWN.c.id == bindparam("seat_id")),
    PROPOSED,
    exists(1).where(ENDED_BROWSER),
).where(GAMES.c.id == _HELD_GAME)
_END = "\N{INFORMATION SEPARATOR TWO}"
"""What stands after each ply told in one value: in JSON no such sign stands by itself."""
_TOLD = func.concat_ws(
    " ", PLIES.c.ply, extract("epoch", PLIES.c.resolved_at), func.convert_from(PLIES.c.events, "UTF8")
)
_AT_ONCE = (
    select(func.string_agg(_TOLD, aggregate_order_by(literal(_END), PLIES.c.ply)))
    .where(_is_new(GAMES.c.id, SEATS.c.seat, GAMES.c.ply, func.greatest(GAMES.c.ply - LOOKED_BACK, 0)))
    .scalar_subquery(),
    select(PLIES.c.snapshot).where(PLIES.c.game_id == GAMES.c.id, PLIES.c.ply == GAMES.c.ply).scalar_subquery(),
)
"""The news as one value and the newest snapshot: a statement of their own would be a twentieth of a page."""
_GATHERED_HELD = Statement(
    _HELD.add_columns(*(case((SEATS.c.id == bindparam("seat_id"), column)) for column in _AT_ONCE)), elsewhere=_HELD
)
_SEAT_AT = len(GameRow._fields)
_DECISION_AT = _SEAT_AT + len(SeatRow._fields)
_READER_AT = _DECISION_AT + len(DecisionRow._fields)


def gathering(session: Session, **known: int) -> GameWithSeats | None:
    """The game known by `game_id` or `seat_id`, with its seats and what they are asked; None if there is none."""
    (key,) = known
    rows = session.execute(_GATHERED[key], known).all()
    return _gathered(rows) if rows else None


def _gathered(rows: Sequence[Sequence[Any]]) -> GameWithSeats:
    return GameWithSeats(
        GameRow._make(rows[0][:_SEAT_AT]),
        [SeatRow._make(row[_SEAT_AT:_DECISION_AT]) for row in rows],
        [DecisionRow._make(row[_DECISION_AT:_READER_AT]) for row in rows if row[_DECISION_AT] is not None],
    )


def waiting(session: Session, seats: Mapping[int, int], players: Mapping[int, int]) -> tuple[int, ...]:
    """Return the seats where a decision waits for who holds these keys (epoch by number), the most urgent first."""
    return _in_order(session.execute(select(_QUEUE), _rings(seats, players)).scalar_one())


def _rings(seats: Mapping[int, int], players: Mapping[int, int]) -> dict[str, Any]:
    keys = {"seats": list(seats) or [0], "players": list(players) or [0]}  # of an empty list PostgreSQL makes a walk
    return {**keys, "seat_ring": ring(seats), "ring": ring(players)}


def _in_order(queue: str | None) -> tuple[int, ...]:
    """Seats, from `deadline:seat` for each, the most urgent first."""
    waits = (one.partition(":") for one in (queue or "").split(",") if one)
    return tuple(seat for _, seat in sorted((float(due or "inf"), int(seat)) for due, _, seat in waits))


def held_table(
    session: Session, seat_id: int, seats: Mapping[int, int], players: Mapping[int, int], browser: Iterable[str]
) -> HeldTable | None:
    """Return what `held` and `gathering` give, and the reader's queue, in one statement. Keys are epochs by number.

    `browser`: the digests by which it would be known if it was ended.
    """
    wanted = {
        "seat_id": seat_id,
        "epoch": seats.get(seat_id),
        "digests": list(browser) or [""],
        **_rings(seats, players),
    }
    rows = _GATHERED_HELD.rows(session, wanted)
    if not rows:
        return None
    table = _gathered(rows)
    game, own = table.game, next(row for row in rows if row[_SEAT_AT] == seat_id)
    seat = SeatRow._make(own[_SEAT_AT:_DECISION_AT])
    assert seat.player_id is not None  # the statement asks for a seat with a player
    assert seat.language is not None
    assert seat.zone is not None
    queue, note, ahead, proposed, ended, *read = own[_READER_AT:]
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
        proposed=proposed,
        waiting=_in_order(queue),
    )
    return HeldTable(held, table._replace(news=_plies(*read)) if read else table, ended)


def _plies(told: str | None, snapshot: bytes | None) -> list[PlyRow]:
    """Return the plies that are told in one value; the last one comes with its snapshot."""
    rows = [
        PlyRow(int(ply), datetime.fromtimestamp(float(at), UTC), events.encode(), None)
        for ply, at, events in (one.split(" ", 2) for one in (told or "").split(_END) if one)
    ]
    return [*rows[:-1], *(row._replace(snapshot=snapshot) for row in rows[-1:])]


_NEWS = Statement(
    select(PLIES.c.ply, PLIES.c.resolved_at, PLIES.c.events, case((PLIES.c.ply == bindparam("ply"), PLIES.c.snapshot)))
    .where(_is_new(bindparam("game_id"), bindparam("seat"), bindparam("ply"), bindparam("first", type_=Integer)))
    .order_by(PLIES.c.ply)
)


def news(session: Session, game_id: int, ply: int, seat: int | None) -> list[PlyRow]:
    """Return every ply from the one a seat's newest own order went into to `ply`.

    For a spectator of `ply` alone. Only the last one comes with its snapshot.
    """
    first = ply if seat is None else max(ply - LOOKED_BACK, 0)
    wanted = {"game_id": game_id, "ply": ply, "seat": seat, "first": first}
    return [PlyRow._make(row) for row in _NEWS.rows(session, wanted)]
