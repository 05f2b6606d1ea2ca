"""Whatever a player sends, the page answers with sentences that name it, the rule or limit, and what to do.

With tests/cli/test_wrong_calls.py these tables hold more than sixty wrong inputs.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

import pytest
from sqlalchemy import select

from pbem.capabilities import links
from pbem.cli.demo.correspondent import Page
from pbem.clubs.members.founding import person_at
from pbem.play.seats import opening
from pbem.play.turns.advance import advance
from pbem.store.models import OpenDecision, Seat, StoredOrder

if TYPE_CHECKING:
    from flask.testing import FlaskClient
    from flask_sqlalchemy import SQLAlchemy
    from werkzeug.test import TestResponse

    from tests.conftest import Clock


class Asked(NamedTuple):
    """A player's browser before the first bid of a game of Amun-Re."""

    client: FlaskClient
    seat: Seat
    ply: int
    token: str

    @property
    def url(self) -> str:
        """Where the decision is."""
        return f"/seat/{self.seat.id}/decide"

    def hidden(self) -> dict[str, str]:
        """What the page's form carries along."""
        page = Page(self.client.get(self.url).text)
        return next(form for form in page.forms if form.button("preview") is not None).hidden

    def post(self, **fields: str) -> TestResponse:
        """Send the form with these fields besides or instead of its own."""
        return self.client.post(self.url, data={**self.hidden(), "act": "preview", **fields})


@pytest.fixture
def asked(db: SQLAlchemy, clock: Clock, client: FlaskClient) -> Asked:
    """The bidder's browser, with the link of the letter opened."""
    session, now = db.session(), clock.now
    people = [person_at(session, now, f"{name}@club.example", name) for name in ("ada", "ben", "cleo")]
    for person in people:
        person.accepted_at = now
    seats = tuple(opening.SeatPlan(player_id=person.id, seated=True) for person in people)
    opened = opening.open_game(session, now, opening.GamePlan(game="amunre", seats=seats, seed="bad input"))
    advance(session, now, opened.id)
    session.commit()
    query = (
        select(Seat, OpenDecision.ply)
        .join(OpenDecision, OpenDecision.seat == Seat.seat)
        .where(OpenDecision.closed_at.is_(None))
    )
    seat, ply = session.execute(query).one()
    token = links.seat_token(client.application.extensions["pbem.capabilities.tokens"], seat.id, seat.epoch, ply)
    assert client.get(f"/l/{token}").status_code == 303
    return Asked(client, seat, ply, token)


def alert(answer: TestResponse) -> str:
    """What the page says is wrong, with plain quotes."""
    return Page(answer.text).alert.translate(dict.fromkeys(range(0x2018, 0x2020), "'"))


EXAMPLE = "Write for example: bid"
ORDERS = [
    ("bid", ["'bid'", EXAMPLE]),
    ("bid 6", ["'bid 6'", EXAMPLE]),
    ("bid 6 on", ["'bid 6 on'", EXAMPLE]),
    ("bid on Memphis", ["'bid on Memphis'", EXAMPLE]),
    ("bid -3 on Memphis", ["'bid -3 on Memphis'", EXAMPLE]),
    ("bid 5 on Memphis", ["5 is no bid space", "3 and 6"]),
    ("bid 6.5 on Memphis", ["'6.5' is not a whole number"]),
    ("bid 99999999 on Memphis", ["'99999999' is too large"]),
    ("bid 6 on Atlantis", ["'Atlantis'", "misspelt"]),
    ("bid 6 auf Memphis", ["'auf'", "misspelt"]),
    ("bid 6 on Memphis with dragon", ["'bid 6 on Memphis with dragon' is no order", "mean 'bid 6 on Memphis'?"]),
    ("bid 6 on Memphis on Abu", ["'bid 6 on Memphis on Abu' is no order", "mean 'bid 6 on Memphis'?"]),
    ("bid 6 on <b>Memphis</b>", ["'b'", "misspelt"]),
    ("hello", ["'hello'", "misspelt"]),
    ("pass", ["There is no passing", "Bid 0 on a free one"]),
    ("offer 3", ["'offer 3'", EXAMPLE]),
    ("raise", ["'raise'", EXAMPLE]),
    ("take 2 cards", ["'take 2 cards'", EXAMPLE]),
    ("buy 2 cards", ["'buy 2 cards'", EXAMPLE]),
    ("\N{DROMEDARY CAMEL}", ["'\N{DROMEDARY CAMEL}'", EXAMPLE]),
    ("\x07", ["can't be read", EXAMPLE]),
    ("bid 6 on Abu; then dance", ["'dance'"]),
    ("bid 6 on " + "Memphis " * 400, ["characters long", "at most 2,000"]),
]


@pytest.mark.parametrize(("typed", "names"), ORDERS, ids=[text[:30] for text, _ in ORDERS])
def test_wrong_order(typed: str, names: list[str], asked: Asked) -> None:
    """The page shows the form again, names the words, says what to write, and keeps what was typed."""
    answer = asked.post(text=typed)

    said = alert(answer)
    assert [name for name in names if name not in said] == []
    assert "Traceback" not in answer.text
    assert typed.replace("<", "&lt;").replace(">", "&gt;").strip()[:40] in answer.text


