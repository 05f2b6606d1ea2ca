"""Analysis: all seats by hand from what one seat may see; never more than the view, nothing stored but notes."""

from __future__ import annotations

import itertools
import re
from html import unescape
from typing import TYPE_CHECKING, Any

import msgspec
import pytest
from sqlalchemy import select

from pbem.cli.demo.correspondent import Page
from pbem.engine.core.rng import Rng
from pbem.engine.registry import GAMES, rules_of
from pbem.play.seats import notes
from pbem.store.models import Note, StoredOrder, StoredStandingOrders
from pbem.study import sandbox
from tests.factories import START

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.web.conftest import Table


def test_a_line_is_played_from_a_seats_page(table: Table) -> None:
    """The bot's guess is one tap; the line grows in the address, nothing is stored until notes are asked for."""
    browser, session = table.alice.opened(), table.db.session()
    before = len(session.execute(select(StoredOrder.id)).all())
    page = browser.get(f"/seat/{table.alice.seat_id}/ply/{table.game.ply}/analysis")
    for count in range(1, 4):
        guess = unescape(re.findall(r'name="guess" value="([^"]+)"', page.text)[0])
        page = browser.send(page.request.path, follow=True, guess=guess)
        assert page.status_code == 200
        assert len(page.data) < 100_000
        assert page.text.count('<li><a href="/seat/') >= count
    session.rollback()

    assert len(session.execute(select(StoredOrder.id)).all()) == before
    assert session.execute(select(Note.text)).all() == []
    browser.send(page.request.path, act="note")
    session.rollback()
    assert "; " in session.execute(select(Note.text)).scalar_one()


def test_a_stranger_and_a_line_that_is_none_find_nothing(table: Table) -> None:
    """Only who holds the seat looks from it; a running game has no analysis for spectators."""
    path = f"/seat/{table.alice.seat_id}/ply/{table.game.ply}/analysis"

    assert table.charlie.opened().get(path).status_code == 404
    assert table.alice.opened().get(f"{path}/nonsense").status_code == 404
    assert table.charlie.opened().get(f"/games/{table.game.slug}/ply/0/analysis").status_code == 404


def test_an_order_that_cant_be_is_said(table: Table) -> None:
    """One sentence beside the same choices."""
    path = f"/seat/{table.alice.seat_id}/ply/{table.game.ply}/analysis"
    page = table.alice.opened().send(path, text="dance")

    assert page.status_code == 422
    assert Page(page.text).alert


def positions(game: str, most: int) -> Iterator[tuple[int, int, int, Any]]:
    """Seats, a seat, the ply and the state of random positions, over random games of each number of seats."""
    rules, found = rules_of(game), 0
    for number in itertools.count():
        seats, chance = rules.meta.seats[number % len(rules.meta.seats)], Rng(f"walk{number}", 0)
        state = rules.setup(seats, {}, chance).state
        for ply in itertools.count(1):
            asked = rules.awaited(state)
            if not asked:
                break
            orders = {seat: rules.sample(state, seat, chance) for seat in asked}
            state = rules.resolve(state, orders, Rng(f"walk{number}", ply)).state
            if ply % 3 == 0:
                yield seats, (ply // 3) % seats, ply, state
                found += 1
            if found == most:
                return


@pytest.mark.parametrize("game", GAMES)
def test_it_shows_no_more_than_the_view_knows(game: str) -> None:
    """A thousand positions: states that look alike to a seat are the same ground for it, which shows what it sees."""
    rules, tried = rules_of(game), 0
    for seats, seat, ply, state in positions(game, 1000):
        view = rules.view(state, seat)
        other = rules.imagine(view, Rng(f"other{ply}", 0))
        ours = sandbox.imagined(rules, view, seats, "s", ply)
        theirs = sandbox.imagined(rules, rules.view(other, seat), seats, "s", ply)
        assert msgspec.json.encode(ours.start) == msgspec.json.encode(theirs.start)
        assert rules.view(msgspec.json.decode(ours.start, type=rules.state_type), seat) == view
        tried += 1

    assert tried == 1000


def test_a_kept_line_is_found_again(table: Table) -> None:
    """Its address in the notes leads back to it from any analysis of this seat; full notes say so and lose nothing."""
    browser, session = table.alice.opened(), table.db.session()
    path = f"/seat/{table.alice.seat_id}/ply/{table.game.ply}/analysis"
    guess = unescape(re.findall(r'name="guess" value="([^"]+)"', browser.get(path).text)[0])
    line = browser.send(path, follow=True, guess=guess)

    kept = browser.send(line.request.path, follow=True, act="note")

    assert "This line stands in your notes." in kept.text
    assert f'href="{line.request.path}"' in browser.get(path).text
    assert (
        table.bob.opened().get(f"/seat/{table.bob.seat_id}/ply/{table.game.ply}/analysis").text.count("Lines you") == 0
    )
    notes.keep(session, START, table.alice.seat_id, "x" * notes.LONGEST)
    session.commit()
    full = browser.send(line.request.path, act="note")
    session.rollback()
    assert full.status_code == 422
    assert "have no room for this line" in full.text
    assert notes.note_of(session, table.alice.seat_id) == "x" * notes.LONGEST


def test_a_line_becomes_a_plan_of_its_own_orders(table: Table) -> None:
    """One tap shows the own orders of the line as a standing order with what it would do, the next puts it in force."""
    browser, session = table.alice.opened(), table.db.session()
    path = f"/seat/{table.alice.seat_id}/ply/{table.game.ply}/analysis"
    page = browser.get(path)
    assert "Make my orders" not in page.text
    for _ in range(4):
        guess = unescape(re.findall(r'name="guess" value="([^"]+)"', page.text)[0])
        page = browser.send(page.request.path, follow=True, guess=guess)
    plan = unescape(re.findall(r'(?s)name="text" value="(this round[^"]+)"', page.text)[0])
    standing = f"/seat/{table.alice.seat_id}/standing"

    shown = browser.send(standing, text=plan, act="check")
    browser.send(standing, text=plan, act="store")

    session.rollback()
    assert shown.status_code == 200
    assert "What it would do today" in shown.text
    stored = session.execute(select(StoredStandingOrders.text)).scalar_one()
    assert stored.splitlines()[1] == plan.splitlines()[1]
    line = sandbox.unpack(page.request.path.rpartition("/")[2])
    assert 0 < len(plan.splitlines()[1].split("; then ")) < len(line)  # the others' orders of the line are not hers


def test_no_plan_is_made_of_an_earlier_position(table: Table) -> None:
    """From a position that is past, or of a game that is over, orders can't be given ahead any more."""
    past = table.game.ply
    table.go_on()
    table.go_on()
    browser = table.alice.opened()
    page = browser.get(f"/seat/{table.alice.seat_id}/ply/{past}/analysis")
    guess = unescape(re.findall(r'name="guess" value="([^"]+)"', page.text)[0])

    assert "Make my orders" not in browser.send(page.request.path, follow=True, guess=guess).text
