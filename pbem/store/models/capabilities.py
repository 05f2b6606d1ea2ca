"""What lets somebody act beside a link: each with a purpose, a holder, a scope, an end, and what it was derived from.

Links, feeds and reply addresses are signed, not stored: they say the same things themselves.
"""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import BindParameter, ColumnElement, ForeignKey, Index, String, and_
from sqlalchemy.orm import Mapped, mapped_column

from pbem.store.models.club import Player
from pbem.store.models.columns import (
    Name,
    Number,
    State,
    TableRow,
    ToClubKnown,
    ToPlayer,
    When,
    WhenKnown,
    Word,
    partial,
    secret_column,
)


class Capability(TableRow):
    """A browser somebody acted from, a key for programs, or a form that was sent; only its digest is kept."""

    __tablename__ = "capabilities"
    __table_args__ = (Index(None, "player_id"),)

    purpose: Mapped[Word]
    """browser, form, key."""
    player_id: Mapped[ToPlayer]
    epoch: Mapped[int] = secret_column()
    """The holder's when it was issued: raising theirs ends it."""
    club_id: Mapped[ToClubKnown]
    seat_id: Mapped[int | None] = mapped_column(Number, ForeignKey("seats.id"))
    """What it speaks for; without club and seat, everything of the holder's."""
    name: Mapped[Name]
    """What it is called; of a form, where it led."""
    digest: Mapped[str] = secret_column(String(64), unique=True)
    created_at: Mapped[When]
    expires_at: Mapped[When]
    used_at: Mapped[WhenKnown]
    proved_until: Mapped[WhenKnown]
    """Until when a browser is known to belong to who reads the person's mail."""
    revoked_at: Mapped[WhenKnown]

    @classmethod
    def is_live(cls, now: datetime | BindParameter[datetime]) -> ColumnElement[bool]:
        """Return the condition, beside its holder, for what was neither revoked nor ended by its time or a renewal."""
        return and_(cls.revoked_at.is_(None), cls.expires_at > now, cls.epoch == Player.epoch)


class AddressChange(TableRow):
    """A person's wish to get their letters elsewhere."""

    __tablename__ = "address_changes"
    __table_args__ = (
        Index(None, "player_id"),
        Index(None, "address"),
        partial("ix_address_changes_confirmed", "takes_effect_at", where="state = 'confirmed'"),
    )

    player_id: Mapped[ToPlayer]
    epoch: Mapped[int] = secret_column()
    """The person's when they asked: raising it ends the request."""
    address: Mapped[str] = secret_column(String(254))
    """Where letters are to go once it is confirmed."""
    state: Mapped[State] = mapped_column(default="open")
    """open, confirmed (the new address said yes, the wait runs), done, stopped."""
    asked_at: Mapped[When]
    expires_at: Mapped[When]
    takes_effect_at: Mapped[WhenKnown]
    """The end of the wait, once the new address said yes."""
