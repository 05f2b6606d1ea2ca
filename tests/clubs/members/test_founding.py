"""Founding a club: what is taken, what is refused and how, and the one letter that goes out."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from sqlalchemy import String, select

from pbem.clubs.members import members
from pbem.clubs.members.founding import found_club, person_at, read_address
from pbem.errors import WrongInput
from pbem.letters import context as letters
from pbem.letters.writer import preview
from pbem.messages import LONGEST_NAME, bot_name
from pbem.store.models import Club, Letter, Member, Player
from tests.letters.test_writer import HOUSE

if TYPE_CHECKING:
    from flask_sqlalchemy import SQLAlchemy

    from tests.conftest import Clock


def test_a_club_its_organiser_and_one_letter(db: SQLAlchemy, clock: Clock) -> None:
    """A club has a name for addresses, an organiser, and the first link goes to the organiser's address."""
    club = found_club(db.session(), clock.now, " The  Nile Club\n", "Ada@Example.ORG")
    db.session.commit()

    (member,) = db.session.execute(select(Member)).scalars()
    (player,) = db.session.execute(select(Player)).scalars()
    (letter,) = db.session.execute(select(Letter)).scalars()
    assert (club.name, club.slug) == ("The Nile Club", "the-nile-club")
    assert (member.club_id, member.player_id, member.role) == (club.id, player.id, "organiser")
    assert (player.address, player.address_state, player.accepted_at) == ("ada@example.org", "new", clock.now)
    assert (letter.kind, letter.player_id, letter.state) == ("fresh_link", player.id, "pending")


def test_the_founders_letter_speaks_of_the_club(db: SQLAlchemy, clock: Clock) -> None:
    """It says what was founded and what to do there, not that links which never were open nothing any more."""
    found_club(db.session(), clock.now, "Nile", "ada@example.org")
    db.session.commit()
    (letter,) = db.session.execute(select(Letter)).scalars()
    context = letters.context(db.session(), clock.now, letter)
    assert context is not None
    written = preview(context, HOUSE)[0]

    assert written.subject == "Your link"
    assert "The club is founded, and you are its organiser" in " ".join(written.text.split())
    assert "no longer" not in written.text + written.html


def test_a_name_that_is_longer_in_plain_letters(db: SQLAlchemy, clock: Clock) -> None:
    """One sign may be three of them: in addresses the name is cut to what they hold."""
    club = found_club(db.session(), clock.now, "ﬃ" * LONGEST_NAME, "ada@example.org")

    assert isinstance(Club.slug.type, String)
    assert club.slug == ("ffi" * LONGEST_NAME)[: Club.slug.type.length]


def test_a_name_that_is_taken(db: SQLAlchemy, clock: Clock) -> None:
    """A second club of the same name in other letters is refused, and nothing of it is stored."""
    found_club(db.session(), clock.now, "Nile", "ada@example.org")

    with pytest.raises(WrongInput, match=r"^There is a club called 'NÎLE' already: choose another name\.$"):
        found_club(db.session(), clock.now, "NÎLE", "ben@example.org")
    assert db.session.execute(select(Club.name)).scalars().all() == ["Nile"]


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("", "The name of the club is empty: write at least one letter."),
        ("Yellow bot", "'Yellow bot' is what a bot is called here: choose another name."),
        ("\u200e \n", "The name of the club is empty: write at least one letter."),
        ("N" * 61, "The name of the club has 61 characters; at most 60 fit in a subject line."),
    ],
)
def test_names_that_cannot_be_used(name: str, sentence: str, db: SQLAlchemy, clock: Clock) -> None:
    """Each is refused with its own sentence."""
    with pytest.raises(WrongInput) as refusal:
        found_club(db.session(), clock.now, name, "ada@example.org")

    assert str(refusal.value) == sentence


@pytest.mark.parametrize(
    "text",
    ["", "ada", "ada@", "@example.org", "ada@exa mple.org", "ada@example..org", "a@b@c.example", "ada@-x.example",
     "ada\n@example.org", "Ada <ada@example.org>", "ada,ben@example.org", "x" * 65 + "@example.org",
     "ada@" + "x" * 250 + ".example", "ädä@example.org", '"a b"@example.org'],
)  # fmt: skip
def test_addresses_that_cannot_be_written_to(text: str) -> None:
    """Each is refused with the text as it was typed and an example of a right one."""
    with pytest.raises(WrongInput) as refusal:
        read_address(text)

    assert str(refusal.value).endswith("is no mail address we can write to: write one like ada@example.org.")


def test_one_person_for_one_address(db: SQLAlchemy, clock: Clock) -> None:
    """The same address in other letters is the same person, whose name stays."""
    first = person_at(db.session(), clock.now, "ada@example.org", "Ada")
    again = person_at(db.session(), clock.now, " ADA@example.org", "Somebody")

    assert first is again
    assert again.name == "Ada"


def test_a_name_from_the_address(db: SQLAlchemy, clock: Clock) -> None:
    """Somebody invited without a name is called by the first part of the address."""
    assert person_at(db.session(), clock.now, "ben.k@example.org").name == "ben.k"


@pytest.mark.parametrize("name", [bot_name("Red"), "a" * (LONGEST_NAME + 1)])
def test_nobody_is_called_what_nobody_may_be(db: SQLAlchemy, clock: Clock, name: str) -> None:
    """A bot's name and one that fits no subject line are refused wherever a person comes from; nobody is made."""
    with pytest.raises(WrongInput):
        person_at(db.session(), clock.now, "ada@example.org", name)

    assert db.session.scalars(select(Player)).all() == []


def test_whom_a_club_brings_reads_its_language(db: SQLAlchemy, clock: Clock) -> None:
    """The founder from the first letter on, whoever is invited, and whoever comes by themselves reads English."""
    session = db.session()
    club = found_club(session, clock.now, "Delta", "lead@nile.example", language="it")
    club.settings = {"zone": "Europe/Rome"}
    lead = person_at(session, clock.now, "lead@nile.example")
    members.invite(session, clock.now, club.id, lead.id, [members.Guest("ada@nile.example")])
    session.commit()
    people = {player.name: (player.language, player.zone) for player in session.scalars(select(Player))}
    assert people == {"lead": ("it", "UTC"), "ada": ("it", "Europe/Rome")}
    written = [letters.context(session, clock.now, letter) for letter in session.scalars(select(Letter))]
    assert [data and data.to.language for data in written] == ["it", "it"]
    assert person_at(session, clock.now, "ben@nile.example").language == "en"
