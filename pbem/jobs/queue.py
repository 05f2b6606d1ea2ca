"""Rings for tasks after a commit: nobody waits for the broker, and one that doesn't answer is left alone a while."""

from __future__ import annotations

import atexit
import os
import threading
import time
from typing import Any

import structlog
from kombu.exceptions import OperationalError

log = structlog.get_logger()

SILENCE = 5.0
"""Seconds without ringing after the broker did not answer: the sweeps find what is due."""


class TaskQueue:
    """Rings in a thread of its own; what is rung again meanwhile is rung once."""

    def __init__(self) -> None:
        """Begin with nothing to ring for; the thread starts with the first."""
        self._changed = threading.Condition()
        self._wanted: dict[tuple[str, tuple[int, ...]], tuple[float, Any]] = {}
        self._thread: threading.Thread | None = None
        self._quiet_until = 0.0

    def ring(self, task: Any, *args: int, wait: float = 0.0) -> None:
        """Have the Celery `task` called, after `wait` seconds in which more rings for it may come."""
        with self._changed:
            if self._thread is None or not self._thread.is_alive():
                self._thread = threading.Thread(target=self._work, name="bell", daemon=True)
                self._thread.start()
            message = (task.name, args)
            if message not in self._wanted:  # who rings again wakes nobody: each ply of a busy worker would
                self._wanted[message] = (time.monotonic() + wait, task)
                self._changed.notify_all()

    def _work(self) -> None:
        while True:
            for task, args in self._due():
                self.publish(task, *args)
            with self._changed:
                self._changed.notify_all()

    def _due(self) -> list[tuple[Any, tuple[int, ...]]]:
        """Wait for the first ring whose time has come; all that are due."""
        with self._changed:
            while (late := self._late()) != 0:
                self._changed.wait(late)
            now = time.monotonic()
            due = [(name, args) for (name, args), (at, _) in self._wanted.items() if at <= now]
            return [(self._wanted.pop(message)[1], message[1]) for message in due]

    def _late(self) -> float | None:
        """Seconds until the first ring is due; None if nothing was rung."""
        first = min((at for at, _ in self._wanted.values()), default=None)
        return None if first is None else max(0.0, first - time.monotonic())

    def publish(self, task: Any, *args: int, **options: bool) -> None:
        """Hand a message to the broker now; how long that takes is bounded."""
        if time.monotonic() < self._quiet_until:
            return
        try:
            task.apply_async(args, options, retry=False, declare=())  # who takes from a queue declares it
        except (OperationalError, OSError) as fault:
            self._quiet_until = time.monotonic() + SILENCE
            log.warning("the bell does not answer, the sweeps will find it", fault=type(fault).__name__)

    def forget(self) -> None:
        """Begin anew, in a forked child: it has none of its parent's threads."""
        self.__init__()  # type: ignore[misc]  # the same object, as it was at first

    def finish(self) -> None:
        """Let what was rung leave before the process ends, for a moment at most."""
        with self._changed:
            self._changed.wait_for(lambda: not self._wanted, timeout=1)


_bell = TaskQueue()
"""This process's."""
ring, publish = _bell.ring, _bell.publish
os.register_at_fork(after_in_child=_bell.forget)
atexit.register(_bell.finish)
