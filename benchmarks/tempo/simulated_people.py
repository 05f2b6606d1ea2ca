"""Simulated players of a slow club: when they wake, how soon they answer, when they are away, how often they stall."""

from __future__ import annotations

from math import exp
from typing import cast

import msgspec

from pbem.bots.personality import Heuristic, normal
from pbem.bots.players import heuristic
from pbem.engine.core.rng import Rng

HOUR = 60
DAY = 24 * HOUR
ZONES = (0, 1, 1, 1, 2, 2, -5, -8, 9)
"""Hours ahead of UTC; most players of a club live near each other."""
WAKES, AWAKE = 7 * HOUR, 16 * HOUR
TYPICAL = 3 * HOUR
"""Median waking time between a letter and its answer."""
BETWEEN_PEOPLE, BETWEEN_ANSWERS = 0.5, 1.1
"""Standard deviations of the logarithm: of one player's median from another's, and of one answer from the next."""
STALLERS, STALLS = 10, 5
"""In a hundred: players who stall at all, and their answers that only the deadline ends."""
DEADLINE = 3 * DAY
HOLIDAY, BETWEEN_HOLIDAYS = 3 * DAY, 40 * DAY


class SimulatedPerson(msgspec.Struct, frozen=True):
    """One player's habits; times in minutes, the simulation starting at midnight UTC."""

    key: str
    wakes: int
    """Minutes after midnight UTC."""
    pace: float
    """Median waking minutes until an answer."""
    stalls: bool
    away_from: int
    """When the first holiday begins; the others follow at even distances."""


def club(seed: str, seats: int) -> tuple[SimulatedPerson, ...]:
    """Return the players of the club called `seed`, one for each seat."""
    return tuple(_person(f"{seed}/{seat}") for seat in range(seats))


def bot_of(game: str, personality: str) -> Heuristic:
    """Return the game's own player, who likes some things better than others called otherwise do."""
    return Heuristic(cast("Heuristic", heuristic(game)).decide, personality)


def _person(key: str) -> SimulatedPerson:
    lot = Rng(key, 0)
    return SimulatedPerson(
        key=key,
        wakes=(WAKES - ZONES[lot.below(len(ZONES))] * HOUR) % DAY,
        pace=TYPICAL * exp(BETWEEN_PEOPLE * normal(lot)),
        stalls=lot.below(100) < STALLERS,
        away_from=lot.below(BETWEEN_HOLIDAYS),
    )


def answered_at(person: SimulatedPerson, asked: int, question: int) -> int:
    """Return when `person` answers what is asked at minute `asked`: waking time is spent, holidays and nights are not.

    The same question takes the same waking time however and whenever it is asked. A stall ends at the deadline.
    """
    lot = Rng(person.key, 1 + question)
    if person.stalls and lot.below(100) < STALLS:
        return _awake(person, asked) + DEADLINE
    left = round(person.pace * exp(BETWEEN_ANSWERS * normal(lot)))
    at = _awake(person, asked)
    while left > (evening := _evening(person, at) - at):
        left -= evening
        at = _awake(person, at + evening)
    return min(at + left, _awake(person, asked) + DEADLINE)


def _evening(person: SimulatedPerson, at: int) -> int:
    """Return when the waking hours that hold `at` end, or the holiday begins that cuts them short."""
    into = (at - person.wakes) % DAY
    return min(at - into + AWAKE, at + (person.away_from - at) % BETWEEN_HOLIDAYS)


def _awake(person: SimulatedPerson, at: int) -> int:
    """Return the first minute from `at` on that the person is awake and not away."""
    while True:
        into_day, into_holiday = (at - person.wakes) % DAY, (at - person.away_from) % BETWEEN_HOLIDAYS
        if at >= person.away_from and into_holiday < HOLIDAY:
            at += HOLIDAY - into_holiday
        elif into_day >= AWAKE:
            at += DAY - into_day
        else:
            return at
