"""A person's own things: key, calendar, data, and the end of them, each for its owner only."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import TYPE_CHECKING

import pytest
from icalendar import Calendar
from sqlalchemy import select

from pbem import clock
from pbem.capabilities import links
from pbem.play.admin import game_admin
from pbem.store.models import Game, Letter, Player
from tests.factories import forged
from tests.web.conftest import words

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


def test_all_links_can_be_renewed(table: Table) -> None:
    """From then on no old link opens anything, in no browser, by page and by API alike; a letter brings new ones."""
    alice, seat = table.alice.at_home(), f"/seat/{table.alice.seat_id}"
    letters = select(Letter.player_id).where(Letter.kind == "fresh_link")
    assert alice.get(seat).status_code == 200

    assert "Your old links open nothing any more" in words(alice.send(f"{path_of(table)}/account", act="renew"))

    assert [alice.get(seat).status_code, table.alice.browser.get(table.alice.link).status_code] == [404, 404]
    assert table.alice.opened().get(seat).status_code == 404
    assert table.db.session.execute(letters).scalars().all() == [table.alice.player_id]
    assert table.bob.opened().get(f"/seat/{table.bob.seat_id}").status_code == 200


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
    """The address on the page gives Alice's open decision to a program without cookies, also after it moved."""
    page = table.alice.at_home().get(f"{path_of(table)}/account").text
    (token,) = re.findall(r"/calendar/([^\"]+)\.ics", page)
    client = table.app.test_client()

    (event,) = Calendar.from_ical(client.get(f"/calendar/{token}.ics").text).walk("VEVENT")

    assert str(event["SUMMARY"]).startswith("Nile by Night: ")
    assert abs(event["DTSTAMP"].dt - clock.now()) < timedelta(minutes=1)
    game = table.db.session.get_one(Game, table.game.id)
    organiser = table.db.session.get_one(Player, table.alice.player_id)
    game_admin.extend(table.db.session(), game_admin.AdminAction(now=clock.now(), game=game, by=organiser), 5)
    table.db.session.commit()
    (moved,) = Calendar.from_ical(client.get(f"/calendar/{token}.ics").text).walk("VEVENT")
    assert (moved["UID"], moved["DTEND"].dt) == (event["UID"], event["DTEND"].dt + timedelta(hours=5))
    assert moved["SEQUENCE"] > event["SEQUENCE"]
    assert client.get(f"/calendar/{forged(token)}.ics").status_code == 404


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


def questions(table: Table) -> dict[str, str]:
    """The pages of the letters that ask, by where they went."""
    rows = table.db.session.execute(select(Letter).where(Letter.kind == "address_change")).scalars()
    return {
        "new" if row.address else "old": f"/address/{table.tokens.sign(links.ADDRESS, row.data['code_id'])}"
        for row in rows
    }


def test_a_new_address_needs_both(table: Table) -> None:
    """One yes changes nothing, the second one does; loading the pages does nothing."""
    alice, page = table.alice.at_home(), f"{path_of(table)}/account"
    before = table.db.session.get_one(Player, table.alice.player_id).address
    assert alice.send(page, act="address", address="new@nile.example").status_code == 303
    asked = questions(table)
    stranger = table.charlie.browser

    for side in ("new", "old"):
        stranger.get(asked[side])
        table.db.session.expire_all()
        assert table.db.session.get_one(Player, table.alice.player_id).address == before
        stranger.send(asked[side])

    table.db.session.expire_all()
    assert table.db.session.get_one(Player, table.alice.player_id).address == "new@nile.example"


def test_an_address_mail_does_not_reach_is_not_asked(table: Table) -> None:
    """Where letters come back only the new address is asked; then mail gets through again."""
    player = table.db.session.get_one(Player, table.alice.player_id)
    player.address_state = "bounced"
    table.db.session.commit()
    table.alice.at_home().send(f"{path_of(table)}/account", act="address", address="new@nile.example")

    asked = questions(table)
    table.charlie.browser.send(asked["new"])

    table.db.session.expire_all()
    assert sorted(asked) == ["new"]
    assert (player.address, player.address_state) == ("new@nile.example", "good")


@pytest.mark.parametrize("address", ["nonsense", ""])
def test_what_is_no_address_is_refused(table: Table, address: str) -> None:
    """Nothing is sent, and the page says why."""
    answer = table.alice.at_home().send(f"{path_of(table)}/account", act="address", address=address)

    assert answer.status_code == 422
    assert "is no mail address" in answer.text
    assert questions(table) == {}
