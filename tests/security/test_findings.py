"""What attackers did once, tried again: each of these found its way in before it was mended."""

from __future__ import annotations

from datetime import timedelta
from hashlib import sha256
from html import unescape
from typing import TYPE_CHECKING

import pytest
from flask.testing import FlaskClient
from sqlalchemy import select

from pbem.capabilities import api_keys, codes, links
from pbem.capabilities.tokens import Tokens, tokens
from pbem.clubs.account import personal_data
from pbem.clubs.games import actions, csv_table
from pbem.clubs.members import club_settings, members
from pbem.errors import NotAllowed, NotOpen, WrongInput
from pbem.extensions import Base, settings
from pbem.inbound import receive, working
from pbem.letters import context as contexts
from pbem.letters import delivery
from pbem.play.admin import action_log, game_admin
from pbem.play.orders.submission import Submission, submit
from pbem.play.seats import invitations, notes, sitters, substitutes, talk
from pbem.play.views import spectator
from pbem.store.models import Code, Inbound, Invitation, Letter, Member, Player, StoredOrder
from pbem.web.guards import limiter
from tests.conftest import make_app, set_up, settings_in
from tests.factories import START, GameFactory, PlayerFactory, asked, in_a_club, letters, seat_of
from tests.security.test_doors import sent
from tests.steps import steps
from tests.web.club_house import House

if TYPE_CHECKING:
    from pathlib import Path

    from flask import Flask
    from flask_sqlalchemy import SQLAlchemy
    from sqlalchemy.orm import Session

    from pbem.store.models import Game
    from tests.conftest import Clock
    from tests.web.conftest import Browser, Table

DAY = timedelta(days=1)


@pytest.fixture
def house(app: Flask, db: SQLAlchemy, client: FlaskClient, clock: Clock) -> House:  # noqa: ARG001 - the client sets requests apart, the clock stands still
    """A club with Alice as organiser, Bob as player, and Charlie, a stranger."""
    return House(app, db)


def invited(session: Session, house: House, role: str) -> Invitation:
    """Charlie's newest invitation into the club."""
    charlie = house.people["Charlie"]
    members.invite(
        session, START, house.club.id, house.people["Alice"].id, [members.Guest(charlie.address or "", "", role)]
    )
    session.commit()
    return session.execute(select(Invitation).order_by(Invitation.id.desc()).limit(1)).scalar_one()


def test_an_invitation_is_accepted_once_and_gives_no_key_afterwards(house: House) -> None:
    """Its link, pressed again after all links were renewed, opens nothing; the use case refuses the second time."""
    session, row = house.session, invited(house.session, house, "player")
    path = f"/invitation/{links.invitation_token(tokens(), row.id)}"
    first, again = (type(house.browsers["Bob"])(house.browsers["Bob"].client.application.test_client()) for _ in "ab")
    first.send(path, act="accept")
    charlie = session.get_one(Player, house.people["Charlie"].id, populate_existing=True)
    with pytest.raises(NotOpen, match="not open any more"):
        invitations.accept(session, START, row.id)
    links.renew(session, START, charlie.id)
    session.commit()
    again.client.application.config["WTF_CSRF_ENABLED"] = False  # the page has no form any more
    assert again.client.post(path, data={"act": "accept"}).status_code == 404

    assert first.get(f"/player/{charlie.id}/account").status_code == 404
    assert again.get(f"/player/{charlie.id}/account").status_code == 404
    assert again.get(path).status_code == 404


@pytest.mark.parametrize("state", ["accepted", "declined", "expired", "withdrawn", "run out"])
def test_an_invitation_that_is_over_accepts_no_other(house: House, state: str) -> None:
    """By the link of one that was answered, or has run out, nobody takes what the person is offered since."""
    session, row = house.session, invited(house.session, house, "player")
    path, charlie = f"/invitation/{links.invitation_token(tokens(), row.id)}", row.player_id
    if state == "run out":
        row.expires_at = START
    else:
        row.state = state
    newer = invited(session, house, "player")
    assert newer.id != row.id
    finder = type(house.browsers["Bob"])(house.browsers["Bob"].client.application.test_client())
    finder.client.application.config["WTF_CSRF_ENABLED"] = False  # the page has no form any more
    shown = finder.get(path).text

    for act in ("accept", "accept-all", "decline"):
        assert finder.client.post(path, data={"act": act}).location == path

    session.expire_all()
    assert (newer.state, "accept-all" in shown) == ("pending", False)
    assert finder.get(f"/player/{charlie}/account").status_code == 404


