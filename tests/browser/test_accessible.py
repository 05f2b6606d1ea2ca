from __future__ import annotations

import re
from typing import TYPE_CHECKING, Literal

import msgspec
import pytest
from sqlalchemy import select

from pbem import clock
from pbem.capabilities import links
from pbem.clubs.ratings import rating_sweep
from pbem.clubs.seasons import seasons
from pbem.engine.core.types import Outcome
from pbem.engine.registry import GAMES
from pbem.extensions import db
from pbem.store.models import Club, Member, Player
from tests import factories
from tests.browser.conftest import SCHEMES, WATCHED, cut, restless, spilt, streamed, too_small, violations

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Page

    from tests.browser.conftest import Seated, Site


PHONE, DESKTOP, NARROW = 390, 1280, 320
"""Widths of a phone's window, of one on a desktop and of the narrowest that pages fit (WCAG 2.2, 1.4.10), in pixels."""
STACKED = """[...document.querySelectorAll("table.stacked, table.room")]
.filter((table) => table.parentElement.scrollWidth > table.parentElement.clientWidth).length"""
"""Tables that stand row below row on a phone, and yet are wider than it: a heading nobody sees is wide as well."""


WIDE = "document.documentElement.scrollWidth"


ENLARGED = """() => {
  const root = document.documentElement;
  root.style.fontSize = "200%";
  const wide = root.scrollWidth, out = [...document.querySelectorAll("body *")]
    .filter((one) => one.getBoundingClientRect().right > innerWidth + 1 && one.checkVisibility())
    .filter((one) => !one.closest("svg *, pre, .scroll"));
  root.style.fontSize = "";
  const which = out.slice(0, 3).map((one) => one.outerHTML.slice(0, 80));
  return wide > innerWidth ? [`${wide} px wide with big text: ${which}`] : [];
}"""
"""How wide a page is with its text twice as big, and what stands out of its window."""


KINDS = """() => {
  const kind = (one) => [one.localName, one.className, one.getAttribute("role"), one.getAttribute("type")].join();
  return [...document.querySelectorAll("body :not(svg *)")].map((one) => `${kind(one.parentElement)} ${kind(one)}`);
}"""
"""The kinds of elements that a page has, each with its parent's; not what is drawn."""
WIRED = re.compile(r"/seat/\d+(/decide|/ply/1|/standing)?|/learn/\w+|/player/\d+/settings")
"""Where scripts work by themselves, a page of each way: form and board, film, steppers, a time zone that is guessed."""


class Look:
    """One window that goes from page to page: what axe finds, scripts that fail, what is too wide, small or moves.

    Each page is loaded on a phone by day, where all that can be tapped is big enough; one that scripts work on, as over
    a slow line. Where it has elements of any kind that no page before it had, its window grows, in which a decision is
    loaded anew, and axe looks at it there again, by night.
    """

    def __init__(self, site: Site, page: Page) -> None:
        """Begin nowhere."""
        self.site, self.page, self.errors = site, page, list[str]()
        self.kinds = set[str]()
        self.found: dict[tuple[str, int], list[str]] = {}
        page.add_init_script(WATCHED)
        page.on("pageerror", lambda error: self.errors.append(str(error)))

    def arrive(self, path: str) -> None:
        """Open a page on a phone, and on a desktop where it has anything new; note what is wrong with it."""
        self.resize(PHONE, SCHEMES[0])
        moved, seen = self.load(path), violations(self.page)
        small = [f"too small: {control}" for control in too_small(self.page)]
        sideways = [f"{tables} stacked tables scroll" for tables in [self.page.evaluate(STACKED)] if tables]
        self.note(path, PHONE, [*moved, *seen, *small, *sideways])
        kinds = set(self.page.evaluate(KINDS))
        if not kinds <= self.kinds:
            self.kinds |= kinds
            self.note(path, NARROW, self.enlarged())
            self.resize(DESKTOP, SCHEMES[1])
            moved = self.load(path) if path.endswith("/decide") else []
            self.note(path, DESKTOP, [*moved, *violations(self.page)])

    def resize(self, width: int, scheme: Literal["light", "dark"]) -> None:
        """Give the window a width, by day or by night."""
        self.page.set_viewport_size({"width": width, "height": 844})
        self.page.emulate_media(color_scheme=scheme)

    def enlarged(self) -> list[str]:
        """What is moved sideways where the window is narrow and text is twice as big (WCAG 2.2, 1.4.4)."""
        self.resize(NARROW, SCHEMES[0])
        wide: list[str] = self.page.evaluate(ENLARGED)
        return wide

    def load(self, path: str) -> list[str]:
        """Open a page; gives what moves on it while it comes."""
        if WIRED.fullmatch(path):
            return restless(self.page, self.site.url + path)
        self.page.goto(self.site.url + path)
        return streamed(self.page)

    def note(self, path: str, width: int, faults: list[str]) -> None:
        """Keep what is wrong with the page that is open: these faults, failed scripts, being too wide."""
        wide = [f"{wide} px wide" for wide in [self.page.evaluate(WIDE)] if wide > width]
        if found := [*faults, *self.errors, *wide]:
            self.found[path, width] = found
        self.errors.clear()


