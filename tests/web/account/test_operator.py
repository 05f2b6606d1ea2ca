"""The operator's page: shut to everybody else, silent about people before a mailed code; what each button does."""

from __future__ import annotations

from http import HTTPStatus
from typing import TYPE_CHECKING

import msgspec
import pytest
from sqlalchemy import select

from pbem import clock
from pbem.capabilities import links
from pbem.store.models import Audit, Hook, HookCall, Letter, Player
from tests.web.club_house import House
from tests.web.conftest import Browser

if TYPE_CHECKING:
    from flask import Flask
    from flask.testing import FlaskClient
    from flask_sqlalchemy import SQLAlchemy


@pytest.fixture
def house(app: Flask, db: SQLAlchemy, client: FlaskClient) -> House:  # noqa: ARG001 - the client sets requests apart
    """A club whose organiser Alice runs the server too."""
    house = House(app, db)
    named = msgspec.structs.replace(app.extensions["pbem.settings"], operator=str(house.people["Alice"].address))
    app.extensions["pbem.settings"] = named
    return house


def failed(house: House) -> tuple[int, int]:
    """A letter to Bob and a webhook's call that were given up; their numbers."""
    now = clock.now()
    letter = Letter(
        cause="a test's",
        kind="fresh_link",
        player_id=house.people["Bob"].id,
        data={},
        message_id="a",
        state="failed",
        last_error="550 no such mailbox",
        next_try_at=now,
        created_at=now,
    )
    hook = Hook(club_id=house.club.id, kind="raw", url="https://hooks.example/secret", secret="s", created_at=now)
    house.session.add_all((letter, hook))
    house.session.flush()
    call = HookCall(hook_id=hook.id, cause="c", body={}, state="failed", next_try_at=now, created_at=now)
    call.fault = {"code": "refused", "status": 410}
    house.session.add(call)
    house.session.commit()
    return letter.id, hook.id


def test_it_is_the_operators_alone(house: House, app: Flask) -> None:
    """To all others the page does not exist; nor to the operator once the settings name another address."""
    for name in ("Bob", "Charlie"):
        assert house.browsers[name].get("/operator").status_code == HTTPStatus.NOT_FOUND, name
    assert "/operator" in house.browsers["Alice"].get(f"/player/{house.people['Alice'].id}/account").text
    assert "/operator" not in house.browsers["Bob"].get(f"/player/{house.people['Bob'].id}/account").text

    app.extensions["pbem.settings"] = msgspec.structs.replace(app.extensions["pbem.settings"], operator="")
    assert house.browsers["Alice"].get("/operator").status_code == HTTPStatus.NOT_FOUND


def test_without_a_mailed_number_it_tells_of_nobody(house: House, app: Flask) -> None:
    """Whoever got hold of the operator's link alone sees no name and changes nothing."""
    letter, _ = failed(house)
    alice = house.people["Alice"]
    thief = Browser(app.test_client())
    thief.get(f"/l/{links.player_token(app.extensions['pbem.capabilities.tokens'], alice.id, alice.epoch)}")

    page = thief.get("/operator")
    assert page.status_code == HTTPStatus.OK
    assert "Bob" not in page.text
    asked = thief.send("/operator", {"act": "letters", "letter": letter})
    assert "The code of the letter" in asked.text
    house.session.expire_all()
    assert house.session.get_one(Letter, letter).state == "failed"


def test_what_failed_is_tried_again(house: House) -> None:
    """Failed letters and calls are listed with their reasons, without the hook's secret address, and tried again."""
    letter, hook = failed(house)
    page = house.browsers["Alice"].get("/operator").text
    assert "<b>A fresh link</b> Bob" in page
    assert "550 no such mailbox" in page
    assert "it answered 410" in page
    assert "hooks.example/secret" not in page

    for wish in ({"act": "letters", "letter": letter}, {"act": "hook", "hook": hook}):
        assert house.browsers["Alice"].send("/operator", wish).status_code == HTTPStatus.SEE_OTHER
    house.session.expire_all()
    assert house.session.get_one(Letter, letter).state == "pending"
    assert house.session.execute(select(HookCall.state)).scalars().all() == ["pending"]
    acts = house.session.execute(select(Audit.act).order_by(Audit.id)).scalars().all()
    assert acts[-2:] == ["operator-retry-letters", "operator-retry-webhook"]


def test_people_are_helped_and_told(house: House) -> None:
    """A link shown once, a new address, links voided: each tells its person by letter."""
    alice, bob = house.browsers["Alice"], house.people["Bob"]
    found = alice.send("/operator", {"act": "find", "text": "bob"})
    assert str(bob.address) in found.text
    assert str(house.people["Charlie"].address) not in found.text

    shown = alice.send("/operator", {"act": "link", "person": bob.id}).text
    assert "://localhost/l/" in shown  # whole, as it is copied into a mail
    sent = {"act": "address", "person": bob.id, "address": "bob@new.example", "sure": "yes"}
    assert alice.send("/operator", sent).status_code == HTTPStatus.SEE_OTHER
    sent = {"act": "revoke", "person": bob.id, "sure": "yes"}
    assert alice.send("/operator", sent).status_code == HTTPStatus.SEE_OTHER

    house.session.expire_all()
    assert house.session.get_one(Player, bob.id).address == "bob@new.example"
    told = house.session.execute(
        select(Letter.cause).where(Letter.kind == "account", Letter.player_id == bob.id)
    ).scalars()
    assert sorted(cause.split(":")[3] for cause in told) == ["address", "link", "revoke"]


def test_erasing_wants_a_yes(house: House) -> None:
    """Without it nothing happens, and a page says what would; with it the person is forgotten."""
    alice, charlie = house.browsers["Alice"], house.people["Charlie"]
    asked = alice.send("/operator", {"act": "erase", "person": charlie.id, "text": "charlie"})
    assert "Charlie is forgotten for good" in asked.text
    assert (
        alice.send("/operator", {"act": "erase", "person": charlie.id, "sure": "yes"}).status_code
        == HTTPStatus.SEE_OTHER
    )
    house.session.expire_all()
    assert house.session.get_one(Player, charlie.id).address is None
    gone = alice.send("/operator", {"act": "link", "person": charlie.id})
    assert gone.status_code == HTTPStatus.UNPROCESSABLE_ENTITY
