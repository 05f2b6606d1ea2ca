"""Throwing away what nobody needs any more; never a game, an order or a ply."""

from __future__ import annotations

from datetime import datetime, timedelta

from sqlalchemy import ColumnElement, delete, select
from sqlalchemy.orm import Session

from pbem.capabilities import forms
from pbem.store.models import Code, Delivery, HookCall, Inbound, Letter

MAIL_KEPT = timedelta(days=90)
"""How long mail is kept after it was dealt with, in and out, and what a webhook was told."""


BATCH = 1000
"""Rows of a table that one transaction deletes: nobody waits for it, and what was done stays done."""


def prune(session: Session, now: datetime, batch: int = BATCH) -> bool:
    """Delete settled letters, calls and mail, old codes and forms, some of each; return whether there may be more.

    The caller commits.
    """
    old = now - MAIL_KEPT
    settled = Letter.state.in_(("sent", "dropped", "failed")) & (Letter.created_at < old)
    letters = _oldest(session, Letter, settled, batch)
    mails = _oldest(session, Inbound, (Inbound.state != "new") & (Inbound.received_at < old), batch)
    calls = _oldest(session, HookCall, (HookCall.state != "pending") & (HookCall.created_at < old), batch)
    for statement in (
        delete(Delivery).where(Delivery.letter_id.in_(letters)),
        delete(Letter).where(Letter.id.in_(letters)),
        delete(Inbound).where(Inbound.id.in_(mails)),
        delete(HookCall).where(HookCall.id.in_(calls)),
        delete(Code).where(Code.expires_at < now - timedelta(days=1)),
    ):
        session.execute(statement.execution_options(synchronize_session=False))
    forms.forget_old(session, now)
    return bool(letters or mails or calls)


def _oldest(
    session: Session, table: type[Letter | Inbound | HookCall], done: ColumnElement[bool], batch: int
) -> list[int]:
    """Those of a table's first rows that are `done` with: rows are as old as their numbers, so none behind is read."""
    rows = session.execute(select(table.id, done.label("done")).order_by(table.id).limit(batch))
    return [row.id for row in rows if row.done]
