"""What an organiser of many games does on the club's pages: settings, letters, invitations, workload, webhooks."""

from __future__ import annotations

import re
from datetime import timedelta
from http import HTTPStatus
from typing import TYPE_CHECKING, Any

import pytest
from sqlalchemy import select, update

from pbem import clock
from pbem.capabilities import api_keys
from pbem.clubs import club_views, workload
from pbem.clubs.integrations import webhook_client, webhooks
from pbem.clubs.members import members
from pbem.clubs.seasons import seasons
from pbem.letters.context import context
from pbem.letters.delivery import mail_context
from pbem.letters.writer import compose_mail
from pbem.store.models import (
    MAIL_COMES_BACK,
    Audit,
    Game,
    GameState,
    HookCall,
    Invitation,
    Letter,
    Member,
    OpenDecision,
    Player,
    SeasonEntry,
    Seat,
)
from tests.factories import START, near_the_end, play_to_the_end
from tests.web.club_house import House
from tests.web.conftest import words

if TYPE_CHECKING:
    from flask import Flask
    from flask.testing import FlaskClient
    from flask_sqlalchemy import SQLAlchemy

    from tests.conftest import Clock

SETTINGS = {"name": "The Nile Club", "language": "it", "zone": "Europe/Rome", "contact": "nile@example.org"}


@pytest.fixture
def house(app: Flask, db: SQLAlchemy, client: FlaskClient, clock: Clock) -> House:  # noqa: ARG001 - the client sets requests apart
    """The club, its clock standing still at the games' beginning."""
    clock.move(seconds=(START - clock.now).total_seconds())
    return House(app, db)


def letters(house: House, kind: str) -> list[Letter]:
    """The letters of a kind that wait, oldest first."""
    return list(house.session.execute(select(Letter).where(Letter.kind == kind).order_by(Letter.id)).scalars())


def test_the_clubs_settings_are_settled_and_new_members_live_in_its_zone(house: House) -> None:
    """All four are kept, members see the contact; whoever is invited from then on begins in that time zone."""
    assert house.browsers["Bob"].get(f"{house.path}/settings").status_code != HTTPStatus.OK
    assert "mailto:" not in house.browsers["Bob"].get(house.path).text
    answer = house.browsers["Alice"].send(f"{house.path}/settings", {**SETTINGS, "act": "save"})
    assert answer.status_code == HTTPStatus.SEE_OTHER
    assert "mailto:nile@example.org" in house.browsers["Bob"].get(house.path).text
    house.browsers["Alice"].send(f"{house.path}/members", {"people": "dora@example.org, Dora"})

    house.session.expire_all()
    assert (house.club.name, house.club.language, house.club.settings["zone"]) == ("The Nile Club", "it", "Europe/Rome")
    dora = house.session.execute(select(Player).where(Player.address == "dora@example.org")).scalar_one()
    assert dora.zone == "Europe/Rome"


@pytest.mark.parametrize(
    ("wrong", "named"),
    [
        ({"zone": "Rome"}, "Rome"),
        ({"contact": "nobody"}, "nobody"),
        ({"language": "xx"}, "xx"),
        ({"name": " "}, "empty"),
    ],
)
def test_a_wrong_setting_is_named_and_what_was_typed_stays(house: House, wrong: dict[str, str], named: str) -> None:
    """Nothing is kept, and the form holds what was typed."""
    before = house.club.name
    answer = house.browsers["Alice"].send(f"{house.path}/settings", {**SETTINGS, **wrong, "act": "save"})

    assert answer.status_code == HTTPStatus.UNPROCESSABLE_ENTITY
    assert named in answer.text
    assert f'value="{wrong.get("contact", "nile@example.org")}"' in answer.text
    house.session.expire_all()
    assert house.club.name == before


def test_an_organiser_sees_whose_mail_comes_back_and_nobody_sees_an_address(house: House) -> None:
    """On the members' page, beside the workload and where a letter to all is written; a player sees no such thing."""
    bob = house.people["Bob"]
    alice, pages = house.browsers["Alice"], ("members", "workload", "announce")
    alice.send(f"{house.path}/settings", {**SETTINGS, "act": "save"})
    assert not [page for page in pages if "comes back" in alice.get(f"{house.path}/{page}").text]

    for state in MAIL_COMES_BACK:
        bob.address_state = state
        house.session.commit()
        shown = {page: words(alice.get(f"{house.path}/{page}")) for page in pages}
        assert "Bob (Mail comes back)" in shown["members"]
        assert "Bob (Mail comes back)" in shown["workload"]
        assert "Mail to Bob comes back: reach them another way." in shown["announce"]
        assert not [page for page, text in shown.items() if str(bob.address) in text]
    assert "comes back" not in house.browsers["Bob"].get(f"{house.path}/members").text


