"""Games played at random for the contract tests: 50 seeds a game, spread over its seat counts and options."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from itertools import islice
from typing import Any

from pbem.bots.basic import RandomBot
from pbem.bots.selfplay import SelfplayTable, record
from pbem.engine.core.errors import REFUSALS
from pbem.engine.core.records import Record
from pbem.engine.core.rng import Chance, Rng
from pbem.engine.core.types import AnyRules, Decision, Outcome
from pbem.engine.registry import rules_of
from pbem.structs import Value

SEEDS = 50
KEPT = 4
"""Positions kept of each game, evenly spread; one more asks for a kind of decision, another one in the next game."""


class SamplePosition(Value):
    """A state in the middle of a game."""

    seed: str
    ply: int
    seats: int
    state: Any


class Whole(Value):
    """A game played to its end, with what went wrong on the way."""

    table: SelfplayTable
    record: Record
    positions: tuple[SamplePosition, ...]
    last: Any
    outcome: Outcome
    problems: tuple[str, ...]


def table_of(rules: AnyRules, number: int) -> SelfplayTable:
    """Return the table of game `number`: seat counts in turn, options by lot."""
    lot = Rng("tables", number)
    seats = rules.meta.seats[number % len(rules.meta.seats)]
    options = {
        option.name: option.choices[lot.below(len(option.choices))] for option in rules.meta.options if option.choices
    }
    return SelfplayTable(rules, (RandomBot(),) * seats, options)


def chosen(rules: AnyRules, states: Sequence[Any], number: int) -> list[int]:
    """Return the plies of game `number` whose positions are kept: decisions that come rarely are among them too."""
    last = len(states) - 2
    first: dict[str, int] = {}
    for ply, state in enumerate(states[:-1]):
        for decision in rules.asked(state).values():
            first.setdefault(decision.kind, ply)
    kinds = sorted(first)
    spread = {(number + last * i // KEPT) % (last + 1) for i in range(KEPT)}
    return sorted(spread | {first[kinds[number // len(rules.meta.seats) % len(kinds)]]})


def play_through(rules: AnyRules, number: int) -> Whole:
    """Play game `number`, looking for broken invariants after each ply and keeping some positions."""
    table, seed = table_of(rules, number), f"contract-{number}"
    states: list[Any] = []
    problems: list[str] = []

    def keep(state: Any, _orders: Mapping[int, Any], _chance: Chance) -> None:
        problems.extend(f"{seed}, ply {len(states)}: {text}" for text in rules.problems(state))
        states.append(rules.copy(state))

    played, kept = record(table, seed, keep)
    positions = tuple(SamplePosition(seed, ply, table.seats, states[ply]) for ply in chosen(rules, states, number))
    return Whole(table, kept, positions, states[-1], played.outcome, tuple(problems))


@cache
def whole(game: str, number: int) -> Whole:
    """Return one of the games of the contract, played once for all tests."""
    return play_through(rules_of(game), number)


def wholes(game: str) -> tuple[Whole, ...]:
    """Return the games of the contract."""
    return tuple(whole(game, number) for number in range(SEEDS))


def positions(game: str) -> Iterator[SamplePosition]:
    """Yield every position kept of every game, each played once it is come to."""
    for number in range(SEEDS):
        yield from whole(game, number).positions


def decisions(game: str, step: int = 1) -> Iterator[tuple[SamplePosition, int, Decision]]:
    """Yield each decision of every position, or of every `step`-th: needed, owed as a list, or with a default."""
    for position in islice(positions(game), 0, None, step):
        for seat, decision in rules_of(game).asked(position.state).items():
            yield position, seat, decision


def understood(rules: AnyRules, state: Any, seat: int, text: str) -> Any:
    """Return the order that a text is read as; None if it is refused in words."""
    try:
        return rules.read(state, seat, text)
    except REFUSALS:
        return None
