from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import select

from pbem.cli.demo.correspondent import Page
from pbem.play.turns.advance import advance
from pbem.store.models import Game, Player, Seat, StoredOrder
from pbem.web.play import decision_page
from tests.factories import START, GameFactory, answer_all
from tests.web.conftest import words

if TYPE_CHECKING:
    from collections.abc import Callable

    from pbem.play.views.seat_view import Situation
    from tests.web.conftest import Table


def path(table: Table) -> str:
    """Alice's decision page."""
    return f"/seat/{table.alice.seat_id}/decide"


def sent(table: Table) -> list[tuple[str, str]]:
    """Every order row of Alice: its kind and canonical text."""
    table.db.session.rollback()
    query = select(StoredOrder.kind, StoredOrder.canonical).where(
        StoredOrder.game_id == table.game.id, StoredOrder.seat == table.alice.seat, StoredOrder.source == "web"
    )
    return [(row.kind, row.canonical) for row in table.db.session.execute(query.order_by(StoredOrder.id))]


def test_the_page_shows_question_board_choices_deadline_and_players(table: Table) -> None:
    """Everything a decision needs stands on its page, and every choice has a field of its own."""
    page = table.alice.opened().get(path(table))
    said = words(page)

    assert page.status_code == 200
    assert "Since the game began" in said
    assert "Why it waits" in said
    assert "Rules of this phase" in said
    assert re.search(r"Until \w+ \d+ \w+, \d\d:\d\d UTC", said)
    assert '<svg xmlns="http://www.w3.org/2000/svg"' in page.text
    assert re.findall(r'name="f-action" value="(\w+)"', page.text) == ["draw", "ra"]
    assert page.text.count("<h1") == 1
    assert page.text.count('class="primary') == 1


def test_who_waits_is_shown_the_game_instead(table: Table) -> None:
    """Bob's link leads to the game; he has no form to send and sees why it waits."""
    page = table.bob.opened().get(table.bob.link)

    assert page.request.path == f"/seat/{table.bob.seat_id}"
    assert "Why it waits" in words(page)
    assert 'class="decide' not in page.text


def test_preview_says_in_words_what_would_be_sent_and_stores_nothing(table: Table, rows: Callable[[], str]) -> None:
    """The choice comes back in words and as canonical text with a button that sends it; no row is written."""
    browser = table.alice.opened()
    before = rows()

    page = browser.send(path(table), {"f-action": "ra"}, ply=table.game.ply + 1)

    assert page.status_code == 200
    assert rows() == before
    assert '<input type="hidden" name="seen" value="ra">' in page.text
    assert "This is what you are about to send" in words(page)
    assert page.text.count('value="send"') == 1


def test_the_script_gets_the_preview_alone(table: Table) -> None:
    """A partial request is answered with the preview part, not the page."""
    browser = table.alice.opened()
    fields = {"csrf_token": browser.token(path(table)), "ply": table.game.ply + 1, "f-action": "ra"}

    page = browser.client.post(path(table), data=fields, headers={"HX-Request": "true", "HX-Target": "div#preview"})

    assert page.status_code == 200
    assert "<html" not in page.text
    assert 'value="send"' in page.text


def test_a_form_posted_untouched_changes_nothing(table: Table, rows: Callable[[], str]) -> None:
    """A scanner that sends the form as it was loaded, with whatever it presets, does nothing."""
    browser = table.alice.opened()
    html = browser.get(path(table)).text
    form = html[html.index('class="decide') : html.index('id="preview"')]
    preset = dict(re.findall(r'name="(f-[^"]+)" value="([^"]*)" checked', form))
    hidden = dict(re.findall(r'type="hidden" name="([^"]+)" value="([^"]*)"', form))
    before = rows()

    page = browser.client.post(path(table), data={**hidden, **preset, "text": ""})
    again = browser.client.post(path(table), data={**hidden, **preset, "text": "", "act": "send"})

    assert preset
    assert [page.status_code, again.status_code] == [422, 422]
    assert "Nothing is chosen yet" in words(page)
    assert rows() == before


def test_sending_stores_confirms_and_shows_the_canonical_order(table: Table) -> None:
    """After sending, the page leads on by GET and says in words what stands; the row holds the canonical text."""
    browser = table.alice.opened()

    page = browser.send(path(table), {"f-action": "ra"}, act="send", ply=table.game.ply + 1, seen="ra", follow=True)

    assert sent(table) == [("order", "ra")]
    assert page.request.method == "GET"
    assert "Your order stands" in words(page)
    assert '<code class="order">ra</code>' in page.text


