from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from sqlalchemy import select

from pbem.errors import NotAllowed, TooLate
from pbem.play.admin import game_admin
from pbem.play.admin.action_log import AdminAction
from pbem.play.orders import takeback
from pbem.play.proof import record_export, replay_audit
from pbem.play.seats import proposals
from pbem.play.seats.proposals import ProposalPlan
from pbem.play.turns.advance import advance
from pbem.store.models import GameState, Letter, Player, StoredPly
from pbem.store.unit_of_work import Work
from tests.factories import GameFactory, answer, asked, newly_due, play_to_the_end, seat_of

if TYPE_CHECKING:
    from datetime import datetime

    from sqlalchemy.orm import Session

    from pbem.store.models import Game

IN_TURN = {"auctions": "in_turn"}


def called(session: Session, now: datetime, **wishes: object) -> tuple[Game, int]:
    """A game in which the first seat has just called Ra, nothing drawn; and that seat."""
    game = GameFactory(now=now, options=IN_TURN, seed="back", **wishes)
    seat = asked(session, game)[0].seat
    assert answer(session, now, game, seat, "ra").accepted
    advance(session, now, game.id, cap=1)
    session.commit()
    session.refresh(game)
    return game, seat


def test_what_others_have_seen_is_not_taken_back_alone(session: Session, now: datetime) -> None:
    """Calling Ra changes what the others see: the refusal names who has seen it, and leads to a proposal."""
    game, seat = called(session, now, people=3, bots=())
    GameFactory(now=now, plays=1)  # another game's draws are no chance of this one
    seat_id = seat_of(session, game, seat).id
    back = takeback.look_back(session, seat_id)

    assert (back.ply, back.chance, back.alone) == (1, False, False)
    assert set(back.saw) == {0, 1, 2} - {seat}
    with pytest.raises(TooLate, match="seen it already"):
        takeback.take_back(session, now, seat_id, back.ply)


def test_a_drawn_result_is_not_taken_back_alone(session: Session, now: datetime) -> None:
    """The tile is known by now."""
    game = GameFactory(now=now, people=1, bots=("random", "random"), options=IN_TURN, seed="drawn")
    answer(session, now, game, 0, "draw")
    advance(session, now, game.id, cap=1)
    session.commit()

    with pytest.raises(TooLate, match="drawn result"):
        takeback.take_back(session, now, seat_of(session, game, 0).id, game.ply)


def test_alone_with_bots_a_choice_can_be_taken_back(session: Session, now: datetime) -> None:
    """Nobody's observation changes: the ply before is in force again, as a new ply, and the seat is asked anew."""
    game = GameFactory(now=now, people=1, bots=("random", "random"), options=IN_TURN, seed="alone")
    ply = game.ply
    answer(session, now, game, 0, "ra")
    advance(session, now, game.id, cap=1)
    session.commit()
    seat_id, back = seat_of(session, game, 0).id, takeback.look_back(session, seat_of(session, game, 0).id)
    with pytest.raises(TooLate, match="moved on"):
        takeback.take_back(session, now, seat_id, back.ply - 1)  # from a page of the position before
    game.state = GameState.PAUSED
    assert takeback.look_back(session, seat_id).ply == -1
    game.state = GameState.RUNNING
    takeback.take_back(session, now, seat_id, back.ply)
    due = newly_due(session)
    session.commit()
    advance(session, now, game.id)
    session.commit()
    session.refresh(game)
    rows = session.execute(select(StoredPly).order_by(StoredPly.ply)).scalars().all()

    assert due == {Work.GAMES}
    assert [(row.kind, row.restores) for row in rows[ply + 1 :]] == [("orders", None), ("undo", ply)]
    assert rows[-1].digest == rows[ply].digest
    assert [(one.seat, one.kind, one.ply) for one in asked(session, game)] == [(0, "turn", game.ply + 1)]


def test_all_seats_together_can_go_back_over_anything(session: Session, now: datetime) -> None:
    """The last consent carries it out; the game goes on from there, and its record and audit stay sound.

    One that its organiser has paused goes on once that organiser says so.
    """
    game, seat = called(session, now, people=2, bots=("random",))
    for _ in range(6):
        for one in asked(session, game):
            answer(session, now, game, one.seat)
        advance(session, now, game.id)
        session.commit()
    session.refresh(game)
    other = 1 - seat if seat < 2 else 0
    first = seat_of(session, game, 0)
    proposed = proposals.propose(
        session,
        now,
        game.id,
        first.player_id or 0,
        ProposalPlan(kind="rewind", to_ply=0, reason="I clicked the wrong button."),
    )
    assert proposed.state == "open"
    told = session.scalars(select(Letter).where(Letter.kind == "talk")).one()
    assert (told.seat, told.data["said"]["params"]["ply"]) == (1, 0)
    with pytest.raises(NotAllowed, match="already"):
        proposals.propose(session, now, game.id, first.player_id or 0, ProposalPlan(kind="end"))

    rest = AdminAction(now=now, game=game, by=session.get_one(Player, game.organiser_id), reason="")
    game_admin.pause(session, rest)
    done = proposals.vote(session, now, proposed.proposal_id, seat_of(session, game, 1).id, yes=True)
    session.commit()
    assert (done.state, game.state, game.wake_at) == ("agreed", GameState.PAUSED, None)
    game_admin.resume(session, rest)
    session.commit()
    assert (game.state, game.wake_at) == (GameState.RUNNING, now)
    play_to_the_end_after(session, now, game)
    assert replay_audit.audit(session, game.id).faults == ()
    assert "undo: to 0" in record_export.record(session, game.id)
    assert other in {0, 1}


def play_to_the_end_after(session: Session, now: datetime, game: Game) -> None:
    """Ask anew after going back, then play on."""
    advance(session, now, game.id)
    session.commit()
    session.refresh(game)
    play_to_the_end(session, now, game)


def test_one_refusal_ends_a_proposal(session: Session, now: datetime) -> None:
    """Nothing changes, and a new proposal may be made."""
    game, _ = called(session, now, people=2, bots=("random",))
    first, second = (seat_of(session, game, number) for number in (0, 1))
    proposed = proposals.propose(session, now, game.id, first.player_id or 0, ProposalPlan(kind="end"))
    assert proposals.vote(session, now, proposed.proposal_id, second.id, yes=False).state == "refused"
    with pytest.raises(TooLate):
        proposals.vote(session, now, proposed.proposal_id, second.id, yes=True)
    again = proposals.propose(session, now, game.id, first.player_id or 0, ProposalPlan(kind="end"))
    assert proposals.vote(session, now, again.proposal_id, second.id, yes=True).state == "agreed"
    session.commit()
    session.refresh(game)

    assert (game.state, game.wake_at, game.outcome) == ("ended", None, None)
    assert asked(session, game) == []


@pytest.mark.parametrize("to_ply", [None, -1, 99])
def test_there_must_be_a_ply_to_go_back_to(session: Session, now: datetime, to_ply: int | None) -> None:
    """The refusal names the plies there are."""
    game, _ = called(session, now, people=2, bots=("random",))
    with pytest.raises(NotAllowed, match=f"Choose a position from 0 to {game.ply - 1}"):
        proposals.propose(session, now, game.id, game.organiser_id or 0, ProposalPlan(kind="rewind", to_ply=to_ply))
