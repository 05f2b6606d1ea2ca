"""What a thumb meets: choices and their consequence in one view, and nothing too small to hit."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import pytest

from pbem.engine.registry import GAMES
from tests import factories
from tests.browser.conftest import too_small

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Page

    from tests.browser.conftest import Site

IN_VIEW = """element => {
  const { top, bottom } = element.getBoundingClientRect();
  return top >= 0 && bottom <= window.innerHeight;
}"""
BELONG = """(target) => {
  const of = (mark) => [...document.querySelectorAll(`form.decide [data-${mark}="${target}"]`)];
  return [...of("target"), ...of("within")].filter((input) => {
    const { top, bottom } = input.closest("label").getBoundingClientRect();
    return top >= 0 && bottom <= document.querySelector(".sendbar").getBoundingClientRect().top;
  }).map((input) => `${input.name}=${input.value}`);
}"""
PLAIN = """() => {
  const plain = (target) => document.querySelectorAll(`form.decide [data-target="${target}"]:not([data-needs])`);
  return [...document.querySelectorAll(".board .pickable")].map((shape) => shape.dataset.target)
    .find((target) => plain(target).length === 1);
}"""
CUT = """() => {
  const chips = [...document.querySelectorAll("form.decide .field > .chips > .chip.wide")];
  for (const one of chips) one.lastElementChild.textContent = "two own stones on each of two buildings ".repeat(3);
  return chips.filter((one) => one.checkVisibility() && one.getBoundingClientRect().right > innerWidth)
    .map((one) => one.querySelector("input").value);
}"""
"""Choices that a phone shows a part of only, once each is called by more words than fit a line."""
ENDLESS = """() => [...document.querySelectorAll("form.decide .chips")]
  .filter((row) => row.checkVisibility() && row.scrollWidth > row.clientWidth + 1)
  .map((row) => {
    const end = getComputedStyle(row, "::after"), wide = parseFloat(end.width);
    const hidden = row.scrollWidth - row.clientWidth;
    const fades = end.position === "sticky" && end.right === "0px" && end.backgroundImage.includes("linear-gradient");
    row.scrollLeft = hidden;
    const last = [...row.querySelectorAll(".chip")].at(-1).getBoundingClientRect();
    const isFree = last.right <= row.getBoundingClientRect().right - wide + 1;
    return [row.innerText.replaceAll("\\n", " "), fades && isFree && wide > 16];
  })"""
"""Rows that go on beyond their end, and whether they fade there, and only until the last one is in sight."""
UNSAID = """() => [...document.querySelectorAll("form.decide :is(.choice, .chip):has(input)")].map((label) => {
  const said = label.querySelector("input").getAttribute("aria-label");
  const seen = [...label.children].map((one) => one.innerText?.trim()).filter(Boolean);
  return [said, ...seen];
}).filter(([said, first, ...more]) => (said ? [first, ...more].some((one) => !said.includes(one))
  : more.length && isNaN(first)) || more.some((one) => ` ${first}`.endsWith(` ${one}`)))"""
"""Choices that a voice runs together with what stands beside them, or leaves that out, and that show a thing twice."""
CALLED = """() => [...document.querySelectorAll(".board .pickable")].map((shape) => shape.getAttribute("aria-label"))"""


SHEETS = {"amunre": ("bid", "buy", "build"), "egizia": ("ship", "build"), "priestsofra": ("turn", "bid")}
"""The decisions whose sheets differ in what they consist of: numbers, names, counts of things, folded parts."""


@pytest.mark.parametrize("game", GAMES)
def test_a_choice_on_the_board_is_sent_from_there(site: Site, new_page: Callable[..., Page], game: str) -> None:
    """A tap on the board shows what it brings there, with what the order does and the button that sends it below."""
    page = new_page(390)
    page.goto(site.open_game(game).link)
    spot = page.locator(f'.board .pickable[data-target="{page.evaluate(PLAIN)}"]')
    name = str(spot.get_attribute("aria-label"))

    assert spot.evaluate(IN_VIEW)
    spot.dispatch_event("click")
    words, send = page.locator("#preview .words").first, page.locator("button.send")
    send.wait_for()

    assert page.evaluate("scrollY") == 0
    assert [one.evaluate(IN_VIEW) for one in (words, send)] == [True] * 2
    assert page.locator(".board .mine").count() or game == "priestsofra"
    assert not name.isdigit()
    send.click()
    page.locator("#sent").wait_for()
    assert page.locator("h1").inner_text() == "Your order stands"


@pytest.mark.parametrize("width", [390, 1280])
def test_a_place_with_several_choices_brings_them_into_sight(
    site: Site, new_page: Callable[..., Page], width: int
) -> None:
    """A tap on a province shows its bids, and only them are lit: all in sight above the button, the first in focus."""
    page = new_page(width)
    page.goto(site.open_game("amunre").link)
    places = page.locator('.board .pickable[data-target^="province:"]')
    assert places.count() == 3

    for place in places.all():
        target = str(place.get_attribute("data-target"))
        place.dispatch_event("click")
        shown = page.evaluate(BELONG, target)
        assert len(shown) == page.locator(f'form.decide [data-within="{target}"]').count() > 3
        assert page.evaluate("document.activeElement.dataset.within") == target
        assert page.evaluate("scrollY") == 0
        lit = page.locator("form.decide .kin.lit").all()
        assert [one.locator("b").first.inner_text() for one in lit] == [target.partition(":")[2]] * (width > 900)
    page.keyboard.press("Space")
    page.locator("button.send").wait_for()
    assert page.locator("button.send").evaluate(IN_VIEW)
    assert page.locator("#preview .words").first.evaluate(IN_VIEW)


def test_places_on_the_board_say_what_they_choose(site: Site, new_page: Callable[..., Page]) -> None:
    """A number on a province's scale is read out with its province, not bare; a province, with its name first."""
    page = new_page(390)
    page.goto(site.open_game("amunre").link)

    spots = page.locator(".board .pickable").all()
    names = {str(spot.get_attribute("data-target")): str(spot.get_attribute("aria-label")) for spot in spots}
    said = {
        target: f"{target.split(':')[-1]} on {target.split(':')[1]}" for target in names if target.startswith("bid:")
    }
    places = {target: target.partition(":")[2] for target in names if target.startswith("province:")}

    assert len(spots) == len(names) == len(set(names.values())) > 1
    assert said
    assert places
    assert {*said, *places} == set(names)
    assert all(names[target].startswith(words) for target, words in (said | places).items())


