"""The control room and the administration page of a game that has not begun, in a browser."""

from __future__ import annotations

import re
from datetime import timedelta
from http import HTTPStatus
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import select

from pbem.clubs.games import actions
from pbem.play.admin import action_log
from pbem.store.models import Game, Letter, Member
from tests.factories import START, answer_all
from tests.security.test_buttons import Buttons, rows
from tests.web.club_house import House
from tests.web.conftest import words

if TYPE_CHECKING:
    from flask import Flask
    from flask.testing import FlaskClient
    from flask_sqlalchemy import SQLAlchemy

    from tests.conftest import Clock


@pytest.fixture
def house(app: Flask, db: SQLAlchemy, client: FlaskClient, clock: Clock) -> House:  # noqa: ARG001 - the client sets requests apart
    """The club, its clock standing still at the games' beginning."""
    clock.move(seconds=(START - clock.now).total_seconds())
    return House(app, db)


def test_an_act_on_all_that_is_shown(house: House) -> None:
    """One tick stands for every game that the filter shows, and for no other."""
    shown, other = house.game(title="On the river"), house.game(title="In the desert")
    alice, room = house.browsers["Alice"], f"{house.path}/control"

    page = alice.send(room, {"act": "pause", "all": "1", "text": "river"}, page=room)
    house.session.refresh(shown)

    listed = alice.get(room).text
    games, form = (listed.index(name) for name in ("name=games", 'name="act"'))
    assert games < form  # what it is about, before what is done with it
    assert f'name="games" value="{shown.id}"' in page.text
    assert f'name="games" value="{other.id}"' not in page.text
    assert shown.state == "running"


def test_a_games_desk_reminds_and_leads_back(house: House) -> None:
    """The page reminds who is awaited, once an hour, and leads to the control room, which tells how it stands."""
    game = house.game(title="Pyramids by post", options={"auctions": "in_turn"})
    alice = house.browsers["Alice"]
    admin = alice.get(f"/organise/{game.slug}").text
    assert f'href="{house.path}/control"' in admin
    for _ in range(2):
        assert alice.send(f"/organise/{game.slug}", {"act": "nudge"}).status_code == HTTPStatus.SEE_OTHER
    reminded = house.session.execute(select(Letter.kind).where(Letter.kind == "reminder")).scalars().all()
    assert reminded == ["reminder"]
    for page in ("control", "workload"):
        assert "Priests of Ra: Old Kingdom" in alice.get(f"{house.path}/{page}").text, page
    other = house.game(title="At rest")
    alice.send(f"{house.path}/control", {"act": "pause", "games": other.id, "sure": "yes"})
    seen = alice.send(f"{house.path}/control", {"act": "pause", "games": [game.id, other.id]})
    assert "1 of 2 games" in words(seen)
    assert "It does not fit 1 of those ticked At rest" in words(seen)


def test_a_journal_says_that_it_is_not_all(house: House) -> None:
    """Of as many entries as are listed: there may be older ones."""
    game, seen = house.game(title="Much was done"), []
    for more in (action_log.LISTED - 1, 1):
        for _ in range(more):
            action_log.write(house.session, START, game, "nudge", by=house.people["Alice"].id)
        house.session.commit()
        seen.append("These are the newest 50." in words(house.browsers["Alice"].get(f"/organise/{game.slug}")))

    assert seen == [False, True]


def test_a_view_is_kept_and_forgotten(house: House) -> None:
    """A filter kept under a name is a link that shows it; forgotten, it is gone."""
    alice, room = house.browsers["Alice"], f"{house.path}/control"

    kept = alice.send(f"{room}/views", {"state": "late", "name": "Late ones"}, page=room, follow=True)
    gone = alice.send(f"{room}/views", {"forget": "Late ones"}, page=room, follow=True)

    assert "Late ones" in words(kept)
    assert "state=late" in kept.text
    assert "Late ones" not in words(gone)


def test_an_act_is_shown_before_it_is_done(house: House) -> None:
    """The first press shows what it would do, the second does it, and it can be taken back."""
    game = house.game()
    due = game.due_at
    alice, room = house.browsers["Alice"], f"{house.path}/control"
    wish = {"act": "extend", "games": str(game.id), "hours": "5", "reason": "holidays"}

    shown = alice.send(room, wish)
    house.session.refresh(game)
    assert "The deadline will be" in shown.text
    assert game.due_at == due

    done = alice.send(room, {**wish, "sure": "yes"})
    house.session.refresh(game)
    assert due is not None
    assert game.due_at == due + timedelta(hours=5)
    assert done.status_code == 303
    assert 'name="undo"' in alice.get(room).text
    assert 'name="undo"' in alice.get(f"{room}?state=late").text  # on every page of the room, as long as it holds


def test_a_preview_that_is_out_of_date_does_nothing(house: House) -> None:
    """Where a game has moved on since the preview, the second press shows what it would do now, and then does it."""
    game = house.game()
    alice, room = house.browsers["Alice"], f"{house.path}/control"
    wish = {"act": "extend", "games": str(game.id), "hours": "5"}
    mark = re.compile(r'name="seen" value="([0-9]+:[0-9a-f]+)"')
    (seen,) = mark.findall(alice.send(room, wish).text)
    answer_all(house.session, START, game)
    house.session.refresh(game)
    due = game.due_at

    late = alice.send(room, {**wish, "sure": "yes", "seen": seen})
    house.session.refresh(game)
    assert late.status_code == 409
    assert "have moved on since you looked" in late.text
    assert game.due_at == due

    alice.send(room, {**wish, "sure": "yes", "seen": mark.findall(late.text)[0]})
    house.session.refresh(game)
    assert game.due_at != due

    undo = re.search(r'name="undo" value="(\d+)"', alice.get(room).text)
    assert undo is not None
    told = alice.get(alice.send(room, {"undo": undo[1]}).location).text
    assert "Taken back in 1 game." in told


