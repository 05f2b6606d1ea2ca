"""How many tables, of how many seats: splitting a field of players over the table sizes a game allows."""

from __future__ import annotations

from collections.abc import Collection
from functools import cache


def table_sizes(players: int, wanted: int, allowed: Collection[int]) -> tuple[int, ...]:
    """Return the sizes of the tables that seat `players`, largest first.

    As few players as possible stay without a table; then as many tables as possible have the `wanted` size; then the
    others are as near to it as can be. `allowed` are the game's player counts.
    """
    for seated in range(players, 0, -1):
        best = _split(seated, wanted, tuple(sorted(allowed)))
        if best is not None:
            return tuple(sorted(best, reverse=True))
    return ()


@cache
def _split(players: int, wanted: int, allowed: tuple[int, ...]) -> tuple[int, ...] | None:
    """Return the best exact split of `players`, or None if there is none."""
    if players == 0:
        return ()
    best: tuple[int, ...] | None = None
    for size in allowed:
        rest = _split(players - size, wanted, allowed) if size <= players else None
        if rest is not None and (best is None or _badness((size, *rest), wanted) < _badness(best, wanted)):
            best = (size, *rest)
    return best


def _badness(sizes: tuple[int, ...], wanted: int) -> tuple[int, int]:
    """Return how far a split is from what was wanted: tables of another size, then the distance of their sizes."""
    return sum(size != wanted for size in sizes), sum(abs(size - wanted) for size in sizes)
