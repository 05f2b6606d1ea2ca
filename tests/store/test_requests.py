"""What the doors ask costs the same however many games there are: each statement goes by its indexes."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from psycopg import RawCursor
from sqlalchemy import event, text

from benchmarks.growth import grow
from pbem.capabilities import links
from pbem.extensions import db
from pbem.play.orders import submission
from pbem.play.turns.advance import advance
from pbem.play.views import seat_view
from pbem.store.models import Player
from pbem.store.queries import common, game_pages
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
        driver: Any = session.connection().connection.driver_connection
        cursors: dict[type, Any] = {list: RawCursor(driver), dict: driver.cursor()}  # our own number their values
        plans = {
            statement: [row[0] for row in cursors[type(values)].execute(f"EXPLAIN {statement}", values)]
            for statement, values in asked_for
        }
        session.rollback()

    assert len(plans) > 5
    assert {statement: plan for statement, plan in plans.items() if WALK.search("\n".join(plan))} == {}


def test_a_seats_news_come_with_its_table_as_by_themselves(pg_app: Flask) -> None:
    """From the ply of its newest own order on, each with its moment and events; of a game's first ply, too."""
    with pg_app.app_context():
        session, counts = db.session(), set[int]()
        for plays in (0, 1, 8):
            game = GameFactory(seed="news", plays=plays)
            session.execute(text("UPDATE plies SET resolved_at = resolved_at + ply * interval '1.000003 s'"))
            session.commit()
            for seat, player in common.seats_of(session, game.id):
                if player is not None:
                    found = game_pages.held_table(session, seat.id, {seat.id: 0}, {}, ())
                    assert found is not None
                    assert found.table.news == game_pages.news(session, game.id, game.ply, seat.seat)
                    counts.add(len(found.table.news or ()))

    assert min(counts) == 1
    assert max(counts) > 1
