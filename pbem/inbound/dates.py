"""Days as people write them in a mail: "24 Dec to 2 Jan", "24.12.-2.1.", "2026-12-24 au 2027-01-02"."""

from __future__ import annotations

import functools
import re
from datetime import date, datetime, time, timedelta
from zoneinfo import ZoneInfo

from babel.dates import get_month_names

from pbem.engine.text.notation import fold
from pbem.messages import LANGUAGES

_YEARS = 2
"""How far from today a year may be: absences are shorter, and the calendar ends somewhere."""
_DAY = re.compile(
    r"(?P<year>\d{4})-(?P<m1>\d{1,2})-(?P<d1>\d{1,2})"
    r"|(?P<d2>\d{1,2})(?:st|nd|rd|th|er)?[ .]*(?P<name>[a-z]{3,})\.?(?: (?P<y2>\d{4}))?"
    r"|(?P<d3>\d{1,2})[./](?P<m3>\d{1,2})(?:[./](?P<y3>\d{2,4}))?"
)


@functools.cache
def _months() -> dict[str, int]:
    """Month names and their short forms in all languages, folded."""
    found: dict[str, int] = {}
    for language in LANGUAGES:
        for width in ("wide", "abbreviated"):
            for number, name in get_month_names(width, locale=language).items():
                found[fold(name)] = number
    return found


def _month(name: str) -> int | None:
    fits = {number for word, number in _months().items() if word.startswith(name[:4]) or name.startswith(word)}
    return fits.pop() if len(fits) == 1 else None


def _day(match: re.Match[str], today: date) -> date | None:
    """Return the day a match means; without a year the next one, counted from a month ago."""
    number = match["m1"] or match["m3"]
    month = int(number) if number else _month(match["name"])
    written = match["year"] or match["y2"] or match["y3"]
    year = int(written) + (2000 if written and len(written) < 4 else 0) if written else today.year  # noqa: PLR2004 - 26 for 2026
    if month is None:
        return None
    if abs(year - today.year) > _YEARS:
        return None
    try:
        day = date(year, month, int(match["d1"] or match["d2"] or match["d3"]))
        return day if written or day >= today - timedelta(days=31) else day.replace(year=year + 1)
    except ValueError:
        return None


def span(text: str, now: datetime, zone: ZoneInfo) -> tuple[datetime, datetime] | None:
    """The first and the end of the last day `text` names in `zone`; one day alone ends an absence that begins now.

    None if it names no days; days in the wrong order or too many are given as they stand, to be refused by name.
    """
    today = now.astimezone(zone).date()
    days = [_day(match, today) for match in _DAY.finditer(fold(text))]
    if not 1 <= len(days) <= 2 or None in days:  # noqa: PLR2004 - from and to
        return None
    known = [day for day in days if day is not None]
    first, last = (today, known[0]) if len(known) == 1 else (known[0], known[1])
    starts = max(now, datetime.combine(first, time(), zone).astimezone(now.tzinfo))
    ends = datetime.combine(last + timedelta(days=1), time(), zone).astimezone(now.tzinfo)
    return starts, ends
