"""How many taps a decision takes on a phone, and whether one must scroll: the records played through the page.

    python -m benchmarks.taps [--short] [--json] [--kind "egizia build"]

Games of the records are opened with their seeds and carried on by their orders; some decisions, evenly spread, are
answered in Chromium at 390x844: by tapping what stands for the order on the board or in the sheet, then *Send*. The
order stored must be the recorded one. A tap on what is covered or out of sight counts as a scroll. Bars: at most three
taps for 90 % of the decisions, no scroll for 70 %.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
import threading
from collections import defaultdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec
from playwright.sync_api import TimeoutError as PlaywrightTimeout
from playwright.sync_api import sync_playwright
from sqlalchemy import select

from benchmarks.overlaps import RECORDS
from pbem import clock
from pbem.capabilities import links
from pbem.capabilities.tokens import tokens
from pbem.engine.core import records
from pbem.engine.registry import GAMES, rules_of
from pbem.extensions import db
from pbem.play.orders import submission
from pbem.play.turns.advance import advance
from pbem.play.views.game_context import state_of
from pbem.store.models import Game, Seat, StoredOrder
from pbem.store.queries import common
from pbem.web.play.decision_form import NOTHING, prefix, preset
from tests import factories
from tests.browser_contexts import launched
from tests.conftest import make_app, set_up, settings_in
from tests.order_fields import filled
from tests.servers import free_port
from tests.web_server import web_server

if TYPE_CHECKING:
    from collections.abc import Iterator

    from flask import Flask
    from playwright.sync_api import Browser, Locator, Page

    from pbem.engine.core.records import Record

WITHIN, FREE = 0.9, 0.7
THREE = 3
SHORT, WHOLE = 12, 90
"""Decisions of each game that are answered in the browser."""
SIZE: Any = {"width": 390, "height": 844}
_AT_HAND = """element => {
  const box = element.getBoundingClientRect();
  if (!box.width || box.top < 0 || box.bottom > innerHeight) return false;
  const there = document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2);
  return there === element || element.contains(there);
}"""


class Tapped(msgspec.Struct):
    """One decision answered."""

    kind: str
    taps: int = 0
    is_scrolled: bool = False
    is_reached: bool = True
    """Whether the page offers the order at all."""


class Thumb:
    """Taps on a page, counting."""

    def __init__(self, page: Page, kind: str) -> None:
        """Nothing is tapped yet."""
        self.page, self.done = page, Tapped(kind)

    def at_hand(self, place: Locator) -> bool:
        """Whether a tap there hits it as the page stands."""
        return place.count() > 0 and bool(place.first.evaluate(_AT_HAND))

    def tap(self, place: Locator) -> None:
        """Tap the middle of it; scroll there first if need be."""
        if not self.at_hand(place):
            self.done.is_scrolled = True
            place.first.evaluate("element => element.scrollIntoView({ block: 'center' })")
        before = self.page.evaluate("window.answers = window.answers || 0")
        self.done.taps += 1
        box = place.first.bounding_box()
        assert box is not None  # it is shown
        self.page.touchscreen.tap(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        self.page.wait_for_timeout(180)
        self.page.wait_for_function("before => !document.querySelector('.htmx-request')", arg=before)

    def choose(self, name: str, value: str) -> None:
        """Choose one value of one field: on the board where a tap there can mean nothing else, else in the sheet."""
        spot = self.page.locator(f'form.decide [name="{name}"][value="{value}"]')
        if not spot.count():
            self.page.locator(f'form.decide select[name="{name}"]').select_option(value)
            self.done.taps += 2
            return
        label = spot.locator("xpath=ancestor::label")
        if spot.is_checked():
            return
        shape = self._shape(spot)
        if not self.at_hand(label) and shape is not None:
            self.tap(shape)
        if not spot.is_checked() and not label.is_visible() and not self._is_folded(spot):
            self.tap(self.page.locator("form.decide .more"))
        if self._is_folded(spot):
            self.tap(spot.locator("xpath=ancestor::details/summary"))
        if not spot.is_checked():
            self.tap(label)

    def _is_folded(self, spot: Locator) -> bool:
        """Whether it stands in a part of the sheet that is still closed."""
        return spot.locator("xpath=ancestor::details[not(@open)]").count() > 0

    def _shape(self, spot: Locator) -> Locator | None:
        """What on the board stands for a choice, or for what it is part of."""
        for mark in ("target", "within"):
            target = spot.get_attribute(f"data-{mark}")
            shape = self.page.locator(f'.board [data-target="{target}"].pickable')
            if target and shape.count():
                return shape
        return None

    def send(self) -> bool:
        """Tap on *Send*, and wait for what comes then; no if the page never came to offer it."""
        button = self.page.locator("form.decide .send")
        try:
            button.wait_for(timeout=15000)
        except PlaywrightTimeout:
            print("not sent:", self.done, self.page.locator("form.decide").inner_text()[:300], file=sys.stderr)
            return False
        self.done.taps += 1
        if not self.at_hand(button):
            self.done.is_scrolled = True
        button.scroll_into_view_if_needed()
        with self.page.expect_navigation():
            button.tap()
        return True


def _in_turn(record: Record) -> dict[str, str]:
    """The record's options, its auctions held in turn: of sealed ones a record holds the bids, not the lists."""
    return {name: "in_turn" if name == "auctions" else value for name, value in record.options.items()}


