"""Clubs and people: who plays where, how they are reached, and what was done in whose name."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import ColumnElement, Index, String, UniqueConstraint, and_
from sqlalchemy.orm import Mapped, mapped_column

from pbem.store.models.columns import (
    Count,
    Digest,
    Flag,
    List,
    Name,
    State,
    Table,
    TableRow,
    ToClub,
    ToClubKnown,
    ToGameKnown,
    ToPlayer,
    ToPlayerKnown,
    When,
    WhenKnown,
    Word,
    Words,
    partial,
    secret_column,
)


class Club(TableRow):
    """A group of players with its organisers."""

    __tablename__ = "clubs"

    slug: Mapped[str] = mapped_column(String(64), unique=True)
    name: Mapped[Name]
    language: Mapped[Word] = mapped_column(default="en")
    settings: Mapped[Table]
    created_at: Mapped[When]


UNREACHABLE = frozenset({"bounced", "complained", "erased"})
"""Address states in which a person can't be reached, so that their clock rests for a while."""
MAIL_COMES_BACK = frozenset({"soft", "bounced", "complained"})
"""Address states of which an organiser is told that mail comes back."""


class Player(TableRow):
    """A person. Erased on demand: the row stays for old games, the address and the name go."""

    __tablename__ = "players"

    address: Mapped[str | None] = secret_column(String(254), unique=True)
    """In lower case; None once erased."""
    address_state: Mapped[Word] = mapped_column(default="new")
    """new (never accepted anything), good, soft (bounced for now), bounced, complained, erased."""
    name: Mapped[Name]
    language: Mapped[Word] = mapped_column(default="en")
    zone: Mapped[str] = mapped_column(String(64), default="UTC")
    wakes: Mapped[int] = mapped_column(default=8 * 60)
    """Waking hours begin so many minutes after local midnight."""
    sleeps: Mapped[int] = mapped_column(default=23 * 60)
    """Waking hours end so many minutes after local midnight; before `wakes` for those who live by night."""
    weekends: Mapped[bool] = mapped_column(default=True)
    """Whether Saturday and Sunday count as playing time."""
    quiet: Mapped[Flag]
    """Whether letters wait for the waking hours."""
    digest_hour: Mapped[int | None]
    """The local hour of one letter a day instead of single ones."""
    kinds_off: Mapped[List]
    """Kinds of letter this person doesn't want."""
    rated: Mapped[bool] = mapped_column(default=True)
    """Whether this person takes part in ratings."""
    epoch: Mapped[Count] = secret_column()
    """Raised to revoke every link to this person's queue."""
    feeds: Mapped[Count] = secret_column()
    """Raised to revoke the addresses of this person's calendar and feeds alone."""
    away_until: Mapped[WhenKnown]
    """The end of the last absence announced: before it, the absences themselves are looked up."""
    accepted_at: Mapped[WhenKnown]
    """When the person first answered from this address: before that, only one invitation goes there."""
    created_at: Mapped[When]

    def answers(self, now: datetime) -> None:
        """Note that somebody answered from this address."""
        self.accepted_at = self.accepted_at or now
        if self.address_state == "new":
            self.address_state = "good"


class Member(TableRow):
    """A person's place in a club."""

    __tablename__ = "members"
    __table_args__ = (UniqueConstraint("club_id", "player_id"), Index(None, "player_id"))

    club_id: Mapped[ToClub]
    player_id: Mapped[ToPlayer]
    role: Mapped[Word] = mapped_column(default="player")
    """player or organiser."""
    joined_at: Mapped[When]
    left_at: Mapped[WhenKnown]

    @classmethod
    def at_present(cls, **columns: object) -> ColumnElement[bool]:
        """Return the condition for who belongs to a club now, where these columns have these values."""
        return and_(cls.left_at.is_(None), *(getattr(cls, name) == value for name, value in columns.items()))


class Invitation(TableRow):
    """A place offered, in a club or at a table, until it is answered or expires."""

    __tablename__ = "invitations"
    __table_args__ = (
        Index(None, "player_id"),
        Index(None, "game_id"),
        partial("ix_invitations_open", "expires_at", where="state = 'pending'"),
    )

    club_id: Mapped[ToClubKnown]
    game_id: Mapped[ToGameKnown]
    seat: Mapped[int | None]
    player_id: Mapped[ToPlayer]
    inviter_id: Mapped[ToPlayerKnown]
    role: Mapped[Word] = mapped_column(default="player")
    invited_as: Mapped[Name] = mapped_column(default="")
    """What its inviter called the person, whatever they call themselves in other clubs; empty before 1.1."""
    state: Mapped[State] = mapped_column(default="pending")
    """pending, accepted, declined, expired, withdrawn."""
    epoch: Mapped[Count] = secret_column()
    """The invited person's when it was written: raising theirs ends the link in its letter."""
    expires_at: Mapped[When]
    created_at: Mapped[When]
    answered_at: Mapped[WhenKnown]

    @classmethod
    def is_open(cls, now: datetime) -> ColumnElement[bool]:
        """Return the condition for what can still be accepted."""
        return and_(cls.state == "pending", cls.expires_at > now)


class Code(TableRow):
    """A mailed one-time code that confirms a dangerous act; only its digest is kept."""

    __tablename__ = "codes"
    __table_args__ = (Index(None, "player_id"),)

    player_id: Mapped[ToPlayer]
    purpose: Mapped[Name]
    digest: Mapped[Digest] = secret_column()
    expires_at: Mapped[When]
    tries: Mapped[Count]
    used_at: Mapped[WhenKnown]


class Audit(TableRow):
    """What was done outside the rules: who, what, why, and who may read it."""

    __tablename__ = "audit_log"
    __table_args__ = (Index(None, "game_id"), Index(None, "club_id", "at"))

    at: Mapped[When]
    player_id: Mapped[ToPlayerKnown]
    """None: the server itself."""
    club_id: Mapped[ToClubKnown]
    game_id: Mapped[ToGameKnown]
    act: Mapped[Word]
    reason: Mapped[Words]
    details: Mapped[Table] = secret_column()
    public: Mapped[Flag]
    """Whether everybody at the table is shown it."""
    undo_until: Mapped[WhenKnown]


class Pulse(TableRow):
    """When each sweep last ran: what /readyz looks at, and how the server knows that it was down."""

    __tablename__ = "pulses"

    name: Mapped[str] = mapped_column(String(40), unique=True)
    at: Mapped[When]
