"""What runs the sweeps, while the machine's clock is set."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

import pytest

from pbem.jobs.beat import KeptScheduler, SteadyScheduler

if TYPE_CHECKING:
    from pathlib import Path

    from flask import Flask

NOON = datetime(2026, 11, 23, 12, tzinfo=UTC)
STEP = timedelta(hours=2)
WATCHED = timedelta(minutes=12)


class Machine:
    """A scheduler of the app's own settings, a clock that can be set, and what was run since somebody last looked."""

    def __init__(self, app: Flask, monkeypatch: pytest.MonkeyPatch, kind: type[SteadyScheduler], file: Path) -> None:
        """Begin at noon."""
        self.now, self.ran, self.kind, self.file = NOON, list[str](), kind, file
        self.celery = app.extensions["celery"]
        monkeypatch.setattr(self.celery, "now", lambda: self.now)
        monkeypatch.setattr(kind, "apply_entry", lambda _, entry, **__: self.ran.append(entry.name))
        self.start()

    def start(self) -> None:
        """Begin, be it anew, with what a file holds."""
        self.scheduler: Any = self.kind(self.celery, schedule_filename=str(self.file), lazy=False)

    def run(self) -> dict[str, int]:
        """Let twelve minutes pass, second by second; gives how often each task ran."""
        self.ran.clear()
        end = self.now + WATCHED
        while self.now < end:
            while not self.scheduler.tick():
                pass
            self.now += timedelta(seconds=1)
        return {name: self.ran.count(name) for name in self.celery.conf.beat_schedule}


@pytest.mark.parametrize("set_back", [STEP, -STEP, timedelta(0)])
@pytest.mark.parametrize("restarted", [False, True])
@pytest.mark.parametrize("kind", [SteadyScheduler, KeptScheduler])
def test_every_sweep_goes_on_when_the_clock_is_set(
    app: Flask,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    kind: type[SteadyScheduler],
    *,
    restarted: bool,
    set_back: timedelta,
) -> None:
    """By two hours, either way, running on or begun anew: each task that has an interval runs as often as before."""
    machine = Machine(app, monkeypatch, kind, tmp_path / "beat")
    before = machine.run()

    machine.now -= set_back
    if restarted:
        machine.scheduler.close()
        machine.start()
    after = machine.run()

    every = {name: task["schedule"] for name, task in app.extensions["celery"].conf.beat_schedule.items()}
    swept = [name for name, schedule in every.items() if isinstance(schedule, timedelta)]
    assert len(swept) >= 7
    for name in swept:
        assert WATCHED / every[name] - 2 <= before[name] <= WATCHED / every[name] + 1, name
        assert abs(after[name] - before[name]) <= 1, name


def test_a_scheduler_that_was_closed_ends_its_process(
    app: Flask, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """A process that is told to end closes its file; where what ends it is passed over, it ticked on without one."""
    machine = Machine(app, monkeypatch, KeptScheduler, tmp_path / "beat")
    machine.run()
    machine.scheduler.close()

    with pytest.raises(SystemExit):
        machine.scheduler.tick()
    machine.scheduler.close()
