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
    r"|(?P<d2>\d{1,2})(?:st|nd|rd|th|er)?[ .]*(?:of |di |de )?(?P<name>[a-z]{3,})\.?(?:,? (?P<y2>\d{4}))?"
    r"|(?P<d3>\d{1,2})[./](?P<m3>\d{1,2})(?:[./](?P<y3>\d{2,4}))?"
)
_ONE_MONTH = re.compile(
    r"(?<![\d./-])(?P<first>\d{1,2})(?:st|nd|rd|th|er)?\.? ?"
    r"(?:-|\b(?:to|till|until|through|and|al|e|fino al|au|et|jusqu'au)\b) ?(?:the )?"
    r"(?=\d{1,2}(?P<month>(?:st|nd|rd|th|er)?[ .]*(?:of |di |de )?[a-z]{3,}\.?(?:,? \d{4})?"
    r"|[./]\d{1,2}(?:[./]\d{2,4})?))"
)
"""A first day that leaves its month to the second one: "3-5 May", "dal 3 al 5 maggio", "3.-5.5."."""
_CLOCK = re.compile(r"\b\d{1,2}(?:[:h]\d{0,2}(?: ?[ap]m)?| ?[ap]m)\b")
"""A time of day, which is passed over: absences are of whole days."""
_UNTIL = re.compile(r"\b(?:until|till?|through|to|back|fino|al|torno|jusqu'au|au|retour|bis)\b")
_FROM = re.compile(r"\b(?:from|since|after|starting|dal|da|du|des|depuis|a partir|ab)\b")
_NEGATED = re.compile(r"\b(?:not|no|non|ne|pas)\b")


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
    """The first and the end of the last day `text` names in `zone`.

    One day alone is that day; `until` one, an absence that begins now. None if it names no days, or says more of them
    than can be read; days in the wrong order or too many are given as they stand, to be refused by name.
    """
    today, folded = now.astimezone(zone).date(), _CLOCK.sub(" ", fold(text))
    folded = _ONE_MONTH.sub(lambda found: f"{found['first']}{found['month']} - ", folded)
    days = [_day(match, today) for match in _DAY.finditer(folded)]
    left = _DAY.sub(" ", folded)
    known = [day for day in days if day is not None]
    if not 1 <= len(known) <= 2 or len(known) < len(days) or re.search(r"\d", left) or _NEGATED.search(left):  # noqa: PLR2004 - from and to
        return None
    if len(known) == 1 and not _UNTIL.search(left) and _FROM.search(left):
        return None
    first = today if len(known) == 1 and _UNTIL.search(left) else known[0]
    starts = max(now, datetime.combine(first, time(), zone).astimezone(now.tzinfo))
    ends = datetime.combine(known[-1] + timedelta(days=1), time(), zone).astimezone(now.tzinfo)
    return starts, ends
