"""Worker and beat in threads of the web process: how one process is a whole server when no broker is given."""

from __future__ import annotations

import threading
from typing import Any

from celery import Celery
from celery.beat import Service
from flask import Flask

from pbem.jobs import tasks
from pbem.jobs.beat import SteadyScheduler

HANDS = 3
"""Tasks at a time: a relay that is slow to answer must not hold up the games."""
_PATIENCE = 10
"""Seconds to wait for each thread at the end."""


class Embedded:
    """The threads of one process."""

    def __init__(self, app: Flask) -> None:
        """Take the app whose tasks are to be worked."""
        celery: Celery = app.extensions["celery"]
        celery.set_default()
        self._worker: Any = celery.WorkController(
            pool="threads", concurrency=HANDS, without_gossip=True, without_mingle=True, without_heartbeat=True
        )
        # It looks once a second whether to end.
        self._beat: Any = Service(celery, max_interval=1, scheduler_cls=SteadyScheduler)
        self._threads = (
            threading.Thread(target=self._worker.start, name="worker", daemon=True),
            threading.Thread(target=self._beat.start, name="beat", daemon=True),
        )

    def start(self) -> None:
        """Begin to work; what was due before is found by the first sweeps."""
        for thread in self._threads:
            thread.start()
        for sweep in (tasks.sweep_games, tasks.sweep_outbox, tasks.read_mail):
            sweep.delay()

    def stop(self) -> None:
        """Finish what is being worked, then end. What is left in the queue is found again at the next start."""
        self._beat.stop()
        self._worker.stop()
        for thread in self._threads:
            thread.join(_PATIENCE)
