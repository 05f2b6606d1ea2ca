"""Breaking the program on purpose, one place at a time, to see whether its tests notice.

A mutant is an edit of one file, named by module, symbol and the number of its kind there, so that the name holds when
lines move. Mutants run in a copy of the project beside the real one; a test run that fails has caught its mutant.
"""

from __future__ import annotations

import ast
import os
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

HOME = Path(__file__).parents[1]
COPIED = ("pbem", "tests", "templates", "benchmarks", "docs", "examples", "pyproject.toml", "worker.py", "Procfile")
PATIENCE = 900
"""Seconds after which a run counts as caught: a mutant that loops for ever is noticed too."""
TESTS = {
    "engine": ("tests/engine",),
    "mail": ("tests/mail", "tests/inbound"),
    "pictures": ("tests/pictures",),
    "store": ("tests/store", "tests/play"),
    "capabilities": ("tests/capabilities", "tests/security", "tests/web/account"),
    "letters": ("tests/letters",),
    "inbound": ("tests/inbound",),
    "clubs": ("tests/clubs", "tests/web/club", "tests/web/organiser"),
    "web": ("tests/web", "tests/security"),
    "cli": ("tests/cli",),
    "jobs": ("tests/jobs", "tests/play/turns"),
    "play": ("tests/play", "tests/web/seat", "tests/web/play"),
}
"""By room of the program: which tests have its guards in their care."""


class Edit(NamedTuple):
    """A stretch of a file, in bytes, and what stands there instead."""

    start: int
    end: int
    text: bytes


class Mutant(NamedTuple):
    """One way to break the program."""

    path: Path
    kind: str
    symbol: str
    number: int
    edit: Edit

    @property
    def name(self) -> str:
        """The module, the symbol, the kind, and its number there, for lists and for calling it again."""
        module = ".".join(self.path.with_suffix("").parts)
        return f"{module}:{self.symbol}:{self.kind}:{self.number}"

    @property
    def room(self) -> str:
        """The part of the program it lies in."""
        return self.path.parts[1].removesuffix(".py")


class Source:
    """A parsed module that gives the bytes of its nodes and names its symbols."""

    def __init__(self, path: Path) -> None:
        """Read `path`, relative to the project's folder."""
        self.path = path
        self.raw = (HOME / path).read_bytes()
        self.tree = ast.parse(self.raw)
        self._lines = [0]
        for line in self.raw.split(b"\n"):
            self._lines.append(self._lines[-1] + len(line) + 1)

    def span(self, node: ast.expr | ast.stmt) -> tuple[int, int]:
        """Where the node stands, in bytes."""
        assert node.end_lineno is not None
        assert node.end_col_offset is not None
        return self._lines[node.lineno - 1] + node.col_offset, self._lines[node.end_lineno - 1] + node.end_col_offset

    def replaced(self, node: ast.expr | ast.stmt, text: str) -> Edit:
        """The edit that puts `text` in a node's place."""
        return Edit(*self.span(node), text.encode())

    def symbols(self) -> Iterator[tuple[str, ast.AST]]:
        """Every function, named with its class, and what stands outside of them as `<module>`."""
        yield from _symbols(self.tree, "")


def _symbols(node: ast.AST, inside: str) -> Iterator[tuple[str, ast.AST]]:
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef):
            yield f"{inside}{child.name}", child
        elif isinstance(child, ast.ClassDef):
            yield from _symbols(child, f"{inside}{child.name}.")


def named(path: Path, found: Iterable[tuple[str, str, Edit]]) -> list[Mutant]:
    """Mutants from `(kind, symbol, edit)`, numbered within each kind and symbol."""
    counts: Counter[tuple[str, str]] = Counter()
    mutants = []
    for kind, symbol, edit in found:
        counts[kind, symbol] += 1
        mutants.append(Mutant(path, kind, symbol, counts[kind, symbol], edit))
    return mutants


def program(*rooms: str) -> list[Path]:
    """Every module of the rooms, or of the whole program."""
    paths = sorted(path.relative_to(HOME) for path in (HOME / "pbem").rglob("*.py") if "migrations" not in path.parts)
    return [path for path in paths if not rooms or path.parts[1].removesuffix(".py") in rooms]


@contextmanager
def copy() -> Iterator[Path]:
    """A copy of the project to break."""
    with tempfile.TemporaryDirectory(prefix="pbem-mutants-") as folder:
        for name in COPIED:
            source = HOME / name
            if source.is_dir():
                shutil.copytree(source, Path(folder) / name, ignore=shutil.ignore_patterns("__pycache__"))
            elif source.exists():
                shutil.copy(source, Path(folder) / name)
        yield Path(folder)


def is_caught(folder: Path, mutant: Mutant, tests: Sequence[str]) -> bool:
    """Whether the tests fail on the mutant. The copy is whole again afterwards."""
    target = folder / mutant.path
    raw = target.read_bytes()
    try:
        target.write_bytes(raw[: mutant.edit.start] + mutant.edit.text + raw[mutant.edit.end :])
        return not _pass(folder, tests)
    finally:
        target.write_bytes(raw)


def _pass(folder: Path, tests: Sequence[str]) -> bool:
    command = [sys.executable, "-m", "pytest", "-q", "-x", "-n", "0", "-p", "no:cacheprovider", *tests]
    env = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1", "PYTHONPATH": str(folder)}
    try:
        done = subprocess.run(command, cwd=folder, env=env, capture_output=True, timeout=PATIENCE, check=False)
    except subprocess.TimeoutExpired:
        return False
    return done.returncode == 0


def tests_of(mutant: Mutant) -> tuple[str, ...]:
    """The tests of the mutant's room, those of its own folder first."""
    wide = TESTS.get(mutant.room, ("tests/play", "tests/web"))
    own = Path("tests", *mutant.path.parts[1:-1])
    near = (str(own),) if (HOME / own).is_dir() and str(own) not in wide else ()
    return tuple(dict.fromkeys((*near, *(one for one in wide if (HOME / one).exists()))))


def report(mutants: Sequence[Mutant]) -> list[Mutant]:
    """Run them one after the other, print a line for each, and give back those that nobody noticed.

    Tests that fail without any mutant would catch everything: SystemExit names them.
    """
    survived = []
    with copy() as folder:
        for tests in sorted({tests_of(mutant) for mutant in mutants}):
            if not _pass(folder, tests):
                sys.exit(f"These tests fail on the whole program: {' '.join(tests)}")
        for mutant in mutants:
            caught = is_caught(folder, mutant, tests_of(mutant))
            print(f"{'caught  ' if caught else 'SURVIVED'} {mutant.name}", flush=True)
            if not caught:
                survived.append(mutant)
    return survived
