"""Founding a club: its name, its first organiser, and the letter with the first link."""

from __future__ import annotations

import re
import unicodedata
from datetime import datetime

from sqlalchemy import select
from sqlalchemy.orm import Session

from pbem.engine.core.message import N_, sentence
from pbem.errors import WrongInput
from pbem.letter_queue import LetterQueue
from pbem.messages import BOT_NAME, LONGEST_NAME, clean, is_bot_name
from pbem.store.models import Club, Member, Player
from pbem.store.queries import common

LONGEST_ADDRESS = 254
"""Octets of a mail address (RFC 5321 4.5.3.1.3, less the angle brackets)."""
_ADDRESS = re.compile(
    r"[^\s@<>()\[\],;:\"\\]{1,64}@([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)*[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?"
)


def read_address(text: str) -> str:
    """Return the mail address in `text`, in lower case. Raises WrongInput for what can't be one."""
    address = text.strip().casefold()
    if len(address) > LONGEST_ADDRESS or not address.isascii() or not _ADDRESS.fullmatch(address):
        raise WrongInput("{text!r} is no mail address we can write to: write one like ada@example.org.", text=text)
    return address


def read_name(text: str, what: str) -> str:
    """Return the one-line name in `text` of a `what`. Raises WrongInput for an empty or overlong one."""
    name = clean(text, 10 * LONGEST_NAME)
    if not name:
        raise WrongInput("The name of the {what} is empty: write at least one letter.", what=what)
    if is_bot_name(name):
        raise WrongInput(BOT_NAME, name=name)
    if len(name) > LONGEST_NAME:
        raise WrongInput(
            "The name of the {what} has {length} characters; at most {limit} fit in a subject line.",
            what=what,
            length=len(name),
            limit=LONGEST_NAME,
        )
    return name


def person_at(  # noqa: PLR0913 - what a door knows of somebody new
    session: Session, now: datetime, address: str, name: str = "", *, club: Club | None = None, language: str = "en"
) -> Player:
    """Return the person with this address; made if nobody has it yet, called `name` or by the address's first part.

    Somebody new reads the language and lives in the time zone of the `club` that brings them, until they say otherwise;
    who comes by themselves reads `language`. The same is asked of the database for an address that somebody has: its
    time tells a stranger nothing. Raises WrongInput for an address that can't be one, and a name that nobody can have.
    """
    address = read_address(address)
    values: dict[str, object] = {
        "address": address,
        "name": read_name(name, N_("player")) if clean(name) else clean(address.partition("@")[0]),
        "zone": club.settings.get("zone", "UTC") if club else "UTC",
        "language": club.language if club else language,
        "created_at": now,
    }
    session.execute(common.insert_new(session, Player, "address").values(values))
    return session.execute(select(Player).where(Player.address == address)).scalar_one()


def found_club(session: Session, now: datetime, name: str, organiser: str, *, language: str = "en") -> Club:
    """Make a club, its organiser the person at the address `organiser`, and write them the letter with their link.

    Raises WrongInput for a name that can't be used or is taken, and for an address that can't be one.
    """
    name = read_name(name, N_("club"))
    slug = _slug(name)
    if common.is_any(session, Club.slug == slug):
        raise WrongInput("There is a club called {name!r} already: choose another name.", name=name)
    club = Club(slug=slug, name=name, language=language, settings={}, created_at=now)
    player = person_at(session, now, organiser, club=club)
    player.accepted_at = player.accepted_at or now  # whoever runs the server vouches for the address
    session.add(club)
    session.flush()
    session.add(Member(club_id=club.id, player_id=player.id, role="organiser", joined_at=now))
    post = LetterQueue(now)
    post.person("fresh_link", player, f"club:{club.id}:founded", club_id=club.id, said=_FOUNDED)
    post.send(session)
    return club


_FOUNDED = sentence("The club is founded, and you are its organiser: from your page you invite players and open games.")


def _slug(name: str) -> str:
    """Return the name as it stands in an address: plain letters, digits and hyphens."""
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode().casefold()
    return re.sub(r"[^a-z0-9]+", "-", plain).strip("-")[:64] or "club"
