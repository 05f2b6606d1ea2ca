"""A seat offered to somebody else, a rematch for the same people, and a game set aside: each beside others like it."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any

import pytest
from sqlalchemy import select

from pbem.errors import GameOver, NotAllowed, NotOpen, NotSeated
from pbem.play.deadlines import delivery_clock
from pbem.play.seats import invitations, practice, proposals, rematch, substitutes
from pbem.play.seats.ballots import votes_of
from pbem.play.seats.proposals import ProposalPlan
from pbem.play.turns import stuck
from pbem.store.models import Game, GameState, Invitation, Letter, Member, OpenDecision, Proposal, Seat
from pbem.store.unit_of_work import Work
from tests.factories import GameFactory, PlayerFactory, asked, hours, in_a_club, newly_due, seat_of

if TYPE_CHECKING:
    from datetime import datetime

    from sqlalchemy.orm import Session

IN_TURN = {"auctions": "in_turn"}


@pytest.fixture
def game(now: datetime) -> Game:
    """Three persons and a bot."""
    made: Game = GameFactory.create(now=now, people=3, bots=("random",), options=IN_TURN, seed="offered")
    return made


def offered(session: Session, now: datetime, game: Game, seat: int, **more: Any) -> Invitation:
    """An invitation to take a seat over, written an hour ago."""
    newcomer = PlayerFactory.create()
    row = Invitation(game_id=game.id, seat=seat, player_id=newcomer.id, inviter_id=game.organiser_id)
    row.created_at, row.expires_at = now - hours(1), now + hours(9)
    for name, value in more.items():
        setattr(row, name, value)
    session.add(row)
    session.commit()
    return row


def answered(session: Session, game: Game, seat: int, when: datetime, hand: str) -> None:
    """A question of a seat that was answered then, by such a hand."""
    row = OpenDecision(
        game_id=game.id, ply=900 + seat, seat=seat, kind="turn", hand=hand, opened_at=when, began_at=when
    )
    row.answered_at = row.closed_at = when
    session.add(row)
    session.commit()


def has(session: Session, game: Game, seat: int) -> int | None:
    """Whose seat it is, as it is stored."""
    session.flush()
    session.expire_all()
    return seat_of(session, game, seat).player_id


def test_whoever_was_asked_takes_the_seat_unless_its_player_came_back(
    session: Session, now: datetime, game: Game
) -> None:
    """By an answer of their own or of a sitter since; not before, not by the server, not elsewhere or of another."""
    other = GameFactory.create(people=3, bots=("random",), options=IN_TURN)
    now += hours(5)
    before, since = now - hours(1), now - hours(1) + timedelta(seconds=1)
    for where, seat, when, hand in (
        (game, 0, before, "player"),
        (game, 1, since, "player"),
        (game, 2, since, "autopilot"),
        (other, 0, since, "player"),
        (other, 1, since, "sitter"),
    ):
        answered(session, where, seat, when, hand)

    for where, seat in ((game, 0), (game, 2), (other, 2)):
        offer = offered(session, now, where, seat)
        substitutes.take_over(session, now, offer)
        assert has(session, where, seat) == offer.player_id
    for where, seat in ((game, 1), (other, 0), (other, 1)):
        mine = has(session, where, seat)
        with pytest.raises(NotOpen, match="Its player has come back and plays on"):
            substitutes.take_over(session, now, offered(session, now, where, seat))
        assert has(session, where, seat) == mine


def test_an_offer_says_so_once_its_seat_needs_nobody(session: Session, now: datetime, game: Game) -> None:
    """Taken by another who was asked, its player back, or the game over: it waits on no queue, and takes no answer."""
    now += hours(5)
    first, second, back, gone = (offered(session, now, game, seat) for seat in (0, 0, 1, 3))
    for offer in (first, second, back, gone):
        assert invitations.pending(session, now, offer.player_id) == (offer.id,)
        assert invitations.offer(session, offer.id).over is None

    invitations.accept(session, now, first.id)
    answered(session, game, 1, now, "player")
    said = {}
    for offer in (second, back, gone):
        if offer is gone:
            over(session, game)
        why = invitations.offer(session, offer.id).over
        said[offer.id] = why.text if why else ""
        assert invitations.pending(session, now, offer.player_id) == ()
        with pytest.raises((NotOpen, GameOver)):
            invitations.accept(session, now, offer.id)

    assert said[second.id].startswith("Somebody else has taken this seat")
    assert said[back.id].startswith("Its player has come back")
    assert said[gone.id]
    assert invitations.offer(session, first.id).seat_id == seat_of(session, game, 0).id


def test_a_seat_taken_since_the_offer_is_gone(session: Session, now: datetime, game: Game) -> None:
    """To the second; a bot's is free for whoever was asked."""
    early, late = offered(session, now, game, 0), offered(session, now, game, 0, created_at=now)
    first = seat_of(session, game, 0)
    first.joined_at = now
    session.commit()
    with pytest.raises(NotOpen, match="Somebody else has taken this seat meanwhile"):
        substitutes.take_over(session, now, early)
    substitutes.take_over(session, now, late)
    assert has(session, game, 0) == late.player_id

    bots = offered(session, now, game, 3, inviter_id=None)
    substitutes.take_over(session, now, bots)
    assert (has(session, game, 3), seat_of(session, game, 3).bot) == (bots.player_id, "")
    game.state, game.version = GameState.ENDED, game.version + 1
    offer = offered(session, now, game, 1)
    with pytest.raises(GameOver):
        substitutes.take_over(session, now, offer)
    with pytest.raises(NotSeated):
        substitutes.take_over(session, now, offered(session, now, game, 7))


