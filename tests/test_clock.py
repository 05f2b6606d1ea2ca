from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import time_machine

from pbem import clock

if TYPE_CHECKING:
    from pathlib import Path

    import pytest


def test_the_clock_can_be_set_for_every_process_of_a_test(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file holds the seconds to add; changing it moves the clock at once."""
    file = tmp_path / "offset"
    noon = datetime(2026, 3, 2, 12, 0, tzinfo=UTC)
    monkeypatch.setenv(clock.OFFSET_FILE, str(file))
    with time_machine.travel(noon, tick=False):
        for seconds in ("0", "3600", "-90", ""):
            file.write_text(seconds, encoding="ascii")
            assert clock.now() == noon + timedelta(seconds=int(seconds or 0))


def test_without_the_variable_the_clock_is_the_machines(monkeypatch: pytest.MonkeyPatch) -> None:
    """Aware, in UTC."""
    monkeypatch.delenv(clock.OFFSET_FILE, raising=False)

    assert clock.now().tzinfo is UTC


def test_every_time_zone_has_its_name() -> None:
    """Those that people live in, and none that nobody has heard of."""
    assert {"Europe/Rome", "America/New_York", "UTC"} < clock.zone_names()
    assert "Europe/Rom" not in clock.zone_names()
