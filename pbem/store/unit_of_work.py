"""What a transaction makes due for the workers: collected while it runs, handed on once its commit has succeeded.

Whoever writes a row that a job is to see says so here, in the same transaction; no door enqueues by hand, so none can
forget it, do it before the commit, or name the wrong job.
"""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

from sqlalchemy import event
from sqlalchemy.orm import Session

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from sqlalchemy.orm import SessionTransaction

    from pbem.store.models import Game


class Work(StrEnum):
    """What can be due at once. Which rows those are is for the database to say."""

    GAMES = "games"
    """Running games whose `wake_at` has come."""
    LETTERS = "letters"
    """Letters of the outbox that may leave."""
    MAIL = "mail"
    """Mail that came in and was kept."""


_DUE = "pbem.due"
"""The key in `session.info`: what is due, by the transaction or savepoint that made it so."""


def made_due(session: Session, work: Work) -> None:
    """Note that this transaction made `work` due."""
    session.info.setdefault(_DUE, {}).setdefault(_current(session), set()).add(work)


def wake(session: Session, game: Game, now: datetime) -> None:
    """Make a running game due at once; what it is due for is seen by its version."""
    game.wake_at = now
    game.version += 1
    made_due(session, Work.GAMES)


def due(session: Session) -> frozenset[Work]:
    """Return what the transaction at hand has made due so far."""
    return frozenset[Work]().union(*session.info.get(_DUE, {}).values())


def _current(session: Session) -> SessionTransaction:
    return session.get_nested_transaction() or session.get_transaction() or session.begin()


def on_commit(sessions: type[Session], enqueue: Callable[[frozenset[Work]], None]) -> None:
    """Have `enqueue` called with what each transaction of these sessions made due, right after its commit."""

    @event.listens_for(sessions, "after_commit")
    def _committed(session: Session) -> None:
        ended = _current(session)
        work = session.info.get(_DUE, {}).pop(ended, None)
        if not work:
            return
        if ended.parent is None:
            enqueue(frozenset(work))
        else:  # a savepoint: nobody else sees its rows yet
            session.info[_DUE].setdefault(ended.parent, set()).update(work)


@event.listens_for(Session, "after_transaction_end")
def _forget(session: Session, transaction: SessionTransaction) -> None:
    """What was rolled back is not due."""
    if _DUE in session.info:
        session.info[_DUE].pop(transaction, None)
