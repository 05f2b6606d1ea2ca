"""The organiser's page of one game: who may open it, what it shows, and how far a deadline moves."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any

import pytest
from sqlalchemy import select

from pbem.errors import NotAllowed, NotSeated, WrongInput
from pbem.play.admin import action_log, game_admin
from pbem.play.admin.action_log import AdminAction
from pbem.store.models import Game, GameState, Invitation, Letter, Member, Player
from tests.factories import ClubFactory, GameFactory, PlayerFactory, asked, hours, in_a_club, seat_of

if TYPE_CHECKING:
    from datetime import datetime

    from sqlalchemy.orm import Session


@pytest.fixture
def game(session: Session) -> Game:
    """A game of a club that waits for one of its two persons; the first of them looks after it."""
    made: Game = GameFactory.create(options={"auctions": "in_turn"})
    in_a_club(session, made, made.organiser_id)
    session.commit()
    return made


def test_a_games_page_is_for_its_organiser_and_its_clubs(session: Session, now: datetime, game: Game) -> None:
    """By today's links; not for players, former organisers, those of other clubs, or as another club's game."""
    olga = session.get_one(Player, game.organiser_id)
    bob, club_organiser, former, foreign, player = PlayerFactory.create_batch(5)
    other = ClubFactory.create().id
    for who, club, role, left in (
        (club_organiser, game.club_id, "organiser", None),
        (former, game.club_id, "organiser", now),
        (foreign, other, "organiser", None),
        (player, game.club_id, "player", None),
    ):
        session.add(Member(club_id=club, player_id=who.id, role=role, joined_at=now, left_at=left))
    session.commit()

    def opened(*people: Player, **more: Any) -> int:
        held = {one.id: one.epoch for one in people}
        found, who = game_admin.organiser(session, more.pop("slug", game.slug), held, **more)
        assert found.id == game.id
        return who.id

    assert opened(olga) == opened(player, olga) == olga.id
    assert opened(club_organiser, club_id=game.club_id) == club_organiser.id
    for who in (bob, former, foreign, player):
        with pytest.raises(NotSeated):
            opened(who)
    for more in ({"club_id": other}, {"slug": "none"}):
        with pytest.raises(NotSeated):
            opened(olga, **more)
    with pytest.raises(NotSeated):
        game_admin.organiser(session, game.slug, {olga.id: olga.epoch + 1})
    game.club_id = None
    session.flush()
    assert opened(olga) == olga.id
    with pytest.raises(NotSeated):
        opened(club_organiser)


def test_it_shows_each_seat_as_far_as_an_organiser_may_see(session: Session, now: datetime, game: Game) -> None:
    """Who is awaited, since when, what became of the letter; of secret choices nothing before their time is over."""
    (decision,) = asked(session, game)
    decision.letter_at, decision.nudge_step = now + hours(1), 2
    seat_of(session, game, 0)
    olga = session.get_one(Player, game.organiser_id)
    olga.address_state = "soft"
    action_log.write(session, now, game, "pause", by=olga.id)
    session.flush()
    assert game.due_at is not None

    view = game_admin.admin_view(session, now, game, olga)
    assert (view.game_id, view.slug, view.title, view.state, view.ply) == (
        *(game.id, game.slug, game.title, "running", game.ply),
    )
    assert (view.due_at, view.cover_at, view.plays, len(view.log)) == (game.due_at, game.cover_at, True, 1)
    assert view.club == session.get_one(type(ClubFactory.build()), game.club_id).slug
    waits = [seat.seat == decision.seat for seat in view.seats]
    assert [seat.awaited for seat in view.seats] == waits
    expected = (now, now + hours(1), 2)
    shown = [(seat.asked_at, seat.letter_at, seat.nudges) for seat in view.seats]
    assert shown == [expected if due else (None, None, 0) for due in waits]
    assert [(seat.bot, seat.is_free, seat.invited) for seat in view.seats] == [
        ("", False, ""),
        ("", False, ""),
        ("random", False, ""),
    ]
    assert [seat.mail for seat in view.seats] == ["soft", "good", ""]
    assert not game_admin.admin_view(session, now, game, PlayerFactory.create()).plays

    decision.secret = True
    session.flush()
    seen = {
        late: game_admin.admin_view(session, game.due_at + timedelta(seconds=late), game, olga).seats
        for late in (-1, 0)
    }
    assert {(seat.awaited, seat.asked_at, seat.nudges) for seat in seen[-1]} == {(None, None, 0)}
    assert [seat.awaited for seat in seen[0]] == waits
    game.due_at = None
    assert {seat.awaited for seat in game_admin.admin_view(session, now + hours(999), game, olga).seats} == {None}


def test_a_free_seat_shows_who_may_still_come(session: Session, now: datetime, game: Game) -> None:
    """Until the invitation ends or is answered, and only of this game."""
    olga, nora = session.get_one(Player, game.organiser_id), PlayerFactory.create(name="Nora")
    seat_of(session, game, 1).player_id = None
    game.state, game.version = GameState.OPEN, game.version + 1
    row = Invitation(game_id=game.id, seat=1, player_id=nora.id, created_at=now, expires_at=now + hours(5))
    other = GameFactory.create()
    session.add(row)
    session.add(Invitation(game_id=other.id, seat=0, player_id=nora.id, created_at=now, expires_at=now + hours(5)))
    session.commit()

    def shown(when: datetime) -> list[tuple[bool, str]]:
        return [(seat.is_free, seat.invited) for seat in game_admin.admin_view(session, when, game, olga).seats]

    assert shown(now) == [(False, ""), (True, "Nora"), (False, "")]
    assert shown(now + hours(5)) == [(False, ""), (True, ""), (False, "")]
    row.state = "declined"
    session.commit()
    assert shown(now)[1] == (True, "")
    assert not game_admin.admin_view(session, now, game, nora).plays


def deed(session: Session, now: datetime, game: Game, **more: Any) -> AdminAction:
    """Something its organiser does."""
    return AdminAction(now=now, game=game, by=session.get_one(Player, game.organiser_id), **more)


def test_a_deadline_moves_from_where_it_is_or_from_now(session: Session, now: datetime, game: Game) -> None:
    """By whole hours up to two weeks, never further than two weeks from now; of a game that runs with a clock."""
    due = game.due_at
    assert due is not None
    for wrong in (0, -1, 337):
        with pytest.raises(WrongInput, match=f"moves by 1 to 336 hours, not by {wrong}"):
            game_admin.extend(session, deed(session, now, game), wrong)
    game_admin.extend(session, deed(session, now, game), 1)
    assert game.due_at == due + hours(1)
    late = due + hours(9)
    game_admin.extend(session, deed(session, late, game), 336)
    assert game.due_at == late + hours(336)
    game_admin.extend(session, deed(session, late, game), 336)
    assert game.due_at == late + hours(336), "no further than two weeks from now"
    game_admin.extend(session, deed(session, now, game), 5)
    assert game.due_at == late + hours(336), "and never earlier"
    session.flush()
    assert {decision.due_at for decision in asked(session, game)} == {late + hours(336)}
    game.due_at = None
    with pytest.raises(NotAllowed, match="no deadline at the moment"):
        game_admin.extend(session, deed(session, now, game), 5)
    game.state = GameState.PAUSED
    session.flush()
    with pytest.raises(NotAllowed, match="Only a game that runs has a deadline to move"):
        game_admin.extend(session, deed(session, now, game), 5)


def test_a_game_rests_and_goes_on(session: Session, now: datetime, game: Game) -> None:
    """Only from the one to the other; meanwhile nobody has a deadline; then everybody has the full time."""
    due = game.due_at
    assert due is not None
    with pytest.raises(NotAllowed, match="Only a paused game"):
        game_admin.resume(session, deed(session, now, game))
    game_admin.pause(session, deed(session, now, game))
    session.flush()
    assert (game.state, game.due_at, game.wake_at) == ("paused", None, None)
    assert [(decision.due_at, decision.nudge_at) for decision in asked(session, game)] == [(None, None)]
    with pytest.raises(NotAllowed, match="Only a game that runs can be paused"):
        game_admin.pause(session, deed(session, now, game))
    later = now + timedelta(days=7)
    game_admin.resume(session, deed(session, later, game))
    session.flush()
    assert (game.state, game.due_at) == ("running", due + timedelta(days=7))


def test_a_fresh_link_is_of_that_seat_of_that_game(session: Session, now: datetime, game: Game) -> None:
    """Its old ones end, its player is written to, and nobody else's do."""
    other = GameFactory.create(people=[session.get_one(Player, seat_of(session, game, 0).player_id)])
    seats = [seat_of(session, one, seat) for one in (game, other) for seat in (0, 1)]
    before = [seat.epoch for seat in seats]
    game_admin.fresh_link(session, deed(session, now, game), 1)
    session.flush()

    assert [seat.epoch for seat in seats] == [before[0], before[1] + 1, *before[2:]]
    (told,) = session.execute(select(Letter).where(Letter.kind == "fresh_link")).scalars()
    assert (told.player_id, told.game_id) == (seats[1].player_id, game.id)
    with pytest.raises(NotSeated):
        game_admin.fresh_link(session, deed(session, now, game), 9)
