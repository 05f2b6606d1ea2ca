"""Messages to the workers: nobody waits for the broker, and one that doesn't answer is left alone a while."""

from __future__ import annotations

import atexit
import concurrent.futures.thread  # noqa: F401 - Redis's client loads it, which Python refuses once a process begins to end
import os
import threading
import time

import structlog
from celery import current_app
from kombu.exceptions import OperationalError

log = structlog.get_logger()

SILENCE = 5.0
"""Seconds without a message after the broker did not answer: the sweeps find what is due."""
AT_THE_END = 5.0
"""Seconds in which what was enqueued may still leave a process that ends."""


class TaskQueue:
    """Publishes in a thread of its own; a task that is enqueued again before it left is published once."""

    def __init__(self) -> None:
        """Begin with nothing to publish; the thread starts with the first task."""
        self._changed = threading.Condition()
        self._waiting: dict[str, float] = {}
        """When each task leaves, by its name."""
        self._leaving = False
        """Whether some are being published just now."""
        self._left: dict[str, float] = {}
        """When a task left last, by its name."""
        self._thread: threading.Thread | None = None
        self._quiet_until = 0.0

    def enqueue(self, task: str, gap: float = 0.0) -> None:
        """Have the Celery task of this name called: at once, but not within `gap` seconds of the time before."""
        with self._changed:
            if self._thread is None or not self._thread.is_alive():
                self._thread = threading.Thread(target=self._work, name="enqueue", daemon=True)
                self._thread.start()
            if task not in self._waiting:  # else nobody is woken: each ply of a busy worker would
                self._waiting[task] = max(time.monotonic(), self._left.get(task, 0.0) + gap)
                self._changed.notify_all()

    def _work(self) -> None:
        while True:
            try:
                for task in self._due():
                    self.publish(task)
            finally:
                with self._changed:
                    self._leaving = False
                    self._changed.notify_all()

    def _due(self) -> list[str]:
        """Wait for the first task whose time has come; all that are due."""
        with self._changed:
            while (late := self._late()) != 0:
                self._changed.wait(late)
            now = time.monotonic()
            due = [name for name, at in self._waiting.items() if at <= now]
            self._left |= dict.fromkeys(due, now)
            self._leaving = bool(due)
            for name in due:
                del self._waiting[name]
            return due

    def _late(self) -> float | None:
        """Seconds until the first task is due; None if none waits."""
        first = min(self._waiting.values(), default=None)
        return None if first is None else max(0.0, first - time.monotonic())

    def publish(self, task: str, *args: int, **options: bool) -> None:
        """Hand a message to the broker now; how long that takes is bounded."""
        if time.monotonic() < self._quiet_until:
            return
        try:
            # Who takes from a queue declares it.
            current_app.send_task(task, args, options, declare=(), ignore_result=True)
        except (OperationalError, OSError) as fault:
            self._quiet_until = time.monotonic() + SILENCE
            log.warning("the broker does not answer, the sweeps will find what is due", fault=type(fault).__name__)

    def forget(self) -> None:
        """Begin anew, in a forked child: it has none of its parent's threads."""
        self.__init__()  # type: ignore[misc]  # the same object, as it was at first

    def finish(self) -> None:
        """Let what was enqueued leave before the process ends, for `AT_THE_END` at most."""
        with self._changed:
            self._changed.wait_for(lambda: not (self._waiting or self._leaving), timeout=AT_THE_END)


_queue = TaskQueue()
"""This process's."""
enqueue, publish = _queue.enqueue, _queue.publish
os.register_at_fork(after_in_child=_queue.forget)
atexit.register(_queue.finish)
