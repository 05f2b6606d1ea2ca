"""Which tests reach which statement of the program: each test is run once, on a copy in which every statement tells.

A statement is named by module, symbol, a digest of the function's source and its number there, so that the map holds
for all that is not changed, and is known to be too old for what is. It is kept by file of tests: a file that changes is
run again, and one whose tests have reached a function that changed.
"""

from __future__ import annotations

import ast
import hashlib
import os
import subprocess
import sys
from collections import defaultdict
from functools import cached_property
from itertools import accumulate
from typing import TYPE_CHECKING

import msgspec

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from pathlib import Path

Function = ast.FunctionDef | ast.AsyncFunctionDef
UNMARKED = ("engine", "pictures", "bots", "kit", "translations", "migrations", "extensions.py")
"""Parts whose mutants meet all tests of their folders: their statements are run far too often to tell each time."""


class Ran(msgspec.Struct):
    """What one test cost and reached."""

    seconds: float = 0
    numbers: set[int] = set()
    """Of statements, in the map's list."""
    passed: bool = False
    """Whether it did, so that it needn't be run again without a mutant that it fails with."""

    @property
    def weight(self) -> float:
        """How wide the test is and how long it takes."""
        return len(self.numbers) * (0.02 + self.seconds)


class Reach(msgspec.Struct, dict=True):
    """What is known so far."""

    places: list[str] = []
    """Statements by name; a test names them by their number here."""
    files: dict[str, str] = {}
    """By file of tests what it held when it was run."""
    tests: dict[str, Ran] = {}
    """By id; the one without a name is what is run while the program is loaded."""

    def renew(self, functions: set[str]) -> None:
        """Forget the files of tests that ran on another program than that of these functions, named with digests.

        A function that is new is reached by way of one that has changed, or by who walks its module.
        """
        names = {_function(place).rpartition(":")[0] for place in self.places}
        grown = {one.partition(":")[0] for one in functions if one.rpartition(":")[0] not in names}
        gone = {number for number, place in enumerate(self.places) if _function(place) not in functions}
        if self.tests.get("", Ran()).numbers & gone:  # what was made while the program was loaded, all tests used
            self.files, self.tests = {}, {}
        stale = gone | {number for number, place in enumerate(self.places) if place.partition(":")[0] in grown}
        files = {test.partition("::")[0] for test, ran in self.tests.items() if ran.numbers & stale}
        self.forget(files.__contains__)

    def forget(self, is_gone: Callable[[str], bool]) -> None:
        """Forget the files of tests that are gone."""
        self.files = {name: digest for name, digest in self.files.items() if not is_gone(name)}
        self.tests = {test: ran for test, ran in self.tests.items() if not test or not is_gone(test.partition("::")[0])}

    @cached_property
    def _reaching(self) -> dict[str, set[str]]:
        """By statement the tests that reach it; made once, when all is known."""
        found: dict[str, set[str]] = defaultdict(set)
        for test, ran in self.tests.items():
            for number in ran.numbers:
                found[self.places[number]].add(test)
        return found

    def of(self, places: Iterable[str]) -> list[str]:
        """The tests that reach one of the places: those named after its function, then who reach and take least.

        Of what is reached while the program is loaded, as by a decorator, also the tests that reach its module.
        """
        functions = {_function(place).rpartition(":")[0] for place in places}
        modules = {place.partition(":")[0] for place in places} if self.is_loading(places) else set()
        beside = [place for place in self.places if place.partition(":")[0] in modules]
        found, around = (
            {test for place in some for test in self._reaching.get(place, ())} - {""} for some in (places, beside)
        )

        def rank(test: str) -> tuple[bool, bool, float, str]:
            return not any(name in test for name in functions), test not in found, self.tests[test].weight, test

        return sorted(found | around, key=rank)

    def all_tests(self) -> list[str]:
        """Every test, those that take least first: what a mutant meets where nothing is told of who reaches it."""
        return sorted(set(self.tests) - {""}, key=lambda test: (self.tests[test].seconds, test))

    def looking(self) -> list[str]:
        """The tests that reach no statement: they look at what the program made while it was loaded."""
        return sorted(test for test, ran in self.tests.items() if test and not ran.numbers)

    def is_loading(self, places: Iterable[str]) -> bool:
        """Whether one of the places is reached while the program is loaded: what it makes then, it makes once."""
        return any("" in self._reaching.get(place, ()) for place in places)

    def within(self, tests: list[str], seconds: float) -> list[str]:
        """The first of the tests that take no longer together; one at least."""
        ends = accumulate(self.tests[test].seconds for test in tests)
        return [
            test for number, (test, end) in enumerate(zip(tests, ends, strict=True)) if end <= seconds or not number
        ]


