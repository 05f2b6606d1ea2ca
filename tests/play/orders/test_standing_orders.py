from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from sqlalchemy import select

from pbem.engine.preview import Preview
from pbem.errors import NotSeated, WrongInput
from pbem.letters import context
from pbem.play.orders import standing_orders
from pbem.play.orders.past_answers import past_answers
from pbem.play.turns.advance import advance
from pbem.play.views import seat_view
from pbem.store.models import StoredPly
from pbem.store.unit_of_work import Work
from tests.factories import (
    GameFactory,
    answer,
    asked,
    letters,
    near_the_end,
    newly_due,
    play_to_the_end,
    seat_of,
    until_lists_are_owed,
)

if TYPE_CHECKING:
    from datetime import datetime

    from sqlalchemy.orm import Session

    from pbem.store.models import Game

IN_TURN = {"auctions": "in_turn"}


@pytest.fixture
def game(session: Session, now: datetime) -> Game:
    """A turn is asked."""
    made: Game = GameFactory(now=now, options=IN_TURN, seed="standing-1")
    assert asked(session, made)
    return made


def test_it_is_shown_back_in_words_and_tried_on_the_present_position(
    session: Session, now: datetime, game: Game
) -> None:
    """What it means and what it would do today; a trial stores nothing, and what is stored is listed in its words."""
    seat_id = seat_of(session, game, asked(session, game)[0].seat).id
    tried = standing_orders.trial(session, seat_id, "when tiles >= 5: ra\ndraw")

    assert tried.faults == ()
    assert [str(line) for line in tried.words][-1].startswith("draw")
    assert "this is used" in str(tried.today[-1])
    assert standing_orders.listed(session, seat_id) == ()
    assert not standing_orders.store(session, now, seat_id, "when tiles >= 5: ra\ndraw").faults
    assert [one.words for one in standing_orders.listed(session, seat_id)] == [tried.words]


def test_a_trial_says_what_it_bids_while_a_sealed_list_is_owed(session: Session, now: datetime) -> None:
    """Who owes a list is asked: the trial never says that nothing is asked and then answers at once."""
    game: Game = GameFactory(now=now, people=2, bots=(), seed="sealed-trial")
    until_lists_are_owed(session, now, game)

    for one in asked(session, game):
        tried = standing_orders.trial(session, seat_of(session, game, one.seat).id, "bid highest\npass")
        assert "this is used: bid" in str(tried.today[-1])


@pytest.mark.parametrize(
    "lines", ["when high_bid < 99: bid highest", "bid highest\nask me", "when high_bid > 99: ask me\npass"]
)
def test_a_trial_says_that_a_list_is_asked_where_the_lines_for_bids_are_none(
    session: Session, now: datetime, lines: str
) -> None:
    """It told a bid, and then its owner was asked: it says so, for what is asked now and for what was asked then.

    So does the letter that asks, to whom it is in force for.
    """
    game: Game = GameFactory(now=now, people=2, bots=(), seed="sealed-trial")
    until_lists_are_owed(session, now, game)
    bidders = [seat_of(session, game, one.seat).id for one in asked(session, game)]
    text = f"until changed\nfor bid: {lines}"
    tried = standing_orders.trial(session, bidders[0], text)

    assert [str(line).partition(":")[0] for line in tried.today] == ["You are asked for a list"]
    assert tried.brings == Preview()
    standing_orders.store(session, now, bidders[0], text)
    asking = [letter for letter in letters(session, "your_turn") if letter.ply == game.ply]
    told = {letter.seat: context.context(session, now, letter) for letter in asking}
    whys = [data.data["journal"] for _, data in sorted(told.items()) if data]
    assert whys == [list(tried.today), []]
    for one in asked(session, game):
        answer(session, now, game, one.seat, "bid lowest")
    advance(session, now, game.id)
    session.commit()
    assert {one.would for bidder in bidders for one in past_answers(session, bidder, text)} == {""}


