"""Load at the level of a big club server (M), ten times that (L), or with 10,000 phases due in one minute on top (H).

    python -m benchmarks.load M [--minutes 10] [--results FILE]

M: 12,000 running games, 8,200 orders and 16,400 mails a day, a tenth of it in the peak hour, whose rate is kept up
here. Each order is a page loaded and a form sent by a browser of its own; one in ten comes by mail through the SMTP
door. The processes are the Procfile's, the servers real and durable. Each run appends one JSON line.
"""

from __future__ import annotations

import argparse
import http.client
import random
import re
import smtplib
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from html import unescape
from pathlib import Path
from statistics import quantiles
from typing import TYPE_CHECKING
from urllib.parse import urlencode

import msgspec
from sqlalchemy import func, select, text, update

from benchmarks.faults.inbound import reply
from benchmarks.faults.players import Club
from benchmarks.faults.stage import PLAIN, Process, Stage, stage
from benchmarks.growth import copies, grow
from pbem import clock
from pbem.extensions import db, tokens
from pbem.play import links
from pbem.store.tables import Game, Letter, Player, Ply
from tests.servers import LOOPBACK, answers, free_port, until

if TYPE_CHECKING:
    from benchmarks.faults.players import Question

RESULTS = Path("instance/load.jsonl")
DAILY_ORDERS = 8_200
PEAK = 0.1
"""The part of a day's orders that comes in its busiest hour."""
GAMES = 12_000
TABLES = 60
"""Games in which orders are given; the others are copies that wait."""
DUE = 10_000
"""Phases due at once at level H."""
BY_MAIL = 0.1


class Level(msgspec.Struct, frozen=True):
    """What is loaded, and what must hold."""

    times: int
    """How many times a big club server's rate."""
    page_p95: float
    post_p95: float
    longest_post: float = 10.0
    due: int = 0
    phases_within: float = 600.0
    letters_within: float = 3600.0


LEVELS = {"M": Level(1, 0.3, 0.5), "L": Level(10, 1.0, 1.0), "H": Level(1, 2.0, 2.0, longest_post=2.0, due=DUE)}


class Seen(msgspec.Struct):
    """What the people saw."""

    pages: list[float] = []
    posts: list[float] = []
    mails: list[float] = []
    errors: list[str] = []


class Browser:
    """One player's browser."""

    def __init__(self, on: Stage, seen: Seen) -> None:
        """Open nothing yet."""
        self._on, self._seen = on, seen

    def order(self, one: Question) -> None:
        """Open the link, load the page, preview, send."""
        with self._on.app.app_context():
            token = links.seat_token(tokens(), one.seat_id, 0, one.ply)
        connection = http.client.HTTPConnection(LOOPBACK, self._on.port, timeout=30)
        connection.request("GET", f"/l/{token}")
        opened = connection.getresponse()
        opened.read()
        cookie = str(opened.headers["Set-Cookie"]).partition(";")[0]
        path = f"/seat/{one.seat_id}/decide"
        start = time.monotonic()
        connection.request("GET", path, headers={"Cookie": cookie})
        page = connection.getresponse()
        shown = page.read().decode()
        self._seen.pages.append(time.monotonic() - start)
        cookie = str(page.headers["Set-Cookie"] or cookie).partition(";")[0]
        hidden = dict(re.findall(r'type="hidden" name="([^"]+)" value="([^"]*)"', shown))
        form = {k: unescape(v) for k, v in hidden.items()} | {"act": "send", "text": one.order, "seen": one.order}
        headers = {"Cookie": cookie, "Content-Type": "application/x-www-form-urlencoded"}
        start = time.monotonic()
        connection.request("POST", path, urlencode(form), headers)
        answer = connection.getresponse()
        answer.read()
        self._seen.posts.append(time.monotonic() - start)
        if page.status != http.HTTPStatus.OK or answer.status not in {303, 409}:
            self._seen.errors.append(f"page {page.status}, order {answer.status}")
        connection.close()


def by_mail(on: Stage, port: int, one: Question, seen: Seen, number: int) -> None:
    """Send an order through the SMTP door, and wait until the relay has our answer."""
    raw, to = reply(on, one, one.order, f"load-{number}")
    before = len(on.sink.mails)
    start = time.monotonic()
    with smtplib.SMTP(LOOPBACK, port) as door:
        door.sendmail("player@people.example", [to], raw)
    sought = f"load-{number}@people.example".encode()
    until(lambda: any(sought in mail.raw for mail in on.sink.mails[before:]), "the mail is answered", 90)
    seen.mails.append(time.monotonic() - start)


def fill(on: Stage, club: Club) -> None:
    """Many games that wait, each with people of its own, and some in which orders are given."""
    model = club.open(1)[0]
    with on.app.app_context():
        grow(model, GAMES - TABLES)
        session = db.session()
        address = "'s' || s.id || '@d' || s.id % 5000 || '.example'"
        own = f"WHERE t.id = s.player_id AND s.game_id > {model}"
        session.execute(text(copies(Player, own, "seats s", {"address": address})))
        session.execute(text(f"UPDATE seats s SET player_id = p.id FROM players p WHERE p.address = {address}"))  # noqa: S608 - no words of others
        session.commit()
    club.games.clear()
    club.open(TABLES)


def make_due(on: Stage, count: int) -> datetime:
    """Let `count` games have passed their deadline; the moment it was done."""
    with on.app.app_context():
        some = select(Game.id).order_by(Game.id).limit(count)
        now = clock.now()
        values = {"wake_at": now, "cover_at": now, "due_at": now - timedelta(hours=12)}
        db.session.execute(update(Game).where(Game.id.in_(some)).values(values))
        db.session.commit()
        return now


