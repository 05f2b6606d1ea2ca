"""A decision's form that outlived its question, whatever happened: one sentence, the way on, the text kept."""

from __future__ import annotations

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

    from tests.web.conftest import Table

WENT_ON = "The game went on while this page was open, so your order wasn't taken. See what it asks today."
PLAYED = "The game went on while this page was open, so your order can't be taken back any more."
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


HAPPENED: dict[Callable[[Table], None], tuple[str, str]] = {
    resolved: (WENT_ON, PLAYED),
    rewound: (WENT_ON, PLAYED),
    revoked: (LINKS, LINKS),
    handed_over: (LINKS, LINKS),
}
"""What is said of an order, and of one that is to be taken back."""


def stale(table: Table, said: tuple[str, str], happen: Callable[[], None]) -> None:
    """Let something happen while the form is open, and press each of its buttons, with scripts and without."""
    browser, path = table.alice.opened(), f"/seat/{table.alice.seat_id}/decide"
    form = {"csrf_token": browser.token(path), "ply": table.game.ply + 1, "text": TYPED}
    part = {"HX-Request": "true", "HX-Target": "div#preview"}
    happen()
    table.db.session.commit()
    way = "/links" if LINKS in said[0] else path
    for act in ("preview", "send", "draft", "withdraw"):
        page = browser.client.post(path, data=form | {"act": act, "seen": "ra"})
        alone = browser.client.post(path, data=form | {"act": act, "seen": "ra"}, headers=part)

        assert [page.status_code, alone.status_code] == [404 if way == "/links" else 409] * 2, act
        assert said[act == "withdraw"] in words(page), act
        assert said[act == "withdraw"] in words(alone), act
        assert f">{TYPED}</textarea>" in unescape(page.text), act
        assert f'href="{way}">' in page.text.partition("<main")[2].partition("</main")[0], act
        assert f'href="{way}">' in alone.text, act


@pytest.mark.parametrize("happen", HAPPENED, ids=lambda happen: happen.__name__)
def test_a_form_of_an_earlier_question_says_what_became_of_it(table: Table, happen: Callable[[Table], None]) -> None:
    """Resolved, rewound, its link ended, its seat another's: every button says so, and what was typed stands there."""
    stale(table, HAPPENED[happen], lambda: happen(table))


@pytest.mark.parametrize("state", sorted(set(GameState) - {GameState.RUNNING}))
def test_a_game_that_stands_still_takes_nothing_and_asks_nothing(table: Table, state: GameState) -> None:
    """The form says why, not that the game went on; loaded anew, the game's page says it and asks nothing."""

    def stands() -> None:
        table.game.state = state

    stale(table, (STILL[state],) * 2, stands)
    page = table.alice.browser.get(f"/seat/{table.alice.seat_id}/decide")

    assert page.request.path == f"/seat/{table.alice.seat_id}"
    assert STILL[state] in words(page)
    assert "Decide now" not in words(page)
