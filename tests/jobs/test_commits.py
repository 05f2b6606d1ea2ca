"""Every sweep commits each of its steps by itself, and enqueues nothing while a transaction is open.

The steps are stand-ins that write a row; whether it is committed is asked on another connection, before the next step
begins and when the task has ended.
"""

from __future__ import annotations

import itertools
import re
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec
import pytest
from sqlalchemy.exc import OperationalError

from pbem import clock
from pbem.errors import NotAllowed
from pbem.extensions import db, settings
from pbem.jobs import queue, tasks
from pbem.mail import imap
from pbem.play.turns import stuck
from pbem.store import outages
from pbem.store.models import Pulse
from tests.enqueued import read

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from flask import Flask

REFUSED = NotAllowed("no")


class Step(NamedTuple):
    """A function that a task calls with its session."""

    name: str
    gives: tuple[object, ...] = (None,)
    """What its calls return, one after the other; an error is raised."""
    writes: bool = True
    follows: bool = False
    """Whether it belongs to the transaction of the step before it."""


LATE = SimpleNamespace(id=1, tries=1, wake_at=clock.now())
ON_TIME = SimpleNamespace(id=2, tries=0, wake_at=clock.now())
STEPS = {
    "sweep_games": (
        Step("reminders.give_time_back"),
        Step("stuck.set_aside_unknown"),
        Step("common.games_due", ((LATE, ON_TIME),), writes=False),
    ),
    "sweep_outbox": (
        Step("outbox.give_up"),
        Step("common.letters_due", (True,), writes=False, follows=True),
    ),
    "remind": (Step("reminders.remind"),),
    "read_mail": (
        Step("working.work_through"),
        Step("working.is_waiting", (True,), writes=False, follows=True),
    ),
    "carry_seasons": (
        Step("recruitment.sweep"),
        Step("sitters.end_overdue"),
        Step("address_change.sweep"),
        Step("seasons.to_carry_on", ((1, 2, 3),), writes=False),
        Step("seasons.carry_on", (None, REFUSED, None)),
    ),
    "rate": (Step("rating_sweep.rate_finished", (True, True, False)),),
    "call_hooks": (Step("webhooks.collect"), Step("webhooks.call_one", (True, True, False))),
    "publish_gazette": (Step("gazette.publish"),),
    "prune_old": (
        Step("retention.prune", (1, 1, 0)),
        Step("snapshots.drop_next", (1, 2, None)),
    ),
}
BY_THEMSELVES = {
    "advance_games": "test_tasks.py",
    "advance_game": "test_tasks.py",
    "deliver": "tests/letters/test_delivery.py",
}
"""Tasks whose commits are seen by what becomes of games and letters."""
OTHERS = {
    "stuck.begin_again": "of advance_game",
    "stuck.was_not_its_fault": "of advance_game",
    "common.letters_abandoned": "asked if no letter is due",
    "receive.receive": "of a hosted mailbox: tests/mail/test_limits.py",
    "carrier.deliver_one": "of deliver",
    "carrier.release": "of deliver",
}
"""What else is called with a session."""
ENQUEUES = {"sweep_games": 2, "sweep_outbox": 1, "read_mail": 1}


class Marks:
    """Rows that stand for what steps did."""

    def __init__(self) -> None:
        """Begin without any."""
        self._left: set[str] = set()
        self._undone: set[str] = set()
        self._numbers = itertools.count()
        self.enqueued = 0

    def step(self, step: Step, results: Iterable[Any], session: Any, *_: object) -> Any:
        """Stand in for a step: what was done before it must be seen by others."""
        if not step.follows:
            self.require_committed(step.name)
        session.connection()  # the least that a step does is to begin a transaction
        result = next(iter(results))
        if step.writes:
            mark = f"{step.name} {next(self._numbers)}"
            session.add(Pulse(name=mark, at=clock.now()))
            session.flush()
            (self._undone if isinstance(result, Exception) else self._left).add(mark)
        if isinstance(result, Exception):
            raise result
        return result

    def enqueue(self, *_: object, **__: object) -> None:
        """Stand in for whatever enqueues."""
        self.enqueued += 1
        assert not db.session().in_transaction()

    def require_committed(self, before: str) -> None:
        """Assert that another connection sees all marks but those whose step was refused."""
        seen = {name for (name,) in read("SELECT name FROM pulses")[0]}

        assert not self._left - seen, f"not committed before {before}"
        assert not self._undone & seen


