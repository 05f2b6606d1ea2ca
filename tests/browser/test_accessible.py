from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from pbem.engine.registry import GAMES
from tests.browser.conftest import violations

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Page

    from tests.browser.conftest import Site


@pytest.mark.parametrize("game", GAMES)
def test_axe_finds_nothing_on_any_page(site: Site, new_page: Callable[..., Page], game: str) -> None:
    """Every page of a game and of its player, at phone width by day and at desk width by night: no violation."""
    seated = site.open_game(game, plays=2)
    seat, player = f"/seat/{seated.seat_id}", f"/player/{seated.player_id}"
    paths = [
        *(seat + tail for tail in ("", "/decide", "/ply/1", "/talk", "/standing", "/chair")),
        *(f"{player}/settings", f"/games/{seated.slug}", f"/games/{seated.slug}/ply/1", f"/organise/{seated.slug}"),
        *(
            seated.club + tail
            for tail in ("", "/members", "/open", "/control", "/seasons", f"/ratings/{seated.player_id}")
        ),
        f"{player}/account",
        *("/", "/queue", "/links", "/styleguide", f"/rules/{game}", "/mailbox/", "/nothing-here"),
    ]
    found = {}

    for width, night in ((390, False), (1280, True)):
        page = new_page(width, night=night)
        page.goto(seated.link)
        page.goto(seated.own_link)
        for path in paths:
            page.goto(site.url + path)
            assert page.evaluate("document.documentElement.scrollWidth") <= width, path
            wrong = violations(page)
            if wrong:
                found[path, width] = wrong

    assert found == {}


def test_axe_finds_nothing_without_scripts_and_on_refusals(site: Site, new_page: Callable[..., Page]) -> None:
    """The page as it comes, a refusal, a preview and a confirmation are as sound without our scripts."""
    page = new_page(390)
    page.route("**/*.js*", lambda route: route.abort())  # axe itself needs a browser that runs scripts
    page.goto(site.open_game("priestsofra").link)
    found = [violations(page)]

    page.locator("button.look").click()
    refused = page.locator("[role=alert]").inner_text()
    found.append(violations(page))
    page.locator("input[name=f-action]").first.check(force=True)
    page.locator("button.look").click()
    found.append(violations(page))
    page.locator("button.send").click()
    found.append(violations(page))

    assert "Nothing is chosen yet" in refused
    assert found == [[], [], [], []]
