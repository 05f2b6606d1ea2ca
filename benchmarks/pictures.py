"""How long a board takes to draw as PNG, and how large it is, over positions of whole games.

    python -m benchmarks.pictures [--positions 60]

Drawn as for a letter: 600 pixels wide, everything anew, what has changed ringed. Bars: medians under 60 ms and 60 kB.
The time is the processor's own, so that what else the machine does counts for little.
"""

from __future__ import annotations

import argparse
import itertools
import statistics
import sys
import time
from typing import TYPE_CHECKING, Any

import msgspec

from pbem.engine.core.rng import Rng
from pbem.engine.registry import GAMES, rules_of
from pbem.letters import sections
from pbem.pictures.rings import numbered

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pbem.pictures.rings import Marked

MILLISECONDS, BYTES = 60, 60_000
NAMES = ("Anna", "Bruno", "Chloé", "Dov", "Emre")


def positions(game: str, seats: int) -> Iterator[tuple[bytes, Marked]]:
    """Every position of one game between bots that play anything legal: its public view, and what has just changed."""
    rules, chance, own = rules_of(game), Rng("pictures", 0), Rng("pictures/bots", 0)
    state: Any = rules.setup(seats, {option.name: option.default for option in rules.meta.options}, chance).state
    for ply in itertools.count(1):
        asked = rules.awaited(state)
        if not asked:
            return
        events = rules.apply(state, {seat: rules.sample(state, seat, own) for seat in asked}, Rng("pictures", ply))
        told = numbered([event for event in events if event.seen_by is None])
        yield msgspec.json.encode(rules.view(state, None)), told.rings


def spread(found: list[Any], count: int) -> list[Any]:
    """At most `count` of `found`, evenly from the first to the last."""
    step = max(1, len(found) // count)
    return found[::step]


def drawn(game: str, public: bytes, rings: Marked) -> tuple[float, int]:
    """Milliseconds and bytes of one picture, nothing kept from those before."""
    sections.draw.cache_clear()
    began = time.process_time()
    made = sections.draw(rules_of(game), public, rings, "en", NAMES)
    return (time.process_time() - began) * 1000, len(made.picture.png)


def measure(game: str, seats: int, count: int) -> bool:
    """Print both medians of one game at one table; whether they keep to the bars."""
    found = [drawn(game, *one) for one in spread(list(positions(game, seats)), count)]
    times, sizes = [time for time, _ in found], [size for _, size in found]
    passed = statistics.median(times) < MILLISECONDS and statistics.median(sizes) < BYTES
    print(
        f"{game:12} {seats} seats, {len(found)} positions: median {statistics.median(times):.1f} ms "
        f"(highest {max(times):.1f}), {statistics.median(sizes) / 1000:.1f} kB (largest {max(sizes) / 1000:.1f})"
        f"{'' if passed else '  MISSED'}",
        flush=True,
    )
    return passed


def main() -> None:
    """Measure every game at its smallest and largest table; leave with 1 if a median misses a bar."""
    parser = argparse.ArgumentParser(description="Time and size of the boards' pictures.")
    parser.add_argument("--positions", type=int, default=40)
    count = parser.parse_args().positions
    tables = [(game, choose(rules_of(game).meta.seats)) for game in GAMES for choose in (min, max)]
    drawn(GAMES[0], *next(positions(GAMES[0], tables[0][1])))  # the first picture also reads the fonts
    passed = [measure(game, seats, count) for game, seats in tables]
    sys.exit(not all(passed))


if __name__ == "__main__":
    main()
