"""Every fault of `python -m benchmarks.faults`, a few rounds each, held against the invariants I1-I8."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

import pytest

from benchmarks.faults.__main__ import one_batch
from benchmarks.faults.catalogue import FAULTS

if TYPE_CHECKING:
    from benchmarks.faults.stage import Stage

BUSY = timedelta(minutes=10)
"""How long recovery may take beside other tests. That it takes two minutes at most, the command measures."""


@pytest.mark.parametrize("name", FAULTS)
def test_fault(name: str, on: Stage) -> None:
    """Real processes are struck while people play; afterwards no invariant is violated and all work is done."""
    fault = FAULTS[name]

    outcome, _ = one_batch(fault, on, fault.short, BUSY)

    assert outcome.violations == []