class Played:
    """A record carried on in the app."""

    def __init__(self, app: Flask, url: str, browser: Browser, record: Record) -> None:
        """Open its game."""
        self.app, self.url, self.browser, self.record = app, url, browser, record
        self.rules = rules_of(record.game)
        with app.app_context():
            wishes = {"people": record.seats, "bots": (), "seed": record.seed, "options": _in_turn(record)}
            self.id = factories.GameFactory(game=record.game, now=clock.now(), **wishes).id

    def answers(self, every: int, most: int, only: str = "") -> Iterator[Tapped]:
        """Play the record, each `every`-th decision (of the kind `only`) in the browser, at most `most` of them."""
        decision = given = 0
        for ply in self.record.plies[1:]:
            with self.app.app_context():
                game = db.session.get_one(Game, self.id, populate_existing=True)
                asked = {one.seat: one.kind for one in factories.asked(db.session(), game) if game.ply < ply.number}
            for seat, order in ply.orders.items():
                if seat not in asked:
                    self._submit(seat, order, is_asked=False)
                    continue
                is_meant = only in {"", f"{self.record.game} {asked[seat]}"}
                decision += is_meant
                in_browser = is_meant and decision % every == 0 and given < most
                given += in_browser
                if in_browser:
                    yield self._tapped(seat, order)
                else:
                    self._submit(seat, order)
            with self.app.app_context():
                advance(db.session(), clock.now(), self.id)
                db.session.commit()

    def _seat(self, seat: int) -> Seat:
        found: Seat = db.session.execute(select(Seat).where(Seat.game_id == self.id, Seat.seat == seat)).scalar_one()
        return found

    def _submit(self, seat: int, order: str, *, is_asked: bool = True) -> None:
        """Send an order; of who isn't asked it counts where it may be given ahead, else nothing is left to choose."""
        with self.app.app_context():
            sent = submission.Submission(seat_id=self._seat(seat).id, ply=self._ply(), text=order)
            receipt = submission.submit(db.session(), clock.now(), sent)
            assert receipt.accepted or not is_asked, (order, receipt.faults)
            db.session.commit()

    def _ply(self) -> int:
        return db.session.get_one(Game, self.id, populate_existing=True).ply + 1

    def _tapped(self, seat: int, order: str) -> Tapped:
        with self.app.app_context():
            row, ply = self._seat(seat), self._ply()
            state = state_of(self.rules, common.snapshot(db.session(), self.id, ply - 1))
            kind = f"{self.record.game} {self.rules.asked(state)[seat].kind}"
            fields = filled(self.rules, state, seat, order)
            standing = preset(self.rules.form(self.rules.view(state, seat)))
            link = f"{self.url}/l/{links.seat_token(tokens(), row.id, row.epoch, ply)}"
        if fields is None:
            self._submit(seat, order)
            return Tapped(kind, 99, is_scrolled=True, is_reached=False)
        wanted = {name: values for name, values in fields.items() if set(values) != standing.get(name)}
        return self._in_browser(seat, order, link, kind, wanted)

    def _in_browser(self, seat: int, order: str, link: str, kind: str, wanted: dict[str, list[str]]) -> Tapped:
        context = self.browser.new_context(viewport=SIZE, has_touch=True, is_mobile=True, reduced_motion="reduce")
        page = context.new_page()
        page.goto(link)
        thumb = Thumb(page, kind)
        for name, values in wanted.items():
            for value in values:
                thumb.choose(prefix() + name, value)
        if not wanted:
            thumb.choose(NOTHING, "1")
        is_sent = thumb.send()
        context.close()
        if not is_sent:
            self._submit(seat, order)
            return Tapped(kind, 99, is_scrolled=True, is_reached=False)
        with self.app.app_context():
            sent = select(StoredOrder.canonical).where(StoredOrder.game_id == self.id, StoredOrder.seat == seat)
            last = db.session.execute(sent.order_by(StoredOrder.id.desc())).scalars().first()
            assert last == order, (kind, order, last)
        return thumb.done


