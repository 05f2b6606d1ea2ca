"""Some of several things: every choice of them, and one by chance."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TypeVar

from pbem.engine.core.rng import Chance

T = TypeVar("T")


def choices(counts: Sequence[int], size: int, first: int = 0) -> Iterator[tuple[int, ...]]:
    """Yield every different choice of `size` things counted by kind, the kinds from `first` on, ascending."""
    if not size:
        yield ()
    for kind in range(first, len(counts)) if size else ():
        for number in range(min(counts[kind], size), 0, -1):
            for more in choices(counts, size - number, kind + 1):
                yield (kind,) * number + more


def pick(things: Sequence[T], chance: Chance) -> T:
    """Return any of `things`."""
    return things[chance.below(len(things))]


def take(pool: list[T], size: int, chance: Chance) -> list[T]:
    """Take any `size` things out of a pool, one after the other."""
    return [pool.pop(chance.below(len(pool))) for _ in range(size)]
