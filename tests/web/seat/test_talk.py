from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from pbem.store.models import Letter
from tests import factories
from tests.web.conftest import words

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.web.conftest import Guest, Table


def path(guest: Guest) -> str:
    """A guest's talk page."""
    return f"/seat/{guest.seat_id}/talk"


def letters(table: Table) -> list[int | None]:
    """Who is written to about talk."""
    table.db.session.rollback()
    return [row.player_id for row in table.db.session.query(Letter).filter_by(kind="talk").order_by(Letter.player_id)]


def test_what_is_said_to_all_is_heard_by_all_and_goes_out_by_letter(table: Table) -> None:
    """Escaped on the page, with who said it; the others get a letter, the speaker none."""
    table.alice.opened().send(path(table.alice), text="Well played! <script>alert(1)</script>\n& good night")

    page = table.bob.opened().get(path(table.bob))

    assert "Well played! &lt;script&gt;alert(1)&lt;/script&gt;\n&amp; good night" in page.text
    assert table.alice.name in words(page)
    assert letters(table) == [table.bob.player_id]


def test_a_private_word_is_heard_by_its_two_only(set_table: Callable[..., Table]) -> None:
    """A third player at the same table neither reads it nor learns that it was said."""
    table = set_table(game="priestsofra", people=3, bots=())
    seats = {table.alice.seat, table.bob.seat}
    third = ({0, 1, 2} - seats).pop()
    guest = table.guest(factories.seat_of(table.db.session(), table.game, third))

    table.alice.opened().send(path(table.alice), text="Let Memphis be mine", to=table.bob.seat)

    assert "Let Memphis be mine" in words(table.bob.opened().get(path(table.bob)))
    assert "Let Memphis be mine" not in words(guest.opened().get(path(guest)))
    assert "Nobody has said a word" in words(guest.browser.get(path(guest)))
    assert letters(table) == [table.bob.player_id]


@pytest.mark.parametrize(
    ("text", "to", "says"),
    [
        ("  ", "", "The message is empty"),
        ("x" * 2001, "", "has 2001 characters; at most 2000"),
        ("Hello", "7", "There is nobody else in that seat"),
    ],
)
def test_what_cant_be_said_is_named_and_kept(table: Table, text: str, to: str, says: str) -> None:
    """Nothing goes out; the text stays in the form."""
    page = table.alice.opened().send(path(table.alice), text=text, to=to)

    assert page.status_code == 422
    assert says in words(page).replace(",", "")
    assert text.strip() in page.text
    assert letters(table) == []


def test_notes_are_read_by_their_writer_only(table: Table) -> None:
    """A note comes back on one's own pages, escaped, and on nobody else's."""
    seat = f"/seat/{table.alice.seat_id}"
    table.alice.opened().send(f"{seat}/note", page=seat, text="Bob bluffs <always>")

    assert "Bob bluffs &lt;always&gt;</textarea>" in table.alice.browser.get(f"{seat}/decide").text
    assert "Bob bluffs" not in table.bob.opened().get(f"/seat/{table.bob.seat_id}").text
    assert "Bob bluffs" not in table.bob.browser.get(f"/games/{table.game.slug}").text


def test_the_same_form_sent_twice_says_it_once(table: Table) -> None:
    """A second tap leads where the first one led; other words from the same page are other words."""
    browser = table.alice.at_home()
    token = browser.token(path(table.alice))
    answers = [
        browser.client.post(path(table.alice), data={"csrf_token": token, "text": text, "to": ""})
        for text in ("Hello", "Hello", "And good night")
    ]

    assert [(answer.status_code, answer.location) for answer in answers] == [(303, path(table.alice))] * 3
    assert letters(table) == [table.bob.player_id] * 2
