"""How long a slow game takes: the same games asked one question at a time, merged, and with standing orders.

Orders come from the same standing orders and the same bot in all three ways, so the games are the same to the last
token; what differs is who is waited for.
"""

from __future__ import annotations

from itertools import islice
from statistics import mean, median
from typing import TYPE_CHECKING, Any

import msgspec

from pbem.bots.advice import advice
from pbem.bots.series import seeds
from pbem.bots.simulated_people import DAY, answered_at, club
from pbem.engine.core.rng import Rng
from pbem.engine.replay import digest
from pbem.engine.text import standing_orders as standing

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from pbem.bots.players import Bot
    from pbem.bots.simulated_people import SimulatedPerson
    from pbem.engine.core.types import AnyRules

AT_ONCE = 2
"""Minutes for a player whose next question follows on the page that is open."""


class TimedQuestion(msgspec.Struct, frozen=True):
    """One ply of a game as far as waiting goes."""

    ply: int
    seats: tuple[int, ...]
    """Seats with a choice: at least two legal orders."""
    answered: frozenset[int]
    """Those whose standing order answers for them."""
    sealed: tuple[int, ...]
    """Seats that could be asked for a sealed list here."""
    auction: str
    """The phase and the kind of decision: what a sealed list holds for."""


class Trip(msgspec.Struct, frozen=True):
    """How one game went by in one way of asking."""

    days: float
    waits: int
    """Times that the game stood still until somebody answered."""
    letters: float
    """Questions mailed, per player."""


class Way(msgspec.Struct, frozen=True):
    """One way of asking over all games of a benchmark."""

    days_median: float
    days_low: float
    """The 95 % confidence interval of the median."""
    days_high: float
    waits_mean: float
    letters_mean: float


class Tempo(msgspec.Struct, frozen=True):
    """The three ways beside each other."""

    game: str
    seats: int
    games: int
    seed: str
    bot: str
    strict: Way
    merged: Way
    standing: Way
    merged_ratio: float
    standing_ratio: float
    """Median days with standing orders over those of strict asking."""
    letters_ratio: float
    answered_share: float
    """Decisions that a standing order answered."""


def trace(rules: AnyRules, bot: Bot, seats: int, seed: str) -> tuple[list[TimedQuestion], str]:
    """Play one game by standing orders and, where they ask, by `bot`; give what was asked and the final digest."""
    order = standing.parse(rules, advice(rules.meta.name))
    state = rules.setup(seats, {}, Rng(seed, 0)).state
    plies: list[TimedQuestion] = []
    while awaited := rules.awaited(state):
        ply = len(plies) + 1
        orders, answered = {}, set()
        for seat in awaited:
            found = standing.answer(rules, state, seat, order)
            if found.order is not None:
                answered.add(seat)
            chosen = bot.choose(rules, rules.view(state, seat), Rng(f"{seed}/{seat}", ply))
            orders[seat] = chosen if found.order is None else found.order
        choices = tuple(seat for seat in awaited if len(list(islice(rules.legal(state, seat), 2))) > 1)
        auction = f"{rules.scope(state).phase}/{next(iter(awaited.values())).kind}"
        plies.append(TimedQuestion(ply, choices, frozenset(answered), tuple(rules.sealed(state)), auction))
        rules.apply(state, orders, Rng(seed, ply))
    return plies, digest(state)


def strict(plies: Sequence[TimedQuestion], people: tuple[SimulatedPerson, ...]) -> Trip:
    """Every question by itself, one seat after the other, as the known sites ask."""
    clock = _Clock(people)
    for asked in plies:
        for seat in asked.seats:
            clock.ask(asked.ply, (seat,))
    return clock.trip()


def merged(plies: Sequence[TimedQuestion], people: tuple[SimulatedPerson, ...]) -> Trip:
    """Questions that can't touch each other together, and sealed lists of all bidders at once."""
    return _together(plies, people, lambda _asked, _seat: False)


