"""A whole box entered by hand in a real browser: how long it takes a person, by strokes and looks."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from pbem.engine.registry import GAMES, box_of
from tests.browser.conftest import violations

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Page

    from tests.browser.conftest import Site

TEN_MINUTES = 600.0
STROKE, POINT, THINK = 0.28, 1.1, 1.35
"""Seconds for a key, for pointing at something and for making up one's mind: the Keystroke-Level Model of Card, Moran
and Newell (1980), for a person who types no more than they must."""
LOOK = 2.0
"""Seconds to find a thing on the table and read what it prints."""
FIELDS = """(group) => {
  const pieces = [...group.querySelectorAll(".pieces .piece:has(input[name=seen])")];
  const numbers = (piece) => [...piece.querySelectorAll(":scope > .row > .field > input")];
  window.fields = pieces.flatMap((piece) => [...numbers(piece), piece.querySelector("input[name=seen]")]);
  return window.fields.length;
}"""
"""How many steps there are in a group: for each thing in doubt its numbers in doubt, then its tick."""
STEP = """() => {
  const one = window.fields.shift();
  one.focus();
  if (one.name === "seen") return null;
  one.select();
  return one.value;
}"""
"""Steps on as the Tab key does, which marks what stands there; gives that, nothing at a tick."""
TICKED = """() => window.fields.splice(0).map((one) => {
  if (one.name !== "seen") return one.value;
  one.click();
  return null;
})"""
"""Ticks what is left of a group, whose numbers stay; gives the same for each step."""


@pytest.mark.parametrize("game", [game for game in GAMES if box_of(game)])
def test_a_box_is_entered_in_ten_minutes(site: Site, new_page: Callable[..., Page], game: str) -> None:
    """Every number in doubt typed anew and every thing ticked; all is kept, nothing left over.

    One group by keys, of whose strokes each is a message to the browser; the others, which are alike, by clicks.
    """
    seated, page = site.open_game(game), new_page(390)
    page.goto(seated.own_link)
    site.prove(page)
    page.goto(f"{site.url}{seated.club}/settings")
    page.locator(f'a[href$="/box/{game}"]').click()
    page.wait_for_url(f"**/box/{game}")
    seconds, groups = POINT, page.locator("form > details")
    for at in range(groups.count()):
        group = groups.nth(at)
        if group.get_attribute("open") is None:
            group.locator("summary").first.click()
            seconds += POINT
        steps = group.evaluate(FIELDS)
        values = page.evaluate(TICKED) if at else [entered(page) for _ in range(steps)]
        assert len(values) == steps
        assert at or None in values != [None] * steps
        seconds += sum(LOOK + STROKE * 2 if value is None else THINK + STROKE * (2 + len(value)) for value in values)
    assert page.evaluate("document.documentElement.scrollWidth") == 390
    assert violations(page) == []
    with page.expect_navigation():
        page.locator("button.primary").click()
    seconds += THINK + POINT

    assert page.locator("[role=status]").count() == 1
    assert page.locator("input[name=seen]").count() == 0
    assert seconds < TEN_MINUTES


def entered(page: Page) -> str | None:
    """Step to what comes next, type its number anew or tick it by keys; gives the number, nothing for a tick."""
    value: str | None = page.evaluate(STEP)
    if value is None:
        page.keyboard.press("Space")
    else:
        page.keyboard.type(value)
    return value
