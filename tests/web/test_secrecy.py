from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from tests import factories
from tests.web.conftest import Browser

if TYPE_CHECKING:
    from collections.abc import Callable

    from werkzeug.test import TestResponse

    from tests.web.conftest import Table

LONGEST = 60
"""Decisions until the first offering, and more."""


def shown(page: TestResponse) -> str:
    """A page without what is drawn anew for each loading."""
    assert page.status_code == 200
    return re.sub(r'name="(csrf_token|request)" value="[^"]*"', "", page.text)


@pytest.fixture
def offering(set_table: Callable[..., Table]) -> Table:
    """Amun-Re at a moment when Alice and Bob are both asked in secret."""
    table = set_table(game="amunre", people=2, bots=("cautious",), seed="nile")
    session = table.db.session()
    for _ in range(LONGEST):
        asked = factories.asked(session, table.game)
        if all(decision.secret for decision in asked) and len(asked) == 2:
            return table
        table.go_on()
    raise AssertionError(asked)


@pytest.mark.parametrize("pick", [0, 1])
def test_nobody_learns_who_has_answered_a_secret_question_or_how(offering: Table, pick: int) -> None:
    """Bob's pages, the spectators', the organiser's and the queue are the same, byte for byte, before and after."""
    alice, bob = offering.alice, offering.bob
    offering.game.organiser_id = bob.player_id
    offering.db.session.commit()
    bob.opened()
    bob.at_home()
    stranger = Browser(offering.app.test_client())
    seat, slug = f"/seat/{bob.seat_id}", offering.game.slug
    own = [f"{seat}{tail}" for tail in ("", "/decide", "/score", "/standing", "/settings")]
    own += [f"/organise/{slug}", "/queue"]
    public = [f"/games/{slug}", f"/games/{slug}/score", "/"]
    before = [shown(bob.browser.get(path)) for path in own] + [shown(stranger.get(path)) for path in public]
    order = offering.order(pick)

    answer = alice.opened().send(
        f"/seat/{alice.seat_id}/decide", act="send", ply=offering.game.ply + 1, text=order, seen=order
    )

    assert answer.status_code == 303
    after = [shown(bob.browser.get(path)) for path in own] + [shown(stranger.get(path)) for path in public]
    assert after == before
    assert f'<code class="order">{order}</code>' in alice.browser.get(f"/seat/{alice.seat_id}/decide").text


def test_a_standing_order_shows_to_nobody_else(table: Table) -> None:
    """Bob's, the spectators' and the organiser's pages are the same whether Alice has standing orders or not."""
    alice, bob = table.alice, table.bob
    bob.opened()
    seat, slug = f"/seat/{bob.seat_id}", table.game.slug
    paths = [seat, f"{seat}/score", f"{seat}/standing", f"{seat}/talk", f"{seat}/settings", f"/games/{slug}"]
    before = [shown(bob.browser.get(path)) for path in paths]

    alice.opened().send(f"/seat/{alice.seat_id}/standing", act="store", text="until changed\nask me")

    assert "ask me</pre>" in alice.browser.get(f"/seat/{alice.seat_id}/standing").text
    assert [shown(bob.browser.get(path)) for path in paths] == before
