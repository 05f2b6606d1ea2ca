"""Several hands at one game at once, on a real PostgreSQL, where locks mean something."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from typing import TYPE_CHECKING, TypeVar

import pytest
from sqlalchemy import func, select, text
from sqlalchemy.exc import DBAPIError

from pbem.extensions import db
from pbem.play.orders import standing_orders
from pbem.play.orders import submission as orders
from pbem.play.proof import replay_audit
from pbem.play.turns import advance as advancing
from pbem.play.turns.advance import NOTHING, advance
from pbem.store import unit_of_work
from pbem.store.models import Game, Letter, StoredOrder, StoredPly
from tests.factories import START, GameFactory, answer, answer_all, asked, seat_of, some_order
from tests.servers import PATIENCE, connect, lock_waiters, until

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from flask import Flask

T = TypeVar("T")


def at_once(app: Flask, deeds: Sequence[Callable[[], T]]) -> list[T]:
    """Do all `deeds` at the same moment, each in its own thread with its own session."""
    gate = threading.Barrier(len(deeds))

    def one(deed: Callable[[], T]) -> T:
        with app.app_context():
            gate.wait()
            return deed()

    with ThreadPoolExecutor(len(deeds)) as pool:
        return list(pool.map(one, deeds))


def run(game_id: int, *, hours: float = 0) -> advancing.AdvanceResult:
    """One worker's turn at a game."""
    done = advance(db.session(), START + timedelta(hours=hours), game_id)
    db.session.commit()
    return done


def send(seat_id: int, ply: int, words: str, request: str = "") -> orders.Receipt:
    """One browser's order."""
    submission = orders.Submission(seat_id=seat_id, ply=ply, text=words, request=request)
    receipt = orders.submit(db.session(), START, submission)
    db.session.commit()
    return receipt


def test_one_task_delivered_five_times_at_once_works_once(pg_app: Flask) -> None:
    """F11: of five workers one resolves the plies; the letters are there once."""
    with pg_app.app_context():
        game = GameFactory(game="amunre", people=2, bots=("random",), seed="five")
        game_id = game.id
        answer(db.session(), START, game, asked(db.session(), game)[0].seat)
    found = at_once(pg_app, [lambda: run(game_id)] * 5)

    assert sum(done.plies > 0 for done in found) == 1
    assert found.count(NOTHING) == 4
    with pg_app.app_context():
        causes = db.session.execute(select(Letter.cause)).scalars().all()
        assert len(set(causes)) == len(causes)
        assert replay_audit.audit(db.session(), game_id).faults == ()


@pytest.mark.parametrize("turn", range(6))
def test_last_orders_and_the_deadline_in_the_same_moment(pg_app: Flask, turn: int) -> None:
    """F15: whatever comes first, every order told accepted is the one played, every late one is told so."""
    with pg_app.app_context():
        session = db.session()
        game = GameFactory(game="amunre", people=3, bots=(), seed=f"race-{turn}")
        while len(found := asked(session, game)) < 3:
            answer_all(session, START, game)
        game_id, ply = game.id, game.ply + 1
        assert game.cover_at is not None
        late = (game.cover_at - START) / timedelta(hours=1)
        answer(session, START, game, found[0].seat)
        texts = {one.seat: some_order(session, game, one.seat, turn) for one in found[1:]}
        ids = {one.seat: seat_of(session, game, one.seat).id for one in found[1:]}
        session.commit()
    deeds: list[Callable[[], object]] = [lambda s=seat: send(ids[s], ply, texts[s]) for seat in texts]  # type: ignore[misc]  # a default binds the seat
    deeds.append(lambda: run(game_id, hours=late))
    receipts = [one for one in at_once(pg_app, deeds) if isinstance(one, orders.Receipt)]
    with pg_app.app_context():
        run(game_id, hours=late)
        played = db.session.execute(
            select(StoredPly).where(StoredPly.game_id == game_id, StoredPly.ply == ply)
        ).scalar_one()
        for seat, receipt in zip(texts, receipts, strict=True):
            if receipt.accepted:
                assert played.orders[str(seat)] == receipt.canonical
                assert played.hands[str(seat)] == "player"
            else:
                assert receipt.reason == "StalePhase"
                assert played.hands[str(seat)] == "autopilot"
        assert replay_audit.audit(db.session(), game_id).faults == ()


def test_a_double_click_is_one_order(pg_app: Flask) -> None:
    """F16: the same form sent four times at once is one order with one answer."""
    with pg_app.app_context():
        game = GameFactory(seed="click", options={"auctions": "in_turn"})
        one = asked(db.session(), game)[0]
        seat_id, ply = seat_of(db.session(), game, one.seat).id, one.ply
        db.session.commit()
    receipts = at_once(pg_app, [lambda: send(seat_id, ply, "draw", "nonce")] * 4)

    assert {(receipt.accepted, receipt.canonical) for receipt in receipts} == {(True, "draw")}
    assert len({receipt.order_id for receipt in receipts}) == 1
    with pg_app.app_context():
        assert db.session.execute(select(func.count()).select_from(StoredOrder)).scalar_one() == 1


