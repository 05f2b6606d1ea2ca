from __future__ import annotations

import re
from html import unescape
from typing import TYPE_CHECKING

import pytest

from pbem.engine.registry import GAMES, rules_of
from pbem.engine.text.standing_text import parse
from pbem.play.orders import standing_orders
from pbem.store.models import StoredStandingOrders
from tests.web.conftest import words

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from tests.web.conftest import Guest, Table


def path(guest: Guest) -> str:
    """A guest's editor of standing orders."""
    return f"/seat/{guest.seat_id}/standing"


def in_force(table: Table) -> list[str]:
    """Standing orders in the database."""
    table.db.session.rollback()
    return [row.text for row in table.db.session.query(StoredStandingOrders).filter_by(ended_at=None)]


def number_of(table: Table) -> int:
    """What Bob's standing order is called outside."""
    (one,) = standing_orders.listed(table.db.session(), table.bob.seat_id)
    return one.id


def test_a_trial_says_what_it_means_and_would_do_today_and_stores_nothing(
    table: Table, rows: Callable[[], str]
) -> None:
    """The live check shows the lines in words and what they would do in the present position."""
    browser = table.alice.opened()
    before = rows()

    page = browser.send(path(table.alice), act="check", text="until changed\nwhen tiles >= 5: ra\ndraw")

    assert page.status_code == 200
    assert rows() == before
    assert "In words" in words(page)
    assert "What it would do today" in words(page)
    figures = re.findall(r"(?s)<dl.*?</dl>", page.text)
    asked = browser.send(f"/seat/{table.alice.seat_id}/decide", {"f-action": "draw"}, ply=table.game.ply + 1)
    assert figures
    assert figures == re.findall(r"(?s)<dl class=.ledger.*?</dl>", asked.text)
    assert not re.search("<dl", browser.send(path(table.alice), act="check", text="ask me").text)


def test_what_cant_be_used_is_named_by_line_and_kept(table: Table) -> None:
    """Every wrong line is named; the text stays in the editor; nothing is stored."""
    text = "until changed\nwhen camels > 3: ra\nfly away"

    page = table.alice.opened().send(path(table.alice), act="store", text=text)

    assert page.status_code == 422
    assert "Line 2" in words(page)
    assert "Line 3" in words(page)
    assert "when camels &gt; 3: ra" in page.text
    assert in_force(table) == []


def test_a_standing_order_is_changed_in_its_place(table: Table) -> None:
    """Its button fills the editor with its lines; what is stored then stands instead, and a refusal leaves the old."""
    browser, here = table.bob.opened(), path(table.bob)
    browser.send(here, act="store", text="until changed\nask me")
    number = number_of(table)
    assert f'href="{here}?id={number}#write"' in browser.get(here).text
    editor = browser.get(f"{here}?id={number}").text

    refused = browser.send(here, act="store", text="fly away", id=number)
    before = in_force(table)
    stored = browser.send(here, act="store", text="this phase\nask me", id=number)

    assert f'<input type="hidden" name="id" value="{number}">' in editor
    assert "ask me</textarea>" in editor
    assert f'<input type="hidden" name="id" value="{number}">' in refused.text
    assert 'href="#trial"' in refused.text
    assert before == ["until changed\nask me"]
    assert in_force(table) == ["this phase\nask me"]
    assert stored.location == here


def test_nobody_changes_what_is_in_force_for_another_seat(table: Table) -> None:
    """Its number in somebody else's form ends nothing."""
    table.bob.opened().send(path(table.bob), act="store", text="until changed\nask me")
    number = number_of(table)

    table.alice.opened().send(path(table.alice), act="store", text="this phase\nask me", id=number)

    assert sorted(in_force(table)) == ["this phase\nask me", "until changed\nask me"]


def test_a_standing_order_is_stored_listed_and_ended_by_its_owner(table: Table) -> None:
    """It shows on the owner's pages only, and ends by a button."""
    browser = table.bob.opened()
    browser.send(path(table.bob), act="store", text="until changed\nask me")
    listed = browser.get(path(table.bob))
    number = number_of(table)

    table.alice.opened().send(path(table.alice), act="end", id=number)
    still = in_force(table)
    browser.send(path(table.bob), act="end", id=number)

    assert "ask me</pre>" in listed.text
    assert len(still) == 1
    assert in_force(table) == []
    assert "ask me</pre>" not in table.alice.browser.get(f"/seat/{table.alice.seat_id}").text


def test_facts_are_shown_with_what_they_are_now(table: Table) -> None:
    """The editor has every fact's name, meaning and present value."""
    page = table.alice.opened().get(path(table.alice))

    assert "<code>tiles</code>" in page.text
    assert "Facts for conditions, and what they are now" in words(page)


