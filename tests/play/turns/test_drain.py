"""Workers that carry on what is due, side by side on PostgreSQL: each game once, and none lost with its worker."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import event, func, select, text
from sqlalchemy.exc import DBAPIError

from pbem.extensions import db
from pbem.play.seats import opening
from pbem.play.turns.advance import advance, advance_next
from pbem.store.models import Game, Letter, StoredPly
from pbem.store.queries import ply_inputs
from pbem.store.statements import Statement
from tests.conftest import forget_torn
from tests.factories import START, GameFactory, answer, asked

if TYPE_CHECKING:
    from flask import Flask
    from sqlalchemy.orm import Session

GAMES = 6


def due_games(count: int) -> list[int]:
    """Games whose last order is in."""
    session, found = db.session(), []
    for number in range(count):
        game = GameFactory(seed=f"due {number}", options={"auctions": "in_turn"})
        answer(session, START, game, asked(session, game)[0].seat, "draw")
        session.commit()
        found.append(game.id)
    return found


def drain(app: Flask) -> list[int]:
    """Carry on what is due until nothing is, one commit each; the games."""
    with app.app_context():
        found = []
        while (done := advance_next(db.session(), START)) is not None:
            db.session.commit()
            found.append(done.game)
        return found


def test_two_drains_at_once_do_each_game_once(pg_app: Flask) -> None:
    """Each takes what the other hasn't; together all, and no ply twice."""
    with pg_app.app_context():
        games = due_games(GAMES)
        before = db.session.execute(select(func.count()).select_from(StoredPly)).scalar_one()
        db.session.rollback()
        with ThreadPoolExecutor(2) as pool:
            found = [game for one in pool.map(drain, [pg_app, pg_app]) for game in one]

        assert sorted(found) == games
        assert db.session.execute(select(func.count()).select_from(StoredPly)).scalar_one() >= before + GAMES
        assert db.session.execute(select(Game.id).where(Game.wake_at <= START)).all() == []


def test_a_drain_killed_in_the_middle_leaves_its_game_to_others(pg_app: Flask) -> None:
    """What it committed stays; the game it was at is as before, and free at once."""
    with pg_app.app_context():
        games = due_games(2)
        session = db.session()
        assert advance_next(session, START) is not None
        session.commit()
        half = advance_next(session, START)
        assert half is not None
        pid = session.execute(text("SELECT pg_backend_pid()")).scalar_one()
        with pg_app.app_context():
            assert advance_next(db.session(), START) is None  # the other still holds it
            db.session.execute(text("SELECT pg_terminate_backend(:pid)"), {"pid": pid})
            db.session.commit()
        with pytest.raises(DBAPIError):
            session.commit()
        session.rollback()
        assert half.game == games[1]
        assert drain(pg_app) == [half.game]
    forget_torn()


def test_a_game_whose_bot_thinks_is_anothers_once_its_lease_ends(pg_app: Flask) -> None:
    """Until then nobody takes it; then only its own message does, and the first thinker's order comes too late."""
    bots = tuple(opening.SeatPlan(bot=name) for name in ("search:0.01", "random", "random"))
    with pg_app.app_context():
        session = db.session()
        game = opening.open_game(session, START, opening.GamePlan(game="priestsofra", seats=bots, seed="thinker"))
        session.commit()
        first = advance_next(session, START)
        session.commit()
        assert first is not None
        assert first.lease is not None
        assert advance_next(session, first.lease - timedelta(seconds=1)) is None
        assert advance_next(session, first.lease) is None  # it may be what killed the first: left to the sweep
        second = advance(session, first.lease, game.id)
        session.commit()
        thoughts = {(thought.ply, thought.seat): thought.ponder() for thought in first.think}

        assert advance(session, first.lease, game.id, thoughts=thoughts, lease=first.lease).game == 0
        assert advance(session, first.lease, game.id, thoughts=thoughts, lease=second.lease).plies > 0


def test_a_ply_costs_two_statements(pg_app: Flask) -> None:
    """Claimed and read by one, written with what is asked next, its letters and its game by the other."""
    with pg_app.app_context():
        game = GameFactory(people=4, bots=(), options={"auctions": "in_turn"})
        session = db.session()
        answer(session, START, game, asked(session, game)[0].seat, "draw")
        session.commit()
        words: list[str] = []
        event.listen(db.engine, "before_cursor_execute", lambda *given: words.append(given[2].split(maxsplit=1)[0]))
        done = advance_next(session, START)
        session.commit()

        assert done is not None
        assert done.plies == 1
        assert words == ["WITH", "WITH"]
        told = select(Letter.kind).where(Letter.game_id == game.id, Letter.ply == 1)
        assert session.scalars(told).all() == ["your_turn"]


def test_a_claim_that_read_an_older_game_reads_again(pg_app: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
    """The row is locked as it is now, the rest was read when the statement began: the versions tell."""
    with pg_app.app_context():
        games, read = due_games(1), list[int]()
        inner = ply_inputs.inputs

        def inputs(session: Session, game_id: int) -> ply_inputs.PlyInputs | None:
            read.append(game_id)
            return inner(session, game_id)

        monkeypatch.setattr(ply_inputs, "inputs", inputs)
        seen, due = ply_inputs._SEEN, ply_inputs._DUE
        older = select(seen.c.version - 1).where(seen.c.id == due.c.id).scalar_subquery()
        monkeypatch.setattr(ply_inputs, "_CLAIM", Statement(ply_inputs._inputs(due, older)))
        assert advance_next(db.session(), START) is not None

        assert read == games
