"""The life of what lets somebody act: every token of every letter and door, tried again after each of its ends."""

from __future__ import annotations

import re
from datetime import timedelta
from email import message_from_string
from email.policy import default
from html import unescape
from typing import TYPE_CHECKING

import msgspec
import pytest

from pbem.capabilities import api_keys, links
from pbem.capabilities import tokens as capabilities
from pbem.capabilities.tokens import tokens
from pbem.clubs import club_views
from pbem.clubs.account import address_change, personal_data
from pbem.clubs.members import club_settings, members
from pbem.extensions import settings
from pbem.inbound import receive, working
from pbem.letter_kinds import KINDS
from pbem.letters import delivery, samples, unsubscribe, writer
from pbem.mail.address import BounceAddress
from pbem.play.seats import substitutes
from pbem.store.models import AddressChange, Club, Game, GameState, Inbound, Invitation, Letter, Member, Player, Seat
from pbem.web.club import feeds
from tests.factories import START, in_a_club
from tests.letters.test_writer import renamed
from tests.security.test_doors import sent, text_of
from tests.web.conftest import Browser

if TYPE_CHECKING:
    from collections.abc import Callable
    from email.message import EmailMessage
    from pathlib import Path

    from tests.conftest import Clock
    from tests.web.conftest import Table

URLS = re.compile(r"http://club\.example(/[^\s\"'<>)]+)")


class Held:
    """Everything that ever opened something of Alice's, and what it opens now."""

    def __init__(self, table: Table, folder: Path) -> None:
        """Collect it from her letters, her pages, her browser and her program."""
        session, alice = table.db.session(), table.alice
        self.table, self.sent = table, 0
        links.renew(session, START, alice.player_id)  # so that there is a letter with a link of her own
        session.commit()
        self.player = session.get_one(Player, alice.player_id)
        mails = [mail for mail in sent(table, folder) if mail["To"].addresses[0].addr_spec == self.player.address]
        found = {unescape(path) for mail in mails for path in URLS.findall(_all(mail))}
        self.paths = {path for path in found if not re.match(r"/rules/|/learn/\w+$", path)}  # are open to everybody
        self.replies = {str(mail["Reply-To"].addresses[0].addr_spec) for mail in mails}
        self.browser = table.app.test_client()
        own = f"/l/{links.player_token(tokens(), self.player.id, self.player.epoch)}"
        self.browser.get(own)
        page = self.browser.get(f"/player/{self.player.id}/account").text
        self.paths |= {own, *re.findall(r"http://club\.example(/calendar/[^\"]+)", page)}
        self.key = api_keys.issue_for_person(session, START, self.player.id, "script")
        session.commit()

    def opens(self) -> dict[str, bool]:
        """By kind of capability, whether any of them still opens something."""
        found: dict[str, bool] = {}
        for path in self.paths:
            kind = path.split("/")[1]
            answer = self.table.app.test_client().get(path)
            found[kind] = found.get(kind, False) or answer.status_code < 400
        found["browser"] = self.browser.get(f"/player/{self.player.id}/account").status_code == 200
        headers = {"Authorization": f"Bearer {self.key}"}
        found["key"] = self.table.app.test_client().get("/api/v1/me", headers=headers).status_code == 200
        found["reply"] = any(self._works(address) for address in self.replies)
        return found

    def _works(self, address: str) -> bool:
        """Whether a mail to this reply address is done."""
        from pbem import clock  # noqa: PLC0415 - its offset is the test's

        session = self.table.db.session()
        self.sent += 1
        raw = f"From: anna@example.org\nMessage-ID: <{self.sent}@example.org>\nSubject: x\n\ntalk: hello\n".encode()
        number = receive.receive(session, raw, address, clock.now(), sender="anna@example.org")
        assert number is not None
        before = len(session.query(Letter).filter_by(kind="talk").all())
        working.work(session, clock.now(), delivery.addresses_of(settings()), number)
        session.commit()
        assert session.get_one(Inbound, number).state != "new"
        return len(session.query(Letter).filter_by(kind="talk").all()) > before


