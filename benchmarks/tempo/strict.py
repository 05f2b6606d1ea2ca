"""Asking strictly one by one, as the known sites do: the measure for every faster way."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice

import msgspec

from benchmarks.tempo.simulated_people import DAY, SimulatedPerson, answered_at, bot_of
from pbem.engine.core.rng import Rng
from pbem.engine.core.types import AnyRules

AT_ONCE = 2
"""Minutes for a player whose next question follows on the page that is open."""


class GameDuration(msgspec.Struct, frozen=True):
    """How one game went by in one way of asking."""

    days: float
    waits: int
    """Times that the game stood still until somebody answered."""
    letters: float
    """Questions mailed, per player."""


def trace(rules: AnyRules, seats: int, seed: str) -> list[tuple[int, ...]]:
    """Play one game by bots of several personalities; for each ply the seats with two legal orders or more."""
    bots = [bot_of(rules.meta.name, f"{seed}/{seat}") for seat in range(seats)]
    state = rules.setup(seats, {}, Rng(seed, 0)).state
    plies: list[tuple[int, ...]] = []
    while awaited := rules.awaited(state):
        ply = len(plies) + 1
        orders = {
            seat: bots[seat].choose(rules, rules.view(state, seat), Rng(f"{seed}/{seat}", ply)) for seat in awaited
        }
        plies.append(tuple(seat for seat in awaited if len(list(islice(rules.legal(state, seat), 2))) > 1))
        rules.apply(state, orders, Rng(seed, ply))
    return plies


def strict(plies: Sequence[tuple[int, ...]], people: tuple[SimulatedPerson, ...]) -> GameDuration:
    """Return every question by itself, one seat after the other; who has just answered alone goes on at once."""
    now = waits = letters = 0
    last = -1
    for ply, seats in enumerate(plies, 1):
        for seat in seats:
            if seat == last:
                now += AT_ONCE
            else:
                now = answered_at(people[seat], now, ply)
                waits += 1
                letters += 1
            last = seat
    return GameDuration(now / DAY, waits, letters / len(people))
