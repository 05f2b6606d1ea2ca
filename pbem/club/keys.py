"""Keys for programs: each speaks for one seat or for one club, is shown once, and can be revoked at once."""

from __future__ import annotations

import secrets
from datetime import datetime, timedelta
from hashlib import sha256
from typing import TYPE_CHECKING

import msgspec
from sqlalchemy import select

from pbem.club.members import require_organiser
from pbem.engine.types import N_, Said
from pbem.errors import NotAllowed, NotSeated, WrongInput
from pbem.store.tables import ApiToken, Seat
from pbem.words import clean

if TYPE_CHECKING:
    from sqlalchemy.orm import Session

MOST = 20
"""Keys one person can have."""
_SEEN_EVERY = timedelta(hours=1)
"""How exactly the last use of a key is known: a note at every call would make each a writer."""


class Key(msgspec.Struct, frozen=True):
    """What a key speaks for: exactly one of seat and club."""

    id: int
    player_id: int
    name: str
    seat_id: int | None
    club_id: int | None
    created_at: datetime
    used_at: datetime | None


def issue_for_seat(session: Session, now: datetime, player_id: int, seat_id: int, name: str) -> str:
    """A new key for a seat of one's own; the text is given only now. Raises NotAllowed or WrongInput."""
    seat = session.get(Seat, seat_id)
    if seat is None or seat.player_id != player_id:
        raise NotAllowed(Said(N_("A key can be made only for a seat of your own.")))
    return _issue(session, ApiToken(player_id=player_id, seat_id=seat_id, name=_named(name), created_at=now))


def issue_for_club(session: Session, now: datetime, player_id: int, club_id: int, name: str) -> str:
    """A new key for a club one organises; the text is given only now. Raises NotAllowed or WrongInput."""
    require_organiser(session, club_id, player_id)
    return _issue(session, ApiToken(player_id=player_id, club_id=club_id, name=_named(name), created_at=now))


def _named(name: str) -> str:
    kept = clean(name, 60)
    if not kept:
        raise WrongInput(Said(N_("The key needs a name, so that you can tell which program uses it.")))
    return kept


def _issue(session: Session, token: ApiToken) -> str:
    text = f"pbem_{secrets.token_urlsafe(32)}"
    if len(keys_of(session, token.player_id)) >= MOST:
        raise WrongInput(Said(N_("You have {limit} keys already: revoke one first."), {"limit": MOST}))
    token.digest = _digest(text)
    session.add(token)
    session.flush()
    return text


def _digest(text: str) -> str:
    return sha256(text.encode()).hexdigest()


def keys_of(session: Session, player_id: int) -> tuple[Key, ...]:
    """A person's keys, without their texts."""
    rows = session.execute(
        select(ApiToken).where(ApiToken.player_id == player_id, ApiToken.revoked_at.is_(None)).order_by(ApiToken.id)
    ).scalars()
    return tuple(_key(row) for row in rows)


def _key(row: ApiToken) -> Key:
    return Key(row.id, row.player_id, row.name, row.seat_id, row.club_id, row.created_at, row.used_at)


def open_key(session: Session, text: str) -> Key:
    """What a key's text speaks for. Raises NotSeated, the same for unknown, revoked and no longer valid ones.

    A seat's key dies when somebody else takes the seat; a club's when its owner is no organiser any more.
    """
    found = session.execute(
        select(ApiToken, Seat.player_id)
        .outerjoin(Seat, Seat.id == ApiToken.seat_id)
        .where(ApiToken.digest == _digest(text), ApiToken.revoked_at.is_(None))
    ).one_or_none()
    if found is None:
        raise _unknown()
    row, holder = found
    if row.seat_id is not None and holder != row.player_id:
        raise _unknown()
    if row.club_id is not None:
        try:
            require_organiser(session, row.club_id, row.player_id)
        except NotAllowed:
            raise _unknown() from None
    return _key(row)


def _unknown() -> NotSeated:
    return NotSeated(Said(N_("This key opens nothing. Make a new one on your settings page.")))


def used(session: Session, now: datetime, key: Key) -> None:
    """Note that a key was used, at most once an hour."""
    if key.used_at is None or now - key.used_at > _SEEN_EVERY:
        session.get_one(ApiToken, key.id).used_at = now


def revoke(session: Session, now: datetime, player_id: int, key_id: int) -> None:
    """Make one of one's keys worthless at once. Raises NotAllowed for other people's."""
    row = session.get(ApiToken, key_id)
    if row is None or row.player_id != player_id:
        raise NotAllowed(Said(N_("That is no key of yours.")))
    row.revoked_at = row.revoked_at or now
