"""A person's own things: key, calendar, data, and the end of them, each for its owner only."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import TYPE_CHECKING

import pytest
from icalendar import Calendar
from sqlalchemy import select, update

from pbem import clock
from pbem.clubs.account import address_change
from pbem.play.admin import action_log, game_admin
from pbem.store.models import Capability, Game, Letter, Player, Seat
from tests.factories import START, forged
from tests.web.conftest import Browser, words

if TYPE_CHECKING:
    from tests.conftest import Clock
    from tests.web.conftest import Table


def path_of(table: Table) -> str:
    """Where Alice's account is."""
    return f"/player/{table.alice.player_id}"


def test_nobody_elses(table: Table) -> None:
    """Only the person's own link opens it; a seat's alone doesn't."""
    page = f"{path_of(table)}/account"
    assert table.alice.at_home().get(page).status_code == 200
    assert table.bob.at_home().get(page).status_code == 404
    assert table.charlie.opened().get(page).status_code == 404


def code_of(table: Table) -> str:
    """The number of the newest letter that holds one."""
    rows = table.db.session.execute(select(Letter).where(Letter.kind == "login_code").order_by(Letter.id.desc()))
    return str(rows.scalars().first().data["code"])  # type: ignore[union-attr]  # it was written


def told(table: Table) -> list[str]:
    """What letters told Alice of what was done in her name."""
    rows = table.db.session.execute(select(Letter).where(Letter.kind == "account").order_by(Letter.id)).scalars()
    return [row.data["said"][0]["text"] for row in rows if row.player_id == table.alice.player_id]


def test_a_letters_link_alone_does_nothing_that_harms(table: Table) -> None:
    """Whoever opens it is asked for a number that goes to the mailbox, once in an hour; then the form sent is done."""
    alice, page = table.alice.browser, f"{path_of(table)}/account"
    alice.get(table.alice.own_link)
    fields = {"act": "key", "seat": "all", "name": "script"}
    asked = alice.send(page, fields)
    again = alice.send(page, fields)

    assert [asked.status_code, again.status_code] == [403, 403]
    assert all(f'name="{name}" value="{value}"' in asked.text for name, value in fields.items())
    assert len(table.db.session.execute(select(Letter).where(Letter.kind == "login_code")).all()) == 1
    assert "You have 4 tries left" in alice.send(page, fields, mailed_code="1").text
    made = alice.send(page, fields, mailed_code=code_of(table))
    assert re.search(r"pbem_[\w-]{40}", made.text)
    assert alice.send(page, fields).status_code == 200
    assert told(table) == ["A key for the program {program} was made. It can act for you until you revoke it."] * 2


def test_the_number_is_good_for_its_browser_and_hour(table: Table, clock: Clock) -> None:
    """The same person's other browser needs its own; so does this one an hour later."""
    alice, page = table.alice.browser, f"{path_of(table)}/account"
    other = Browser(table.app.test_client())
    for browser in (alice, other):
        browser.get(table.alice.own_link)
        browser.send(page, act="export")
    elsewhere = other.send(page, act="export", mailed_code=first_code(table))
    here = alice.send(page, act="export", mailed_code=first_code(table))
    clock.move(minutes=61)

    assert [elsewhere.status_code, here.status_code] == [403, 200]
    assert here.get_json()["person"]["address"]
    assert alice.send(page, act="export").status_code == 403


def first_code(table: Table) -> str:
    """The number of the first letter that holds one."""
    row = table.db.session.execute(select(Letter).where(Letter.kind == "login_code").order_by(Letter.id)).scalars()
    return str(row.first().data["code"])  # type: ignore[union-attr]  # it was written


def test_browsers_are_listed_and_ended(table: Table) -> None:
    """A second browser that acted stands in the list; ended there, it and any copy of its cookie open nothing.

    It is named as it names itself, in 80 signs at most.
    The one that looks is told apart: it logs out by a button of its own, which leads to a page that it may see.
    """
    alice, page = table.alice.at_home(), f"{path_of(table)}/account"
    lost = Browser(table.app.test_client())
    lost.client.environ_base["HTTP_USER_AGENT"] = "Lost" + "!" * 300
    lost.get(table.alice.own_link)
    lost.send(page, act="export")
    lost.prove(table.alice.player_id)
    shown = alice.get(page).text
    own, theirs = table.db.session.execute(select(Capability.id).order_by(Capability.id)).scalars()
    assert re.findall(r'name="browser" value="(\d+)"', shown) == [str(theirs)]
    assert f"<b>Lost{'!' * 75}…</b>" in shown
    assert shown.count(">this browser<") == 1

    alice.send(page, act="end-browser", browser=str(theirs))

    assert lost.get(f"/seat/{table.alice.seat_id}").status_code == 404
    assert lost.get(page).status_code == 404
    assert alice.get(page).status_code == 200
    assert table.bob.at_home().send(f"/player/{table.bob.player_id}/account", act="end-browser", browser=str(own))
    assert alice.get(page).status_code == 200


