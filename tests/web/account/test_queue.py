"""The queue page: what a person's keys open, and what of their mails couldn't be read."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import select

from pbem import clock
from pbem.capabilities import links
from pbem.extensions import db
from pbem.letters import context
from pbem.letters.mail_context import MailContext
from pbem.mail.address import Addresses
from pbem.messages import Translator
from pbem.play.seats import invitations, opening
from pbem.play.views import decision_queue
from pbem.store.models import Game, Inbound, Member, Player, Proposal, Seat
from tests import factories
from tests.web.conftest import Browser, words

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.conftest import Clock
    from tests.web.conftest import Table


def test_a_mail_that_held_no_order_stands_on_its_writers_queue(table: Table) -> None:
    """Alice's mail without an order is shown to her, be it by her seat's link or her own, and not to Bob."""
    alice, bob = table.alice, table.bob
    row = Inbound(
        message_id="<1@y>",
        recipient="play.token@play.example.org",
        source="smtp",
        raw=b"",
        state="done",
        kind="unread",
        seat_id=alice.seat_id,
        player_id=alice.player_id,
        note="What a fine temple.",
        next_try_at=clock.now(),
        received_at=clock.now(),
    )
    db.session.add(row)
    db.session.commit()

    by_seat, by_person = alice.opened().get("/queue").text, alice.at_home().get("/queue").text

    assert "What a fine temple." in by_seat
    assert "What a fine temple." in by_person
    assert "bid 6 on Memphis" not in by_seat + by_person
    assert "What a fine temple." not in bob.opened().get("/queue").text


def test_deadlines_are_told_in_the_zone_of_who_reads(table: Table) -> None:
    """The page of one person alone goes by their clock."""
    session, due = table.db.session(), table.game.due_at
    session.get_one(Player, table.alice.player_id).zone = "Asia/Tokyo"
    session.commit()
    assert due is not None

    assert f"until {Translator('en', 'Asia/Tokyo').short(due)}" in words(table.alice.at_home().get("/queue"))


def test_a_letters_link_opens_all_that_waits_for_its_reader(table: Table) -> None:
    """Alice's letter about one game opens her whole queue: decision 1 of 2, and the other game is hers to answer."""
    session, alice = table.db.session(), table.alice
    (row,) = (row for row in factories.letters(session, "your_turn") if row.player_id == alice.player_id)
    other = factories.GameFactory(game="amunre", title="Second Table")
    seat = factories.seat_of(session, other, factories.asked(session, other)[0].seat)
    seat.player_id = alice.player_id
    other.version += 1  # an order of the player before is worth nothing now
    session.commit()
    letter = context.context(session, factories.START, row)
    assert letter is not None
    house = MailContext(
        addresses=Addresses((("t1", "unused"),), "play.example.org"), tokens=table.tokens, base_url="", name="Nile Club"
    )

    page = alice.browser.get(house.seat_url(letter))

    assert "Decision 1 of 2" in words(page)
    assert "2 decisions wait for you" in words(alice.browser.get("/queue"))
    assert alice.browser.get(f"/seat/{seat.id}/decide").status_code == 200
    assert table.bob.opened().get(f"/seat/{seat.id}/decide").status_code == 404


def test_a_browser_with_links_of_several_people_says_whose_game_is_whose(table: Table) -> None:
    """Who found Bob's letter is warned, and each game bears its person's name; who has their own is told nothing."""
    alone = words(table.alice.opened().get("/queue"))
    table.alice.browser.get(table.bob.link)

    found = words(table.alice.browser.get("/queue"))

    assert "several people" not in alone
    assert f"This browser holds links of several people: {table.alice.name} and {table.bob.name}." in found
    for person in (table.alice, table.bob):
        assert found.count(person.name) >= 2, person.name


def test_a_browser_without_links_is_told_so(table: Table) -> None:
    """Who comes without a key learns that this browser has none, not that all is done."""
    page = Browser(table.app.test_client()).get("/queue").text

    assert "This browser holds no link of yours" in page
    assert "All done" not in page
    assert "This browser holds no link" not in table.alice.opened().get("/queue").text


def test_a_game_that_waits_for_players_stands_on_the_queue_of_who_is_in(table: Table) -> None:
    """Alice, who has a seat, sees that it waits for others; Bob, who is only invited, doesn't."""
    seats = (opening.SeatPlan(player_id=table.alice.player_id, seated=True), opening.SeatPlan())
    plan = opening.GamePlan(game="egizia", title="Evening", seats=seats, organiser_id=table.alice.player_id)
    opening.open_game(db.session(), clock.now(), plan)
    db.session.commit()

    assert "Players wanted Evening The game begins as soon as" in words(table.alice.at_home().get("/queue"))
    assert "Evening" not in words(table.bob.at_home().get("/queue"))


