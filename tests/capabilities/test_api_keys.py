from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from pbem.capabilities import api_keys
from pbem.errors import NotSeated
from pbem.store.models import Member
from tests.factories import START, ClubFactory, GameFactory, PlayerFactory, seat_of

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


def test_a_key_is_ended_by_the_second_click_of_its_own_form_alone(session: Session, now: datetime) -> None:
    """Keys that are called alike stand if they open something else, were used, or are a minute old."""
    alice = PlayerFactory.create()
    club, seat = ClubFactory.create(), seat_of(session, GameFactory.create(people=[alice]), 0)
    session.add(Member(club_id=club.id, player_id=alice.id, role="organiser", joined_at=START))
    session.flush()
    assert seat.id == club.id, "the same number, of something else"
    api_keys.issue_for_seat(session, now, alice.id, seat.id, "script")
    api_keys.issue_for_club(session, now, alice.id, club.id, "script")
    used = api_keys.issue_for_person(session, now, alice.id, "script")
    api_keys.used(session, now, api_keys.open_key(session, now, used))
    session.commit()
    api_keys.issue_for_person(session, now, alice.id, "script")
    api_keys.issue_for_person(session, now + api_keys.TWICE, alice.id, "script")
    before = [key.id for key in api_keys.keys_of(session, now, alice.id)]

    api_keys.issue_for_person(session, now + api_keys.TWICE, alice.id, "script")

    after = [key.id for key in api_keys.keys_of(session, now, alice.id)]
    assert len(before) == len(after) == 5
    assert (after[:4], after[4] in before) == (before[:4], False)