def test_an_order_can_be_revised_and_taken_back_until_the_ply_resolves(table: Table) -> None:
    """The newest order counts; taking it back leaves the question open."""
    browser, ply = table.alice.opened(), table.game.ply + 1
    browser.send(path(table), {"f-action": "ra"}, act="send", ply=ply, seen="ra")
    shown = browser.get(path(table))
    browser.send(path(table), {"f-action": "draw"}, act="send", ply=ply, seen="draw", request="two")
    browser.send(path(table), act="withdraw", ply=ply)

    assert "Change your choice" in words(shown)
    assert sent(table) == [("order", "ra"), ("order", "draw"), ("withdraw", "")]
    assert "Your order stands" not in words(browser.get(path(table)))


def test_what_was_not_seen_is_not_sent(table: Table, rows: Callable[[], str]) -> None:
    """If the choice differs from the preview that was shown, it is previewed again instead of sent."""
    browser = table.alice.opened()
    before = rows()

    page = browser.send(path(table), {"f-action": "ra"}, act="send", ply=table.game.ply + 1, seen="draw")

    assert page.status_code == 200
    assert rows() == before
    assert 'name="seen" value="ra"' in page.text


def test_a_double_click_is_one_order(table: Table) -> None:
    """The same form sent twice stores one order and confirms twice."""
    browser = table.alice.opened()
    form = {"act": "send", "ply": table.game.ply + 1, "seen": "ra", "request": "once", "f-action": "ra"}

    answers = [browser.send(path(table), form) for _ in range(2)]

    assert [answer.status_code for answer in answers] == [303, 303]
    assert sent(table) == [("order", "ra")]


def test_a_second_click_after_the_ply_resolved_is_told_that_the_order_was_taken(table: Table) -> None:
    """The resend gets the first click's answer; a new order from the same old page is refused, its text kept."""
    browser = table.alice.opened()
    ply = table.game.ply + 1
    token = browser.token(path(table))
    form = {"csrf_token": token, "act": "send", "ply": ply, "seen": "ra", "request": "once", "f-action": "ra"}
    assert browser.client.post(path(table), data=form).status_code == 303
    table.go_on()

    again = browser.client.post(path(table), data=form)
    late = browser.client.post(path(table), data={**form, "request": "two", "seen": "draw", "f-action": "draw"})

    assert (again.status_code, again.location) == (303, f"/seat/{table.alice.seat_id}/sent/{ply}")
    assert late.status_code == 409
    assert [kind for kind, _ in sent(table)] == ["order", "refused"]


@pytest.mark.parametrize(
    ("request_id", "kinds"),
    [("once", ["order"]), ("another", ["order", "refused"])],
)
@pytest.mark.parametrize("is_read_first", [False, True])
def test_what_is_read_while_the_ply_resolves_is_told_so_too(
    table: Table, monkeypatch: pytest.MonkeyPatch, request_id: str, kinds: list[str], *, is_read_first: bool
) -> None:
    """F16: a first click is taken and its ply resolved after the page looked what is asked, before or after it reads.

    The same form once more leads where the first led; another one is refused, and its text kept.
    """
    browser = table.alice.opened()
    ply, game_id = table.game.ply + 1, table.game.id
    form = {"csrf_token": browser.token(path(table)), "act": "send", "ply": ply, "seen": "ra", "f-action": "ra"}
    read = decision_page.attempt

    def slowly(situation: Situation) -> decision_page.OrderAttempt:
        monkeypatch.setattr(decision_page, "attempt", read)
        before = read(situation)
        assert browser.client.post(path(table), data=form | {"request": "once"}).status_code == 303
        with table.app.app_context():
            answer_all(table.db.session(), START, table.db.session.get_one(Game, game_id))
        return before if is_read_first else read(situation)

    monkeypatch.setattr(decision_page, "attempt", slowly)
    second = browser.client.post(path(table), data=form | {"request": request_id})

    led = (303, f"/seat/{table.alice.seat_id}/sent/{ply}")
    assert (second.status_code, second.location) == (led if request_id == "once" else (409, None))
    assert [kind for kind, _ in sent(table)] == kinds


@pytest.mark.parametrize("text", ["bid a house", "draw the whole bag", "x" * 5000, "<b>ra</b>"])
def test_a_refusal_stands_in_the_page_with_the_text_kept(table: Table, text: str) -> None:
    """What can't be read is named in an alert, escaped, and what was typed stays in its field."""
    page = table.alice.opened().send(path(table), ply=table.game.ply + 1, text=text)

    assert page.status_code == 422
    assert Page(page.text).alert
    kept = re.search(r'(?s)<textarea[^>]*name="text"[^>]*>(.*?)</textarea>', page.text)
    assert kept
    assert kept[1] == text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    assert sent(table) == []


