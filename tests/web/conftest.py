"""A table for the doors' tests: Alice is to move, Bob waits, Charlie plays elsewhere and is a stranger here."""

from __future__ import annotations

import hashlib
import re
import sqlite3
from contextlib import closing
from datetime import timedelta
from html import unescape
from typing import TYPE_CHECKING, Any

import msgspec
import pytest
from sqlalchemy import select

from pbem.capabilities import browsers, links
from pbem.extensions import db
from pbem.store.models import Game, Player, Seat
from tests import built, factories

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from flask import Flask
    from flask.testing import FlaskClient
    from flask_sqlalchemy import SQLAlchemy
    from sqlalchemy.orm import Session
    from werkzeug.test import TestResponse

    from pbem.capabilities.tokens import Tokens
    from tests.conftest import Clock


class Browser:
    """Somebody's browser: cookies of its own, and forms sent as a person would send them."""

    def __init__(self, client: FlaskClient) -> None:
        """Start without cookies."""
        self.client = client

    def get(self, path: str, **more: Any) -> TestResponse:
        """Load a page, following redirects."""
        return self.client.get(path, follow_redirects=True, **more)

    def follow(self, link: str) -> None:
        """Open a link, without a look at the page that it leads to."""
        self.client.get(link)

    def prove(self, player_id: int) -> None:
        """Count as a browser that gave a mailed code within the hour, for all the test."""
        with self.client.session_transaction() as cookie:
            mark = cookie["mark"]
        row = browsers.acted(db.session(), factories.START, mark, player_id, "a test's")
        row.proved_until = factories.START + timedelta(days=3650)
        db.session.commit()

    def token(self, path: str) -> str:
        """The form token of a page."""
        found = re.search(r'name="csrf_token" value="([^"]+)"', self.get(path).text)
        assert found, f"no form on {path}"
        return found[1]

    def send(
        self, path: str, data: Mapping[str, Any] | None = None, *, page: str = "", follow: bool = False, **fields: Any
    ) -> TestResponse:
        """Post a form that stands on `page` (by default at its own address)."""
        filled = {"csrf_token": self.token(page or path), **(data or {}), **fields}
        return self.client.post(path, data=filled, follow_redirects=follow)


class Guest:
    """A person with a seat: their browser, their seat's number in the database, their link."""

    def __init__(self, app: Flask, seat: Seat, player: Player, token: str, player_token: str) -> None:
        """Open nothing yet."""
        self.browser = Browser(app.test_client())
        self.seat_id, self.seat, self.player_id = seat.id, seat.seat, player.id
        self.name = player.name
        self.link, self.own_link = f"/l/{token}", f"/l/{player_token}"

    def opened(self) -> Browser:
        """The browser, with the seat's link opened."""
        self.browser.follow(self.link)
        self.browser.prove(self.player_id)
        return self.browser

    def at_home(self) -> Browser:
        """The browser, with the person's own link opened."""
        self.browser.follow(self.own_link)
        self.browser.prove(self.player_id)
        return self.browser


def _set(session: Session, wishes: dict[str, Any]) -> tuple[int, int, int, int]:
    """Open both games and play to where a person is asked: the ids of Alice's game, her seat, Bob's and Charlie's."""
    game: Game = factories.GameFactory(**{"title": "Nile by Night", **wishes})
    awaited = {decision.seat for decision in factories.asked(session, game)}
    seats = session.execute(select(Seat).where(Seat.game_id == game.id, Seat.bot == "")).scalars().all()
    alice = next(seat for seat in seats if seat.seat in awaited)
    bob = next(seat for seat in seats if seat.id != alice.id)
    game.organiser_id = alice.player_id
    other: Game = factories.GameFactory(game="priestsofra", title="Elsewhere")
    charlie = factories.seat_of(session, other, 0)
    session.commit()
    return game.id, alice.id, bob.id, charlie.id


class Table:
    """A game with Alice to move, Bob waiting, and Charlie at another game."""

    def __init__(self, app: Flask, db: SQLAlchemy, wishes: dict[str, Any]) -> None:
        """Open both games and play to where a person is asked."""
        self.app, self.db = app, db
        self.tokens: Tokens = app.extensions["pbem.capabilities.tokens"]
        session = db.session()
        game, alice, bob, charlie = built.once(f"table {msgspec.json.encode(wishes)!r}", lambda: _set(session, wishes))
        self.game = session.get_one(Game, game)
        self.alice, self.bob, self.charlie = (self.guest(session.get_one(Seat, one)) for one in (alice, bob, charlie))

    def guest(self, seat: Seat) -> Guest:
        """The person in a seat."""
        player = self.db.session.get_one(Player, seat.player_id)
        token = links.seat_token(self.tokens, seat.id, seat.epoch, self.game.ply + 1)
        return Guest(self.app, seat, player, token, links.player_token(self.tokens, player.id, player.epoch))

    def without_bob(self) -> None:
        """Put a bot in Bob's seat: Alice plays against bots alone."""
        seat = self.db.session().get_one(Seat, self.bob.seat_id)
        seat.bot, seat.player_id = "random", None
        self.game.version += 1
        self.db.session().commit()

    def order(self, pick: int = 0) -> str:
        """A legal order for Alice."""
        return factories.some_order(self.db.session(), self.game, self.alice.seat, pick)

    def go_on(self) -> None:
        """Answer what is asked, at random, and resolve."""
        factories.answer_all(self.db.session(), factories.START, self.game)


@pytest.fixture
def table(app: Flask, db: SQLAlchemy, client: FlaskClient, clock: Clock) -> Table:  # noqa: ARG001 - the client sets requests apart, the clock stands still
    """Priests of Ra for two and a bot: Alice is asked for her turn."""
    return Table(app, db, {"game": "priestsofra"})


@pytest.fixture
def set_table(app: Flask, db: SQLAlchemy, client: FlaskClient, clock: Clock) -> Callable[..., Table]:  # noqa: ARG001 - as above
    """Give a function that sets a table of another kind."""
    return lambda **wishes: Table(app, db, wishes)


@pytest.fixture
def rows(app: Flask) -> Iterator[Callable[[], str]]:
    """Give a function that fingerprints the whole database."""
    with app.app_context():
        path = str(db.engine.url.database)
    with closing(sqlite3.connect(path, isolation_level=None)) as beside:
        known: dict[int, str] = {}  # by the number of the last change that others made

        def fingerprint() -> str:
            (version,) = beside.execute("PRAGMA data_version").fetchone()
            if version not in known:
                known[version] = hashlib.sha256("\n".join(beside.iterdump()).encode()).hexdigest()
            return known[version]

        yield fingerprint


def words(page: TestResponse) -> str:
    """The text of a page as it is read."""
    body = re.sub(r"(?s)<(script|style|svg)\b.*?</\1>", " ", page.text)
    body = re.sub(r'<a class="term"[^>]*>(.*?)</a>', r"\1", body)  # a word of a sentence, whatever it leads to
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", body)).split())
