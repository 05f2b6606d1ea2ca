"""The schedulers of the sweeps, which go on when the machine's clock is set back."""

from __future__ import annotations

from typing import Any

from celery.beat import PersistentScheduler, Scheduler


class SteadyScheduler(Scheduler):  # type: ignore[misc]  # Celery ships no types
    """Celery's own waits until it is again when a task ran last: set back by two hours, it sweeps nothing so long."""

    def tick(self, *args: Any, **kwargs: Any) -> float:
        """Run a task that is due and return the seconds to wait; what ran later than now counts as run now."""
        entries = self.schedule.values()
        if any(entry.last_run_at > entry.default_now() for entry in entries):
            for entry in entries:
                entry.last_run_at = entry.default_now()
            self._heap = None  # its times lie ahead too
        return float(super().tick(*args, **kwargs))


class KeptScheduler(SteadyScheduler, PersistentScheduler):  # type: ignore[misc]  # as above
    """The same with a file of what ran when, so that a restart makes up for a night's task."""

    _is_closed = False

    def tick(self, *args: Any, **kwargs: Any) -> float:
        """As above; ends a process that was told to end where Python passes over that, as in a destructor."""
        if self._is_closed:
            raise SystemExit
        return super().tick(*args, **kwargs)

    def close(self) -> None:
        """Close the file, as the process ends."""
        self._is_closed = True
        super().close()
