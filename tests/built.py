"""What many tests begin with is played once by each process: its database is kept, and put back for the next test."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar, cast

from flask import current_app
from msgspec import structs

from pbem.extensions import db, settings
from tests import factories

if TYPE_CHECKING:
    from collections.abc import Callable

Found = TypeVar("Found")
FACTORIES: tuple[Any, ...] = (factories.PlayerFactory, factories.ClubFactory)
"""What counts the people and clubs it makes."""


class _Built(NamedTuple):
    database: bytes
    counts: tuple[int, ...]
    found: Any


_kept: dict[tuple[object, ...], _Built] = {}
MOST = 16
"""How many are kept, of half a megabyte each: what is asked for once only is the first to go."""


def once(name: str, build: Callable[[], Found]) -> Found:
    """What `build` gives, ids and other plain values, and the database as it leaves it.

    It is called again where anything else could come of it: another database before, other settings, another time.
    """
    path = db.engine.url.database
    if db.engine.dialect.name != "sqlite" or path is None:
        return build()
    db.session.rollback()
    with closing(sqlite3.connect(path)) as file:
        file.execute("PRAGMA synchronous = OFF")
        before = file.serialize()
        ours = str(structs.asdict(settings())).replace(str(settings().pbem_home), "")
        key = (name, before, ours, datetime.now(UTC), _counts())
        found = _kept.pop(key, None)
        if found is None:
            made = build()
            _kept[key] = _Built(_whole(file), _counts(), made)
            if len(_kept) > MOST:
                del _kept[next(iter(_kept))]
            return made
        _kept[key] = found  # the newest again
        with closing(sqlite3.connect(":memory:")) as whole:
            whole.deserialize(found.database)
            whole.backup(file)
    for one, count in zip(FACTORIES, found.counts, strict=True):
        one.reset_sequence(count)
    current_app.extensions["tests.enqueued"].put_back(db.session())
    return cast("Found", found.found)


def _whole(file: sqlite3.Connection) -> bytes:
    """A database as bytes that say nothing of a log beside it: none lies beside what is only in memory."""
    found = bytearray(file.serialize())
    found[18:20] = b"\1\1"
    return bytes(found)


def _counts() -> tuple[int, ...]:
    """How many of each there are; to look isn't to count on."""
    found = []
    for one in FACTORIES:
        one._meta._initialize_counter()
        found.append(one._meta._counter.seq)
    return tuple(found)