def test_every_task_and_every_step_is_walked(app: Flask) -> None:
    """A new one needs its place here."""
    names = {name.rpartition(".")[2] for name in app.extensions["celery"].tasks if name.startswith(tasks.__name__)}
    text = Path(tasks.__file__).read_text(encoding="utf-8")
    called = set(re.findall(r"\b([a-z_]+\.[a-z_]+)\((?:session|db\.session\(\)|\*current\(\))", text))

    assert names == {*STEPS, *BY_THEMSELVES}
    assert called == {step.name for steps in STEPS.values() for step in steps} | set(OTHERS)


@pytest.mark.usefixtures("db")
@pytest.mark.parametrize("name", STEPS)
def test_each_step_is_committed_by_itself(app: Flask, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The next step may fail, and what waits for a lock waits for one step only."""
    marks = Marks()
    app.extensions.pop(tasks._LOOKED, None)
    given = {step.name: iter(step.gives) for step in STEPS[name]}
    for step in STEPS[name]:
        module, _, function = step.name.partition(".")
        monkeypatch.setattr(getattr(tasks, module), function, partial(marks.step, step, given[step.name]))
    monkeypatch.setattr(tasks, "enqueue", marks.enqueue)
    monkeypatch.setattr(queue, "publish", marks.enqueue)

    getattr(tasks, name).run()
    db.session.rollback()
    marks.require_committed("the end")
    assert marks.enqueued == ENQUEUES.get(name, 0)
    assert [step for step, left in given.items() if list(left)] == [], (
        "not called as often as there was something to do"
    )


@pytest.mark.usefixtures("db")
def test_a_mail_is_kept_before_its_mailbox_may_forget_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """Once told that it is kept, the mailbox deletes it."""

    def fetch(_url: str, _addresses: object, keep: Callable[[str, str, bytes], bool]) -> None:
        assert keep("anna@nile.example", "s.none@club.example", b"Subject: hello\r\n\r\npass\r\n")
        assert read("SELECT state FROM inbound_mails") == [[("new",)]]

    monkeypatch.setattr(imap, "fetch", fetch)
    monkeypatch.setattr(tasks, "settings", lambda: msgspec.structs.replace(settings(), imap_url="imap://mail.example"))
    tasks.read_mail.run()
    ((state,),) = read("SELECT state FROM inbound_mails")[0]
    assert state != "new"


@pytest.mark.usefixtures("db")
def test_a_try_that_a_full_disk_spoiled_is_not_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    """Taking it back is committed though the task fails."""
    marks, full = Marks(), OperationalError("INSERT", {}, Exception("disk full"))
    given = {step: iter(step.gives) for step in (Step("stuck.begin_again", (True,)), Step("stuck.was_not_its_fault"))}
    for step, gives in given.items():
        module, _, function = step.name.partition(".")
        monkeypatch.setattr(getattr(tasks, module), function, partial(marks.step, step, gives))
    monkeypatch.setattr(tasks, "advance", partial(marks.step, Step("advance"), iter((full,))))
    monkeypatch.setattr(outages, "is_full", lambda *_: True)

    with pytest.raises(OperationalError):
        tasks.advance_game.run(1, again=True)
    db.session.rollback()
    marks.require_committed("the end")
    assert [step.name for step, left in given.items() if list(left)] == []


@pytest.mark.usefixtures("db")
@pytest.mark.parametrize("again", [False, True])
@pytest.mark.parametrize("full", [False, True])
def test_only_a_counted_try_that_a_full_disk_spoiled_is_taken_back(
    monkeypatch: pytest.MonkeyPatch, *, again: bool, full: bool
) -> None:
    """What fails otherwise stays counted, and what was never counted isn't taken back from those before."""
    undone: list[int] = []

    def fail(*_: object) -> None:
        raise OperationalError("INSERT", {}, Exception("no"))

    monkeypatch.setattr(tasks, "advance", fail)
    monkeypatch.setattr(stuck, "begin_again", lambda *_: True)
    monkeypatch.setattr(stuck, "was_not_its_fault", lambda _, game_id: undone.append(game_id))
    monkeypatch.setattr(outages, "is_full", lambda *_: full)
    with pytest.raises(OperationalError):
        tasks.advance_game.run(7, again=again)

    assert undone == [7] * (again and full)
