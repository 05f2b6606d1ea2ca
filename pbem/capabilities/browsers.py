"""Browsers somebody acted from: listed for their owner, ended one by one, and known for an hour after a mailed code.

A browser that has only looked is in no list, for looking changes nothing; renewing all links ends it all the same.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from datetime import datetime, timedelta
from hashlib import sha256

from sqlalchemy import ColumnElement, select, update
from sqlalchemy.orm import Session

from pbem.capabilities import codes
from pbem.errors import not_listed
from pbem.store.models import Capability, Player
from pbem.store.queries import common
from pbem.store.queries.requests import BROWSERS, ENDED_BROWSER
from pbem.store.statements import Statement

BROWSER = "browser"
LIFE = timedelta(days=90)
"""How long after a link was opened its browser is let in."""
REMEMBERED = timedelta(hours=1)
"""How long a mailed code need not be asked for again."""
_SEEN_EVERY = timedelta(hours=1)


def _digest(mark: str, player_id: int) -> str:
    return sha256(f"{mark}:{player_id}".encode()).hexdigest()


def _row(session: Session, mark: str, player_id: int) -> Capability | None:
    return session.scalar(select(Capability).where(Capability.digest == _digest(mark, player_id)))


_ENDED = Statement(select(BROWSERS.c.digest).where(ENDED_BROWSER))


def digests(mark: str, players: Iterable[int]) -> dict[str, int]:
    """Return what is known of the browser with this mark for each of `players`: its digest, and whose it is."""
    return {_digest(mark, player_id): player_id for player_id in players}


def ended(session: Session, known: Collection[str]) -> list[str]:
    """Return those of these digests for whose persons the browser was ended."""
    return [digest for (digest,) in _ENDED.rows(session, {"digests": list(known)})]


def acted(session: Session, now: datetime, mark: str, player_id: int, name: str) -> Capability:
    """Note that a person acted from a browser called `name`, once an hour at most."""
    row = _row(session, mark, player_id)
    epoch = session.get_one(Player, player_id).epoch
    if row is None:
        row = Capability(purpose=BROWSER, player_id=player_id, digest=_digest(mark, player_id), created_at=now)
        session.add(row)
    if row.used_at is None or now - row.used_at > _SEEN_EVERY or row.epoch != epoch:
        if row.epoch != epoch:
            row.proved_until = None
        row.name, row.epoch, row.used_at, row.expires_at = name[:200], epoch, now, now + LIFE
    session.flush()
    return row


def listed(session: Session, now: datetime, player_id: int) -> Sequence[Capability]:
    """Return the browsers a person acted from and which are still let in, the last used first."""
    return session.scalars(
        select(Capability)
        .join(Player)
        .where(
            Capability.purpose == BROWSER,
            Capability.player_id == player_id,
            Capability.is_live(now),
        )
        .order_by(Capability.used_at.desc(), Capability.id.desc())
    ).all()


def end(session: Session, now: datetime, player_id: int, browser_id: int) -> None:
    """Let one of a person's browsers in no more. Raises WrongInput for none of theirs."""
    own = (Capability.id == browser_id, Capability.player_id == player_id, Capability.purpose == BROWSER)
    if not common.is_any(session, *own):
        raise not_listed(browser_id)
    _end(session, now, *own)


def _end(session: Session, now: datetime, *which: ColumnElement[bool]) -> None:
    ended = update(Capability).where(*which, Capability.revoked_at.is_(None))
    session.execute(ended.values(revoked_at=now, proved_until=None))


def log_out(session: Session, now: datetime, mark: str, player_id: int, name: str) -> None:
    """End the browser itself, so that no copy of its cookie opens anything."""
    acted(session, now, mark, player_id, name)
    _end(session, now, Capability.digest == _digest(mark, player_id))


def is_proved(session: Session, now: datetime, mark: str, player_id: int) -> bool:
    """Return whether a mailed code was given from this browser within the hour."""
    row = _row(session, mark, player_id)
    return (
        row is not None
        and row.revoked_at is None
        and row.epoch == session.get_one(Player, player_id).epoch
        and row.proved_until is not None
        and row.proved_until > now
    )


def purpose(mark: str) -> str:
    """Return what a code is good for that was asked for from this browser: proving itself, and no other one."""
    return f"prove:{sha256(mark.encode()).hexdigest()[:32]}"


def prove(session: Session, now: datetime, mark: str, player_id: int, code: str, name: str) -> None:  # noqa: PLR0913, PLR0917 - who, from where, with what
    """Remember for an hour that the browser's user reads the person's mail. Raises NotAllowed for a wrong code.

    Commit also after a refusal, so that guesses count.
    """
    codes.use(session, now, player_id, purpose(mark), code)
    acted(session, now, mark, player_id, name).proved_until = now + REMEMBERED
