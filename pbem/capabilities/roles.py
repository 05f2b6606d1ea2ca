"""What somebody's place in a club lets them do."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import select

from pbem.engine.core.types import N_, Message
from pbem.errors import NotAllowed
from pbem.store.models import Member

if TYPE_CHECKING:
    from sqlalchemy.orm import Session


def require_organiser(session: Session, club_id: int, player_id: int) -> None:
    """Raise NotAllowed unless the person is an organiser of the club."""
    role = session.execute(
        select(Member.role).where(Member.club_id == club_id, Member.player_id == player_id, Member.left_at.is_(None))
    ).scalar_one_or_none()
    if role != "organiser":
        raise NotAllowed(Message(N_("Only an organiser of the club may do that. Ask one of them.")))


def is_member(session: Session, club_id: int, player_id: int) -> bool:
    """Return whether a person is in a club at present."""
    found = select(Member.id).where(Member.club_id == club_id, Member.player_id == player_id, Member.left_at.is_(None))
    return session.execute(found).first() is not None
