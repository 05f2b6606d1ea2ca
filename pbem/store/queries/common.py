"""The reads and locks that use cases and sweeps share; each is answered by an index."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any, TypeVarTuple, cast

from sqlalchemy import ColumnExpressionArgument, Row, Select, and_, bindparam, func, literal, select, update
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.orm import Session

from pbem.extensions import Base
from pbem.store.models import (
    UNREACHABLE,
    Absence,
    Club,
    Game,
    GameState,
    Invitation,
    Lane,
    Letter,
    Member,
    OpenDecision,
    Player,
    Seat,
    Sitter,
    StoredOrder,
    StoredPly,
    StoredStandingOrders,
)

if TYPE_CHECKING:
    from pbem.store.queries.game_pages import SeatRow

Columns = TypeVarTuple("Columns")


def locked(query: Select[*Columns]) -> Select[*Columns]:
    """Wait for the game's row, without hindering those who only point at it. SQLite locked all when we began."""
    return query.with_for_update(of=Game, key_share=True).execution_options(populate_existing=True)


def insert_new(session: Session, table: type[Base], *unique: str) -> postgresql.Insert | sqlite.Insert:
    """Return a statement that adds rows to a table, but for those that are there by its `unique` columns, or by any."""
    insert = postgresql.insert if session.get_bind().dialect.name == "postgresql" else sqlite.insert
    return insert(table).on_conflict_do_nothing(index_elements=unique or None)


def is_any(session: Session, *conditions: ColumnExpressionArgument[bool]) -> bool:
    """Return whether any row of a table fulfils all these conditions."""
    return session.execute(select(literal(1)).where(*conditions).limit(1)).first() is not None


def count(session: Session, *conditions: ColumnExpressionArgument[bool]) -> int:
    """Return how many rows fulfil all these conditions."""
    return session.execute(select(func.count()).where(*conditions)).scalar_one()


def game_called(session: Session, slug: str) -> Game | None:
    """Return the game of this public name."""
    return session.scalar(select(Game).where(Game.slug == slug))


_GAME = locked(select(Game).where(Game.id == bindparam("game")))
"""Made once, like the others of these: to put a statement together costs more than to run it."""


def lock_game(session: Session, game_id: int) -> Game | None:
    """Return the game, its row locked until the transaction ends; None if there is none."""
    return session.scalar(_GAME, {"game": game_id})


def lock_player(session: Session, player_id: int) -> Player | None:
    """Return a person as nobody else changes them until the transaction ends; None if there is none."""
    query = select(Player).where(Player.id == player_id).with_for_update(key_share=True)
    return session.scalar(query, execution_options={"populate_existing": True})


def lock_club(session: Session, club_id: int) -> Club:
    """Return a club as nobody else changes it until the transaction ends: its settings are one column."""
    query = select(Club).where(Club.id == club_id).with_for_update(key_share=True)
    return session.scalars(query, execution_options={"populate_existing": True}).one()


def of_ply(session: Session, game_id: int, ply: int, *columns: Any) -> Row[*tuple[Any, ...]]:
    """Return these columns of a ply that is stored; raises NoResultFound if there is no such ply."""
    return session.execute(select(*columns).where(StoredPly.game_id == game_id, StoredPly.ply == ply)).one()


def snapshot(session: Session, game_id: int, ply: int) -> bytes:
    """Return the stored state after a ply; raises NoResultFound if there is no such ply."""
    return cast("bytes", of_ply(session, game_id, ply, StoredPly.snapshot)[0])


_SEATS = select(Seat, Player).outerjoin(Player).where(Seat.game_id == bindparam("game")).order_by(Seat.seat)


def seats_of(session: Session, game_id: int) -> Sequence[Row[Seat, Player | None]]:
    """Return every seat of a game in order, with the person who holds it."""
    return session.execute(_SEATS, {"game": game_id}).all()


_DECISIONS = (
    select(OpenDecision)
    .where(OpenDecision.game_id == bindparam("game"), OpenDecision.ply == bindparam("ply"))
    .order_by(OpenDecision.seat)
    .execution_options(populate_existing=True)
)


def decisions_of(session: Session, game: Game, ply: int | None = None) -> Sequence[OpenDecision]:
    """Return what was asked for one ply, by seat; at present, if none is named."""
    return session.scalars(_DECISIONS, {"game": game.id, "ply": game.ply + 1 if ply is None else ply}).all()


def answers(session: Session, game_id: int, ply: int) -> Sequence[Row[bytes, OpenDecision | None, str | None]]:
    """Return the state after a ply with each decision asked there, by seat, and the order that counts so far.

    One row with neither if nothing is asked.
    """
    return session.execute(
        select(StoredPly.snapshot, OpenDecision, StoredOrder.canonical)
        .outerjoin(OpenDecision, (OpenDecision.game_id == StoredPly.game_id) & (OpenDecision.ply == StoredPly.ply + 1))
        .outerjoin(StoredOrder, StoredOrder.id == OpenDecision.order_id)
        .where(StoredPly.game_id == game_id, StoredPly.ply == ply)
        .order_by(OpenDecision.seat)
        .execution_options(populate_existing=True)
    ).all()


def live_standing(session: Session, game_id: int) -> Sequence[StoredStandingOrders]:
    """Return every order given ahead that is in force, the newest first."""
    return session.scalars(
        select(StoredStandingOrders)
        .where(StoredStandingOrders.game_id == game_id, StoredStandingOrders.in_force())
        .order_by(StoredStandingOrders.id.desc())
    ).all()


