"""Watches every commit of a test: what it made due must have been enqueued right after it, whichever door it was.

And what can invalidate an order or a ply on its way must have raised its game's version: both are read without a lock.
And a letter that was collected must have been written with what it tells.

Each app of the tests is watched, so whatever drives a route, a command, a mail or a task asserts this of it too.
"""

from __future__ import annotations

import sqlite3
import threading
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from sqlalchemy import event

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from sqlalchemy.orm import Session

    from pbem.letter_queue import LetterQueue
    from pbem.store.unit_of_work import Work

SNAPSHOT = "SET TRANSACTION ISOLATION LEVEL REPEATABLE READ"
ASKED = "tests.asked"
"""The key in `session.info`: what a test took out of it to look at, so that nothing enqueues it."""
Rows = dict["Work", set[tuple[object, ...]]]


class Recorder:
    """What was enqueued, and what of each commit was forgotten."""

    def __init__(self) -> None:
        """Begin with nothing."""
        self.enqueued: list[str] = []
        """Names of tasks, as they were enqueued."""
        self.forgotten: list[str] = []
        self.is_taken = False
        """Whether anybody takes what is enqueued, so that it must be published."""
        self._collected: list[LetterQueue] = []
        """Queues of letters that were not written yet."""
        self._fresh: set[Work] = set()
        self._known: Rows = {}
        self._games: dict[int, tuple[tuple[int, str], set[str]]] = {}
        self._beside = Beside()

    def close(self) -> None:
        """Look no more."""
        self._beside.close()

    def commit(self, session: Session) -> None:
        """Compare what this commit wrote with what was enqueued after it."""
        from pbem.store.unit_of_work import Work  # noqa: PLC0415 - as below

        if session.get_nested_transaction() is not None or threading.current_thread() is not threading.main_thread():
            return
        self.end()
        if not self._beside.is_changed():
            self._fresh = set()
            session.info.pop(ASKED, None)
            return
        games, seats, decisions, ahead, *due = self._beside.read(*read_by_a_ply(), *(QUERIES[work] for work in Work))
        self._compare_versions(games, [*seats, *decisions, *ahead])
        found: Rows = {work: set(rows) for work, rows in zip(Work, due, strict=True)}
        for work, rows in found.items():
            new = rows - self._known.get(work, set())
            if new and work not in self._fresh | session.info.get(ASKED, set()):
                self.forgotten.append(f"{work}: {sorted(new, key=str)[:3]}")
        self._known, self._fresh = found, set()
        session.info.pop(ASKED, None)

    def put_back(self, session: Session) -> None:
        """Take what stands in the database as known: it was put there whole, and watched when it was made."""
        self._fresh = set(QUERIES)  # type: ignore[arg-type]  # by the words of each
        self._games.clear()
        self.commit(session)

    def end(self) -> None:
        """Note the letters that were collected and never written."""
        self.forgotten += [f"the letter {row['cause']}" for queue in self._collected for row in queue.rows]
        self._collected.clear()

    def rolled_back(self, *_: object) -> None:
        """Forget the letters of a transaction that was refused."""
        self._collected.clear()

    def collected(self, queue: LetterQueue) -> None:
        """Note a queue to which a letter was added."""
        if threading.current_thread() is threading.main_thread():
            self._collected.append(queue)

    def written(self, queue: LetterQueue) -> None:
        """Note that a queue's letters were written, or refused for their number."""
        self._collected = [one for one in self._collected if one is not queue]

    def _compare_versions(self, games: list[tuple[Any, ...]], beside: list[tuple[Any, ...]]) -> None:
        """Note games of which an order or a ply reads something else now, and that say they are the same."""
        now = {number: ((version, state), {repr(row)}) for number, version, state, *row in games}
        for number, *row in beside:
            now[number][1].add(repr(row))
        for number, ((version, state), rows) in self._games.items():
            seen, rows_now = now.get(number, (None, rows))
            if state == "running" and seen == (version, state) and rows != rows_now:
                self.forgotten.append(
                    f"the version of game {number} ({version}): {rows - rows_now} became {rows_now - rows}"
                )
        self._games = now

    def heard(self, task: str) -> None:
        """Note what was enqueued."""
        from pbem.jobs import celery_app  # noqa: PLC0415 - tests of the rules need no Flask

        self.enqueued.append(task.rpartition(".")[2])
        self._fresh |= {work for work, job in celery_app._JOBS.items() if job == task}


QUERIES = {
    "games": "SELECT id, wake_at FROM games WHERE state = 'running' AND wake_at IS NOT NULL"
    " AND (cover_at IS NULL OR wake_at <> cover_at) AND cooling = 0 AND tries = 0"
    " AND NOT (EXISTS (SELECT 1 FROM decisions WHERE game_id = games.id AND closed_at IS NULL"
    " AND held_until = wake_at AND answered_at < wake_at) AND NOT EXISTS (SELECT 1 FROM decisions"
    " WHERE game_id = games.id AND closed_at IS NULL AND answered_at >= wake_at))"
    " AND NOT (EXISTS (SELECT 1 FROM pulses WHERE name = 'sweep_games' AND at < wake_at) AND EXISTS (SELECT 1 FROM"
    " decisions WHERE game_id = games.id AND closed_at IS NULL AND order_id IS NULL AND NOT optional))",
    "letters": "SELECT id FROM letters WHERE state = 'pending' AND next_try_at <= created_at",
    "mail": "SELECT id FROM inbound_mails WHERE state = 'new' AND next_try_at <= received_at",
}
"""What is due at once, each row with what changes when it is made due anew.

A game that waits for its deadline, its cooling time, a bot, or time that is to be given back after an outage isn't;
nor is one whose answers are held until the time at which they count together.
"""


