"""Breaking the program on purpose, one place at a time, to see whether its tests notice.

A mutant is an edit of one file, named by module, symbol and the number of its kind there, so that the name holds when
lines move. All is done in a copy of the project. First each test is run once on a program that tells which statements
it reaches (`benchmarks.mutation_reach`); each mutant then meets only the tests that reach its statement, those that
reach and take little first, those that start servers last. A refusal that is gone can be missed by none but the tests
in which it refused. For that one process has everything loaded and forks for every mutant
(`benchmarks.mutation_plugin`): the child changes the code of the function and runs the tests. The first test that fails
has caught the mutant, if it passes on the program as it is. Tests with a browser are left out: they cost more than all
others together, and what a guard is for must show without one.
"""

from __future__ import annotations

import ast
import os
import shutil
import subprocess
import sys
import tempfile
from collections import Counter, defaultdict, deque
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from benchmarks.mutation_reach import UNMARKED, Function, Reach, functions_of, look, module_of, places, symbols

if TYPE_CHECKING:
    from argparse import ArgumentParser
    from collections.abc import Iterable, Iterator, Sequence

HOME = Path(__file__).parents[1]
COPIED = (
    *("pbem", "tests", "templates", "benchmarks", "docs", "examples"),
    *("pyproject.toml", "worker.py", "Procfile", "README.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md"),
)
TESTS = {
    "engine": ("tests/engine", "tests/kit/test_arguments.py"),
    "mail": ("tests/mail", "tests/inbound", "tests/letters"),
    "pictures": ("tests/pictures",),
    "store": ("tests/store", "tests/play", "tests/clubs/integrations", "tests/cli/test_operator.py"),
    "capabilities": ("tests/capabilities", "tests/security", "tests/web/account"),
    "letters": ("tests/letters", "tests/test_letter_kinds.py", "tests/security/test_at_once.py", "tests/play"),
    "letter_queue": ("tests/letters", "tests/test_letter_kinds.py", "tests/security/test_at_once.py", "tests/jobs"),
    "inbound": ("tests/inbound", "tests/mail/test_limits.py", "tests/flow/test_a_lesson_by_mail.py"),
    "clubs": ("tests/clubs", "tests/web/club", "tests/web/organiser", "tests/web/account", "tests/security"),
    "web": ("tests/web", "tests/security"),
    "cli": ("tests/cli", "tests/e2e/test_logs.py", "tests/security/test_limits.py"),
    "jobs": ("tests/jobs", "tests/play/turns"),
    "play": ("tests/play", "tests/web/seat", "tests/web/play", "tests/web/organiser", "tests/security"),
    "smtpd": ("tests/test_smtpd.py", "tests/inbound"),
    "app": (
        "tests/test_app.py",
        "tests/store",
        "tests/web/test_errors.py",
        "tests/test_config.py",
        "tests/cli/test_serve.py",
    ),
    "study": ("tests/study", "tests/flow/test_a_lesson_by_mail.py", "tests/web/public/test_learn.py"),
    "bots": ("tests/bots", "tests/web/play/test_analysis.py"),
    "kit": ("tests/kit/test_plugin.py", "tests/kit/test_workshop.py"),
    "budgets": ("tests/security/test_budgets.py", "tests/security/test_at_once.py"),
    "clock": ("tests/test_clock.py",),
    "config": ("tests/test_config.py", "tests/cli/test_doctor.py"),
    "errors": ("tests/test_errors.py",),
    "extensions": ("tests/store", "tests/test_app.py", "tests/test_extensions.py"),
    "letter_kinds": ("tests/test_letter_kinds.py", "tests/letters"),
    "logs": ("tests/test_logs.py", "tests/test_app.py"),
    "messages": ("tests/test_messages.py", "tests/test_translations.py"),
    "packages": ("tests/test_packages.py",),
    "server_log": ("tests/test_logs.py",),
    "structs": ("tests/test_structs.py",),
    "templating": ("tests/web/test_page_code.py", "tests/letters/test_writer.py"),
    "waking_hours": ("tests/test_waking_hours.py", "tests/play/deadlines"),
}
"""By room of the program: which tests have it in their care."""
EVERYWHERE = (
    *("tests/capabilities", "tests/cli", "tests/clubs", "tests/inbound", "tests/jobs", "tests/letters", "tests/mail"),
    *(
        "tests/play",
        "tests/security",
        "tests/store",
        "tests/study",
        "tests/test_app.py",
        "tests/test_letter_kinds.py",
        "tests/test_smtpd.py",
    ),
    "tests/web",
)
"""Where a guard may be noticed."""
CAUGHT = "caught"
PYTEST = (
    *("-m", "pytest", "-x", "-q", "-n", "0", "-p", "no:cacheprovider", "-p", "benchmarks.mutation_plugin"),
    *("--assert=plain", "--tb=line"),
)
"""How tests are run: whether one fails is all that is asked, and telling why takes longer than most of them."""