@pytest.mark.parametrize("game", GAMES)
def test_every_choice_is_big_enough_to_tap(site: Site, new_page: Callable[..., Page], game: str) -> None:
    """Also with all choices shown, and whatever stands in a plan; what is drawn on a board is in the sheet as well."""
    page = new_page(390)
    seated = site.open_game(game, plays=4)
    page.goto(seated.link)
    page.goto(f"{site.url}/seat/{seated.seat_id}/plan")
    found = [f"plan: {control}" for control in too_small(page)]
    for kind in site.questions(seated, SHEETS[game]):
        page.goto(seated.decide)
        found += [f"{kind}: {control}" for control in too_small(page)]
        if page.locator("form.decide .more").is_visible():
            page.locator("form.decide .more").click()
            found += [f"{kind}, all: {control}" for control in too_small(page)]

    assert sorted(set(found)) == []


@pytest.mark.parametrize("game", GAMES)
def test_no_choice_is_cut_off(site: Site, new_page: Callable[..., Page], game: str) -> None:
    """Whatever a game asks, words too many for a line go on in the next one, and a row too long fades at its end.

    Nor are two places of the board read out alike: a number is told with what it counts. What stands beside a choice is
    read out after it, apart from it, and isn't what it is called anyway.
    """
    page = new_page(390)
    found, rows, alike, unsaid = [], [], [], []
    for kind, here in factories.first_asked(game, 2 + (game == "amunre")).items():
        page.goto(site.open_game(game, here=here).link)
        unsaid += page.evaluate(UNSAID)
        rows += page.evaluate(ENDLESS)
        alike += [name for name, times in Counter(page.evaluate(CALLED)).items() if times > 1]
        found += [f"{kind}: {choice}" for choice in page.evaluate(CUT)]

    assert found == []
    assert [row for row, fades in rows if not fades] == []
    assert bool(rows) == (game != "priestsofra")
    assert (alike, unsaid) == ([], [])


def test_wishes_wait_folded_below_the_choice(site: Site, new_page: Callable[..., Page]) -> None:
    """Six questions that most leave as they are don't stand between the choice and its button; opened, they count."""
    page = new_page(390)
    page.goto(site.open_game("priestsofra").link)
    wish = page.locator("input[name=f-tile-1]").last
    assert not wish.is_visible()

    page.locator("details.group summary").click()
    wish.check(force=True)
    page.locator("input[name=f-action]").first.check(force=True)
    page.locator("button.send").wait_for()

    assert page.locator("#preview code.order").inner_text() == f"draw {wish.get_attribute('value')}"


def test_a_long_standing_order_can_be_read_and_changed(site: Site, new_page: Callable[..., Page]) -> None:
    """However long a standing order is, its lines stand above what they mean, not hidden beneath it."""
    page = new_page(390)
    seated = site.open_game("amunre")
    page.goto(seated.link)
    page.goto(f"{site.url}/seat/{seated.seat_id}/standing")
    provinces = ("Memphis", "Amarna", "Abydos")
    wanted = [f"bid {gold} on {province}" for gold in (10, 6, 3, 1) for province in provinces]
    page.locator("#text").fill("\n".join(["this phase", *wanted]))
    page.locator("#trial li").first.wait_for()

    lines, meaning = page.locator("#text").bounding_box(), page.locator("#trial").bounding_box()

    assert page.locator("#trial ol li").count() >= len(wanted)
    assert lines is not None
    assert meaning is not None
    assert lines["y"] + lines["height"] <= meaning["y"]
    assert page.evaluate("document.querySelector('.sendbar').offsetHeight") < 120


@pytest.mark.parametrize("js", [True, False])
def test_a_line_of_a_standing_order_is_built_by_choosing(site: Site, new_page: Callable[..., Page], js: bool) -> None:  # noqa: FBT001 - a case
    """With scripts and without: chosen from lists, added by a button one can see, and read back as a sentence."""
    seated = site.open_game("priestsofra")
    page = new_page(390, js=js)
    page.goto(seated.link)
    page.goto(f"{site.url}/seat/{seated.seat_id}/standing")
    page.locator("#build-kind").select_option("turn")
    number, compared = page.locator("[name=build-number]").first, page.locator("[name=build-comparison]").first
    assert (number.is_visible(), compared.is_visible()) == (False, False), "what is always so is not compared"
    page.locator("#build-fact-1").select_option("tiles")
    number.fill("4")
    plus = page.get_by_role("button", name="number +")
    if js:
        plus.first.click()
    else:
        number.fill("5")
    assert plus.count() == js  # those of more conditions are folded away
    page.locator("#build-else").fill("draw")
    page.locator("[name=act][value=add]").click()

    page.get_by_text("If tiles is at least 5: ask me.").wait_for()
    assert page.locator("#text").input_value() == "for turn: when tiles >= 5: ask me\ndraw"
