"""An organiser's letter to everybody in the club; answers to it reach the club's contact."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from datetime import datetime, timedelta

from sqlalchemy.orm import Session

from pbem import budgets
from pbem.budgets import Budget
from pbem.capabilities.roles import require_organiser
from pbem.clubs import reports
from pbem.engine.core.message import Message, sentence
from pbem.errors import raise_for
from pbem.messages import clean
from pbem.play.admin import action_log
from pbem.store.models import Audit, Club
from pbem.store.queries import common

LONGEST_TITLE = 80
LONGEST = 4000
"""Characters of one announcement."""
ANNOUNCED = Budget(5, timedelta(days=1))
"""Announcements of one club: a slip or a stolen key must not flood anybody."""


def announce(  # noqa: PLR0913 - who says what to whom
    session: Session, now: datetime, club_id: int, by: int, *, title: str, text: str, to: Collection[int] = ()
) -> int:
    """Write to every member, or to those numbered in `to`; return the number of letters.

    Raises NotAllowed, or WrongInput for an empty or overlong text, a club without a contact, and one too many a day.
    """
    require_organiser(session, club_id, by)
    club = session.get_one(Club, club_id)
    title, text = clean(title, len(title)), text.strip()
    raise_for(_faults(session, now, club, title, text))
    people = [one for one in reports.members_of(session, club_id) if not to or one.id in to]
    audit = action_log.note(session, now, "announce", by=by, club_id=club_id, title=title, to=len(people))
    parts = (Message("{text}", {"text": part}) for part in text.split("\n\n") if part.strip())
    report = reports.ClubReport(Message("{text}", {"text": title}), tuple(parts))
    cause, page = f"announcement:{audit.id}", f"club/{club.slug}"
    return reports.send(session, now, "announcement", club_id, cause, report, people, to=page)


def _faults(session: Session, now: datetime, club: Club, title: str, text: str) -> Iterator[Message]:
    if not title or not text:
        yield sentence("The letter needs a subject and a text.")
    if len(title) > LONGEST_TITLE:
        yield sentence(
            "The subject has {length} characters; at most {limit} fit: shorten it.",
            length=len(title),
            limit=LONGEST_TITLE,
        )
    if len(text) > LONGEST:
        yield sentence(
            "The text has {length} characters; at most {limit} fit in one letter.",
            length=len(text),
            limit=LONGEST,
        )
    if not club.settings.get("contact"):
        yield sentence("Answers need somewhere to go: first name a contact address on the club's settings page.")
    budgets.lock(session, f"announcements:{club.id}")
    today = (Audit.club_id == club.id, Audit.act == "announce", Audit.at > ANNOUNCED.since(now))
    if common.count(session, *today) >= ANNOUNCED.most:
        yield sentence("{limit} letters went to the whole club today already: try tomorrow.", limit=ANNOUNCED.most)
