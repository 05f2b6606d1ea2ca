"""How many of something one person, club or address gets, counted by one at a time. Tests find each by its type."""

from __future__ import annotations

from datetime import datetime, timedelta

from sqlalchemy import text
from sqlalchemy.orm import Session

from pbem.structs import Value


class Budget(Value):
    """At most so many in such a time."""

    most: int
    per: timedelta
    refuses: bool = False
    """For letters: whether the button is refused with them; else its news stands on the pages, and only they stop."""

    def since(self, now: datetime) -> datetime:
        """Return from when on those before count."""
        return now - self.per

    def period(self, now: datetime) -> int:
        """Return the number of the span of time that `now` is in, for the cause of a letter that goes once in each."""
        return int(now.timestamp() / self.per.total_seconds())


_LOCK = text(
    "SELECT pg_advisory_xact_lock(hashtext('pbem.budgets'), number) FROM ("
    "SELECT DISTINCT hashtext(name) & 1023 AS number FROM unnest(CAST(:names AS text[])) AS name ORDER BY number"
    ") AS numbers"
)
"""At most 1,024 of them, whatever is counted: PostgreSQL keeps a few thousand for all transactions together. In their
order, so that two who want several don't wait for each other.
"""


def lock(session: Session, *names: str) -> None:
    """Wait until nobody else counts what is called so, before counting it: two at once would each see the other's room.

    Held until the transaction ends. On SQLite one transaction writes at a time anyway.
    """
    if session.get_bind().dialect.name == "postgresql":
        session.execute(_LOCK, {"names": list(names)})
