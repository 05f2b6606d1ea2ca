"""How many of something one person, club or address gets in a time. Tests find every budget by its type."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

if TYPE_CHECKING:
    from datetime import datetime, timedelta


class Budget(msgspec.Struct, frozen=True):
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
