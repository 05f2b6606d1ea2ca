"""An invitation's page: who is new says which language they read and where they live, and knows where to go next."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import select

from pbem.capabilities import links
from pbem.clubs.members import members
from pbem.clubs.members.founding import found_club, person_at
from pbem.extensions import tokens
from pbem.store.models import Invitation, Player
from tests.factories import START
from tests.web.conftest import Browser, words

if TYPE_CHECKING:
    from flask import Flask
    from flask_sqlalchemy import SQLAlchemy


@pytest.fixture
def invited(app: Flask, db: SQLAlchemy) -> tuple[Browser, str]:
    """The browser of somebody whom an Italian club has invited, and the path of the invitation."""
    session = db.session()
    club = found_club(session, START, "Delta", "lead@nile.example", language="it")
    lead = person_at(session, START, "lead@nile.example")
    members.invite(session, START, club.id, lead.id, [members.Guest("chloe@nile.example", "Chloé")])
    session.commit()
    (number,) = session.scalars(select(Invitation.id))
    return Browser(app.test_client()), f"/invitation/{links.invitation_token(tokens(), number)}"


def chosen(page: str, name: str) -> str:
    """What a list of choices of a page has chosen."""
    (found,) = re.findall(rf'<select id="{name}".*?</select>', page, re.DOTALL)
    (value,) = re.findall(r'<option value="([^"]+)"[^>]* selected', found)
    return str(value)


@pytest.mark.usefixtures("client", "clock")
def test_who_is_new_says_language_and_zone(invited: tuple[Browser, str], db: SQLAlchemy) -> None:
    """The page speaks the club's language and offers the browser's; what is chosen counts from the welcome on."""
    browser, path = invited
    page = browser.get(path, headers={"Accept-Language": "fr-FR, en;q=0.5"}).text
    assert '<html lang="it">' in page
    assert (chosen(page, "language"), chosen(page, "zone")) == ("fr", "UTC")
    assert chosen(browser.get(path, headers={"Accept-Language": "ja"}).text, "language") == "it"

    refused = browser.send(path, act="accept", language="xx", zone="Europe/Atlantis")
    assert (refused.status_code, "Europe/Atlantis" in words(refused)) == (422, True)
    assert db.session.scalars(select(Invitation.state)).one() == "pending"

    welcome = browser.send(path, act="accept", language="fr", zone="Europe/Paris", follow=True)
    db.session.expire_all()
    chloe = db.session.scalars(select(Player).where(Player.name == "Chloé")).one()
    assert (chloe.language, chloe.zone) == ("fr", "Europe/Paris")
    assert ('<html lang="fr">' in welcome.text, "Delta te souhaite" in words(welcome)) == (True, True)
    assert welcome.text.count('class="button primary"') == 1


@pytest.mark.usefixtures("client", "clock")
def test_who_is_known_keeps_what_they_chose(invited: tuple[Browser, str], db: SQLAlchemy) -> None:
    """Whoever has accepted something before isn't asked, and nothing that is sent all the same changes it."""
    browser, path = invited
    chloe = db.session.scalars(select(Player).where(Player.name == "Chloé")).one()
    chloe.accepted_at = START
    db.session.commit()

    assert 'id="language"' not in browser.get(path).text
    browser.send(path, act="accept", language="fr", zone="Europe/Paris")
    db.session.expire_all()
    assert (chloe.language, chloe.zone) == ("it", "UTC")
