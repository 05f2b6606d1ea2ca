"""A crash at every statement of `advance`: what it began is undone, and the next run does it all."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from sqlalchemy import event, func, select

from benchmarks.faults.checker import Allowed, check
from benchmarks.faults.fault import Outcome
from benchmarks.faults.players import Club
from pbem import clock
from pbem.engine.registry import GAMES
from pbem.extensions import db
from pbem.play.orders import submission
from pbem.play.proof import replay_audit
from pbem.play.turns.advance import advance
from pbem.store.models import Letter, OpenDecision, StoredOrder, StoredPly, StoredStandingOrders

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sqlalchemy.engine import Connection

    from benchmarks.faults.players import Question
    from benchmarks.faults.stage import Stage

_TABLES = (StoredPly, Letter, OpenDecision, StoredOrder, StoredStandingOrders)


class Crashed(BaseException):
    """The process ended here: nothing in the program may catch it."""


@contextmanager
def crash_at(number: int) -> Iterator[list[int]]:
    """Cut the connection and end the work at statement `number`, commits counted; gives the count so far. 0: never."""
    count = [0]

    def strike(connection: Connection, *_: Any) -> None:
        count[0] += 1
        if count[0] == number:
            connection.connection.dbapi_connection.close()  # type: ignore[union-attr]  # it is open
            raise Crashed

    for name in ("before_cursor_execute", "commit"):
        event.listen(db.engine, name, strike)
    try:
        yield count
    except Crashed:
        db.session.close()
        db.engine.dispose()
    finally:
        for name in ("before_cursor_execute", "commit"):
            event.remove(db.engine, name, strike)


def every_statement(stage: Stage, rounds: int) -> Outcome:
    """F2: `advance` crashes at every one of its statements in turn; nothing is half done, the next run does it all."""
    stage.cast()  # a worker that goes on, or a beat, would carry the game on before it can crash here
    club, faults, statements = Club(stage), [], 0
    for number in range(rounds):
        game = GAMES[number % len(GAMES)]
        with stage.app.app_context():
            whole = _ready(club, game, number)
            with crash_at(0) as count:
                _advance(whole)
            statements += count[0]
            expected = _rows(whole)
            for n in range(1, count[0] + 1):
                faults += _crashed_once(club, game, number, n, expected)
    return Outcome(faults + check(club, Allowed(unsettled=True)), {"statements": statements})


def _crashed_once(club: Club, game: str, number: int, n: int, expected: dict[str, int]) -> list[str]:
    game_id = _ready(club, game, number)
    before = _rows(game_id)
    with crash_at(n):
        _advance(game_id)
    half = _rows(game_id)
    _advance(game_id)
    found = []
    if half != before:
        found.append(f"I2 {game}: a crash at statement {n} left {half} instead of {before}.")
    if _rows(game_id) != expected:
        found.append(f"I2 {game}: after a crash at statement {n} the next run made {_rows(game_id)}, not {expected}.")
    found += [f"I2 statement {n}: {fault}" for fault in replay_audit.audit(db.session(), game_id).faults]
    db.session.commit()
    return found


def _ready(club: Club, game: str, number: int) -> int:
    """A game whose last order is in."""
    (game_id,) = club.open(1, game, 3, seed=f"crash-{number}")
    for one in club.questions([game_id]):
        _submit(one)
    return game_id


def _submit(one: Question) -> None:
    submission.submit(
        db.session(), clock.now(), submission.Submission(seat_id=one.seat_id, ply=one.ply, text=one.order)
    )
    db.session.commit()


def _advance(game_id: int) -> None:
    advance(db.session(), clock.now(), game_id)
    db.session.commit()


def _rows(game_id: int) -> dict[str, int]:
    found = {}
    for table in _TABLES:
        query = select(func.count()).select_from(table).where(table.game_id == game_id)
        found[table.__tablename__] = db.session.execute(query).scalar_one()
    db.session.commit()
    return found
