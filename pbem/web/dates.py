"""Days and hours as people write them in forms, in their own time zone."""

from __future__ import annotations

import re
from datetime import date, datetime, time, timedelta
from zoneinfo import ZoneInfo

from pbem.errors import WrongInput

_FIRST, _LAST = 2000, 2200
NO_TIME = -1
"""What a time of day that can't be read becomes, so that it is refused in words."""


def minutes(text: str) -> int:
    """Minutes after midnight of `07:30`; NO_TIME for what is no time."""
    found = re.fullmatch(r"([01]?[0-9]|2[0-4]):([0-5][0-9])", text.strip())
    return int(found[1]) * 60 + int(found[2]) if found else NO_TIME


def refuse_strange(day: date, word: str) -> None:
    """Raise WrongInput for a day, written `word`, in centuries that can't be reckoned with in every time zone."""
    if not _FIRST <= day.year <= _LAST:
        raise WrongInput("{word!r} is no day: write it like 2027-01-31.", word=word)


def day(text: str, zone: str, *, end: bool = False) -> datetime:
    """Return the beginning of a local day, or its end. Raises WrongInput for what is no day."""
    try:
        found = date.fromisoformat(text.strip())
    except ValueError:
        found = date.min
    refuse_strange(found, text)
    return datetime.combine(found + timedelta(days=int(end)), time(), ZoneInfo(zone))
