"""Ends what takes too long in a thread: how a game whose rules loop for ever is stopped without its process."""

from __future__ import annotations

import ctypes
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

_TICK = 0.5
"""Seconds between two looks at who is late."""


class TookTooLong(Exception):
    """Raised inside the code that took too long."""


class TimeLimit:
    """One sleepless thread for a process; what it watches costs a dictionary entry."""

    def __init__(self) -> None:
        """Begin with nothing to watch; the thread starts with the first."""
        self._lock = threading.Lock()
        self._ends: dict[int, float] = {}
        self._thread: threading.Thread | None = None

    @contextmanager
    def within(self, seconds: float) -> Iterator[None]:
        """Raise TookTooLong in this thread if the block isn't left within `seconds` (plus one tick)."""
        me = threading.get_ident()
        with self._lock:
            self._ends[me] = time.monotonic() + seconds
            if self._thread is None or not self._thread.is_alive():  # a forked child has no threads but its own
                self._thread = threading.Thread(target=self._watch, name="watchdog", daemon=True)
                self._thread.start()
        try:
            yield
        finally:
            with self._lock:
                self._ends.pop(me, None)

    def _watch(self) -> None:
        pause = threading.Event()
        while not pause.wait(_TICK):
            now = time.monotonic()
            with self._lock:
                for thread in [thread for thread, end in self._ends.items() if end <= now]:
                    del self._ends[thread]
                    ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread), ctypes.py_object(TookTooLong))
