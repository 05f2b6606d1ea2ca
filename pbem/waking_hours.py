"""A person's waking hours in their own time zone, whatever the clocks do, and how much of them has gone by."""

from __future__ import annotations

from datetime import UTC, datetime, time, timedelta
from itertools import count
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo

from pbem.structs import Value

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from pbem.store.models import Player

_DAY = 24 * 60
_SATURDAY = 5
_HORIZON = 400
"""Days that are looked ahead: longer than any absence that can be announced."""


class WakingHours(Value):
    """When somebody can be expected to look at their mail."""

    zone: str = "UTC"
    wakes: int = 8 * 60
    """Minutes after local midnight."""
    sleeps: int = 23 * 60
    """Minutes after local midnight; up to `wakes` for a person awake over midnight."""
    weekends: bool = True
    absences: tuple[tuple[datetime, datetime], ...] = ()
    """From, until; aware, in order, none overlapping another."""
    bank: timedelta = timedelta()
    """What is left of the time by which deadlines may be overdrawn."""


def person_of(
    player: Player, absences: Sequence[tuple[datetime, datetime]] = (), bank: timedelta = timedelta()
) -> WakingHours:
    """Return a player's waking hours and what is left in their bank, as deadlines count them."""
    return WakingHours(player.zone, player.wakes, player.sleeps, player.weekends, union(absences), bank)


def union(spans: Iterable[tuple[datetime, datetime]]) -> tuple[tuple[datetime, datetime], ...]:
    """Return the same time as spans in order that don't overlap."""
    found: list[tuple[datetime, datetime]] = []
    for begin, end in sorted(spans):
        if found and begin <= found[-1][1]:
            found[-1] = found[-1][0], max(found[-1][1], end)
        else:
            found.append((begin, end))
    return tuple(found)


def next_at(zone: str, hour: int, now: datetime) -> datetime:
    """Return the next moment at which it is `hour` o'clock in `zone`, after `now`.

    In the hour that a change of clocks skips or repeats, here and below: the earlier one.
    """
    place = ZoneInfo(zone)
    first = datetime.combine(now.astimezone(place), time(hour), place)
    moments = ((first + timedelta(days=days)).astimezone(UTC) for days in count())
    return next(moment for moment in moments if moment > now)


def _awake(person: WakingHours, start: datetime) -> Iterator[tuple[datetime, datetime]]:
    """Waking hours that end after `start`, day by day, as UTC from-until pairs, absences not yet taken out."""
    zone = ZoneInfo(person.zone)
    length = (person.sleeps - person.wakes) % _DAY or _DAY
    wakes, sleeps = timedelta(minutes=person.wakes), timedelta(minutes=person.wakes + length)
    today = datetime.combine(start.astimezone(zone), time(), zone)
    for number in range(-(person.wakes + length > _DAY), _HORIZON - 1):  # yesterday goes on if they wake over midnight
        day = today + timedelta(days=number)
        if not person.weekends and day.weekday() >= _SATURDAY:
            continue
        begin, end = (day + wakes).astimezone(UTC), (day + sleeps).astimezone(UTC)
        if end > start:
            yield max(begin, start), end


def stretches(person: WakingHours, start: datetime) -> Iterator[tuple[datetime, datetime]]:
    """Yield the person's playing time from `start` on: UTC from-until pairs, in order, absences taken out."""
    for begin, end in _awake(person, start):
        left = begin
        for gone, back in person.absences:
            if back <= left or gone >= end:
                continue
            if gone > left:
                yield left, gone
            left = back
        if left < end:
            yield left, end


def wake(person: WakingHours, moment: datetime) -> datetime:
    """The first moment from `moment` on at which the person is up and about; `moment` itself if there is none."""
    return next((begin for begin, _ in stretches(person, moment)), moment)


def after(person: WakingHours, start: datetime, elapsed: timedelta, waking: timedelta) -> datetime:
    """Return when both `elapsed` by the clock and `waking` of the person's own playing time have gone by since `start`.

    The time of an absence counts for neither; the moment always lies within playing time.
    """
    floor = start + elapsed
    left = waking
    last = start
    for begin, end in stretches(person, start):
        floor += away(person.absences, last, begin)
        last = end
        if end - begin < left or end < floor:
            left = max(left - (end - begin), timedelta())
            continue
        return max(begin + left, floor)
    return max(last, floor)


def later(person: WakingHours, start: datetime, elapsed: timedelta) -> datetime:
    """Return when `elapsed` has gone by on the clock since `start`, by day and night, but for the person's absences."""
    moment = start + elapsed
    for gone, back in person.absences:
        if gone < moment and back > start:
            moment += back - max(gone, start)
    return moment


def away(absences: Iterable[tuple[datetime, datetime]], since: datetime, until: datetime) -> timedelta:
    """Return how much of the time between the two was announced absence."""
    total = timedelta()
    for gone, back in absences:
        total += max(min(back, until) - max(gone, since), timedelta())
    return total
