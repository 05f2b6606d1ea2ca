"""The embedded worker and beat in threads of a test process, what they log in a file."""

from __future__ import annotations

import logging
from contextlib import contextmanager
from typing import TYPE_CHECKING

from pbem.jobs.embedded import Embedded

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from flask import Flask


@contextmanager
def embedded(app: Flask, log: Path) -> Iterator[None]:
    """Have the app's tasks worked; their lines go to `log`.

    pytest takes in what is written during a test: threads also write between two of its phases, into its own output.
    """
    threads, root = Embedded(app), logging.getLogger()
    (shown,) = [handler for handler in root.handlers if handler.name == "pbem"]
    kept = logging.FileHandler(log, encoding="utf-8")
    kept.setFormatter(shown.formatter)
    root.removeHandler(shown)
    root.addHandler(kept)
    threads.start()
    try:
        yield
    finally:
        threads.stop()
        root.removeHandler(kept)
        root.addHandler(shown)
        kept.close()