def test_nobody_sees_anothers_order(table: Table) -> None:
    """Bob's pages and the spectators' show nothing of what Alice has sent but not yet played."""
    browser = table.alice.opened()
    before = words(table.bob.opened().get(f"/seat/{table.bob.seat_id}"))
    browser.send(path(table), {"f-action": "ra"}, act="send", ply=table.game.ply + 1, seen="ra")

    after = table.bob.browser.get(f"/seat/{table.bob.seat_id}")
    watched = table.charlie.browser.get(f"/games/{table.game.slug}")

    assert '<code class="order">ra</code>' not in after.text + watched.text
    assert before.startswith(words(after)[:40])


@pytest.mark.parametrize("path_tail", ["", "/decide", "/ply/0", "/talk", "/standing", "/sent/1"])
def test_a_stranger_gets_nothing(table: Table, path_tail: str) -> None:
    """Charlie has a key, but not to this seat: every page of it is unknown to him."""
    page = table.charlie.opened().get(f"/seat/{table.alice.seat_id}{path_tail}")

    assert page.status_code == 404
    assert table.game.title not in page.text


def test_a_stranger_can_post_nothing(table: Table, rows: Callable[[], str]) -> None:
    """Charlie's own form token opens no door of Alice's."""
    browser = table.charlie.opened()
    token = browser.token(f"/seat/{table.charlie.seat_id}/talk")
    before = rows()

    answers = [
        browser.client.post(f"/seat/{table.alice.seat_id}{tail}", data={"csrf_token": token, "act": act, "text": "ra"})
        for tail, act in (
            ("/decide", "send"),
            ("/decide", "withdraw"),
            ("/talk", ""),
            ("/note", ""),
            ("/standing", "store"),
        )
    ]

    assert {answer.status_code for answer in answers} == {404}
    assert rows() == before


def test_a_confirmation_looks_for_what_happened_and_gives_up(table: Table) -> None:
    """While the last order waits to be played the page looks again by itself, five times; then it tells the events."""
    given, ply = table.order(), table.game.ply + 1
    browser, decide = table.alice.opened(), f"/seat/{table.alice.seat_id}/decide"
    browser.send(decide, act="send", ply=ply, text=given, seen=given)
    sent = f"/seat/{table.alice.seat_id}/sent/{ply}"

    first, last = browser.get(sent).text, browser.get(f"{sent}?looked=5").text
    advance(table.db.session(), START, table.game.id)
    table.db.session.commit()
    told = browser.get(sent)

    assert f'data-hx-get="{sent}?looked=1"' in first
    assert "data-hx-get" not in last
    assert "data-hx-get" not in told.text
    assert "What happened here" in words(told)
    assert told.text.count("button primary") == 1
    assert words(told).index("Decide now") < words(told).index("What happened here")


def test_one_button_of_a_games_page_leads_on(table: Table) -> None:
    """With another game waiting the question comes first; once it is answered, the next decision does."""
    browser, here = table.alice.at_home(), f"/seat/{table.alice.seat_id}"
    other = table.db.session().get_one(Seat, table.charlie.seat_id)
    other.player_id = table.alice.player_id
    table.db.session.get_one(Game, other.game_id).version += 1
    table.db.session.commit()
    leads = re.compile(r'class="button\s*primary\s*"\s*href="([^"]+)"')

    asked = browser.get(here)
    given = table.order()
    browser.send(f"{here}/decide", act="send", ply=table.game.ply + 1, text=given, seen=given)
    answered = browser.get(here)

    assert "Next decision" in words(asked)
    assert leads.findall(asked.text) == [f"{here}/decide"]
    assert leads.findall(answered.text) == [f"/seat/{other.id}/decide"]


def test_one_decision_after_the_other_comes_to_an_end(table: Table) -> None:
    """What was sent says how many others wait, and leads to one of them; the last says that a letter comes next."""
    browser, session = table.alice.at_home(), table.db.session()
    for seed in ("second", "third"):
        GameFactory(people=[session.get_one(Player, table.alice.player_id)], seed=seed)
    here, told = f"/seat/{table.alice.seat_id}", []
    for _ in range(3):
        page = browser.get(f"{here}/decide").text
        ply = re.findall(r'name="ply" value="(\d+)"', page)[0]
        said = browser.send(f"{here}/decide", {"text": "ra", "seen": "ra"}, act="send", ply=ply, follow=True)
        told += re.findall(r"\d+ other decisions? waits? for you|You get a letter as soon as", words(said))
        here = re.findall(r'class="button primary" href="([^"]+?)(?:/decide)?"', said.text)[0]

    assert told == ["2 other decisions wait for you", "1 other decision waits for you", "You get a letter as soon as"]