def test_a_view_is_kept_under_its_name(house: House) -> None:
    """A filter saved by name stands as a link in the control room; the same name replaces it."""
    alice, room = house.browsers["Alice"], f"{house.path}/control"
    for text in ("river", "desert"):
        answer = alice.send(f"{room}/views", page=room, name="Mine", state="late", text=text, order="title")
        assert answer.status_code == 303

    page = alice.get(room).text

    assert "text=desert" in page
    assert "text=river" not in page


def test_a_game_that_waits_for_players_is_looked_after_at_its_desk(house: House) -> None:
    """Opened with a limit from the form; a seat taken and given back; then filled by a bot, or called off."""
    alice, bob = house.browsers["Alice"], house.browsers["Bob"]
    form = {"game": "priestsofra", "seats": "2", "seat-0": "Alice", "seat-1": "", "join": "7", "then": "bots"}
    for title in ("Filled", "Called off"):
        alice.send(f"{house.path}/open", {**form, "title": title})
    filled, off = house.session.execute(select(Game).order_by(Game.id)).scalars()
    assert (filled.due_at, filled.cadence["unfilled"]) == (START + timedelta(days=7), "bots")

    three = {**form, "seats": "3", "seat-2": "", "join": ""}
    alice.send(f"{house.path}/open", {**three, "title": "Three"})
    wide = house.session.execute(select(Game).where(Game.title == "Three")).scalar_one()
    bob.send(f"{house.path}/join", {"game": wide.slug}, page=house.path)
    assert "Give the seat back" in bob.get(house.path).text
    bob.send(f"{house.path}/join", {"game": wide.slug, "act": "give-up"}, page=house.path)
    assert "Give the seat back" not in bob.get(house.path).text

    admin = alice.get(f"/organise/{filled.slug}")
    assert "It waits for them until" in words(admin)
    alice.send(f"/organise/{filled.slug}", {"act": "replace", "seat": "1", "who": "bot:heuristic"})
    alice.send(f"/organise/{off.slug}", {"act": "call-off", "reason": "Nobody came", "sure": "yes"})
    house.session.expire_all()
    assert (filled.state, off.state) == ("running", "withdrawn")
    gone = alice.get(f"/organise/{off.slug}")
    assert "called off before it began" in words(gone)
    assert "Nobody came" in gone.text
    assert "Called off" not in alice.get(house.path).text
    assert alice.get(f"/games/{off.slug}").status_code == 404


def test_who_ends_their_own_links_at_a_games_desk_is_told_so(house: House) -> None:
    """An organiser who plays has a key of this browser no more: the page says that a letter with new links comes."""
    game = house.game()
    house.session.commit()

    told = house.browsers["Alice"].send(
        f"/organise/{game.slug}", act="fresh", seat="0", seen="0", sure="yes", follow=True
    )

    assert told.request.path == "/links"
    assert "Your old links open nothing any more, in this browser either." in words(told)
    assert house.browsers["Alice"].get(f"/organise/{game.slug}").status_code == HTTPStatus.NOT_FOUND


def test_two_organisers_at_one_game_learn_of_each_other(house: House) -> None:
    """Whatever is pressed on a page opened before the other one acted is answered by what that was, and not done."""
    charlie = house.people["Charlie"]
    house.session.add(Member(club_id=house.club.id, player_id=charlie.id, role="organiser", joined_at=START))
    first = {"running": {"act": "extend", "hours": "5"}, "paused": {"act": "fresh", "seat": "1"}}
    first["open"] = {"act": "replace", "seat": "1", "who": str(charlie.id)}
    walked = set()
    for state, game in zip(first, (house.game(), house.game(), house.open_game()), strict=True):
        house.session.commit()
        desk = f"/organise/{game.slug}"
        if state == "paused":
            house.browsers["Alice"].send(desk, act="pause")
        late = [fields for _, fields in Buttons(house.browsers["Charlie"].get(desk).text).presses(desk)]
        did = house.browsers["Alice"].send(desk, {"seen": "0", "sure": "yes", **first[state]})
        assert did.status_code == HTTPStatus.SEE_OTHER
        before = rows(house)
        for fields in late:
            if fields.get("act") in actions.ACTIONS:  # what takes back, and looks, ask for themselves
                form = {**fields, "seat": "1", "reason": "I know why"}
                told = house.browsers["Charlie"].client.post(desk, data=form)
                assert (told.status_code, rows(house)) == (HTTPStatus.CONFLICT, before), fields
                assert re.search("Alice .*You hadn't seen that yet, so nothing was done now", words(told))
                assert 'value="I know why"' in told.text
                walked.add(fields["act"])
        again = [fields for _, fields in Buttons(told.text).presses(desk) if fields.get("act") == "extend"]
        for fields in again:
            assert house.browsers["Charlie"].client.post(desk, data=fields).status_code == HTTPStatus.SEE_OTHER

    assert walked == {"fresh", "replace", "nudge", "pause", "resume", "extend", "call-off"}