@pytest.mark.parametrize("page", ["members", "workload"])
def test_a_table_of_people_stacks_on_a_phone(house: House, page: str) -> None:
    """Each cell that holds something names its column, since the headings are gone there."""
    house.game()
    text = house.browsers["Alice"].get(f"{house.path}/{page}").text
    (table,) = re.findall(r'<table class="stacked flow">.*?</table>', text, re.DOTALL)

    cells = re.findall(r"<td([^>]*)>(.*?)</td>", table, re.DOTALL)

    assert len(cells) >= 4
    assert [text for given, text in cells if text.strip() and "data-head" not in given and "<details" not in text] == []


def test_a_letter_to_the_members_whose_answers_reach_the_contact(house: House, app: Flask) -> None:
    """It goes to everybody or to those ticked, needs a contact first, and is limited by the day."""
    alice = house.browsers["Alice"]
    text = {"title": "We meet on {Friday}", "text": "Bring a friend.\n\nAnd a board."}
    settings = f"{house.path}/settings"
    refused = alice.send(f"{house.path}/announce", text, page=settings)
    for page in (refused, alice.get(f"{house.path}/announce")):  # the page leads to where the contact is named
        assert "contact address" in page.text
        assert f'class="button primary" href="{settings}"' in page.text
    alice.send(f"{house.path}/settings", {**SETTINGS, "act": "save"})
    assert alice.send(f"{house.path}/announce", text).location.endswith("sent=2")
    bob = house.people["Bob"]
    assert alice.send(f"{house.path}/announce", {**text, "to": bob.id}).location.endswith("sent=1")

    found = letters(house, "announcement")
    assert [letter.player_id for letter in found] == [house.people["Alice"].id, bob.id, bob.id]
    data = context(house.session, clock.now(), found[1])
    assert data is not None
    carrier = mail_context(app.extensions["pbem.settings"], app.extensions["pbem.capabilities.tokens"])
    raw = compose_mail(data, carrier, clock.now()).raw.decode("utf-8", "replace")
    assert "Reply-To: <nile@example.org>" in raw
    assert "{Friday}" in raw
    assert "And a board." in raw
    for day in ("Saturday", "Sunday", "Monday"):
        alice.send(f"{house.path}/announce", {**text, "title": f"We meet on {day}"})
    one_more = alice.send(f"{house.path}/announce", {**text, "title": "We meet"})
    assert one_more.status_code == HTTPStatus.UNPROCESSABLE_ENTITY
    assert (
        house.browsers["Bob"].send(f"{house.path}/announce", text, page=f"{house.path}/members").status_code
        != HTTPStatus.SEE_OTHER
    )


@pytest.mark.parametrize("typed", [{"behind": ""}, {}, {"behind": "-1"}])
def test_games_opened_to_spectators_say_how_far_behind(house: House, typed: dict[str, str]) -> None:
    """Without the moves nothing changes, and the refusal asks for them; unticked, nobody watches."""
    alice, game = house.browsers["Alice"], house.game()
    path, page = f"{house.path}/watch", f"{house.path}/members"
    alice.send(path, {"open": "1", "behind": "3"}, page=page)
    refused = alice.send(path, {"open": "1", **typed}, page=page)
    house.session.refresh(game)
    kept = game.watch_delay
    alice.send(path, typed, page=page)
    house.session.refresh(game)

    assert refused.status_code == HTTPStatus.UNPROCESSABLE_ENTITY
    assert "Write how many moves spectators are behind, 0 to 500" in refused.text
    assert (kept, game.watch_delay) == (3, -1)