def measure(most: int, only: str = "") -> dict[str, Any]:
    """Answer `most` decisions of each game; the shares that keep to the bars, over all and by kind of decision.

    With `only`, such as "egizia build", decisions of that one kind are answered and all others sent as recorded.
    """
    by_kind: dict[str, list[Tapped]] = defaultdict(list)
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        port = free_port()
        url = f"http://127.0.0.1:{port}"
        app = make_app(settings_in(Path(folder), BASE_URL=url, DEMO="yes"))
        set_up(app)
        server = web_server(app, port)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        browser = launched(playwright)
        for game in (one for one in GAMES if only.partition(" ")[0] in {"", one}):
            found = [
                records.parse(path.read_text()) for path in sorted((RECORDS / game / "records").glob("[0-9]*.txt"))
            ]
            chosen = found if most > SHORT else found[: len(found) : max(1, len(found) // 2)]
            for record in chosen:
                count = sum(len(ply.orders) for ply in record.plies)
                share = max(1, most // len(chosen))
                every = 1 if only else max(1, count // share)
                for one in Played(app, url, browser, record).answers(every, share, only):
                    by_kind[one.kind].append(one)
        browser.close()
        server.shutdown()
    everything = [one for found in by_kind.values() for one in found]
    kinds = {kind: _shares(found) for kind, found in sorted(by_kind.items())}
    return {**_shares(everything), "kinds": kinds}


def _shares(found: list[Tapped]) -> dict[str, Any]:
    return {
        "decisions": len(found),
        "within_three": round(sum(one.taps <= THREE for one in found) / len(found), 3),
        "without_scroll": round(sum(not one.is_scrolled for one in found) / len(found), 3),
        "taps": sum(one.taps for one in found if one.is_reached) / max(1, sum(one.is_reached for one in found)),
        "not_offered": sum(not one.is_reached for one in found),
    }


def main() -> None:
    """Measure, print, and leave with 1 if a bar is missed."""
    parser = argparse.ArgumentParser(description="Taps and scrolls of the decisions of recorded games.")
    parser.add_argument("--short", action="store_true", help=f"{SHORT} decisions of each game, not {WHOLE}")
    parser.add_argument("--json", action="store_true", help="print the figures as JSON on one line")
    parser.add_argument("--kind", default="", help='one kind of decision only, such as "egizia build"')
    wishes = parser.parse_args()
    found = measure(SHORT if wishes.short else WHOLE, wishes.kind)
    print(json.dumps(found) if wishes.json else json.dumps(found, indent=1))
    sys.exit(found["within_three"] < WITHIN or found["without_scroll"] < FREE)


if __name__ == "__main__":
    main()
