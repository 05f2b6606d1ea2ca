"""Positions of random games in which plans are tried: by what is asked there, and with plans of random fields."""

from __future__ import annotations

from functools import cache
from typing import Any

from pbem.engine.core.errors import InvalidOrder
from pbem.engine.core.rng import Rng
from pbem.engine.registry import planner_of, rules_of
from pbem.engine.text import standing_text
from pbem.kit.contract.positions import play_through, table_of
from tests.engine import plan_referee

PLAYED = 6
"""Random games whose positions are walked."""
KEPT = 10
"""Positions of each kind of decision, of each game."""


@cache
def walked(game: str) -> dict[str, list[tuple[Any, int]]]:
    """By kind of decision, the positions of random games in which a seat is asked for it, the first ones of each."""
    rules = rules_of(game)
    found: dict[str, list[tuple[Any, int]]] = {}
    for number in range(PLAYED):
        table, lot, ply = table_of(rules, number), Rng("walked", number), 0
        state = rules.setup(table.seats, table.options, Rng("walked", number)).state
        while asked := rules.awaited(state):
            for seat, decision in asked.items():
                kept = found.setdefault(decision.kind, [])
                if len(kept) < KEPT * (number + 1):
                    kept.append((rules.copy(state), seat))
            ply += 1
            rules.apply(state, {seat: rules.sample(state, seat, lot) for seat in asked}, Rng(f"walked/{number}", ply))
    return found


@cache
def compiled(game: str) -> tuple[tuple[Any, int, standing_text.StandingOrders], ...]:
    """Random plans of random positions, compiled, with the position and the seat."""
    rules, planner = rules_of(game), planner_of(game)
    made = []
    for number in range(PLAYED):
        for position in play_through(rules, number).positions:
            for seat in range(position.seats):
                view = rules.view(position.state, seat)
                for part in planner.parts(view):
                    lot = Rng(f"{number}/{position.ply}/{part.name}", seat)
                    try:
                        plan = planner.plan(view, part.name, plan_referee.random_fields(part, lot))
                    except InvalidOrder:
                        continue
                    made.append((position.state, seat, standing_text.parse(rules, planner.text(plan))))
    return tuple(made)
