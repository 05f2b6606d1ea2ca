"""Whole games among bots, for records, measurements and proofs of the rules."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias

from pbem.bots.basic import Bot, RandomBot
from pbem.engine.core.errors import CorruptState
from pbem.engine.core.message import Message
from pbem.engine.core.records import Record, RecordedPly, RecordedResult
from pbem.engine.core.rng import Chance, Rng
from pbem.engine.core.types import AnyRules, Outcome
from pbem.engine.replay import digest
from pbem.structs import Value

MAX_PLIES = 20_000
"""No game of ours comes near it; a game that does has lost its way to an end."""

_NOW_AND_THEN = 8
"""An optional decision is answered about one time in so many; its default stands otherwise."""


class SelfplayTable(Value):
    """Who plays what: a bot for each seat."""

    rules: Any
    bots: tuple[Any, ...]
    options: Mapping[str, str] = {}

    @property
    def seats(self) -> int:
        """The number of seats."""
        return len(self.bots)


class SelfplayGame(Value):
    """A game played to its end."""

    seed: str
    state: Any
    outcome: Outcome
    plies: int
    decisions: int
    """Orders given by awaited seats."""
    events: int


Watch: TypeAlias = Callable[[Any, Mapping[int, Any], Chance], None]


def play(table: SelfplayTable, seed: str, watch: Watch | None = None) -> SelfplayGame:
    """Play one game; `watch` is shown state, orders and chance after each ply.

    The same arguments give the same game. Raises CorruptState if the game doesn't end.
    """
    rules: AnyRules = table.rules
    own = Rng(f"{seed}/bots", 0)
    chance = Rng(seed, 0)
    start = rules.setup(table.seats, table.options, chance)
    state, events, decisions, ply = start.state, len(start.events), 0, 0
    if watch:
        watch(state, {}, chance)
    choose = _chooser(rules, table.bots)
    who, apply = rules.asked, rules.apply
    while asked := who(state):
        ply += 1
        orders = {}
        for seat, decision in asked.items():
            if decision.needed:
                orders[seat] = choose(state, seat, own)
                decisions += 1
            elif not decision.sealed and not own.below(_NOW_AND_THEN):
                orders[seat] = choose(state, seat, own)
        chance = Rng(seed, ply)
        events += len(apply(state, orders, chance))
        if watch:
            watch(state, orders, chance)
        if ply > MAX_PLIES:
            raise CorruptState(
                Message("The game with seed {seed!r} did not end in {plies} plies.", {"seed": seed, "plies": ply})
            )
    outcome = rules.outcome(state)
    if outcome is None:
        raise CorruptState(Message("The game with seed {seed!r} awaits nobody but has no outcome.", {"seed": seed}))
    return SelfplayGame(seed, state, outcome, ply, decisions, events)


def _chooser(rules: AnyRules, bots: Sequence[Bot]) -> Callable[[Any, int, Chance], Any]:
    """Return how an order is found; what is legal hangs on the view alone, so random play needs no view at all."""
    if all(isinstance(bot, RandomBot) for bot in bots):
        return rules.sample
    return lambda state, seat, own: bots[seat].choose(rules, rules.view(state, seat), own)


def record(table: SelfplayTable, seed: str, watch: Watch | None = None) -> tuple[SelfplayGame, Record]:
    """Play one game as `play` does, and keep its record."""
    plies: list[RecordedPly] = []

    def keep(state: Any, orders: Mapping[int, Any], chance: Chance) -> None:
        plies.append(RecordedPly(len(plies), {seat: str(order) for seat, order in orders.items()}, tuple(chance.log)))
        if watch:
            watch(state, orders, chance)

    played = play(table, seed, keep)
    outcome, meta = played.outcome, table.rules.meta
    result = RecordedResult(outcome.scores, outcome.places, outcome.ending, digest(played.state))
    return played, Record(meta.name, meta.version, table.seats, table.options, seed, tuple(plies), result)
