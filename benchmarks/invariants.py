"""Random games of every player count with a look for broken invariants after each ply: the long form of the contract.

python benchmarks/invariants.py GAME [--games 10000] [--seed S] [--json]
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from typing import TYPE_CHECKING, Any

from pbem.bots.basic import RandomBot
from pbem.bots.selfplay import SelfplayTable, play
from pbem.engine.core.rng import Rng
from pbem.engine.registry import rules_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pbem.engine.core.rng import Chance
    from pbem.engine.core.types import AnyRules

SHOWN = 20
"""Broken invariants printed; one is too many already."""


def options_of(rules: AnyRules, seed: str) -> dict[str, str]:
    """A choice for each of the game's options, by lot."""
    lot = Rng(f"{seed}/options", 0)
    return {
        option.name: option.choices[lot.below(len(option.choices))] for option in rules.meta.options if option.choices
    }


def run(rules: AnyRules, seats: int, games: int, seed: str) -> tuple[list[str], Counter[str]]:
    """Play; give every broken invariant with its game and ply, and how often each ending came."""
    broken: list[str] = []
    endings: Counter[str] = Counter()
    for number in range(games):
        one, plies = f"{seed}-{seats}-{number}", [0]

        def look(
            state: Any, _orders: Mapping[int, Any], _chance: Chance, one: str = one, plies: list[int] = plies
        ) -> None:
            broken.extend(f"seed {one}, ply {plies[0]}: {text}" for text in rules.problems(state))
            plies[0] += 1

        endings[
            play(SelfplayTable(rules, (RandomBot(),) * seats, options_of(rules, one)), one, look).outcome.ending
        ] += 1
    return broken, endings


def main() -> None:
    """Play every player count and print what was found; ends with 1 if anything broke."""
    parser = argparse.ArgumentParser(description="Random games, invariants checked after every ply.")
    parser.add_argument("game")
    parser.add_argument("--games", type=int, default=10_000, help="games per player count")
    parser.add_argument("--seed", default="invariants")
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    rules = rules_of(given.game)
    found = {seats: run(rules, seats, given.games, given.seed) for seats in rules.meta.seats}
    broken = [text for texts, _ in found.values() for text in texts]
    if given.json:
        endings = {seats: dict(counts) for seats, (_, counts) in found.items()}
        print(json.dumps({"game": given.game, "games": given.games, "broken": broken[:SHOWN], "endings": endings}))
    else:
        for seats, (texts, counts) in found.items():
            print(f"{given.game}, {seats} seats: {given.games} games, {len(texts)} broken invariants, {dict(counts)}")
        print("\n".join(broken[:SHOWN]))
    sys.exit(1 if broken else 0)


if __name__ == "__main__":
    main()
