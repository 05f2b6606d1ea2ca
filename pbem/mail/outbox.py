"""The outbox's two verbs: claim what is due, settle what became of it. Every step is one conditional update.

A sender that dies between the server's 250 and `settle` leaves its letters claimed; they are claimed again when the
claim is stale and go out with the same Message-ID. More than that SMTP can't promise (RFC 1047).
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any, Literal

from sqlalchemy import ColumnElement, and_, insert, or_, select, update
from sqlalchemy.orm import Session

from pbem.store.models import Delivery, Lane, Letter, Player
from pbem.structs import Value

STALE = timedelta(seconds=100)
"""After so long a claim is taken from its sender: longer than a slow relay's answers take, so short that what a sender
dropped is sent within two minutes."""
FIRST_WAIT = timedelta(minutes=1)
LONGEST_WAIT = timedelta(hours=6)
TRIES = 24
"""Tries before a letter is given up: about five days."""

_SECRET = frozenset({"login_code"})
"""Kinds whose facts are not kept for another try either."""
_ANSWERED = frozenset({"lesson"})
"""Kinds whose facts are kept after they left: the answer goes on from them."""
Outcome = Literal["sent", "dropped", "failed"]


class Claim(Value):
    """One letter in the hands of one sender."""

    letter: Any
    number: int
    sender: str
    attempts: int
    """How often it was tried, this try among them."""
    at: datetime

    def is_fresh(self, now: datetime) -> bool:
        """Return whether the letter may still be sent on this claim: nobody else can have taken it meanwhile."""
        return now - self.at < STALE / 2


def claim(session: Session, now: datetime, limit: int, sender: str) -> list[Claim]:
    """Take up to `limit` letters that are due, lane by lane, for one `sender`. The caller commits."""
    numbers = _due(session, now, limit)
    if not numbers:
        return []
    taken = session.execute(
        update(Letter)
        .where(Letter.id.in_(numbers), or_(*(and_(*rows) for rows in _waiting(now))))
        .values(state="claimed", claim=sender, claimed_at=now, attempts=Letter.attempts + 1)
        .returning(Letter)
        .execution_options(synchronize_session=False, populate_existing=True)
    )
    letters = {letter.id: letter for letter in taken.scalars()}
    return [Claim(letters[n], n, sender, letters[n].attempts, now) for n in numbers if n in letters]


def _waiting(now: datetime) -> tuple[tuple[ColumnElement[bool], ...], ...]:
    """Which letters wait for a sender, lane by lane, and those whose sender died; each walks an index."""
    due = (Letter.state == "pending", Letter.next_try_at <= now, Letter.attempts < TRIES)
    stale = (Letter.state == "claimed", Letter.claimed_at <= now - STALE, Letter.attempts < TRIES)
    return *((*due, Letter.lane == lane) for lane in Lane), stale


def _due(session: Session, now: datetime, limit: int) -> list[int]:
    """Return the numbers of up to `limit` letters that wait, in the order in which they leave."""
    numbers: list[int] = []
    for rows, column in zip(_waiting(now), _ORDERS, strict=True):
        if len(numbers) < limit:
            query = select(Letter.id).where(*rows).order_by(column).limit(limit - len(numbers))
            numbers += session.scalars(query.with_for_update(skip_locked=True))
    return numbers


_ORDERS = (*(Letter.next_try_at for _ in Lane), Letter.claimed_at)


def settle(session: Session, now: datetime, claimed: Claim, outcome: Outcome, detail: str = "") -> bool:
    """Write down what became of a claimed letter; False if somebody else has claimed it meanwhile.

    Its facts, among them names and words of others, are kept for no longer than somebody needs them.
    """
    values: dict[str, object] = {"state": outcome, "last_error": detail}
    if outcome == "sent":
        values["sent_at"] = now
    kind = session.get_one(Letter, claimed.number).kind  # the claim may be of a job before this one
    if kind in _SECRET or (outcome != "failed" and kind not in _ANSWERED):
        values["data"] = {}
    if not _update_claimed(session, claimed, values):
        return False
    if outcome != "dropped":
        note(session, now, claimed.number, "accepted" if outcome == "sent" else "bounced", detail)
    return True


def put_back(session: Session, now: datetime, claimed: Claim, reason: str) -> bool:
    """Try a letter again later, twice as late each time; given up after `TRIES`."""
    if claimed.attempts >= TRIES:
        return settle(session, now, claimed, "failed", reason)
    wait = min(FIRST_WAIT * 2 ** (claimed.attempts - 1), LONGEST_WAIT)
    if not _update_claimed(session, claimed, {"state": "pending", "last_error": reason, "next_try_at": now + wait}):
        return False
    note(session, now, claimed.number, "deferred", reason)
    return True


def postpone(session: Session, claimed: Claim, until: datetime) -> bool:
    """Give a letter back that was not tried at all: its domain has had enough for now."""
    values = {"state": "pending", "next_try_at": until, "attempts": claimed.attempts - 1}
    return _update_claimed(session, claimed, values)


def give_up(session: Session, now: datetime) -> int:
    """Give up letters whose senders died over them again and again; how many."""
    worn = session.execute(
        update(Letter)
        .where(Letter.state == "claimed", Letter.claimed_at <= now - STALE, Letter.attempts >= TRIES)
        .values(state="failed", claim="", claimed_at=None, last_error="could not be written")
        .returning(Letter.id)
        .execution_options(synchronize_session=False)
    )
    numbers = worn.scalars().all()
    for number in numbers:
        note(session, now, number, "bounced", "could not be written")
    return len(numbers)


def mark_address(session: Session, player_id: int, state: str) -> None:
    """Remember that letters to a person don't arrive (soft, bounced, complained), or that they do again (good)."""
    worse = {"soft": ("good", "new"), "good": ("soft",)}
    query = update(Player).where(Player.id == player_id, Player.address_state != "erased")
    if state in worse:
        query = query.where(Player.address_state.in_(worse[state]))
    session.execute(query.values(address_state=state).execution_options(synchronize_session="fetch"))


def _update_claimed(session: Session, claimed: Claim, values: Mapping[str, object]) -> bool:
    """Let go of a letter, with these values; False if somebody else has claimed it meanwhile."""
    changed = session.execute(
        update(Letter)
        .where(Letter.id == claimed.number, Letter.state == "claimed", Letter.claim == claimed.sender)
        .values(claim="", claimed_at=None, **values)
        .returning(Letter.id)
        .execution_options(synchronize_session=False)
    )
    return changed.one_or_none() is not None


def note(session: Session, now: datetime, letter_id: int, state: str, detail: str = "") -> None:
    """Add to a letter's history: accepted, deferred, bounced, complained, opened."""
    session.execute(insert(Delivery).values(letter_id=letter_id, state=state, detail=detail[:500], at=now))
