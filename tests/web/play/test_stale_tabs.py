"""A decision's form that outlived its question, whatever happened: one sentence, the way on, the text kept."""

from __future__ import annotations

import re
from html import unescape
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import select

from pbem.capabilities import links
from pbem.play.deadlines.waiting_reasons import STILL
from pbem.play.seats import proposals, substitutes
from pbem.store.models import GameState, Proposal
from tests import factories
from tests.web.conftest import words

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.web.conftest import Browser, Table

WENT_ON = "The game went on while this page was open, so your order wasn't taken. See what it asks today."
PLAYED = "The game went on while this page was open, so your order can't be taken back any more."
MOVED = "The game has moved on since this page was opened. See how it stands"
LINKS = "We can mail you fresh links."
TYPED = "ra, and half a th"


def resolved(table: Table) -> None:
    """All have answered, and another question is asked."""
    table.go_on()


def rewound(table: Table) -> None:
    """The table went back over what was resolved: the same question again, at a later ply."""
    session, now, before = table.db.session(), factories.START, table.game.ply
    table.go_on()
    plan = proposals.ProposalPlan(kind="rewind", to_ply=before, reason="once more")
    proposals.propose(session, now, table.game.id, table.alice.player_id, plan)
    proposal = session.scalars(select(Proposal.id)).one()
    proposals.vote(session, now, proposal, table.bob.seat_id, yes=True)


def revoked(table: Table) -> None:
    """The player has other links now."""
    links.fresh(table.db.session(), factories.START, table.alice.seat_id)


def handed_over(table: Table) -> None:
    """Somebody else has the seat."""
    seat, by = table.alice.seat, table.bob.player_id
    substitutes.replace(table.db.session(), factories.START, table.game.id, seat, table.charlie.player_id, by)


HAPPENED: dict[Callable[[Table], None], tuple[str, str, str]] = {
    resolved: (WENT_ON, PLAYED, MOVED),
    rewound: (WENT_ON, PLAYED, MOVED),
    revoked: (LINKS,) * 3,
    handed_over: (LINKS,) * 3,
}
"""What is said of an order, of one that is to be taken back, and by the open page itself."""


def looks(browser: Browser, path: str) -> str:
    """Where an open page looks what has become of it."""
    (address,) = re.findall(r'id="live" data-url="([^"]+)"', browser.get(path).text)
    return unescape(address)


def stale(table: Table, said: tuple[str, str, str], happen: Callable[[], None]) -> None:
    """Let something happen while the form is open, and press each of its buttons, with scripts and without."""
    browser, path = table.alice.opened(), f"/seat/{table.alice.seat_id}/decide"
    form = {"csrf_token": browser.token(path), "ply": table.game.ply + 1, "text": TYPED}
    look = looks(browser, path)
    assert browser.get(look).data == b""
    part = {"HX-Request": "true", "HX-Target": "div#preview"}
    happen()
    table.db.session.commit()
    way = "/links" if LINKS in said[0] else path
    noticed = browser.get(look)
    assert said[2] in words(noticed)
    assert (noticed.status_code, f'href="{way}"' in noticed.text) == (404 if way == "/links" else 200, True)
    for act in ("preview", "send", "draft", "withdraw"):
        page = browser.client.post(path, data=form | {"act": act, "seen": "ra"})
        alone = browser.client.post(path, data=form | {"act": act, "seen": "ra"}, headers=part)

        assert [page.status_code, alone.status_code] == [404 if way == "/links" else 409] * 2, act
        assert said[act == "withdraw"] in words(page), act
        assert said[act == "withdraw"] in words(alone), act
        assert f">{TYPED}</textarea>" in unescape(page.text), act
        main = page.text.partition("<main")[2].partition("</main")[0]
        assert f'href="{way}">' in main, act
        assert "<form" not in main, act  # which would be refused again
        assert f'href="{way}">' in alone.text, act


@pytest.mark.parametrize("happen", HAPPENED, ids=lambda happen: happen.__name__)
def test_a_form_of_an_earlier_question_says_what_became_of_it(table: Table, happen: Callable[[Table], None]) -> None:
    """Resolved, rewound, its link ended, its seat another's: every button says so, and what was typed stands there."""
    stale(table, HAPPENED[happen], lambda: happen(table))


@pytest.mark.parametrize("state", sorted(set(GameState) - {GameState.RUNNING}))
def test_a_game_that_stands_still_takes_nothing_and_asks_nothing(table: Table, state: GameState) -> None:
    """The form says why, not that the game went on, and the open page too; the game's page says it and asks nothing."""

    def stands() -> None:
        table.game.state = state

    stale(table, (STILL[state],) * 3, stands)
    page = table.alice.browser.get(f"/seat/{table.alice.seat_id}/decide")

    assert page.request.path == f"/seat/{table.alice.seat_id}"
    assert STILL[state] in words(page)
    assert "Decide now" not in words(page)


def test_a_page_of_a_game_that_is_over_looks_no_more(table: Table) -> None:
    """Nothing of it changes."""
    table.game.state = GameState.ENDED
    table.db.session.commit()

    assert 'id="live"' not in table.alice.opened().get(f"/seat/{table.alice.seat_id}").text


def test_an_open_page_tells_that_it_was_answered_elsewhere_and_that_this_was_taken_back(table: Table) -> None:
    """Each in its own words, and only to the page that was opened before."""
    browser, path, ply = table.alice.opened(), f"/seat/{table.alice.seat_id}/decide", table.game.ply + 1
    before = looks(browser, path)
    browser.send(path, act="send", ply=ply, text="ra", seen="ra")
    between = looks(browser, path)
    told = [words(browser.get(look)) for look in (before, between)]
    browser.send(path, act="withdraw", ply=ply)
    told += [words(browser.get(look)) for look in (before, between)]

    assert [one.partition(" elsewhere")[0] for one in told] == [
        "This question was answered",
        "",
        "",
        "Your order was taken back",
    ]
