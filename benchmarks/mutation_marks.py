"""In a copy of the program in which every statement says that it is reached: who reached which.

The copy's `pbem` imports this first. Each statement calls `_reached_(number)`; what a test reaches is written to the
file named by MUTATION_REACHED, one line for a test: its name, a tab, the numbers. In the processes that a test starts,
whose end nobody sees coming, each number is written when it is first reached.
"""

from __future__ import annotations

import builtins
import os
from pathlib import Path

_FILE = Path(os.environ.get("MUTATION_REACHED", os.devnull))
_seen: set[int] = set()
_watcher: list[int] = []
"""The process that tells us when its tests begin and end."""


def _reached(number: int) -> None:
    if number not in _seen:
        _seen.add(number)
        if os.getpid() not in _watcher:
            _write(os.environ.get("PYTEST_CURRENT_TEST", "").rpartition(" (")[0], [number])


def _write(test: str, numbers: list[int]) -> None:
    with _FILE.open("a") as file:
        file.write(f"{test}\t{' '.join(map(str, numbers))}\n")


def begin() -> None:
    """Begin a test of this process."""
    _watcher[:] = [os.getpid()]
    _seen.clear()


def end(test: str) -> None:
    """Write down what `test`, the id of the one that began last, has reached."""
    _write(test, sorted(_seen))


builtins._reached_ = _reached  # type: ignore[attr-defined]  # a name for every statement of the copy
