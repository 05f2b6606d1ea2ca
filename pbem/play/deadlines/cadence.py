"""How long a decision may take: cadences, the deadline of a ply, and when its reminders are due."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime, timedelta

import msgspec

from pbem import waking_hours as hours
from pbem.engine.core.message import N_, Message, sentence
from pbem.errors import WrongInput, raise_for
from pbem.messages import meant, pairs
from pbem.structs import Value
from pbem.waking_hours import WakingHours

HOUR = timedelta(hours=1)
SLOW = 24
"""Hours for a decision from which on a game counts as slow: its options may then begin otherwise."""
_LONGEST = 60 * 24
"""Hours of the longest cadence: sixty days."""


class Cadence(Value):
    """How fast a game goes, and how long it waits for its players. All times in hours, but for `join`."""

    hours: float = 48
    """At least so long by the clock for each decision."""
    waking: float = 12
    """And so much of the player's own waking time."""
    grace: float = 12
    """From the deadline until a missing answer is replaced by what the player or the server falls back on."""
    bank: float = 0
    """What each player may overdraw deadlines by, in the whole game; 0: each decision has its own time only."""
    most: float = 0
    """The longest wait for a decision by the clock, whatever sleep, absences and bank come to; 0: no limit."""
    reminders: tuple[float, ...] = (0.5, 0.85)
    """Which parts of the time have gone by when the reminders leave; the last one is the last call."""
    release: float = 0
    """How long at least the answers to a choice made in secret are held, from its opening; then all count together.

    Whether they were given ahead, at once, or after a look can't be told from when the game goes on.
    """
    join: float = 0
    """Days an opened game waits for its seats to fill; 0: as long as it takes."""
    unfilled: str = "tell"
    """What happens then, one of `UNFILLED`."""


UNFILLED = {
    "tell": N_("I am told, and choose then"),
    "bots": N_("bots take them, and the game begins"),
    "close": N_("the game is called off"),
}
"""What can happen to seats that are still free when the wait for players is over, as its organiser is shown it."""
LONGEST_JOIN = 90
"""Days a game waits for its players at most."""

CADENCES: Mapping[str, Cadence] = {
    "blitz": Cadence(hours=12, waking=3, grace=2),
    "club": Cadence(release=1),
    "correspondence": Cadence(hours=120, waking=30, grace=24, release=1),
    "bank": Cadence(hours=24, waking=5, grace=2, bank=7 * 24, release=1),
}
"""The speeds offered when a game is opened."""
SPEEDS: Mapping[str, str] = {
    "blitz": N_("quick"),
    "club": N_("unhurried"),
    "correspondence": N_("slow"),
    "bank": N_("with a reserve"),
}
"""What they are called, and written in tables."""
SPEEDS_SHOWN: Mapping[str, Message] = {
    name: Message(said, {"speed": SPEEDS[name]})
    for name, said in {
        "blitz": N_("{speed}: about a day for an answer"),
        "club": N_("{speed}: some days for an answer"),
        "correspondence": N_("{speed}: a week and more for an answer"),
        "bank": N_("{speed}: a day for an answer, and a week in reserve for the whole game"),
    }.items()
}
"""What they are shown as where one is chosen."""


def choose(
    name: str,
    *,
    least: float | None = None,
    most: float | None = None,
    join: float | None = None,
    unfilled: str | None = None,
) -> Cadence:
    """Return the preset `name` with other waits: `least` and `most` in hours, `join` in days; None: the preset's.

    Its waking time keeps its share of the shortest wait. Raises WrongInput naming what can't be used.
    """
    cadence = _preset(name)
    wishes = {"hours": least, "most": most, "join": join, "unfilled": unfilled}
    if least is not None:
        wishes["waking"] = round(cadence.waking / cadence.hours * least, 2)
        wishes["release"] = cadence.release if least >= SLOW else 0
    return usable(msgspec.structs.replace(cadence, **{name: wish for name, wish in wishes.items() if wish is not None}))


def _preset(typed: str) -> Cadence:
    name = meant(typed.partition(":")[0], SPEEDS)
    if name not in CADENCES:
        raise WrongInput("{word!r} is no speed. There are: {names}.", word=typed, names=tuple(SPEEDS.values()))
    return CADENCES[name]


def usable(cadence: Cadence) -> Cadence:
    """Return the same cadence. Raises WrongInput naming every value that can't be used."""
    raise_for(check_cadence(cadence))
    return cadence


def check_cadence(cadence: Cadence) -> Iterator[Message]:
    """Return every fault of a cadence somebody typed, each a sentence; empty if it can be used."""
    if not 0 < cadence.hours <= _LONGEST:
        yield sentence(
            "{value} hours for a decision can't be used: choose more than 0 and at most {limit}.",
            value=f"{cadence.hours:.12g}",
            limit=_LONGEST,
        )
    if not 0 <= cadence.waking <= cadence.hours:
        yield sentence(
            "Waking hours can't be {waking}: choose from 0 to what a decision has, {hours}.",
            waking=f"{cadence.waking:.12g}",
            hours=f"{cadence.hours:.12g}",
        )
    for said, value in (
        (N_("{value} hours of grace can't be used: choose from 0 to {limit}."), cadence.grace),
        (N_("A bank of {value} hours can't be used: choose from 0 to {limit}."), cadence.bank),
        (N_("Answers can't be held for {value} hours: choose from 0 to {limit}."), cadence.release),
    ):
        if not 0 <= value <= _LONGEST:
            yield Message(said, {"value": f"{value:.12g}", "limit": _LONGEST})
    if cadence.most and not cadence.hours <= cadence.most <= _LONGEST:
        yield sentence(
            "The longest wait can't be {most}: choose from the shortest, {hours}, to {limit} hours.",
            most=f"{cadence.most:.12g}",
            hours=f"{cadence.hours:.12g}",
            limit=_LONGEST,
        )
    if any(not 0 < part < 1 for part in cadence.reminders) or list(cadence.reminders) != sorted(cadence.reminders):
        yield sentence("Reminders are parts of the time between 0 and 1, the earlier ones first.")
    yield from _joining_faults(cadence)


