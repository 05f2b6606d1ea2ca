from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import pytest

from pbem.engine.registry import GAMES
from tests.browser.conftest import violations
from tests.browser.test_phone import IN_VIEW, PLAIN
from tests.servers import LOOK, until

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Page

    from tests.browser.conftest import Seated, Site

MOST = 40
"""Decisions one round can ask of a player, and more."""


class Player:
    """A person at a browser, who knows nothing but the page."""

    def __init__(self, page: Page, seated: Seated, *, js: bool) -> None:
        """Open the link of the letter."""
        self.page, self.seated, self.js = page, seated, js
        self.kinds: list[str] = []
        self.errors: list[str] = []
        page.on("pageerror", lambda error: self.errors.append(str(error)))
        page.on("console", lambda said: self.errors.append(said.text) if said.type == "error" else None)
        page.goto(seated.link)

    def heading(self) -> str:
        """Where the game stands, as the page says it."""
        return self.page.locator(".crumbs").first.inner_text()

    def is_asked(self) -> bool:
        """Load the decision; whether there is one that isn't answered."""
        self.page.goto(self.seated.decide)
        return self.page.locator("form.decide").count() == 1 and self.page.locator("#answered").count() == 0

    def look(self) -> bool:
        """Have the choice previewed; whether it could be sent."""
        if self.js:
            self.page.locator("#preview").locator(".send, #faults").first.wait_for()
        else:
            self.page.locator("button.look").click()
        return self.page.locator("button.send").count() == 1

    def choose(self) -> None:
        """Try the page's choices until one can be sent."""
        self.kinds.append(self.page.locator("h1").inner_text())
        boxes = self.page.locator("form.decide :is(input[type=radio], input[type=checkbox])")
        values = boxes.evaluate_all("boxes => boxes.map((one) => [one.name, one.value])")
        values.sort(key=lambda choice: not choice[1].endswith((":3", ":6")))  # bids that leave gold for the rest
        for number, (name, value) in enumerate(values):
            if number:
                self.page.goto(self.seated.decide)
            box = self.page.locator(f'form.decide input[name="{name}"][value="{value}"]')
            if not box.is_visible():  # below the board only some choices are listed, until one asks for all
                self.page.get_by_role("button", name="All choices").click()
            box.check(force=True)
            if self.look():
                return
        raise AssertionError(f"no choice of {values} can be sent: {self.page.locator('#faults').inner_text()}")

    def answer(self) -> None:
        """Choose and send, and see it confirmed."""
        self.choose()
        self.page.locator("button.send").click()
        self.page.locator("#sent").wait_for()
        assert "Your order stands" in self.page.locator("h1").inner_text()


@pytest.mark.parametrize("js", [True, False])
def test_an_amun_re_round_is_played_at_phone_width(site: Site, new_page: Callable[..., Page], *, js: bool) -> None:
    """With and without scripts a person plays the first round of Amun-Re from the link in the letter to round 2."""
    player = Player(new_page(390, js=js), site.open_game("amunre", seed="nile"), js=js)
    assert player.page.locator(".down a").is_visible() is not js, "a script lays the choices over the board"

    for _ in range(MOST):
        until(lambda: player.is_asked() or "round 2" in player.heading(), "next decision", pause=LOOK)
        if "round 2" in player.heading():
            break
        assert player.page.evaluate("document.documentElement.scrollWidth") <= 390
        player.answer()

    assert "round 2" in player.heading()
    assert len(set(player.kinds)) >= 3
    assert player.errors == [] or not js  # a refusal, loaded as a page, is logged by the browser as 422


def test_nothing_reloads_with_scripts(site: Site, new_page: Callable[..., Page]) -> None:
    """Choosing, sending and going on to the game happen in one document."""
    page = new_page(390)
    page.goto(site.open_game("amunre").link)
    page.evaluate("window.mark = 1")

    page.locator("form.decide input[type=radio]").first.check(force=True)
    page.locator("button.send").click()
    page.locator("#sent").wait_for()
    page.get_by_role("link", name="To the game").click()
    page.locator("text=Why it waits").or_(page.locator("#choice")).first.wait_for()

    assert page.evaluate("window.mark") == 1
    assert re.search(r"/seat/\d+$", page.url)


