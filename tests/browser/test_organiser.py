"""An organiser's afternoon in a real browser: guests, a game that waits for them, its desk, the control room."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import select

from pbem.extensions import db
from pbem.store.tables import Game
from tests.browser.conftest import violations

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Page

    from tests.browser.conftest import Site


@pytest.mark.parametrize("width", [390, 1280])
def test_a_game_waits_for_its_players(site: Site, new_page: Callable[..., Page], width: int) -> None:
    """Guests from a list, a game with a limit, its last seat filled, another called off; every page is sound."""
    seated = site.open_game("priestsofra")
    page = new_page(width)
    found: dict[str, list[str]] = {}

    def go(path: str) -> None:
        page.goto(site.url + path)
        look(path)

    def look(name: str) -> None:
        wide = page.evaluate("document.documentElement.scrollWidth")
        found[name] = violations(page) + ([f"{wide} px wide"] if wide > width else [])
        if folder := os.environ.get("PBEM_PICTURES"):
            page.screenshot(path=f"{folder}/{len(found)}-{width}.png", full_page=True)

    page.goto(seated.own_link)
    go(f"{seated.club}/members")
    page.fill("#people", "jm@example.org;Jürgen\njm@example.org;Jürgen\n")
    page.get_by_role("button", name="Send the invitations").click()
    page.get_by_text("1 of the list was in the club or invited already.").wait_for()
    look("members, invited")

    for title in ("Filled", "Called off"):
        page.goto(f"{site.url}{seated.club}/open?game=priestsofra")
        page.fill("#title", title)
        page.select_option("#seat-0", str(seated.player_id))
        page.select_option("#seat-1", "")
        for number in (2, 3, 4):
            page.select_option(f"#seat-{number}", "-")
        page.fill("#join", "7")
        page.select_option("#then", "close")
        look(f"open, {title}")
        page.get_by_role("button", name="Open it and invite the players").click()
        page.get_by_role("link", name=title).wait_for()
    look("club")
    page.get_by_role("link", name="Filled").click()
    page.get_by_text("It waits for them until").wait_for()
    look("desk")
    page.get_by_role("button", name="Fill it").click()
    page.get_by_text("The game runs.").wait_for()

    go(f"{seated.club}/control?state=open")
    page.get_by_label("Called off").check()
    page.select_option("#act", "call-off")
    page.get_by_role("button", name="See what it would do").click()
    page.get_by_text("The game will be called off.").wait_for()
    look("sure")
    page.get_by_role("button", name="Do it").click()
    page.get_by_text("Done in 1 game.").wait_for()
    look("control")

    assert {name: faults for name, faults in found.items() if faults} == {}
    with site.app.app_context():
        states = {row.title: row.state for row in db.session.execute(select(Game.title, Game.state))}
    assert (states["Filled"], states["Called off"]) == ("running", "withdrawn")
