"""What a fault is, and what came of it."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import msgspec

if TYPE_CHECKING:
    from benchmarks.faults.stage import Stage


class Outcome(msgspec.Struct, frozen=True):
    """The violations that were found (none: it held) and figures worth keeping."""

    violations: list[str]
    figures: dict[str, Any] = {}


class Fault(msgspec.Struct, frozen=True):
    """One fault: what is done `rounds` times on a stage, and how often in the short version."""

    name: str
    act: Callable[[Stage, int], Outcome]
    rounds: int
    short: int = 1
    batch: int = 25
    """Rounds on one stage, after which the result is written down and the stage cleared."""

    @property
    def title(self) -> str:
        """What it does, in a line."""
        return (self.act.__doc__ or "").partition("\n")[0].partition(": ")[2]