def test_a_club_closes_once_no_game_is_under_way(house: House) -> None:
    """Only by its name typed, only without games; then nobody is in it, what had not begun is called off."""
    alice, game, waits = house.browsers["Alice"], house.game(), house.game()
    waits.state = GameState.OPEN
    house.session.commit()
    close = {"act": "close", "typed": house.club.name}
    assert alice.send(f"{house.path}/settings", {**close, "typed": "nile"}).status_code == 422
    refused = alice.send(f"{house.path}/settings", close)
    assert f"Still under way: {game.title}." in words(refused)
    assert f'href="/organise/{game.slug}">{game.title}</a>' in refused.text
    assert waits.slug not in refused.text
    game.state = GameState.ENDED
    house.session.commit()

    assert alice.send(f"{house.path}/settings", close).status_code == HTTPStatus.SEE_OTHER
    house.session.expire_all()
    assert house.session.execute(select(Member.id).where(Member.left_at.is_(None))).all() == []
    assert waits.state is GameState.WITHDRAWN
    assert alice.get(house.path).status_code != HTTPStatus.OK


def test_an_invitation_is_sent_again_and_withdrawn(house: House) -> None:
    """Again at most once a day; withdrawn, it is listed no more and its link opens nothing."""
    alice = house.browsers["Alice"]
    alice.send(f"{house.path}/members", {"people": "dora@example.org, Dora"})
    number = house.session.execute(select(Invitation.id)).scalar_one()
    for status in (HTTPStatus.SEE_OTHER, HTTPStatus.UNPROCESSABLE_ENTITY):
        wish = {"invitation": number, "act": "resend", "page": int(status)}  # the form of one page is sent once
        assert alice.send(f"{house.path}/invitation", wish, page=f"{house.path}/members").status_code == status
    assert len(letters(house, "invitation")) == 2
    alice.send(f"{house.path}/invitation", {"invitation": number, "act": "withdraw"}, page=f"{house.path}/members")
    house.session.expire_all()

    assert house.session.get_one(Invitation, number).state == "withdrawn"
    assert members.asked(house.session, clock.now(), house.club.id) == ()
    again = {"invitation": number, "act": "resend"}
    refused = house.browsers["Bob"].send(f"{house.path}/invitation", again, page=f"{house.path}/members")
    assert refused.status_code == HTTPStatus.FORBIDDEN


def test_a_season_is_told_to_every_member_and_an_organiser_enters_them(house: House) -> None:
    """Each member has a letter with a button to the season; who is entered by the organiser has another."""
    plan = seasons.SeasonPlan(name="Winter", titles=(seasons.Title("amunre", 3),))
    season = seasons.announce(house.session, clock.now(), house.club.id, house.people["Alice"].id, plan)
    house.session.commit()
    told = letters(house, "season")
    assert {letter.player_id for letter in told} == {house.people["Alice"].id, house.people["Bob"].id}
    assert told[0].data["to"] == f"club/{house.club.slug}/seasons/{season.slug}"

    bob = house.people["Bob"]
    path = f"{house.path}/seasons/{season.slug}"
    assert "Enter members" in house.browsers["Alice"].get(path).text
    data: dict[str, Any] = {"act": "enter-players", "player": bob.id}
    assert house.browsers["Alice"].send(path, data).status_code == HTTPStatus.SEE_OTHER
    assert house.session.execute(select(SeasonEntry.player_id)).scalars().all() == [bob.id]
    assert len(letters(house, "season")) == 3
    mine: dict[str, Any] = {"act": "enter-players", "player": house.people["Alice"].id}
    assert house.browsers["Bob"].send(path, mine).status_code != HTTPStatus.SEE_OTHER


def test_the_club_page_shows_every_game(house: House) -> None:
    """All that is under way, and behind one link every result."""
    names = [f"Table {number:02}" for number in range(25)]
    for name in names:
        house.game(title=name)
    page = house.browsers["Bob"].get(house.path).text
    assert [name for name in names if name not in page] == []


def test_workload_tells_who_has_how_much_to_do(house: House) -> None:
    """Games, open questions and zones by member, found by name; the page is the organiser's."""
    house.game(title="Pyramids by post")
    rows = workload.workload(house.session, clock.now(), house.club.id)
    assert [(row.name, len(row.games)) for row in rows] == [("Alice", 1), ("Bob", 1)]
    assert workload.workload(house.session, clock.now(), house.club.id, "ali")[0].name == "Alice"
    page = house.browsers["Alice"].get(f"{house.path}/workload").text
    assert "Pyramids by post" in page
    assert house.browsers["Bob"].get(f"{house.path}/workload").status_code != HTTPStatus.OK