def test_who_was_taken_out_does_not_come_back_by_an_old_invitation(house: House) -> None:
    """Neither by the one accepted once, nor by one that was still open when they were taken out."""
    session, alice, charlie = house.session, house.people["Alice"].id, house.people["Charlie"].id
    row = invited(session, house, "organiser")
    invitations.accept(session, START, row.id)
    other = Invitation(
        club_id=house.club.id, player_id=charlie, inviter_id=alice, role="organiser", epoch=0,
        expires_at=START + 9 * DAY, created_at=START,
    )  # fmt: skip
    session.add(other)
    session.commit()
    members.take_out(session, START, house.club.id, by=alice, player_id=charlie)
    session.commit()
    for one in (row, other):
        house.browsers["Charlie"].client.post(
            f"/invitation/{links.invitation_token(tokens(), one.id)}", data={"act": "accept"}
        )
        with pytest.raises(NotOpen):
            invitations.accept(session, START, one.id)
    session.rollback()
    place = session.execute(select(Member).where(Member.player_id == charlie)).scalar_one()

    assert place.left_at is not None
    with pytest.raises(NotAllowed):
        members.take_out(session, START, house.club.id, by=charlie, player_id=house.people["Bob"].id)


class TestKnowledge:
    """What one person knows of a game doesn't go on to another seat."""

    @pytest.fixture
    def game(self, session: Session) -> Game:
        """Two persons and a bot, in a club of four."""
        made: Game = GameFactory(seed="known")
        in_a_club(session, made, *(seat_of(session, made, number).player_id for number in (0, 1)))
        session.add(Member(club_id=made.club_id, player_id=PlayerFactory().id, role="organiser", joined_at=START))
        return made

    def other(self, session: Session, game: Game) -> Player:
        """Another member of the club."""
        made: Player = PlayerFactory()
        session.add(Member(club_id=game.club_id, player_id=made.id, role="player", joined_at=START))
        session.commit()
        return made

    def test_a_substitute_reads_nothing_of_the_one_before(self, session: Session, game: Game) -> None:
        """Not the notes, no private word, no hand-over sheet; the writer's file holds theirs, erasing empties it."""
        seat, bob = seat_of(session, game, 0), seat_of(session, game, 1)
        writer, new, sitter = seat.player_id or 0, self.other(session, game), self.other(session, game)
        notes.keep(session, START, seat.id, "SECRET-NOTE")
        talk.say(session, START, seat.id, "SECRET-SAID", to_seat=1)
        talk.say(session, START, bob.id, "SECRET-HEARD", to_seat=0)
        sitters.appoint(session, START, seat.id, sitter.id, START, START + DAY, "SECRET-SHEET")
        file = str(personal_data.export_person(session, writer))
        letter = session.execute(select(Letter).where(Letter.kind == "sitter")).scalar_one()
        assert "SECRET-SHEET" in str(contexts.context(session, START, letter))
        substitutes.replace(session, START + DAY, game.id, 0, new.id, by=game.organiser_id or 0)
        session.commit()

        assert [word for word in ("NOTE", "SAID", "SHEET") if f"SECRET-{word}" not in file] == []
        assert notes.note_of(session, seat.id) == ""
        assert "SECRET" not in str(talk.heard(session, seat.id))
        assert "SECRET" not in str(sitters.of_seat(session, START, seat.id))
        assert "SECRET" not in str(personal_data.export_person(session, new.id))
        assert "SECRET-NOTE" in str(personal_data.export_person(session, writer))
        personal_data.erase(session, START, writer)
        assert "SECRET-SAID" not in str(talk.heard(session, bob.id))
        assert "SECRET-NOTE" not in str(personal_data.export_person(session, writer))
        session.flush()
        rows = [str(row) for table in Base.metadata.sorted_tables for row in session.execute(select(table))]
        assert [row for row in rows if "SECRET" in row.replace("SECRET-HEARD", "")] == []

    def test_who_sat_in_for_one_seat_takes_no_other(self, session: Session, game: Game) -> None:
        """Neither sits in for it nor gets it; nor does who played one before."""
        ann, bob = seat_of(session, game, 0), seat_of(session, game, 1)
        sitter = self.other(session, game)
        row = sitters.appoint(session, START, ann.id, sitter.id, START, START + DAY)
        sitters.end(session, START, row.id, ann.id)
        with pytest.raises(WrongInput, match="played for another seat"):
            sitters.appoint(session, START, bob.id, sitter.id, START, START + DAY)
        with pytest.raises(WrongInput, match="played for another seat"):
            substitutes.replace(session, START, game.id, 1, sitter.id, by=game.organiser_id or 0)

        player = session.get_one(Player, ann.player_id)
        order = StoredOrder(game_id=game.id, ply=1, seat=0, text="ra", canonical="ra", source="web", created_at=START)
        order.player_id = player.id
        session.add(order)
        substitutes.resign(session, START, ann.id)
        with pytest.raises(WrongInput, match="played for another seat"):
            substitutes.replace(session, START, game.id, 1, player.id, by=game.organiser_id or 0)
        substitutes.replace(session, START, game.id, 0, sitter.id, by=game.organiser_id or 0)
        assert ann.player_id == sitter.id


