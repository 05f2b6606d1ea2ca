"""Killed in the middle: whatever statement a run dies at, nothing is half done and the next run does it all."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self

import pytest
from sqlalchemy import event, func, select

from pbem.extensions import db
from pbem.play.proof import replay_audit
from pbem.play.turns.advance import advance
from pbem.store.models import Game, Letter, OpenDecision, StoredOrder, StoredPly, StoredStandingOrders
from tests.factories import START, GameFactory, answer, asked

if TYPE_CHECKING:
    from collections.abc import Callable

    from flask import Flask
    from sqlalchemy.engine import Connection

BOTH = pytest.mark.parametrize("which", ["app", "pg_app"])
TABLES = (StoredPly, Letter, OpenDecision, StoredOrder, StoredStandingOrders)


class Killed(BaseException):
    """The process died here; nothing in the program may catch it."""


class Killer:
    """Cuts the database connection at statement number `at` of whatever is done under it."""

    def __init__(self, at: int) -> None:
        """Take the number, counted from 1; 0 never strikes and only counts."""
        self.at = at
        self.count = 0

    def __enter__(self) -> Self:
        """Begin to listen."""
        event.listen(db.engine, "before_cursor_execute", self.strike)
        event.listen(db.engine, "commit", self.strike_at_commit)
        return self

    def __exit__(self, *_: object) -> None:
        """Listen no more."""
        event.remove(db.engine, "before_cursor_execute", self.strike)
        event.remove(db.engine, "commit", self.strike_at_commit)

    def strike(self, connection: Connection, *_: Any) -> None:
        """Count, and cut if it is time."""
        self.strike_at_commit(connection)

    def strike_at_commit(self, connection: Connection) -> None:
        """Count a commit as a statement of its own."""
        self.count += 1
        if self.count == self.at:
            connection.connection.dbapi_connection.close()  # type: ignore[union-attr]  # it is open
            raise Killed


def killed(deed: Callable[[], object], at: int) -> int:
    """Do `deed` and commit, killed at statement `at`; how many statements there were until then."""
    with Killer(at) as killer:
        try:
            deed()
            db.session.commit()
        except Killed:
            db.session.close()
            db.engine.dispose()
    return killer.count


def counts(game_id: int) -> dict[str, int]:
    """How many rows each table has of a game."""
    found = {
        table.__tablename__: db.session.execute(
            select(func.count()).select_from(table).where(table.game_id == game_id)
        ).scalar_one()
        for table in TABLES
    }
    db.session.commit()
    return found


def scene() -> Game:
    """A game whose last order is in: a draw, with another and a bad one chained to it."""
    game = GameFactory(people=2, bots=("random",), seed="crash", options={"auctions": "in_turn"})
    answer(db.session(), START, game, asked(db.session(), game)[0].seat, "draw; then draw; then flip none")
    return game


@BOTH
def test_killed_at_any_statement_of_advance_no_ply_is_half_written(which: str, request: pytest.FixtureRequest) -> None:
    """F2: for every n, a run killed at its n-th statement leaves nothing, and the next gives the same game."""
    app: Flask = request.getfixturevalue(which)
    with app.app_context():
        whole = scene().id
        total = killed(lambda: advance(db.session(), START, whole), 0)
        expected = counts(whole)
        digest = replay_audit.audit(db.session(), whole).digest
        db.session.commit()
        assert total > 6
        for n in range(1, total + 1):
            game_id = scene().id
            before = counts(game_id)
            assert killed(lambda g=game_id: advance(db.session(), START, g), n) == n  # type: ignore[misc]  # bound now
            assert counts(game_id) == before
            advance(db.session(), START, game_id)
            db.session.commit()
            assert counts(game_id) == expected
            assert replay_audit.audit(db.session(), game_id).digest == digest
            db.session.commit()


@BOTH
def test_killed_at_any_statement_of_submit_the_order_is_there_or_not(
    which: str, request: pytest.FixtureRequest
) -> None:
    """F17: a browser that got no answer sends again; the order is there once, and it is the one that counts."""
    app: Flask = request.getfixturevalue(which)
    with app.app_context():
        session = db.session()
        counted = GameFactory(seed="submit", options={"auctions": "in_turn"})
        seat = asked(session, counted)[0].seat
        with Killer(0) as killer:
            answer(session, START, counted, seat, "draw", request="nonce")
        for n in range(1, killer.count + 1):
            game = GameFactory(seed="submit", options={"auctions": "in_turn"})
            game_id, ply = game.id, game.ply + 1
            killed(lambda g=game: answer(db.session(), START, g, seat, "draw", request="nonce"), n)  # type: ignore[misc]  # bound now
            found = db.session.get_one(Game, game_id)
            assert answer(db.session(), START, found, seat, "draw", request="nonce").canonical == "draw"
            rows = db.session.execute(select(StoredOrder).where(StoredOrder.game_id == game_id)).scalars().all()
            decision = db.session.execute(
                select(OpenDecision).where(OpenDecision.game_id == game_id, OpenDecision.ply == ply)
            ).scalar_one()
            assert [row.canonical for row in rows] == ["draw"]
            assert decision.order_id == rows[0].id
            db.session.commit()
