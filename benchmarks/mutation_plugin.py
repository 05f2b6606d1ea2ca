"""For pytest: runs, for each mutant of a list, the tests that reach it in a fork of this process.

The list is the JSON file named by MUTATION_JOBS; verdicts are added to that of MUTATION_VERDICTS, a line for each:
`caught` and by which test or by the limit of processor time, `SURVIVED`, `PART` if there are more tests than it met,
`UNREACHED` by any test, `SLOW` if the time by the clock was over before the tests were, or `UNDONE` if it couldn't be
done to the loaded program. Without a list all tests run, but for those with a browser, and if MUTATION_REACHED names a
file, each test's time and what it reached are written there (`benchmarks.mutation_marks`).
"""

from __future__ import annotations

import ast
import gc
import importlib
import os
import resource
import select
import signal
import subprocess
import sys
from collections import defaultdict
from contextlib import suppress
from functools import _lru_cache_wrapper
from pathlib import Path
from types import CodeType, FunctionType
from typing import TYPE_CHECKING, NoReturn

import msgspec
import pytest

from benchmarks.mutation import CAUGHT, PYTEST, Job, stored
from benchmarks.mutation_reach import module_of

if TYPE_CHECKING:
    from collections.abc import Callable

PATIENCE = int(os.environ.get("MUTATION_PATIENCE", "120"))
"""Seconds of processor time that the tests of one mutant may take; by the clock ten times that, for those that wait.

Without it they took half of that at most (`--seconds`), waiting included: what needs all of it never ends, and anybody
notices that.
"""
SERVERS = {"postgres", "redis_server", "_sink", "dovecot", "postfix"}
"""Fixtures that start a server, in every child anew: their tests come last."""
WORLDS = {"scenes"}
"""Fixtures of a whole run that take long to make: a test with one is run before anything is forked."""
UNDONE = os.EX_SOFTWARE
"""What a child ends with that could not change the program."""
ENDS = {None: "SLOW", UNDONE: "UNDONE", -signal.SIGXCPU: f"{CAUGHT} by the limit of processor time"}
"""Verdicts by how a child ended, where that says it all."""
ENTRIES = ("pbem.app", "pbem.cli", "pbem.jobs.tasks", "pbem.smtpd", "pbem.jobs.embedded")
"""Modules that load the program between them."""
_JOBS = Path(os.environ.get("MUTATION_JOBS", ""))
_FAILED = _JOBS.parent / "failed.txt"
_functions: dict[tuple[str, str], list[FunctionType]] = defaultdict(list)
"""The loaded functions of the program by file and name."""
_not_passed: set[str] = set()
"""Tests that failed or were skipped."""
_sound: set[str] = set()
"""Tests that have caught a mutant and pass without one."""
_parent = os.getpid()


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave the tests with a browser out."""
    kept = [item for item in items if "browser" not in _fixtures(item)]
    config.hook.pytest_deselected(items=[item for item in items if item not in kept])
    items[:] = kept


def _fixtures(item: pytest.Item) -> set[str]:
    """What the test asks for, also by way of other fixtures."""
    return set(getattr(item, "fixturenames", ()))


def pytest_runtest_logstart() -> None:
    """Let the marks tell of this test."""
    if "MUTATION_REACHED" in os.environ:
        importlib.import_module("benchmarks.mutation_marks").begin()


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """Write down which test has failed with a mutant."""
    if not report.passed:
        _not_passed.add(report.nodeid)
    if report.failed and _JOBS.name:
        _FAILED.write_text(report.nodeid)


def pytest_runtest_logfinish(nodeid: str) -> None:
    """Let the marks tell what it reached."""
    if "MUTATION_REACHED" in os.environ:
        marks = importlib.import_module("benchmarks.mutation_marks")
        marks.end(nodeid, passed=nodeid not in _not_passed)


@pytest.hookimpl(tryfirst=True)
def pytest_cmdline_main() -> int | None:
    """Mutants of what is made once, while the program is loaded: begin before it is, with the libraries only."""
    if "MUTATION_JOBS" not in os.environ or all(job.live for job in _jobs()):
        return None
    loaded = f"import sys, {', '.join(ENTRIES)}; print(*sys.modules)"
    told = subprocess.run([sys.executable, "-c", loaded], capture_output=True, check=True, text=True)
    for name in told.stdout.split():
        if name.partition(".")[0] not in {"pbem", "tests", "__main__"}:
            with suppress(ImportError):
                importlib.import_module(name)
    for job in _jobs():
        _tell(job, _verdict(job, _begin))
    return 0


def _begin(_job: Job | None, tests: list[str]) -> None:
    """Run tests on a program that is loaded anew."""
    for name in [name for name in sys.modules if name.partition(".")[0] in {"pbem", "tests", "conftest"}]:
        del sys.modules[name]
    os._exit(pytest.main([*PYTEST[2:], *tests]))


@pytest.hookimpl(tryfirst=True)
def pytest_runtestloop(session: pytest.Session) -> bool | None:
    """Fork for every mutant; in the child, leave its tests to pytest's own loop."""
    if "MUTATION_JOBS" not in os.environ:
        return None
    items = {item.nodeid: item for item in session.items}
    for module in ENTRIES:
        importlib.import_module(module)
    _warm(session)

    def go_on(job: Job | None, tests: list[str]) -> None:
        if job:
            try:
                _change(job)
            except (KeyError, ValueError):
                os._exit(UNDONE)
            _make_again(job)
        _forget()
        _run([items[name] for name in tests], session)

    for job in _jobs():
        found = [name for name in job.tests if name in items]
        job.tests = sorted(found, key=lambda name: bool(SERVERS & _fixtures(items[name])))
        _tell(job, _verdict(job, go_on))
    return True


