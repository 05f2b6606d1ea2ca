"""What the tests of clubs share: a club with an organiser and members, in the app's own session."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import pytest

from pbem.store.models import Club, Member, Player
from tests.factories import START, ClubFactory, PlayerFactory

if TYPE_CHECKING:
    from sqlalchemy.orm import Session


class Circle(NamedTuple):
    """A club and its people; Alice organises it."""

    club: Club
    alice: Player
    others: list[Player]

    @property
    def everybody(self) -> list[Player]:
        """Alice first."""
        return [self.alice, *self.others]


@pytest.fixture
def circle(session: Session) -> Circle:
    """A club of eight."""
    club = ClubFactory.create()
    people = PlayerFactory.create_batch(8)
    for number, player in enumerate(people):
        player.name = f"{player.name} {number}"
        role = "player" if number else "organiser"
        session.add(Member(club_id=club.id, player_id=player.id, role=role, joined_at=START))
    session.commit()
    return Circle(club, people[0], people[1:])
