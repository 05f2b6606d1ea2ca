"""Webhooks of a club: what they are told, how often, and when they are given up."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

import msgspec
import pytest
from sqlalchemy import select

from pbem.budgets import Budget
from pbem.clubs.integrations import webhooks
from pbem.clubs.integrations.webhook_client import HookFailed
from pbem.errors import NotAllowed, WrongInput
from pbem.store.models import HookCall, Member
from tests.factories import ClubFactory, GameFactory, hours

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from sqlalchemy.orm import Session

    from tests.clubs.conftest import Circle

URL = "https://example.org/hook"


class Receiver:
    """Keeps what it is sent, or refuses it."""

    def __init__(self, refusal: HookFailed | None = None) -> None:
        """Take everything, or fail with `refusal`."""
        self.refusal = refusal
        self.bodies: list[bytes] = []

    def __call__(self, url: str, body: bytes, secret: str) -> None:
        """Be called."""
        assert (url, len(secret)) == (URL, 32)
        self.bodies.append(body)
        if self.refusal is not None:
            raise self.refusal


def work(session: Session, now: datetime, receiver: Receiver) -> int:
    """Make every call that is due; how many."""
    webhooks.collect(session, now)
    count = 0
    while webhooks.call_one(session, now, receiver):
        count += 1
    return count


def test_a_thing_is_told_once(session: Session, now: datetime, circle: Circle) -> None:
    """A game that began is told once, however often the sweep runs; games from before the hook never."""
    GameFactory.create(people=circle.others[:2], bots=(), club_id=circle.club.id, title="Before")
    webhooks.add(session, now + timedelta(hours=1), circle.club.id, circle.alice.id, "raw", URL)
    GameFactory.create(
        people=circle.others[:2], bots=(), club_id=circle.club.id, title="After", now=now + timedelta(hours=2)
    )
    receiver = Receiver()

    GameFactory.create(people=circle.others[:2], bots=(), title="Elsewhere", now=now + timedelta(hours=2))

    counts = [work(session, now + timedelta(hours=hours), receiver) for hours in (2, 3)]

    assert counts == [1, 0]
    assert msgspec.json.decode(receiver.bodies[0])["title"] == "After"


@pytest.mark.parametrize(("permanent", "tries"), [(True, 1), (False, webhooks.TRIES)])
def test_a_hook_that_fails_is_tried_ever_more_slowly(
    session: Session, now: datetime, circle: Circle, *, permanent: bool, tries: int
) -> None:
    """What can't be mended is given up at once; everything else after eight tries with doubled waits."""
    webhooks.add(session, now, circle.club.id, circle.alice.id, "slack", URL)
    GameFactory.create(people=circle.others[:2], bots=(), club_id=circle.club.id, now=now + timedelta(minutes=1))
    receiver = Receiver(HookFailed("refused", permanent=permanent, status=500))
    moment = now + timedelta(minutes=1)

    for _ in range(12):
        work(session, moment, receiver)
        moment += timedelta(hours=3)

    (call,) = session.execute(select(HookCall)).scalars()
    assert (call.state, call.attempts, len(receiver.bodies)) == ("failed", tries, tries)
    assert call.fault == {"code": "refused", "status": 500}


def test_a_receiver_can_tell_a_call_that_came_before(session: Session, now: datetime, circle: Circle) -> None:
    """Tried again it is the same to the byte; what happened later has a higher number and a later time."""
    webhooks.add(session, now, circle.club.id, circle.alice.id, "raw", URL)
    receiver = Receiver(HookFailed("no-answer", permanent=False, reason="ReadTimeout"))
    for hour in (1, 2):
        at = now + timedelta(hours=hour)
        GameFactory.create(people=circle.others[:2], bots=(), club_id=circle.club.id, title=f"Game {hour}", now=at)
        work(session, at, receiver)

    first, *_, later = receiver.bodies
    told = [msgspec.json.decode(body) for body in (first, later)]
    assert receiver.bodies.count(first) == 2
    assert told[0]["id"] < told[1]["id"]
    assert told[0]["at"] < told[1]["at"]
    assert [one["title"] for one in told] == ["Game 1", "Game 2"]


