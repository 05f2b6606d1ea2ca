"""For pytest: runs, for each mutant of a list, the tests that reach it in a fork of this process.

The list is the JSON file named by MUTATION_JOBS; verdicts stand in `verdicts.txt` beside it, one a line, as they come:
`caught`, `SURVIVED`, `UNREACHED` by any test, or `SLOW` if the time was over before the tests were.
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
from pathlib import Path
from types import CodeType, FunctionType
from typing import Any

import pytest

PATIENCE = float(os.environ.get("MUTATION_PATIENCE", "240"))
"""Seconds that the tests of one mutant may take."""


@pytest.hookimpl(tryfirst=True)
def pytest_runtestloop(session: pytest.Session) -> bool | None:
    """Fork for every mutant; in the child, leave its tests to pytest's own loop."""
    path = Path(os.environ["MUTATION_JOBS"])
    items = {item.nodeid: item for item in session.items}
    for module in ("pbem.app", "pbem.cli", "pbem.jobs.tasks", "pbem.smtpd", "pbem.jobs.embedded"):
        importlib.import_module(module)
    for job in json.loads(path.read_text()):
        tests = [items[name] for name in job["tests"] if name in items]
        if not tests:
            verdict = "UNREACHED"
        elif (verdict := _fork(job)) == "child":
            session.items[:] = tests
            return None
        with path.with_name("verdicts.txt").open("a") as file:
            file.write(f"{verdict} {job['name']}\n")
    return True


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
    for function in [one for one in gc.get_objects() if isinstance(one, FunctionType)]:
        code = function.__code__
        if code.co_filename == name and code.co_qualname == job["symbol"]:
            function.__code__ = found[code.co_qualname, code.co_firstlineno]


def _codes(code: CodeType) -> list[CodeType]:
    inner = [one for one in code.co_consts if isinstance(one, CodeType)]
    return [code, *(deep for one in inner for deep in _codes(one))]