def _run(items: list[pytest.Item], session: pytest.Session) -> NoReturn:
    """Run tests until one fails. What many tests share isn't put away, but for servers: the child ends at once."""
    for item, following in zip(items, [*items[1:], None], strict=True):
        item.ihook.pytest_runtest_protocol(item=item, nextitem=following or item.parent)
        if session.shouldfail or following is None:
            if SERVERS & _fixtures(item):
                item.ihook.pytest_sessionfinish(session=session, exitstatus=int(bool(session.testsfailed)))
            os._exit(int(bool(session.testsfailed)))
    raise AssertionError


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(exitstatus: int) -> None:
    """End a child at once: nobody reads its summary, and freeing all that is loaded takes longer than most tests."""
    if os.getpid() != _parent:
        os._exit(exitstatus)


def _jobs() -> list[Job]:
    return msgspec.json.decode(_JOBS.read_bytes(), type=list[Job])


def _tell(job: Job, verdict: str) -> None:
    with Path(os.environ["MUTATION_VERDICTS"]).open("a") as file:
        file.write(f"{verdict}\t{job.name}\n")


def _warm(session: pytest.Session) -> None:
    """Make once what every child would make: run a test that uses the app, and find the functions to change."""
    plain = [one for one in session.items if "app" in _fixtures(one) and not SERVERS & _fixtures(one)]
    plain.sort(key=lambda one: not WORLDS & _fixtures(one))
    if plain:
        above = set(plain[0].listchain())
        farthest = min(session.items, key=lambda one: len(above & set(one.listchain())))
        session.config.hook.pytest_runtest_protocol(item=plain[0], nextitem=farthest)
    gc.unfreeze()  # what the tests' own settings have set aside isn't listed
    for function in [one for one in gc.get_objects() if isinstance(one, FunctionType)]:
        _functions[function.__code__.co_filename, function.__code__.co_qualname].append(function)
    gc.collect()
    gc.freeze()  # what a child doesn't look at, it needn't copy


def _verdict(job: Job, run: Callable[[Job | None, list[str]], None]) -> str:
    """What became of a mutant. A test that fails without it, too, has caught nothing and is left out."""
    tests = job.tests
    if not tests:
        return "UNREACHED"
    while tests:
        code = _fork(job, tests, run)
        if code in ENDS:
            return ENDS[code]
        if code == pytest.ExitCode.OK:
            break
        by = _FAILED.read_text()
        if by not in tests:
            return f"{CAUGHT} at once: exit code {code}"
        if by in _sound or by in job.sound or _fork(None, [by], run) == pytest.ExitCode.OK:
            _sound.add(by)
            return f"{CAUGHT} {by}"
        tests = tests[tests.index(by) + 1 :]
    return "SURVIVED" if job.whole else "PART"


def _fork(job: Job | None, tests: list[str], run: Callable[[Job | None, list[str]], None]) -> int | None:
    """The exit code of the tests with a mutant, or on the program as it is; None if they took too long."""
    _FAILED.write_text("")
    whole = Path(job.path).read_bytes() if job else b""
    if job:
        Path(job.path).write_text(job.text)  # also for the processes that tests start
    if not (child := os.fork()):
        os.setsid()
        del os.environ["MUTATION_JOBS"]
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, 1)
        os.dup2(nowhere, 2)
        resource.setrlimit(resource.RLIMIT_CPU, (PATIENCE, PATIENCE + 5))  # at the second, SIGKILL
        run(job, tests)
        os._exit(1)
    ended = select.select([os.pidfd_open(child)], [], [], 10 * PATIENCE)[0]
    if not ended:
        os.killpg(child, signal.SIGKILL)
    code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    if job:
        Path(job.path).write_bytes(whole)
    return code if ended and code != -signal.SIGKILL else None


def _change(job: Job) -> None:
    """Give every loaded function of that name the code that the changed file has for it."""
    name = str(Path(job.path).absolute())
    found = {(code.co_qualname, code.co_firstlineno): code for code in _codes(compile(job.text, name, "exec"))}
    for function in _functions[name, job.symbol]:
        code = function.__code__
        # a method that has lost its only `super()` asks for no cell of its class any more, but the function has one
        mutated = found[code.co_qualname, code.co_firstlineno].replace(co_freevars=code.co_freevars)
        function.__code__ = mutated


def _make_again(job: Job) -> None:
    """Run those statements of the changed module that made the names, and give them to all modules that have them.

    A module that isn't loaded yet makes them when it is.
    """
    loaded = sys.modules.get(module_of(Path(job.path)).removesuffix(".__init__"))
    if loaded is None:
        return
    module = vars(loaded)
    for statement in [one for one in ast.parse(job.text).body if isinstance(one, ast.Assign | ast.AnnAssign)]:
        before = {name: module[name] for name in stored(statement) & set(job.made)}
        if before:
            exec(compile(ast.Module([statement], []), job.path, "exec"), module)  # noqa: S102 - the program's own
        for other in [vars(one) for one in sys.modules.values() if one.__name__.startswith("pbem.")] if before else ():
            other |= {name: module[name] for name, old in before.items() if other.get(name) is old}


def _forget() -> None:
    """Empty the program's caches: what was made before the change would be used on."""
    loaded = [module for name, module in sys.modules.items() if name.partition(".")[0] == "pbem"]
    for value in [
        value for module in loaded for value in vars(module).values() if isinstance(value, _lru_cache_wrapper)
    ]:
        value.cache_clear()


def _codes(code: CodeType) -> list[CodeType]:
    inner = [one for one in code.co_consts if isinstance(one, CodeType)]
    return [code, *(deep for one in inner for deep in _codes(one))]
