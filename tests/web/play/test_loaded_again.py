"""Pages loaded again: never another reader's, never what has changed since, and with few statements."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import event

from pbem.capabilities import links
from pbem.extensions import db
from pbem.play.orders import standing_orders
from pbem.store.models import GameState, Note, Player
from tests import factories
from tests.web.conftest import Browser, words

if TYPE_CHECKING:
    from collections.abc import Callable

    from flask import Flask

    from tests.web.conftest import Table


def test_two_readers_of_one_table_get_their_own_pages(set_table: Callable[..., Table]) -> None:
    """Whoever loaded first, each finds their own choices, hand and words, in their own language."""
    table = set_table(game="amunre", people=3, bots=(), seed="apart")
    session = table.db.session()
    while not ((asked := factories.asked(session, table.game)) and asked[0].secret):
        table.go_on()
    guests = [table.guest(factories.seat_of(session, table.game, decision.seat)) for decision in asked[:2]]
    session.get_one(Player, guests[1].player_id).language = "fr"
    session.commit()
    hands: list[list[str]] = []
    for _ in range(2):
        shown = [guest.opened().get(f"/seat/{guest.seat_id}/decide").text for guest in guests]

        assert ['lang="en"' in shown[0], 'lang="fr"' in shown[1]] == [True, True]
        hands.append([re.findall(r'(?s)<section class="card hand".*?</section>', page)[0] for page in shown])
        assert hands[-1][0] != hands[-1][1]
    assert hands[0] == hands[1]


def test_no_two_browsers_share_a_form_token(table: Table, app: Flask) -> None:
    """Two browsers of one player get form tokens of their own, and each form a mark of its own."""
    found = []
    for _ in range(2):
        browser = Browser(app.test_client())
        browser.get(table.alice.link)
        page = browser.get(f"/seat/{table.alice.seat_id}/decide").text
        tokens = set(re.findall(r'name="csrf_token" value="([^"]+)"', page))
        marks = set(re.findall(r'name="request" value="([^"]+)"', page))
        assert [len(tokens), len(marks)] == [1, 1]
        found.append(tokens | marks)

    assert not found[0] & found[1]


def test_a_revoked_link_opens_nothing(table: Table) -> None:
    """From the moment the link is renewed the browser that held it is a stranger's."""
    browser, path = table.alice.opened(), f"/seat/{table.alice.seat_id}/decide"
    assert browser.get(path).status_code == 200
    links.fresh(table.db.session(), factories.START, table.alice.seat_id)
    table.db.session.commit()

    assert browser.get(path).status_code == 404


def test_an_order_and_a_changed_name_are_seen_at_once(table: Table) -> None:
    """What can still change stands on the page as it is now."""
    browser, path = table.alice.opened(), f"/seat/{table.alice.seat_id}/decide"
    before = words(browser.get(path))
    session = table.db.session()
    session.get_one(Player, table.bob.player_id).name = "Robert the Renamed"
    session.commit()
    browser.send(path, {"f-action": "ra"}, act="send", ply=table.game.ply + 1, seen="ra")
    after = words(browser.get(path))

    assert "Robert the Renamed" not in before
    assert "Your order stands" not in before
    assert "Robert the Renamed" in after
    assert "Your order stands" in after


def renamed(table: Table) -> str:
    """The game gets another title."""
    table.game.title = "Nile by Day"
    return "Nile by Day"


def noted(table: Table) -> str:
    """The reader writes a note."""
    table.db.session.add(
        Note(
            game_id=table.game.id,
            seat=table.alice.seat,
            player_id=table.alice.player_id,
            text="Hold the Nile",
            updated_at=factories.START,
        )
    )
    return "Hold the Nile"


def drafted(table: Table) -> str:
    """The reader keeps a draft."""
    factories.answer(table.db.session(), factories.START, table.game, table.alice.seat, "ra", draft=True)
    return "Your draft is kept"


def answered_ahead(table: Table) -> str:
    """The reader stores a standing order."""
    assert not standing_orders.store(table.db.session(), factories.START, table.alice.seat_id, "for turn: ra").faults
    return "for turn: ra"


def moved(table: Table) -> str:
    """The deadline moves."""
    table.game.due_at = factories.asked(table.db.session(), table.game)[0].due_at = datetime(2031, 5, 6, tzinfo=UTC)
    table.game.version += 1
    return "Tuesday 6 May"


def posted(table: Table) -> str:
    """The letter that asks is accepted by the next server."""
    factories.asked(table.db.session(), table.game)[0].letter_at = factories.START
    return "Last letter accepted"


def paused(table: Table) -> str:
    """The game rests."""
    table.game.state = GameState.PAUSED
    return "The game is paused by the organiser."


def translated(table: Table) -> str:
    """The reader takes another language."""
    table.db.session.get_one(Player, table.alice.player_id).language = "fr"
    return "Pioches-tu une tuile"


CHANGES = (renamed, noted, drafted, answered_ahead, moved, posted, paused, translated)


@pytest.mark.parametrize("change", CHANGES, ids=lambda change: change.__name__)
def test_a_page_loaded_again_shows_every_change_at_once(table: Table, change: Callable[[Table], str]) -> None:
    """Loaded again it is the same; whatever changed stands on it the next time."""
    browser, path = table.alice.opened(), f"/seat/{table.alice.seat_id}/decide"
    before = words(browser.get(path))
    assert words(browser.get(path)) == before
    new = change(table)
    table.db.session.commit()
    after = words(browser.get(path))

    assert new not in before
    assert new in after


@pytest.mark.parametrize(("path", "most"), [("/seat/{seat}/decide", 2), ("/seat/{seat}", 3)])
def test_a_page_asks_the_database_little(table: Table, path: str, most: int) -> None:
    """One statement for the reader, their queue and all at the table, one for what happened since."""
    browser = table.alice.opened()
    page = path.format(seat=table.alice.seat_id)
    browser.get(page)
    asked: list[str] = []

    def note(_connection: object, _cursor: object, statement: str, *_: object) -> None:
        if not statement.startswith(("PRAGMA", "BEGIN")):
            asked.append(statement)

    event.listen(db.engine, "before_cursor_execute", note)
    browser.get(page)
    event.remove(db.engine, "before_cursor_execute", note)

    assert len(asked) <= most, asked