def people(on: Stage, club: Club, level: Level, minutes: float, smtp: int) -> Seen:
    """Orders at the peak hour's rate."""
    seen, chance = Seen(), random.Random(1)
    pause = 3600 / (DAILY_ORDERS * PEAK * level.times)
    end = time.monotonic() + minutes * 60
    number = 0
    with ThreadPoolExecutor(16) as pool:
        jobs = []
        while time.monotonic() < end:
            asked = club.questions()
            for one in chance.sample(asked, min(len(asked), 20)):
                threading.Event().wait(chance.expovariate(1 / pause))
                number += 1
                if chance.random() < BY_MAIL:
                    jobs.append(pool.submit(by_mail, on, smtp, one, seen, number))
                else:
                    jobs.append(pool.submit(Browser(on, seen).order, one))
                if time.monotonic() > end:
                    break
        for job in jobs:
            job.result()
    return seen


def p95(times: list[float]) -> float:
    """The 95th percentile."""
    return round(quantiles(times, n=20)[18], 3) if len(times) > 1 else 0.0


def raw_limits(on: Stage) -> dict[str, float]:
    """What the machine can do with nothing of ours: one-row commits a second by one client."""
    with on.app.app_context(), db.engine.connect() as connection:
        connection.exec_driver_sql("CREATE TABLE raw_limit (n int)")
        connection.commit()
        start, count = time.monotonic(), 0
        while time.monotonic() - start < 1:
            connection.exec_driver_sql("INSERT INTO raw_limit VALUES (1)")
            connection.commit()
            count += 1
        connection.exec_driver_sql("DROP TABLE raw_limit")
        connection.commit()
    return {"commits_per_s": count}


def letters(on: Stage) -> dict[str, float]:
    """How long letters waited between being due and being taken, in seconds."""
    with on.app.app_context():
        rows = db.session.execute(
            select(Letter.created_at, Letter.sent_at)
            .where(Letter.state == "sent", Letter.kind == "your_turn")
            .where(Letter.sent_at > Letter.created_at)
        ).all()
    waits = [(row.sent_at - row.created_at).total_seconds() for row in rows if row.sent_at is not None]
    return {"letters": len(waits), "letter_p95": p95(waits)}


def judge(level: Level, figures: dict[str, float], errors: list[str]) -> list[str]:
    """What doesn't hold."""
    limits = {
        "page_p95": level.page_p95,
        "post_p95": level.post_p95,
        "post_longest": level.longest_post,
        "mail_longest": 60.0,
        "phases_s": level.phases_within,
        "letters_s": level.letters_within,
    }
    found = [f"{k} is {figures[k]}, the limit {most}." for k, most in limits.items() if figures.get(k, 0.0) > most]
    return found + errors[:5]


def run(on: Stage, level: Level, minutes: float) -> tuple[dict[str, float], list[str]]:
    """Fill, load, measure."""
    club, port = Club(on), free_port()
    raw = raw_limits(on)
    fill(on, club)
    on.start("web", "--workers", "2")
    on.cast("web", "worker", "mailer", "beat")
    door = (sys.executable, "-m", "pbem.cli", "mail", "listen", "--port", str(port))
    on.keep(Process("smtpd", door, on.env(), on.folder / "smtpd.log"))
    until(lambda: answers(port), "the mail door opens", 60)
    club.play(3)
    more: dict[str, float] = {}
    if level.due:
        start, before = time.monotonic(), on.plies()
        make_due(on, level.due)
        watcher = threading.Thread(target=_watch, args=(on, before + level.due, start, more))
        watcher.start()
    seen = people(on, club, level, minutes, port)
    if level.due:
        watcher.join(level.letters_within)
    figures = {
        **raw,
        "orders": len(seen.posts) + len(seen.mails),
        "page_p95": p95(seen.pages),
        "post_p95": p95(seen.posts),
        "post_longest": round(max(seen.posts, default=0), 3),
        "mail_p95": p95(seen.mails),
        "mail_longest": round(max(seen.mails, default=0), 3),
        **letters(on),
        **more,
    }
    return figures, seen.errors


def _watch(on: Stage, goal: int, start: float, found: dict[str, float]) -> None:
    """Note when the due phases are done, and when their letters are."""
    until(lambda: on.plies() >= goal, "all phases are done", 1200)
    found["phases_s"] = round(time.monotonic() - start, 1)
    until(lambda: not on.due(), "all letters left", 4000)
    found["letters_s"] = round(time.monotonic() - start, 1)


def main() -> int:
    """Run a level; 1 if something doesn't hold."""
    parser = argparse.ArgumentParser(description="Load at one level.")
    parser.add_argument("level", choices=LEVELS)
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--results", type=Path, default=RESULTS)
    given = parser.parse_args()
    level = LEVELS[given.level]
    with stage(PLAIN, durable=True) as on:
        figures, errors = run(on, level, given.minutes)
        with on.app.app_context():
            figures["games"] = db.session.execute(select(func.count()).select_from(Game)).scalar_one()
            figures["plies"] = db.session.execute(select(func.count()).select_from(Ply)).scalar_one()
    found = judge(level, figures, errors)
    line = {"level": given.level, "minutes": given.minutes, "figures": figures, "violations": found}
    line["at"] = datetime.now(UTC).isoformat(timespec="seconds")
    given.results.parent.mkdir(parents=True, exist_ok=True)
    with given.results.open("ab") as out:
        out.write(msgspec.json.encode(line) + b"\n")
    print(msgspec.json.encode(line).decode())
    return 1 if found else 0


if __name__ == "__main__":
    raise SystemExit(main())
