from __future__ import annotations

import re
from typing import TYPE_CHECKING, NoReturn

import pytest
from sqlalchemy import exc

from pbem.play.orders import submission
from pbem.web import fields
from tests.steps import steps
from tests.store.test_outages import full
from tests.web.conftest import words

if TYPE_CHECKING:
    from werkzeug.test import TestResponse

    from tests.web.conftest import Table


def test_a_lost_database_gives_503_with_the_order_kept_in_the_form(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The page says that nothing was stored, and holds everything that was sent, to be sent again by one button."""

    def lost(*_: object) -> NoReturn:
        raise exc.OperationalError("INSERT INTO orders", {}, OSError("server closed the connection"))

    browser, path = table.alice.opened(), f"/seat/{table.alice.seat_id}/decide"
    form = {"csrf_token": browser.token(path), "ply": table.game.ply + 1, "act": "send", "seen": "ra", "text": "ra"}
    monkeypatch.setattr(submission, "submit", lost)

    page = browser.client.post(path, data=form)

    assert page.status_code == 503
    assert "Nothing was stored, and nothing is lost" in words(page)
    assert ">ra</textarea>" in page.text
    assert 'name="seen" value="ra"' in page.text
    assert f'<input type="hidden" name="ply" value="{form["ply"]}">' in page.text  # nobody types which one it is
    assert "INSERT" not in page.text
    monkeypatch.undo()
    assert browser.client.post(path, data=form).status_code == 303


def test_what_was_written_stands_on_a_page_that_cannot_send_it_again(table: Table) -> None:
    """Each field that somebody fills in, of a form that has nowhere to go any more; no number and no mark of ours."""
    browser, words_of = table.alice.opened(), {name: f"words as {name}" for name in fields.TYPED} | {"hours": "24"}
    page = browser.send("/organise/gone", {**words_of, "proposal": "3", "seen": "17"}, page="/links")

    assert page.status_code == 404
    kept = page.text.partition('<textarea id="typed"')[2].partition("</textarea>")[0].partition(">")[2].split("\n")
    assert sorted(kept) == sorted(words_of.values())


def test_a_full_disk_is_told_to_who_asks_and_in_the_log(table: Table, capsys: pytest.CaptureFixture[str]) -> None:
    """503 with what was sent kept in the page, and one line in the log with the page's name: no trace."""
    said = "a word at the table " * 40
    browser, path = table.alice.opened(), f"/seat/{table.alice.seat_id}/talk"
    form = {"csrf_token": browser.token(path), "text": said}
    with full():
        page = browser.client.post(path, data=form)
        for _ in range(20):  # pages of the tables that have room for a few more rows
            if page.status_code != 503:
                page = browser.client.post(path, data=form)
    written = capsys.readouterr().err

    assert page.status_code == 503
    assert said.strip() in page.text
    assert written.count("the disk is full") == 1
    assert '"during": "' in written
    assert "Traceback" not in written


def test_a_fault_of_ours_gives_a_plain_page_without_its_trace(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    """500 says that no confirmed order is lost; what broke stays in the log."""

    def broken(*_: object, **__: object) -> NoReturn:
        raise RuntimeError("the papyrus is wet")

    table.app.testing = False
    monkeypatch.setattr("pbem.web.play.views.authorize.open_situation", broken)

    page = table.alice.opened().client.get(f"/seat/{table.alice.seat_id}")

    assert page.status_code == 500
    assert "No order that was confirmed is lost" in words(page)
    assert "papyrus" not in page.text


@pytest.mark.parametrize(
    ("method", "path", "status", "says"),
    [
        ("get", "/nothing", 404, "This link opens nothing"),
        ("post", "/healthz", 405, "That can't be done here"),
        ("get", "/rules/chess", 404, "This link opens nothing"),
        ("get", "/games/nothing", 404, "This link opens nothing"),
        ("get", "/mailbox/", 404, "This link opens nothing"),
    ],
)
def test_what_isnt_there_gets_a_tidy_page(table: Table, method: str, path: str, status: int, says: str) -> None:
    """One page in our look, with the way on; also where a demo's mailbox would be."""
    token = table.alice.browser.token("/links")

    page = table.alice.browser.client.open(
        path, method=method.upper(), data={"csrf_token": token} if method == "post" else None
    )

    assert page.status_code == status
    assert says in words(page)
    assert "pbem.css" in page.text


def test_who_steps_back_to_the_answer_of_a_form_is_led_on(table: Table) -> None:
    """Wherever forms are sent that have no page at their own address: to the nearest page above, or the first one."""
    doors, browser = table.app.url_map.bind("localhost"), table.alice.browser.client
    paths = {re.sub("<[^>]*>", "1", rule.rule) for rule in table.app.url_map.iter_rules()}

    led = {path: browser.get(path) for path in paths if not path.startswith("/api/") and not doors.test(path, "GET")}

    assert {page.status_code for page in led.values()} == {302}
    assert [path for path, page in led.items() if not doors.test(page.headers["Location"], method="GET")] == []
    assert led["/club/1/role"].headers["Location"] == "/club/1"


def test_too_much_at_once_is_refused_before_it_is_read(table: Table) -> None:
    """Over 2 megabytes get 413 and a limit named in words."""
    browser = table.alice.opened()
    path = f"/seat/{table.alice.seat_id}/talk"

    page = browser.client.post(path, data={"csrf_token": browser.token(path), "text": "x" * 2_100_000})

    assert page.status_code == 413
    assert "At most 2 megabytes" in words(page)


def test_a_megabyte_of_order_text_is_answered_at_once(table: Table) -> None:
    """1 MB of text gets one refusal, and takes hardly more steps than 100 kB: no more than that is looked at."""
    browser, path = table.alice.opened(), f"/seat/{table.alice.seat_id}/decide"
    form = {"csrf_token": browser.token(path), "ply": table.game.ply + 1}

    def send(times: int) -> TestResponse:
        return browser.client.post(path, data={**form, "text": "bid 6 on Memphis; " * times})

    assert send(55_000).status_code == 422
    assert steps(lambda: send(55_000)) < 1.2 * steps(lambda: send(5_500))


def test_what_cant_be_used_isnt_called_late(table: Table) -> None:
    """A wrong choice is named as such, with the way back to the form; what was typed stands there to be changed."""
    path = f"/organise/{table.game.slug}"

    page = table.alice.at_home().send(path, act="extend", hours="9999")

    assert page.status_code == 422
    assert "That can't be used as it is" in words(page)
    assert f'class="button primary" href="{path}"' in page.text
    assert re.search(r'Hours more</label>\s*<input type="text"[^>]* name="hours" value="9999"', page.text)


def test_what_isnt_allowed_isnt_called_damaged(table: Table) -> None:
    """Whoever asks for what can't be done reads that, not that the form was changed on its way."""
    alice, path = table.alice.at_home(), f"/organise/{table.game.slug}"

    page = alice.send(path, act="resume")

    assert page.status_code == 403
    assert "That can't be done Only a paused game can be taken up again." in words(page)
    assert f'class="button primary" href="{path}"' in page.text


@pytest.mark.parametrize("text", [str(fields.MOST + 1), str(-fields.MOST - 1), "9" * 400, "one"])
def test_a_number_that_no_row_can_have_is_none(text: str) -> None:
    """Neither of one digit too many nor one more than the largest; the largest itself is."""
    with pytest.raises(ValueError, match=re.escape(text[:20])):
        fields.whole(text)
    assert fields.whole(str(fields.MOST)) == fields.MOST
