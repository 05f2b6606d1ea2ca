"""A disk without room for the database: which failures mean that, one line in the log, and when to try again."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import structlog
from sqlalchemy.engine import make_url

from pbem.logs import first_line

if TYPE_CHECKING:
    from flask import Flask
    from sqlalchemy.exc import DBAPIError

    from pbem.config import Config

FIRST, LONGEST = 5.0, 60.0
"""Seconds of the first rest after a disk was found full, and of the longest: each is twice the one before it."""
_DISK_FULL = "53100"
"""PostgreSQL's name for it, by its SQLSTATE."""
_PRIMARY = 0xFF
"""The bits of SQLite's error code that are not details."""

log = structlog.get_logger()


def is_full(fault: DBAPIError, config: Config) -> bool:
    """Return whether a statement failed because there was no room on the database's disk."""
    if getattr(fault.orig, "sqlstate", None) == _DISK_FULL:
        return True
    code = getattr(fault.orig, "sqlite_errorcode", 0) & _PRIMARY
    if not code:
        return False
    import sqlite3  # noqa: PLC0415 - 1 MB that a server with PostgreSQL does without

    # where its own small files beside the database find no room it says something else
    consequences = (sqlite3.SQLITE_IOERR, sqlite3.SQLITE_CANTOPEN)
    return code == sqlite3.SQLITE_FULL or (code in consequences and config.room == "full")


class FullDisk:
    """What one app knows of it; its threads share it."""

    def __init__(self, config: Config) -> None:
        """Begin with a disk that has room."""
        self._config = config
        self._until = self._rest = 0.0

    def is_resting(self) -> bool:
        """Return whether it was found full so lately that no job tries again yet; what is due stays due."""
        return time.monotonic() < self._until

    def met(self, fault: DBAPIError, during: str) -> bool:
        """Take note of a statement's `fault`; whether it is a full disk. The first one of a rest is logged."""
        if not is_full(fault, self._config):
            return False
        now = time.monotonic()
        if now >= self._until:
            lately = now < self._until + LONGEST
            self._rest = min(2 * self._rest, LONGEST) if lately else FIRST
            self._until = now + self._rest
            log.error(
                "the disk is full and nothing can be stored: make room, and games and letters go on by themselves",
                disk_of=_where(self._config),
                during=during,
                fault=f"{type(fault.orig).__name__}: {first_line(fault)}",
                next_try_s=round(self._rest),
            )
        return True


def of(app: Flask) -> FullDisk:
    """Return what `app` knows of its disk."""
    found: FullDisk = app.extensions.setdefault("pbem.full_disk", FullDisk(app.extensions["pbem.settings"]))
    return found


def _where(config: Config) -> str:
    """Return what lies on the disk: the database's file, or its server's name."""
    url = make_url(config.database_url)
    return str(url.database) if url.drivername == "sqlite" else f"PostgreSQL at {url.host or 'this machine'}"
