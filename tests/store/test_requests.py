"""What the doors ask costs the same however many games there are: each statement goes by its indexes."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from sqlalchemy import event

from benchmarks.growth import grow
from pbem.capabilities import links
from pbem.extensions import db
from pbem.play.orders import submission
from pbem.play.turns.advance import advance
from pbem.play.views import seat_view
from pbem.store.models import Player
from tests.factories import START, GameFactory, answer, asked, seat_of

if TYPE_CHECKING:
    from flask import Flask

GAMES = 3_000
"""Enough for PostgreSQL to prefer an index to a walk through the table."""
WALK = re.compile(r"Seq Scan on (?:games|seats|plies|decisions)\b")


def test_no_door_walks_through_all_games(pg_app: Flask) -> None:
    """A page, a spectator's page, a preview, an order and a run, among many games: no table that grows is walked."""
    seen: list[tuple[str, Any]] = []

    def note(*call: Any) -> None:
        seen.append((call[2], call[3]))

    with pg_app.app_context():
        session = db.session()
        game = GameFactory(seed="growth", options={"auctions": "in_turn"})
        number = asked(session, game)[0].seat
        seat_id = seat_of(session, game, number).id
        reader = session.get_one(Player, seat_of(session, game, number).player_id)
        session.commit()
        grow(game.id, GAMES)

        event.listen(db.engine, "before_cursor_execute", note)
        seat_view.situation(session, START, seat_id)
        seat_view.situation(session, START, seat_id, game.ply)
        seat_view.watch(session, START, game.id)
        assert links.authorize_seat(session, START, seat_id, links.Keys({seat_id: 0}, {}))[1] is not None
        assert links.authorize_seat(session, START, seat_id, links.Keys({}, {reader.id: reader.epoch}))[1] is not None
        submission.preview(session, seat_id, "draw")
        answer(session, START, game, number, "draw")
        assert advance(session, START, game.id).plies
        event.remove(db.engine, "before_cursor_execute", note)

        asked_for = [(statement, values) for statement, values in seen if statement.startswith("SELECT")]
        plans = {
            statement: [row[0] for row in session.connection().exec_driver_sql(f"EXPLAIN {statement}", values)]
            for statement, values in asked_for
        }
        session.rollback()

    assert len(plans) > 5
    assert {statement: plan for statement, plan in plans.items() if WALK.search("\n".join(plan))} == {}
