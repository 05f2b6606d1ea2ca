"""Mail that came in is stored raw before anybody looks at it, and what nothing was found in is shown to its writer."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime, timedelta

import msgspec
from sqlalchemy import and_, or_, select
from sqlalchemy.orm import Session

from pbem.mail import incoming
from pbem.mail.incoming import Mail
from pbem.store import unit_of_work
from pbem.store.models import Inbound, Seat
from pbem.store.queries import common
from pbem.structs import Value

_SHOWN_FOR = timedelta(days=14)
_SHOWN = 3
"""Unread mails their writer is shown: how old, and how many."""
UNKNOWN = "?"
"""The envelope's sender where the door doesn't know it."""


class WorkedMail(msgspec.Struct):
    """One mail being worked: its row, and what was read of it."""

    session: Session
    now: datetime
    row: Inbound
    mail: Mail

    def mark(self, state: str, kind: str, note: str = "") -> None:
        """Write down what became of it, and what it turned out to be."""
        self.row.state, self.row.kind, self.row.note = state, kind, note


class Unread(Value):
    """A player's mail in which no order was found."""

    at: datetime
    text: str


def unread(session: Session, now: datetime, players: Collection[int], seats: Collection[int]) -> tuple[Unread, ...]:
    """Return the last mails of these players, or to these seats from who holds them now, in which no order was found.

    Newest first; what the player wrote, without the letter they quote.
    """
    rows = session.execute(
        select(Inbound.received_at, Inbound.note)
        .outerjoin(Seat, Seat.id == Inbound.seat_id)
        .where(
            Inbound.kind == "unread",
            Inbound.state == "done",
            Inbound.received_at > now - _SHOWN_FOR,
            or_(
                Inbound.player_id.in_(players),
                and_(Inbound.seat_id.in_(seats), Inbound.player_id == Seat.player_id),
            ),
        )
        .order_by(Inbound.id.desc())
        .limit(_SHOWN)
    )
    return tuple(Unread(at, text) for at, text in rows)


def receive(  # noqa: PLR0913 - what a door knows of a mail
    session: Session, raw: bytes, recipient: str, now: datetime, *, sender: str | None = None, source: str = "webhook"
) -> int | None:
    """Keep one mail for one recipient; its number, or None if it is there already. The caller commits.

    `sender` is the envelope's: "" for the null sender, None where the door doesn't know it. Raises Unreadable for a
    mail over the limit.
    """
    if len(raw) > incoming.MAX_MAIL:
        raise incoming.Unreadable(f"The mail has {len(raw)} bytes; at most {incoming.MAX_MAIL} are taken.")
    values = {
        "message_id": incoming.message_id(raw),
        "sender": UNKNOWN if sender is None else _storable(sender.strip("<> ")),
        "recipient": _storable(recipient.strip().lower()),
        "source": source,
        "raw": raw,
        "next_try_at": now,
        "received_at": now,
    }
    number: int | None = session.scalar(common.insert_new(session, Inbound).values(values).returning(Inbound.id))
    unit_of_work.made_due(session, unit_of_work.Work.MAIL)
    return number


def _storable(address: str) -> str:
    """Return an address without what no database keeps, which no real one holds: NUL, and halves of characters."""
    return "".join(filter(str.isprintable, address))[:254]
