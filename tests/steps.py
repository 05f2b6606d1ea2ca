"""How much work something is, counted in calls: the same on every machine, whatever else it does."""

from __future__ import annotations

import cProfile
import re
import sys
from collections import Counter
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import CodeType

_BUILT_IN = re.compile(r"method '?(?:\w+\.)*(\w+)")
"""The name in how the profiler writes what isn't written in Python: `<method 'find' of 'str' objects>`."""


@cache
def _built_in(words: str) -> str:
    found = _BUILT_IN.search(words)
    return found[1] if found else words


def _name(of: CodeType | str) -> str:
    return _built_in(of) if isinstance(of, str) else of.co_name


def calls(work: Callable[[], object]) -> Counter[str]:
    """How often which functions, Python's own among them, were called by this thread until `work` came back."""
    count: Counter[str] = Counter()
    before, profiler = sys.getprofile(), cProfile.Profile(subcalls=False)
    profiler.enable()
    try:
        work()
    finally:
        profiler.disable()
        sys.setprofile(before)
    for entry in profiler.getstats():
        count[_name(entry.code)] += entry.callcount
    return count


def steps(work: Callable[[], object]) -> int:
    """How many functions were called until `work` came back."""
    return calls(work).total()
