"""Days as people write them in a mail: "24 Dec to 2 Jan", "May 3-5", "2026-12-24 au 2027-01-02", "until Tuesday"."""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Mapping
from datetime import date, datetime, time, timedelta
from zoneinfo import ZoneInfo

from babel.dates import get_day_names, get_month_names

from pbem.engine.text.notation import fold
from pbem.mail.reply import AHEAD, NEXT_WEEK
from pbem.messages import LANGUAGES

_YEARS = 2
"""How far from today a year may be: absences are shorter, and the calendar ends somewhere."""
_ONE_MONTH = re.compile(
    r"(?<![\d./-])(?P<first>\d{1,2})(?:st|nd|rd|th|er)?\.? ?"
    r"(?:-|\b(?:to|till|until|through|and|al|e|fino al|au|et|jusqu'au)\b) ?(?:the )?"
    r"(?=\d{1,2}(?P<month>(?:st|nd|rd|th|er)?[ .]*(?:of |di |de )?[a-z]{3,}\.?(?:,? \d{4})?"
    r"|[./]\d{1,2}(?:[./]\d{2,4})?))"
)
"""A first day that leaves its month to the second one: "3-5 May", "dal 3 al 5 maggio", "3.-5.5."."""
_CLOCK = re.compile(r"\b\d{1,2}(?:[:h]\d{0,2}(?: ?[ap]m)?| ?[ap]m)\b")
"""A time of day, which is passed over: absences are of whole days."""
_UNTIL = re.compile(r"\b(?:until|till?|through|to|back|fino|al|torno|jusqu'au?|au|retour|bis)\b")
_FROM = re.compile(r"\b(?:from|since|after|starting|dal|da|du|des|depuis|a partir|ab)\b")
_NEXT_WEEK = re.compile(rf"\b(?:{NEXT_WEEK})\b")
_VAGUE = re.compile(r"\b(?:next|last|prossim[oa]|scors[oa]|prochaine?|derniere?|passee?)\b")
"""Before or behind a weekday: people don't agree which one is the next."""
_OPEN = re.compile(
    r"\b(?:not|no|non|ne|pas|or|o|oppure|ou|maybe|forse|peut-etre|about|around|circa|environ|before|prima|avant|except"
    r"|tranne|sauf|week(?:s|-?end)?|settiman[ae]|semaines?|months?|mes[ei]|mois)\b"
)
"""What takes days back, leaves them open, or means more of them."""


@functools.cache
def _names(of: Callable[..., Mapping[int, str]]) -> dict[str, int]:
    """Names of months or weekdays and their short forms in all languages, folded."""
    wide = ((width, language) for language in LANGUAGES for width in ("wide", "abbreviated"))
    return {fold(name): number for width, language in wide for number, name in of(width, locale=language).items()}


def _any(of: Callable[..., Mapping[int, str]]) -> str:
    return rf"\b(?:{'|'.join(sorted(_names(of), key=len, reverse=True))})\b"


@functools.cache
def _day_pattern() -> re.Pattern[str]:
    """Return what one day looks like: a date, with its weekday or without, or a weekday alone."""
    return re.compile(
        rf"(?:(?P<weekday>{_any(get_day_names)})\.?,? (?:the |il |le )?)?"
        r"(?:(?P<year>\d{4})-(?P<m1>\d{1,2})-(?P<d1>\d{1,2})"
        rf"|(?P<month>{_any(get_month_names)})\.? (?:the )?(?P<d4>\d{{1,2}})(?:st|nd|rd|th)?\b(?:,? (?P<y4>\d{{4}}))?"
        r"|(?P<d2>\d{1,2})(?:st|nd|rd|th|er)?[ .]*(?:of |di |de )?(?P<name>[a-z]{3,})\.?(?:,? (?P<y2>\d{4}))?"
        r"|(?P<d3>\d{1,2})[./](?P<m3>\d{1,2})(?:[./](?P<y3>\d{2,4}))?)"
        rf"|(?P<alone>{_any(get_day_names)})"
    )