def test_what_answered_is_told_by_its_name(session: Session, now: datetime) -> None:
    """A sealed list as a list of bids, a chain as orders given ahead: neither is called a standing order."""
    game: Game = GameFactory(now=now, people=2, bots=(), seed="sealed-trial")
    until_lists_are_owed(session, now, game, "ra; then draw")
    lists = [answer(session, now, game, one.seat, "bid lowest\npass") for one in asked(session, game)]
    advance(session, now, game.id)
    session.commit()
    told = b"".join(session.scalars(select(StoredPly.events).where(StoredPly.game_id == game.id)))

    assert {str(one.says[0]) for one in lists} == {"Your list. The first line that fits is your bid:"}
    assert b"Your list of bids answered: {order}." in told
    assert b"Your standing order answered" not in told


def test_standing_orders_that_bid_in_a_sealed_auction_are_told_as_such(session: Session, now: datetime) -> None:
    """Nobody wrote a list: what bids for them is what they stored."""
    game: Game = GameFactory(now=now, people=2, bots=(), seed="sealed-trial")
    for seat in range(2):
        standing_orders.store(
            session, now, seat_of(session, game, seat).id, "until changed\nfor bid: bid lowest\nfor bid: pass"
        )
    until_lists_are_owed(session, now, game)
    told = b"".join(session.scalars(select(StoredPly.events).where(StoredPly.game_id == game.id)))

    assert b"Your standing order answered: {order}." in told
    assert b"Your list of bids answered" not in told


@pytest.mark.parametrize("text", ["", "dance", "when weather = fine: draw", "for dancing: draw", "x" * 30_000])
def test_what_cannot_be_read_is_refused_with_all_its_faults(
    session: Session, now: datetime, game: Game, text: str
) -> None:
    """Each fault is a sentence; nothing is stored."""
    seat_id = seat_of(session, game, 0).id
    stored = standing_orders.store(session, now, seat_id, text)

    assert stored.faults != ()
    assert stored.standing_id is None
    assert standing_orders.listed(session, seat_id) == ()


def test_each_seat_reads_its_own_orders_alone(session: Session, now: datetime, game: Game) -> None:
    """What others at the table have given ahead is hidden from it, and where it gave none the list is empty."""
    seats = [seat_of(session, game, number) for number in range(game.seats)]
    for seat, order in zip(seats[1:], ("ra", "draw"), strict=True):
        standing_orders.store(session, now, seat.id, f"until changed\nfor turn: {order}")
    read = [[one.text.splitlines()[-1] for one in standing_orders.listed(session, seat.id)] for seat in seats]

    assert read == [[], ["ra"], ["draw"]]


def test_the_newest_order_is_tried_first_and_can_be_ended(session: Session, now: datetime, game: Game) -> None:
    """`ra` was put before `draw`: it is played; ended, the older one would be."""
    seat = asked(session, game)[0].seat
    mine = seat_of(session, game, seat)
    standing_orders.store(session, now, mine.id, "until changed\nfor turn: draw")
    newest = standing_orders.store(session, now, mine.id, "until changed\nfor turn: ra")
    assert [one.text.splitlines()[-1] for one in standing_orders.listed(session, mine.id)] == ["ra", "draw"]
    number = newest.standing_id or 0
    with pytest.raises(WrongInput, match=rf"^{number} is not in the list"):
        standing_orders.end(session, now, number, seat_of(session, game, 1 - min(seat, 1)).id)
    ply = game.ply + 1
    advance(session, now, game.id)
    session.commit()

    assert session.execute(select(StoredPly.orders).where(StoredPly.ply == ply)).scalar_one() == {str(seat): "ra"}
    standing_orders.end(session, now, number, mine.id)
    session.commit()
    version = game.version
    standing_orders.end(session, now, number, mine.id)
    assert game.version == version
    assert len(standing_orders.listed(session, mine.id)) == 1


