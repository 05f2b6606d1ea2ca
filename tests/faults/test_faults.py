"""Faults of `python -m benchmarks.faults`, a few rounds each, held against the invariants I1-I8."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from benchmarks.faults.__main__ import one_batch
from benchmarks.faults.catalogue import FAULTS

if TYPE_CHECKING:
    from benchmarks.faults.stage import Stage

pytestmark = pytest.mark.xdist_group("faults")

BY_COMMAND = {"F3", "F7", "F12", "F18b", "F19", "F20"}
"""Faults whose rounds wait for bounds of wall time that a busy machine misses now and then: run by the command only."""


@pytest.mark.parametrize("name", [name for name in FAULTS if name not in BY_COMMAND])
def test_fault(name: str, on: Stage) -> None:
    """Real processes are struck while people play; afterwards no invariant is violated and all work is done."""
    fault = FAULTS[name]

    outcome, _ = one_batch(fault, on, fault.short)

    assert outcome.violations == []
