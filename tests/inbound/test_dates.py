from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo

import pytest

from pbem.errors import WrongInput
from pbem.inbound.dates import span
from pbem.play.deadlines import absences
from tests.factories import PlayerFactory

if TYPE_CHECKING:
    from sqlalchemy.orm import Session

NOW = datetime(2026, 11, 24, 12, 0, tzinfo=UTC)
ROME = ZoneInfo("Europe/Rome")
CHRISTMAS = (datetime(2026, 12, 23, 23, tzinfo=UTC), datetime(2027, 1, 2, 23, tzinfo=UTC))


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


def test_one_day_ends_an_absence_that_begins_now() -> None:
    """Until some day: from this moment on."""
    assert span("until 2 Jan", NOW, ROME) == (NOW, CHRISTMAS[1])


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
