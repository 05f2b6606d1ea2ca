"""No seat is ever answered against its plan: many random plans, each answer read a second time beside the compiler.

python -m benchmarks.plans --plans 10000
"""

from __future__ import annotations

import sys
from argparse import ArgumentParser

from pbem.engine.registry import GAMES, rules_of
from tests.engine import plan_referee

_SHOWN = 5


def main() -> int:
    """Print plans, answers and complaints of each game; 1 if there was a complaint."""
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("--plans", type=int, default=10_000, help="random plans for each game")
    parser.add_argument("--seed", default="1", help="the same seed gives the same plans and games")
    parser.add_argument("games", nargs="*", help="games; all if none is named")
    given = parser.parse_args()
    wrong = 0
    for game in given.games or GAMES:
        found = plan_referee.followed(rules_of(game), given.seed, given.plans)
        wrong += len(found.complaints)
        print(f"{game}: {found.plans} plans, {found.answers} answers, {len(found.complaints)} against a plan")
        for complaint in found.complaints[:_SHOWN]:
            print(f"  {complaint}")
    return int(wrong > 0)


if __name__ == "__main__":
    sys.exit(main())
