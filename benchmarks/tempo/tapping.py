"""How long games take in which some of the players plan by tapping, in calendar days of simulated people."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import mean, median

import msgspec

from benchmarks.tempo.ahead import ASKED_EACH_TIME, SECOND, TOGETHER, AheadGame, AheadPolicy, policies
from benchmarks.tempo.ahead import player as player_of
from benchmarks.tempo.simulated_people import DAY, SimulatedPerson, answered_at, club
from benchmarks.tempo.strict import AT_ONCE, GameDuration, strict, trace
from pbem.bots.series import seeds
from pbem.engine.core.rng import Rng
from pbem.engine.core.types import AnyRules

HELD = 60
"""Minutes for which answers that could tell something are held at the pace of a club."""
PAGE = "everything"
"""The one of `ahead.policies` that goes by all plans of the pages."""


class AdoptionResult(msgspec.Struct, frozen=True):
    """The games of one share of players who plan, against strict asking."""

    adoption: float
    """Share of the players who plan; the others are asked each time."""
    together: bool
    """With what the club can have asked together."""
    days_median: float
    days_low: float
    """The 95 % confidence interval of the median."""
    days_high: float
    ratio: float
    """Median days over those of strict asking."""
    letters_ratio: float
    """Letters a player, those that only invite to plan included, over those of strict asking."""
    answered_share: float
    """Decisions with a choice that plans answered."""


class TimedGame(msgspec.Struct, frozen=True):
    """How one game went by."""

    trip: GameDuration
    choices: int
    answered: int


class _Calendar:
    """When each player comes to look, and what time it is."""

    def __init__(self, game: AheadGame, people: Sequence[SimulatedPerson]) -> None:
        self.game = game
        self.people = people
        self.due: dict[int, int] = {}
        """Minute at which a player who was written to will look."""
        self.looked: dict[int, int] = {}
        self.now = self.waits = self.letters = 0
        self.opened = 0
        """Minute at which what is asked now was opened."""

    def write_to(self, seat: int) -> None:
        """Send a letter, unless one is under way; who has just looked and is asked again goes on at once."""
        if seat in self.due:
            return
        if self.looked.get(seat) == self.now and self.now:
            self.due[seat] = self.now + AT_ONCE
            return
        self.due[seat] = answered_at(self.people[seat], self.now, self.game.ply + 1)
        self.letters += 1

    def go(self) -> None:
        """Play the game to its end."""
        game = self.game
        while game.rules.awaited(game.state):
            missing = game.missing()
            for seat in range(len(game.seats)):
                if game.wants_to_plan(seat):
                    self.write_to(seat)
            release = self.opened + HELD if game.is_held() else 0
            for seat in (*missing, *game.early()):
                self.write_to(seat)
            seat = min(self.due, key=lambda one: (self.due[one], one), default=-1)
            if not missing and (seat < 0 or self.due[seat] >= release or self.now >= release):
                self.now = self.opened = max(self.now, release)
                game.resolve()
                continue
            self.waits += self.due[seat] > self.now + AT_ONCE
            self.now = max(self.now, self.due.pop(seat))
            self.looked[seat] = self.now
            game.visit(seat)


def timed(  # noqa: PLR0913 - what a game is timed with
    rules: AnyRules, seed: str, seats: int, planners: int, *, together: bool, policy: AheadPolicy
) -> TimedGame:
    """One game in which so many of the seats, drawn by the seed, plan."""
    lot = Rng(f"{seed}/planners", 0)
    order = sorted(range(seats), key=lambda seat: (lot.below(1 << 30), seat))
    planning = set(order[:planners])
    idle = SECOND if together and SECOND in policies(rules.meta.name) else ASKED_EACH_TIME
    table = [player_of(rules, seed, seat, policy if seat in planning else idle) for seat in range(seats)]
    options = TOGETHER.get(rules.meta.name, {}) if together else {}
    game = AheadGame(rules, table, seed, options)
    calendar = _Calendar(game, club(seed, seats))
    calendar.go()
    trip = GameDuration(calendar.now / DAY, calendar.waits, calendar.letters / seats)
    return TimedGame(trip, game.choices, game.answered)


class Tempo(msgspec.Struct, frozen=True):
    """Strict asking, and what planning by tapping makes of it."""

    game: str
    seats: int
    games: int
    seed: str
    strict_days: float
    """Median days of a game in which every question is asked by itself."""
    strict_letters: float
    tapping: tuple[AdoptionResult, ...]


def tempo(rules: AnyRules, seats: int, seed: str, games: int, adoption: Sequence[float]) -> Tempo:
    """Time games asked strictly, then for each share of players who plan: in turn, and with what goes together."""
    base = [strict(trace(rules, seats, one), club(one, seats)) for one in seeds(seed, games)]
    policy = page_policy(rules.meta.name)
    found = []
    for share in adoption:
        for together in (False, True):
            if together and rules.meta.name not in TOGETHER:
                continue
            played = [
                timed(rules, one, seats, _planners(one, seats, share), together=together, policy=policy)
                for one in seeds(seed, games)
            ]
            found.append(_summed(share, together, base, played))
    return Tempo(
        game=rules.meta.name,
        seats=seats,
        games=games,
        seed=seed,
        strict_days=round(median(trip.days for trip in base), 2),
        strict_letters=round(mean(trip.letters for trip in base), 1),
        tapping=tuple(found),
    )


def page_policy(game: str) -> AheadPolicy:
    """Return what a player who plans taps: everything that the pages offer."""
    return next(policy for policy in policies(game) if policy.name == PAGE)


def _planners(seed: str, seats: int, share: float) -> int:
    """Return how many of the seats plan: the share of them, a fraction by lot."""
    whole, rest = divmod(round(share * seats * 1000), 1000)
    return whole + (Rng(f"{seed}/share", 0).below(1000) < rest)


def _summed(share: float, together: bool, base: list[GameDuration], played: list[TimedGame]) -> AdoptionResult:  # noqa: FBT001 - a column
    days = sorted(game.trip.days for game in played)
    half, reach = len(days) / 2, 0.98 * len(days) ** 0.5
    low, high = max(0, int(half - reach)), min(len(days) - 1, int(half + reach))
    return AdoptionResult(
        adoption=share,
        together=together,
        days_median=round(median(days), 2),
        days_low=round(days[low], 2),
        days_high=round(days[high], 2),
        ratio=round(median(days) / median(trip.days for trip in base), 3),
        letters_ratio=round(mean(g.trip.letters for g in played) / mean(trip.letters for trip in base), 3),
        answered_share=round(sum(g.answered for g in played) / max(1, sum(g.choices for g in played)), 3),
    )