def over(session: Session, game: Game) -> Game:
    """The game, ended."""
    game.state, game.version = GameState.FINISHED, game.version + 1
    session.commit()
    return game


def test_a_rematch_is_the_same_game_for_the_same_people(session: Session, now: datetime, game: Game) -> None:
    """Who asks sits, others are asked by letter, bots play again; with its options, pace and cooling time."""
    game.title, game.cooling, game.practice = "Tuesdays", 60, False
    asker = seat_of(session, game, 1).player_id or 0
    stranger = PlayerFactory.create().id
    with pytest.raises(NotOpen, match="not over yet"):
        rematch.open_rematch(session, now, game.id, asker)
    over(session, game)
    with pytest.raises(NotAllowed, match="Only who played this game"):
        rematch.open_rematch(session, now, game.id, stranger)

    made = rematch.open_rematch(session, now, game.id, asker)
    session.commit()

    seats = session.execute(select(Seat.player_id, Seat.bot).where(Seat.game_id == made.id).order_by(Seat.seat)).all()
    assert [tuple(row) for row in seats] == [(None, ""), (asker, ""), (None, ""), (None, "random")]
    invited = session.execute(select(Invitation.seat).where(Invitation.game_id == made.id)).scalars().all()
    assert invited == [0, 2]
    assert (made.title, made.options, made.cadence, made.cooling, made.practice, made.organiser_id) == (
        *("Tuesdays (2)", game.options, game.cadence, 60, False, asker),
    )
    with pytest.raises(NotOpen, match="waits for its players already"):
        rematch.open_rematch(session, now, game.id, asker)
    made.state, made.version = GameState.RUNNING, made.version + 1
    session.commit()
    assert rematch.open_rematch(session, now, game.id, asker).state == "open"


@pytest.mark.parametrize("elsewhere", ["", "another club", "another title", "a stranger's", "run out", "begun"])
def test_all_who_ask_for_a_rematch_meet_in_one_game(
    session: Session, now: datetime, game: Game, elsewhere: str
) -> None:
    """Asking is a yes to whoever asked first; the last one's begins it. What is no rematch of this game is left."""
    first, second, third = (seat_of(session, game, seat).player_id or 0 for seat in range(3))
    in_a_club(session, over(session, game), first, second, third)
    made = rematch.open_rematch(session, now, game.id, first)
    invited = session.execute(select(Invitation).where(Invitation.player_id == second)).scalar_one()
    changes: dict[str, tuple[Any, str, Any]] = {
        "another club": (made, "club_id", None),
        "another title": (made, "title", "Fridays (2)"),
        "a stranger's": (made, "organiser_id", PlayerFactory.create().id),
        "run out": (invited, "expires_at", now),
        "begun": (made, "state", GameState.RUNNING),
    }
    if elsewhere:
        row, column, value = changes[elsewhere]
        setattr(row, column, value)
        made.version += 1
        session.commit()
    joined = rematch.open_rematch(session, now, game.id, second)

    assert (joined.id == made.id) is not bool(elsewhere)
    if elsewhere:
        return
    assert (joined.state, invited.state) == ("open", "accepted")
    assert rematch.open_rematch(session, now, game.id, third).state == "running"
    assert [seat_of(session, made, seat).player_id for seat in range(3)] == [first, second, third]
    assert len(session.execute(select(Game.id)).all()) == 2


