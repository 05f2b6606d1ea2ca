"""Plans by tapping: on their own page and beside a decision, in words, changed and ended; private to their seat."""

from __future__ import annotations

import re
from html import unescape
from typing import TYPE_CHECKING

import pytest

from pbem.engine.registry import GAMES
from pbem.play.orders import standing_orders
from pbem.store.models import GameState, StoredStandingOrders
from tests.web.conftest import words

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from tests.web.conftest import Guest, Table

TAPPED: dict[str, dict[str, Any]] = {
    "priestsofra": {"part": "draw", "plan-draw-tiles": "5", "plan-draw-kinds": "plague", "plan-draw-then": "ask me"},
    "amunre": {"part": "bid", "plan-bid-limits": ["10", "", "6", "3"], "plan-bid-then": "bid lowest"},
    "egizia": {"part": "sail", "plan-sail-spaces": ["Edfu", "Sphinx", "", "card 10"], "plan-sail-ask": "2"},
}
BAD: dict[str, dict[str, Any]] = {
    "priestsofra": {"plan-draw-tiles": "99"},
    "amunre": {"plan-bid-limits": ["2"]},
    "egizia": {"plan-sail-spaces": "Rome"},
}
SAID = {
    "priestsofra": "Draw until 5 tiles lie there or one of these: plague, then ask me.",
    "amunre": "up to 10 gold.",
    "egizia": "Each ship goes to the first that is still free: Edfu, Sphinx and card 10: ",
}


def path(guest: Guest) -> str:
    """A guest's page of plans."""
    return f"/seat/{guest.seat_id}/plan"


def opened(set_table: Callable[..., Table], game: str) -> Table:
    """A table of two people, with bots where the game needs more."""
    return set_table(game=game, people=2, bots=("random", "random") if game == "amunre" else ())


def live(table: Table) -> list[StoredStandingOrders]:
    """Plans in force."""
    table.db.session.rollback()
    return list(table.db.session.query(StoredStandingOrders).filter_by(ended_at=None))


def number_of(table: Table) -> int:
    """What Alice's plan is called outside."""
    (one,) = standing_orders.listed(table.db.session(), table.alice.seat_id)
    return one.id


@pytest.mark.parametrize("game", GAMES)
def test_a_plan_is_made_changed_and_ended_on_its_page(set_table: Callable[..., Table], game: str) -> None:
    """One post puts it in force in place of the one before; it is told in words and ends by a button."""
    table = opened(set_table, game)
    browser = table.alice.opened()
    part = f'name="part" value="{TAPPED[game]["part"]}"'
    assert part in browser.get(path(table.alice)).text

    assert browser.send(path(table.alice), act="store", **TAPPED[game]).status_code == 303
    page = browser.get(path(table.alice))
    assert SAID[game] in words(page)
    assert len(live(table)) == 1

    browser.send(path(table.alice), act="store", **TAPPED[game])
    assert len(live(table)) == 1
    browser.send(path(table.alice), act="end", id=number_of(table))
    assert live(table) == []


def test_who_has_planned_is_led_back_to_where_they_did(set_table: Callable[..., Table]) -> None:
    """From beside a decision to that decision, from the page of plans to that page; also by ending a plan."""
    table = opened(set_table, "priestsofra")
    browser, plans = table.alice.opened(), path(table.alice)
    there = {"": plans, "decide": f"/seat/{table.alice.seat_id}/decide"}
    for back, to in there.items():
        assert browser.send(plans, act="store", back=back, **TAPPED["priestsofra"]).headers["Location"] == to
    (plan, *_) = standing_orders.listed(table.db.session(), table.alice.seat_id)
    for back, to in there.items():
        assert browser.send(plans, act="end", back=back, id=str(plan.id)).headers["Location"] == to


@pytest.mark.parametrize("act", ["store", "try"])
def test_a_plan_of_a_game_that_is_over_is_refused_in_words(set_table: Callable[..., Table], act: str) -> None:
    """Made on a page that was opened before: it says why, though no part of a plan is on offer any more."""
    table = opened(set_table, "priestsofra")
    browser = table.alice.opened()
    form = {"csrf_token": browser.token(path(table.alice)), "act": act, **TAPPED["priestsofra"]}
    table.game.state = GameState.ENDED
    table.db.session.commit()

    page = browser.client.post(path(table.alice), data=form)

    assert page.status_code == 422
    assert "This game is over, so the standing order was not stored." in words(page)


