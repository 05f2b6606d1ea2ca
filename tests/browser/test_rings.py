"""The numbers on a board and beside the events, followed in a real browser by key and by tap."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from pbem.engine.registry import GAMES

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Page

    from tests.browser.conftest import Site

FOCUSED = "document.activeElement.id"
CHOSEN = "[...document.querySelectorAll('form.decide input:checked')].map((input) => input.name + input.value)"
SEEN = """element => {
  const { top, bottom } = element.getBoundingClientRect();
  return top >= 0 && bottom <= window.innerHeight;
}"""


@pytest.mark.parametrize("game", GAMES)
def test_a_number_leads_to_its_event_and_back(site: Site, new_page: Callable[..., Page], game: str) -> None:
    """Enter on the ring's number shows the event in words, its own number leads back to the ring; nothing is chosen."""
    page = new_page(390)
    page.goto(site.open_game(game, plays=2).link)
    ring = page.locator("figure.board svg a").first
    assert page.locator("figure.board svg:has(a)").first.get_attribute("role") == "group"

    ring.focus()
    page.keyboard.press("Enter")
    event = page.locator("li:target")
    assert event.evaluate(SEEN)
    number = event.locator("a.n")
    assert number.inner_text() == ring.locator("text").text_content()

    number.click()
    page.wait_for_function("document.activeElement.matches('svg a')")
    assert page.evaluate(FOCUSED) in {one.get_attribute("id") for one in page.locator("svg a").all()}
    assert page.locator("figure.board svg a:target").evaluate(SEEN)
    assert page.locator("figure.board .picked").count() == 0


def test_a_tap_on_a_number_chooses_nothing(site: Site, new_page: Callable[..., Page]) -> None:
    """The number lies above an element that can be chosen: a tap on it only goes to the event."""
    page = new_page(390)
    page.goto(site.open_game("priestsofra", plays=2).link)

    chosen = page.evaluate(CHOSEN)

    page.locator("figure.board svg a circle + circle").first.click()

    assert page.locator("li:target").evaluate(SEEN)
    assert page.evaluate(CHOSEN) == chosen