def test_a_province_that_is_not_up_for_auction(asked: Asked, db: SQLAlchemy) -> None:
    """An order that can be read but isn't legal names the rule and what would be."""
    shown = alert(asked.post(text="bid 6 on Memphis")) or alert(asked.post(text="bid 6 on Buto"))

    assert "is not up for auction; there are:" in shown
    assert "rule AR-" in shown
    assert db.session.execute(select(StoredOrder)).first() is None


FIELDS = [
    ({"act": "preview"}, ["Nothing is chosen yet", "pick one"]),
    ({"act": "send"}, ["Nothing is chosen yet"]),
    ({"act": "preview", "text": "   "}, ["Nothing is chosen yet"]),
    (
        {"act": "preview", "ply": "999", "text": "bid 1 on Abu"},
        ["went on while this page was open", "See what it asks"],
    ),
    ({"act": "preview", "ply": "0", "text": "bid 1 on Abu"}, ["went on while this page was open", "See what it asks"]),
    (
        {"act": "send", "ply": "999", "text": "bid 1 on Abu", "seen": "bid 1 on Abu"},
        ["went on while this page was open", "See what it asks"],
    ),
    (
        {"act": "send", "ply": "0", "text": "bid 1 on Abu", "seen": "bid 1 on Abu"},
        ["went on while this page was open", "See what it asks"],
    ),
    (
        {"act": "send", "ply": "one", "text": "bid 1 on Abu", "seen": "bid 1 on Abu"},
        ["went on while this page was open", "See what it asks"],
    ),
]


@pytest.mark.parametrize(("fields", "names"), FIELDS, ids=str)
def test_wrong_form(fields: dict[str, str], names: list[str], asked: Asked, db: SQLAlchemy) -> None:
    """A form that is empty or belongs to another moment is answered in words, and no order is taken from it."""
    answer = asked.post(**fields)

    said = alert(answer) or answer.text
    assert [name for name in names if name not in said] == []
    taken = db.session.execute(select(StoredOrder.id).where(StoredOrder.kind == "order")).first()
    assert taken is None


@pytest.mark.parametrize("missing", [{"csrf_token": ""}, {"csrf_token": "made-up"}], ids=["none", "wrong"])
def test_form_that_is_not_ours(missing: dict[str, str], asked: Asked) -> None:
    """A form without our mark is refused with a sentence that says how to go on."""
    answer = asked.post(text="bid 1 on Abu", **missing)

    assert answer.status_code == 400
    assert "Load the page it came from again" in answer.text


SPOILED: dict[str, Callable[[str], str]] = {
    "none": lambda _: "",
    "a letter": lambda _: "x",
    "a camel": lambda _: "\N{DROMEDARY CAMEL}",
    "cut": lambda token: token[:-1],
    "longer": lambda token: token + "A",
    "backwards": lambda token: token[::-1],
    "another beginning": lambda token: "A" + token[1:],
    "capitals": lambda token: token.upper(),
    "another mark": lambda token: token.replace(".", "-", 1),
    "a folder up": lambda token: "../" + token,
    "a zero byte": lambda token: "%00" + token,
    "far too long": lambda token: token * 50,
}


@pytest.mark.parametrize("spoil", SPOILED.values(), ids=SPOILED)
def test_wrong_token(spoil: Callable[[str], str], asked: Asked) -> None:
    """Every link that isn't ours gets the same page, which says what it may be and offers fresh links."""
    answer = asked.client.get("/l/" + spoil(asked.token))

    assert answer.status_code == 404
    assert "mail you fresh links" in answer.text


def test_another_seat(asked: Asked, db: SQLAlchemy) -> None:
    """A seat whose link one never opened is as unknown as one that isn't there."""
    other = db.session.execute(select(Seat.id).where(Seat.id != asked.seat.id).limit(1)).scalar_one()
    answers = [asked.client.get(f"/seat/{number}/decide") for number in (other, 99999)]

    assert [answer.status_code for answer in answers] == [404, 404]
    assert answers[0].text.replace(f"seat/{other}/", "") == answers[1].text.replace("seat/99999/", "")


@pytest.mark.parametrize(
    ("address", "sentence"),
    [
        *((text, "write it like name@example.org") for text in ("", "ada", "ada at example.org")),
        ("@" * 3000, "has 3,000 characters; at most 254 fit here"),
    ],
)
def test_wrong_address_on_the_links_page(address: str, sentence: str, asked: Asked) -> None:
    """What can't be an address is named, with what to write."""
    hidden = next(form.hidden for form in Page(asked.client.get("/links").text).forms if "csrf_token" in form.hidden)
    answer = asked.client.post("/links", data={**hidden, "address": address})

    assert answer.status_code == 422
    assert sentence in answer.text