@functools.cache
def _month_first() -> re.Pattern[str]:
    """Return how two days of one month look behind its name: "May 3-5"."""
    return re.compile(
        rf"(?P<month>{_any(get_month_names)})\.? (?P<first>\d{{1,2}})(?:st|nd|rd|th)? ?"
        r"(?:-|\b(?:to|till|until|through|and|al|au|et)\b) ?(?:the )?(?=\d{1,2}(?:st|nd|rd|th)?\b"
        rf"(?![./-]| (?:of |di |de )?{_any(get_month_names)}))"
    )


def _month(name: str) -> int | None:
    months = _names(get_month_names).items()
    fits = {number for word, number in months if word.startswith(name[:4]) or name.startswith(word)}
    return fits.pop() if len(fits) == 1 else None


def _day(match: re.Match[str], today: date, after: date | None) -> date | None:
    """Return the day a match means, None for none; one without a year is the next `after` the day before it.

    Without one before it is counted from a month ago; a weekday that is today's may be meant for a week later.
    """
    weekdays = _names(get_day_names)
    if match["alone"]:
        ahead = (weekdays[match["alone"]] - (after or today).weekday()) % 7
        return (after or today) + timedelta(days=ahead or 7) if ahead or after else None
    number, name = match["m1"] or match["m3"], match["name"] or match["month"]
    month = int(number) if number else _month(name)
    written = match["year"] or match["y2"] or match["y3"] or match["y4"]
    year = int(written) + (2000 if written and len(written) < 4 else 0) if written else (after or today).year  # noqa: PLR2004 - 26 for 2026
    if month is None or abs(year - today.year) > _YEARS:
        return None
    try:
        day = date(year, month, int(match["d1"] or match["d2"] or match["d3"] or match["d4"]))
        if not written and day < (after or today - timedelta(days=31)):
            day = day.replace(year=year + 1)
    except ValueError:
        return None
    return day if match["weekday"] is None or weekdays[match["weekday"]] == day.weekday() else None


def _in_dates(folded: str, today: date) -> str:
    """Return folded text with days counted from today as dates, and each day of a month with its name."""
    monday = today + timedelta(days=7 - today.weekday())
    folded = _NEXT_WEEK.sub(f"{monday} - {monday + timedelta(days=6)}", _CLOCK.sub(" ", folded))
    for words, ahead in AHEAD:
        folded = re.sub(rf"\b(?:{words})\b", str(today + timedelta(days=ahead)), folded)
    folded = _month_first().sub(lambda found: f"{found['month']} {found['first']} - {found['month']} ", folded)
    return _ONE_MONTH.sub(lambda found: f"{found['first']}{found['month']} - ", folded)


def span(text: str, now: datetime, zone: ZoneInfo) -> tuple[datetime, datetime] | None:
    """The first and the end of the last day `text` names in `zone`.

    One day alone is that day; `until` one, an absence that begins now. None if it names no days, or says more of them
    than can be read; days in the wrong order or too many are given as they stand, to be refused by name.
    """
    today = now.astimezone(zone).date()
    said = fold(text)
    folded = _in_dates(said, today)
    left = _day_pattern().sub(" ", folded)
    known: list[date] = []
    for match in _day_pattern().finditer(folded):
        day = _day(match, today, known[-1] if known else None)
        if day is None or (match["alone"] and _VAGUE.search(left)):
            return None
        known.append(day)
    says_until = bool(_UNTIL.search(left))
    if not 1 <= len(known) <= 2 or re.search(r"\d", left) or _OPEN.search(left):  # noqa: PLR2004 - from and to
        return None
    is_week = bool(_NEXT_WEEK.search(said))
    if (is_week and (says_until or _FROM.search(left))) or (len(known) == 1 and not says_until and _FROM.search(left)):
        return None
    first = today if len(known) == 1 and says_until else known[0]
    starts = max(now, datetime.combine(first, time(), zone).astimezone(now.tzinfo))
    ends = datetime.combine(known[-1] + timedelta(days=1), time(), zone).astimezone(now.tzinfo)
    return starts, ends
