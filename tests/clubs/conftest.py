"""What the tests of clubs share: a club with an organiser and members, in the app's own session."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import pytest
from sqlalchemy import select

from pbem.play.turns.advance import advance
from pbem.store import unit_of_work
from pbem.store.models import Club, Game, Member, Player, Seat
from tests.factories import START, ClubFactory, GameFactory, PlayerFactory

if TYPE_CHECKING:
    from datetime import datetime

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


def club_game(circle: Circle) -> Game:
    """A game of Priests of Ra of two members, in which one is asked at a time; Alice organises it."""
    made: Game = GameFactory.create(
        people=circle.others[:2],
        bots=(),
        options={"auctions": "in_turn"},
        club_id=circle.club.id,
        organiser_id=circle.alice.id,
        title="On the river",
    )
    return made


def play_out(session: Session, now: datetime, game: Game) -> None:
    """Let bots sit in for the players until the game is over; the result is the players'."""
    seats = session.execute(select(Seat).where(Seat.game_id == game.id)).scalars().all()
    for seat in seats:
        seat.bot = "random"
    unit_of_work.wake(session, game, now)
    session.commit()
    while game.state == "running":
        advance(session, now, game.id)
        session.commit()
    for seat in seats:
        seat.bot = ""
    session.commit()


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
