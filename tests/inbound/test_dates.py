from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo

import pytest
from babel.dates import get_day_names

from pbem.errors import WrongInput
from pbem.inbound.dates import span
from pbem.mail import reply
from pbem.mail.reply import Command
from pbem.messages import LANGUAGES
from pbem.play.deadlines import absences
from tests.factories import PlayerFactory

if TYPE_CHECKING:
    from sqlalchemy.orm import Session

NOW = datetime(2026, 11, 24, 12, 0, tzinfo=UTC)
ROME = ZoneInfo("Europe/Rome")
CHRISTMAS = (datetime(2026, 12, 23, 23, tzinfo=UTC), datetime(2027, 1, 2, 23, tzinfo=UTC))


def test_every_word_for_a_day_makes_an_absence_without_a_colon() -> None:
    """Whatever days can be told by: those counted from today, weeks, weekdays of each language; talk of absence not."""
    marks = {"[- ]": "-", "[e\u00e8]": "\u00e8", ".": "'"}
    told = "|".join([*(words for words, _ in reply.AHEAD), reply.NEXT_WEEK])
    for mark, sign in marks.items():
        told = told.replace(mark, sign)
    weekdays = [name for language in LANGUAGES for name in get_day_names("wide", locale=language).values()]
    more = ("from Friday to Sunday", "until tomorrow", "jusqu'\u00e0 demain", "24 Dec")
    for word in (*told.split("|"), *weekdays, *more):
        for command in ("absence", "assenza", "absent"):
            assert reply.read(f"{command} {word}", lambda _: False).commands == (Command("absence", word),), word
    for talk in ("absence makes the heart grow fonder", "absent friends", "absence of a plan", "assenza di idee"):
        assert not reply.read(talk, lambda _: False).commands, talk


@pytest.mark.parametrize(
    "text",
    [
        "24 Dec to 2 Jan",
        "from 24 December until 2 January",
        "24.12. - 2.1.",
        "2026-12-24 to 2027-01-02",
        "24/12/26-2/1/27",
        "dal 24 dicembre al 2 gennaio",
        "du 24 décembre au 2 janvier",
        "24th Dec 2026 - 2nd Jan 2027",
    ],
)
def test_days_in_three_languages(text: str) -> None:
    """The first day begins and the last day ends at midnight of the player's own zone."""
    assert span(text, NOW, ROME) == CHRISTMAS


@pytest.mark.parametrize(
    ("text", "first", "last"),
    [
        *(
            (text, "2027-05-03", "2027-05-05")
            for text in ("May 3-5", "May 3 to 5", "May 3rd to the 5th", "May 3 - 5 May")
        ),
        *(
            (text, "2027-05-03", "2027-05-05")
            for text in ("3.-5. maggio", "maggio 3-5", "3.-5. mai", "3\u20135 mai 2027")
        ),
        *(
            (text, "2026-12-24", "2027-01-02")
            for text in ("Dec 24 - Jan 2", "December 24th, 2026 to 2 Jan", "Dec 24-2 Jan")
        ),
        *((text, "2026-11-24", "2026-11-24") for text in ("today", "oggi", "aujourd\u2019hui")),
        *((text, "2026-11-25", "2026-11-25") for text in ("tomorrow", "domani", "demain", "tomorrow at 5pm")),
        *((text, "2026-11-24", "2026-11-25") for text in ("until tomorrow", "fino a domani", "jusqu'\u00e0 demain")),
        *((text, "2026-11-26", "2026-11-26") for text in ("the day after tomorrow", "dopodomani", "apr\u00e8s-demain")),
        *(
            (text, "2026-11-30", "2026-12-06")
            for text in ("next week", "la settimana prossima", "la semaine prochaine")
        ),
        *(
            (text, "2026-11-27", "2026-11-29")
            for text in ("from Friday to Sunday", "Fri-Sun", "da venerd\u00ec a domenica")
        ),
        *((text, "2026-11-27", "2026-11-29") for text in ("du vendredi au dimanche", "Friday 27 Nov to Sunday 29 Nov")),
        *(
            (text, "2026-11-24", "2026-11-25")
            for text in ("until Wednesday", "fino a mercoled\u00ec", "jusqu'\u00e0 mercredi")
        ),
        *((text, "2026-11-27", "2026-11-27") for text in ("Friday", "this Friday", "venerd\u00ec", "vendredi")),
        *(("from today to Tuesday", "2026-11-24", "2026-12-01"), ("Sunday to Friday", "2026-11-29", "2026-12-04")),
        *(("from tomorrow to 2 Dec", "2026-11-25", "2026-12-02"), ("2 Dec until Friday", "2026-12-02", "2026-12-04")),
    ],
)
def test_days_that_are_named_from_today_on(text: str, first: str, last: str) -> None:
    """Of a Tuesday: whole days, the first of them from now on where it is today."""
    starts, ends = (datetime.fromisoformat(day).replace(tzinfo=ROME) for day in (first, last))
    assert span(text, NOW, ROME) == (max(NOW, starts), ends + timedelta(days=1))