FAULTY = """<html lang="en"><title>Faulty</title><style>
.dim { color: #bbb } .high { background: #fea } .wide { display: none }
@media (prefers-color-scheme: dark) { p:first-child { color: #eee } }
@media (width > 400px) { .wide { display: block } }
</style><main><h1>Faulty</h1><div><p>day<p>fine<p class="dim">one<p class="dim">two</div>
<button class="wide"></button>"""
"""Text that can't be read, twice alike; some that can't by night; and a button without a name in wide windows."""


def test_axe_finds_what_is_wrong_with_one_of_a_kind_of_text_by_night_and_in_wide_windows(
    new_page: Callable[..., Page],
) -> None:
    """Of text that is alike once, on the next page too; asked again, of colours; of all once anything new is shown.

    What is said once on one ground is asked anew on another.
    """
    page = new_page(390)
    found: list[list[str]] = []
    page.set_content(FAULTY)
    for width, scheme in ((390, "light"), (390, "dark"), (1280, "dark"), (390, "light")):
        if found and scheme == "light":
            page.set_content(FAULTY.replace('"dim">two', '"dim high">two'))
        page.set_viewport_size({"width": width, "height": 844})
        page.emulate_media(color_scheme="light" if scheme == "light" else "dark")
        found.append([re.sub(r" data-\w+=\"\"", "", one) for one in violations(page)])

    dim, night = 'color-contrast: <p class="dim">one</p>', "color-contrast: <p>day</p>"
    high = 'color-contrast: <p class="dim high">two</p>'
    assert found == [[dim], [night], ['button-name: <button class="wide"></button>'], [high]]


def pages_of(seated: Seated, game: str) -> list[str]:
    """A game's decision, board, history, standing orders, analysis, spectators' page and rules."""
    seat = f"/seat/{seated.seat_id}"
    tails = ("/decide", "", "/ply/1", "/standing", "/score", "/ply/2/analysis")
    rules = (f"/rules/{game}", f"/rules/{game}/glossary", f"/rules/{game}/reference", f"/learn/{game}")
    return [*(seat + tail for tail in tails), f"/games/{seated.slug}", *rules]


def other_pages(seated: Seated) -> list[str]:
    """Everything around the games, for players, organisers and visitors."""
    seat, player = f"/seat/{seated.seat_id}", f"/player/{seated.player_id}"
    tails = ("", "/members", "/workload", "/open", "/control", "/seasons", "/settings", "/box/amunre", "/box/egizia")
    return [
        *(f"{seat}/talk", f"{seat}/settings", f"{player}/settings", f"{player}/account", f"/organise/{seated.slug}"),
        *(*(seated.club + tail for tail in tails), f"{seated.club}/ratings/{seated.player_id}"),
        *("/", "/queue", "/links", "/mailbox/", "/nothing-here", "/learn/", "/practice/"),
    ]


def test_axe_finds_nothing_on_any_page(site: Site, new_page: Callable[..., Page]) -> None:
    """Each game's pages, and everything around the games: no violation, on a phone by day and on a desktop by night.

    Nor does anything of a first view move as the page's end arrives, or on a slow line: on each game's board, decision
    and lesson, and wherever else scripts work by themselves.
    """
    look, seen = Look(site, new_page()), []
    for game in GAMES:
        seated = site.open_game(game, plays=2)
        look.page.goto(seated.link)
        look.page.goto(seated.own_link)
        seen += pages_of(seated, game)
        if game == "priestsofra":
            seen += other_pages(seated)
    for path in seen:
        look.arrive(path)

    assert look.found == {}


SIDEWAYS = """[...document.querySelectorAll(".scroll")].filter((part) => part.scrollWidth > part.clientWidth)
.map((part) => part.getAttribute("aria-label"))"""
"""Parts of a page that are wider than it and are moved sideways by themselves."""
LONG = "Wolfeschlegelsteinhausenbergerdorff von Hohenzollern-Sigmari"
"""A name as long as names may be, its first word wider than half a phone."""


