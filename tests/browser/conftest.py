"""A real server on loopback, with its worker, and a game on it that a browser plays in."""

from __future__ import annotations

import json
import re
import shutil
import threading
from typing import TYPE_CHECKING, Any, Literal
from weakref import WeakKeyDictionary

import pytest
from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import Page
from sqlalchemy import select

from pbem import clock
from pbem.capabilities import browsers, links
from pbem.extensions import db
from pbem.store.models import Game, Member, Player, Seat
from tests import factories
from tests.conftest import make_app, never_wait_for_the_disk, settings_in
from tests.embedded import embedded
from tests.servers import free_port
from tests.web_server import web_server

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from flask import Flask
    from playwright.sync_api import Route

PLIES = 300
"""Plies after which a question that never came is given up."""
PATIENCE = 60
"""Seconds the server may take to carry a game on."""


class Site:
    """The server: its address, and the links into its games."""

    def __init__(self, app: Flask, url: str) -> None:
        """Take a server that answers at `url`."""
        self.app, self.url = app, url

    def prove(self, page: Page) -> None:
        """Count as a browser whose owner gave a mailed code within the hour, for everybody it speaks for."""
        (cookie,) = [one["value"] for one in page.context.cookies() if one["name"] == "pbem"]
        with self.app.app_context():
            signer = self.app.session_interface.get_signing_serializer(self.app)  # type: ignore[attr-defined]  # Flask's own
            held = signer.loads(cookie)
            for player_id in map(int, held["players"]):
                row = browsers.acted(db.session(), clock.now(), held["mark"], player_id, "a test's")
                row.proved_until = clock.now() + browsers.LIFE
            db.session.commit()

    def open_game(self, game: str, **wishes: Any) -> Seated:
        """Open a game of one person against bots; gives the person's way in."""
        with self.app.app_context():
            bots = ("random",) * (2 if game == "amunre" else 1)
            opened = factories.GameFactory(game=game, people=1, bots=bots, now=clock.now(), **wishes)
            seat = db.session.execute(select(Seat).where(Seat.game_id == opened.id, Seat.bot == "")).scalar_one()
            player = db.session.get_one(Player, seat.player_id)
            (club,) = factories.ClubFactory.create_batch(1)
            db.session.add(Member(club_id=club.id, player_id=player.id, role="organiser", joined_at=clock.now()))
            opened.club_id = club.id
            db.session.commit()
            tokens = self.app.extensions["pbem.capabilities.tokens"]
            return Seated(
                self,
                opened.slug,
                club.slug,
                seat.id,
                player.id,
                f"{self.url}/l/{links.seat_token(tokens, seat.id, seat.epoch, 1)}",
                f"{self.url}/l/{links.player_token(tokens, player.id, player.epoch)}",
            )

    def questions(self, seated: Seated, kinds: Sequence[str]) -> Iterator[str]:
        """Carry a game on to the first question of each of these kinds that its person is asked; gives them as met."""
        wanted = set(kinds)
        with self.app.app_context():
            game = db.session.execute(select(Game).where(Game.slug == seated.slug)).scalar_one()
            seat = db.session.get_one(Seat, seated.seat_id).seat
        for _ in range(PLIES):
            with self.app.app_context():
                game = db.session.get_one(Game, game.id, populate_existing=True)
                met = {one.kind for one in factories.asked(db.session(), game) if one.seat == seat} & wanted
            yield from met
            wanted -= met
            if not wanted:
                return
            with self.app.app_context():
                factories.answer_all(db.session(), clock.now(), db.session.get_one(Game, game.id))
        raise AssertionError(wanted)


class Seated:
    """One person's way into one game."""

    def __init__(
        self, site: Site, slug: str, club: str, seat_id: int, player_id: int, link: str, own_link: str
    ) -> None:
        """Nothing is opened yet."""
        self.club = f"/club/{club}"
        self.site, self.slug, self.seat_id, self.player_id = site, slug, seat_id, player_id
        self.link, self.own_link = link, own_link
        self.decide = f"{site.url}/seat/{seat_id}/decide"