def test_a_clubs_games_are_its_members_and_the_delay_is_kept(house: House) -> None:
    """Nobody else finds or opens one; opened three plies behind, a stranger sees no newer one at any door."""
    game = house.game(title="Hidden Nile", plays=6)
    club_settings.open_to(house.session, START, house.club.id, house.people["Alice"].id, spectator.CLOSED)
    house.session.commit()
    bob, stranger = house.browsers["Bob"].client, house.browsers["Charlie"].client
    doors = (f"/games/{game.slug}", f"/games/{game.slug}/ply/{game.ply}", f"/api/v1/games/{game.slug}")

    assert [stranger.get(path).status_code for path in doors] == [404, 404, 404]
    assert [bob.get(path).status_code for path in doors[:2]] == [200, 200]
    assert "Hidden Nile" not in stranger.get("/").text + stranger.get("/api/v1/games").text

    club_settings.open_to(house.session, START, house.club.id, house.people["Alice"].id, 3)
    house.session.commit()
    assert [stranger.get(f"/games/{game.slug}/ply/{game.ply - back}").status_code for back in (0, 2, 3)] == [
        404,
        404,
        200,
    ]
    assert "Hidden Nile" in stranger.get("/").text
    assert spectator.watch(house.session, START, game.slug).last == game.ply - 3
    assert stranger.get(f"/api/v1/games/{game.slug}").get_json()["ply"] == game.ply - 3
    assert stranger.get(f"/api/v1/games/{game.slug}/positions/{game.ply - 2}").status_code == 404


