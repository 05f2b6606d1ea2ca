"""After an outage deadlines are moved while players are already sending orders again: neither undoes the other."""

from __future__ import annotations

import threading
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from sqlalchemy import event

from pbem.extensions import db
from pbem.play.deadlines import reminders
from pbem.play.turns.advance import advance
from pbem.store.models import Game
from tests.factories import START, GameFactory, answer, asked
from tests.servers import PATIENCE

if TYPE_CHECKING:
    from flask import Flask
    from sqlalchemy.engine import Connection

LATER = START + timedelta(hours=2)


def test_an_order_that_comes_while_time_is_given_back_is_not_forgotten(pg_app: Flask) -> None:
    """F19: the last order arrives between reading and moving the deadlines; the game is due all the same."""
    with pg_app.app_context():
        session = db.session()
        game = GameFactory(seed="outage", options={"auctions": "in_turn"})
        game_id, seat = game.id, asked(session, game)[0].seat
        reminders.give_time_back(session, START)
        session.commit()
    sent = threading.Event()

    def send() -> None:
        with pg_app.app_context():
            assert answer(db.session(), LATER, db.session.get_one(Game, game_id), seat, "draw").accepted
            sent.set()

    player = threading.Thread(target=send)

    def interrupt(_connection: Connection, _cursor: object, statement: str, *_: Any) -> None:
        """Let the player send just before the games are written; one who has to wait for us is let wait."""
        if statement.startswith("UPDATE games") and not player.is_alive() and not sent.is_set():
            player.start()
            sent.wait(1)

    with pg_app.app_context():
        event.listen(db.engine, "before_cursor_execute", interrupt)
        reminders.give_time_back(db.session(), LATER)
        event.remove(db.engine, "before_cursor_execute", interrupt)
        db.session.commit()
    player.join(PATIENCE)
    with pg_app.app_context():
        after = db.session.get_one(Game, game_id)

        assert sent.is_set()
        assert after.wake_at == LATER
        assert after.cover_at is not None
        assert after.cover_at > LATER + timedelta(hours=2)


def test_a_bell_before_the_first_sweep_takes_nobodys_turn(pg_app: Flask) -> None:
    """After an outage over a deadline a game is made due, by a standing order say: nobody is covered or reminded."""
    with pg_app.app_context():
        session = db.session()
        game = GameFactory(seed="outage", options={"auctions": "in_turn"})
        game_id = game.id
        reminders.give_time_back(session, START)
        session.commit()
        back = START + timedelta(days=3)
        assert game.cover_at is not None
        assert game.cover_at < back

        assert advance(session, back, game_id).plies == 0
        assert reminders.remind(session, back) == 0

        reminders.give_time_back(session, back)
        session.commit()
        assert game.cover_at > back
        later = game.cover_at + timedelta(seconds=1)
        for minutes in range(4, int((later - back).total_seconds() / 60) + 4, 4):
            reminders.give_time_back(session, back + timedelta(minutes=minutes))
        assert advance(session, later, game_id).plies > 0


def test_the_last_order_after_an_outage_is_not_put_off_with_the_deadline(pg_app: Flask) -> None:
    """F15: the last order comes when the deadline has passed during an outage; time given back leaves the game due."""
    with pg_app.app_context():
        session = db.session()
        game = GameFactory(seed="outage", options={"auctions": "in_turn"})
        reminders.give_time_back(session, START)
        session.commit()
        back = START + timedelta(days=3)

        assert answer(session, back, game, asked(session, game)[0].seat, "draw").accepted
        reminders.give_time_back(session, back + timedelta(seconds=1))
        session.commit()

        session.refresh(game)
        assert game.cover_at is not None
        assert game.cover_at > back
        assert game.wake_at == back