def test_the_same_order_is_in_force_once(session: Session, now: datetime, game: Game) -> None:
    """Pressed twice it would need to be ended twice; again in force it is tried first; another seat has its own."""
    mine, theirs = (seat_of(session, game, number).id for number in (0, 1))
    for seat_id, text in (
        (mine, "for turn: ra"),
        (theirs, "for turn: ra"),
        (mine, "ask me"),
        *[(mine, "for turn: ra")] * 2,
    ):
        assert not standing_orders.store(session, now, seat_id, text).faults

    assert [one.text.splitlines()[-1] for one in standing_orders.listed(session, mine)] == ["ra", "ask me"]
    assert len(standing_orders.listed(session, theirs)) == 1


def test_an_order_given_by_hand_comes_before_the_standing_one(session: Session, now: datetime, game: Game) -> None:
    """The player's own answer is the answer."""
    seat = asked(session, game)[0].seat
    answer(session, now, game, seat, "ra")
    newly_due(session)
    standing_orders.store(session, now, seat_of(session, game, seat).id, "for turn: draw")
    assert newly_due(session) == frozenset()
    ply = game.ply + 1
    advance(session, now, game.id)
    session.commit()

    assert session.execute(select(StoredPly.orders).where(StoredPly.ply == ply)).scalar_one() == {str(seat): "ra"}


def test_ask_me_means_that_the_owner_is_asked(session: Session, now: datetime, game: Game) -> None:
    """Nothing is resolved, and the question stays open."""
    seat = asked(session, game)[0].seat
    standing_orders.store(session, now, seat_of(session, game, seat).id, "ask me\ndraw")
    due = newly_due(session)
    done = advance(session, now, game.id)
    session.commit()
    session.refresh(game)

    assert due == {Work.GAMES}
    assert done.plies == 0
    assert [one.seat for one in asked(session, game)] == [seat]
    assert game.wake_at == game.cover_at


def test_there_is_a_limit_and_a_finished_game_takes_none(session: Session, now: datetime) -> None:
    """Twenty in force; the refusal says to end one."""
    game = GameFactory(now=now, options=IN_TURN, here=near_the_end("priestsofra", 3, *IN_TURN.items()))
    seat_id = seat_of(session, game, 0).id
    for count in range(standing_orders.MOST):
        assert not standing_orders.store(session, now, seat_id, f"when tiles = {count}: ask me").faults
    assert not standing_orders.store(session, now, seat_id, "when tiles = 3: ask me").faults, "in place of the same"
    assert "the most there can be" in str(standing_orders.store(session, now, seat_id, "ask me").faults[0])
    first = standing_orders.listed(session, seat_id)[0].id
    assert not standing_orders.store(session, now, seat_id, "ask me", instead=first).faults, "in place of another"
    for row in standing_orders.listed(session, seat_id):
        standing_orders.end(session, now, row.id, seat_id)
    play_to_the_end(session, now, game)
    assert "over" in str(standing_orders.store(session, now, seat_id, "ask me").faults[0])
    with pytest.raises(NotSeated):
        standing_orders.store(session, now, 4711, "ask me")


def test_nobody_else_learns_that_a_standing_order_exists(session: Session, now: datetime) -> None:
    """Two games alike but for one seat's standing order: the others see the same, ply by ply."""
    seen = []
    for ahead in (False, True):
        game = GameFactory(now=now, people=3, bots=(), options=IN_TURN, seed="standing-leak")
        seat = asked(session, game)[0].seat
        others = [number for number in range(3) if number != seat]
        if ahead:
            standing_orders.store(session, now, seat_of(session, game, seat).id, "for turn: draw")
        else:
            answer(session, now, game, seat, "draw")
        advance(session, now, game.id)
        session.commit()
        told = [seat_view.story(session, game.id, reader, 0, game.ply, ()) for reader in (*others, None)]
        views = [seat_view.situation(session, now, seat_of(session, game, reader).id).view for reader in others]
        seen.append((told, views))

    assert seen[0] == seen[1]