class Edit(NamedTuple):
    """A stretch of a file, in bytes, and what stands there instead."""

    start: int
    end: int
    text: bytes
    reached: tuple[str, ...]
    """The statements of which one is run when the place is reached, by name; none if that isn't told."""
    live: bool = True
    """Whether it can be done to a loaded program: within a function's body, or where what was made is made again."""
    made: tuple[str, ...] = ()
    """Names of the module's own that were made of the place while it was loaded."""


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
        return f"{module_of(self.path)}:{self.symbol}:{self.kind}:{self.number}"

    @property
    def line(self) -> str:
        """What stands there in the program: the line in which it begins, without its comment."""
        raw = (HOME / self.path).read_bytes()
        return raw[raw.rfind(b"\n", 0, self.edit.start) + 1 :].partition(b"\n")[0].decode().partition("  # ")[0].strip()

    @property
    def room(self) -> str:
        """The part of the program it lies in."""
        return self.path.parts[1].removesuffix(".py")


class Job(msgspec.Struct):
    """What the process that forks is told of a mutant."""

    name: str
    path: str
    symbol: str
    text: str
    live: bool
    tests: list[str]
    whole: bool
    """Whether these are all tests that reach it."""
    sound: list[str]
    """Those of the tests that are known to pass without it."""
    made: tuple[str, ...] = ()
    """What of the module is made again."""


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
        self._places: defaultdict[str, dict[tuple[int, int], str]] = defaultdict(dict)
        self._inner: dict[Function, list[tuple[int, int]]] = {}
        for symbol, function, named in places(path, self.tree, self.raw):  # a property and its setter are of one name
            self._places[symbol] |= {self.span(statement): name for statement, name in named}
            inner = [one for one in ast.walk(function) if isinstance(one, Function) and one is not function]
            self._inner[function] = [self.span(one) for one in inner]
        self._own = [(_loaded(one), stored(one), _called(one)) for one in self.statements()]

    def span(self, node: ast.expr | ast.stmt) -> tuple[int, int]:
        """Where the node stands, in bytes."""
        assert node.end_lineno is not None
        assert node.end_col_offset is not None
        return self._lines[node.lineno - 1] + node.col_offset, self._lines[node.end_lineno - 1] + node.end_col_offset

    def replaced(
        self, symbol: str, function: Function, node: ast.expr | ast.stmt, text: str, then: ast.stmt | None = None
    ) -> Edit:
        """The edit that puts `text` in a node's place within a function.

        `then` is the statement that must be run for the edit to change anything, if it isn't the node's own.
        """
        start, end = self.span(node)
        own = self._places[symbol]
        around = [span for span in own if span[0] <= start and end <= span[1]]
        at = self.span(then) if then else min(around, key=lambda span: span[1] - span[0], default=None)
        if at is None:  # a decorator, or what a parameter is by default
            return Edit(start, end, text.encode(), self._begun(symbol, function), live=False)
        # what a decorator has made while the program was loaded holds the code of then
        live = not any(first <= start and end <= last for first, last in self._inner[function])
        made = self._made_of(set().union(*(given for _, given, called in self._own if symbol in called)))
        return Edit(start, end, text.encode(), (own[at], *self._using(made)), live, made)

    def replaced_outside(self, statement: ast.stmt, node: ast.expr, text: str) -> Edit:
        """The edit of a module's own statement, such as a query; reached by whoever uses the names it gives."""
        made = self._made_of(stored(statement))
        return Edit(*self.span(node), text.encode(), self._using(made), made=made)

    def _made_of(self, names: set[str]) -> tuple[str, ...]:
        """Names that the module's own statements give, and those of what they make of these in turn."""
        for loaded, given, _ in self._own:
            names |= given if names & loaded else set()
        return tuple(sorted(names))

    def _using(self, names: tuple[str, ...]) -> tuple[str, ...]:
        """Where functions begin that use one of the names; most mutants lie where none is made."""
        users = [one for one in self.symbols() if _loaded(one[1]).intersection(names)] if names else []
        return tuple(name for one in users for name in self._begun(*one))

    def _begun(self, symbol: str, function: Function) -> tuple[str]:
        """The first statement of a function that isn't its docstring."""
        first = function.body[1 if ast.get_docstring(function) and function.body[1:] else 0]
        return (self._places[symbol][self.span(first)],)

    def statements(self) -> Iterator[ast.stmt]:
        """The module's own statements, outside of functions and classes."""
        outside = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Import, ast.ImportFrom)
        yield from (one for one in self.tree.body if not isinstance(one, outside))

    def symbols(self) -> Iterator[tuple[str, Function]]:
        """Every function, named with its class."""
        yield from symbols(self.tree)