def test_who_declined_a_rematch_can_ask_for_one(session: Session, now: datetime, game: Game) -> None:
    """It is a game of their own, to which the others are invited; who asked first was told of the no."""
    first, second = (seat_of(session, game, seat).player_id or 0 for seat in range(2))
    over(session, game)
    made = rematch.open_rematch(session, now, game.id, first)
    invited = session.execute(select(Invitation).where(Invitation.player_id == second)).scalar_one()
    invitations.decline(session, now, invited.id)
    told = session.execute(select(Letter.player_id).where(Letter.kind == "organiser_alert")).scalars().all()

    assert told == [first]
    own = rematch.open_rematch(session, now, game.id, second)
    assert own.id != made.id
    assert own.organiser_id == second


@pytest.mark.parametrize(
    ("title", "following"),
    [
        ("Tuesdays", "Tuesdays (2)"),
        ("Tuesdays (2)", "Tuesdays (3)"),
        ("Tuesdays (9)", "Tuesdays (10)"),
        ("Tuesdays (late)", "Tuesdays (late) (2)"),
        ("Tuesdays (2", "Tuesdays (2 (2)"),
        ("(2)", "(2) (2)"),
        ("x" * 80, "x" * 50 + " (2)"),
        ("x" * 80 + " (7)", "x" * 50 + " (8)"),
        ("Nile (123456789)", "Nile (123457)"),
    ],
)
def test_the_number_of_a_rematch_rises(title: str, following: str) -> None:
    """In brackets at the end; a long title is cut before it."""
    assert rematch._title(title) == following


def test_a_clubs_rematch_is_for_its_members(session: Session, now: datetime, game: Game) -> None:
    """Who left asks for none, and is not asked: the seat is free for whoever comes."""
    asker, leaver, third = (seat_of(session, game, seat).player_id or 0 for seat in (0, 1, 2))
    in_a_club(session, game, asker, leaver, third)
    session.execute(select(Member).where(Member.player_id == leaver)).scalar_one().left_at = now
    over(session, game)
    with pytest.raises(NotAllowed, match="no member of this game's club any more"):
        rematch.open_rematch(session, now, game.id, leaver)

    made = rematch.open_rematch(session, now, game.id, asker)

    assert made.club_id == game.club_id
    offers = session.execute(select(Invitation.seat, Invitation.player_id)).all()
    assert [tuple(row) for row in offers] == [(2, third)]


def test_a_practice_games_rematch_counts_as_one(session: Session, now: datetime) -> None:
    """As many as anybody has under way, and no more."""
    olga = PlayerFactory.create()
    seat = session.get_one(Seat, practice.open_practice(session, now, olga.id, "priestsofra", "easy"))
    old = over(session, session.get_one(Game, seat.game_id))
    for _ in range(practice.MOST - 1):
        practice.open_practice(session, now, olga.id, "priestsofra", "easy")
    again = rematch.open_rematch(session, now, old.id, olga.id)
    assert (again.practice, again.state) == (True, "running")
    with pytest.raises(NotOpen, match="5 practice games under way"):
        rematch.open_rematch(session, now, old.id, olga.id)