@pytest.mark.parametrize(
    ("lines", "sentence"), [(500_000, "at most 200000 are read"), (csv_table.LONGEST // 4, "Line 1: 'a' is no mail")]
)
def test_a_long_list_of_guests_is_refused_quickly(lines: int, sentence: str) -> None:
    """Two megabytes of wrong lines, and as many as are read: a few faults, in ten steps a line at most."""
    faults: list[object] = []

    def refuse() -> None:
        with pytest.raises(WrongInput, match=sentence) as refused:
            members.read_guests("a,b\n" * lines)
        faults.extend(refused.value.faults)

    assert steps(refuse) < 10 * csv_table.LONGEST // 4
    assert len(faults) <= csv_table.MOST_FAULTS


def test_a_mailed_code_is_kept_under_a_key(session: Session) -> None:
    """Who reads the table alone can't try all numbers: it is no plain digest, and another key's doesn't fit."""
    player = PlayerFactory()
    codes.send(session, START, player.id, "key")
    row = session.execute(select(Code)).scalar_one()
    code = str(letters(session, "login_code")[0].data["code"])
    told = f"{row.id}:{player.id}:key:{code}"
    named = row.digest.partition("~")[0]

    assert tokens().fits(row.digest, told)
    assert not Tokens([(named, "another secret of thirty-two bytes")]).fits(row.digest, told)
    assert not {sha256(one.encode()).hexdigest() for one in (code, told)} & {row.digest, row.digest.partition("~")[2]}


def test_a_sitter_does_not_see_the_draft(table: Table) -> None:
    """Nor what its player typed, at no address of the seat, by page or program; the player does."""
    session, game = table.db.session(), table.game
    sitter = session.get_one(Player, table.charlie.player_id)
    in_a_club(session, game, table.alice.player_id, sitter.id)
    seat_id, ply, plans = table.alice.seat_id, game.ply + 1, ("draw; then draw; then draw", "ra; then draw")
    for plan in plans:
        submit(session, START, Submission(seat_id=seat_id, ply=ply, text=plan, draft=plan == plans[0]))
    sitters.appoint(session, START, seat_id, sitter.id, START, START + DAY)
    people = (table.alice.player_id, sitter.id)
    keys = [{"Authorization": f"Bearer {api_keys.issue_for_person(session, START, one, 'x')}"} for one in people]
    session.commit()
    holes = {"seat_id": seat_id, "ply": ply, "first": 0, "last": game.ply}
    rules = [rule for rule in table.app.url_map.iter_rules() if "GET" in (rule.methods or ())]
    rules = [rule for rule in rules if "seat_id" in rule.arguments and rule.arguments <= set(holes)]
    paths = [(rule.build({name: holes[name] for name in rule.arguments}) or ("", ""))[1] for rule in rules]

    def shown(browser: Browser, key: dict[str, str]) -> dict[str, str]:
        found = {path: browser.client.get(path, headers=key if path.startswith("/api/") else {}) for path in paths}
        return {path: unescape(page.text) for path, page in found.items() if page.status_code == 200}

    own, sat = (shown(guest.at_home(), key) for guest, key in zip((table.alice, table.charlie), keys, strict=True))

    assert {plan for plan in plans if plan in "".join(own.values())} == set(plans)
    assert len(sat) > 5
    assert {path for path, text in sat.items() if any(plan in text for plan in plans)} == set()


def test_links_renewed_a_hundred_thousand_times_still_work(table: Table, tmp_path: Path) -> None:
    """A letter is written and answered, however high its reader's epoch is."""
    session = table.db.session()
    seat = seat_of(session, table.game, table.alice.seat)
    seat.epoch = session.get_one(Player, table.alice.player_id).epoch = 100_000
    session.commit()
    mail = next(
        one for one in sent(table, tmp_path)
        if one["To"].addresses[0].addr_spec == session.get_one(Player, table.alice.player_id).address
    )  # fmt: skip
    to = str(mail["Reply-To"].addresses[0].addr_spec)
    number = receive.receive(session, b"From: a@b.org\nMessage-ID: <1@b.org>\nSubject: x\n\nstatus\n", to, START)
    assert number is not None
    working.work(session, START, delivery.addresses_of(settings()), number)

    assert session.get_one(Inbound, number).kind == "command"


class TestPlayingOrganiser:
    """Who organises a game and plays in it."""

    def wish(self, house: House, game: Game, name: str, **more: object) -> actions.ActionRequest:
        """An act on the game by somebody."""
        by = house.people[name].id
        return actions.ActionRequest(act="replace", by=by, games=(game.id,), seat=1, who="bot:random", **more)  # type: ignore[arg-type]  # a test's

    def test_gives_no_seat_away(self, house: House) -> None:
        """Not an opponent's seat to a bot or a member; another organiser may, and the log says so."""
        session, game = house.session, house.game()
        with pytest.raises(NotAllowed, match="You play in this game"):
            actions.carry_out(session, START, house.club.id, self.wish(house, game, "Alice", reason="too slow"))
        session.rollback()
        charlie = house.people["Charlie"]
        session.add(Member(club_id=house.club.id, player_id=charlie.id, role="organiser", joined_at=START))
        session.commit()
        actions.carry_out(session, START, house.club.id, self.wish(house, game, "Charlie", reason="gone"))
        session.commit()
        assert seat_of(session, game, 1).bot == "random"

    def test_moves_no_deadline_by_months(self, house: House) -> None:
        """However often it is pressed: two weeks from now at most."""
        session, game = house.session, house.game()
        deed = action_log.AdminAction(now=START, game=game, by=house.people["Alice"])
        for _ in range(10):
            game_admin.extend(session, deed, game_admin.LONGEST_EXTENSION)
        session.commit()

        assert game.due_at is not None
        assert game.due_at <= START + timedelta(hours=game_admin.LONGEST_EXTENSION)
        assert asked(session, game)[0].due_at == game.due_at


def test_the_demos_mailbox_answers_to_its_own_name_alone(tmp_path: Path) -> None:
    """A page elsewhere whose name points at this machine reads nothing."""
    app = make_app(settings_in(tmp_path, DEMO="yes", BASE_URL="http://127.0.0.1:8000"))
    set_up(app)
    client = app.test_client()

    assert client.get("/mailbox/", headers={"Host": "127.0.0.1:8000"}).status_code == 200
    assert client.get("/mailbox/", headers={"Host": "rebound.example"}).status_code == 400


class TestVisitors:
    """Whoever has no link."""

    @pytest.fixture
    def visitor(self, tmp_path: Path) -> FlaskClient:
        """Somebody at a server that counts."""
        app = make_app(settings_in(tmp_path, RATE_LIMITS="yes"))
        set_up(app)
        return app.test_client()

    def test_wrong_keys_are_counted(self, visitor: FlaskClient) -> None:
        """Two hundred of them: refused with 429 after the first minute's sixty."""
        tried = [
            visitor.get("/api/v1/me", headers={"Authorization": f"Bearer pbem_{number}"}).status_code
            for number in range(200)
        ]

        assert tried[:60] == [401] * 60
        assert set(tried[60:]) == {429}

    def test_their_address_is_kept_nowhere(
        self, visitor: FlaskClient, capfd: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture
    ) -> None:
        """Neither in what counts nor in what is logged; and each counts for themselves."""
        caplog.set_level("DEBUG")

        def call(address: str) -> int:
            headers, caller = {"Authorization": "Bearer x"}, {"REMOTE_ADDR": address}
            return visitor.get("/api/v1/me", headers=headers, environ_overrides=caller).status_code

        seen = [call("192.0.2.7") for _ in range(70)]
        other = call("192.0.2.8")
        stored = str(vars(limiter.storage))

        assert (seen[-1], other) == (429, 401)
        assert "LIMIT" in stored.upper()
        assert "192.0.2." not in stored
        assert "192.0.2." not in caplog.text + "".join(capfd.readouterr())
