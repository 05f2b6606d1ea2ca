"""One stage for the faults of a test process: servers and processes go on from fault to fault, and end with the last.

Its clock is moved on by faults, in this process too, so it must be gone before another test looks at the time.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from benchmarks.faults.stage import stage

if TYPE_CHECKING:
    from collections.abc import Iterator

    from benchmarks.faults.stage import Stage


@pytest.fixture(scope="module")
def on() -> Iterator[Stage]:
    """The stage."""
    with stage() as made:
        yield made
