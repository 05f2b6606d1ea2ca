"""Mail as rows: what is to go out, what became of it, and what came in."""

from __future__ import annotations

from enum import IntEnum

from sqlalchemy import ForeignKey, Index, SmallInteger, String, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from pbem.store.models.columns import (
    Blob,
    Count,
    Number,
    State,
    Table,
    TableRow,
    ToClubKnown,
    ToGameKnown,
    ToPlayerKnown,
    When,
    WhenKnown,
    Word,
    Words,
    partial,
    secret_column,
)


class Lane(IntEnum):
    """In which order letters that are due leave; each lane for itself goes by its moments."""

    ANSWER = 0
    """It answers what somebody just did."""
    MOVED = 1
    """It tells what came of what people did: somebody is at it."""
    CLOCK = 2
    """A clock caused it, and may have caused thousands at once: a deadline, a reminder's hour, the day's digest."""


class Letter(TableRow):
    """A mail we owe somebody: the outbox. Written in the transaction that causes it, composed when it is sent."""

    __tablename__ = "letters"
    __table_args__ = (
        Index(None, "state", "lane", "next_try_at"),
        Index(None, "game_id", "ply"),
        Index(None, "player_id", "created_at"),
    )

    cause: Mapped[str] = mapped_column(String(120), unique=True)
    """What it is about: game, ply, seat, kind and cause in one word, so that each cause has one letter."""
    kind: Mapped[Word]
    game_id: Mapped[ToGameKnown]
    ply: Mapped[int | None]
    """The ply resolved last when it was written: it tells of no later one."""
    seat: Mapped[int | None]
    player_id: Mapped[ToPlayerKnown]
    club_id: Mapped[ToClubKnown]
    address: Mapped[str | None] = secret_column(String(254))
    """Where it goes instead of the player's own address: to prove a new one."""
    order_id: Mapped[int | None] = mapped_column(Number)
    mail_id: Mapped[int | None] = mapped_column(Number)
    data: Mapped[Table] = secret_column()
    message_id: Mapped[str] = secret_column(String(120))
    """The part before the @, minted with the row: the same on every try, so that a second copy folds in the mailbox."""
    state: Mapped[State] = mapped_column(default="pending")
    """pending, claimed, sent, failed (for good), dropped (no longer true, or not wanted)."""
    lane: Mapped[int] = mapped_column(SmallInteger, default=Lane.MOVED)
    """Whom it overtakes: what is in a lower lane leaves first."""
    next_try_at: Mapped[When]
    """Not before this moment."""
    attempts: Mapped[Count]
    claimed_at: Mapped[WhenKnown]
    claim: Mapped[Word]
    sent_at: Mapped[WhenKnown]
    last_error: Mapped[Words] = secret_column()
    created_at: Mapped[When]


class Delivery(TableRow):
    """What became of a letter, as far as other servers and the reader's links tell."""

    __tablename__ = "deliveries"
    __table_args__ = (Index(None, "letter_id"),)

    letter_id: Mapped[int] = mapped_column(Number, ForeignKey("letters.id"))
    state: Mapped[State]
    """accepted, deferred, bounced, complained, opened."""
    detail: Mapped[Words] = secret_column()
    at: Mapped[When]


class Inbound(TableRow):
    """A mail that came in, kept raw before anybody looks at it."""

    __tablename__ = "inbound_mails"
    __table_args__ = (
        UniqueConstraint("message_id", "recipient"),
        partial("ix_inbound_mails_new", "next_try_at", where="state = 'new'"),
        Index(None, "player_id"),
    )

    message_id: Mapped[str] = secret_column(String(250))
    """The mail's own, or the digest of its text where it has none."""
    sender: Mapped[str] = secret_column(String(254), default="")
    """The envelope's sender; empty for the null sender."""
    recipient: Mapped[str] = secret_column(String(254))
    source: Mapped[Word]
    """smtp, lmtp, imap, webhook, cli."""
    raw: Mapped[Blob] = secret_column()
    state: Mapped[State] = mapped_column(default="new")
    """new, done, ignored, failed."""
    kind: Mapped[Word]
    """What it turned out to be: order, command, bounce, automatic, complaint, own, unread."""
    seat_id: Mapped[int | None] = mapped_column(Number)
    player_id: Mapped[ToPlayerKnown]
    note: Mapped[Words] = secret_column()
    attempts: Mapped[Count]
    next_try_at: Mapped[When]
    received_at: Mapped[When]
    done_at: Mapped[WhenKnown]
