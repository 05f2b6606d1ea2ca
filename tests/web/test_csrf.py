from __future__ import annotations

from typing import TYPE_CHECKING

from tests.web.conftest import words

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.web.conftest import Table

OPEN = {"mailhook.stop", "mailhook.incoming"}
"""Doors for programs: one-click unsubscribing carries its right in its address, mail handed in is signed.

The API takes no cookies, so no foreign page can use them.
"""


def test_every_post_needs_its_forms_token(table: Table, rows: Callable[[], str]) -> None:
    """Without the token each POST of every page is refused with 400 and nothing changes, for whoever has all keys."""
    alice = table.alice
    alice.opened()
    alice.at_home()
    known = {
        "seat_id": alice.seat_id,
        "player_id": alice.player_id,
        "slug": table.game.slug,
        "number": 1,
        "ply": 1,
        "game": table.game.game,
        "code": "x",
        "token": alice.link.removeprefix("/l/"),
    }
    doors = [
        rule
        for rule in table.app.url_map.iter_rules()
        if "POST" in (rule.methods or ()) and rule.endpoint not in OPEN and not rule.rule.startswith("/api/")
    ]
    before = rows()

    answers = {}
    for rule in doors:
        path = rule.rule
        for name, value in known.items():
            for kind in ("", "int:", "string:"):
                path = path.replace(f"<{kind}{name}>", str(value))
        answers[path] = alice.browser.client.post(path, data={"act": "send", "text": "ra"}).status_code

    assert len(doors) >= 9
    assert set(answers.values()) == {400}, answers
    assert rows() == before


def test_the_refusal_keeps_what_was_written(table: Table) -> None:
    """It leads back to the page, whose form is taken: the one that was sent would be refused again."""
    path = f"/seat/{table.alice.seat_id}/talk"

    page = table.alice.opened().client.post(path, data={"text": "Well played, Bob!"})

    assert page.status_code == 400
    assert "This didn't arrive as we sent it" in words(page)
    assert ">Well played, Bob!</textarea>" in page.text
    assert f'<a class="button primary" href="{path}">Back to the page</a>' in page.text
    assert "<form" not in page.text