@pytest.mark.parametrize("game", GAMES)
def test_the_page_teaches_by_an_example_of_its_game(set_table: Callable[..., Table], game: str) -> None:
    """The line shown for conditions can be typed as it stands."""
    page = set_table(game=game).alice
    shown = re.findall(r"<td><code>(when .+?)</code>", page.opened().get(path(page)).text)

    assert [bool(parse(rules_of(game), unescape(line)).lines) for line in shown] == [True]


def test_what_is_to_be_typed_is_set_apart(table: Table) -> None:
    """Orders within a sentence are shown as code, never between backticks; what somebody wrote stays text."""
    browser = table.alice.opened()

    taken = browser.send(path(table.alice), act="check", text="until changed\nwhen tiles >= 5: ra\ndraw").text
    refused = browser.send(path(table.alice), act="check", text="`<b>`").text

    assert "<code>draw</code>" in taken
    assert "`" not in words(browser.get(path(table.alice)))
    assert "<b>" not in refused


BUILT: dict[str, Any] = {
    "build-kind": "turn",
    "build-fact": ["tiles", "plagues", ""],
    "build-comparison": ["least", "least", "least"],
    "build-number": ["5", "2", ""],
    "build-value": ["", "", ""],
    "build-join": "or",
    "build-order": "ra",
    "build-place": "first",
}


def test_a_line_is_built_by_choosing_and_read_back_as_a_sentence(table: Table) -> None:
    """Put before the lines that stand there; nothing is stored; what the form offers is every fact and comparison."""
    browser = table.alice.opened()
    editor = browser.get(path(table.alice)).text
    for name in rules_of("priestsofra").facts_help:
        assert f'<option value="{name}">' in editor

    page = browser.send(path(table.alice), act="add", text="this round\ndraw", **BUILT)

    assert page.status_code == 200
    text = unescape(re.search(r'<textarea[^>]*name="text"[^>]*>([^<]*)', page.text)[1])  # type: ignore[index]  # it is there
    assert text == "for turn: when tiles >= 5 or plagues >= 2: ra\nfor any:\nthis round\ndraw"
    assert "If tiles is at least 5 or plagues is at least 2: ra." in words(page)
    assert in_force(table) == []
    assert browser.send(path(table.alice), act="store", text=text).status_code == 303
    assert in_force(table) == [str(parse(rules_of("priestsofra"), text))]


def test_draw_until_is_built_by_numbers_alone(table: Table) -> None:
    """Draw until 5 tiles or 2 plagues, then ask me: two facts, two numbers, one order; a word goes before a number."""
    browser = table.alice.opened()
    until = {**BUILT, "build-order": "", "build-else": "draw", "build-place": "last"}

    page = browser.send(path(table.alice), act="add", text="", **until)

    text = unescape(re.search(r'<textarea[^>]*name="text"[^>]*>([^<]*)', page.text)[1])  # type: ignore[index]  # it is there
    assert text == "for turn: when tiles >= 5 or plagues >= 2: ask me\ndraw"
    said = words(page)
    assert "If tiles is at least 5 or plagues is at least 2: ask me." in said
    read = parse(rules_of("priestsofra"), text)
    assert [line.kinds for line in read.lines] == [("turn",), ("turn",)]
    word = {**until, "build-fact": ["lot"], "build-comparison": ["holds"], "build-value": ["plague"]}
    assert 'when "plague" in lot' in unescape(browser.send(path(table.alice), act="add", text="", **word).text)


@pytest.mark.parametrize(
    ("wrong", "said"), [({"build-value": ["plague"]}, "word"), ({"build-order": "dance"}, "dance")]
)
def test_a_built_line_that_cant_be_used_is_said_in_one_sentence(table: Table, wrong: dict[str, Any], said: str) -> None:
    """Beside the form, which keeps what was chosen; the text stays as it was."""
    filled = {**BUILT, "build-fact": ["tiles"], "build-comparison": ["least"], "build-number": ["5"], **wrong}

    page = table.alice.opened().send(path(table.alice), act="add", text="this round\ndraw", **filled)

    assert page.status_code == 422
    (notice,) = re.findall(r'<fieldset class="stack" id="builder">.*?</fieldset>', page.text, re.DOTALL)
    assert "This line can't be added yet" in unescape(notice)
    assert len(re.findall(r"Line 1:", notice)) == 1
    assert said in notice
    assert '<option value="tiles" selected>' in notice
    assert ">this round\ndraw</textarea>" in page.text
