"""An open page that loses its connection, and one whose game moves on."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING

from playwright.sync_api import Error, expect

from pbem import clock
from pbem.extensions import db
from pbem.store.models import Game, GameState, OpenDecision, Seat
from tests import factories

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Page, Route

    from tests.browser.conftest import Site

LOOK = "document.dispatchEvent(new Event('visibilitychange'))"
"""What lets a page ask at once how far its game is."""


def test_without_a_connection_nothing_is_lost_and_the_page_says_so(site: Site, new_page: Callable[..., Page]) -> None:
    """*Send* without network says that nothing was sent; the choice stays, and goes out once there is a connection.

    So does a form of any other page, where what is half written outlives the page, too, until it is sent.
    """
    page, seated = new_page(390), site.open_game("priestsofra")
    page.goto(seated.link)
    page.locator("input[name=f-action][value=ra]").check(force=True)
    page.locator("button.send").wait_for()

    page.context.set_offline(True)
    page.locator("button.send").click()
    page.locator("#offline p").wait_for()

    assert "Not sent" in page.locator("#offline").inner_text()
    assert page.locator("input[name=f-action][value=ra]").is_checked()
    page.context.set_offline(False)
    page.locator("#offline p").wait_for(state="hidden")
    page.locator("button.send").click()
    page.locator("#sent").wait_for()

    page.goto(f"{site.url}/seat/{seated.seat_id}/talk")
    page.locator("textarea").fill("Well played!")
    page.reload()
    expect(page.locator("textarea")).to_have_value("Well played!")
    page.context.set_offline(True)
    page.locator("form:has(textarea) button").click()
    page.locator("#offline p").wait_for()
    assert page.locator("textarea").input_value() == "Well played!"
    page.context.set_offline(False)
    page.locator("#offline p").wait_for(state="hidden")
    page.locator("form:has(textarea) button").click()
    page.locator(".talk", has_text="Well played!").wait_for()
    assert page.locator("textarea").input_value() == ""


def test_a_server_that_was_away_for_a_moment_is_asked_again(site: Site, new_page: Callable[..., Page]) -> None:
    """What a choice does could not be asked, though the browser is connected: the page asks again by itself."""
    page = new_page(390)
    page.goto(site.open_game("priestsofra").link)
    page.route("**/decide*", lambda route: route.abort())
    page.locator("input[name=f-action][value=ra]").check(force=True)
    page.locator("#offline p").wait_for()

    page.unroute_all()
    page.evaluate(LOOK)
    page.locator("button.send").wait_for()

    assert not page.locator("#offline p").is_visible()


def test_what_was_chosen_without_a_connection_outlives_the_page(site: Site, new_page: Callable[..., Page]) -> None:
    """A page that is loaded again in vain has the choice once it comes back, with what it does, until it is touched."""
    page = new_page(390)
    link = site.open_game("priestsofra").link
    page.goto(link)
    page.locator("input[name=f-action][value=ra]").check(force=True)
    page.locator("button.send").wait_for()
    page.context.set_offline(True)
    page.locator("button.send").click()
    page.locator("#offline p").wait_for()
    with contextlib.suppress(Error):
        page.reload()
    page.wait_for_url("chrome-error://**")

    page.context.set_offline(False)
    for _ in range(2):
        page.goto(link)
        page.locator("button.send").wait_for()
        assert page.locator("input[name=f-action][value=ra]").is_checked()
    page.keyboard.press("Shift")
    page.goto(link)
    assert not page.locator("input[name=f-action][value=ra]").is_checked()


def test_an_open_page_notices_that_its_game_moved_on(site: Site, new_page: Callable[..., Page]) -> None:
    """Answered elsewhere, settled elsewhere, paused, its link ended: the page says which, one thing at a time."""
    page = new_page(390)
    seated = site.open_game("priestsofra")
    page.goto(seated.link)
    assert page.locator("#live p:visible").count() == 0

    with site.app.app_context():
        game = db.session.query(Game).filter_by(slug=seated.slug).one()
        game_id = game.id
        db.session.query(OpenDecision).filter_by(game_id=game_id, ply=game.ply + 1).update({"answered_at": clock.now()})
        db.session.commit()
    page.evaluate(LOOK)
    page.locator("#live").get_by_text("answered elsewhere").wait_for()
    with site.app.app_context():
        db.session.query(OpenDecision).filter_by(game_id=game_id).update({"answered_at": None})
        factories.answer_all(db.session(), clock.now(), db.session.get_one(Game, game_id))
    page.evaluate(LOOK)
    page.locator("#live").get_by_text("moved on").wait_for()
    assert page.locator("#live p:visible").count() == 1
    with site.app.app_context():
        db.session.get_one(Game, game_id).state = GameState.PAUSED
        db.session.commit()
    page.evaluate(LOOK)
    page.locator("#live").get_by_text("paused by the organiser").wait_for()
    with site.app.app_context():
        db.session.get_one(Seat, seated.seat_id).epoch += 1
        db.session.commit()
    page.evaluate(LOOK)
    page.locator("#ended").get_by_text("link of this page has ended").wait_for()
    assert page.locator("#live p").count() == 0


def test_a_tap_tells_what_a_thing_is(site: Site, new_page: Callable[..., Page]) -> None:
    """On a phone, where no pointer rests on it: in the sheet with its few choices, and where nothing is asked."""
    page = new_page(390)
    seated = site.open_game("priestsofra")
    tap = """() => {
        const shapes = [...document.querySelectorAll(".board [data-target]:not(.pickable)")];
        const shape = shapes.find((one) => one.querySelector("title"));
        shape.dispatchEvent(new MouseEvent("click", { bubbles: true }));
        return shape.querySelector("title").textContent;
    }"""
    for address, told in ((seated.link, "form.decide .hint"), (f"{site.url}/seat/{seated.seat_id}", ".board .hint")):
        page.goto(address)
        page.locator(".board [data-target]").first.wait_for()
        said = page.evaluate(tap)

        assert page.locator(told).is_visible()
        assert page.locator(told).inner_text() == said


def test_what_is_fetched_into_a_page_leaves_it_its_title(site: Site, new_page: Callable[..., Page]) -> None:
    """Every fold that brings a part of another page when it is opened: the tab is still called as its question."""
    page = new_page(1280)
    page.goto(site.open_game("egizia").link)
    asked, folds = page.title(), page.locator("details[data-hx-get]")

    for number in range(folds.count()):
        with page.expect_response(lambda answer: answer.ok):
            folds.nth(number).locator("> summary").click()
        page.wait_for_function("fold => !fold.matches('.htmx-request')", arg=folds.nth(number).element_handle())

    assert folds.count() >= 3
    assert page.title() == asked


def test_a_page_says_what_language_it_is_in_however_it_came(site: Site, new_page: Callable[..., Page]) -> None:
    """The answer to a form that sets another one, and where a link of it leads: a voice reads them as loaded anew."""
    seated, page = site.open_game("egizia"), new_page(390)
    page.goto(seated.own_link)
    page.goto(f"{site.url}/player/{seated.player_id}/settings")

    for language in ("it", "fr", "en"):
        page.locator("[name=language]").select_option(language)
        page.locator("form:has([name=language]) button").last.click()
        page.locator(f"html[lang={language}]").wait_for()
        told = page.title()
        page.reload()
        assert (page.title(), page.locator("html").get_attribute("lang")) == (told, language)


def test_a_time_zone_is_offered_however_the_page_came(site: Site, new_page: Callable[..., Page]) -> None:
    """The browser's own, by a link and loaded anew, until another one is kept: the page that says so shows that."""
    seated, page = site.open_game("priestsofra"), new_page(390)
    page.context.new_cdp_session(page).send("Emulation.setTimezoneOverride", {"timezoneId": "Asia/Tokyo"})
    zone, send = page.locator("select[name=zone]"), page.locator("form:has([name=zone]) button").last
    page.goto(seated.own_link)
    page.locator(f"a[href='/player/{seated.player_id}/settings']").first.click()
    expect(zone).to_have_value("Asia/Tokyo")
    page.reload()
    expect(zone).to_have_value("Asia/Tokyo")

    zone.select_option("UTC")
    send.click()
    page.wait_for_url("**/settings?kept=1")
    page.wait_for_load_state()

    assert zone.input_value() == "UTC"


def test_a_second_click_while_the_first_is_on_its_way_is_none(site: Site, new_page: Callable[..., Page]) -> None:
    """A form without an address of its own went, by its second click, to the page that the first one led to."""
    seated, page = site.open_game("priestsofra"), new_page(390)
    held: list[Route] = []
    page.goto(seated.own_link)
    page.goto(f"{site.url}/player/{seated.player_id}/account")

    def hold(route: Route) -> None:
        held.append(route)

    page.route("**/account", hold)
    posts: list[str] = []
    page.on("request", lambda request: posts.append(request.url) if request.method == "POST" else None)

    with page.expect_request("**/account"):
        page.locator("[value=log-out]").dblclick()
    while not held:  # told by a message of its own, which comes while others are waited for
        page.evaluate("0")
    held[0].continue_()
    page.get_by_text("You are logged out").wait_for()
    page.wait_for_load_state("networkidle")

    assert len(posts) == 1
    assert page.locator("h1").inner_text() == "A board game can take its time"