@pytest.mark.parametrize("way", ["own_link", "link"])
def test_a_browser_ended_for_one_person_keeps_the_others_own_key(table: Table, way: str) -> None:
    """Ended for Bob it opens nothing of Bob's, nor a seat by a letter alone, for that may be his; Alice's key stays."""
    shared = Browser(table.app.test_client())
    shared.get(getattr(table.alice, way))
    shared.get(table.bob.own_link)
    shared.prove(table.bob.player_id)
    seats = [f"/seat/{person.seat_id}" for person in (table.alice, table.bob)]
    assert [shared.get(seat).status_code for seat in seats] == [200, 200]
    session = table.db.session()
    session.execute(update(Capability).where(Capability.player_id == table.bob.player_id).values(revoked_at=START))
    session.commit()

    assert [shared.get(seat).status_code for seat in seats] == [200 if way == "own_link" else 404, 404]
    assert shared.get(path_of(table) + "/account").status_code == (200 if way == "own_link" else 404)


def test_logging_out_ends_the_cookie_and_every_copy(table: Table) -> None:
    """The page opens no more, not even with the cookie that was there before."""
    alice, page = table.alice.at_home(), f"{path_of(table)}/account"
    copy = alice.client.get_cookie("pbem")
    assert copy is not None
    alice.send(page, act="log-out")

    thief = table.app.test_client()
    thief.set_cookie("pbem", copy.value)
    assert [alice.get(page).status_code, thief.get(page).status_code] == [404, 404]
    with alice.client.session_transaction() as kept:
        assert not {"seats", "players", "browser"} & set(kept), "nothing of hers is left on the machine"


def test_a_new_feed_address_ends_the_old_one_alone(table: Table) -> None:
    """The calendar under the old address is gone; the links of letters stay."""
    alice, page = table.alice.at_home(), f"{path_of(table)}/account"
    (old,) = re.findall(r"(/calendar/[^\"]+)\"", alice.get(page).text)
    alice.send(page, act="feeds")
    (new,) = re.findall(r"(/calendar/[^\"]+)\"", alice.get(page).text)

    client = table.app.test_client()
    assert [client.get(old).status_code, client.get(new).status_code] == [404, 200]
    assert table.alice.opened().get(f"/seat/{table.alice.seat_id}").status_code == 200


def test_all_links_can_be_renewed(table: Table) -> None:
    """From then on no old link opens anything, in no browser, by page and by API alike; a letter brings new ones."""
    alice, seat = table.alice.at_home(), f"/seat/{table.alice.seat_id}"
    letters = select(Letter.player_id).where(Letter.kind == "fresh_link")
    assert alice.get(seat).status_code == 200

    assert "Your old links open nothing any more" in words(
        alice.send(f"{path_of(table)}/account", act="renew", sure="yes", follow=True)
    )

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
    game_admin.extend(table.db.session(), action_log.AdminAction(now=clock.now(), game=game, by=organiser), 5)
    table.db.session.commit()
    (moved,) = Calendar.from_ical(client.get(f"/calendar/{token}.ics").text).walk("VEVENT")
    assert (moved["UID"], moved["DTEND"].dt) == (event["UID"], event["DTEND"].dt + timedelta(hours=5))
    assert moved["SEQUENCE"] > event["SEQUENCE"]
    assert client.get(f"/calendar/{forged(token)}.ics").status_code == 404


def test_erasing_takes_a_yes_and_a_fresh_number_and_leaves_the_games(table: Table) -> None:
    """The page links each game that is left, the question names them; a number of this hour or a wrong one won't do."""
    alice, page = table.alice.at_home(), f"{path_of(table)}/account"
    shown = alice.get(page)
    asked = words(alice.send(page, act="erase"))
    assert alice.send(page, act="erase", sure="yes").status_code == 403
    code = code_of(table)

    wrong = alice.send(page, act="erase", sure="yes", mailed_code="00000000" if code != "00000000" else "1")
    before = address_of(table)
    right = alice.send(page, act="erase", sure="yes", mailed_code=code)

    assert "You leave 1 game under way with it: " + table.game.title in words(shown)
    assert f'href="/seat/{table.alice.seat_id}/settings"' in shown.text
    assert f"leaves 1 game under way: {table.game.title}. The cautious bot plays on" in asked
    assert "You have 4 tries left" in wrong.text
    assert (before is None, address_of(table), right.status_code) == (False, None, 303)
    seat = table.db.session.get_one(Seat, table.alice.seat_id)
    assert (seat.player_id, seat.bot) == (None, "cautious")


