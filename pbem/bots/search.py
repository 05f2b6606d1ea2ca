"""A player for practice games that tries orders out: information-set Monte Carlo over imagined worlds."""

from __future__ import annotations

from itertools import islice
from time import monotonic
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pbem.bots.players import Bot
    from pbem.engine.rng import Chance
    from pbem.engine.types import AnyRules, Order

WIDTH = 24
"""Orders weighed at one decision; where there are more, the heuristic's own and a random sample of the others."""
_ENUMERATED = 400
"""Legal orders looked at before sampling instead."""


class SearchBot:
    """Plays every candidate order out in the same imagined worlds and keeps the better half, until time is up."""

    name = "search"

    def __init__(self, guide: Bot, seconds: float) -> None:
        """Take the bot that names a first candidate, and the time for one decision."""
        self.guide = guide
        self.seconds = seconds

    def choose(self, rules: AnyRules, view: Any, chance: Chance) -> Order:
        """The order that did best in the worlds tried."""
        orders = candidates(rules, view, self.guide, chance)
        until = monotonic() + self.seconds
        share = self.seconds / max(1, (len(orders) - 1).bit_length())
        while len(orders) > 1:
            stop = min(until, monotonic() + share)
            worth = weigh(rules, view, orders, chance, stop)
            ranked = sorted(range(len(orders)), key=lambda i: -worth[i])
            orders = [orders[i] for i in ranked[: (len(orders) + 1) // 2]]
        return orders[0]


def candidates(rules: AnyRules, view: Any, guide: Bot, chance: Chance) -> list[Order]:
    """Up to WIDTH different legal orders, the guide's first."""
    world = rules.imagine(view, chance)
    first = guide.choose(rules, view, chance)
    every = list(islice(rules.legal(world, view.seat), _ENUMERATED))
    if len(every) >= _ENUMERATED:
        every = [rules.sample(world, view.seat, chance) for _ in range(4 * WIDTH)]
    others = [order for order in dict.fromkeys(every) if order != first]
    while len(others) >= WIDTH:
        others.pop(chance.below(len(others)))
    return [first, *others]


def weigh(rules: AnyRules, view: Any, orders: list[Order], chance: Chance, stop: float) -> list[float]:
    """The summed worth of each order over the worlds there was time for: at least one, each world for all orders."""
    worth = [0.0] * len(orders)
    while True:
        world = rules.imagine(view, chance)
        for index, order in enumerate(orders):
            state = rules.copy(world)
            play_on(rules, state, view.seat, order, chance)
            worth[index] += value(rules, state, view.seat)
        if monotonic() >= stop:
            return worth


def play_on(rules: AnyRules, state: Any, seat: int, order: Order, chance: Chance) -> None:
    """Carry out `order`, the others' orders being random, then play at random to the end."""
    given: Mapping[int, Any] = {
        other: order if other == seat else rules.sample(state, other, chance) for other in rules.awaited(state)
    }
    if seat not in given:
        given = {**given, seat: order}
    rules.apply(state, given, chance)
    while asked := rules.awaited(state):
        rules.apply(state, {other: rules.sample(state, other, chance) for other in asked}, chance)


def value(rules: AnyRules, state: Any, seat: int) -> float:
    """What an ended game is worth to `seat`: one for a win, and a little for the lead over the best other."""
    outcome = rules.outcome(state)
    assert outcome is not None
    mine = outcome.scores[seat]
    best = max(score for other, score in enumerate(outcome.scores) if other != seat)
    return (outcome.places[seat] == 1) + (mine - best) / (10 + abs(mine) + abs(best))