def end_ahead(session: Session, now: datetime, game_id: int, why: str, *which: ColumnExpressionArgument[bool]) -> None:
    """End those of the orders given ahead in a game that are in force and fulfil all of `which`."""
    ahead = StoredStandingOrders
    session.execute(
        update(ahead)
        .where(ahead.game_id == game_id, ahead.in_force(), *which)
        .values(ended_at=now, ended_why=why)
        .execution_options(synchronize_session=False)
    )


def end_invitations(
    session: Session, now: datetime, *which: ColumnExpressionArgument[bool], state: str = "expired"
) -> Sequence[int]:
    """End the invitations that nobody has answered and that fulfil all of `which`; return their numbers."""
    return session.scalars(
        update(Invitation)
        .where(Invitation.state == "pending", *which)
        .values(state=state, expires_at=now)
        .returning(Invitation.id)
        .execution_options(synchronize_session="fetch")
    ).all()


def absences_of(
    session: Session, players: Iterable[Player], since: datetime
) -> dict[int, tuple[tuple[datetime, datetime], ...]]:
    """Return by number the absences of these players that were not over at `since`."""
    found: dict[int, tuple[tuple[datetime, datetime], ...]] = {}
    wanted = [player.id for player in players if player.away_until is not None and player.away_until > since]
    if wanted:
        query = select(Absence.player_id, Absence.starts, Absence.ends).where(
            Absence.player_id.in_(wanted), Absence.ends > since
        )
        for player, starts, ends in session.execute(query):
            found[player] = (*found.get(player, ()), (starts, ends))
    return found


def sitters_of(
    session: Session, game_id: int, seats: Iterable[Seat | SeatRow], now: datetime
) -> Sequence[Row[int, Player]]:
    """`(seat, who sits in)` at present, for those of a game's seats that may have one; no statement if none has."""
    wanted = [seat for seat in seats if seat.sat_until is not None and seat.sat_until > now]
    if not wanted:
        return ()
    return session.execute(
        select(Sitter.seat, Player)
        .join(Player)
        .where(
            Sitter.game_id == game_id,
            Sitter.seat.in_([seat.seat for seat in wanted]),
            Sitter.at_present(now),
        )
    ).all()


def games_due(session: Session, now: datetime, limit: int) -> Sequence[Row[int, int, datetime | None]]:
    """`(id, tries, wake_at)` of running games whose `advance` is due, the longest overdue first."""
    return session.execute(
        select(Game.id, Game.tries, Game.wake_at)
        .where(Game.state == GameState.RUNNING, Game.wake_at <= now)
        .order_by(Game.wake_at)
        .limit(limit)
    ).all()


def games_unfilled(session: Session, now: datetime, limit: int) -> Sequence[int]:
    """Games that have not begun and whose wait for players is over, the longest over first."""
    query = select(Game.id).where(Game.state == GameState.OPEN, Game.wake_at <= now).order_by(Game.wake_at).limit(limit)
    return session.scalars(query).all()


def drafts(session: Session, game_id: int, ply: int) -> dict[int, str]:
    """Return the newest draft that each seat's player has saved for one ply; one of whoever had it before is theirs."""
    rows = session.execute(
        select(StoredOrder.seat, StoredOrder.canonical)
        .join(Seat, and_(Seat.holds(StoredOrder), Seat.player_id == StoredOrder.player_id))
        .where(StoredOrder.game_id == game_id, StoredOrder.ply == ply, StoredOrder.kind == "draft")
        .order_by(StoredOrder.id)
    )
    return {row.seat: row.canonical for row in rows}


def scope_keys(session: Session, game_id: int, ply: int) -> tuple[str, str]:
    """Return the phase and round a game was in after a ply."""
    phase, round_ = of_ply(session, game_id, ply, StoredPly.phase, StoredPly.round)
    return phase, round_


def nudges_due(session: Session, now: datetime, limit: int) -> Sequence[Row[int, int]]:
    """`(decision, game)` of reminders whose time has come, the oldest first; of a question that has an answer none.

    Their time stays where it was: an answer taken back leaves the question as if there had been none.
    """
    return session.execute(
        select(OpenDecision.id, OpenDecision.game_id)
        .where(OpenDecision.nudge_at <= now, OpenDecision.order_id.is_(None))
        .order_by(OpenDecision.nudge_at)
        .limit(limit)
    ).all()


def letters_due(session: Session, now: datetime) -> bool:
    """Return whether any letter may leave now."""
    return any(
        is_any(session, Letter.state == "pending", Letter.lane == lane, Letter.next_try_at <= now) for lane in Lane
    )


def letters_abandoned(session: Session, since: datetime) -> bool:
    """Return whether a letter was claimed before `since` and never settled: its sender is gone."""
    return is_any(session, Letter.state == "claimed", Letter.claimed_at < since)


def organisers_about(session: Session, game: Game, about: int | None = None) -> list[Player]:
    """Who is told what a game needs: its organiser, or the club's others if it is `about` them or can't reach them.

    Nobody where there is no such person.
    """

    def told(player: Player | None) -> bool:
        return player is not None and player.id != about and player.address_state not in UNREACHABLE

    organiser = session.get(Player, game.organiser_id) if game.organiser_id else None
    if organiser is not None and told(organiser):
        return [organiser]
    others = (
        select(Player).join(Member).where(Member.at_present(club_id=game.club_id, role="organiser")).order_by(Player.id)
    )
    return [player for player in session.scalars(others) if told(player)] if game.club_id else []
