"""A person's own things: key, calendar, data, and the end of them, each for its owner only."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from icalendar import Calendar
from sqlalchemy import select

from pbem.store.tables import Letter, Player

if TYPE_CHECKING:
    from tests.web.conftest import Table


def path_of(table: Table) -> str:
    """Where Alice's account is."""
    return f"/player/{table.alice.player_id}"


@pytest.mark.parametrize("path", ["/account", "/everything.json"])
def test_nobody_elses(table: Table, path: str) -> None:
    """Only the person's own link opens it; a seat's alone doesn't."""
    assert table.alice.at_home().get(path_of(table) + path).status_code == 200
    assert table.bob.at_home().get(path_of(table) + path).status_code == 404
    assert table.charlie.opened().get(path_of(table) + path).status_code == 404


def test_a_key_is_shown_once_and_works(table: Table) -> None:
    """The key opens the seat for a program; the page doesn't show it a second time."""
    alice, page = table.alice.at_home(), f"{path_of(table)}/account"
    made = alice.send(page, act="key", seat=str(table.alice.seat_id), name="script")

    (key,) = re.findall(r"pbem_[\w-]+", made.text)
    answer = table.app.test_client().get(
        f"/api/v1/seats/{table.alice.seat_id}", headers={"Authorization": f"Bearer {key}"}
    )

    assert answer.status_code == 200
    assert key not in alice.get(page).text


def test_the_calendar_holds_the_deadline(table: Table) -> None:
    """The address on the page gives Alice's open decision to a program without cookies; a changed one gives nothing."""
    page = table.alice.at_home().get(f"{path_of(table)}/account").text
    (token,) = re.findall(r"/calendar/([^\"]+)\.ics", page)
    client = table.app.test_client()

    (event,) = Calendar.from_ical(client.get(f"/calendar/{token}.ics").text).walk("VEVENT")

    assert str(event["SUMMARY"]).startswith("Nile by Night: ")
    assert client.get(f"/calendar/{token[:-2]}xx.ics").status_code == 404


def test_erasing_takes_a_code_and_no_running_game(table: Table) -> None:
    """A wrong code is refused with the tries left; the right one still refuses while a game goes on."""
    alice, page = table.alice.at_home(), f"{path_of(table)}/account"
    alice.send(page, act="code")
    letter = table.db.session.execute(select(Letter).where(Letter.kind == "login_code")).scalar_one()

    wrong = alice.send(page, act="erase", code="00000000" if letter.data["code"] != "00000000" else "1")
    right = alice.send(page, act="erase", code=letter.data["code"])

    assert "You have 4 tries left" in wrong.text
    assert "You still have a seat in" in right.text
    assert table.db.session.get_one(Player, table.alice.player_id).address is not None


def test_the_code_is_spent_by_guessing(table: Table) -> None:
    """After five wrong guesses even the right code is worth nothing."""
    alice, page = table.alice.at_home(), f"{path_of(table)}/account"
    alice.send(page, act="code")
    letter = table.db.session.execute(select(Letter).where(Letter.kind == "login_code")).scalar_one()
    for _ in range(5):
        alice.send(page, act="erase", code="wrong")

    assert "too old or was used" in alice.send(page, act="erase", code=letter.data["code"]).text
