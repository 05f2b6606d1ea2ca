"""What is thrown away, how old it is then, and what never is."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from sqlalchemy import func, select

from pbem.capabilities import api_keys, forms
from pbem.play.admin import retention
from pbem.store.models import Capability, Code, Delivery, Hook, HookCall, Inbound, Letter
from tests.factories import ClubFactory, PlayerFactory

if TYPE_CHECKING:
    from datetime import datetime

    from sqlalchemy.orm import Session

SECOND = timedelta(seconds=1)
STATES = ("sent", "dropped", "failed", "pending", "claimed")


def letter(session: Session, when: datetime, player_id: int, state: str) -> Letter:
    """A letter with a word of the mail server about it."""
    row = Letter(cause=f"{state}{when}", kind="help", player_id=player_id, data={}, message_id=f"{state}{when}")
    row.state, row.created_at, row.next_try_at = state, when, when
    session.add(row)
    session.flush()
    session.add(Delivery(letter_id=row.id, state="delivered", detail="250", at=when))
    return row


def mail(session: Session, when: datetime, state: str) -> None:
    """A mail that came in."""
    row = Inbound(message_id=f"{when}{state}", recipient="a@b.example", source="cli", raw=b"x", state=state)
    row.received_at = row.next_try_at = when
    session.add(row)


def test_what_is_settled_goes_after_ninety_days(session: Session, now: datetime) -> None:
    """To the second; what waits stays, however old. A code goes a day after its end."""
    player = PlayerFactory.create().id
    then = now - timedelta(days=90)
    for when in (then - SECOND, then):
        for state in STATES:
            letter(session, when, player, state)
        for state in ("new", "done", "ignored"):
            mail(session, when, state)
    for late in (timedelta(), SECOND):
        code = Code(player_id=player, purpose="erase", digest="0" * 64, expires_at=now - timedelta(days=1) - late)
        session.add(code)
    session.flush()

    assert retention.prune(session, now)
    session.flush()

    kept = session.execute(select(Letter.state, Letter.created_at).order_by(Letter.id)).all()
    assert [tuple(row) for row in kept] == [
        ("pending", then - SECOND),
        ("claimed", then - SECOND),
        *((state, then) for state in STATES),
    ]
    letters = session.execute(select(Letter.id).order_by(Letter.id)).scalars().all()
    assert session.execute(select(Delivery.letter_id).order_by(Delivery.letter_id)).scalars().all() == letters
    mails = session.execute(select(Inbound.state, Inbound.received_at).order_by(Inbound.id)).all()
    assert [tuple(row) for row in mails] == [
        ("new", then - SECOND),
        *((state, then) for state in ("new", "done", "ignored")),
    ]
    assert session.execute(select(Code.expires_at)).scalars().all() == [now - timedelta(days=1)]
    assert not retention.prune(session, now)


def test_what_a_webhook_was_told_goes_after_ninety_days(session: Session, now: datetime) -> None:
    """To the second, whether it was taken or given up; what is still to be told stays."""
    hook = Hook(club_id=ClubFactory.create().id, kind="raw", url="https://a.example", secret="s", created_at=now)
    session.add(hook)
    session.flush()
    then = now - timedelta(days=90)
    for when in (then - SECOND, then):
        for state in ("sent", "failed", "pending"):
            call = HookCall(hook_id=hook.id, cause=f"{state}{when}", body={}, state=state, created_at=when)
            call.next_try_at = when
            session.add(call)
    session.flush()

    assert retention.prune(session, now)
    kept = session.execute(select(HookCall.state, HookCall.created_at).order_by(HookCall.id)).all()
    assert [tuple(row) for row in kept] == [
        ("pending", then - SECOND),
        *((s, then) for s in ("sent", "failed", "pending")),
    ]
    assert not retention.prune(session, now)


def test_a_form_that_was_sent_is_known_for_a_day(session: Session, now: datetime) -> None:
    """And then forgotten; a person's keys stay, however old."""
    player = PlayerFactory.create().id
    forms.note(session, now, player, "digest", "/queue")
    api_keys.issue_for_person(session, now - 9 * api_keys.LIFE, player, "an old program")
    left = []
    for moment in (now + forms.KEPT, now + forms.KEPT + SECOND):
        retention.prune(session, moment)
        left.append((forms.led(session, "digest"), session.query(Capability).count()))

    assert left == [("/queue", 2), (None, 1)]


def test_some_of_each_go_at_a_time(session: Session, now: datetime) -> None:
    """As many rows as one batch reads, the oldest first; it says whether there may be more, of letters or of mail."""
    player = PlayerFactory.create().id
    old = now - timedelta(days=99)
    for number in range(3):
        letter(session, old + number * SECOND, player, "sent")
    for number in range(4):
        mail(session, old + number * SECOND, "done")
    session.flush()

    def left() -> tuple[bool, int, int]:
        more = retention.prune(session, now, batch=2)
        session.flush()
        counts = [session.execute(select(func.count()).select_from(table)).scalar_one() for table in (Letter, Inbound)]
        return more, counts[0], counts[1]

    assert [left() for _ in range(3)] == [(True, 1, 2), (True, 0, 0), (False, 0, 0)]
