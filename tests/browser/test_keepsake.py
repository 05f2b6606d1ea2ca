"""A finished game: its one file, opened from disk without a network; the look back on it; its film."""

from __future__ import annotations

from typing import TYPE_CHECKING

import httpx

from pbem import clock
from pbem.extensions import db
from tests import factories
from tests.browser.conftest import SCHEMES, spilt, violations

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from playwright.sync_api import Page

    from tests.browser.conftest import Site


TOP = "element => element.getBoundingClientRect().top"
FEW = "[...document.querySelectorAll('.step')].slice(3, -3).forEach((one) => one.remove())"
"""Leaves six of the positions, which are alike: axe would go over hundreds of boards."""


def finished(site: Site) -> str:
    """The public name of a game that was played to its end."""
    with site.app.app_context():
        game = factories.GameFactory(game="amunre", people=0, bots=("random",) * 3, now=clock.now())
        factories.play_to_the_end(db.session(), clock.now(), game)
        slug: str = game.slug
    return slug


def kept(site: Site, folder: Path) -> Path:
    """The file of a finished game."""
    slug = finished(site)
    path = folder / "kept.html"
    path.write_bytes(httpx.get(f"{site.url}/games/{slug}/keepsake.html", timeout=60).content)
    return path


def test_a_keepsake_is_leafed_through_offline(site: Site, new_page: Callable[..., Page], tmp_path: Path) -> None:
    """Buttons and arrow keys show one position after the other; nothing is asked of a network, nothing goes wrong."""
    path = kept(site, tmp_path)
    page = new_page(390)
    page.context.set_offline(True)
    wrong: list[str] = []
    page.on("console", lambda said: wrong.append(said.text))
    page.on("requestfailed", lambda request: wrong.append(request.url))
    page.goto(path.as_uri())
    step, last = page.locator(".step:visible"), page.locator(".step").count() - 1

    seen = [step.get_attribute("aria-label")]
    page.locator("#before").click()
    seen.append(step.get_attribute("aria-label"))
    page.locator("#after").click()
    seen.append(step.get_attribute("aria-label"))
    assert page.locator("#after").is_disabled()
    page.locator("h1").click()
    page.keyboard.press("ArrowLeft")
    seen.append(step.get_attribute("aria-label"))

    assert seen == [f"Position {n} of {last}" for n in (last, last - 1, last, last - 1)]
    assert page.evaluate("document.documentElement.scrollWidth") == 390
    page.evaluate(FEW)
    assert violations(page) == []
    assert wrong == []


def test_a_keepsake_jumps_by_round_and_to_what_turned_it(
    site: Site, new_page: Callable[..., Page], tmp_path: Path
) -> None:
    """By links and by the page keys; space plays and pauses, Home and End go to the ends."""
    page = new_page(390)
    page.goto(kept(site, tmp_path).as_uri())
    step = page.locator(".step:visible")

    rounds = page.locator("a[data-round]")
    rounds.nth(1).click()
    second = step.get_attribute("id")
    page.keyboard.press("PageDown")
    third = step.get_attribute("id")
    page.keyboard.press("Home")
    page.keyboard.press("Space")
    page.locator("#p1:visible").wait_for()
    page.keyboard.press("Space")
    paused = page.locator("[data-film] button").inner_text()
    page.locator("main li a").first.click()
    moment = page.locator("main li a").first.get_attribute("href")

    assert [f"#{second}", f"#{third}"] == [rounds.nth(n).get_attribute("href") for n in (1, 2)]
    assert paused == "Play"
    assert f"#{step.get_attribute('id')}" == moment


TORN = """() => [...document.querySelectorAll(".who > .mark")].filter((mark) => {
  const name = new Range();
  name.selectNodeContents(mark.nextSibling);
  return name.getClientRects()[0].top > mark.getBoundingClientRect().bottom - 4;
}).map((mark) => mark.parentElement.innerText)"""
"""Names that stand below their colour instead of beside it."""


def test_looking_back_is_sound_on_a_phone(site: Site, new_page: Callable[..., Page]) -> None:
    """Tables, curve and picture by day and night: nothing for axe to find, nothing wider than window or cell."""
    slug = finished(site)
    page = new_page(390)
    page.goto(f"{site.url}/games/{slug}/result")
    for scheme in SCHEMES:
        page.emulate_media(color_scheme=scheme)
        page.set_viewport_size({"width": 390, "height": 844})

        page.wait_for_function("document.querySelector('main img').naturalWidth > 0")
        assert page.evaluate("document.documentElement.scrollWidth") == 390
        assert violations(page) == []
        page.set_viewport_size({"width": 320, "height": 700})
        assert page.evaluate(TORN) == []
        assert spilt(page) == []


def test_the_film_plays_pauses_and_jumps_by_keys(site: Site, new_page: Callable[..., Page]) -> None:
    """Space plays and pauses, the page keys go a round on and back, the arrows one position; all have their address.

    Whoever comes by a link of another page finds it so. What steers it stands in one line above the board, most of
    which a phone shows; the jumps stand below.
    """
    game = f"{site.url}/games/{finished(site)}"
    path = f"{game}/ply"
    page = new_page(390)
    page.goto(f"{game}/result")
    page.locator(f"main a[href^='{path.removeprefix(site.url)}/']").first.click()
    page.locator("[data-film] button").wait_for()
    page.locator("input[type=range]").fill("0")
    page.wait_for_url(f"{path}/0")
    tops = [page.locator(part).evaluate(TOP) for part in (".reel", "#board", "#jumps")]
    assert tops == sorted(tops)
    assert page.locator(".reel").evaluate("element => element.offsetHeight") < 60
    assert tops[1] < 300

    page.keyboard.press("PageDown")
    page.locator("#jumps a[aria-current][aria-label$='2']").wait_for()
    second = page.url
    page.keyboard.press("ArrowRight")
    page.wait_for_url(f"{path}/{int(second.rpartition('/')[2]) + 1}")
    page.keyboard.press("PageUp")
    page.wait_for_url(f"{path}/0")
    page.keyboard.press("Space")
    page.wait_for_url(f"{path}/2")
    page.keyboard.press("Space")
    paused = page.locator("[data-film] button").inner_text()
    page.keyboard.press("End")
    page.locator("a[rel=next]").wait_for(state="detached")

    assert paused == "Play"
    assert second != f"{path}/0"
    assert violations(page) == []


def test_the_newest_step_of_the_film_wins(site: Site, new_page: Callable[..., Page]) -> None:
    """Whoever presses on while a position is on its way sees the one they pressed last."""
    path = f"{site.url}/games/{finished(site)}/ply"
    page = new_page(390)
    page.goto(f"{path}/0")
    page.locator("[data-film] button").wait_for()
    page.route(f"{path}/1", lambda _: None)  # it never comes

    page.keyboard.press("ArrowRight")
    page.keyboard.press("End")
    page.locator("a[rel=next]").wait_for(state="detached")

    assert page.url != f"{path}/1"
