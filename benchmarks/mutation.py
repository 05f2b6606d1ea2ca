"""Breaking the program on purpose, one place at a time, to see whether its tests notice.

A mutant is an edit of one file, named by module, symbol and the number of its kind there, so that the name holds when
lines move. All is done in a copy of the project. First the tests of the rooms run once on a program that notes which
test reaches which place; each mutant then meets only the tests that reach it, those that reach least first, those that
start servers last. A refusal that is gone can be missed by none but the tests in which it refused. For that one process
has everything loaded and forks for every mutant (`benchmarks.mutation_plugin`): the child changes the code of the
function and runs the tests. A run that fails has caught its mutant. Tests with a browser are left out: they cost more
than all others together, and what a guard is for must show without one.
"""

from __future__ import annotations

import ast
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections import Counter, deque
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

Function = ast.FunctionDef | ast.AsyncFunctionDef
HOME = Path(__file__).parents[1]
COPIED = (
    *("pbem", "tests", "templates", "benchmarks", "docs", "examples"),
    *("pyproject.toml", "worker.py", "Procfile", "README.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md"),
)
TESTS = {
    "engine": ("tests/engine",),
    "mail": ("tests/mail", "tests/inbound", "tests/letters"),
    "pictures": ("tests/pictures",),
    "store": ("tests/store", "tests/play"),
    "capabilities": ("tests/capabilities", "tests/security", "tests/web/account"),
    "letters": ("tests/letters", "tests/play"),
    "letter_queue": ("tests/letters", "tests/jobs", "tests/play"),
    "inbound": ("tests/inbound", "tests/mail/test_limits.py", "tests/flow/test_a_lesson_by_mail.py"),
    "clubs": ("tests/clubs", "tests/web/club", "tests/web/organiser", "tests/web/account", "tests/security"),
    "web": ("tests/web", "tests/security"),
    "cli": ("tests/cli",),
    "jobs": ("tests/jobs", "tests/play/turns"),
    "play": ("tests/play", "tests/web/seat", "tests/web/play", "tests/web/organiser", "tests/security"),
    "smtpd": ("tests/test_smtpd.py", "tests/inbound"),
}
"""By room of the program: which tests have it in their care."""
EVERYWHERE = {"tests/capabilities", "tests/clubs", "tests/inbound", "tests/jobs", "tests/letters", "tests/play"} | {
    *("tests/security", "tests/store", "tests/web", "tests/test_smtpd.py", "tests/cli", "tests/mail", "tests/study"),
}
"""Where a guard may be noticed."""


class Edit(NamedTuple):
    """A stretch of a file, in bytes, and what stands there instead."""

    start: int
    end: int
    text: bytes
    seen: tuple[int, int]
    """The expression that is run when the place is reached; a statement's start twice for one that isn't a value."""
    live: bool = True
    """Whether it lies within a function's body, where a loaded function can be changed."""
    if_true: bool = False
    """Whether it changes nothing where the expression is false: as reached counts only where it was true."""


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

    def replaced(self, function: Function, node: ast.expr | ast.stmt, text: str, *, if_true: bool = False) -> Edit:
        """The edit that puts `text` in a node's place within a function."""
        start, end = self.span(node)
        body = self.span(function.body[1 if ast.get_docstring(function) and function.body[1:] else 0])[0]
        if start < body:
            return Edit(start, end, text.encode(), (body, body), live=False)
        return Edit(start, end, text.encode(), (start, end if isinstance(node, ast.expr) else start), if_true=if_true)

    def replaced_outside(self, statement: ast.stmt, node: ast.expr, text: str) -> Edit:
        """The edit of a module's own statement, such as a query made once; reached by who uses the name it gives."""
        names = {one.id for one in ast.walk(statement) if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Store)}
        functions = [function for _, function in self.symbols()]
        users = [one for one in functions if names & {word.id for word in ast.walk(one) if isinstance(word, ast.Name)}]
        first = self.span((users or functions)[0].body[-1])[0]
        return Edit(*self.span(node), text.encode(), (first, first), live=False)

    def statements(self) -> Iterator[ast.stmt]:
        """The module's own statements, outside of functions and classes."""
        outside = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Import, ast.ImportFrom)
        yield from (one for one in self.tree.body if not isinstance(one, outside))

    def symbols(self) -> Iterator[tuple[str, Function]]:
        """Every function, named with its class."""
        yield from _symbols(self.tree, "")


def nodes(function: Function) -> Iterator[ast.AST]:
    """What is run of a function: no annotations, and nothing in f-strings, whose places Python tells wrongly."""
    waiting: deque[ast.AST] = deque([function])
    while waiting:
        node = waiting.popleft()
        yield node
        for name, value in ast.iter_fields(node):
            if name in {"annotation", "returns"} or isinstance(node, ast.JoinedStr):
                continue
            waiting += [one for one in (value if isinstance(value, list) else [value]) if isinstance(one, ast.AST)]


def _symbols(node: ast.AST, inside: str) -> Iterator[tuple[str, Function]]:
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


def mutated(raw: bytes, edit: Edit) -> bytes:
    """A file with the edit done."""
    return raw[: edit.start] + edit.text + raw[edit.end :]


def _watched(raw: bytes, edits: dict[int, Edit]) -> bytes:
    """A file that calls `_reached_(number)` wherever one of the edits would be reached."""
    marks: list[tuple[int, int, int, bytes]] = []  # place, ends before starts, outer starts and inner ends first, text
    for number, edit in edits.items():
        start, end = edit.seen
        if start == end:
            column = start - raw.rfind(b"\n", 0, start) - 1
            marks.append((start, 1, -len(raw), f"_reached_({number})\n{' ' * column}".encode()))
        else:
            call = f"_reached_({number}, {edit.if_true}, ("
            marks += [(start, 1, -end, call.encode()), (end, 0, -start, b"))")]
    for place, _, _, text in sorted(marks, reverse=True):
        raw = raw[:place] + text + raw[place:]
    return raw