def _all(mail: EmailMessage) -> str:
    return text_of(mail, "plain") + text_of(mail, "html")


@pytest.fixture
def held(table: Table, tmp_path: Path) -> Held:
    """What Alice has, all of it working."""
    found = Held(table, tmp_path)
    assert found.opens() == dict.fromkeys(("l", "mail", "calendar", "browser", "key", "reply"), True)
    return found


def renew(table: Table, clock: Clock) -> None:
    """Renew all links."""
    links.renew(table.db.session(), clock.now, table.alice.player_id)


def move(table: Table, clock: Clock) -> None:
    """Get a new mail address."""
    session = table.db.session()
    address_change.ask(session, clock.now, table.alice.player_id, "new@nile.example")
    row = session.query(AddressChange).filter_by(address="new@nile.example").one()
    for side in (address_change.NEW, address_change.OLD):
        text = address_change.token(tokens(), row.id, side)
        address_change.answer(session, clock.now, tokens(), text, yes=True)


def erase(table: Table, clock: Clock) -> None:
    """Be forgotten."""
    session = table.db.session()
    substitutes.resign(session, clock.now, table.alice.seat_id)
    personal_data.erase(session, clock.now, table.alice.player_id)


def wait(table: Table, clock: Clock) -> None:  # noqa: ARG001 - alike to the others
    """Let two years go by."""
    clock.move(days=2 * 365)


@pytest.mark.parametrize("ending", [renew, move, erase], ids=lambda act: act.__name__)
def test_nothing_outlives_its_end(
    table: Table, clock: Clock, held: Held, ending: Callable[[Table, Clock], None]
) -> None:
    """Renewing, moving and erasing end all of it at once, everywhere."""
    ending(table, clock)
    table.db.session.commit()

    assert {kind for kind, opens in held.opens().items() if opens} == set()


def test_nothing_lasts_two_years(table: Table, clock: Clock, held: Held) -> None:
    """Time ends links, feeds, keys, browsers and reply addresses, also while a game goes on."""
    wait(table, clock)

    assert {kind for kind, opens in held.opens().items() if opens} == set()


def _seat_link(table: Table) -> str:
    alice, player = table.alice, table.db.session().get_one(Player, table.alice.player_id)
    seat = table.db.session().get_one(Seat, alice.seat_id)
    return f"/l/{links.seat_token(tokens(), seat.id, seat.epoch, table.game.ply + 1, player.id, player.epoch)}"


def _own_link(table: Table, path: str, make: Callable[..., str], *more: str) -> str:
    player = table.db.session().get_one(Player, table.alice.player_id)
    return f"{path}{make(tokens(), player.id, player.epoch, *more)}"


def _invitation(table: Table) -> str:
    row = Invitation(
        player_id=table.alice.player_id,
        club_id=_club(table).id,
        epoch=table.db.session().get_one(Player, table.alice.player_id).epoch,
        state="pending",
        created_at=START,
        expires_at=START + timedelta(days=14),
    )
    table.db.session.add(row)
    table.db.session.flush()
    return f"/invitation/{links.invitation_token(tokens(), row.id)}"


def _address(table: Table) -> str:
    address_change.ask(table.db.session(), START, table.alice.player_id, "another@nile.example")
    row = table.db.session().query(AddressChange).one()
    return f"/address/{address_change.token(tokens(), row.id, address_change.OLD)}"


def _club(table: Table) -> Club:
    return table.db.session().get_one(Club, table.game.club_id)


def _results(table: Table) -> str:
    club = club_views.summary_of(table.db.session(), _club(table).id, table.alice.player_id)
    return feeds.results_address(table.db.session(), club).removeprefix(settings().base_url)


def _calendar(table: Table) -> str:
    return feeds.calendar_address(table.db.session(), table.alice.player_id).removeprefix(settings().base_url)


