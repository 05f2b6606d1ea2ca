"""The life of what lets somebody act: every token of every letter and door, tried again after each of its ends."""

from __future__ import annotations

import re
from email import message_from_string
from email.policy import default
from html import unescape
from typing import TYPE_CHECKING

import msgspec
import pytest

from pbem.capabilities import api_keys, links
from pbem.clubs.account import address_change, personal_data
from pbem.extensions import settings, tokens
from pbem.inbound import receive
from pbem.letter_kinds import KINDS
from pbem.letters import delivery, samples, writer
from pbem.mail.address import BounceAddress
from pbem.play.seats import substitutes
from pbem.store.models import AddressChange, Inbound, Letter, Player
from tests.factories import START
from tests.security.test_doors import sent, text_of

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
        self.paths = {unescape(path) for mail in mails for path in URLS.findall(_all(mail))}
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
        receive.work(session, clock.now(), delivery.addresses_of(settings()), number)
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
    row = session.query(AddressChange).one()
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
    """Time ends links, feeds, keys and browsers; a seat's reply address holds while its game goes on."""
    wait(table, clock)

    assert {kind for kind, opens in held.opens().items() if opens} <= {"reply"}


@pytest.mark.parametrize("kind", KINDS)
def test_no_letter_to_an_unconfirmed_address_holds_a_persons_token(table: Table, kind: str) -> None:  # noqa: ARG001 - the app's signer
    """Every kind, to an address that never answered: no link, no reply address, no unsubscribing of anybody's."""
    house = delivery.house_of(settings(), tokens())
    made = samples.specimens("priestsofra", "en", START)
    letter = next(one for name, one in made if name.partition("-")[0] == kind)
    stranger = msgspec.structs.replace(letter, to=msgspec.structs.replace(letter.to, confirmed=False))
    raw = writer.worded(stranger, house, START).raw.decode()

    assert "/l/" in writer.worded(letter, house, START).raw.decode() or kind in {"invitation", "login_code"}
    for held in ("/l/", "/mail/unsubscribe/", "/calendar/", "/feed/"):
        assert f"club.example{held}" not in raw
    assert message_from_string(raw, policy=default)["Reply-To"].addresses[0].addr_spec == "play@club.example"
    assert isinstance(house.addresses.read(writer.worded(stranger, house, START).return_path), BounceAddress)
