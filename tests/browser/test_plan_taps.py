"""A plan at phone width: how many taps it takes beside the decision itself, and that what was tapped is what stands."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from sqlalchemy import select

from pbem.extensions import db
from pbem.store.models import StoredStandingOrders
from tests.browser.test_phone import PLAIN

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Locator, Page

    from tests.browser.conftest import Site

DECISION, MORE = 2, 4
"""Taps of a decision, as tests/browser/test_phone.py sends it from the board; and what a plan may take beyond it."""
PLANS = {
    "egizia": [".chip[data-value='Edfu']", ".chip[data-value='Sphinx']", ".chip[data-value='Obelisk']"],
    "amunre": [f"[data-limits] .row:nth-of-type({row}) .chips .chip:nth-child(5)" for row in (1, 2, 3)],
    "priestsofra": [".chip:has(input[value='plague'])", "[data-stepper]:has([name$='passes']) .chip:last-child"],
}
SAID = {"egizia": "ship to Obelisk", "amunre": "6 on", "priestsofra": 'when "plague" in lot'}


class Counted:
    """A page under a thumb that counts."""

    def __init__(self, page: Page) -> None:
        """Nothing is tapped yet."""
        self.page, self.taps = page, 0

    def tap(self, place: Locator) -> None:
        """Tap it as a finger would."""
        place.scroll_into_view_if_needed()
        place.click()
        self.taps += 1


@pytest.mark.parametrize("game", PLANS)
def test_a_plan_takes_at_most_four_taps_more_than_the_decision(
    site: Site, new_page: Callable[..., Page], game: str
) -> None:
    """Opened, tapped and put in force beside the decision, which stands on the same page."""
    page = new_page(390)
    page.goto(site.open_game(game).link)
    plan = Counted(page)
    assert page.locator(f'.board .pickable[data-target="{page.evaluate(PLAIN)}"]').count() >= 1
    beside = page.locator("section[aria-labelledby='plan-ahead']")
    plan.tap(beside.locator("details.fold > summary").last)
    form = beside.locator("form[id^='form-']")
    form.wait_for()
    for place in PLANS[game]:
        plan.tap(form.locator(place).first)
    with page.expect_navigation():
        plan.tap(form.locator("[name=act][value=store]"))
    with site.app.app_context():
        (stored,) = db.session.execute(select(StoredStandingOrders)).scalars()
        assert SAID[game] in stored.text
    assert plan.taps <= DECISION + MORE


def test_a_stepper_moves_a_number_by_one_and_stays_within_its_steps(site: Site, new_page: Callable[..., Page]) -> None:
    """Each button is one tap; a limit is one tap, too, and shows what it is."""
    seated = site.open_game("priestsofra")
    page = new_page(390)
    page.goto(seated.link)
    page.goto(f"{site.url}/seat/{seated.seat_id}/plan")
    tiles = page.locator("[data-stepper]:has([name$='tiles'])")
    before = int(tiles.locator("select").input_value())
    tiles.locator(".chip").last.click()
    assert int(tiles.locator("select").input_value()) == before + 1
    for _ in range(10):
        tiles.locator(".chip").first.click()
    assert tiles.locator("select").input_value() == "1"
    limit = page.locator("[data-limits] .row").first
    limit.locator(".chip").nth(1).click()
    assert limit.locator("select").input_value() == "0"
    assert limit.locator(".chip").nth(1).get_attribute("aria-pressed") == "true"
