"""Bots of one kind that like different things, as people do: what each thing is worth to one of them."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from math import cos, exp, log, pi, sqrt
from typing import Any

from pbem.engine.core.rng import Chance, Rng
from pbem.engine.core.types import AnyRules

_SPREAD = 0.25
"""Standard deviation of the logarithm of what a thing is worth to one player over what it is to another."""
_FINE = 1 << 53


@cache
def factor(personality: str, thing: str) -> float:
    """Return how much more, or less, than others the player called `personality` likes `thing`; 1 for none."""
    if not personality:
        return 1.0
    return exp(_SPREAD * normal(Rng(f"taste/{personality}/{thing}", 0)))


def normal(lot: Rng) -> float:
    """Draw a number of the standard normal distribution."""
    first, second = ((lot.below(_FINE) + 0.5) / _FINE for _ in range(2))
    return sqrt(-2 * log(first)) * cos(2 * pi * second)


class Heuristic:
    """A game's own player: it gives the order that it holds best, from its view alone, and leaves nothing to chance."""

    name = "heuristic"

    def __init__(self, decide: Callable[[Any, str], Any], personality: str = "") -> None:
        """Take what decides, by a view and the name of a personality; no name for the plain player."""
        self.decide = decide
        self.personality = personality

    def choose(self, rules: AnyRules, view: Any, chance: Chance) -> Any:  # noqa: ARG002 - every bot is asked alike
        """Return the order it holds best."""
        return self.decide(view, self.personality)
