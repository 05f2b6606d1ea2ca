"""Invitations: what they offer, which are open, and what a yes or a no does, once."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any

import pytest
from sqlalchemy import select

from pbem.errors import NotOpen
from pbem.play.deadlines.cadence import Cadence
from pbem.play.seats import invitations, opening
from pbem.play.seats.opening import GamePlan, SeatPlan
from pbem.store.models import Invitation, Letter, Member, Player
from tests.factories import ClubFactory, GameFactory, PlayerFactory, seat_of

if TYPE_CHECKING:
    from datetime import datetime

    from sqlalchemy.orm import Session

SECOND = timedelta(seconds=1)


@pytest.fixture
def nora() -> Player:
    """Somebody who was never here."""
    made: Player = PlayerFactory.create(name="Nora", address_state="new", accepted_at=None)
    return made


def invited(session: Session, now: datetime, player: Player, **more: Any) -> Invitation:
    """An invitation for two weeks."""
    row = Invitation(player_id=player.id, created_at=now, expires_at=now + timedelta(days=14), **more)
    session.add(row)
    session.commit()
    return row


def test_an_offer_says_where_who_and_how_fast(session: Session, now: datetime, nora: Player) -> None:
    """Of a game: its club, its players, its pace; of a club alone: its name; once taken: one's seat."""
    olga, club = PlayerFactory.create(name="Olga"), ClubFactory.create(name="Nile")
    plan = GamePlan(
        game="priestsofra",
        seats=(SeatPlan(player_id=olga.id), SeatPlan(player_id=nora.id), SeatPlan()),
        club_id=club.id,
        organiser_id=olga.id,
        title="Tuesdays",
        cadence=Cadence(hours=30, most=90),
    )
    game = opening.open_game(session, now, plan)
    row = session.execute(select(Invitation)).scalar_one()

    seen = invitations.offer(session, row.id)
    assert (row.state, seen.title, seen.club, seen.inviter, seen.game, seen.seats) == (
        *("pending", "Tuesdays", "Nile", "Olga", "Priests of Ra", 3),
    )
    assert (seen.under_way, seen.instead, seen.others, seen.seat_id) == (False, "", ("Olga",), None)
    assert (seen.least, seen.most, seen.expires_at) == (30, 90, row.expires_at)
    invitations.accept(session, now, row.id)
    taken = invitations.offer(session, row.id)
    assert (row.state, taken.seat_id, taken.others) == ("accepted", seat_of(session, game, 1).id, ("Olga",))

    alone = invitations.offer(session, invited(session, now, nora, club_id=club.id).id)
    assert (alone.title, alone.club, alone.inviter, alone.game, alone.seats, alone.others) == (
        "Nile",
        "Nile",
        *("",) * 2,
        0,
        (),
    )
    assert (alone.least, alone.most, alone.under_way, alone.seat_id, alone.instead) == (0, 0, False, None, "")


def test_a_seat_of_a_game_under_way_names_whom_one_follows(session: Session, now: datetime, nora: Player) -> None:
    """While it can be taken; then there is nobody to follow."""
    game = GameFactory.create()
    holder = session.get_one(Player, seat_of(session, game, 0).player_id)
    row = invited(session, now, nora, game_id=game.id, seat=0)
    seen = invitations.offer(session, row.id)
    assert (seen.under_way, seen.instead) == (True, holder.name)
    row.state = "declined"
    session.commit()
    assert invitations.offer(session, row.id).instead == ""


def test_only_ones_own_open_invitations_can_be_answered(session: Session, now: datetime, nora: Player) -> None:
    """The oldest first, until the second they end; not those of others, nor answered ones."""
    club = ClubFactory.create().id
    first, second = (invited(session, now, nora, club_id=club) for _ in range(2))
    other = invited(session, now, PlayerFactory.create(), club_id=club)
    done = invited(session, now, nora, club_id=club, state="declined")

    assert invitations.pending(session, now, nora.id) == (first.id, second.id)
    assert invitations.pending(session, first.expires_at - SECOND, nora.id) == (first.id, second.id)
    assert invitations.pending(session, first.expires_at, nora.id) == ()
    assert invitations.own(session, now, nora.id, second.id) == second.id
    for number in (other.id, done.id, 10**6):
        with pytest.raises(NotOpen, match="not open any more"):
            invitations.own(session, now, nora.id, number)


def test_a_yes_makes_a_member_of_the_role_once(session: Session, now: datetime, nora: Player) -> None:
    """From then on the address is known to work; to the second the offer ends; others' roles stay."""
    club, other = ClubFactory.create().id, ClubFactory.create().id
    session.add(Member(club_id=other, player_id=nora.id, role="player", joined_at=now, left_at=now))
    row = invited(session, now, nora, club_id=club, role="organiser")
    late = invited(session, now, nora, club_id=other, role="organiser")
    when = row.expires_at - SECOND

    taken = invitations.accept(session, when, row.id)
    with pytest.raises(NotOpen, match="answered already"):
        invitations.accept(session, when, row.id)
    with pytest.raises(NotOpen, match="answered already"):
        invitations.accept(session, late.expires_at, late.id)

    session.expire_all()
    assert taken is nora
    assert (row.state, row.answered_at, late.state) == ("accepted", when, "pending")
    assert (nora.accepted_at, nora.address_state) == (when, "good")
    members = session.execute(select(Member.club_id, Member.role, Member.joined_at, Member.left_at)).all()
    assert {tuple(row) for row in members} == {(club, "organiser", when, None), (other, "player", now, now)}
    invitations.accept(session, when, late.id)
    session.expire_all()
    back = session.execute(select(Member).where(Member.club_id == other)).scalar_one()
    assert (back.role, back.joined_at, back.left_at) == ("organiser", when, None)
    again = invited(session, now, nora, club_id=club, role="player")
    invitations.accept(session, when, again.id)
    session.expire_all()
    kept = session.execute(select(Member).where(Member.club_id == club)).scalar_one()
    assert (kept.role, kept.joined_at, nora.accepted_at) == ("organiser", when, when), "a member stays what they are"


def test_a_no_is_told_to_the_organiser_once(session: Session, now: datetime, nora: Player) -> None:
    """Of a game that waits; of a club alone nobody is told."""
    olga = PlayerFactory.create()
    seats = (SeatPlan(player_id=nora.id), SeatPlan())
    opening.open_game(session, now, GamePlan(game="priestsofra", seats=seats, organiser_id=olga.id, title="Tuesdays"))
    row = session.execute(select(Invitation)).scalar_one()
    club = invited(session, now, nora, club_id=ClubFactory.create().id)

    for later in (timedelta(), SECOND):
        invitations.decline(session, now + later, row.id)
        invitations.decline(session, now + later, club.id)

    session.expire_all()
    assert [(one.state, one.answered_at) for one in (row, club)] == [("declined", now)] * 2
    (told,) = session.execute(select(Letter).where(Letter.kind == "organiser_alert")).scalars()
    assert told.player_id == olga.id
    assert "Nora" in repr(told.data)
    assert nora.accepted_at is None