def test_the_confirmation_tells_by_itself_what_the_order_did(site: Site, new_page: Callable[..., Page]) -> None:
    """The last order in is played in the background: without a touch its page tells what happened, and what is next."""
    page = new_page(390)
    page.goto(site.open_game("priestsofra").link)
    page.evaluate("window.mark = 1")

    page.locator("input[name=f-action]").first.check(force=True)
    page.locator("button.send").click()
    page.locator("#after .events li").first.wait_for()

    assert page.locator("h1").inner_text() == "Your order stands"
    assert page.locator(".primary").count() == 1
    assert page.evaluate("window.mark") == 1
    assert violations(page) == []


@pytest.mark.parametrize("game", GAMES)
def test_a_choice_can_be_made_on_the_board(site: Site, new_page: Callable[..., Page], game: str) -> None:
    """Clicking an element that stands for a choice picks it in the form, shows it on both, and previews it.

    Of a bid the board then shows the bids above it: it is its province that is marked. At a desk what it means and
    the button that sends it are within the window, without scrolling.
    """
    page = new_page(1280)
    page.goto(site.open_game(game).link)
    target = page.evaluate(PLAIN)
    spot = page.locator(f'.board .pickable[data-target="{target}"]')
    assert page.locator('.board [aria-pressed="true"]').count() == 0

    spot.click()
    page.locator("button.send").wait_for()
    chosen = page.locator("form.decide [data-target]:checked")

    assert page.evaluate("scrollY") == 0
    assert page.locator("#preview .words").first.evaluate(IN_VIEW)
    assert page.locator("button.send").evaluate(IN_VIEW)
    assert chosen.count() == 1
    assert chosen.get_attribute("data-target") == target
    pressed = [one.get_attribute("data-target") for one in page.locator('.board [aria-pressed="true"]').all()]
    there = [target] * spot.count()
    place = chosen.get_attribute("data-within")
    assert sorted(map(str, pressed)) == sorted([*there, *([place] if place else [])]) != []


def test_everything_can_be_done_by_keyboard(site: Site, new_page: Callable[..., Page]) -> None:
    """Tab reaches a place on the board, Enter leads to its choices, Space picks, Tab reaches the button that sends."""
    page = new_page(1280)
    page.goto(site.open_game("amunre").link)
    focused = "document.activeElement"

    page.keyboard.press("Tab")
    assert page.evaluate(f"{focused}.className") == "skip"
    for _ in range(60):
        page.keyboard.press("Tab")
        if page.evaluate(f"{focused}.classList.contains('pickable')"):
            break
    assert page.evaluate(f"{focused}.getAttribute('role')") == "button"
    assert page.evaluate(f"{focused}.getAttribute('aria-label')")
    target = page.evaluate(f"{focused}.dataset.target")
    page.keyboard.press("Enter")
    assert page.evaluate(f"{focused}.dataset.within") == target
    assert page.evaluate(f"{focused}.closest('.chip').matches(':has(:focus-visible)')")
    page.keyboard.press("Space")
    page.locator("button.send").wait_for()
    for _ in range(200):
        page.keyboard.press("Tab")
        if page.evaluate(f"{focused}.classList.contains('send')"):
            break
    page.keyboard.press("Enter")
    page.locator("#sent").wait_for()

    assert "Your order stands" in page.locator("h1").inner_text()