def test_workload_is_sorted_by_what_an_organiser_asks(house: House) -> None:
    """Who has most, is waited for longest, answers least, or by name; the page says how long the longest wait is."""
    for title in ("First", "Second"):
        house.game(title=title)
    decision = house.session.execute(select(OpenDecision).where(OpenDecision.closed_at.is_(None))).scalars().first()
    assert decision is not None
    late = house.session.execute(
        select(Seat.player_id).where(Seat.game_id == decision.game_id, Seat.seat == decision.seat)
    ).scalar_one()
    decision.opened_at -= timedelta(hours=70)
    house.session.execute(update(Game).values(version=Game.version + 1))
    house.session.commit()
    path = f"{house.path}/workload"

    rows = workload.workload(house.session, clock.now(), house.club.id, order="waiting")
    named = workload.workload(house.session, clock.now(), house.club.id, order="name")

    assert rows[0].player_id == late
    assert [one.name for one in named] == sorted(one.name for one in named)
    assert {one.player_id for one in rows} == {one.player_id for one in named}
    for order in (*workload.ORDERS, "nonsense"):
        page = house.browsers["Alice"].get(f"{path}?order={order}")
        assert page.status_code == HTTPStatus.OK
        assert ">70</td>" in page.text


def test_a_webhook_that_fails_is_seen_tried_and_tried_again(house: House) -> None:
    """Its host, counts and last answer stand on the page; a test is one call; those given up can be made again."""
    alice = house.browsers["Alice"]
    page = alice.send(f"{house.path}/services", {"act": "hook", "kind": "raw", "url": "https://example.org/x"})
    assert page.status_code == HTTPStatus.OK
    (state,) = webhooks.states(house.session, house.club.id)
    alice.send(f"{house.path}/services", {"act": "test", "hook": state.id})

    def refuse(_url: str, _body: bytes, _secret: str) -> None:
        raise webhook_client.HookFailed("refused", permanent=True, status=410)

    assert webhooks.call_one(house.session, clock.now() + timedelta(seconds=1), refuse)
    house.session.commit()
    shown = alice.get(f"{house.path}/services").text
    assert "it answered 410" in shown
    assert "example.org" in shown
    assert "/x" not in shown.split("Webhooks")[1].split("Keys")[0].replace("</", "")
    alice.send(f"{house.path}/services", {"act": "retry", "hook": state.id})
    house.session.expire_all()
    assert house.session.execute(select(HookCall.state)).scalars().all() == ["pending"]


def test_leaving_a_game_ends_on_the_queue(house: House) -> None:
    """The seat is theirs no more, so its page would be none."""
    game = house.game()
    seat = house.session.execute(
        select(Seat.id).where(Seat.game_id == game.id, Seat.player_id == house.people["Bob"].id)
    ).scalar_one()
    bob = house.browsers["Bob"]
    answer = bob.send(f"/seat/{seat}/settings", {"act": "resign", "sure": "yes"})

    assert answer.status_code == HTTPStatus.SEE_OTHER
    assert bob.get(answer.location).status_code == HTTPStatus.OK
    assert house.session.execute(select(Audit.act).where(Audit.game_id == game.id)).scalars().all() == ["resign"]


def test_a_program_gets_the_week_as_text(house: House, client: FlaskClient) -> None:
    """Title, sentences and tables, every cell a text: who won is a name, not a list of one. Nothing of a quiet week."""
    session, address = house.session, f"/api/v1/clubs/{house.club.id}/gazette"
    key = {"Authorization": f"Bearer {api_keys.issue_for_person(session, START, house.people['Alice'].id, 'script')}"}
    session.commit()
    quiet = client.get(address, headers=key).get_json()
    game = house.game(here=near_the_end("priestsofra", 2))
    play_to_the_end(session, START, game)
    session.commit()

    told = client.get(address, headers=key).get_json()

    assert quiet == {"title": "", "paragraphs": [], "tables": []}
    assert told["title"] == f"The week at {house.club.name}"
    assert told["paragraphs"][0] == "1 game ended this week, 0 are under way."
    ((title, winner, points),) = told["tables"][0]["rows"]
    assert (title, told["tables"][0]["head"]) == (game.title, ["Game", "Winner", "Points"])
    (line,) = club_views.games(session, house.club.id, over=True)
    assert (winner, int(points)) == (", ".join(line.winners), max(line.scores))
