"""What holds whichever test asks: HTTP's rules on an answer's status, flags in addresses, counters that rise by one.

Each app of the tests has such clients and rows, so whatever a test does on its way is looked at, too.
"""

from __future__ import annotations

from functools import cache
from http import HTTPStatus
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qsl, urlsplit

from flask.testing import FlaskClient
from msgspec import Struct
from sqlalchemy import BinaryExpression, event

from pbem.store.models import Game, Player, Seat
from pbem.store.queries import ply_inputs
from pbem.web.errors import PAGES

if TYPE_CHECKING:
    from werkzeug.test import TestResponse

LED_ON = {301, 302, 303, 307, 308}
"""Statuses that name another address (RFC 9110, 15.4)."""
BARE = {HTTPStatus.OK, HTTPStatus.NO_CONTENT, HTTPStatus.NOT_MODIFIED}
OF_CALLS = {HTTPStatus.CREATED, HTTPStatus.ACCEPTED, HTTPStatus.UNAUTHORIZED}
"""Statuses of calls for programs alone."""
NAMED = {
    HTTPStatus.UNAUTHORIZED: "WWW-Authenticate",
    HTTPStatus.METHOD_NOT_ALLOWED: "Allow",
    HTTPStatus.TOO_MANY_REQUESTS: "Retry-After",
    HTTPStatus.SERVICE_UNAVAILABLE: "Retry-After",
}
"""What an answer of a status must say (RFC 9110, 15.5 and 15.6; RFC 6585, 4)."""
FLAGS = {"asked", "answered", "coded", "kept", "saved"}
"""Parameters of our addresses that say that something was done: they are 1, as `is set` is written everywhere."""
COUNTERS = (Game.version, Game.due_version, Seat.epoch, Player.epoch, Player.feeds)
"""Columns that are compared with what somebody was given, and count what made that old."""
_COUNTED = {counter.key for counter in COUNTERS}


class Client(FlaskClient):
    """Looks at each answer, those on the way to the last as well."""

    def open(self, *args: Any, **named: Any) -> TestResponse:
        """Ask as Flask's own does."""
        answer = super().open(*args, **named)
        for one in (*answer.history, answer):
            require_proper(one)
        return answer


def require_proper(answer: TestResponse) -> None:
    """Assert that the answer's status is one that we give, and that it says what goes with it."""
    status, path = answer.status_code, answer.request.path
    known = PAGES.keys() | LED_ON | BARE | (OF_CALLS if path.startswith(("/api/", "/mail")) else set())
    assert status in known, f"{path}: {status}"
    assert (status in LED_ON) == ("Location" in answer.headers), f"{path}: {status}"
    assert NAMED.get(HTTPStatus(status), "Content-Type") in answer.headers or status in BARE, f"{path}: {status}"
    given = parse_qsl(urlsplit(answer.headers.get("Location", "")).query)
    assert {value for name, value in given if name in FLAGS} <= {"1"}, answer.headers["Location"]


@cache
def counters() -> None:
    """Let no counter of any row rise by two at once: something would be counted twice."""
    for counter in COUNTERS:
        event.listen(counter, "set", _risen)
    for plain in ply_inputs._ROWS.values():
        plain.__setattr__ = _set


def _set(row: Struct, name: str, value: Any) -> None:
    """Set a field of a plain row, of which SQLAlchemy tells nothing."""
    if name in _COUNTED:
        _risen(row, value, getattr(row, name), None)
    Struct.__setattr__(row, name, value)


def _risen(row: object, value: Any, before: object, _event: object) -> None:
    by = value.right.value if isinstance(value, BinaryExpression) else 1  # counted by the database
    if isinstance(before, int) and isinstance(value, int):
        by = value - before
    assert by != 2, f"a counter of {type(row).__name__} was raised twice at once"
