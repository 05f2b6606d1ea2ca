"""Forms that make something new, and may be sent once: a second tap or a page sent again leads where the first led."""

from __future__ import annotations

from datetime import datetime, timedelta

from sqlalchemy import delete, select
from sqlalchemy.orm import Session

from pbem import budgets
from pbem.store.models import Capability

FORM = "form"
KEPT = timedelta(days=1)
"""How long a form that was sent is known; a page as old as that is not sent again by a slip."""


def led(session: Session, digest: str) -> str | None:
    """Return where a form led that was sent before; None for one that was not. Waits for one sent at this moment.

    Else a second tap would be refused by what the first did, and told that instead of where it led.
    """
    budgets.lock(session, digest)
    return session.scalar(select(Capability.name).where(Capability.digest == digest, Capability.purpose == FORM))


def note(session: Session, now: datetime, player_id: int, digest: str, where: str) -> None:
    """Note that a person's form was sent and led to the page `where`."""
    session.add(
        Capability(
            purpose=FORM,
            player_id=player_id,
            epoch=0,
            name=where,
            digest=digest,
            created_at=now,
            expires_at=now + KEPT,
            used_at=now,
        )
    )
    session.flush()


def forget_old(session: Session, now: datetime) -> None:
    """Forget the forms of before yesterday."""
    session.execute(
        delete(Capability)
        .where(Capability.purpose == FORM, Capability.expires_at < now)
        .execution_options(synchronize_session=False)
    )