def standing_orders(plies: Sequence[TimedQuestion], people: tuple[SimulatedPerson, ...]) -> Trip:
    """As `merged`, but nobody waits for a seat whose standing order answers; writing it is the first question."""
    return _together(plies, people, lambda asked, seat: seat in asked.answered, written=True)


def _together(
    plies: Sequence[TimedQuestion],
    people: tuple[SimulatedPerson, ...],
    spared: Callable[[TimedQuestion, int], bool],
    *,
    written: bool = False,
) -> Trip:
    clock = _Clock(people)
    if written:
        clock.ask(0, tuple(range(len(people))))
    listed: dict[int, str] = {}
    for number, asked in enumerate(plies):
        if asked.sealed:
            turns = [later for later in plies[number:] if later.auction == asked.auction]
            open_ = {seat for turn in turns for seat in turn.seats if not spared(turn, seat)}
            clock.ask(asked.ply, tuple(seat for seat in asked.sealed if seat in open_))
            listed = dict.fromkeys(asked.sealed, asked.auction)
        due = (seat for seat in asked.seats if not spared(asked, seat) and listed.get(seat) != asked.auction)
        clock.ask(asked.ply, tuple(due))
    return clock.trip()


class _Clock:
    """The game's time, moved on by each question."""

    def __init__(self, people: tuple[SimulatedPerson, ...]) -> None:
        self.people = people
        self.now, self.waits, self.letters = 0, 0, 0
        self.last: tuple[int, ...] = ()

    def ask(self, ply: int, seats: tuple[int, ...]) -> None:
        """Ask `seats` at once and wait for the last of them; who has just answered alone goes on at once."""
        if not seats:
            return
        if seats == self.last and len(seats) == 1:
            self.now += AT_ONCE
        else:
            self.now = max(answered_at(self.people[seat], self.now, ply) for seat in seats)
            self.waits += 1
            self.letters += len(seats)
        self.last = seats

    def trip(self) -> Trip:
        return Trip(self.now / DAY, self.waits, self.letters / len(self.people))


WAYS: Mapping[str, Any] = {"strict": strict, "merged": merged, "standing": standing_orders}


def tempo(rules: AnyRules, bot: Bot, seats: int, seed: str, games: int) -> Tempo:
    """Play `games` games and time each in the three ways, with the same people and seeds."""
    trips: dict[str, list[Trip]] = {name: [] for name in WAYS}
    answered = asked = 0
    for one in seeds(seed, games):
        plies, _ = trace(rules, bot, seats, one)
        people = club(one, seats)
        for name, way in WAYS.items():
            trips[name].append(way(plies, people))
        asked += sum(len(ply.seats) for ply in plies)
        answered += sum(len(ply.answered & set(ply.seats)) for ply in plies)
    ways = {name: _summed(found) for name, found in trips.items()}
    return Tempo(
        game=rules.meta.name,
        seats=seats,
        games=games,
        seed=seed,
        bot=bot.name,
        **ways,
        merged_ratio=round(ways["merged"].days_median / ways["strict"].days_median, 3),
        standing_ratio=round(ways["standing"].days_median / ways["strict"].days_median, 3),
        letters_ratio=round(ways["standing"].letters_mean / ways["strict"].letters_mean, 3),
        answered_share=round(answered / max(asked, 1), 3),
    )


def _summed(trips: list[Trip]) -> Way:
    days = sorted(trip.days for trip in trips)
    half, reach = len(days) / 2, 0.98 * len(days) ** 0.5
    low, high = max(0, int(half - reach)), min(len(days) - 1, int(half + reach))
    return Way(
        days_median=round(median(days), 2),
        days_low=round(days[low], 2),
        days_high=round(days[high], 2),
        waits_mean=round(mean(trip.waits for trip in trips), 1),
        letters_mean=round(mean(trip.letters for trip in trips), 1),
    )
