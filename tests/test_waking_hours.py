from __future__ import annotations

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from pbem import waking_hours
from pbem.waking_hours import WakingHours

ALWAYS = WakingHours(wakes=0, sleeps=24 * 60)
HOUR = timedelta(hours=1)
ROME = WakingHours(zone="Europe/Rome")


def at(text: str) -> datetime:
    """A moment in UTC."""
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


def test_both_times_must_have_gone_by() -> None:
    """Twelve hours by the clock and three awake: the later of the two counts."""
    noon = at("2026-03-02 12:00")

    assert waking_hours.after(ALWAYS, noon, 12 * HOUR, 3 * HOUR) == at("2026-03-03 00:00")
    assert waking_hours.after(ROME, noon, 12 * HOUR, 3 * HOUR) == at("2026-03-03 07:00")
    assert waking_hours.after(ROME, noon, 1 * HOUR, 20 * HOUR) == at("2026-03-03 17:00")


def test_a_deadline_never_lies_in_the_night() -> None:
    """Time that runs out while the person sleeps runs out when they get up."""
    late = at("2026-03-02 21:30")

    assert waking_hours.after(ROME, late, 1 * HOUR, timedelta()) == at("2026-03-03 07:00")


@pytest.mark.parametrize(
    ("start", "due"),
    [
        ("2026-03-28 20:00", "2026-03-29 08:00"),  # the night that is an hour short
        ("2026-10-24 19:00", "2026-10-25 09:00"),  # the night that is an hour long
    ],
)
def test_nights_in_which_the_clocks_change_give_the_full_waking_time(start: str, due: str) -> None:
    """Two hours to bedtime, then two from eight o'clock local time on, in each of these nights."""
    moment = waking_hours.after(ROME, at(start), timedelta(), 4 * HOUR)

    assert moment == at(due)
    assert moment.astimezone(ZoneInfo("Europe/Rome")).hour == 10


def test_an_absence_counts_for_neither_time() -> None:
    """Three days away move the deadline by three days."""
    noon = at("2026-03-02 12:00")
    away = WakingHours(wakes=0, sleeps=24 * 60, absences=((at("2026-03-02 18:00"), at("2026-03-05 18:00")),))

    assert waking_hours.after(away, noon, 12 * HOUR, 3 * HOUR) == at("2026-03-06 00:00")
    assert waking_hours.after(away, at("2026-03-03 00:00"), 12 * HOUR, 3 * HOUR) == at("2026-03-06 06:00")


def test_weekends_count_only_for_those_who_play_then() -> None:
    """Who doesn't play on weekends and is asked on Friday night has until Monday."""
    friday = at("2026-03-06 22:30")

    assert waking_hours.after(WakingHours(weekends=False), friday, 12 * HOUR, 3 * HOUR) == at("2026-03-09 10:30")
    assert waking_hours.after(WakingHours(), friday, 12 * HOUR, 3 * HOUR) == at("2026-03-07 10:30")


def test_who_lives_by_night_is_awake_over_midnight() -> None:
    """From 20:00 to 4:00: one stretch, not two halves."""
    owl = WakingHours(wakes=20 * 60, sleeps=4 * 60)

    assert waking_hours.wake(owl, at("2026-03-02 12:00")) == at("2026-03-02 20:00")
    assert waking_hours.wake(owl, at("2026-03-03 02:00")) == at("2026-03-03 02:00")
    assert waking_hours.after(owl, at("2026-03-02 23:00"), timedelta(), 6 * HOUR) == at("2026-03-03 21:00")


def test_an_absence_in_the_middle_of_the_day_splits_it() -> None:
    """Playing time before and after an absence is two stretches."""
    person = WakingHours(absences=((at("2026-03-02 10:00"), at("2026-03-02 15:00")),))
    found = waking_hours.stretches(person, at("2026-03-02 08:00"))

    assert next(found) == (at("2026-03-02 08:00"), at("2026-03-02 10:00"))
    assert next(found) == (at("2026-03-02 15:00"), at("2026-03-02 23:00"))
