"""A database without room, or out of reach: which failures mean that, one line in the log, and when to try again."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import structlog
from sqlalchemy.engine import make_url
from sqlalchemy.exc import DBAPIError, InterfaceError, InternalError, OperationalError
from sqlalchemy.exc import TimeoutError as NoConnectionLeft

from pbem.logs import first_line

if TYPE_CHECKING:
    from flask import Flask
    from sqlalchemy.exc import SQLAlchemyError

    from pbem.config import Config

UNAVAILABLE = (OperationalError, InterfaceError, InternalError, NoConnectionLeft)
"""What the driver and its pool of connections raise when the records can't be read or written just now."""
FIRST, LONGEST = 5.0, 60.0
"""Seconds of the first rest after a disk was found full, and of the longest: each is twice the one before it."""
_DISK_FULL = "53100"
"""PostgreSQL's name for it, by its SQLSTATE."""
_OUT_OF_REACH = {"25006", "53300", "57P01", "57P02", "57P03"}
"""The same for a server that only lets read, has no connection left, is shut down, has crashed, or is just starting."""
_GIVEN_UP = "25P03"
"""A process that slept with a transaction open: the server is well, only this connection is gone."""
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


def is_out_of_reach(fault: SQLAlchemyError) -> bool:
    """Return whether nothing can be asked of the database now, whatever it is."""
    if not isinstance(fault, DBAPIError):
        return isinstance(fault, NoConnectionLeft)
    state = getattr(fault.orig, "sqlstate", None)
    # without a statement it was connecting
    lost = fault.connection_invalidated or fault.statement is None
    return state in _OUT_OF_REACH or (lost and state != _GIVEN_UP)


class Outages:
    """What one app knows of them; its threads share it."""

    def __init__(self, config: Config) -> None:
        """Begin with a database that answers and has room."""
        self._config = config
        self._until = self._rest = 0.0
        self._again: dict[str, float] = {}
        """By what the database said when it was out of reach, when the same is logged again."""

    def is_resting(self) -> bool:
        """Return whether it was found full so lately that no job tries again yet; what is due stays due."""
        return time.monotonic() < self._until

    def met(self, fault: SQLAlchemyError, during: str) -> bool:
        """Take note of a statement's `fault`; whether it is an outage, whose first is logged, and then one a rest."""
        if isinstance(fault, DBAPIError) and is_full(fault, self._config):
            self._is_full(fault, during)
            return True
        if not is_out_of_reach(fault):
            return False
        now, said = time.monotonic(), first_line(fault)
        if now >= self._again.get(said, 0.0):
            self._again[said] = now + LONGEST
            log.error(
                "the database can't be reached: start it, and games and letters go on by themselves",
                database=_where(self._config),
                during=during,
                fault=f"{type(fault).__name__}: {said}",
            )
        return True

    def _is_full(self, fault: DBAPIError, during: str) -> None:
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


def of(app: Flask) -> Outages:
    """Return what `app` knows of its database."""
    found: Outages = app.extensions.setdefault("pbem.outages", Outages(app.extensions["pbem.settings"]))
    return found


def _where(config: Config) -> str:
    """Return what it is of: the database's file, or its server's name."""
    url = make_url(config.database_url)
    return str(url.database) if url.drivername == "sqlite" else f"PostgreSQL at {url.host or 'this machine'}"
