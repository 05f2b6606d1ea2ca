"""The server's figures in the form Prometheus reads."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from prometheus_client import CONTENT_TYPE_LATEST as CONTENT_TYPE
from prometheus_client import REGISTRY, CollectorRegistry, Gauge, generate_latest
from prometheus_client.multiprocess import MultiProcessCollector

if TYPE_CHECKING:
    from pbem.store.queries.figures import Figures

__all__ = ["CONTENT_TYPE", "exposition", "measured"]


def exposition(found: Figures, redis: str | None = None, free: int = 0) -> bytes:
    """Write `found` as gauges, whether Redis is "ok" if there is one, and the bytes `free` on the disk."""
    registry = CollectorRegistry()
    for name, text, key, values in (
        ("pbem_games", "Games by state.", "state", found.games),
        ("pbem_letters", "Letters by state.", "state", found.letters),
        ("pbem_sweep_age_seconds", "Seconds since each sweep last ran.", "sweep", found.sweeps),
    ):
        gauge = Gauge(name, text, [key], registry=registry)
        for word, value in values.items():
            gauge.labels(word).set(value)
    for name, text, value in (
        ("pbem_letters_due", "Letters that should have left.", found.letters_due),
        ("pbem_letters_due_oldest_seconds", "How long the oldest of them waits.", found.oldest_letter_due),
        ("pbem_games_due", "Games that should have moved on.", found.games_due),
        ("pbem_games_due_oldest_seconds", "How long the first of them waits.", found.oldest_game_due),
        *([("pbem_redis_up", "Whether Redis answers.", float(redis == "ok"))] if redis else []),
        ("pbem_disk_free_bytes", "Bytes free where PBEM_HOME lies.", free),
        ("pbem_mails_unread", "Mails that came in and are not worked through.", found.mails_unread),
    ):
        Gauge(name, text, registry=registry).set(value)
    return generate_latest(registry)


def measured() -> bytes:
    """What the processes measured themselves: all of this machine's where they share a folder, else this one's."""
    if "PROMETHEUS_MULTIPROC_DIR" not in os.environ:
        return generate_latest(REGISTRY)
    registry = CollectorRegistry()
    MultiProcessCollector(registry)  # type: ignore[no-untyped-call]  # half typed
    return generate_latest(registry)
