"""Invitations: what they offer, which are open, and what a yes or a no does, once."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any

import pytest
from sqlalchemy import select, update

from pbem.errors import NotOpen, WrongInput
from pbem.letter_queue import LetterQueue
from pbem.letters import context
from pbem.play.deadlines.cadence import Cadence
from pbem.play.seats import invitations, opening
from pbem.play.seats.opening import GamePlan, SeatPlan
from pbem.store.models import Game, Invitation, Letter, Member, Player, Seat
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


def test_what_was_taken_at_once_is_told_of_one_persons_seats_in_one_club(
    session: Session, now: datetime, nora: Player
) -> None:
    """Not what others took at that moment, nor what she took elsewhere, later, or not at all."""
    (here, there), olga = ClubFactory.create_batch(2), PlayerFactory.create()
    taken = {"player": nora, "club_id": here.id, "state": "accepted", "answered_at": now}
    others = [{"player": olga}, {"club_id": there.id}, {"answered_at": now + SECOND}, {"state": "declined"}]
    rows = []
    for number, other in enumerate([{}, *others, {}]):
        there_sit = (other.get("player", nora), PlayerFactory.create())
        game = GameFactory(now=now, title=f"Evening {number}", seed=f"taken-{number}", people=there_sit)
        rows.append(invited(session, now, game_id=game.id, **{**taken, **other}))

    assert [invitations.taken_with(session, row.id) for row in (rows[0], rows[-1])] == [("Evening 0", "Evening 5")] * 2


def test_an_offer_names_bots_too(session: Session, now: datetime, nora: Player) -> None:
    """Whoever is alone with bots isn't told that nobody sits there."""
    seats = (SeatPlan(player_id=nora.id), SeatPlan(bot="random"), SeatPlan())
    opening.open_game(session, now, GamePlan(game="priestsofra", seats=seats))
    row = session.execute(select(Invitation)).scalar_one()

    assert invitations.offer(session, row.id).others == ("Red bot",)


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
        *("Nile",) * 3,
        "",
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
    with pytest.raises(NotOpen, match="not open any more"):
        invitations.accept(session, when, row.id)
    with pytest.raises(NotOpen, match="not open any more"):
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


@pytest.fixture
def tables(session: Session, now: datetime, nora: Player) -> list[Invitation]:
    """Nora's invitations of one moment to three games of a club; another club's beside them."""
    olga, club, other = PlayerFactory.create(name="Olga"), ClubFactory.create(name="Nile"), ClubFactory.create()
    for number, owner in enumerate((club, other, club, club)):
        seats = (SeatPlan(player_id=olga.id), SeatPlan(player_id=nora.id), SeatPlan())
        plan = GamePlan(game="priestsofra", seats=seats, club_id=owner.id, organiser_id=olga.id, title=f"Ra {number}")
        opening.open_game(session, now, plan)
    session.commit()
    query = select(Invitation).where(Invitation.club_id == club.id).order_by(Invitation.id)
    return list(session.scalars(query))


def test_all_invitations_of_a_club_are_accepted_with_one_yes(
    session: Session, now: datetime, nora: Player, tables: list[Invitation]
) -> None:
    """Each of that club and none of another; what can't be had any more says why, and the others stand."""
    first, second, third = tables
    assert invitations.beside(session, now, second.id) == (first.id, third.id)
    taken = session.scalars(select(Seat).where(Seat.game_id == third.game_id, Seat.seat == third.seat)).one()
    taken.player_id = PlayerFactory.create().id

    who, failed = invitations.accept_all(session, now, second.id, language="it")

    session.expire_all()
    assert (who, nora.language, [one.state for one in tables]) == (nora, "it", ["accepted", "accepted", "pending"])
    assert [str(one) for one in failed] == ["Ra 3: This seat is taken; ask the organiser for another one."]
    assert [invitations.offer(session, one.id).seat_id is None for one in tables] == [False, False, True]
    open_elsewhere = set(session.scalars(select(Invitation.club_id).where(Invitation.state == "pending")))
    assert len(open_elsewhere) == 2, "the other club's waits, and the one that failed"


def test_all_that_can_not_be_accepted_change_nothing(
    session: Session, now: datetime, nora: Player, tables: list[Invitation]
) -> None:
    """Neither where each fails, nor by the link of one that was answered or has run out, whatever else is open."""
    session.execute(update(Seat).where(Seat.player_id.is_(None)).values(bot="heuristic"))
    with pytest.raises(WrongInput, match=r"Ra 0: .*taken"):
        invitations.accept_all(session, now, tables[0].id, language="it")
    session.rollback()
    tables[0].state = "declined"
    for when, number in ((now, tables[0].id), (tables[1].expires_at, tables[1].id)):
        with pytest.raises(NotOpen, match="not open any more"):
            invitations.accept_all(session, when, number, language="it")
    session.expire_all()
    assert (nora.language, nora.accepted_at) == ("en", None)
    assert {one.state for one in tables[1:]} == {"pending"}


def test_what_a_club_offers_at_one_moment_is_one_letter(
    session: Session, now: datetime, nora: Player, tables: list[Invitation]
) -> None:
    """It tells every game that is still offered, and is sent while there is one; another moment's has its own."""
    letters = select(Letter).where(Letter.kind == "invitation", Letter.club_id == tables[0].club_id)
    letter = session.scalars(letters).one()
    game = session.get_one(Game, tables[0].game_id)
    opening.invite(session, now + SECOND, (post := LetterQueue(now + SECOND)), game, 2, nora.id)
    post.send(session)

    told = []
    for gone in tables:
        found = context.context(session, now, letter)
        assert found is not None
        told.append([one["title"] for one in found.data.get("tables", ())] or [found.data["title"]])
        gone.state = "withdrawn"
        session.flush()
    assert told == [["Ra 0", "Ra 2", "Ra 3"], ["Ra 2", "Ra 3"], ["Ra 3"]]
    assert context.context(session, now, letter) is None
    assert len(session.scalars(letters).all()) == 2
