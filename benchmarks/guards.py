"""Every guard of the program, found by its shape and taken away in turn: the tests of its room must notice.

    python -m benchmarks.guards --list
    python -m benchmarks.guards [--kind refusal] [--room play] [--n 20 --seed 1] [NAME ...]

Guards are: refusals (an `if` that ends by raising, aborting or answering with a 4xx), checks (calls that may refuse,
such as `require_organiser`), scopes (`X.game_id == ...` in a statement), standings (`X.left_at.is_(None)`: what is over
doesn't count), locks, limits of requests, mailed codes, commits, and who may see an event. None is listed by hand, so
that none can be forgotten; `tests/test_guards.py` reads the program in another way and finds no other. Leaves with 1
if one can be taken away unnoticed.
"""

from __future__ import annotations

import argparse
import ast
import random
import sys
from collections import Counter
from typing import TYPE_CHECKING

from benchmarks.mutation import Mutant, Source, named, nodes, options, program, report

if TYPE_CHECKING:
    from collections.abc import Iterator

    from benchmarks.mutation import Edit
    from benchmarks.mutation_reach import Function

ROOMS = (
    *("app", "capabilities", "cli", "clubs", "inbound", "jobs", "letters", "letter_queue", "mail", "play", "smtpd"),
    *("store", "study", "web"),
)
SCOPED = {"game_id", "club_id", "player_id", "season_id", "seat_id", "seat"}
"""Columns that say whose rows a statement may touch."""
OVER = {"left_at", "ended_at", "closed_at", "revoked_at", "used_at", "dropped_at"}
"""Columns that say since when something doesn't count any more."""
PRESENT = "at_present"
"""Whom a club's people are asked for by: its keywords are scopes."""
CONDITIONS = {"holds": "scope", "is_live": "standing", "is_open": "standing"}
"""Conditions that a table has a word for: whose rows, and what isn't over; each place that asks for one is a guard."""
LOCKS = {"with_for_update"}
CHECKS = ("require_", "refuse_")
"""How calls begin that raise what a person may not do."""
TRUE = '__import__("sqlalchemy").true()'
"""What a statement asks for in a condition's place; Python's own True couldn't stand in a join."""
PROOFS = {"prove"}
"""Calls that ask for a mailed code."""

EQUIVALENT: dict[str, tuple[str, str]] = {
    "pbem.cli.demo.results:_standings:scope:1": ("Seat.game_id == game.id", "the demo's database holds one game"),
    "pbem.cli.demo.results:result:scope:1": ("StoredPly.game_id == game.id", "the demo's database holds one game"),
    "pbem.store.queries.ply_inputs:_inputs:scope:4": (
        "_SEATS.c.seat == 0",
        "the position comes with each seat then, and is read of the first",
    ),
}
"""Guards that nobody could tell from the program without them, each as it stands there, and why: they are left out."""


def guards() -> list[Mutant]:
    """Every guard there is, with the edit that takes it away."""
    return [mutant for path in program(*ROOMS) for mutant in named(path, _of(Source(path)))]


def _of(source: Source) -> Iterator[tuple[str, str, Edit]]:
    for symbol, function in source.symbols():
        for kind, edit in (*_at(source, symbol, function), *_in(source, symbol, function)):
            yield kind, symbol, edit
    for statement in source.statements():
        for node in ast.walk(statement):
            if isinstance(node, ast.expr) and (found := _in_statement(node)):
                yield found[0], "<module>", source.replaced_outside(statement, node, found[1])


def _in_statement(node: ast.expr) -> tuple[str, str] | None:
    """The kind of a guard within a database statement, and what stands there without it."""
    if isinstance(node, ast.Compare) and _is_scope(node):
        return "scope", TRUE
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        if node.func.attr in LOCKS:
            return "lock", ast.unparse(node.func.value)
        if node.func.attr == "is_" and _name(node.func.value) in OVER:
            return "standing", TRUE
        if node.func.attr in CONDITIONS and ast.unparse(node.func.value)[0].isupper():
            return CONDITIONS[node.func.attr], TRUE
    return None


