"""Keys for programs: each speaks for one seat, one club or one person, is shown once, and can be revoked at once."""

from __future__ import annotations

import secrets
from datetime import datetime, timedelta
from hashlib import sha256
from typing import cast

from sqlalchemy import Table, bindparam, select, update
from sqlalchemy.orm import Session

from pbem import budgets
from pbem.capabilities import notices
from pbem.capabilities.acts import require_proof
from pbem.capabilities.links import is_shut
from pbem.capabilities.roles import require_organiser
from pbem.engine.core.message import sentence
from pbem.errors import NotAllowed, NotSeated, WrongInput, fitting
from pbem.messages import LONGEST_NAME, clean
from pbem.store.models import Capability, Game, Player, Seat
from pbem.store.statements import Statement
from pbem.structs import Value

KEY = "key"
LIFE = timedelta(days=400)
"""How long a key works after it was made."""
MOST = 20
"""Keys one person can have."""
TWICE = timedelta(minutes=1)
"""A key made so soon after one that is called alike and was never used is the second of two clicks."""
_SEEN_EVERY = timedelta(hours=1)
"""How exactly the last use of a key is known: a note at every call would make each a writer."""


class Key(Value):
    """What a key speaks for: a seat, a club, or (with neither) everything of its owner's."""

    id: int
    player_id: int
    epoch: int
    """Its owner's."""
    name: str
    seat_id: int | None
    club_id: int | None
    created_at: datetime
    expires_at: datetime
    used_at: datetime | None

    @property
    def is_own(self) -> bool:
        """Whether it speaks for everything of its owner's."""
        return self.seat_id is None and self.club_id is None


def issue_for_seat(session: Session, now: datetime, player_id: int, seat_id: int, name: str) -> str:
    """Return a new key for a seat of one's own; the text is given only now. Raises NotAllowed or WrongInput."""
    seat = session.get(Seat, seat_id)
    if seat is None or seat.player_id != player_id:
        raise NotAllowed("A key can be made only for a seat of your own.")
    return _issue(session, now, player_id, name, seat_id=seat_id)


def issue_for_club(session: Session, now: datetime, player_id: int, club_id: int, name: str) -> str:
    """Return a new key for a club one organises; the text is given only now. Raises NotAllowed or WrongInput."""
    require_organiser(session, club_id, player_id)
    return _issue(session, now, player_id, name, club_id=club_id)


def issue_for_person(session: Session, now: datetime, player_id: int, name: str) -> str:
    """Return a new key for all that is one's own; the text is given only now. Raises WrongInput."""
    return _issue(session, now, player_id, name)


def _named(name: str) -> str:
    kept = clean(fitting(name, LONGEST_NAME))
    if not kept:
        raise WrongInput("The key needs a name, so that you can tell which program uses it.")
    return kept


def _issue(session: Session, now: datetime, player_id: int, name: str, **scope: int) -> str:
    """Make the key, and tell its owner by letter; one that the same form made before ends, as nobody saw its text."""
    require_proof(session, "key", player_id)
    text = f"pbem_{secrets.token_urlsafe(32)}"
    budgets.lock(session, f"keys:{player_id}")
    held = keys_of(session, now, player_id)
    if len(held) >= MOST:
        raise WrongInput("You have {limit} keys already: revoke one first.", limit=MOST)
    called = _named(name)
    for one in held:
        is_same = (one.name, one.seat_id, one.club_id) == (called, scope.get("seat_id"), scope.get("club_id"))
        if is_same and one.used_at is None and now - one.created_at < TWICE:
            revoke(session, now, player_id, one.id)
    player = session.get_one(Player, player_id)
    row = Capability(
        purpose=KEY,
        player_id=player_id,
        epoch=player.epoch,
        name=called,
        digest=_digest(text),
        created_at=now,
        expires_at=now + LIFE,
        **scope,
    )
    session.add(row)
    session.flush()
    said = sentence(
        "A key for the program {program} was made. It can act for you until you revoke it.", program=row.name
    )
    notices.tell(session, now, player, f"key:{row.id}", said)
    return text


def _digest(text: str) -> str:
    return sha256(text.encode()).hexdigest()


def keys_of(session: Session, now: datetime, player_id: int) -> tuple[Key, ...]:
    """Return a person's keys, without their texts."""
    rows = session.execute(
        select(*(_KEYS.c[name] for name in Key.__struct_fields__))
        .join(_PLAYERS, _PLAYERS.c.id == _KEYS.c.player_id)
        .where(_KEYS.c.player_id == player_id, *_LIVE)
        .order_by(_KEYS.c.id),
        {"now": now},
    )
    return tuple(Key(*row) for row in rows)


_KEYS, _SEATS, _PLAYERS, _GAMES = (cast("Table", table.__table__) for table in (Capability, Seat, Player, Game))
_LIVE = (
    _KEYS.c.purpose == KEY,
    Capability.is_live(bindparam("now")),
    _PLAYERS.c.address.is_not(None),
)
"""A key ends when it is revoked, with its time, and with all else of its owner's."""
_OPENED = Statement(
    select(*(_KEYS.c[name] for name in Key.__struct_fields__), _SEATS.c.player_id, _GAMES.c.finished_at)
    .join_from(_KEYS, _PLAYERS, _PLAYERS.c.id == _KEYS.c.player_id)
    .outerjoin(_SEATS, _SEATS.c.id == _KEYS.c.seat_id)
    .outerjoin(_GAMES, _GAMES.c.id == _SEATS.c.game_id)
    .where(_KEYS.c.digest == bindparam("digest"), *_LIVE)
)
"""A key with the player who holds its seat at present, and its game's end: every call of a program begins with it."""


def open_key(session: Session, now: datetime, text: str) -> Key:
    """Return what a key's text speaks for. Raises NotSeated, the same for unknown, revoked and no longer valid ones.

    A seat's key dies when somebody else takes the seat, and with the links of a game that is over; a club's when its
    owner is no organiser any more.
    """
    found = _OPENED.rows(session, {"digest": _digest(text), "now": now}, alone=True)
    if not found:
        raise _unknown()
    *columns, holder, finished_at = found[0]
    key = Key(*columns)
    if key.seat_id is not None and (holder != key.player_id or is_shut(now, finished_at)):
        raise _unknown()
    if key.club_id is not None:
        try:
            require_organiser(session, key.club_id, key.player_id)
        except NotAllowed:
            raise _unknown() from None
    return key


def _unknown() -> NotSeated:
    return NotSeated("This key opens nothing. Make a new one on your settings page.")


def used(session: Session, now: datetime, key: Key) -> None:
    """Note that a key was used, at most once an hour."""
    if key.used_at is None or now - key.used_at > _SEEN_EVERY:
        session.execute(update(Capability).where(Capability.id == key.id).values(used_at=now))


def revoke(session: Session, now: datetime, player_id: int, key_id: int, club_id: int | None = None) -> None:
    """Make one of one's keys worthless at once. Raises NotAllowed for other people's, and for one of no such club."""
    row = session.get(Capability, key_id)
    if (
        row is None
        or row.purpose != KEY
        or row.player_id != player_id
        or (club_id is not None and row.club_id != club_id)
    ):
        raise NotAllowed("That is no key of yours.")
    row.revoked_at = row.revoked_at or now