def symbols(node: ast.AST, inside: str = "") -> Iterator[tuple[str, Function]]:
    """Every function below a node, named with its class."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef):
            yield f"{inside}{child.name}", child
        elif isinstance(child, ast.ClassDef):
            yield from symbols(child, f"{inside}{child.name}.")


def places(path: Path, tree: ast.Module, raw: bytes) -> Iterator[tuple[str, Function, list[tuple[ast.stmt, str]]]]:
    """Every function of a module, its symbol, and its statements by name; those of functions within it are its own."""
    lines = raw.splitlines()
    for symbol, function in symbols(tree):
        first = min(one.lineno for one in (function, *function.decorator_list))
        source = b"\n".join(lines[first - 1 : function.end_lineno])
        name = f"{module_of(path)}:{symbol}:{hashlib.sha256(source).hexdigest()[:8]}"
        found = [node for first in function.body for node in ast.walk(first) if isinstance(node, ast.stmt)]
        yield symbol, function, [(node, f"{name}:{number}") for number, node in enumerate(found)]


def _function(place: str) -> str:
    """The function of a statement, with its digest."""
    return place.rpartition(":")[0]


def module_of(path: Path) -> str:
    """The name of a module from its path below the project's folder."""
    return ".".join(path.with_suffix("").parts)


def functions_of(folder: Path) -> set[str]:
    """The program's functions in the copy `folder`, named with their digests, as the map knows them."""
    found: set[str] = set()
    for path in _marked_parts(folder):
        raw = path.read_bytes()
        found.update(_function(named[0][1]) for _, _, named in places(path.relative_to(folder), ast.parse(raw), raw))
    return found


def look(folder: Path, known: Reach, tests: str) -> bool:
    """Run those of the tests (a file or a folder) whose files are not known as they are, in the copy `folder`.

    Gives whether there were any.
    """
    files = [folder / tests] if tests.endswith(".py") else sorted((folder / tests).rglob("test_*.py"))
    digests = {str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest()[:16] for path in files}
    new = [name for name, digest in digests.items() if known.files.get(name) != digest]
    if not new:
        return False
    numbers = {name: number for number, name in enumerate(known.places)}
    whole = {path: path.read_bytes() for path in _marked_parts(folder)}
    for path, raw in whole.items():
        path.write_text(_marked(raw, path.relative_to(folder), numbers))
    try:
        _run(folder, known, new)
    finally:
        for path, raw in whole.items():
            path.write_bytes(raw)
    known.places = list(numbers)
    known.files |= {name: digests[name] for name in new}
    return True


def _marked_parts(folder: Path) -> list[Path]:
    return [
        path
        for path in sorted((folder / "pbem").rglob("*.py"))
        if not set(UNMARKED) & set(path.relative_to(folder / "pbem").parts)
    ]


def _marked(raw: bytes, path: Path, numbers: dict[str, int]) -> str:
    """The module's text in which each statement of a function is preceded by a call that tells its number."""
    tree = ast.parse(raw)
    named = [one for _, _, statements in places(path, tree, raw) for one in statements]
    marks = {node: numbers.setdefault(name, len(numbers)) for node, name in named}
    for block_owner in ast.walk(tree):
        for field in ("body", "orelse", "finalbody"):
            block = getattr(block_owner, field, None)
            if isinstance(block, list) and any(one in marks for one in block):
                setattr(block_owner, field, [also for one in block for also in (*_call(one, marks), one)])
    if module_of(path) == "pbem.__init__":
        tree.body.append(ast.parse("import benchmarks.mutation_marks").body[0])
    return ast.unparse(ast.fix_missing_locations(tree))


def _call(statement: ast.stmt, marks: dict[ast.stmt, int]) -> list[ast.stmt]:
    """What is to stand before a statement; before a docstring nothing, which a model or a command would lose."""
    said = isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)
    return ast.parse(f"_reached_({marks[statement]})").body if statement in marks and not said else []


def _run(folder: Path, known: Reach, files: list[str]) -> None:
    notes = folder / "reached.txt"
    notes.write_text("")
    environ = {**os.environ, "PYTHONPATH": str(folder), "MUTATION_REACHED": str(notes)}
    words = ("-m", "pytest", "-q", "-n", "0", "-p", "no:cacheprovider", "-p", "benchmarks.mutation_plugin", *files)
    done = subprocess.run(
        [sys.executable, *words],
        cwd=folder,
        env=environ,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    print(done.stdout.splitlines()[-1], flush=True)
    if done.returncode not in {0, 1}:  # what a test fails at for the marks, it reached all the same
        raise SystemExit(done.stdout)
    again = set(files)
    known.tests = {test: ran for test, ran in known.tests.items() if test.partition("::")[0] not in again}
    for line in notes.read_text().splitlines():
        test, seconds, told, passed = line.split("\t")
        ran = known.tests.setdefault(test, Ran(0, set()))
        ran.seconds += float(seconds)
        ran.numbers.update(map(int, told.split()))
        ran.passed |= passed == "1"
