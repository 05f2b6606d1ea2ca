"""The people of a big club: each order by a browser of its own, or by mail through the SMTP door."""

from __future__ import annotations

import http.client
import random
import re
import smtplib
import threading
import time
from concurrent.futures import Future, ThreadPoolExecutor
from html import unescape
from typing import TYPE_CHECKING
from urllib.parse import urlencode

import msgspec

from benchmarks.faults.inbound import reply
from pbem.capabilities import links
from pbem.capabilities.tokens import tokens
from tests.servers import LOOPBACK, until

if TYPE_CHECKING:
    from benchmarks.faults.players import Club, Question
    from benchmarks.faults.stage import Stage

DAILY_ORDERS = 8_200
PEAK = 0.1
"""The part of a day's orders that comes in its busiest hour."""
BY_MAIL = 0.1
CROWD = 24
"""People in front of their screens at the same time, at most."""
PATIENCE = 90.0
"""Seconds in which a mail must be answered, or it is an error."""


class Seen(msgspec.Struct):
    """What the people saw, in seconds."""

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
        """Open the link, load the page, send the form."""
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


def by_mail(on: Stage, one: Question, seen: Seen, number: int) -> None:
    """Send an order through the SMTP door, and wait until the relay has our answer."""
    raw, to = reply(on, one, one.order, f"load-{number}")
    before = len(on.sink.mails)
    sought = f"load-{number}@people.example".encode()
    start = time.monotonic()
    with smtplib.SMTP(LOOPBACK, on.mail_port) as door:
        door.sendmail("player@people.example", [to], raw)
    try:
        until(lambda: any(sought in mail.raw for mail in on.sink.mails[before:]), "the answer", PATIENCE, pause=0.05)
    except AssertionError:
        seen.errors.append(f"no answer within {PATIENCE:.0f} s to a mail of seat {one.seat_id}, ply {one.ply}")
        return
    seen.mails.append(time.monotonic() - start)


def orders(on: Stage, club: Club, times: int, minutes: float) -> Seen:
    """Orders at the peak hour's rate of a club server, or so many `times` of it."""
    seen, chance = Seen(), random.Random(1)
    pause = 3600 / (DAILY_ORDERS * PEAK * times)
    number, end = 0, time.monotonic() + minutes * 60
    with ThreadPoolExecutor(CROWD) as crowd:
        jobs: list[Future[None]] = []
        given: set[tuple[int, int]] = set()  # nobody answers a question twice because the first answer is on its way
        while time.monotonic() < end:
            asked = [one for one in club.questions() if (one.seat_id, one.ply) not in given]
            threading.Event().wait(0.0 if asked else pause)
            for one in chance.sample(asked, min(len(asked), 20)):
                threading.Event().wait(chance.expovariate(1 / pause))
                if time.monotonic() > end:
                    break
                number += 1
                given.add((one.seat_id, one.ply))
                if chance.random() < BY_MAIL:
                    jobs.append(crowd.submit(by_mail, on, one, seen, number))
                else:
                    jobs.append(crowd.submit(Browser(on, seen).order, one))
        for job in jobs:
            job.result()
    return seen