@pytest.fixture
def site(tmp_path: Path, _sqlite: Path) -> Iterator[Site]:
    """A demo server with worker and beat in threads, on a free port of loopback."""
    shutil.copy(_sqlite, tmp_path / "pbem.sqlite")
    port = free_port()
    url = f"http://127.0.0.1:{port}"
    app = make_app(settings_in(tmp_path, BASE_URL=url, DEMO="yes"))
    never_wait_for_the_disk(app)
    server = web_server(app, port)
    serving = threading.Thread(target=server.serve_forever, daemon=True)
    serving.start()
    with embedded(app, tmp_path / "log"):
        yield Site(app, url)
    server.shutdown()
    server.server_close()
    serving.join()
    with app.app_context():
        db.engine.dispose()


LATE = re.compile(r"\.(js|woff2)(\?|$)")
"""What a page names and a slow line brings only once it is painted."""
WATCHED = """window.moved = 0;
new PerformanceObserver((list) => list.getEntries().forEach((one) => { window.moved += one.value; }))
  .observe({ type: "layout-shift", buffered: true });"""
PAINTED = """() => new Promise((done) => {
  const isPainted = () => performance.getEntriesByType("paint").length && document.readyState !== "loading";
  const look = () => (isPainted() ? done() : requestAnimationFrame(look));
  look();
})"""
STREAMED = """() => {
  const top = (one) => one.getBoundingClientRect().top;
  const shown = [...document.querySelectorAll("main *:not(svg *), header")]
    .filter((one) => one.checkVisibility() && getComputedStyle(one).display !== "inline" && top(one) < innerHeight);
  const tops = new Map(shown.map((one) => [one, top(one)]));
  const parts = ["main > *", "main > * > *", "main > * > * > *", "main > * > * > * > *"].join();
  const gone = [], found = [];
  for (const part of [...document.querySelectorAll(parts)].reverse()) {
    if (part.closest("svg *")) continue;
    const isOfLine = part.parentElement.closest("label, .field, .filter, dl");
    gone.push([part, part.parentElement, part.nextSibling]);
    part.remove();
    if (isOfLine) continue;
    for (const [one, then] of tops) {
      if (!one.isConnected || Math.abs(top(one) - then) < 12) continue;
      const by = Math.round(then - top(one));
      found.push(`${one.outerHTML.slice(0, 60)} by ${by} px with ${part.outerHTML.slice(0, 40)}`);
      tops.delete(one);
    }
  }
  for (const [part, parent, next] of gone.reverse()) parent.insertBefore(part, next);
  return found;
}"""
"""Takes parts of a page away from the last on, and puts them back: what of its first view moves meanwhile."""


def streamed(page: Page) -> list[str]:
    """What of a page's first view moves when its end arrives."""
    found: list[str] = page.evaluate(STREAMED)
    return found


STEADY = 0.05
"""The layout shift that nobody notices; above 0.1 a page counts as restless (web.dev/cls)."""


def restless(page: Page, url: str) -> list[str]:
    """Load a page as over a slow line, its end, scripts and letters after it is painted: what moves by itself.

    Needs `WATCHED` as an initial script of the page.
    """
    held: list[Route] = []
    is_late = True

    def hold(route: Route) -> None:
        if is_late:
            held.append(route)
        else:
            route.continue_()

    page.route(LATE, hold)  # keeps the page from its cache, too, else nothing would be late that the last page brought
    page.goto(url, wait_until="commit")
    page.evaluate(PAINTED)
    found = streamed(page)
    is_late = False
    for route in held:
        route.continue_()
    page.wait_for_load_state()
    moved = page.evaluate(
        "() => document.fonts.ready.then(() => new Promise((done) => requestAnimationFrame(() =>"
        " requestAnimationFrame(() => done(window.moved)))))"
    )
    page.unroute(LATE)
    return found + [f"moves by itself: {moved:.2f}"] * (moved > STEADY)


SCHEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")
"""By day and by night."""
COLOURS = ("color-contrast", "link-in-text-block")
"""The rules of axe that look at colours."""
SIZES = ("scrollable-region-focusable",)
"""The one that looks at sizes. All others ask what is there: of what they were asked before they say the same."""

