"""In a copy of the program in which every statement says that it is reached: who reached which.

The copy's `pbem` imports this first. Each statement calls `_reached_(number)`; what a test reaches is written to the
file named by MUTATION_REACHED, one line for a test: its name, the seconds of processor time that it took with the
processes that it ended, the numbers, and whether it passed, with tabs between. In those processes, whose end nobody
sees coming, each number is written when it is first reached.
"""

from __future__ import annotations

import builtins
import os
from pathlib import Path

_FILE = Path(os.environ.get("MUTATION_REACHED", os.devnull))
_seen: set[int] = set()
_watcher: list[int] = []
"""The process that tells us when its tests begin and end."""
_begun: list[float] = []
"""What this process had taken when the test began."""


def _reached(number: int) -> None:
    if number not in _seen:
        _seen.add(number)
        if os.getpid() not in _watcher:
            _write(os.environ.get("PYTEST_CURRENT_TEST", "").rpartition(" (")[0], 0, [number])


def _write(test: str, seconds: float, numbers: list[int], *, passed: bool = False) -> None:
    with _FILE.open("a") as file:
        file.write(f"{test}\t{seconds:.3f}\t{' '.join(map(str, numbers))}\t{int(passed)}\n")


def begin() -> None:
    """Begin a test of this process."""
    _watcher[:], _begun[:] = [os.getpid()], [sum(os.times()[:4])]
    _seen.clear()


def end(test: str, *, passed: bool) -> None:
    """Write down what `test`, the id of the one that began last, has reached."""
    _write(test, sum(os.times()[:4]) - _begun[0], sorted(_seen), passed=passed)


builtins._reached_ = _reached  # type: ignore[attr-defined]  # a name for every statement of the copy
