"""One stage for all faults of a test process: its servers and processes go on from fault to fault."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from benchmarks.faults.stage import stage

if TYPE_CHECKING:
    from collections.abc import Iterator

    from benchmarks.faults.stage import Stage


@pytest.fixture(scope="session")
def on() -> Iterator[Stage]:
    """The stage."""
    with stage() as made:
        yield made
