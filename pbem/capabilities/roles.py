"""What somebody's place in a club lets them do."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import select
from sqlalchemy.orm import Session

from pbem.errors import NotAllowed
from pbem.store.models import Member
from pbem.store.queries import common


def require_organiser(session: Session, club_id: int, player_id: int) -> None:
    """Raise NotAllowed unless the person is an organiser of the club."""
    role = session.scalar(select(Member.role).where(Member.at_present(club_id=club_id, player_id=player_id)))
    if role != "organiser":
        raise NotAllowed("Only an organiser of the club may do that. Ask one of them.")


def organisers(session: Session, club_id: int) -> Sequence[int]:
    """Return the numbers of a club's organisers, who came first first."""
    found = select(Member.player_id).where(Member.at_present(club_id=club_id, role="organiser")).order_by(Member.id)
    return session.scalars(found).all()


def is_member(session: Session, club_id: int, player_id: int) -> bool:
    """Return whether a person is in a club at present."""
    return common.is_any(session, Member.at_present(club_id=club_id, player_id=player_id))
