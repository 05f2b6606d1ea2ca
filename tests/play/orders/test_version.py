"""An order is read without a lock and counts only if its game is as it was read: on PostgreSQL, one statement each."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec
import pytest
from sqlalchemy import event, func, select

from pbem.errors import NotSeated
from pbem.extensions import db
from pbem.play.admin import game_admin
from pbem.play.admin.action_log import AdminAction
from pbem.play.orders import submission
from pbem.play.orders.submission import Submission
from pbem.play.seats import proposals, substitutes
from pbem.play.turns.advance import advance
from pbem.store.models import Game, Letter, OpenDecision, Player, Seat, StoredOrder
from pbem.store.queries import order_writes
from pbem.store.unit_of_work import Work
from tests.factories import START, GameFactory, PlayerFactory, answer, answer_all, asked, newly_due, seat_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from flask import Flask

ALONE = {"auctions": "in_turn"}


def meanwhile(monkeypatch: pytest.MonkeyPatch, app: Flask, change: Callable[[], None]) -> list[bool]:
    """Let `change` be done and committed by somebody else between an order's first read and its write.

    Gives, write by write, whether the game was as it was read; writes of `change` count.
    """
    inner, found, changes = order_writes.keep, list[bool](), [change]

    def keep(*given: Any, **how: Any) -> tuple[bool, int | None]:
        while changes:
            with app.app_context():
                changes.pop()()
                db.session.commit()
        done = inner(*given, **how)
        found.append(done[0])
        return done

    monkeypatch.setattr(order_writes, "keep", keep)
    return found


def order_of(game: Game, seat: int, text: str) -> Submission:
    """An order of a seat for the ply that is asked."""
    return Submission(seat_id=seat_of(db.session(), game, seat).id, ply=game.ply + 1, text=text)


def pause(game_id: int) -> None:
    """The organiser lets the game rest."""
    session = db.session()
    game = session.get_one(Game, game_id)
    game_admin.pause(
        session, AdminAction(now=START, game=game, by=session.get_one(Player, game.organiser_id), reason="")
    )


def end(game_id: int) -> None:
    """All agree to play no further."""
    session = db.session()
    first, second = session.scalars(select(Seat).where(Seat.game_id == game_id, Seat.player_id.is_not(None)))
    begun = proposals.propose(session, START, game_id, first.player_id or 0, proposals.ProposalPlan(kind="end"))
    proposals.vote(session, START, begun.proposal_id, second.id, yes=True)


def resign(game_id: int, seat: int) -> None:
    """Somebody leaves, and the bot plays on."""
    substitutes.resign(db.session(), START, seat_of(db.session(), db.session.get_one(Game, game_id), seat).id)


def resolve(game_id: int, seat: int) -> None:
    """The same seat's order of another tab is played."""
    answer(db.session(), START, db.session.get_one(Game, game_id), seat, "ra")
    advance(db.session(), START, game_id)


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (lambda game_id, _: pause(game_id), "PhaseClosed"),
        (lambda game_id, _: end(game_id), "GameOver"),
        (resolve, "StalePhase"),
    ],
    ids=["paused", "ended", "resolved"],
)
def test_what_happens_between_read_and_write_is_seen(
    pg_app: Flask, monkeypatch: pytest.MonkeyPatch, change: Callable[[int, int], None], reason: str
) -> None:
    """The order is looked at anew, and refused as if it had come later; its text is kept."""
    with pg_app.app_context():
        game = GameFactory(options=ALONE)
        seat = asked(db.session(), game)[0].seat
        sent, game_id = order_of(game, seat, "draw"), game.id
        db.session.commit()
        fresh = meanwhile(monkeypatch, pg_app, lambda: change(game_id, seat))
        receipt = submission.submit(db.session(), START, sent)
        db.session.commit()

        assert (receipt.accepted, receipt.reason, fresh[-1]) == (False, reason, False)
        assert receipt.order_id > 0