def test_an_ended_hook_is_told_nothing(session: Session, now: datetime, circle: Circle) -> None:
    """Calls still waiting when a hook is ended are never made, and none is noted any more."""
    webhooks.add(session, now, circle.club.id, circle.alice.id, "discord", URL)
    GameFactory.create(people=circle.others[:2], bots=(), club_id=circle.club.id, now=now + timedelta(minutes=1))
    webhooks.collect(session, now + timedelta(minutes=1))
    (hook,) = webhooks.hooks_of(session, circle.club.id)
    webhooks.end(session, now, circle.club.id, circle.alice.id, hook.id)
    GameFactory.create(people=circle.others[:2], bots=(), club_id=circle.club.id, now=now + timedelta(minutes=2))
    receiver = Receiver()

    work(session, now + timedelta(minutes=2), receiver)

    assert receiver.bodies == []
    assert session.scalars(select(HookCall.state)).all() == ["failed"]


def test_who_may_add_what(session: Session, now: datetime, circle: Circle) -> None:
    """Organisers only, known kinds only, https only."""
    with pytest.raises(NotAllowed):
        webhooks.add(session, now, circle.club.id, circle.others[0].id, "raw", URL)
    with pytest.raises(WrongInput, match="'fax' is no kind"):
        webhooks.add(session, now, circle.club.id, circle.alice.id, "fax", URL)
    with pytest.raises(WrongInput, match="https://"):
        webhooks.add(session, now, circle.club.id, circle.alice.id, "raw", "http://example.org")


TRYING = (webhooks.try_out, webhooks.retry)
"""What an organiser presses to have a webhook called."""


@pytest.mark.parametrize("trying", TRYING)
def test_each_club_tries_its_own_webhooks_out(
    session: Session,
    now: datetime,
    circle: Circle,
    monkeypatch: pytest.MonkeyPatch,
    trying: Callable[[Session, datetime, int, int, int], None],
) -> None:
    """By all of its buttons so often, however often another club has; and none that was ended."""
    monkeypatch.setattr(webhooks, "TRIED", Budget(1, timedelta(hours=1)))
    other, by = ClubFactory.create(), circle.alice.id
    session.add(Member(club_id=other.id, player_id=by, role="organiser", joined_at=now))
    for club_id in (circle.club.id, other.id):
        webhooks.add(session, now, club_id, by, "raw", URL)
        (hook,) = webhooks.hooks_of(session, club_id)
        trying(session, now, club_id, by, hook.id)
        for act in TRYING:
            with pytest.raises(WrongInput, match="were tried 1 times"):
                act(session, now, club_id, by, hook.id)
        webhooks.end(session, now, club_id, by, hook.id)
        with pytest.raises(WrongInput, match="is not in the list, or not any more"):
            trying(session, now, club_id, by, hook.id)


def test_what_became_of_its_newest_calls_is_told(
    session: Session, now: datetime, circle: Circle, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By state, however many there were before them; of the last one when it was noted, and why it failed.

    Those given up of these are made once more: nobody's server is called for all of a month at once.
    """
    monkeypatch.setattr(webhooks, "NEWEST", 3)
    webhooks.add(session, now, circle.club.id, circle.alice.id, "raw", URL)
    (none,) = webhooks.states(session, circle.club.id)
    for number, state in enumerate(("failed", "sent", "sent", "failed", "pending")):
        call = HookCall(hook_id=none.id, cause=f"c{number}", body={}, state=state, next_try_at=now)
        call.created_at, call.fault = now + hours(number), {"code": "refused", "status": 500 + number}
        session.add(call)
    session.commit()
    (told,) = webhooks.states(session, circle.club.id)

    assert (none.taken, none.waiting, none.failed, none.fault, none.last_at) == (0, 0, 0, None, None)
    assert (told.taken, told.waiting, told.failed) == (1, 1, 1)
    assert (str(told.fault), told.last_at) == ("it answered 504", now + hours(4))
    webhooks.retry(session, now, circle.club.id, circle.alice.id, none.id)
    calls = session.scalars(select(HookCall.state).order_by(HookCall.id)).all()
    assert calls == ["failed", "sent", "sent", "pending", "pending"]
