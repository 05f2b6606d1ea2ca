"""What happens around the board: talk, private notes, absences, sitters, and proposals everybody votes on."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import BindParameter, ColumnElement, ForeignKey, Index, UniqueConstraint, and_, exists, or_
from sqlalchemy.orm import Mapped, mapped_column

from pbem.store.models.columns import (
    Endable,
    Number,
    State,
    TableRow,
    ToGame,
    ToPlayer,
    ToPlayerKnown,
    When,
    WhenKnown,
    Word,
    Words,
    partial,
    secret_column,
)
from pbem.store.models.games import UNDERWAY, Game, OpenDecision, Seat


class Absence(TableRow):
    """Days a player has announced to be away; their clock stands still."""

    __tablename__ = "absences"
    __table_args__ = (Index(None, "player_id", "ends"),)

    player_id: Mapped[ToPlayer]
    starts: Mapped[When]
    ends: Mapped[When]
    note: Mapped[Words] = secret_column()
    created_at: Mapped[When]


class Sitter(Endable, TableRow):
    """Somebody who may answer for a seat for a while, with what its player told them."""

    __tablename__ = "sitters"
    __table_args__ = (
        Index(None, "game_id", "seat"),
        Index(None, "player_id"),
        partial("ix_sitters_in_force", "ends", where="ended_at IS NULL"),
    )

    game_id: Mapped[ToGame]
    seat: Mapped[int]
    player_id: Mapped[ToPlayer]
    """Who sits in."""
    handover: Mapped[Words] = secret_column()
    starts: Mapped[When]
    ends: Mapped[When]
    ended_at: Mapped[WhenKnown]

    @classmethod
    def lasts(cls, now: datetime | BindParameter[datetime]) -> ColumnElement[bool]:
        """Return the condition for who sits in now or will."""
        return and_(cls.__table__.c.ends > now, cls.in_force())

    @classmethod
    def at_present(cls, now: datetime | BindParameter[datetime]) -> ColumnElement[bool]:
        """Return the condition for who sits in now."""
        return and_(cls.__table__.c.starts <= now, cls.lasts(now))


class Talk(TableRow):
    """A word to the table, or to one seat."""

    __tablename__ = "talk"
    __table_args__ = (Index(None, "game_id", "created_at"),)

    game_id: Mapped[ToGame]
    seat: Mapped[int | None]
    player_id: Mapped[ToPlayerKnown]
    to_seat: Mapped[int | None]
    """None: everybody."""
    text: Mapped[Words] = secret_column()
    created_at: Mapped[When]


class Note(TableRow):
    """Somebody's private notebook of a seat: who takes the seat over begins one of their own."""

    __tablename__ = "notes"
    __table_args__ = (UniqueConstraint("game_id", "seat", "player_id"), Index(None, "player_id"))

    game_id: Mapped[ToGame]
    seat: Mapped[int]
    player_id: Mapped[ToPlayerKnown]
    text: Mapped[Words] = secret_column()
    updated_at: Mapped[When]


class Proposal(TableRow):
    """Something the seats vote on: going back to an earlier ply, ending the game, replacing somebody who stalls."""

    __tablename__ = "proposals"
    __table_args__ = (Index(None, "game_id", "state"),)

    game_id: Mapped[ToGame]
    kind: Mapped[Word]
    """rewind, end, replace."""
    to_ply: Mapped[int | None]
    seat: Mapped[int | None]
    """The one to be replaced."""
    player_id: Mapped[ToPlayerKnown]
    reason: Mapped[Words]
    state: Mapped[State] = mapped_column(default="open")
    """open, agreed, refused, expired."""
    created_at: Mapped[When]
    expires_at: Mapped[When]

    @classmethod
    def is_open(cls, now: datetime) -> ColumnElement[bool]:
        """Return whether it can still be voted on: in its time, its game under way, not about a seat that has answered.

        Nor about one that has another holder since. A secret answer ends no vote: nobody may know who was asked.
        """
        answered = exists().where(OpenDecision.answers_since(cls), ~OpenDecision.secret).correlate(cls)
        under_way = exists().where(Game.id == cls.game_id, Game.state.in_(UNDERWAY)).correlate(cls)
        changed = or_(Seat.joined_at > cls.created_at, Seat.resigned_at > cls.created_at)
        given = exists().where(Seat.holds(cls), changed).correlate(cls)
        return and_(cls.state == "open", cls.expires_at > now, under_way, ~answered, ~given)


class Vote(TableRow):
    """One seat's answer to a proposal."""

    __tablename__ = "votes"
    __table_args__ = (UniqueConstraint("proposal_id", "seat"),)

    proposal_id: Mapped[int] = mapped_column(Number, ForeignKey("proposals.id"))
    seat: Mapped[int]
    yes: Mapped[bool]
    at: Mapped[When]

    @classmethod
    def binds(cls) -> ColumnElement[bool]:
        """Return the condition for votes of who holds the joined seat, not of whoever held it before."""
        return and_(cls.seat == Seat.seat, or_(Seat.joined_at.is_(None), cls.at >= Seat.joined_at))