def stored(node: ast.AST) -> set[str]:
    """The names that a statement gives; those of a comprehension are its own."""
    inner = {name for one in ast.walk(node) if isinstance(one, ast.comprehension) for name in ast.walk(one.target)}
    names = (one for one in ast.walk(node) if isinstance(one, ast.Name) and one not in inner)
    return {one.id for one in names if isinstance(one.ctx, ast.Store)}


def _loaded(node: ast.AST) -> set[str]:
    return {one.id for one in ast.walk(node) if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Load)}


def _called(node: ast.AST) -> set[str]:
    return set().union(*(_loaded(one.func) for one in ast.walk(node) if isinstance(one, ast.Call)))


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


def named(path: Path, found: Iterable[tuple[str, str, Edit]]) -> list[Mutant]:
    """Mutants from `(kind, symbol, edit)`, numbered within each kind and symbol."""
    counts: Counter[tuple[str, str]] = Counter()
    mutants = []
    for kind, symbol, edit in found:
        counts[kind, symbol] += 1
        mutants.append(Mutant(path, kind, symbol, counts[kind, symbol], edit))
    return mutants


def program(*rooms: str) -> list[Path]:
    """Every module of the rooms, or of the whole program, but for migrations and the tests that are shipped."""
    found = [path for path in (HOME / "pbem").rglob("*.py") if not path.name.startswith("test_")]
    paths = sorted(path.relative_to(HOME) for path in found if "migrations" not in path.parts)
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


def tests_of(room: str) -> tuple[str, ...]:
    """The tests of a room of the program."""
    return TESTS[room]


def options(parser: ArgumentParser) -> None:
    """What both commands can be told about a run."""
    parser.add_argument("--kept", type=Path, help="a folder that keeps what is found, to go on in parts")
    parser.add_argument("--seconds", type=float, default=60, help="of tests that a mutant meets at most, as they took")


class Run(NamedTuple):
    """How mutants are tried."""

    kept: Path
    """The folder that keeps which tests reach what (`reach.json`), and the verdicts (`verdicts.txt`)."""
    seconds: float
    """A mutant meets at most the tests that took so long together."""
    wide: bool
    """Whether tests of all rooms may catch it, else those of its own."""

    def tests(self, mutant: Mutant) -> tuple[str, ...]:
        """Where the tests are that may catch it."""
        return EVERYWHERE if self.wide else tests_of(mutant.room)