def test_today_is_the_players_own() -> None:
    """Late in the evening in London it is tomorrow in Auckland already."""
    late = datetime(2026, 11, 24, 22, 0, tzinfo=UTC)
    for zone, day in (("Europe/London", 25), ("Pacific/Auckland", 26)):
        there = ZoneInfo(zone)
        assert span("tomorrow", late, there) == (
            datetime(2026, 11, day, tzinfo=there),
            datetime(2026, 11, day + 1, tzinfo=there),
        )


@pytest.mark.parametrize("text", ["until 2 Jan", "fino al 2 gennaio", "jusqu'au 2 janvier", "back on 2 Jan"])
def test_until_a_day_begins_now(text: str) -> None:
    """Whoever names the end alone is away from this moment on."""
    assert span(text, NOW, ROME) == (NOW, CHRISTMAS[1])


@pytest.mark.parametrize(
    "text", ["2 Jan", "all day on 2 January 2027", "il 2 gennaio", "le 2 janvier", "2.1.", "2027-01-02"]
)
def test_one_day_alone_is_that_day(text: str) -> None:
    """It was taken as the end of days away that begin at once, and stopped the clock all the time until then."""
    assert span(text, NOW, ROME) == (datetime(2027, 1, 1, 23, tzinfo=UTC), CHRISTMAS[1])


@pytest.mark.parametrize(
    "text",
    [
        *("28-30 December", "28 to 30 Dec", "28th to the 30th of December", "from 28 until 30 Dec 2026", "28.-30.12."),
        *(
            "dal 28 al 30 dicembre",
            "28 e 30 dic",
            "du 28 au 30 décembre",
            "28-30/12/2026",
            "28 \N{EN DASH} 30 Dec, 2026",
        ),
        *("28 Dec at 10:00 to 30 Dec, 6pm", "28.12.-30.12.", "28-30 dec"),
    ],
)
def test_days_of_one_month_name_it_once(text: str) -> None:
    """The first of them was lost, and the absence began at once."""
    assert span(text, NOW, ROME) == (datetime(2026, 12, 27, 23, tzinfo=UTC), datetime(2026, 12, 30, 23, tzinfo=UTC))


@pytest.mark.parametrize(
    "text",
    [
        "",
        "soon",
        "31 Feb to 3 Mar",
        "24 Dec to 2 Jan to 5 Jan",
        "99/99",
        "31 Dec 9999",
        "0001-01-01 to 9999-12-31",
        "3-5 May and 10-12 May",
        "2 weeks from 3 May",
        "from 3 May",
        "a partire dal 3 maggio",
        "à partir du 3 mai",
        "not 3 May but 5 May",
        *("3 days", "next month", "this weekend", "weekend of 5 Dec", "week of 7 Dec", "two weeks from tomorrow"),
        *("3 May or 4 May", "before 5 May", "about 5 May", "3-5 May except 4 May", "May 3, 5 and 7", "May 32"),
        *(
            "from tomorrow",
            "from Friday",
            "until next week",
            "from next week",
            "next week until Friday",
            "not tomorrow",
        ),
        *(
            "next Friday",
            "venerd\u00ec prossimo",
            "vendredi prochain",
            "until Tuesday",
            "Tuesday",
            "Friday 28 November",
        ),
    ],
)
def test_what_names_no_days_is_refused(text: str) -> None:
    """No days, and days that are none, give nothing."""
    assert span(text, NOW, ROME) is None


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("2026-12-24 to 2026-11-30", "lies before From"),
        ("1 Jan 2026 to 2 Jan 2026", "is over already"),
        ("2 Jan to 24 Dec 2028", "is too long"),
    ],
)
def test_days_that_cant_be_are_refused_by_name(session: Session, text: str, said: str) -> None:
    """In the wrong order, over, or more than an absence may have: each by its own sentence, as on the page."""
    found = span(text, NOW, ROME)
    assert found is not None
    with pytest.raises(WrongInput, match=said):
        absences.announce(session, NOW, PlayerFactory().id, *found)