STANDING = "SELECT game_id, standing_orders.* FROM standing_orders WHERE ended_at IS NULL"
"""Orders given ahead, which a ply reads as they are."""
AS_IF_EARLIER = {
    "games": {"id", "version", "tries", "club_id"},
    "seats": {"kinds_off"},
    "players": {
        *("id", "address", "address_state", "zone", "wakes", "sleeps", "weekends", "quiet", "kinds_off"),
        *("digest_hour", "accepted_at", "away_until"),
    },
}
"""What a ply reads and may read a moment too early: no row holds its game's version for it.

A game's club is the one it was opened in, and begun tries are counted beside the run they count. Where a person is
reached, which letters they want and which hours their time counts in is theirs, not a game's: what changes while a ply
is on its way counts from the next one, as if the ply had come a moment earlier; and a letter asks before it leaves.
"""


@cache
def read_by_a_ply() -> tuple[str, ...]:
    """Queries of what an order and a ply begin with: each game's version, state and position, then rows of each."""
    from pbem.store.queries import order_writes  # noqa: PLC0415 - tests of the rules need no Flask
    from pbem.store.queries.ply_inputs import PLAIN  # noqa: PLC0415 - as above

    orders = {"games": order_writes._SEAT, "decisions": order_writes.AskedRow._fields[:-2]}
    columns = []
    for entity, names in PLAIN.items():
        table = entity.__tablename__
        read = {*names.split(), *orders.get(table, ())} - AS_IF_EARLIER.get(table, set())
        columns.append(", ".join(sorted(read)))
    games, seats, players, decisions = columns
    assert not players, f"Does a change of a person's {players} count for a ply that was read before it?"
    return (
        f"SELECT id, version, state, {games} FROM games",  # noqa: S608 - names of columns, no value
        f"SELECT game_id, {seats} FROM seats",  # noqa: S608 - as above
        f"SELECT game_id, {decisions} FROM decisions WHERE closed_at IS NULL",  # noqa: S608 - as above
        STANDING,
    )


def read(*queries: str) -> list[list[tuple[Any, ...]]]:
    """The rows of each query as others see them, read beside SQLAlchemy, for some tests count its statements.

    All at one moment: what another thread commits in between would look like an order that its game's version missed.
    """
    from pbem.extensions import db  # noqa: PLC0415 - tests of the rules need no Flask

    connection = db.engine.raw_connection()
    try:
        cursor = connection.cursor()
        cursor.execute("BEGIN" if db.engine.dialect.name == "sqlite" else SNAPSHOT)
        found = []
        for query in queries:
            cursor.execute(query)
            found.append([tuple(row) for row in cursor.fetchall()])
        cursor.close()
    finally:
        connection.close()
    return found


class Beside:
    """Reads as `read` does; a file of SQLite by one connection, which tells whether anybody wrote since its last look.

    Half of all commits wrote nothing, and a connection of one's own knows its statements by heart.
    """

    def __init__(self) -> None:
        """Connect with the first look."""
        self._own: sqlite3.Connection | None = None
        self._seen = (-1, -1)
        """The number of the file, which may be put in another's place, and of its last change."""

    def is_changed(self) -> bool:
        """Whether anything may have been written since this was asked last."""
        from pbem.extensions import db  # noqa: PLC0415 - as above

        if db.engine.dialect.name != "sqlite":
            return True
        path, before = Path(str(db.engine.url.database)), self._seen
        file = path.stat().st_ino
        if self._own is None or file != before[0]:
            self.close()
            self._own = sqlite3.connect(path, isolation_level=None)
            self._own.execute("PRAGMA synchronous = OFF")  # the last to let go of the file would wait for the disk
        (version,) = self._own.execute("PRAGMA data_version").fetchone()
        self._seen = file, version
        return before != self._seen

    def read(self, *queries: str) -> list[list[tuple[Any, ...]]]:
        """The rows of each query, all at one moment."""
        if self._own is None:
            return read(*queries)
        self._own.execute("BEGIN")
        try:
            return [self._own.execute(query).fetchall() for query in queries]
        finally:
            self._own.execute("COMMIT")

    def close(self) -> None:
        """Let go of the file."""
        if self._own is not None:
            self._own.close()


@contextmanager
def watched() -> Iterator[Recorder]:
    """Watch the commits of this process's main thread; asserts at the end that none forgot anything."""
    from pbem.extensions import PagesSession  # noqa: PLC0415 - as above
    from pbem.jobs import queue  # noqa: PLC0415 - as above
    from pbem.letter_queue import LetterQueue  # noqa: PLC0415 - as above

    recorder, inner = Recorder(), queue.enqueue
    person, take = LetterQueue.person, LetterQueue.take
    events: dict[str, Callable[..., None]] = {
        "after_commit": recorder.commit,
        "after_soft_rollback": recorder.rolled_back,
    }

    def enqueue(task: str, gap: float = 0.0) -> None:
        recorder.heard(task)
        if recorder.is_taken:
            inner(task, gap)

    def collect(letters: LetterQueue, *args: Any, **columns: Any) -> None:
        recorder.collected(letters)
        person(letters, *args, **columns)

    def write(letters: LetterQueue, *args: Any, **how: Any) -> Any:
        recorder.written(letters)
        return take(letters, *args, **how)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(queue, "enqueue", enqueue)
        patch.setattr(LetterQueue, "person", collect)
        patch.setattr(LetterQueue, "take", write)
        for name, heard in events.items():
            event.listen(PagesSession, name, heard)
        try:
            yield recorder
        finally:
            for name, heard in events.items():
                event.remove(PagesSession, name, heard)
            recorder.close()
    recorder.end()
    assert not recorder.forgotten, "; ".join(recorder.forgotten)
