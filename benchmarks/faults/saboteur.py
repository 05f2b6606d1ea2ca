"""The app for a process that is to be struck: the same program, with points where a fault can hit it.

    celery --app benchmarks.faults.saboteur:celery worker      gunicorn benchmarks.faults.saboteur:app
    python -m benchmarks.faults.saboteur PORT    # the mail door

A point strikes when a file with its name lies in the folder PBEM_STRIKES: its text says how (kill, stop, freeze, raise,
loop, or idle: as endless, without a processor); its name begins with the process's role: `worker-before-enqueue`.
Taking the file away is atomic, so one strike hits one process; names ending in `.` strike for ever.
"""

from __future__ import annotations

import functools
import os
import signal
import sys
import threading
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sqlalchemy import event

from pbem.app import create_app
from pbem.extensions import PagesSession, db
from pbem.inbound import receive, working
from pbem.jobs import tasks
from pbem.letters import context
from pbem.mail import outbox
from pbem.mail.smtp import Relay
from pbem.play.orders import submission
from pbem.play.turns import advance
from pbem.smtpd import listen
from pbem.store import unit_of_work
from pbem.store.models import Game
from pbem.store.queries import order_writes
from tests.servers import LOOPBACK

if TYPE_CHECKING:
    from collections.abc import Callable

    from sqlalchemy.orm import Session

STRIKES = Path(os.environ["PBEM_STRIKES"])
ROLE = os.environ["PBEM_ROLE"]
"""What this process is: the names of its points begin with it."""
_NEVER = threading.Event()


class Struck(RuntimeError):
    """What a point raises that was told to raise."""


def taken(point: str) -> str:
    """How to strike at `point`; empty if nobody asked for it. A strike that isn't for ever is used up."""
    lasting = STRIKES / f"{point}."
    if lasting.exists():
        return lasting.read_text(encoding="ascii")
    mine = STRIKES / f".{point}.{os.getpid()}"
    try:
        (STRIKES / point).rename(mine)
    except FileNotFoundError:
        return ""
    return mine.read_text(encoding="ascii")


def strike(point: str) -> None:
    """Do to this process what was asked for at `point`."""
    how = taken(f"{ROLE}-{point}")
    if how == "kill":
        os.kill(os.getpid(), signal.SIGKILL)
    elif how in {"stop", "freeze"}:
        if how == "stop":  # the database is told to be less patient with this one, so that a round takes less than 15 s
            db.session.connection().exec_driver_sql("SET idle_in_transaction_session_timeout = 1000")
        (STRIKES / f"stopped.{os.getpid()}").touch()
        # To this thread: sent to the process, any other may take it, and this one does what it was to sleep before.
        signal.pthread_kill(threading.get_ident(), signal.SIGSTOP)
    elif how == "raise":
        raise Struck(point)
    while how == "loop":
        pass
    while how == "idle":
        _NEVER.wait(0.05)


def struck(owner: Any, name: str, before: str = "", after: str = "") -> None:
    """Put points before and after every call of `owner.name`."""
    inner: Callable[..., Any] = getattr(owner, name)

    @functools.wraps(inner)
    def outer(*given: Any, **named: Any) -> Any:
        if before:
            strike(before)
        answer = inner(*given, **named)
        if after:
            strike(after)
        return answer

    setattr(owner, name, outer)


def poisoned() -> None:
    """Let the rules of games fail whose title names a point, such as `poison-kill`."""
    inner = advance.compute

    @functools.wraps(inner)
    def compute(table: Any, *given: Any) -> Any:
        title = db.session.get_one(Game, table.game.id).title
        if title.startswith("poison-"):
            strike(title)
        strike("inside-advance")
        return inner(table, *given)

    setattr(advance, "compute", compute)  # noqa: B010 - of another type, for the type checker


poisoned()
struck(tasks, "advance", before="before-advance", after="before-commit")
struck(tasks, "advance_next", before="before-advance", after="before-commit")


@event.listens_for(PagesSession, "after_commit", insert=True)
def _before_enqueue(session: Session) -> None:
    """Strike between a commit and the messages about what it made due."""
    if unit_of_work.due(session):
        strike("before-enqueue")


struck(Relay, "send", before="before-send", after="after-250")
struck(outbox, "settle", before="before-settle", after="after-settle")
struck(context, "context", before="after-claim")
struck(advance.BotTask, "ponder", before="before-ponder")
struck(order_writes, "keep", before="before-order-write")
struck(submission, "submit", before="before-submit", after="after-submit")
struck(receive, "receive", before="before-keep", after="after-keep")
struck(working, "work", before="before-work", after="after-work")
tasks.RULES_TAKE = float(os.environ.get("PBEM_RULES_TAKE", tasks.RULES_TAKE))
app = create_app(doors=ROLE == "web")  # as `worker.py` does
celery = app.extensions["celery"]

if __name__ == "__main__":
    listen(app, LOOPBACK, int(sys.argv[1]), lmtp=False)
    signal.pause()