@pytest.mark.parametrize("game", GAMES)
def test_what_was_tapped_is_filled_in_again(set_table: Callable[..., Table], game: str) -> None:
    """The page shows the plan in force in its fields, so that it can be edited."""
    table = opened(set_table, game)
    browser = table.alice.opened()
    browser.send(path(table.alice), act="store", **TAPPED[game])
    text = unescape(browser.get(path(table.alice)).text)

    chosen = set(re.findall(r'value="([^"]*)"\s*(?:selected|checked)', text))
    tapped = [found for name, found in TAPPED[game].items() if name != "part"]
    given = {value for found in tapped for value in ([found] if isinstance(found, str) else found)}
    assert given - {""} <= chosen


def test_only_the_first_part_and_what_is_in_force_stand_open(set_table: Callable[..., Table]) -> None:
    """A ranking of 28 Sphinx cards is folded until it is in force: a phone had three screens of them."""
    table = opened(set_table, "egizia")
    browser = table.alice.opened()

    def folded() -> dict[str, bool]:
        sections = re.findall(
            r'<section class="card" id="(\w+)".*?<details( open)?>', browser.get(path(table.alice)).text, re.DOTALL
        )
        return {name: not is_open for name, is_open in sections}

    assert folded() == {"sail": False, "keep": True}
    keep: dict[str, Any] = {"part": "keep", "plan-keep-cards": ["S07", "S02"]}
    browser.send(path(table.alice), act="store", **keep)
    assert folded() == {"sail": False, "keep": False}


@pytest.mark.parametrize("game", GAMES)
def test_every_decision_page_and_every_game_page_can_plan(set_table: Callable[..., Table], game: str) -> None:
    """Beside the decision of who is asked, on the game's page of who is not."""
    table = opened(set_table, game)
    for guest in (table.alice, table.bob):
        browser = guest.opened()
        asked = browser.get(f"/seat/{guest.seat_id}/decide")
        found = re.search(r'data-hx-get="([^"]+/plan[^"]*)"[^>]*data-hx-select="#form-(\w+)"', asked.text)
        assert found, "a plan's form that opens where it stands"
        fetched = browser.get(unescape(found[1])).text
        assert found[2] == TAPPED[game]["part"]
        assert f'id="form-{found[2]}"' in fetched
        assert f'name="part" value="{found[2]}"' in fetched
        assert 'name="back" value="decide"' in fetched


def test_nothing_tapped_is_refused_in_a_sentence(set_table: Callable[..., Table]) -> None:
    """The page says so, and nothing is stored."""
    table = opened(set_table, "egizia")
    page = table.alice.opened().send(path(table.alice), act="store", part="sail")

    assert page.status_code == 422
    assert "Nothing is planned yet" in words(page)
    assert live(table) == []


def test_nobody_else_sees_or_ends_a_plan(set_table: Callable[..., Table]) -> None:
    """Neither on the other player's pages nor by posting its number there."""
    table = opened(set_table, "egizia")
    table.alice.opened().send(path(table.alice), act="store", **TAPPED["egizia"])
    other = table.bob.opened()
    other.send(path(table.bob), act="end", id=number_of(table))

    assert len(live(table)) == 1
    assert SAID["egizia"] not in words(other.get(path(table.bob)))
    assert other.get(path(table.alice)).status_code == 404


@pytest.mark.parametrize("game", GAMES)
def test_a_plan_is_tried_before_it_is_made(set_table: Callable[..., Table], game: str) -> None:
    """It says in words what it is, what it would do now and at the last questions, and its text; nothing is stored."""
    table = opened(set_table, game)
    page = table.alice.opened().send(path(table.alice), act="try", **TAPPED[game])

    assert page.status_code == 200
    assert "What it would do today" in words(page)
    assert SAID[game] in words(page)
    assert "condition" not in words(page)
    assert "of this kind" in words(page)
    assert re.search(r"<pre[^>]*>(?:this|until)", page.text)
    assert live(table) == []
    refused = table.alice.opened().send(path(table.alice), act="try", part=TAPPED[game]["part"], **BAD[game])
    assert refused.status_code == 422


@pytest.mark.parametrize(("game", "numbers"), [("egizia", ("1", "2", "3")), ("amunre", ("10", "6", "3"))])
def test_a_plan_in_force_stands_on_the_board(
    set_table: Callable[..., Table], game: str, numbers: tuple[str, ...]
) -> None:
    """Spaces bear their place in the order, provinces their limit; it is told as text, too."""
    table = opened(set_table, game)
    browser = table.alice.opened()
    before = browser.get(path(table.alice)).text
    browser.send(path(table.alice), act="store", **TAPPED[game])
    page = browser.get(path(table.alice)).text

    assert 'class="ring"' not in before
    rings = re.findall(r'<a id="[^"]+" class="ring" href="#main">.*?</a>', page, re.DOTALL)
    shown = {number for ring in rings for number in re.findall(r"<text[^>]*>(\d+)</text>", ring)}
    assert shown == set(numbers)
    assert 'class="ring"' not in table.bob.opened().get(path(table.bob)).text