def test_a_second_tab_changes_the_order_and_a_stale_tab_is_told(pg_app: Flask) -> None:
    """F16: the newest order counts until the ply resolves; a tab of the last ply is refused, its text kept."""
    with pg_app.app_context():
        session = db.session()
        game = GameFactory(seed="tabs", options={"auctions": "in_turn"})
        one = asked(session, game)[0]
        answer(session, START, game, one.seat, "draw", request="a")
        answer(session, START, game, one.seat, "ra", request="b")
        run(game.id)
        stale = send(seat_of(session, game, one.seat).id, one.ply, "draw", "c")
        played = session.execute(
            select(StoredPly.orders).where(StoredPly.game_id == game.id, StoredPly.ply == one.ply)
        ).scalar_one()
        kept = session.get_one(StoredOrder, stale.order_id)

        assert played[str(one.seat)] == "ra"
        assert (stale.accepted, stale.reason) == (False, "StalePhase")
        assert (kept.text, kept.kind) == ("draw", "refused")


def test_a_standing_order_stored_while_a_worker_waits_for_the_lock_is_used(pg_app: Flask, pg_url: str) -> None:
    """What the worker waited for is what it reads: it answers by the order, and doesn't ask in vain."""
    with pg_app.app_context():
        game = GameFactory(seed="ahead", options={"auctions": "in_turn"})
        game_id, ply = game.id, game.ply + 1
        seat = asked(db.session(), game)[0].seat
        seat_id = seat_of(db.session(), game, seat).id
        db.session.commit()
    stored = threading.Event()

    def owner() -> advancing.AdvanceResult:
        standing_orders.store(db.session(), START, seat_id, "for turn: draw")
        stored.set()
        with connect(pg_url) as onlooker:
            until(lambda: lock_waiters(onlooker), "the worker waits for the game")
        db.session.commit()
        return NOTHING

    def worker() -> advancing.AdvanceResult:
        assert stored.wait(PATIENCE)
        return run(game_id)

    at_once(pg_app, [owner, worker])
    with pg_app.app_context():
        played = db.session.execute(
            select(StoredPly).where(StoredPly.game_id == game_id, StoredPly.ply == ply)
        ).scalar_one()
        assert played.hands[str(seat)] == "standing"


class Freezer:
    """Holds the thread called `zombie` in the middle of a run, its transaction open."""

    def __init__(self) -> None:
        """Take the real `compute` along."""
        self.frozen, self.thaw = threading.Event(), threading.Event()
        self._compute = advancing.compute

    def __call__(self, *args: object) -> object:
        """Stop the zombie until it is thawed; let everybody else pass."""
        if threading.current_thread().name == "zombie":
            self.frozen.set()
            self.thaw.wait(PATIENCE)
        return self._compute(*args)  # type: ignore[arg-type]  # handed on as they came


def doomed(app: Flask, game_id: int, caught: list[DBAPIError]) -> None:
    """A run whose database session is ended after a second of silence."""
    with app.app_context():
        db.session.execute(text("SET idle_in_transaction_session_timeout = 1000"))
        try:
            run(game_id)
        except DBAPIError as fault:
            caught.append(fault)
            db.session.rollback()


def test_a_worker_that_was_frozen_can_not_write_when_it_wakes(pg_app: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
    """F12: the database gives its lock away; another worker goes on, and the sleeper's write is refused."""
    with pg_app.app_context():
        game = GameFactory(seed="zombie", options={"auctions": "in_turn"})
        game_id, ply = game.id, game.ply
        answer(db.session(), START, game, asked(db.session(), game)[0].seat, "draw")
    freezer, caught = Freezer(), list[DBAPIError]()
    monkeypatch.setattr(advancing, "compute", freezer)
    thread = threading.Thread(target=doomed, args=(pg_app, game_id, caught), name="zombie")
    thread.start()
    assert freezer.frozen.wait(PATIENCE)
    with pg_app.app_context():
        assert run(game_id).plies >= 1
    freezer.thaw.set()
    thread.join(PATIENCE)

    assert len(caught) == 1
    with pg_app.app_context():
        assert db.session.get_one(Game, game_id).ply > ply
        assert replay_audit.audit(db.session(), game_id).faults == ()


def test_a_ply_is_never_older_than_its_orders(pg_app: Flask) -> None:
    """F15: a worker that looked at its clock, then waited for the game, resolves after the order it waited for."""
    with pg_app.app_context():
        session = db.session()
        game = GameFactory(seed="late", options={"auctions": "in_turn"})
        (decision,) = asked(session, game)
        later = START + timedelta(seconds=9)
        assert answer(session, later, game, decision.seat).accepted
        game_id = game.id
        unit_of_work.wake(session, game, START)
        session.commit()

    with pg_app.app_context():
        assert run(game_id).plies > 0

        query = select(func.max(StoredPly.resolved_at)).where(StoredPly.game_id == game_id)
        assert db.session.execute(query).scalar_one() == later
        assert replay_audit.audit(db.session(), game_id).faults == ()