def test_an_invitation_waits_on_the_queue_of_whom_it_is_for(table: Table) -> None:
    """Bob finds the way to his invitation without its letter, and nobody else does; declined, it is gone."""
    guest, bob = table.bob, table.bob.at_home()
    plan = opening.GamePlan(
        game="egizia",
        title="Evening",
        seats=(opening.SeatPlan(player_id=guest.player_id), opening.SeatPlan()),
        organiser_id=table.alice.player_id,
    )
    opening.open_game(db.session(), clock.now(), plan)
    db.session.commit()

    queue = bob.get("/queue").text
    (address,) = re.findall(r'href="(/invitation/[^"]+)"', queue)
    offered = words(bob.get(address))
    taken = bob.send(address, act="accept", follow=True)

    assert "1 invitation waits for you" in queue
    assert "a game of Egizia" in offered
    assert "no further letter" not in offered  # he gets letters of his other games
    assert "/invitation/" not in table.alice.at_home().get("/queue").text
    assert "/invitation/" not in bob.get("/queue").text
    assert re.findall(r'(?s)href="(/\w+)[^"]*"', taken.text.split("You have a seat")[1])[:2] == ["/seat", "/queue"]


@pytest.fixture
def evenings(table: Table) -> None:
    """A club of Alice's offers Bob seats in three games."""
    (club,) = factories.ClubFactory.create_batch(1, name="Nile")
    for number in range(3):
        seats = (opening.SeatPlan(player_id=table.bob.player_id), opening.SeatPlan())
        more = {"club_id": club.id, "organiser_id": table.alice.player_id}
        plan = opening.GamePlan(game="egizia", title=f"Evening {number}", seats=seats, **more)
        opening.open_game(db.session(), clock.now(), plan)
    db.session.commit()


@pytest.mark.usefixtures("evenings")
@pytest.mark.parametrize("at", ["queue", "invitation"])
def test_all_invitations_of_a_club_are_accepted_with_one_press(table: Table, at: str) -> None:
    """On one's own page, and on the page of any of them, by whoever holds its link alone."""
    queue = table.bob.at_home().get("/queue").text
    address = re.findall(r'href="(/invitation/[^"]+)"', queue)[0]
    browser = table.bob.at_home() if at == "queue" else Browser(table.app.test_client())
    page = browser.get("/queue" if at == "queue" else address)
    said = {
        "queue": "3 invitations wait for you Accept all 3 invitations of Nile",
        "invitation": "You have 2 more invitations of Nile: Evening 1 and Evening 2 Accept all 3 invitations",
    }

    taken = browser.send(address, act="accept-all", follow=True)

    assert said[at] in words(page)
    assert page.text.count('class="primary" name="act" value="accept-all"') == 1
    assert "You have 3 seats Evening 0, Evening 1 and Evening 2 You get a letter" in words(taken)
    assert re.findall('button primary" href="([^"]+)"', taken.text) == ["/queue"]
    assert [f"Evening {number}" in words(browser.get("/queue")) for number in range(3)] == [True] * 3
    assert "/invitation/" not in browser.get("/queue").text


@pytest.mark.usefixtures("evenings")
def test_what_was_not_accepted_with_the_others_says_why(table: Table) -> None:
    """The page names the game and the reason, and leads on; the one that is left waits."""
    bob = table.bob.at_home()
    address = re.findall(r'href="(/invitation/[^"]+)"', bob.get("/queue").text)[0]
    full = db.session.scalars(select(Seat).join(Game).where(Game.title == "Evening 1", Seat.seat == 0)).one()
    full.player_id = table.alice.player_id
    db.session.commit()

    answer = words(bob.send(address, act="accept-all"))

    assert "These could not be accepted Evening 1: This seat is taken; ask the organiser for another one." in answer
    assert "You have 2 seats Evening 0 and Evening 2" in answer
    assert bob.get("/queue").text.count("/invitation/") == 1


@pytest.mark.parametrize("role", ["player", "organiser"])
def test_a_queue_leads_to_what_one_may_do_in_a_club(table: Table, role: str) -> None:
    """The first letter promises an organiser members and games from there: once a club, also beside a member's key."""
    (club,) = factories.ClubFactory.create_batch(1)
    for member, part in ((table.alice, role), (table.bob, "player")):
        db.session.add(Member(club_id=club.id, player_id=member.player_id, role=part, joined_at=clock.now()))
    db.session.commit()
    browser = table.alice.at_home()
    browser.follow(table.bob.own_link)

    shown = browser.get("/queue").text
    ways = re.findall(rf'href="/club/{club.slug}(/?\w*)"', shown.split("Your clubs")[1])

    assert ways == ["", *(["/members", "/open", "/control"] if role == "organiser" else [])]


