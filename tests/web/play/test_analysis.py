"""Analysis: all seats by hand from what one seat may see; never more than the view, nothing stored but notes."""

from __future__ import annotations

import re
from html import unescape
from typing import TYPE_CHECKING

import msgspec
import pytest
from sqlalchemy import select

from pbem.engine.core.rng import Rng
from pbem.engine.registry import GAMES, rules_of
from pbem.store.models import Note, StoredOrder
from pbem.study import sandbox

if TYPE_CHECKING:
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
    assert 'role="alert"' in page.text


@pytest.mark.parametrize("game", GAMES)
def test_it_shows_no_more_than_the_view_knows(game: str) -> None:
    """States that look alike to a seat are the same ground for it, and that ground shows what the seat sees."""
    rules = rules_of(game)
    seats = rules.meta.seats[0]
    chance = Rng("walk", 0)
    state = rules.setup(seats, {}, chance).state
    for ply in range(1, 40):
        asked = rules.awaited(state)
        if not asked:
            break
        state = rules.resolve(
            state, {seat: rules.sample(state, seat, chance) for seat in asked}, Rng("walk", ply)
        ).state
        view = rules.view(state, 0)
        other = rules.imagine(view, Rng(f"other{ply}", 0))
        ours = sandbox.imagined(rules, view, seats, "s", ply)
        theirs = sandbox.imagined(rules, rules.view(other, 0), seats, "s", ply)
        assert msgspec.json.encode(ours.start) == msgspec.json.encode(theirs.start)
        assert rules.view(msgspec.json.decode(ours.start, type=rules.state_type), 0) == view
