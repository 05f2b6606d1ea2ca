"""Every guard of the program, found by its shape and taken away in turn: the tests of its room must notice.

    python -m benchmarks.guards --list
    python -m benchmarks.guards [--kind refusal] [--room play] [--n 20 --seed 1] [NAME ...]

Guards are: refusals (`if ...: raise` or `abort`), scopes (`X.game_id == ...` in a statement), locks, limits of
requests, mailed codes, commits, and who may see an event. None is listed by hand, so that none can be
forgotten. Leaves with 1 if one can be taken away unnoticed.
"""

from __future__ import annotations

import argparse
import ast
import random
import sys
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks.mutation import Mutant, Source, named, nodes, program, report

if TYPE_CHECKING:
    from collections.abc import Iterator

    from benchmarks.mutation import Edit, Function

ROOMS = ("capabilities", "clubs", "inbound", "jobs", "letters", "letter_queue", "play", "store", "web", "smtpd")
SCOPED = {"game_id", "club_id", "player_id", "season_id", "seat_id", "seat"}
"""Columns that say whose rows a statement may touch."""
LOCKS = {"with_for_update"}
PROOFS = {"prove"}
"""Calls that ask for a mailed code."""


def guards() -> list[Mutant]:
    """Every guard there is, with the edit that takes it away."""
    return [mutant for path in program(*ROOMS) for mutant in named(path, _of(Source(path)))]


def _of(source: Source) -> Iterator[tuple[str, str, Edit]]:
    for symbol, function in source.symbols():
        for kind, edit in _in(source, function):
            yield kind, symbol, edit


def _in(source: Source, function: Function) -> Iterator[tuple[str, Edit]]:
    for decorator in function.decorator_list:
        if isinstance(decorator, ast.Call) and _name(decorator.func) == "limit":
            yield "limit", source.replaced(function, decorator, "(lambda function: function)")
    for node in nodes(function):
        if isinstance(node, ast.If) and _refuses(node.body):
            yield "refusal", source.replaced(function, node.test, "False")
        elif isinstance(node, ast.Compare) and _is_scope(node):
            yield "scope", source.replaced(function, node, "True")
        elif isinstance(node, ast.Call) and _name(node.func) in LOCKS and isinstance(node.func, ast.Attribute):
            yield "lock", source.replaced(function, node, ast.unparse(node.func.value))
        elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Call) and _name(node.value.func) in PROOFS:
            yield "proof", source.replaced(function, node, "pass")
        elif isinstance(node, ast.Expr) and _is_commit(node.value):
            yield "commit", source.replaced(function, node, "pass")
        elif isinstance(node, ast.BoolOp) and "seen_by" in ast.unparse(node):
            yield "secrecy", source.replaced(function, node, "True")


def _refuses(body: list[ast.stmt]) -> bool:
    first = body[0]
    called = isinstance(first, ast.Expr) and isinstance(first.value, ast.Call) and _name(first.value.func) == "abort"
    return len(body) == 1 and (isinstance(first, ast.Raise) or called)


def _is_scope(node: ast.Compare) -> bool:
    """Whether it compares a class's column, as statements do: `Seat.game_id == game_id`."""
    left = node.left
    column = isinstance(left, ast.Attribute) and left.attr in SCOPED and isinstance(left.value, ast.Name)
    return column and isinstance(node.ops[0], ast.Eq) and ast.unparse(left)[0].isupper()


def _is_commit(node: ast.expr) -> bool:
    return isinstance(node, ast.Call) and _name(node.func) == "commit"


def _name(function: ast.expr) -> str:
    """The last word of what is called."""
    return function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")


def chosen(found: list[Mutant], wanted: argparse.Namespace) -> list[Mutant]:
    """Those that a call asks for."""
    some = [
        mutant
        for mutant in found
        if (not wanted.kind or mutant.kind == wanted.kind)
        and (not wanted.room or mutant.room == wanted.room)
        and (not wanted.names or mutant.name in wanted.names)
    ]
    return sorted(random.Random(wanted.seed).sample(some, min(wanted.n or len(some), len(some))))


def main() -> int:
    """Take guards away as the command line says; the number of those nobody missed decides the exit code."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", help="guards by the names that --list prints")
    parser.add_argument("--list", action="store_true", help="name every guard and end")
    parser.add_argument("--kind", default="", help="only this kind")
    parser.add_argument("--room", default="", help="only this room, such as play")
    parser.add_argument("--n", type=int, default=0, help="so many at random; without it all")
    parser.add_argument("--seed", type=int, default=1, help="of the random choice")
    parser.add_argument("--reached", type=Path, help="a file that keeps which tests reach what, to go on in parts")
    wanted = parser.parse_args()
    some = chosen(guards(), wanted)
    if wanted.list:
        print("\n".join(mutant.name for mutant in some))
        print(f"{len(some)} guards: {dict(Counter(mutant.kind for mutant in some))}")
        return 0
    survived = report(some, wanted.reached, wide=True)
    print(f"{len(some) - len(survived)} of {len(some)} guards are missed when they are gone")
    return 1 if survived else 0


if __name__ == "__main__":
    sys.exit(main())
