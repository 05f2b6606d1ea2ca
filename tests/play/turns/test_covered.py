"""What answers for a seat that missed its deadline: its draft, or a careful bot within its limits."""

from __future__ import annotations

from collections import Counter
from datetime import timedelta
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import select, update

from pbem.engine.registry import GAMES
from pbem.letter_kinds import PUTS_QUESTION
from pbem.letters import content, context
from pbem.letters.unsubscribe import SAFETY
from pbem.letters.writer import preview
from pbem.mail import outbox
from pbem.play.deadlines import delivery_clock, fallback, waiting_reasons
from pbem.play.turns.advance import LADDER, NOTHING, advance
from pbem.store.models import Lane, Letter, Player, StoredPly
from pbem.store.queries import common
from tests.factories import GameFactory, PlayerFactory, answer, answer_all, asked, letters, seat_of
from tests.letters.test_writer import HOUSE

if TYPE_CHECKING:
    from datetime import datetime

    from sqlalchemy.orm import Session

ABOUT_A_TURN = ("your_turn", "phase_report", "covered")


def test_every_rung_of_a_ladder_is_told() -> None:
    """Before the deadline what would answer, after it what did; the ladders of ours are made of rungs there are."""
    own = set(fallback.RUNGS) - {"cautious"}  # the safe default, which is told where nothing else is

    assert set(waiting_reasons._RUNGS) == own
    assert set(content._COVERED) == own | {"heuristic"}  # which seats of before 1.0 may have on theirs
    assert {*LADDER, *SAFETY} <= set(fallback.RUNGS)


def test_who_misses_the_deadline_is_answered_for(session: Session, now: datetime) -> None:
    """At `cover_at` the cautious order is played, everybody is told so, and the player has a letter about it."""
    game = GameFactory(now=now)
    (decision,) = asked(session, game)
    cover = game.cover_at
    assert cover is not None
    assert advance(session, cover - timedelta(seconds=1), game.id) == NOTHING
    session.commit()
    done = advance(session, cover, game.id)
    session.commit()
    ply = session.execute(
        select(StoredPly).where(StoredPly.game_id == game.id, StoredPly.ply == decision.ply)
    ).scalar_one()

    assert done.plies >= 1
    assert ply.hands == {str(decision.seat): "autopilot"}
    assert b"ran out of time" in ply.events
    assert [letter.seat for letter in letters(session, "covered")] == [decision.seat]
    assert letters(session, "covered")[0].data == {"by": "cautious", "answered": 1}


def test_who_was_answered_for_gets_one_letter(session: Session, now: datetime) -> None:
    """It asks the next question and tells the news, as a letter of its own would, and the deadline waits for it too."""
    again = 0
    for game in [GameFactory(game=name, now=now, people=3, bots=()) for name in GAMES] * 3:
        session.execute(update(Letter).values(state="sent"))
        late = game.cover_at
        assert late is not None
        advance(session, late, game.id)
        session.commit()
        written = session.scalars(select(Letter).where(Letter.state == "pending", Letter.kind.in_(ABOUT_A_TURN))).all()
        asks = {one.seat for one in asked(session, game) if one.opened_at == late and not one.ahead}
        assert len({letter.seat for letter in written}) == len(written)
        assert asks <= {letter.seat for letter in written}
        due = game.due_at
        anew = [letter for letter in written if letter.kind == "covered" and letter.seat in asks]
        for letter in anew:
            delivery_clock.accepted(session, late + timedelta(days=2), letter)
        reached = {one.seat for one in asked(session, game) if one.letter_at == late + timedelta(days=2)}
        assert reached == {letter.seat for letter in anew}
        assert due is not None
        assert game.due_at is not None
        assert (game.due_at > due) is bool(anew)
        again += len(anew)
    assert again


@pytest.mark.parametrize("plies", range(3))
def test_a_question_is_put_by_one_letter_however_late_it_leaves(session: Session, now: datetime, plies: int) -> None:
    """The letter about a missed deadline waits for the morning; the game goes on meanwhile, and asks by another."""
    for name in GAMES:
        game = GameFactory(game=name, now=now, people=3, bots=())
        session.execute(update(Letter).values(state="sent"))
        late = game.cover_at
        assert late is not None
        minute = late.hour * 60 + late.minute
        night = {"sleeps": (minute - 60) % 1440, "wakes": (minute + 180) % 1440}
        session.execute(update(Player).values(quiet=True, zone="UTC", **night))
        session.commit()
        advance(session, late, game.id)
        session.commit()
        for number in range(plies):
            answer_all(session, late + timedelta(minutes=1 + number), game)
        assert all(letter.next_try_at > late + timedelta(hours=1) for letter in letters(session, "covered"))
        morning, put = late + timedelta(hours=4), Counter[int | None]()
        for claimed in outbox.claim(session, morning, 100, "one"):
            told = context.context(session, morning, claimed.letter)
            assert told is not None or claimed.letter.kind != "covered"
            if told is not None and told.situation is not None and claimed.letter.kind in PUTS_QUESTION:
                put[claimed.letter.seat] += told.situation.asked is not None
            outbox.settle(session, morning, claimed, "sent" if told else "dropped")

        anew = {one.seat for one in asked(session, game) if one.opened_at >= late}
        assert anew <= {seat for seat, times in put.items() if times == 1}
        assert max(put.values()) <= 1


