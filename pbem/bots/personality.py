"""Bots of one kind that like different things, as people do: what each thing is worth to one of them."""

from __future__ import annotations

from functools import cache
from math import cos, exp, log, pi, sqrt

from pbem.engine.core.rng import Rng

_SPREAD = 0.25
"""Standard deviation of the logarithm of what a thing is worth to one player over what it is to another."""
_FINE = 1 << 53


@cache
def factor(personality: str, thing: str) -> float:
    """Return how much more, or less, than others the player called `personality` likes `thing`; 1 for none."""
    if not personality:
        return 1.0
    lot = Rng(f"taste/{personality}/{thing}", 0)
    first, second = ((lot.below(_FINE) + 0.5) / _FINE for _ in range(2))
    return exp(_SPREAD * sqrt(-2 * log(first)) * cos(2 * pi * second))