def report(mutants: Sequence[Mutant], kept: Path | None, seconds: float, *, wide: bool = False) -> list[Mutant]:
    """Run them one after the other, print a line for each, and give back those that nobody noticed.

    What is kept is gone on from: the test that caught a mutant is the first that it meets the next time.
    """
    with copy() as folder:
        run = Run(kept or folder / "kept", seconds, wide)
        run.kept.mkdir(exist_ok=True)
        jobs = _jobs(folder, run, mutants, _reach(folder, run, mutants))
        verdicts = _verdicts(folder, run, jobs)
    for mutant in mutants:
        print(f"{verdicts[mutant.name]:9} {mutant.name}", flush=True)
    return [mutant for mutant in mutants if verdicts[mutant.name] != CAUGHT]


def _reach(folder: Path, run: Run, mutants: Sequence[Mutant]) -> Reach:
    path = run.kept / "reach.json"
    known = msgspec.json.decode(path.read_bytes(), type=Reach) if path.exists() else Reach()
    known.forget(lambda name: not (folder / name).exists())
    known.renew(functions_of(folder))
    for one in sorted({one for mutant in mutants for one in run.tests(mutant)}):
        if look(folder, known, one):
            path.write_bytes(msgspec.json.encode(known))
    return known


def _jobs(folder: Path, run: Run, mutants: Sequence[Mutant], reach: Reach) -> list[Job]:
    earlier = _told(run.kept / "verdicts.txt")
    jobs = []
    for mutant in mutants:
        text = mutated((folder / mutant.path).read_bytes(), mutant.edit).decode()
        compile(text, str(mutant.path), "exec")  # a file that can't be read would be caught by anything
        found = [*([] if mutant.edit.live else reach.looking()), *reach.of(mutant.edit.reached)]
        if set(UNMARKED).intersection(mutant.path.parts):
            found = reach.all_tests()
        tests = [test for test in found if test.startswith(run.tests(mutant))]
        caught = earlier.get(mutant.name, "").partition(" ")[2]
        tests.sort(key=lambda test: test != caught)
        some = reach.within(tests, run.seconds)
        made, whole = mutant.edit.made, len(some) == len(tests)
        live = mutant.edit.live and (bool(made) or not reach.is_loading(mutant.edit.reached))
        sound = [test for test in some if reach.tests[test].passed]
        jobs.append(Job(mutant.name, str(mutant.path), mutant.symbol, text, live, some, whole, sound, made))
    return jobs


def _verdicts(folder: Path, run: Run, jobs: list[Job]) -> dict[str, str]:
    environ = {**os.environ, "PYTHONPATH": str(folder), "MUTATION_JOBS": str(folder / "jobs.json")}
    environ["MUTATION_VERDICTS"] = str((run.kept / "verdicts.txt").absolute())
    for live in (True, False):
        if not (some := [job for job in jobs if job.live == live]):
            continue
        (folder / "jobs.json").write_bytes(msgspec.json.encode(some))
        paths = sorted({test.partition("::")[0] for job in some for test in job.tests if live})
        with (run.kept / f"{'live' if live else 'anew'}.txt").open("wb") as said:
            command = [sys.executable, *PYTEST, "-s", *paths]
            subprocess.run(command, cwd=folder, env=environ, stdout=said, stderr=said, check=False)
    told = _told(run.kept / "verdicts.txt")
    return {job.name: told.get(job.name, "UNKNOWN").partition(" ")[0] for job in jobs}


def _told(path: Path) -> dict[str, str]:
    """By name of a mutant its last verdict, and the test that gave it."""
    lines = path.read_text().splitlines() if path.exists() else []
    return {name: verdict for verdict, _, name in (line.partition("\t") for line in lines)}