def test_a_vote_is_of_its_own_proposal(session: Session, now: datetime, game: Game) -> None:
    """Changed, it is the same voter's; what others say of another proposal stays."""
    other = GameFactory.create(people=3, bots=("random",), options=IN_TURN)
    numbers = []
    for where in (game, other):
        by = seat_of(session, where, 0).player_id or 0
        numbers.append(proposals.propose(session, now, where.id, by, ProposalPlan(kind="end")).proposal_id)
    session.commit()

    def said(number: int) -> dict[int, bool]:
        session.expire_all()
        return votes_of(session, session.get_one(Proposal, number))

    def vote(where: Game, number: int, seat: int, *, yes: bool) -> str:
        state = proposals.vote(session, now, number, seat_of(session, where, seat).id, yes=yes).state
        session.commit()
        return state

    for number, where in zip(numbers, (game, other), strict=True):
        assert vote(where, number, 1, yes=True) == "open"
    assert vote(game, numbers[0], 1, yes=True) == "open"
    assert vote(game, numbers[0], 0, yes=False) == "refused"
    assert [said(number) for number in numbers] == [{0: False, 1: True}, {0: True, 1: True}]
    with pytest.raises(NotSeated):
        vote(game, numbers[1], 2, yes=True)
    assert vote(other, numbers[1], 2, yes=True) == "agreed"
    assert (session.get_one(Game, other.id).state, session.get_one(Game, game.id).state) == ("ended", "running")


def test_a_run_that_never_ends_is_begun_five_times(session: Session, now: datetime, game: Game) -> None:
    """Only of a game that is due; then it is set aside, its organiser told, and its time given back when mended."""
    due, cover = game.due_at, game.cover_at
    assert due is not None
    assert cover is not None
    for state, wake in (("running", None), ("running", now + timedelta(seconds=1)), ("paused", now)):
        game.state, game.wake_at = GameState(state), wake
        session.flush()
        assert not stuck.begin_again(session, now, game.id)
    assert not stuck.begin_again(session, now, 10**6)
    game.state, game.wake_at = GameState.RUNNING, now
    session.flush()
    tries = [(stuck.begin_again(session, now, game.id), game.tries) for _ in range(4)]
    stuck.was_not_its_fault(session, game.id)
    assert (tries, game.tries) == ([(True, 1), (True, 2), (True, 3), (True, 4)], 1)
    stuck.was_not_its_fault(session, 10**6)
    assert [stuck.begin_again(session, now, game.id) for _ in range(5)] == [True, True, True, True, False]
    version = game.version

    assert [game.state, game.stuck_at, game.wake_at] == ["stuck", now, None]
    assert "begun 5 times and never came to an end" in game.trace
    (told,) = session.execute(select(Letter).where(Letter.kind == "stuck")).scalars()
    assert (told.player_id, told.game_id) == (game.organiser_id, game.id)
    clocks = [decision.due_at for decision in asked(session, game)]
    newly_due(session)
    stuck.unstick(session, now + hours(7), game.id)
    session.flush()
    session.expire_all()
    assert (game.state, game.trace, game.stuck_at, game.tries) == ("running", "", None, 0)
    assert (game.due_at, game.cover_at, game.wake_at) == (due + hours(7), cover + hours(7), now + hours(7))
    assert game.version > version
    assert [decision.due_at for decision in asked(session, game)] == [one + hours(7) if one else None for one in clocks]
    assert Work.GAMES in newly_due(session)
    with pytest.raises(NotAllowed, match="not stuck"):
        stuck.unstick(session, now, game.id)


@pytest.mark.parametrize("secret", [False, True])
def test_a_substitutes_question_has_its_own_times(session: Session, now: datetime, game: Game, *, secret: bool) -> None:
    """Neither asked nor reached when their predecessor was; a secret question tells nobody that it begins anew.

    A letter that reaches the substitute late moves the deadline, as anybody's does.
    """
    (decision,) = asked(session, game)
    decision.letter_at, decision.secret, later = now + hours(1), secret, now + hours(20)
    comes = PlayerFactory.create()

    substitutes.replace(session, later, game.id, decision.seat, comes.id, game.organiser_id or 0)

    (decision,) = asked(session, game)
    assert (decision.opened_at, decision.letter_at) == (now if secret else later, None)
    due = game.due_at
    letter = session.scalars(select(Letter).where(Letter.kind == "your_turn", Letter.player_id == comes.id)).one()
    delivery_clock.accepted(session, later + hours(30), letter)
    assert decision.letter_at == later + hours(30)
    assert due is not None
    assert game.due_at is not None
    assert game.due_at > due