LINKS: dict[str, Callable[[Table], str]] = {
    capabilities.SEAT: _seat_link,
    capabilities.PLAYER: lambda table: _own_link(table, "/l/", links.player_token),
    capabilities.INVITATION: _invitation,
    capabilities.ADDRESS: _address,
    capabilities.UNSUBSCRIBE: lambda table: _own_link(
        table, "/mail/unsubscribe/", lambda made, player, epoch: unsubscribe.token(made, player, epoch, None, "digest")
    ),
    capabilities.CALENDAR: _calendar,
    capabilities.RESULTS: _results,
    capabilities.LESSON: lambda table: _own_link(table, "/learn/letters/", links.lesson_token, "amunre"),
    capabilities.END_LINKS: lambda table: _own_link(table, "/links/end/", links.end_token),
}
"""By purpose, a link of Alice's that opens something."""


def _key(table: Table, kind: str) -> str:
    session, alice = table.db.session(), table.alice
    if kind == "seat":
        return api_keys.issue_for_seat(session, START, alice.player_id, alice.seat_id, kind)
    if kind == "club":
        return api_keys.issue_for_club(session, START, alice.player_id, _club(table).id, kind)
    return api_keys.issue_for_person(session, START, alice.player_id, kind)


def test_every_purpose_and_address_has_a_link_here(table: Table) -> None:
    """A new one says here how its link is made, and whatever looks at such a link is reached by one."""
    in_a_club(table.db.session(), table.game, table.alice.player_id)
    doors = table.app.url_map.bind("club.example")
    rules = [rule for rule in table.app.url_map.iter_rules() if "GET" in (rule.methods or ())]

    assert set(LINKS) == set(capabilities.LIVES)
    reached = {doors.match(make(table))[0] for make in LINKS.values()}
    assert reached == {rule.endpoint for rule in rules if "token" in rule.arguments}


def is_open(table: Table, path: str, key: str) -> bool:
    """Whether a link, or a key, still opens something."""
    headers = {"Authorization": f"Bearer {key}"} if key else {}
    return table.app.test_client().get(path, headers=headers).status_code < 400


@pytest.mark.parametrize("ending", [renew, move, erase, wait], ids=lambda act: act.__name__)
@pytest.mark.parametrize("what", [*LINKS, "a seat's key", "a club's key", "a person's key"])
def test_each_link_and_key_ends(table: Table, clock: Clock, what: str, ending: Callable[[Table, Clock], None]) -> None:
    """Whatever it is good for: renewing, another address, erasing and two years end it."""
    session = table.db.session()
    in_a_club(session, table.game, table.alice.player_id, table.bob.player_id, table.charlie.player_id)
    session.query(Member).update({"role": "organiser"})
    key = "" if what in LINKS else _key(table, what.removeprefix("a ").partition("'")[0])
    path = LINKS[what](table) if what in LINKS else "/api/v1/key"
    session.commit()
    assert is_open(table, path, key)

    ending(table, clock)
    session.commit()
    assert not is_open(table, path, key)


PRESSED = {
    capabilities.INVITATION: {"act": "accept"},
    capabilities.ADDRESS: {"answer": "no"},
    capabilities.UNSUBSCRIBE: {"sure": "yes"},
    capabilities.LESSON: {"answer": "yes"},
    capabilities.END_LINKS: {"act": "end"},
}
"""By purpose, what the button of the page behind a letter's link sends; the others lead to pages of a browser's."""


@pytest.mark.parametrize("what", LINKS)
def test_a_button_behind_a_letters_link_is_pressed_twice(table: Table, what: str) -> None:
    """By who has no script and opened nothing else: the second answer is the first one, and no more letters leave."""
    in_a_club(table.db.session(), table.game, table.alice.player_id, table.bob.player_id)
    path = LINKS[what](table)
    table.db.session().commit()
    browser = Browser(table.app.test_client())
    if what not in PRESSED:
        assert browser.client.post(path).status_code == 405
        return
    form = {"csrf_token": browser.token(path), **PRESSED[what]}

    first = browser.client.post(path, data=form)
    letters = table.db.session().query(Letter).count()
    second = browser.client.post(path, data=form)

    assert first.status_code < 400
    assert (second.status_code, second.location) == (first.status_code, first.location)
    assert first.location or second.text == first.text
    assert table.db.session().query(Letter).count() == letters