_WATCH = """
import builtins as _builtins, os as _os
_seen: set[object] = set()
def _reached_(number: int, if_true: bool = False, value: object = None) -> object:
    test = _os.environ.get("PYTEST_CURRENT_TEST", "")
    if (number, test) not in _seen and (not if_true or value):
        _seen.add((number, test))
        with open({file!r}, "a") as notes:
            notes.write(f"{{number}} {{test}}\\n")
    return value
_builtins._reached_ = _reached_
"""


def reached(folder: Path, mutants: Sequence[Mutant], tests: Sequence[str]) -> dict[str, list[str]]:
    """By mutant the tests that come to its place, those that reach the least first.

    The tests run once, on a program that notes it. Those that fail are named and left out: they would catch everything.
    """
    notes, originals = folder / "reached.txt", {}
    by_path: dict[Path, dict[int, Edit]] = {}
    for number, mutant in enumerate(mutants):
        by_path.setdefault(mutant.path, {})[number] = mutant.edit
    start = Path("pbem/__init__.py")
    for path in {*by_path, start}:
        originals[path] = (folder / path).read_bytes()
        (folder / path).write_bytes(_watched(originals[path], by_path.get(path, {})))
    with (folder / start).open("a") as file:
        file.write(_WATCH.format(file=str(notes)))
    notes.touch()
    words = _command("-rfE", "-p", "benchmarks.mutation_plugin", *tests)
    done = subprocess.run(words, cwd=folder, env=_environ(folder), capture_output=True, check=False)
    for path, raw in originals.items():
        (folder / path).write_bytes(raw)
    said = done.stdout.decode()
    failed = {line.split()[1] for line in said.splitlines() if line.startswith(("FAILED ", "ERROR "))}
    print(said.splitlines()[-1], *(f"\nleft out: {name}" for name in sorted(failed)), flush=True)
    found: dict[str, list[str]] = {mutant.name: [] for mutant in mutants}
    for line in sorted(set(notes.read_text().splitlines())):
        which, _, name = line.partition(" ")
        own = found[mutants[int(which)].name]
        if (test := name.rpartition(" (")[0]) and test not in failed and test not in own:
            own.append(test)
    breadth = Counter(test for names in found.values() for test in names)
    return {name: sorted(names, key=lambda test: (breadth[test], test)) for name, names in found.items()}


def _command(*words: str) -> list[str]:
    return [sys.executable, "-m", "pytest", "-q", "-n", "0", "-p", "no:cacheprovider", *words]


def _environ(folder: Path, **more: str) -> dict[str, str]:
    return {**os.environ, "PYTHONDONTWRITEBYTECODE": "1", "PYTHONPATH": str(folder), **more}


def tests_of(mutant: Mutant) -> tuple[str, ...]:
    """The tests of the mutant's room, those of its own folder first."""
    wide = TESTS.get(mutant.room, ("tests/play", "tests/web"))
    return tuple(one for one in wide if (HOME / one).exists())


def report(mutants: Sequence[Mutant], known: Path | None = None, *, wide: bool = False) -> list[Mutant]:
    """Run them one after the other, print a line for each, and give back those that nobody noticed.

    `known` keeps which tests reach which place, to go on in parts: read if it is there, else written. If `wide`, tests
    of all rooms may catch a mutant, else those of its own.
    """
    with copy() as folder:
        ways: dict[str, list[str]] = json.loads(known.read_text()) if known and known.exists() else {}
        if new := [mutant for mutant in mutants if mutant.name not in ways]:
            tests = EVERYWHERE if wide else {one for mutant in new for one in tests_of(mutant)}
            ways |= reached(folder, new, sorted(tests))
            if known:
                known.write_text(json.dumps(ways))
        verdicts = _verdicts(folder, mutants, ways, wide=wide)
    for mutant in mutants:
        print(f"{verdicts[mutant.name]:8} {mutant.name}", flush=True)
    return [mutant for mutant in mutants if verdicts[mutant.name] != "caught"]


def _verdicts(folder: Path, mutants: Sequence[Mutant], ways: dict[str, list[str]], *, wide: bool) -> dict[str, str]:
    jobs: list[dict[str, Any]] = []
    for mutant in mutants:
        own = [test for test in ways[mutant.name] if wide or test.startswith(tests_of(mutant))]
        text = mutated((folder / mutant.path).read_bytes(), mutant.edit).decode()
        compile(text, str(mutant.path), "exec")  # a file that can't be read would be caught by anything
        jobs.append({"name": mutant.name, "path": str(mutant.path), "symbol": mutant.symbol, "text": text})
        jobs[-1] |= {"tests": own, "live": mutant.edit.live}
    (folder / "jobs.json").write_text(json.dumps(jobs))
    environ = _environ(folder, MUTATION_JOBS=str(folder / "jobs.json"))
    paths = sorted({test.partition("::")[0] for job in jobs for test in job["tests"]})
    words = ("-x", "-s", "-p", "benchmarks.mutation_plugin", *paths)
    with (folder / "loop.txt").open("wb") as said:
        subprocess.run(_command(*words), cwd=folder, env=environ, stdout=said, stderr=said, check=False)
    verdicts = dict(line.split(" ", 1)[::-1] for line in (folder / "verdicts.txt").read_text().splitlines())
    return {job["name"]: verdicts.get(job["name"], "UNKNOWN") for job in jobs}
