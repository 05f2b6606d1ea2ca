"""An organiser's afternoon in a real browser: guests, a game that waits for them, its own page, the control room."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import select

from pbem.extensions import db
from pbem.store.models import Game
from tests.browser.conftest import violations

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Page

    from tests.browser.conftest import Seated, Site


WIDTHS = (1280, 390)
"""A desktop window and a phone's."""


class Walk:
    """An organiser going from page to page; what is wrong with each is kept."""

    def __init__(self, site: Site, page: Page) -> None:
        """Begin nowhere."""
        self.site, self.page = site, page
        self.wrong: dict[str, list[str]] = {}

    def go(self, path: str) -> None:
        """Open a page of the site, and look at it."""
        self.page.goto(self.site.url + path)
        self.look(path)

    def look(self, name: str) -> None:
        """Note what axe finds in each window, and whether the page is wider than it."""
        for width in WIDTHS:
            self.page.set_viewport_size({"width": width, "height": 844})
            wide = self.page.evaluate("document.documentElement.scrollWidth")
            found = violations(self.page) + ([f"{wide} px wide"] if wide > width else [])
            if found:
                self.wrong[f"{name} at {width} px"] = found

    def press(self, button: str, then: str) -> None:
        """Press a button, wait for what it leads to, and look at that."""
        self.page.get_by_role("button", name=button).click()
        self.page.get_by_text(then).first.wait_for()
        self.look(then)


def open_one(walk: Walk, seated: Seated, title: str) -> None:
    """Fill in the form: Alice, whoever comes, and nobody else; a week, then it is called off."""
    walk.go(f"{seated.club}/open?game=priestsofra")
    walk.page.fill("#title", title)
    for number, who in enumerate((str(seated.player_id), "", "-", "-", "-")):
        walk.page.select_option(f"#seat-{number}", who)
    walk.page.fill("#join", "7")
    walk.page.select_option("#then", "close")
    walk.press("Open it and invite the players", "It waits for them until")


def test_a_game_waits_for_its_players(site: Site, new_page: Callable[..., Page]) -> None:
    """Guests from a list, a game with a limit, its last seat filled, another called off; every page is sound.

    Each page is looked at in both windows; the last one is a phone's, so a phone is what everything is done with.
    """
    seated = site.open_game("priestsofra")
    walk = Walk(site, new_page(WIDTHS[-1]))
    walk.page.goto(seated.own_link)
    site.prove(walk.page)

    walk.go(f"{seated.club}/members")
    walk.page.fill("#people", "jm@example.org;Jürgen\njm@example.org;Jürgen\n")
    walk.press("Send the invitations", "In the club or invited already: jm@example.org.")

    for title in ("Called off", "Filled"):
        open_one(walk, seated, title)
    walk.look("administration")
    walk.press("Fill it", "The game runs.")

    walk.go(f"{seated.club}/control?state=open")
    walk.page.get_by_label("Called off").check()
    walk.page.select_option("#act", "call-off")
    walk.press("See what it would do", "The game will be called off.")
    walk.press("Do it", "Done in 1 game.")

    assert walk.wrong == {}
    with site.app.app_context():
        states = {row.title: row.state for row in db.session.execute(select(Game.title, Game.state))}
    assert (states["Filled"], states["Called off"]) == ("running", "withdrawn")
