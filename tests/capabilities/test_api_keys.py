from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from pbem.capabilities import api_keys
from pbem.errors import NotSeated
from pbem.store.models import Member
from tests.factories import START, ClubFactory, PlayerFactory

if TYPE_CHECKING:
    from datetime import datetime

    from sqlalchemy.orm import Session


@pytest.mark.parametrize("after", [{"role": "member"}, {"left_at": START}], ids=["a member", "gone"])
def test_a_clubs_key_opens_nothing_once_its_owner_organises_there_no_more(
    session: Session, now: datetime, after: dict[str, Any]
) -> None:
    """However they stopped, and though they organise another club; the other one's key goes on opening that."""
    alice, clubs = PlayerFactory.create(), ClubFactory.create_batch(2)
    organises = [Member(club_id=club.id, player_id=alice.id, role="organiser", joined_at=START) for club in clubs]
    session.add_all(organises)
    session.flush()
    keys = [api_keys.issue_for_club(session, now, alice.id, club.id, "script") for club in clubs]
    assert [api_keys.open_key(session, now, key).club_id for key in keys] == [club.id for club in clubs]
    for name, value in after.items():
        setattr(organises[0], name, value)
    session.commit()

    with pytest.raises(NotSeated, match="This key opens nothing"):
        api_keys.open_key(session, now, keys[0])
    assert api_keys.open_key(session, now, keys[1]).club_id == clubs[1].id