def test_an_invitation_can_be_answered_after_all_links_were_renewed(table: Table) -> None:
    """By its guest alone: what stood in the letter and on the queue before opens nothing; the queue has a new way."""
    bob, session = table.bob, db.session()
    plan = opening.GamePlan(
        game="egizia",
        title="Evening",
        seats=(opening.SeatPlan(player_id=bob.player_id), opening.SeatPlan()),
        organiser_id=table.alice.player_id,
    )
    opening.open_game(session, clock.now(), plan)
    session.commit()
    (number,) = invitations.pending(session, clock.now(), bob.player_id)
    ways = [f"/invitation/{links.invitation_token(table.tokens, number)}"]
    ways += re.findall(r'href="(/invitation/[^"]+)"', bob.at_home().get("/queue").text)
    assert [bob.browser.get(way).status_code for way in ways] == [200, 200]

    links.renew(session, clock.now(), bob.player_id)
    session.commit()
    epoch = session.get_one(Player, bob.player_id).epoch
    bob.browser.follow(f"/l/{links.player_token(table.tokens, bob.player_id, epoch)}")
    (way,) = re.findall(r'href="(/invitation/[^"]+)"', bob.browser.get("/queue").text)

    assert [bob.browser.get(old).status_code for old in ways] == [404, 404]
    assert "You have a seat" in bob.browser.send(way, act="accept", follow=True).text


@pytest.mark.parametrize("page", ["/queue", "/seat/{seat}", "/seat/{seat}/decide"])
def test_a_vote_waits_on_the_pages_of_who_has_not_voted(table: Table, page: str) -> None:
    """The other proposes to end the game, which is their vote; one is led to one's own, and to none once it is given.

    Only Alice is asked anything, so it is she whose vote is missing on the page of a decision.
    """
    pair = (table.bob, table.alice) if page.endswith("decide") else (table.alice, table.bob)
    (one, alice), (two, bob) = ((guest, guest.at_home()) for guest in pair)
    settings, path = f"/seat/{two.seat_id}/settings", page.format(seat=two.seat_id)
    assert "yours is missing" not in words(bob.get(path))
    seat = db.session.get_one(Seat, two.seat_id)
    people = factories.PlayerFactory.create_batch(2)
    people[seat.seat] = db.session.get_one(Player, seat.player_id)
    factories.GameFactory(people=people)  # the same seat at another table, which votes on nothing
    alice.send(f"/seat/{one.seat_id}/settings", act="propose", kind="end", sure="yes")

    shown = bob.get(path)
    assert f'<a class="button" href="{settings}"' in shown.text
    assert words(shown).count("Everybody at the table is asked for a vote; yours is missing.") == 1
    assert "yours is missing" not in words(alice.get(page.format(seat=one.seat_id)))

    bob.send(settings, act="refuse", proposal=re.findall(r'name="proposal" value="(\d+)"', bob.get(settings).text)[0])
    assert "yours is missing" not in words(bob.get(path))


def test_who_is_to_be_replaced_is_told_on_their_pages_until_they_answer(
    set_table: Callable[..., Table], clock: Clock
) -> None:
    """Whose seat the others vote on reads so, on the game's page and on that of the decision they wait for."""
    table = set_table(game="priestsofra", people=3, bots=(), options={"auctions": "in_turn"})
    assert table.game.cover_at is not None
    clock.set(table.game.cover_at)
    seat = f"/seat/{table.alice.seat_id}"
    threat, alice, bob = "It is proposed to give your seat to a substitute", table.alice.opened(), table.bob.opened()
    settings = f"/seat/{table.bob.seat_id}/settings"
    assert bob.send(settings, act="replace", stalling=table.alice.seat).status_code == 303

    assert [threat in words(alice.get(page)) for page in (seat, f"{seat}/decide")] == [True, True]
    assert threat not in words(bob.get(f"/seat/{table.bob.seat_id}"))
    assert alice.send(f"{seat}/decide", act="draft", ply=1, text="ra", seen="ra").status_code == 303
    assert threat in words(alice.get(seat))
    clock.move(minutes=1)
    assert alice.send(f"{seat}/decide", act="send", ply=1, text="ra", seen="ra").status_code == 303
    assert threat not in words(alice.get(seat))


@pytest.mark.parametrize("of_seat", [True, False])
def test_a_vote_asks_only_those_who_may_vote_and_while_it_is_open(table: Table, *, of_seat: bool) -> None:
    """About Bob's seat he isn't asked; after its seven days nobody is."""
    session, now = db.session(), clock.now()
    bob = session.get_one(Seat, table.bob.seat_id)
    until = now + timedelta(days=7) if of_seat else now
    session.add(
        Proposal(
            game_id=bob.game_id,
            kind="replace",
            seat=bob.seat if of_seat else None,
            reason="",
            player_id=table.alice.player_id,
            created_at=now,
            expires_at=until,
        )
    )
    session.commit()

    assert [item.votes for item in decision_queue.of_seats(session, now, [bob.id])] == [False]
    assert [item.votes for item in decision_queue.of_seats(session, now, [table.alice.seat_id])] == [of_seat]