ASKED = """() => {
  const texts = ":not(.board svg *):not([data-alike])";
  axe.configure({ rules: [{ id: "color-contrast", selector: `*${texts}` },
    { id: "link-in-text-block", selector: `a[href]${texts}` }] });
}"""
"""Asks axe for the contrast of all but what is drawn on boards, of most of whose lettering it can't tell.

tests/pictures/test_overlaps.py compares that with what is painted beneath; all other rules look at boards, too.
Nor does it ask again of text that is like another's, see ALIKE.
"""
ALIKE = """(judged) => {
  const grounds = new Map([[null, ""]]), found = new Set(judged);
  const digest = (text) => {
    let sum = 7n;
    for (const sign of text) sum = BigInt.asUintN(60, (sum ^ BigInt(sign.codePointAt(0))) * 1099511628211n);
    return sum.toString(36);
  };
  const ground = (one) => {
    if (grounds.has(one)) return grounds.get(one);
    const { backgroundColor, backgroundImage, opacity, filter, position } = getComputedStyle(one);
    const look = [backgroundColor, backgroundImage, opacity, filter, position].join();
    const isSeen = look !== "rgba(0, 0, 0, 0),none,1,none,static", beneath = ground(one.parentElement);
    grounds.set(one, isSeen ? digest([beneath, look].join()) : beneath);
    return grounds.get(one);
  };
  const kind = (one) => {
    const { color, fontSize, fontWeight, textDecoration, textShadow } = getComputedStyle(one);
    const off = one.matches(":disabled, [aria-disabled=true]") || one.control?.disabled;
    const around = getComputedStyle(one.parentElement), inLine = one.matches("a") && [around.color, around.fontWeight];
    return digest([ground(one), color, fontSize, fontWeight, textDecoration, textShadow, off, inLine].join());
  };
  for (const one of document.querySelectorAll("body :not(svg *)")) {
    const says = [...one.childNodes].some((part) => part.nodeType === Node.TEXT_NODE && part.data.trim());
    one.toggleAttribute("data-alike", false);
    if (!says || !one.checkVisibility({ visibilityProperty: true })) continue;
    const like = kind(one);
    one.toggleAttribute("data-alike", found.has(like));
    found.add(like);
  }
  return [...found];
}"""
"""Marks each text that has the colours, size and grounds beneath it of one before it; gives digests.

Most of what axe does is to tell the contrast of every word of a glossary, and of every chip of a row. A text before it
may also have been on another page that was looked at in the same window: its digest is among those that are handed in.
"""
_judged: WeakKeyDictionary[Page, list[str]] = WeakKeyDictionary()
"""The digests of texts whose contrast was told, by window."""
NEW = """() => {
  const shown = [...document.querySelectorAll("body *")].filter((one) => one.checkVisibility());
  const fresh = shown.filter((one) => !window.shown?.has(one));
  window.shown = new Set(shown);
  return fresh.length;
}"""
"""How much is shown now that was not at the look before."""
ASK = f"""async (judged) => {{
  if (!window.axe) return null;
  const alike = ({ALIKE})(judged), fresh = ({NEW})();
  const all = {json.dumps(COLOURS)}, colours = alike.length > judged.length ? all : [];
  const options = {{ resultTypes: ["violations"], preload: false }};
  if (!fresh) options.runOnly = [...colours, ...{json.dumps(SIZES)}];
  else if (!colours.length) options.rules = Object.fromEntries(all.map((name) => [name, {{ enabled: false }}]));
  const {{ violations }} = await axe.run(options);
  return [alike, violations.flatMap(({{ id, nodes }}) => nodes.map((one) => `${{id}}: ${{one.html.slice(0, 160)}}`))];
}}"""
"""Has axe look: the digests of all texts judged by now, and what is wrong; nothing where axe isn't loaded.

Each message to the browser takes a twentieth of what axe does, so it is one.
"""


