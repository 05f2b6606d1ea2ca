"""An invitation's page: who is new says which language they read and where they live, and knows where to go next."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import select

from pbem.capabilities import links
from pbem.capabilities.tokens import tokens
from pbem.clubs.members import members
from pbem.clubs.members.founding import found_club, person_at
from pbem.play.deadlines.waiting_reasons import STILL
from pbem.play.seats import opening
from pbem.store.models import LIVE, GameState, Invitation, Player
from tests.factories import START, GameFactory, PlayerFactory, seat_of
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
@pytest.mark.parametrize("role", ["organiser", "player"])
def test_who_is_to_organise_a_club_reads_so_before_joining(
    invited: tuple[Browser, str], db: SQLAlchemy, role: str
) -> None:
    """What the role brings is told on the page of the invitation, and to nobody who is invited to play."""
    browser, path = invited
    db.session.scalars(select(Invitation)).one().role = role
    db.session.commit()
    assert ("Saresti tra chi lo organizza" in words(browser.get(path))) == (role == "organiser")


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


@pytest.mark.usefixtures("client", "clock")
@pytest.mark.parametrize("state", GameState)
@pytest.mark.parametrize("holds", [True, False])
def test_what_a_game_has_come_to_is_said_instead_of_an_offer(
    app: Flask, db: SQLAlchemy, state: GameState, *, holds: bool
) -> None:
    """To who has a seat, or had one, and to who never answered: that it waits, is called off or over; or gone."""
    game, nora = GameFactory.create(), PlayerFactory.create()
    if holds:
        seat_of(db.session(), game, 0).player_id = nora.id
        game.version += 1
    said = {}
    for answer in ("accepted", "expired", "pending"):
        row = Invitation(player_id=nora.id, game_id=game.id, seat=0, state=answer, created_at=START, expires_at=START)
        db.session.add(row)
        db.session.flush()
        said[answer] = f"/invitation/{links.invitation_token(tokens(), row.id)}"
    game.state = state
    db.session.commit()
    browser = Browser(app.test_client())
    shown = {answer: words(browser.get(path)) for answer, path in said.items()}

    waits = "The game begins as soon as" if state is GameState.OPEN else "Your seat waits for you."
    waits = waits if holds else "This seat is not yours any more."
    over = None if state in LIVE else STILL[state]
    assert (over or waits) in shown["accepted"]
    for answer in ("expired", "pending"):
        assert (over or "This invitation has run out.") in shown[answer]
        assert 'value="accept"' not in browser.get(said[answer]).text


@pytest.mark.usefixtures("client", "clock")
@pytest.mark.parametrize(
    ("role", "there_is", "leads", "says"),
    [
        ("player", "nothing", "/learn/", "ha un posto libero"),
        ("player", "a free seat", "/club/delta", "1 partita del club aspetta"),
        ("player", "a seat of theirs", "/queue", "Ricevi una lettera appena"),
        ("organiser", "nothing", "/club/delta", "Ricevi una lettera appena"),
    ],
)
def test_who_has_joined_a_club_has_one_thing_to_do_next(
    invited: tuple[Browser, str], app: Flask, db: SQLAlchemy, role: str, there_is: str, leads: str, says: str
) -> None:
    """A free seat of the club's games, one's own games, or else a first game; an organiser goes to the club."""
    browser, path = invited
    offer = db.session.scalars(select(Invitation)).one()
    offer.role = role
    if there_is != "nothing":
        theirs = opening.SeatPlan(player_id=offer.player_id, seated=True)
        seats = (theirs if there_is == "a seat of theirs" else opening.SeatPlan(), opening.SeatPlan())
        plan = opening.GamePlan(game="egizia", seats=seats, club_id=offer.club_id)
        opening.open_game(db.session(), START, plan)
    db.session.commit()

    welcome = browser.send(path, act="accept", follow=True)

    (button,) = re.findall(r'class="button primary" href="([^"]+)"', welcome.text)
    assert (button, says in words(welcome)) == (leads, True)
    assert "Ricevi una lettera appena" in words(Browser(app.test_client()).get(path)), "told only to who it is for"
