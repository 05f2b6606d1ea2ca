"""The one place that tells the time, and what zones there are; everything else is handed `now`."""

from __future__ import annotations

import os
from datetime import UTC, datetime, timedelta
from functools import cache
from pathlib import Path
from zoneinfo import available_timezones

OFFSET_FILE = "PBEM_TEST_CLOCK"
"""Environment variable of test configurations only: a file whose text is the seconds to add, in every process."""


def now() -> datetime:
    """The present moment, aware, in UTC; moved by the seconds in the file `PBEM_TEST_CLOCK` names, if it is set."""
    moment = datetime.now(UTC)
    path = os.environ.get(OFFSET_FILE)
    if path:
        moment += timedelta(seconds=float(Path(path).read_text(encoding="ascii") or "0"))
    return moment


@cache
def zone_names() -> frozenset[str]:
    """Return the names of all time zones there are; asked of Python each time, it would open six hundred files."""
    return frozenset(available_timezones())
