"""Refusals of use cases about a game that the tests of what they do leave out: each in its own words."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

import msgspec
import pytest
from sqlalchemy import delete, update

from pbem.budgets import Budget
from pbem.engine.core.message import Message
from pbem.errors import GameOver, NotAllowed, NotOpen, NotSeated, WrongInput
from pbem.play.admin import action_log
from pbem.play.admin.action_log import AdminAction
from pbem.play.deadlines import cadence, fallback
from pbem.play.orders import plans, standing_orders, submission
from pbem.play.orders.submission import Submission
from pbem.play.proof import snapshots
from pbem.play.seats import practice, proposals, recruitment, rematch, sitters, substitutes, talk
from pbem.play.seats.proposals import ProposalPlan
from pbem.play.turns import rules_migration, stuck
from pbem.store.models import Game, GameState, Member, OpenDecision, Player
from tests.factories import GameFactory, PlayerFactory, hours, in_a_club, seat_of

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from sqlalchemy.orm import Session

REWIND = ProposalPlan(kind="rewind", to_ply=0, reason="A slip.")


@pytest.fixture
def game(now: datetime) -> Game:
    """Two persons in the middle of a game."""
    made: Game = GameFactory.create(now=now, plays=3)
    return made


def waiting(session: Session, now: datetime) -> Game:
    """A game whose second seat is free."""
    game: Game = GameFactory.create(now=now)
    seat_of(session, game, 1).player_id = None
    game.ply, game.state = -1, GameState.OPEN
    session.flush()
    return game


def by(session: Session, now: datetime, game: Game) -> AdminAction:
    """What its organiser does."""
    return AdminAction(now=now, game=game, by=session.get_one(Player, game.organiser_id))


def test_only_a_game_that_is_played_is_voted_on_and_once_at_a_time(session: Session, now: datetime, game: Game) -> None:
    """A second proposal waits for the first; one of another kind would not."""
    player = seat_of(session, game, 0).player_id or 0
    proposals.propose(session, now, game.id, player, REWIND)
    with pytest.raises(NotAllowed, match="There is a proposal to vote on already; wait for its end"):
        proposals.propose(session, now, game.id, player, REWIND)
    game.state = GameState.FINISHED
    with pytest.raises(NotAllowed, match="This game is not being played, so there is nothing to agree on"):
        proposals.propose(session, now, game.id, player, REWIND)


def test_a_seat_that_is_not_there_is_given_to_nobody(session: Session, now: datetime) -> None:
    """Neither to a bot nor to a person; and a person has one seat in a game."""
    game = waiting(session, now)
    with pytest.raises(NotSeated):
        recruitment.put(session, by(session, now, game), 7, bot="random")
    with pytest.raises(WrongInput, match="This person has a seat in the game already; name somebody else"):
        recruitment.put(session, by(session, now, game), 1, player_id=seat_of(session, game, 0).player_id or 0)


def test_who_never_answered_sits_in_for_nobody(session: Session, now: datetime, game: Game) -> None:
    """Their address is not proved to be theirs, member or not."""
    friend = PlayerFactory.create(accepted_at=None)
    in_a_club(session, game, friend.id)
    seat = seat_of(session, game, 0)
    with pytest.raises(WrongInput, match="Only somebody who has answered from their address before can sit in"):
        sitters.appoint(session, now, seat.id, friend.id, now, now + hours(48))
    session.execute(delete(Member))
    with pytest.raises(WrongInput, match="Only a member of the game's club can sit in"):
        sitters.appoint(session, now, seat.id, friend.id, now, now + hours(48))


def test_nothing_is_answered_ahead_before_the_game_begins(session: Session, now: datetime) -> None:
    """Standing orders are tried and kept by nobody, and neither is a plan."""
    game = waiting(session, now)
    seat = seat_of(session, game, 0)
    said = (
        standing_orders.trial(session, seat.id, "draw"),
        standing_orders.store(session, now, seat.id, "draw"),
        plans.store(session, now, seat.id, "bid", {}),
    )
    assert {fault.text for one in said for fault in one.faults} == {
        "This game has not started, so there is nothing to answer ahead."
    }
    assert [len(one.faults) for one in said] == [1, 1, 1]
    assert standing_orders.listed(session, seat.id) == ()


def test_nobody_arranges_what_happens_at_a_seat_that_is_not_there(session: Session) -> None:
    """It is refused as what nobody has."""
    with pytest.raises(NotSeated):
        fallback.set_ladder(session, 999_999, ["pass"])


def test_an_order_is_used_only_by_a_game_that_asks_for_it(session: Session, now: datetime, game: Game) -> None:
    """One that rests, one that asks nobody and one that is over say so in three ways."""
    sent = Submission(seat_id=seat_of(session, game, 0).id, ply=game.ply + 1, text="draw")

    def said(state: GameState) -> tuple[str, ...]:
        game.state = state
        session.flush()
        return tuple(fault.text for fault in submission.submit(session, now, sent).faults)

    assert said(GameState.PAUSED) == (
        "This game stands still at the moment, so the order was not used. Send it again later.",
    )
    assert said(GameState.FINISHED) == ("This game is over, so the order was not used.",)
    session.execute(update(OpenDecision).values(seat=OpenDecision.seat + 9))
    assert said(GameState.RUNNING) == ("You are not asked anything at the moment, so the order was not used.",)


def test_a_seat_of_a_game_under_way_goes_to_nobody_who_never_answered(
    session: Session, now: datetime, game: Game
) -> None:
    """Nor is it given away once the game is over."""
    new, member = PlayerFactory.create(accepted_at=None), PlayerFactory.create()
    with pytest.raises(WrongInput, match="Only somebody who has answered from their address before can take over a"):
        substitutes.replace(session, now, game.id, 0, new.id, game.organiser_id or 0)
    with pytest.raises(WrongInput, match="Only somebody who has answered from their address before can take over a"):
        substitutes.replace(session, now, game.id, 0, 999_999, game.organiser_id or 0)
    game.state = GameState.FINISHED
    with pytest.raises(GameOver, match="This game is not being played, so nobody can leave or take over a seat"):
        substitutes.replace(session, now, game.id, 0, member.id, game.organiser_id or 0)


def test_only_who_keeps_a_game_waiting_is_voted_out(session: Session, now: datetime, game: Game) -> None:
    """A player who answers in time stays, whatever the others think of them."""
    plan = ProposalPlan(kind="replace", seat=1, reason="They are winning.")
    with pytest.raises(NotAllowed, match="Only who let the server answer "):
        proposals.propose(session, now, game.id, seat_of(session, game, 0).player_id or 0, plan)


def test_what_the_state_of_a_game_forbids(session: Session, now: datetime, game: Game) -> None:
    """Its snapshots are dropped once it is over, its rules change before that, and it is taken up if it was stuck."""
    with pytest.raises(NotAllowed, match="This game is not over: it needs its snapshots"):
        snapshots.drop(session, game)
    with pytest.raises(NotAllowed, match="This game is not stuck, so there is nothing to take up again"):
        stuck.unstick(session, now, game.id)
    with pytest.raises(NotAllowed) as same:
        rules_migration.migrate(session, game.id)
    assert same.value.faults[0].text == "This game is played by rules version {version} already."
    game.state = GameState.FINISHED
    with pytest.raises(GameOver, match="This game is over; it stays on the rules it was played by"):
        rules_migration.migrate(session, game.id)


def test_what_is_chosen_is_one_of_what_there_is(session: Session, now: datetime, game: Game) -> None:
    """Strengths, cadences, and waits: a word or number that is none is told with those there are."""
    in_a_club(session, game)
    with pytest.raises(WrongInput, match=" is no strength"):
        practice.open_practice(session, now, game.organiser_id or 0, "amunre", "godlike")
    with pytest.raises(WrongInput, match="'swift' is no speed"):
        cadence.read("swift")
    with pytest.raises(WrongInput, match=r"'soon=3' is no wait: write min=HOURS, max=HOURS, join=DAYS or then=WORD\."):
        cadence.read("club soon=3")
    with pytest.raises(WrongInput, match=r"'soon' is no number. Write one such as 24\."):
        cadence.read("club min=soon")


def test_one_too_many_is_told_the_limit(
    session: Session, now: datetime, game: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Practice games under way, and what is said in an hour."""
    monkeypatch.setattr(practice, "MOST", 0)
    monkeypatch.setattr(talk, "SAID", Budget(0, timedelta(hours=1)))
    with pytest.raises(NotOpen, match=" practice games under way: finish or leave one first"):
        practice.open_practice(session, now, game.organiser_id or 0, "amunre", next(iter(practice.STRENGTHS)))
    with pytest.raises(WrongInput, match=" things in an hour: wait a while"):
        talk.say(session, now, seat_of(session, game, 0).id, "Hello")


def test_what_was_typed_is_quoted_up_to_its_limit(session: Session, now: datetime, game: Game) -> None:
    """A page of it stands in no refusal; as a reason it is refused itself, and kept to its limit stands whole."""
    seat, long = seat_of(session, game, 0), "x" * 999
    refused: list[Callable[[], object]] = [
        lambda: cadence.read(long),
        lambda: cadence.read(f"club {long}=3"),
        lambda: cadence.read(f"club min={long}"),
        lambda: cadence.usable(cadence.Cadence(unfilled=long)),
        lambda: fallback.set_ladder(session, seat.id, [long]),
    ]
    for refuse in refused:
        with pytest.raises(WrongInput) as fault:
            refuse()
        assert fault.value.faults[0].params["word"] == "x" * 79 + "…"
    with pytest.raises(WrongInput, match="has 999 characters; at most 500 fit here"):
        proposals.propose(session, now, game.id, seat.player_id or 0, msgspec.structs.replace(REWIND, reason=long))
    told = action_log.told(action_log.LogEntry(at=now, by="", act="pause", said=Message(""), reason=long[:500]))
    assert told[1].params["reason"] == long[:500]
    assert [len(rematch._title(title)) for title in (long, f"{long} (2)")] == [54, 54]