def full_of_long_names(site: Site, seated: Seated) -> str:
    """A club whose people, games, season and results have names as long as they may be; the season's address."""
    with site.app.app_context():
        session, now = db.session(), clock.now()
        club = session.execute(select(Club).where(Club.slug == seated.club.rpartition("/")[2])).scalar_one()
        people = [session.get_one(Player, seated.player_id), *factories.PlayerFactory.create_batch(3)]
        for number, player in enumerate(people):
            player.name = f"{LONG[:-2]} {number}"
            if number:
                session.add(Member(club_id=club.id, player_id=player.id, role="player", joined_at=now))
        over = factories.GameFactory(people=people, bots=(), club_id=club.id, now=now)
        over.state, over.title, over.finished_at = "finished", LONG, now
        over.outcome = msgspec.json.encode(Outcome(scores=(100, 100, 90, 80), places=(1, 1, 3, 4), ending="epochs"))
        rating_sweep.rate_finished(session)
        title = seasons.Title("priestsofra", 2)
        plan = seasons.SeasonPlan(name=LONG, titles=(title,), rounds=2)
        season = seasons.announce(session, now, club.id, seated.player_id, plan)
        for player in people:
            seasons.enter(session, now, season.id, player.id)
        seasons.start(session, now, season.id)
        seasons.carry_on(session, now, season.id)
        session.commit()
        return f"{seated.club}/seasons/{season.slug}"


def test_nothing_of_a_club_is_moved_sideways_on_a_phone(site: Site, new_page: Callable[..., Page]) -> None:
    """However long the names are: its page with results and ranking, members, seasons, standings, control room."""
    seated = site.open_game("priestsofra")
    season = full_of_long_names(site, seated)
    tails = ("", "/members", "/workload", "/open", "/control", "/seasons", "/settings", "/services", "/announce")
    paths = [*(seated.club + tail for tail in tails), season, f"{seated.club}/ratings/{seated.player_id}"]
    page, found = new_page(390), {}
    page.goto(seated.own_link)
    for path in [*paths, f"/organise/{seated.slug}", "/queue", f"/player/{seated.player_id}/account"]:
        answer = page.goto(site.url + path)
        assert answer is not None
        assert answer.ok, path
        wide = [one for one in [page.evaluate(WIDE)] if one > 390]
        if sideways := [*page.evaluate(SIDEWAYS), *spilt(page), *cut(page), *wide]:
            found[path] = sideways

    assert found == {}


def test_axe_finds_nothing_on_a_first_game_by_letter(site: Site, new_page: Callable[..., Page]) -> None:
    """Asking for it, a wrong address, the answer, the yes behind its link and what follows; by day and by night."""
    page = new_page(390)
    found = []

    def look() -> None:
        for scheme in SCHEMES:
            page.emulate_media(color_scheme=scheme)
            found.extend(violations(page))

    page.goto(f"{site.url}/learn/")
    page.locator("details.fold summary").first.click()
    look()
    page.locator("input[name=address]").first.fill("someone@example.org")
    press(page, "details[open] form button")
    look()
    with site.app.app_context():
        person = db.session.execute(select(Player).order_by(Player.id.desc())).scalars().first()
        assert person is not None
        tokens = site.app.extensions["pbem.capabilities.tokens"]
        token = links.lesson_token(tokens, person.id, person.epoch, "priestsofra")
    page.goto(f"{site.url}/learn/letters/{token}")
    look()
    press(page, "button.primary")
    look()

    assert found == []
    assert page.evaluate(WIDE) == 390


@pytest.mark.parametrize("game", GAMES)
def test_the_board_is_heard_as_choices_and_not_as_letters(site: Site, new_page: Callable[..., Page], game: str) -> None:
    """Within the board a reader of screens meets named choices and numbers, and none of the text drawn around them."""
    page = new_page(390)
    page.goto(site.open_game(game, plays=2).link)

    heard = page.locator(".board .parts").aria_snapshot().splitlines()

    kinds = {line.strip(" -'").split(" ")[0] for line in heard[1:]}
    assert kinds <= {"group", "img", "button", "link", "/url:", "text:"}  # a part without choices is one image
    assert [line for line in heard if re.match(r"  - text:", line)] == []
    assert re.search(r'figure "[^"]+"', page.locator("section[aria-label]").first.aria_snapshot())


def press(page: Page, button: str) -> None:
    """Press a button that sends a form, and wait until the page it leads to stands."""
    with page.expect_navigation():
        page.locator(button).click()


def test_axe_finds_nothing_without_scripts_and_on_refusals(site: Site, new_page: Callable[..., Page]) -> None:
    """The page as it comes, a refusal, a preview and a confirmation are as sound without our scripts."""
    page = new_page(390)
    page.route("**/*.js*", lambda route: route.abort())  # axe itself needs a browser that runs scripts
    page.goto(site.open_game("priestsofra").link)
    found = [violations(page)]

    press(page, "button.look")
    refused = page.locator("#faults").inner_text()
    assert page.url.endswith("#preview")  # else the refusal would stand a screen below what is seen
    found.append(violations(page))
    page.locator("input[name=f-action]").first.check(force=True)
    press(page, "button.look")
    found.append(violations(page))
    press(page, "button.send")
    found.append(violations(page))

    assert "Nothing is chosen yet" in refused
    assert found == [[], [], [], []]
