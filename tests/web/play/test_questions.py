"""What newcomers ask, in docs/players: each question is answered by the decision page itself or one tap from it."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import pytest

from pbem.capabilities import links
from pbem.engine.registry import GAMES
from pbem.extensions import db as orm
from pbem.play.orders.submission import Submission, submit
from pbem.play.turns.advance import advance
from pbem.store.models import Game, Player
from pbem.study import guides
from tests import factories
from tests.web.conftest import Guest

if TYPE_CHECKING:
    from collections.abc import Iterator

    from flask import Flask

    from tests.web.conftest import Browser

HOME = Path(__file__).parents[3] / "docs/players"
ROW = re.compile(r"(?m)^\| (\d+) \| ([^|]+) \| ([^|]+) \| ([^|]+) \|$")
VOID = {"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "wbr", "path", "rect"}


class Question(NamedTuple):
    """A row of the list."""

    ply: int
    """After this ply of the guide's record the page is opened, by the first seat that is asked."""
    text: str
    tap: str
    answer: str


class Part(HTMLParser):
    """A page taken apart: what is in sight, what is folded under each summary, where each link leads."""

    def __init__(self, page: str) -> None:
        """Read the page."""
        super().__init__()
        self.open: list[tuple[str, dict[str, str | None]]] = []
        self.sight = ""
        self.folds, self.fetched, self.ways, self.ids = (dict[str, str]() for _ in range(4))
        self._folds: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Go one deeper."""
        if tag not in VOID:
            self.open.append((tag, dict(attrs)))
            if tag == "details":
                self._folds.append("")
        if tag in {"img", "svg"}:
            self.handle_data(str(dict(attrs).get("alt") or ""))

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """A mark without an end holds no words."""

    def handle_endtag(self, tag: str) -> None:
        """Come back up."""
        while self.open and self.open.pop()[0] != tag:
            pass
        if tag == "details" and self._folds:
            self._folds.pop()

    def handle_data(self, data: str) -> None:
        """Put words where they are seen."""
        tags = [tag for tag, _ in self.open]
        if "style" in tags or "script" in tags:
            return
        words = " ".join(data.split()) + " "
        for _, attrs in self.open:
            if attrs.get("id"):
                self.ids[str(attrs["id"])] = self.ids.get(str(attrs["id"]), "") + words
        if tags and "summary" in tags:
            self._summary(words.strip())
        folded = any(tag == "details" and "open" not in attrs for tag, attrs in self.open)
        if not folded or "summary" in tags:
            self.sight += words
        for title in self._folds:
            if title and "summary" not in tags:
                self.folds[title] = self.folds.get(title, "") + words
        for tag, attrs in self.open:
            if tag == "a" and attrs.get("href") and words.strip() and not folded:
                self.ways.setdefault(words.strip(), str(attrs["href"]))

    def _summary(self, title: str) -> None:
        attrs = next(attrs for tag, attrs in reversed(self.open) if tag == "details")
        if title and not self._folds[-1]:
            self._folds[-1] = title
            if attrs.get("data-hx-get"):
                self.fetched[title] = str(attrs["data-hx-get"])


def plain(text: str) -> str:
    """Words alone: no double blanks, no blank before a stop."""
    return re.sub(r"\s+([.,:;)])", r"\1", " ".join(text.split()))


def questions(game: str) -> list[Question]:
    """The rows of a game's list, in the order of the record."""
    text = (HOME / f"questions-{game}.md").read_text(encoding="utf-8")
    return sorted(Question(int(ply), *(cell.strip() for cell in rest)) for ply, *rest in ROW.findall(text))


def found_by(browser: Browser, page: Part, tap: str) -> str:
    """What is read after one tap on the page, or without any."""
    how, _, name = tap.partition(" ")
    name = name.strip("*")
    if tap == "none":
        return page.sight
    if how == "unfold":
        url = page.fetched.get(name)
        opened = page if url is None else Part(browser.get(url).text)
        return opened.folds.get(name, "" if url is None else opened.sight)
    assert how == "follow", tap
    url, _, anchor = page.ways.get(name, "/nothing-here").partition("#")
    led = Part(browser.get(url).text)
    return led.ids.get(anchor, "") if anchor else led.sight


def pages(app: Flask, game: str, plies: set[int]) -> Iterator[tuple[int, Browser, Part]]:
    """The decision page after each of these plies of the record that the guide's pictures are drawn from."""
    record, session = guides.record(game), orm.session()
    opened = factories.GameFactory(game=game, people=3, bots=(), seed=record.seed)
    for ply in record.plies:
        if opened.ply in plies:
            plies.remove(opened.ply)
            yield opened.ply, *decision(app, opened)
            session.rollback()
        if ply.number <= opened.ply:
            continue  # settled by itself: a question with one answer is never asked
        for seat, text in ply.orders.items():
            row = factories.seat_of(session, opened, seat)
            order = Submission(seat_id=row.id, ply=opened.ply + 1, text=text, source="web")
            receipt = submit(session, factories.START, order)
            assert receipt.accepted, (game, ply.number, text, receipt.faults)
        advance(session, factories.START, opened.id)
        session.commit()
        session.refresh(opened)


def decision(app: Flask, game: Game) -> tuple[Browser, Part]:
    """The page of the first seat that is asked, and the browser it is open in."""
    session = orm.session()
    seat = factories.seat_of(session, game, factories.asked(session, game)[0].seat)
    player = session.get_one(Player, seat.player_id)
    tokens = app.extensions["pbem.capabilities.tokens"]
    token = links.seat_token(tokens, seat.id, seat.epoch, game.ply + 1)
    guest = Guest(app, seat, player, token, links.player_token(tokens, player.id, player.epoch))
    session.commit()
    return guest.browser, Part(guest.browser.get(guest.link).text)


@pytest.mark.usefixtures("db")
@pytest.mark.parametrize("game", GAMES)
def test_thirty_questions_are_answered_by_one_tap_at_most(app: Flask, game: str) -> None:
    """Each row's tap is there on the page of its position, and what it opens holds the answer."""
    rows = questions(game)
    missed = [
        f"{row.ply} {row.text} | {row.tap} | {row.answer}: {plain(found_by(browser, page, row.tap))[:3000]}"
        for ply, browser, page in pages(app, game, {row.ply for row in rows})
        for row in rows
        if row.ply == ply and row.answer not in plain(found_by(browser, page, row.tap))
    ]

    assert missed == []
    assert len({row.text for row in rows}) == len(rows) >= 30