def test_the_last_two_orders_at_once_make_the_game_due(pg_app: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each read the other as missing; whoever writes second sees it, and knows that nobody is missing any more."""
    with pg_app.app_context():
        session = db.session()
        game = GameFactory(game="amunre", people=3, bots=())
        while len(asked(session, game)) < 2:
            answer_all(session, START, game)
        first, second, *others = (one.seat for one in asked(session, game))
        for seat in others:
            answer(session, START, game, seat)
        session.commit()
        game_id, ply = game.id, game.ply + 1
        text = answer(session, START, game, first).canonical
        session.rollback()
        newly_due(session)

        def other() -> None:
            answer(db.session(), START, db.session.get_one(Game, game_id), second)

        fresh = meanwhile(monkeypatch, pg_app, other)
        sent = Submission(seat_id=seat_of(session, game, first).id, ply=ply, text=text)
        assert submission.submit(session, START, sent).accepted
        assert Work.GAMES in newly_due(session)
        session.commit()
        open_ones = select(OpenDecision.seat).where(OpenDecision.ply == ply, OpenDecision.order_id.is_(None))
        assert session.execute(open_ones.where(~OpenDecision.optional)).all() == []
        assert fresh == [True, False, True]


def test_a_form_sent_twice_at_once_is_one_order(pg_app: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
    """Both read before either wrote: whoever writes second looks again, and gets the receipt of the first."""
    with pg_app.app_context():
        session = db.session()
        game = GameFactory(options=ALONE)
        sent = msgspec.structs.replace(order_of(game, asked(session, game)[0].seat, "draw"), request="form")
        session.commit()
        first: list[int] = []
        fresh = meanwhile(
            monkeypatch, pg_app, lambda: first.append(submission.submit(db.session(), START, sent).order_id)
        )
        second = submission.submit(session, START, sent)
        session.commit()
        version = session.get_one(Game, game.id, populate_existing=True).version
        third = submission.submit(session, START, sent)
        session.commit()

        assert [second.order_id, third.order_id] == first * 2
        assert fresh == [True, False, True, True]
        assert session.get_one(Game, game.id, populate_existing=True).version == version
        assert session.execute(select(func.count()).select_from(StoredOrder)).scalar_one() == 1


def test_an_order_that_never_finds_its_game_still_locks_it(pg_app: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
    """A game that moves at every look is locked in the end, and the order counts."""
    with pg_app.app_context():
        game = GameFactory(options=ALONE)
        sent = order_of(game, asked(db.session(), game)[0].seat, "draw")
        db.session.commit()
        inner, locks = order_writes.question, list[bool]()

        def question(*given: Any, locked: bool) -> order_writes.Question | None:
            locks.append(locked)
            found = inner(*given, locked=locked)
            if locked or found is None:
                return found
            return found._replace(at=found.at._replace(version=found.at.version - 1))

        monkeypatch.setattr(order_writes, "question", question)

        assert submission.submit(db.session(), START, sent).accepted
        assert tuple(locks) == submission.LOOKS


def test_an_order_takes_two_statements(pg_app: Flask) -> None:
    """One read of all that is needed and one write, where it is the last that was waited for; the key is the door's."""
    with pg_app.app_context():
        game = GameFactory(options=ALONE)
        sent = order_of(game, asked(db.session(), game)[0].seat, "draw")
        db.session.commit()
        words: list[str] = []
        event.listen(db.engine, "before_cursor_execute", lambda *given: words.append(given[2].split(maxsplit=1)[0]))
        assert submission.submit(db.session(), START, sent).accepted
        db.session.commit()

        assert words == ["SELECT", "WITH"]
        db.session.refresh(game)
        assert game.wake_at == START


def orders_seen(app: Flask) -> int:
    """How many orders somebody else sees."""
    with app.app_context():
        return db.session.execute(select(func.count()).select_from(StoredOrder)).scalar_one()


@pytest.mark.parametrize(("source", "seen"), [("api", 1), ("mail", 0)])
def test_an_order_that_nothing_follows_holds_by_itself(pg_app: Flask, source: str, seen: int) -> None:
    """It needs no commit; one that brings a receipt is stored with its letter or, as here, not at all."""
    with pg_app.app_context():
        game = GameFactory(options=ALONE)
        sent = msgspec.structs.replace(order_of(game, asked(db.session(), game)[0].seat, "draw"), source=source)
        db.session.commit()
        assert submission.submit(db.session(), START, sent).accepted
        assert orders_seen(pg_app) == seen
        db.session.rollback()

        assert orders_seen(pg_app) == seen
        assert db.session.execute(select(Letter).where(Letter.kind == "receipt")).all() == []


@pytest.mark.parametrize("substitute", [False, True])
def test_who_left_meanwhile_gave_no_order(pg_app: Flask, monkeypatch: pytest.MonkeyPatch, *, substitute: bool) -> None:
    """Of a seat handed over between read and write nothing is stored: neither a bot nor a person decides by it."""
    with pg_app.app_context():
        game, newcomer = GameFactory(options=ALONE), PlayerFactory()
        seat = asked(db.session(), game)[0].seat
        sent, game_id, to, by = order_of(game, seat, "draw"), game.id, newcomer.id, game.organiser_id
        db.session.commit()

        def leave() -> None:
            if substitute:
                substitutes.replace(db.session(), START, game_id, seat, to, by or 0)
            else:
                resign(game_id, seat)

        fresh = meanwhile(monkeypatch, pg_app, leave)
        with pytest.raises(NotSeated):
            submission.submit(db.session(), START, sent)

        assert fresh == [False]
        assert db.session.scalars(select(StoredOrder)).all() == []
