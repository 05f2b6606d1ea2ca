"""How much work something is, counted in calls: the same on every machine, whatever else it does."""

from __future__ import annotations

import sys
from collections import Counter
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import FrameType


def calls(work: Callable[[], object]) -> Counter[str]:
    """How often which functions, Python's own among them, were called by this thread until `work` came back."""
    count: Counter[str] = Counter()

    def note(frame: FrameType, kind: str, what: Any) -> None:
        if kind == "call":
            count[frame.f_code.co_name] += 1
        elif kind == "c_call":
            count[what.__name__] += 1

    before = sys.getprofile()
    sys.setprofile(note)
    try:
        work()
    finally:
        sys.setprofile(before)
    return count


def steps(work: Callable[[], object]) -> int:
    """How many functions were called until `work` came back."""
    return calls(work).total()
