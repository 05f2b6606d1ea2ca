"""A new mail address: it counts once it has said yes, and the old one too while mail still gets there."""

from __future__ import annotations

from datetime import timedelta
from hashlib import sha256
from typing import TYPE_CHECKING

import msgspec
from sqlalchemy import select

from pbem.clubs.members.founding import read_address
from pbem.engine.core.types import N_, Message
from pbem.errors import NotSeated, WrongInput
from pbem.letter_queue import LetterQueue
from pbem.play.deadlines import delivery_clock
from pbem.play.views.game_context import UNREACHABLE
from pbem.store.models import Code, Letter, Player

if TYPE_CHECKING:
    from datetime import datetime

    from sqlalchemy.orm import Session

GOOD_FOR = timedelta(days=3)
_NEW, _OLD = "address-new", "address-old"


class Move(msgspec.Struct, frozen=True):
    """One of the two questions, for its page."""

    name: str
    address: str
    """The new one."""
    said_yes: bool
    done: bool
    """Whether the address has changed already."""


def ask(session: Session, now: datetime, player_id: int, text: str) -> None:
    """Write to the new address, and to the old one if mail gets there. Raises WrongInput.

    An address that another person has looks the same from outside: its owner is asked, and changing then fails.
    """
    address = read_address(text)
    player = session.get_one(Player, player_id)
    if address == player.address:
        raise WrongInput(Message(N_("That is your address already.")))
    _ask(session, now, player, _NEW, address)
    if player.address_state not in UNREACHABLE:
        _ask(session, now, player, _OLD, address)


def _ask(session: Session, now: datetime, player: Player, side: str, address: str) -> None:
    row = Code(player_id=player.id, purpose=side, digest=_digest(address), expires_at=now + GOOD_FOR)
    session.add(row)
    session.flush()
    post = LetterQueue(now)
    to = {"address": address} if side == _NEW else {}
    post.person("address_change", player, f"address:{row.id}", new=address, code_id=row.id, **to)
    post.send(session)


def _digest(address: str) -> str:
    return sha256(address.encode()).hexdigest()


def _question(session: Session, now: datetime, code_id: int) -> tuple[Code, Player, str]:
    """The question, whom it is about, and the new address. Raises NotSeated for unknown and old ones alike."""
    row = session.get(Code, code_id)
    letter = session.execute(select(Letter).where(Letter.cause == f"address:{code_id}")).scalar_one_or_none()
    if row is None or letter is None or row.purpose not in {_NEW, _OLD} or row.expires_at <= now:
        raise NotSeated(Message(N_("This link opens nothing. Ask for a fresh one.")))
    return row, session.get_one(Player, row.player_id), str(letter.data["new"])


def look(session: Session, now: datetime, code_id: int) -> Move:
    """The question as its page shows it. Raises NotSeated."""
    row, player, address = _question(session, now, code_id)
    return Move(player.name, address, row.used_at is not None, player.address == address)


def confirm(session: Session, now: datetime, code_id: int) -> Move:
    """Say yes for one address; the second yes changes it. Raises NotSeated, or WrongInput if it is taken meanwhile."""
    row, player, address = _question(session, now, code_id)
    row.used_at = row.used_at or now
    session.flush()
    others = session.execute(
        select(Code).where(
            Code.player_id == player.id,
            Code.digest == row.digest,
            Code.purpose.in_((_NEW, _OLD)),
            Code.expires_at > now,
            Code.used_at.is_(None),
        )
    ).first()
    if others is None and player.address != address:
        _change(session, now, player, address)
    return look(session, now, code_id)


def _change(session: Session, now: datetime, player: Player, address: str) -> None:
    if session.execute(select(Player.id).where(Player.address == address)).first():
        raise WrongInput(Message(N_("This address can't be used here. Choose another one.")))
    player.address = address
    player.accepted_at = player.accepted_at or now
    session.flush()
    delivery_clock.reachable(session, now, player.id)
