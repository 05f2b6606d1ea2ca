"""Throwing away what nobody needs any more; never a game, an order or a ply."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from sqlalchemy import delete, select

from pbem.store.models import Code, Delivery, Inbound, Letter

if TYPE_CHECKING:
    from datetime import datetime

    from sqlalchemy.orm import Session

MAIL_KEPT = timedelta(days=90)
"""How long mail is kept after it was dealt with, in and out."""


def prune(session: Session, now: datetime) -> None:
    """Delete settled letters, mail that was worked, and old codes."""
    old = now - MAIL_KEPT
    letters = select(Letter.id).where(Letter.state.in_(("sent", "dropped", "failed")), Letter.created_at < old)
    for statement in (
        delete(Delivery).where(Delivery.letter_id.in_(letters)),
        delete(Letter).where(Letter.id.in_(letters)),
        delete(Inbound).where(Inbound.state != "new", Inbound.received_at < old),
        delete(Code).where(Code.expires_at < now - timedelta(days=1)),
    ):
        session.execute(statement.execution_options(synchronize_session=False))