def _at(source: Source, symbol: str, function: Function) -> Iterator[tuple[str, Edit]]:
    """Limits of requests: decorators, and what a call of the API says of its budget."""
    for decorator in [one for one in function.decorator_list if isinstance(one, ast.Call)]:
        if _name(decorator.func) == "limit":
            yield "limit", source.replaced(symbol, function, decorator, "(lambda function: function)")
        for word in [one for one in decorator.keywords if one.arg == "budget"]:
            yield "limit", source.replaced(symbol, function, word.value, '""')


def _in(source: Source, symbol: str, function: Function) -> Iterator[tuple[str, Edit]]:
    for node in nodes(function):
        if isinstance(node, ast.If) and _refuses(node.body[-1]):
            yield "refusal", source.replaced(symbol, function, node.test, "False", node.body[0])
        elif isinstance(node, ast.expr) and (found := _in_statement(node)):
            yield found[0], source.replaced(symbol, function, node, found[1])
        elif isinstance(node, ast.Call) and _name(node.func) == PRESENT:
            table = ast.unparse(node.func).removesuffix(f".{PRESENT}")
            for word in [one for one in node.keywords if one.arg in SCOPED]:
                yield "scope", source.replaced(symbol, function, word.value, f"{table}.{word.arg}")
        elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Call) and (kind := _deed(node.value)):
            yield kind, source.replaced(symbol, function, node, "pass")
        elif isinstance(node, ast.BoolOp) and "seen_by" in ast.unparse(node):
            yield "secrecy", source.replaced(symbol, function, node, "True")


def _refuses(last: ast.stmt) -> bool:
    """Whether the last statement of a branch raises, aborts, or answers with a status of 4xx."""
    if isinstance(last, ast.Expr) and isinstance(last.value, ast.Call):
        return _name(last.value.func) == "abort"
    if isinstance(last, ast.Return) and isinstance(last.value, ast.Call | ast.Tuple):
        said = last.value.args if isinstance(last.value, ast.Call) else last.value.elts
        return any(isinstance(one, ast.Constant) and one.value in range(400, 500) for one in said)
    return isinstance(last, ast.Raise)


def _is_scope(node: ast.Compare) -> bool:
    """Whether it compares a column, as statements do: `Seat.game_id == game_id`, `_KEYS.c.seat_id == seat`."""
    left = node.left
    if not (isinstance(left, ast.Attribute) and left.attr in SCOPED and isinstance(node.ops[0], ast.Eq)):
        return False
    table = ast.unparse(left.value).removeprefix("models.").removesuffix(".c")
    return table.isidentifier() and table.strip("_")[:1].isupper()


def _deed(call: ast.Call) -> str:
    """The kind of guard that a call for its own sake is; "" for none."""
    name = _name(call.func)
    if name.startswith(CHECKS):
        return "check"
    return "proof" if name in PROOFS else "commit" if name == "commit" else ""


def _name(function: ast.expr) -> str:
    """The last word of what is called or looked up."""
    return function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")


def chosen(found: list[Mutant], wanted: argparse.Namespace) -> list[Mutant]:
    """Those that a call asks for."""
    some = [
        mutant
        for mutant in found
        if mutant.name not in EQUIVALENT
        and (not wanted.kind or mutant.kind == wanted.kind)
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
    options(parser)
    wanted = parser.parse_args()
    some = chosen(guards(), wanted)
    if wanted.list:
        print("\n".join(mutant.name for mutant in some))
        print(f"{len(some)} guards: {dict(Counter(mutant.kind for mutant in some))}")
        return 0
    survived = report(some, wanted.kept, wanted.seconds, wide=True)
    print(f"{len(some) - len(survived)} of {len(some)} guards are missed when they are gone")
    return 1 if survived else 0


if __name__ == "__main__":
    sys.exit(main())