SPILT = """() => [...document.querySelectorAll("th, td")]
  .filter((one) => getComputedStyle(one.closest("table > *")).position !== "absolute")
  .filter((one) => one.scrollWidth > one.clientWidth + 1)
  .map((one) => one.innerText.slice(0, 60))"""


def spilt(page: Page) -> list[str]:
    """What stands in cells of tables and reaches over into the next one, or out of the table."""
    found: list[str] = page.evaluate(SPILT)
    return found


TOO_SMALL = """() => {
  const folded = [...document.querySelectorAll("details:not([open])")];
  for (const one of folded) one.open = true;
  const controls = "a, button, input, select, textarea, summary";
  const inSentence = (e) => e.matches("a") && e.parentElement.matches("p, li, dd, td, li > span, .effect, .help")
    && [...e.parentElement.childNodes].some((n) => n.nodeType === Node.TEXT_NODE && /\\p{L}/u.test(n.textContent));
  const isHit = (whole) => {
    const { left, top, width, height } = whole.getBoundingClientRect();
    const [x, y] = [left + width / 2, top + height / 2];
    return [[0, -21], [0, 21], [-21, 0], [21, 0]].every(([across, down]) => {
      const there = document.elementFromPoint(x + across, y + down);
      return there && (there === whole || whole.contains(there));
    });
  };
  const isSmall = (e) => {
    const whole = e.closest("label") || e;
    const { width, height } = whole.getBoundingClientRect();
    const isGrown = getComputedStyle(whole, "::after").position === "absolute"; // its surroundings are tapped as well
    if (!isGrown && Math.min(width, height) < 43.9) return true;
    if (isHit(whole)) return false;
    whole.scrollIntoView({ block: "center", inline: "center" }); // a page that is moved is laid out anew
    return !isHit(whole);
  };
  const form = document.querySelector("form.decide");
  const isShown = (e) => e.checkVisibility() && e.type !== "hidden" && e.type !== "range" && !e.closest("svg, .skip")
    && !inSentence(e);
  const small = (inSheet) => [...document.querySelectorAll(controls)]
    .filter((e) => isShown(e) && Boolean(e.closest("form.decide")) === inSheet && isSmall(e))
    .map((e) => `${(e.closest("label") || e).innerText.slice(0, 20)} ${e.outerHTML.slice(0, 100)}`);
  const found = small(true);
  if (form) form.style.display = "none"; // what lies below the sheet
  found.push(...small(false));
  if (form) form.style.display = "";
  for (const one of folded) one.open = false;
  scrollTo(0, 0);
  return found;
}"""


def too_small(page: Page) -> list[str]:
    """What can be tapped but isn't 44 px high and wide (WCAG 2.5.8, 2.5.5), folded parts too; no links in a text."""
    found: list[str] = page.evaluate(TOO_SMALL)
    return found


CUT = """() => [...document.querySelectorAll("input[placeholder]")].filter((one) => {
  const style = getComputedStyle(one), pen = document.createElement("canvas").getContext("2d");
  pen.font = style.font;
  const room = one.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight);
  return one.checkVisibility() && pen.measureText(one.placeholder).width > room;
}).map((one) => one.placeholder)"""


def cut(page: Page) -> list[str]:
    """What stands in empty fields, in their stead, and doesn't fit there."""
    found: list[str] = page.evaluate(CUT)
    return found


def violations(page: Page) -> list[str]:
    """What axe finds wrong on a page, by rule and element.

    What is right it needn't list, nor fetch style sheets and films again: no rule that is on asks for the former, and
    films there are none. Asked again of a page that shows nothing new, it looks at colours and sizes alone; of colours
    it is asked where any text has others than those before it.
    """
    asked = page.evaluate(ASK, _judged.get(page, []))
    if asked is None:
        page.evaluate(AXE_SCRIPT)
        page.evaluate(ASKED)
        page.add_init_script(f"{AXE_SCRIPT};({ASKED})()")  # where it goes next, nobody needs to send it
        asked = page.evaluate(ASK, _judged.get(page, []))
    found: list[str]
    _judged[page], found = asked
    return found
