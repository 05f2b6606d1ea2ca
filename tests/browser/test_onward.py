"""Two decisions on one page in a real browser: the next form appears below the first and keeps what is chosen in it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from pbem import clock
from pbem.capabilities import links
from pbem.extensions import db
from tests import factories
from tests.browser.conftest import violations

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Page

    from tests.browser.conftest import Site


def opened(site: Site) -> str:
    """The link into a game of Egizia in which one person alone still has ships to place."""
    with site.app.app_context():
        game = factories.GameFactory(game="egizia", people=2, bots=(), seed="b", plays=13, now=clock.now())
        (decision,) = factories.asked(db.session(), game)
        seat = factories.seat_of(db.session(), game, decision.seat)
        token = links.seat_token(site.app.extensions["pbem.capabilities.tokens"], seat.id, seat.epoch, game.ply + 1)
        return f"{site.url}/l/{token}"


@pytest.mark.parametrize("js", [True, False])
def test_the_next_step_is_chosen_below_the_first(site: Site, new_page: Callable[..., Page], js: bool) -> None:  # noqa: FBT001 - a parameter of the test
    """With and without a script: choose, see the second form, choose there, send both; the page says both."""
    page = new_page(js=js)
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.goto(opened(site))

    def choose(name: str, value: str) -> None:
        page.locator(f'input[name="{name}"][value="{value}"]').check(force=True)
        if not js:
            page.locator("button.look").click()

    if js:  # below the board the form is a sheet: the place is tapped there, and the next step waits to be opened
        place = page.locator('input[name="f-to"][value="B12"]').get_attribute("data-target")
        page.locator(f'.board .pickable[data-target="{place}"]').click()
        expect(page.locator('input[name="f-to"][value="B12"]')).to_be_checked()
        expect(page.locator('input[name="f2-to"][value="Obelisk slot 1"]')).to_be_hidden()
        expect(page.locator("#onward h2")).to_be_visible()
        page.locator("#onward .ahead").click()
    else:
        choose("f-to", "B12")
    expect(page.locator("#onward h2")).to_have_count(1)
    choose("f2-to", "Obelisk slot 1")
    expect(page.locator("#onward h2")).to_have_count(2)
    expect(page.locator('input[name="f2-to"][value="Obelisk slot 1"]')).to_be_checked()
    expect(page.locator("#preview code.order")).to_have_text("ship to B12; then ship to Obelisk, slot 1")
    if js:  # axe is a script itself
        assert violations(page) == []
    choose("f-to", "pass")
    expect(page.locator("#onward h2")).to_have_count(0)
    choose("f-to", "B12")
    expect(page.locator("#onward h2")).to_have_count(1)
    choose("f2-to", "Pyramid slot 1")
    expect(page.locator("#preview code.order")).to_have_text("ship to B12; then ship to Pyramid, slot 1")
    page.locator("button.send").click()

    expect(page.locator("#sent")).to_be_visible()
    expect(page.locator("code.order").first).to_have_text("ship to B12")
    assert errors == []
