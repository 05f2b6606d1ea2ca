from __future__ import annotations

from datetime import UTC, datetime, timedelta
from itertools import islice
from zoneinfo import ZoneInfo

import msgspec
import pytest

from pbem import waking_hours
from pbem.waking_hours import WakingHours

ALWAYS = WakingHours(wakes=0, sleeps=24 * 60)
HOUR = timedelta(hours=1)
ROME = WakingHours(zone="Europe/Rome")
OWL = WakingHours(wakes=20 * 60, sleeps=4 * 60)
WORKDAYS = WakingHours(zone="America/St_Johns", weekends=False)
QUARTER = timedelta(minutes=15)


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
    assert waking_hours.wake(OWL, at("2026-03-02 12:00")) == at("2026-03-02 20:00")
    assert waking_hours.wake(OWL, at("2026-03-03 02:00")) == at("2026-03-03 02:00")
    assert waking_hours.after(OWL, at("2026-03-02 23:00"), timedelta(), 6 * HOUR) == at("2026-03-03 21:00")


def test_an_absence_in_the_middle_of_the_day_splits_it() -> None:
    """Playing time before and after an absence is two stretches."""
    person = WakingHours(absences=((at("2026-03-02 10:00"), at("2026-03-02 15:00")),))
    found = waking_hours.stretches(person, at("2026-03-02 08:00"))

    assert next(found) == (at("2026-03-02 08:00"), at("2026-03-02 10:00"))
    assert next(found) == (at("2026-03-02 15:00"), at("2026-03-02 23:00"))


def is_up(person: WakingHours, moment: datetime) -> bool:
    """Whether the person looks at their mail then, read from the wall clock."""
    local = moment.astimezone(ZoneInfo(person.zone))
    minute, length = local.hour * 60 + local.minute, (person.sleeps - person.wakes) % (24 * 60) or 24 * 60
    since = (minute - person.wakes) % (24 * 60)
    day = local.date() - timedelta(days=minute < person.wakes)
    plays = person.weekends or day.weekday() < 5
    return since < length and plays and not any(gone <= moment < back for gone, back in person.absences)


@pytest.mark.parametrize("person", [ALWAYS, ROME, OWL, WORKDAYS], ids=["always", "Rome", "owl", "workdays"])
def test_playing_time_is_what_a_look_at_the_clock_says(person: WakingHours) -> None:
    """Each quarter of an hour of a fortnight in which the clocks change: absences that are over, to come, within."""
    gone = (
        *(("2026-03-01 12:00", "2026-03-02 12:00"), ("2026-03-22 23:00", "2026-03-24 09:00")),
        *(("2026-03-25 10:00", "2026-03-25 11:00"), ("2026-03-25 12:30", "2026-03-25 20:30")),
        *(("2026-03-28 05:00", "2026-03-28 06:00"), ("2026-05-01 00:00", "2026-05-02 00:00")),
    )
    away = msgspec.structs.replace(person, absences=tuple((at(begin), at(end)) for begin, end in gone))
    for start in (at("2026-03-20 00:00"), at("2026-03-25 10:15")):
        end = start + timedelta(days=14)
        found = [one for one in islice(waking_hours.stretches(away, start), 60) if one[0] < end]
        moments = [start + number * QUARTER for number in range((end - start) // QUARTER)]
        told = [any(begin <= moment < until for begin, until in found) for moment in moments]
        assert told == [is_up(away, moment) for moment in moments]
        assert found == sorted(found)
        assert all(begin < until for begin, until in found)


@pytest.mark.parametrize("start", ["2026-03-25 10:15", "2026-03-29 00:30", "2026-10-24 23:10"])
@pytest.mark.parametrize("hour", range(0, 24, 3))
def test_an_hour_comes_within_a_day(start: str, hour: int) -> None:
    """The next time that it is so late where the person lives, and no later one."""
    moment = at(start)
    found = waking_hours.next_at("Europe/Rome", hour, moment)

    assert moment < found <= moment + 25 * HOUR
    assert found.astimezone(ZoneInfo("Europe/Rome")).hour == hour or (hour, start) == (2, "2026-03-29 00:30")


def test_nobody_is_waited_for_longer_than_a_year_and_a_bit() -> None:
    """Who is away for longer has what the clock alone gives, and who never has the time has all there is."""
    noon = at("2026-03-02 12:00")
    away = msgspec.structs.replace(ALWAYS, absences=((noon, noon + timedelta(days=500)),))

    assert waking_hours.after(away, noon, HOUR, HOUR) == noon + HOUR
    assert waking_hours.wake(away, noon) == noon
    assert waking_hours.after(ALWAYS, noon, HOUR, timedelta(days=500)) == at("2027-04-05 00:00")
    assert waking_hours.after(ALWAYS, noon, timedelta(days=500), HOUR) == noon + timedelta(days=500)
