"""For pytest: runs, for each mutant of a list, the tests that reach it in a fork of this process.

The list is the JSON file named by MUTATION_JOBS; verdicts stand in `verdicts.txt` beside it, one a line, as they come:
`caught`, `SURVIVED`, `UNREACHED` by any test, or `SLOW` if the time was over before the tests were. Without a list all
tests run, but for those with a browser.
"""

from __future__ import annotations

import gc
import importlib
import json
import os
import select
import signal
import subprocess
import sys
from collections import defaultdict
from pathlib import Path
from types import CodeType, FunctionType
from typing import Any

import pytest

PATIENCE = float(os.environ.get("MUTATION_PATIENCE", "240"))
"""Seconds that the tests of one mutant may take."""
SERVERS = {"postgres", "redis_server", "_sink", "dovecot", "postfix"}
"""Fixtures that start a server, in every child anew: their tests come last."""
_functions: dict[tuple[str, str], list[FunctionType]] = defaultdict(list)
"""The loaded functions of the program by file and name."""
_parent = os.getpid()


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave the tests with a browser out."""
    kept = [item for item in items if "browser" not in _fixtures(item)]
    config.hook.pytest_deselected(items=[item for item in items if item not in kept])
    items[:] = kept


def _fixtures(item: pytest.Item) -> set[str]:
    """What the test asks for, also by way of other fixtures."""
    return set(getattr(item, "fixturenames", ()))


@pytest.hookimpl(tryfirst=True)
def pytest_runtestloop(session: pytest.Session) -> bool | None:
    """Fork for every mutant; in the child, leave its tests to pytest's own loop."""
    if "MUTATION_JOBS" not in os.environ:
        return None
    path = Path(os.environ["MUTATION_JOBS"])
    items = {item.nodeid: item for item in session.items}
    for module in ("pbem.app", "pbem.cli", "pbem.jobs.tasks", "pbem.smtpd", "pbem.jobs.embedded"):
        importlib.import_module(module)
    _warm(session)
    for job in json.loads(path.read_text()):
        tests = [items[name] for name in job["tests"] if name in items]
        if not tests:
            verdict = "UNREACHED"
        elif (verdict := _fork(job)) == "child":
            session.items[:] = sorted(tests, key=lambda item: bool(SERVERS & _fixtures(item)))
            return None
        with path.with_name("verdicts.txt").open("a") as file:
            file.write(f"{verdict} {job['name']}\n")
    return True


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(exitstatus: int) -> None:
    """End a child at once: nobody reads its summary, and freeing all that is loaded takes longer than most tests."""
    if os.getpid() != _parent:
        os._exit(exitstatus)


def _warm(session: pytest.Session) -> None:
    """Make once what every child would make: run a test that uses the app, and find the functions to change."""
    plain = [one for one in session.items if "app" in _fixtures(one) and not SERVERS & _fixtures(one)]
    if plain:
        above = set(plain[0].listchain())
        farthest = min(session.items, key=lambda one: len(above & set(one.listchain())))
        session.config.hook.pytest_runtest_protocol(item=plain[0], nextitem=farthest)
    for function in [one for one in gc.get_objects() if isinstance(one, FunctionType)]:
        _functions[function.__code__.co_filename, function.__code__.co_qualname].append(function)
    gc.collect()
    gc.freeze()  # what a child doesn't look at, it needn't copy


def _fork(job: dict[str, Any]) -> str:
    """What became of it; `child` in the process that is to run its tests."""
    target = Path(job["path"])
    whole = target.read_bytes()
    target.write_text(job["text"])  # for the processes that tests start
    if not (child := os.fork()):
        os.setsid()
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, 1)
        os.dup2(nowhere, 2)
        if not job["live"]:  # decorators have done their work: begin again
            words = [sys.executable, "-m", "pytest", "-q", "-x", "-n", "0", "-p", "no:cacheprovider", *job["tests"]]
            os._exit(subprocess.run(words, check=False).returncode)
        _change(job)
        return "child"
    ended = select.select([os.pidfd_open(child)], [], [], PATIENCE)[0]
    if not ended:
        os.killpg(child, signal.SIGKILL)
    code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    target.write_bytes(whole)
    return "SLOW" if not ended else "SURVIVED" if code == pytest.ExitCode.OK else "caught"


def _change(job: dict[str, Any]) -> None:
    """Give every loaded function of that name the code that the changed file has for it."""
    name = str(Path(job["path"]).absolute())
    found = {(code.co_qualname, code.co_firstlineno): code for code in _codes(compile(job["text"], name, "exec"))}
    for function in _functions[name, job["symbol"]]:
        function.__code__ = found[function.__code__.co_qualname, function.__code__.co_firstlineno]


def _codes(code: CodeType) -> list[CodeType]:
    inner = [one for one in code.co_consts if isinstance(one, CodeType)]
    return [code, *(deep for one in inner for deep in _codes(one))]