def _joining_faults(cadence: Cadence) -> Iterator[Message]:
    """Return the same, of how long the game waits for its players."""
    if not 0 <= cadence.join <= LONGEST_JOIN:
        yield sentence(
            "A game can't wait {days} days for its players: choose more than 0 and at most {limit}.",
            days=f"{cadence.join:.12g}",
            limit=LONGEST_JOIN,
        )
    if cadence.unfilled not in UNFILLED:
        yield sentence(
            "{word!r} is nothing that can happen to free seats. Write one of `{names}`.",
            word=cadence.unfilled,
            names=tuple(UNFILLED),
        )


def cadence_of(stored: object) -> Cadence:
    """Return the cadence in a stored JSON table. Raises WrongInput naming what is wrong."""
    return usable(msgspec.convert(stored, Cadence))


def read(text: str) -> Cadence:
    """Return a cadence as a table has it: `club`, `club min=24 max=96` (hours), `club join=14 then=bots` (days).

    Raises WrongInput.
    """
    name, wishes = pairs(text, WORDS)
    return in_words(name or "club", wishes)


def in_words(name: str, given: Mapping[str, str]) -> Cadence:
    """Return the preset `name` with the waits somebody typed, each under its word of `WORDS`. Raises WrongInput."""
    for word, value in given.items():
        if word not in WORDS:
            raise WrongInput(
                "{word!r} is no wait: write min=HOURS, max=HOURS, join=DAYS or then=WORD.",
                word=f"{word}={value}",
            )
        if word in COUNTED and not (value.isascii() and value.replace(".", "", 1).isdigit()):
            raise WrongInput("{what}: {word!r} is no number. Write one such as 24.", what=COUNTED[word], word=value)
    least, most, join = (float(given[word]) if word in given else None for word in COUNTED)
    unfilled = meant(given["then"], UNFILLED) if "then" in given else None
    return choose(name, least=least, most=most, join=join, unfilled=unfilled)


COUNTED = {
    "min": N_("Shortest wait, in hours"),
    "max": N_("Longest wait, in hours"),
    "join": N_("Days it waits for its players"),
}
"""What tables and forms call the waits that are numbers, and what pages call them."""
WORDS = {**COUNTED, "then": N_("Seats still free then")}
"""What tables and forms call all of them, and what pages do."""


def base(cadence: Cadence, person: WakingHours, start: datetime) -> datetime:
    """Return when the time of one decision is over for a person who is asked at `start`."""
    return _at_most(cadence, start, hours.after(person, start, cadence.hours * HOUR, cadence.waking * HOUR))


def _at_most(cadence: Cadence, start: datetime, moment: datetime) -> datetime:
    """`moment`, but no later than the longest wait allows."""
    return min(moment, start + cadence.most * HOUR) if cadence.most else moment


def due(cadence: Cadence, person: WakingHours, start: datetime) -> datetime:
    """The deadline of one person who is asked at `start`: the decision's own time, then what is left in their bank."""
    return _at_most(cadence, start, hours.later(person, base(cadence, person, start), person.bank))


def left(cadence: Cadence, used: int) -> timedelta:
    """Return what is left in a player's bank after `used` seconds of it."""
    return max(cadence.bank * HOUR - timedelta(seconds=used), timedelta())


def joint(cadence: Cadence, people: Iterable[WakingHours], start: datetime) -> datetime:
    """Return the one deadline of a ply: the latest of all who must answer; by the bare cadence if nobody is named."""
    return max((due(cadence, person, start) for person in people), default=start + cadence.hours * HOUR)


def cover(cadence: Cadence, due_at: datetime) -> datetime:
    """Return when those who missed the deadline are answered for."""
    return due_at + cadence.grace * HOUR


def released(cadence: Cadence, opened_at: datetime) -> datetime:
    """Return from when on the answers to a choice made in secret count that was opened at `opened_at`."""
    return opened_at + cadence.release * HOUR


def nudge(cadence: Cadence, person: WakingHours, start: datetime, due_at: datetime, step: int) -> datetime | None:
    """Return when reminder number `step` (0, 1, ...) is due, in waking hours if there are any before the deadline.

    The step after the last reminder is the deadline itself, when the organiser is told; after that: None.
    """
    if step > len(cadence.reminders):
        return None
    if step == len(cadence.reminders):
        return due_at
    moment = start + (due_at - start) * cadence.reminders[step]
    return min(hours.wake(person, moment), due_at)


def letter_of(cadence: Cadence, step: int) -> str:
    """Which kind of letter nudging step `step` is."""
    if step >= len(cadence.reminders):
        return "organiser_alert"
    return "last_call" if step and step == len(cadence.reminders) - 1 else "reminder"


def preview(cadence: Cadence, people: Iterable[WakingHours], start: datetime) -> tuple[datetime, ...]:
    """Return the deadlines of the next five plies if everybody answers in the last minute."""
    seats = tuple(people)
    moments: list[datetime] = []
    for _ in range(5):
        start = joint(cadence, seats, start)
        moments.append(start)
    return tuple(moments)