def test_a_seat_is_shut_ninety_days_after_its_game(table: Table, clock: Clock) -> None:
    """To its letter's link, to a browser that opened it, to its own key and to its owner's, at every call."""
    session, browser, seat_id = table.db.session(), table.alice.opened().client, table.alice.seat_id
    keys = [{"Authorization": f"Bearer {_key(table, kind)}"} for kind in ("seat", "person")]
    session.query(Game).filter_by(id=table.game.id).update({"state": GameState.ENDED, "finished_at": clock.now})
    session.commit()
    rules = [rule for rule in table.app.url_map.iter_rules() if rule.arguments == {"seat_id"}]
    calls = [rule.rule for rule in rules if rule.endpoint.startswith("api.") and "GET" in (rule.methods or ())]
    calls = [rule.replace("<int:seat_id>", str(seat_id)) for rule in calls]

    def refused() -> list[int]:
        found = [table.app.test_client().get(path, headers=key) for key in keys for path in calls]
        found += [table.app.test_client().get(table.alice.link), browser.get(f"/seat/{seat_id}")]
        return [answer.status_code for answer in found if answer.status_code >= 400]

    clock.move(days=90)
    assert refused() == []
    clock.move(seconds=1)
    assert refused() == [401] * len(calls) + [404] * (len(calls) + 2), "the seat's key is none any more"
    assert len(calls) >= 8


def give_away(table: Table, clock: Clock) -> None:
    """The seat goes to somebody else."""
    substitutes.replace(
        table.db.session(), clock.now, table.game.id, table.alice.seat, table.charlie.player_id, by=table.bob.player_id
    )


def put_bot(table: Table, clock: Clock) -> None:
    """A bot plays on."""
    substitutes.put_bot(table.db.session(), clock.now, table.game.id, table.alice.seat, "random", table.bob.player_id)


def resign(table: Table, clock: Clock) -> None:
    """She leaves the game."""
    substitutes.resign(table.db.session(), clock.now, table.alice.seat_id)


def take_out(table: Table, clock: Clock) -> None:
    """She is taken out of the club."""
    session = table.db.session()
    members.take_out(
        session, clock.now, table.game.club_id or 0, by=table.bob.player_id, player_id=table.alice.player_id
    )


@pytest.mark.parametrize(
    ("taking", "ends"), [(give_away, "seat"), (put_bot, "seat"), (resign, "seat"), (take_out, "club")]
)
def test_what_was_taken_away_opens_no_more(
    table: Table, tmp_path: Path, clock: Clock, taking: Callable[[Table, Clock], None], ends: str
) -> None:
    """No link of any letter, no browser, key or reply address leads there any more; the rest stays theirs."""
    session = table.db.session()
    in_a_club(session, table.game, table.alice.player_id, table.bob.player_id, table.charlie.player_id)
    session.query(Member).filter_by(player_id=table.bob.player_id).update({"role": "organiser"})
    session.commit()
    club = session.get_one(Club, table.game.club_id)
    held = Held(table, tmp_path)
    doors = {"seat": f"seats/{table.alice.seat_id}", "club": f"clubs/{club.id}"}
    pages = {"seat": f"/seat/{table.alice.seat_id}", "club": f"/club/{club.slug}"}
    assert opened(held, pages, doors) == {"seat", "club", "reply"}
    taking(table, clock)
    session.commit()

    kept = {"club"} if ends == "seat" else {"seat", "reply"}
    assert opened(held, pages, doors) == kept