def test_letters_of_a_missed_deadline_let_others_overtake(session: Session, now: datetime) -> None:
    """A deadline may pass in thousands of games at once; who plays meanwhile doesn't wait for all those letters."""
    late, lively = GameFactory(now=now, seed="late"), GameFactory(now=now, seed="lively")
    session.execute(update(Letter).values(state="sent"))
    cover = late.cover_at
    assert cover is not None
    advance(session, cover, late.id)
    answer_all(session, cover, lively)
    advance(session, cover, lively.id)
    session.commit()
    leaving = [claimed.letter for claimed in outbox.claim(session, cover + timedelta(days=1), 100, "one")]

    games = [letter.game_id for letter in leaving]
    assert {late.id, lively.id} == set(games)
    assert games == sorted(games, key=lambda game_id: game_id == late.id)
    assert {letter.lane for letter in leaving if letter.game_id == late.id} == {Lane.CLOCK}


def test_a_saved_draft_is_played_before_the_cautious_order(session: Session, now: datetime) -> None:
    """A draft doesn't count as an answer, but it is what the player would have wanted."""
    game = GameFactory(now=now, options={"auctions": "in_turn"})
    (decision,) = asked(session, game)
    assert answer(session, now, game, decision.seat, "ra", draft=True).accepted
    assert asked(session, game) != []
    advance(session, game.cover_at, game.id)
    session.commit()
    ply = session.execute(
        select(StoredPly).where(StoredPly.game_id == game.id, StoredPly.ply == decision.ply)
    ).scalar_one()

    assert ply.orders == {str(decision.seat): "ra"}
    assert letters(session, "covered")[0].data == {"by": "draft", "answered": 1}


def test_a_draft_is_played_for_who_kept_it_alone(session: Session, now: datetime) -> None:
    """Not for who takes the seat over, and who sits in keeps none: nobody would see it, and it was played first.

    Nor where who kept it has another seat by now.
    """
    game = GameFactory(now=now, options={"auctions": "in_turn"})
    (decision,) = asked(session, game)
    sitter = {"source": "sitter", "player_id": PlayerFactory.create().id}
    answer(session, now, game, decision.seat, "ra", draft=True)
    kept = answer(session, now, game, decision.seat, "draw", draft=True, **sitter)
    assert common.drafts(session, game.id, decision.ply) == {decision.seat: "ra"}

    theirs, other = seat_of(session, game, decision.seat), seat_of(session, game, 1 - decision.seat)
    other.player_id, theirs.player_id = theirs.player_id, sitter["player_id"]
    session.flush()

    assert (kept.accepted, kept.reason) == (False, "NotAllowed")
    assert common.drafts(session, game.id, decision.ply) == {}


def test_the_cautious_bot_keeps_off_what_it_may_never_do(session: Session, now: datetime) -> None:
    """A seat that forbids the bot its kind of decision is waited for; the game doesn't wake for it in vain."""
    game = GameFactory(now=now)
    (decision,) = asked(session, game)
    fallback.set_ladder(session, seat_of(session, game, decision.seat).id, [], never=[decision.kind])
    session.commit()
    cover = game.cover_at
    done = advance(session, cover, game.id)
    session.commit()
    session.refresh(game)

    assert done.plies == 0
    assert game.wake_at is None
    assert [one.seat for one in asked(session, game)] == [decision.seat]


def test_who_was_answered_for_while_others_are_waited_for_is_told_with_the_ply(session: Session, now: datetime) -> None:
    """Of two seats past the deadline one is covered and one must be waited for: the sentence comes with their ply.

    The letter asks the covered one for nothing: what they were asked has its answer.
    """
    game = GameFactory(game="amunre", now=now, people=3, bots=())
    while len(asked(session, game)) == 1:
        answer_all(session, now, game)
    covered, *waited = asked(session, game)
    for decision in waited:
        fallback.set_ladder(session, seat_of(session, game, decision.seat).id, [], never=[decision.kind])
    session.commit()
    assert advance(session, game.cover_at, game.id).plies == 0
    session.commit()
    told = context.context(session, now, letters(session, "covered")[-1])
    assert told is not None
    assert preview(told, HOUSE)[0].subject.endswith("Your time ran out; we played for you")
    answer_all(session, now, game)
    ply = session.execute(
        select(StoredPly).where(StoredPly.game_id == game.id, StoredPly.ply == covered.ply)
    ).scalar_one()

    assert ply.hands[str(covered.seat)] == "autopilot"
    assert ply.events.count(b"ran out of time") == 1
