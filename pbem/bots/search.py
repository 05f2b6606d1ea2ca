"""A player for practice games that tries orders out: information-set Monte Carlo over imagined worlds."""

from __future__ import annotations

from itertools import islice
from math import sqrt
from statistics import fmean, stdev
from time import monotonic
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

    from pbem.bots.basic import Bot
    from pbem.engine.core.rng import Chance
    from pbem.engine.core.types import AnyRules, Order, Outcome

_ENUMERATED = 400
"""Legal orders looked at one by one; where there are more, a random sample of them is."""
_WIDE = 24
"""Orders weighed by random playouts, the guide's own among them."""
_NARROW = 6
"""Orders left for playouts by the guide."""
_SCREENING = 0.2
"""Share of the time for the random playouts."""
_FEWEST = 5
"""Worlds before an order is given up or preferred to the guide's."""
_SURE = 0.8
"""Standard errors by which an order must be ahead of the guide's to be preferred to it."""
_HOPELESS = 2.0
"""Standard errors behind at which an order is given up."""

_WIN = 0.3
"""What winning counts beside the lead, which is below 1."""


class SearchBot:
    """Plays the candidate orders out in the same imagined worlds; leaves its guide's order only for a better one."""

    name = "search"

    def __init__(self, guide: Bot, seconds: float, clock: Callable[[], float] = monotonic) -> None:
        """Take the bot that names the first candidate and plays the worlds out, and the time for one decision."""
        self.guide = guide
        self.seconds = seconds
        self.clock = clock

    def choose(self, rules: AnyRules, view: Any, chance: Chance) -> Order:
        """Return the order that did best in the worlds tried; at once if there is but one."""
        start = self.clock()
        orders = candidates(rules, view, self.guide, chance)
        if len(orders) == 1:
            return orders[0]
        trial = Rollouts(rules, view, chance, self.clock)
        orders = trial.screened(orders, start + _SCREENING * self.seconds)
        return trial.best(orders, self.guide, start + self.seconds)


def candidates(rules: AnyRules, view: Any, guide: Bot, chance: Chance) -> list[Order]:
    """Up to `_WIDE` different legal orders, the guide's first; the form's quick answers where they cover them all."""
    world = rules.imagine(view, chance)
    first = guide.choose(rules, view, chance)
    every = [rules.read(world, view.seat, text) for text in rules.form(view).quick]
    if not every:
        every = list(islice(rules.legal(world, view.seat), _ENUMERATED))
    if len(every) >= _ENUMERATED:
        every = [rules.sample(world, view.seat, chance) for _ in range(4 * _WIDE)]
    others = [order for order in dict.fromkeys(every) if order != first]
    while len(others) >= _WIDE:
        others.pop(chance.below(len(others)))
    return [first, *others]


class Rollouts:
    """Orders for one decision, weighed against each other by playing on in worlds that agree with the view."""

    def __init__(self, rules: AnyRules, view: Any, chance: Chance, clock: Callable[[], float]) -> None:
        """Take the decision: the view of the seat that is asked."""
        self.clock = clock
        self.rules = rules
        self.view = view
        self.seat: int = view.seat
        self.chance = chance

    def screened(self, orders: list[Order], until: float) -> list[Order]:
        """Return the guide's order and those that do best if everybody plays at random; as many as `_NARROW`."""
        worth = [0.0] * len(orders)
        while len(orders) > _NARROW and self.clock() < until:
            values = self.values(orders, lambda state, seat: self.rules.sample(state, seat, self.chance))
            worth = [total + value for total, value in zip(worth, values, strict=True)]
        ranked = sorted(range(1, len(orders)), key=lambda i: -worth[i])
        return [orders[0], *(orders[i] for i in ranked[: _NARROW - 1])]

    def best(self, orders: list[Order], guide: Bot, until: float) -> Order:
        """The best order if everybody plays on like the guide: the guide's own, orders[0], unless one is surely better.

        Orders that fall hopelessly behind are given up; it ends early once only one is left.
        """
        ahead: dict[int, list[float]] = {index: [] for index in range(1, len(orders))}
        while ahead and self.clock() < until:
            values = self.values([orders[0], *(orders[index] for index in ahead)], self.by(guide))
            for value, gains in zip(values[1:], ahead.values(), strict=True):
                gains.append(value - values[0])
            ahead = {index: gains for index, gains in ahead.items() if _lead(gains) > -_HOPELESS}
        index = max(ahead, key=lambda index: fmean(ahead[index]) if ahead[index] else 0.0, default=0)
        return orders[index] if index and _lead(ahead[index]) > _SURE else orders[0]

    def values(self, orders: list[Order], play: Callable[[Any, int], Any]) -> list[float]:
        """Return what each order is worth in one imagined world, the same for all."""
        world = self.rules.imagine(self.view, self.chance)
        return [self.value(self.rules.copy(world), order, play) for order in orders]

    def value(self, state: Any, order: Order, play: Callable[[Any, int], Any]) -> float:
        """Play `state` to its end, this seat's order first; what counts is a win, and the lead over the best other."""
        rules = self.rules
        asked = rules.awaited(state)
        given = {seat: play(state, seat) for seat in asked if seat != self.seat}
        rules.apply(state, {**given, self.seat: order}, self.chance)
        while asked := rules.awaited(state):
            rules.apply(state, {seat: play(state, seat) for seat in asked}, self.chance)
        outcome: Outcome | None = rules.outcome(state)
        assert outcome is not None
        mine = outcome.scores[self.seat]
        best = max(score for seat, score in enumerate(outcome.scores) if seat != self.seat)
        won = outcome.places[self.seat] == 1
        return _WIN * won + (mine - best) / (10 + abs(mine) + abs(best))

    def by(self, guide: Bot) -> Callable[[Any, int], Any]:
        """Return the guide's order for any seat, from that seat's view."""
        return lambda state, seat: guide.choose(self.rules, self.rules.view(state, seat), self.chance)


def _lead(gains: list[float]) -> float:
    """By how many standard errors an order is ahead of the guide's; nothing is known before a few worlds."""
    if len(gains) < _FEWEST:
        return 0.0
    return fmean(gains) / max(stdev(gains) / sqrt(len(gains)), 1e-6)