def test_a_number_is_spent_by_guessing(table: Table) -> None:
    """After five wrong guesses even the right one is worth nothing; a new letter brings another, six in an hour."""
    alice, page = table.alice.browser, f"{path_of(table)}/account"
    alice.get(table.alice.own_link)
    alice.send(page, act="export")
    code = code_of(table)
    for _ in range(5):
        alice.send(page, act="export", mailed_code="wrong")

    assert "too old or was used" in alice.send(page, act="export", mailed_code=code).text
    for _ in range(8):
        last = alice.send(page, act="export", mail_again="1")
    assert "No more than 6 letters of one kind" in words(last)
    assert len(table.db.session.execute(select(Letter).where(Letter.kind == "login_code")).all()) == 6


def questions(table: Table) -> dict[str, str]:
    """The pages of the letters about a new address, by whose question it is."""
    rows = table.db.session.execute(select(Letter).where(Letter.kind == "address_change")).scalars()
    found = [(row.data["side"], row.data["change"]) for row in rows]
    return {side: f"/address/{address_change.token(table.tokens, number, side)}" for side, number in found}


def address_of(table: Table) -> str | None:
    """Where Alice's letters go."""
    table.db.session.expire_all()
    return table.db.session.get_one(Player, table.alice.player_id).address


def test_a_new_address_says_yes_and_the_old_one_may_hurry_it(table: Table) -> None:
    """Looking, and sending the form as it stands, does nothing; the old one's yes counts only after the new one's."""
    alice, page = table.alice.at_home(), f"{path_of(table)}/account"
    before = address_of(table)
    assert alice.send(page, act="address", address="new@nile.example").status_code == 303
    asked, stranger = questions(table), table.charlie.browser
    for side in ("new", "old"):
        stranger.get(asked[side])
        unanswered = stranger.send(asked[side])
        assert (unanswered.status_code, "Choose yes or no." in unanswered.text) == (422, True)
    early = stranger.send(asked["old"], answer="yes")
    stranger.send(asked["new"], answer="yes")

    assert early.status_code == 422
    assert address_of(table) == before
    stranger.send(asked["old"], answer="yes")
    assert address_of(table) == "new@nile.example"
    assert table.charlie.browser.get(table.alice.own_link).status_code == 404


def test_a_new_address_counts_after_the_wait_unless_the_old_one_stops_it(table: Table) -> None:
    """Three days after the new one's yes by itself; a no of the old one before that ends it."""
    session, player = table.db.session(), table.alice.player_id
    for answer, expected in (("no", address_of(table)), ("", "second@nile.example")):
        address_change.ask(session, clock.now(), player, "second@nile.example" if not answer else "first@nile.example")
        asked = questions(table)
        address_change.answer(session, clock.now(), table.tokens, asked["new"][9:], yes=True)
        assert not address_change.sweep(session, clock.now() + timedelta(days=2))
        if answer:
            address_change.answer(session, clock.now(), table.tokens, asked["old"][9:], yes=False)
        address_change.sweep(session, clock.now() + timedelta(days=3))
        session.commit()
        assert address_of(table) == expected


def test_an_address_mail_does_not_reach_waits_longer(table: Table) -> None:
    """Where letters come back no number can be mailed: the new address's yes and a week do it."""
    session = table.db.session()
    player = session.get_one(Player, table.alice.player_id)
    player.address_state = "bounced"
    session.commit()
    table.alice.browser.get(table.alice.own_link)
    table.alice.browser.send(f"{path_of(table)}/account", act="address", address="new@nile.example")
    table.charlie.browser.send(questions(table)["new"], answer="yes")

    assert not address_change.sweep(session, clock.now() + timedelta(days=6))
    assert address_change.sweep(session, clock.now() + timedelta(days=7))
    session.commit()
    assert address_of(table) == "new@nile.example"
    assert player.address_state == "good"


def test_letters_about_a_new_address_are_few(table: Table) -> None:
    """Three a day for one person, and one in a week to one address, whoever asks."""
    alice, page = table.alice.at_home(), f"{path_of(table)}/account"
    said = [alice.send(page, act="address", address=f"a{number}@nile.example").status_code for number in range(5)]
    twice = table.bob.at_home().send(f"/player/{table.bob.player_id}/account", act="address", address="a0@nile.example")

    assert said == [303, 303, 303, 422, 422]
    assert "not long ago" in words(twice)


@pytest.mark.parametrize("address", ["nonsense", ""])
def test_what_is_no_address_is_refused(table: Table, address: str) -> None:
    """Nothing is sent, and the page says why."""
    answer = table.alice.at_home().send(f"{path_of(table)}/account", act="address", address=address)

    assert answer.status_code == 422
    assert "is no mail address" in answer.text
    assert questions(table) == {}