KINDS = {"egizia": ("build",), "amunre": ("build", "harvest")}
"""Decisions with many fields, that one fills in from place to place."""
FOCUSED = """() => {
  const { activeElement: one } = document, shown = one.closest(".chip, .choice") || one;
  const box = shown.getBoundingClientRect(), style = getComputedStyle(shown);
  const over = document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2);
  const ring = one.querySelector(":scope > .pick-ring, circle + circle"); // what is drawn on the board has its own
  const isOver = Boolean(over) && (shown.contains(over) || over.contains(shown));
  const isLined = style.outlineStyle !== "none" && parseFloat(style.outlineWidth) >= 2;
  return {
    tag: one.tagName, classes: one.getAttribute("class") || "", type: one.type || "",
    place: one.dataset.target || one.dataset.within || "", isPick: one.matches("[type=radio], [type=checkbox]"),
    isChecked: Boolean(one.checked),
    isInSight: isOver && box.height > 0 && box.top >= 0 && box.bottom <= innerHeight + 1,
    isOutlined: isLined || Boolean(ring) && parseFloat(getComputedStyle(ring).strokeWidth) >= 3,
  };
}"""
CHOSEN = "() => [...document.querySelectorAll('form.decide :checked')].map((one) => `${one.name} ${one.value}`)"


class Keys:
    """Somebody with a keyboard and no pointer, who sees where the focus is."""

    def __init__(self, page: Page) -> None:
        """Nothing is pressed yet."""
        self.page = page

    def until(self, key: str, wanted: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
        """Press a key until the focus is where it is wanted; on its way it is always in sight, and seen."""
        for _ in range(90):
            self.page.keyboard.press(key)
            at: dict[str, Any] = self.page.evaluate(FOCUSED)
            if at["tag"] != "BODY":
                assert at["isInSight"], at
                assert at["isOutlined"], at
            if wanted(at):
                return at
        raise AssertionError(self.page.evaluate(FOCUSED))


@pytest.mark.parametrize(("game", "width"), [*zip(KINDS, (390, 1280), strict=True)])
def test_building_and_harvest_need_no_pointer(site: Site, new_page: Callable[..., Page], game: str, width: int) -> None:
    """Tab comes to a place on the board, Enter to what can be chosen there, arrows choose, Tab comes to what sends it.

    The focus is in sight all the way, and what was chosen stands in what is sent.
    """
    seated, page = site.open_game(game, seed="nile"), new_page(width)
    page.goto(seated.link)
    for _ in site.questions(seated, KINDS[game]):
        page.goto(seated.decide)
        keys = Keys(page)
        place = keys.until("Tab", lambda at: "pickable" in at["classes"])["place"]
        page.keyboard.press("Enter")
        chosen: dict[str, Any] = page.evaluate(FOCUSED)
        assert place in {chosen["place"], page.locator("form.decide").get_attribute("data-focus")}
        assert chosen["isPick"], chosen
        if not chosen["isChecked"]:  # the place may mean several things: this is the first of them
            page.keyboard.press("ArrowRight" if chosen["type"] == "radio" else "Space")
        page.locator("#preview").locator(".send, #faults").first.wait_for()
        marked = page.evaluate(CHOSEN)
        assert marked
        keys.until("Tab", lambda at: "send" in at["classes"].split())
        assert page.evaluate(CHOSEN) == marked
        order = page.locator("#preview code.order").inner_text()
        page.keyboard.press("Enter")
        page.locator("#sent").wait_for()
        assert order in page.locator("#main").inner_text()


def test_the_slider_shows_every_position_without_reloading(site: Site, new_page: Callable[..., Page]) -> None:
    """Moving the history slider fetches that position, keeps the address in step, and the links beside it work too."""
    seated = site.open_game("priestsofra", plays=4)
    page = new_page(390)
    page.goto(seated.link)
    page.goto(f"{site.url}/seat/{seated.seat_id}/ply/0")
    page.evaluate("window.mark = 1")

    page.locator("input[type=range]").fill("2")
    page.locator("h1", has_text="Position 2 of").wait_for()
    page.locator("a[rel=next]").click()
    page.locator("h1", has_text="Position 3 of").wait_for()

    assert page.evaluate("window.mark") == 1
    assert page.url.endswith("/ply/3")
    assert violations(page) == []