def opened(held: Held, pages: dict[str, str], doors: dict[str, str]) -> set[str]:
    """What of these any of her links, her browser, her key and her reply addresses still open."""
    found = {"reply"} if held.opens()["reply"] else set()
    browsers = [held.browser]
    for path in held.paths:
        browsers.append(held.table.app.test_client())
        browsers[-1].get(path)
    found |= {what for what, path in pages.items() if any(one.get(path).status_code == 200 for one in browsers)}
    headers = {"Authorization": f"Bearer {held.key}"}
    asked = {what: held.table.app.test_client().get(f"/api/v1/{door}", headers=headers) for what, door in doors.items()}
    return found | {what for what, answer in asked.items() if answer.status_code == 200}


@pytest.mark.parametrize("kind", KINDS)
def test_no_letter_to_an_unconfirmed_address_holds_a_persons_token(table: Table, kind: str) -> None:  # noqa: ARG001 - the app's signer
    """Every kind, to an address that never answered: no link, no reply address, no unsubscribing of anybody's.

    Nor does one that goes there say a name of a player's choosing that leads elsewhere.
    """
    house = delivery.mail_context(settings(), tokens())
    made = samples.samples("priestsofra", "en", START)
    letter = next(one for name, one in made if name.partition("-")[0] == kind)
    stranger = msgspec.structs.replace(letter, to=msgspec.structs.replace(letter.to, confirmed=False))
    raw = writer.compose_mail(stranger, house, START).raw.decode()
    if not KINDS[kind].needs_acceptance:
        advert = writer.compose_mail(renamed(stranger, "Visit www.casino.example"), house, START).raw
        mail = message_from_string(advert.decode(), policy=default)
        assert "casino" not in f"{mail.items()}{_all(mail)}"

    assert "/l/" in writer.compose_mail(letter, house, START).raw.decode()
    for held in ("/l/", "/mail/unsubscribe/", "/calendar/", "/feed/"):
        assert f"club.example{held}" not in raw
    assert message_from_string(raw, policy=default)["Reply-To"].addresses[0].addr_spec == "play@club.example"
    assert isinstance(house.addresses.read(writer.compose_mail(stranger, house, START).return_path), BounceAddress)


def leave(table: Table, clock: Clock) -> None:
    """She leaves the club."""
    members.leave(table.db.session(), clock.now, table.game.club_id or 0, table.alice.player_id)


def demote(table: Table, clock: Clock) -> None:
    """She organises the club no more."""
    session, club, bob = table.db.session(), table.game.club_id or 0, table.bob.player_id
    members.set_role(session, clock.now, club, by=bob, player_id=table.alice.player_id, role="player")


def close(table: Table, clock: Clock) -> None:
    """The club is closed, once its game is over."""
    session, club = table.db.session(), _club(table)
    table.game.state = GameState.WITHDRAWN
    session.flush()
    club_settings.close(session, clock.now, club.id, table.bob.player_id, club.name)


SCOPED: dict[Callable[[Table, Clock], None], set[str]] = {
    **{one: {capabilities.SEAT, "a seat's key"} for one in (give_away, put_bot, resign)},
    **{one: {capabilities.RESULTS, "a club's key"} for one in (take_out, leave, close)},
    demote: {"a club's key"},
}
"""By what ends a seat, a membership or a role, what opened that alone."""


@pytest.mark.parametrize("ending", SCOPED, ids=lambda act: act.__name__)
def test_what_opened_a_seat_or_a_club_ends_with_it(
    table: Table, clock: Clock, ending: Callable[[Table, Clock], None]
) -> None:
    """And nothing else does: each link and key, the seat's and the club's own ones among them."""
    session = table.db.session()
    in_a_club(session, table.game, table.alice.player_id, table.bob.player_id, table.charlie.player_id)
    session.query(Member).update({"role": "organiser"})
    found = {what: (make(table), "") for what, make in LINKS.items()}
    found |= {f"a {kind}'s key": ("/api/v1/key", _key(table, kind)) for kind in ("seat", "club", "person")}
    session.commit()
    assert {what for what, held in found.items() if not is_open(table, *held)} == set()

    ending(table, clock)
    session.commit()
    assert {what for what, held in found.items() if not is_open(table, *held)} == SCOPED[ending]
