"""Mail that was stored is worked once, whatever it is.

The recipient's token is the credential; From is a hint that its owner is told about. Every mail ends in one of a few
ways: orders and commands done and answered, a report about one of our letters noted, or kept for its owner to see.
"""

from __future__ import annotations

import contextlib
from datetime import datetime, timedelta

import structlog
from sqlalchemy import select, update
from sqlalchemy.orm import Session

from pbem.inbound import delivery_reports, lesson_mail, seat_mail
from pbem.inbound.receive import UNKNOWN, WorkedMail
from pbem.mail import incoming
from pbem.mail.address import (
    Address,
    Addresses,
    BadAddress,
    BounceAddress,
    LessonAddress,
    PlayerAddress,
    SeatAddress,
)
from pbem.store.models import Inbound, Player
from pbem.store.queries import common

log = structlog.get_logger()

TRIES = 5
"""A mail that brings its reader down so often is put aside."""
WAIT = timedelta(seconds=100)
"""After so long a mail whose reader died is read by another: within two minutes, the sweep's own time counted."""


def work_through(session: Session, now: datetime, addresses: Addresses, limit: int) -> None:
    """Work up to `limit` mails, each committed by itself."""
    for _ in range(limit):
        number, tries = _take(session, now)
        session.commit()
        if number is None:
            break
        try:
            (work if tries <= TRIES else _put_aside)(session, now, addresses, number)
            session.commit()
        except Exception as fault:  # noqa: BLE001 - whatever is wrong with one mail, those behind it don't wait for it
            session.rollback()
            log.warning("mail_not_worked", mail=number, fault=type(fault).__name__)


def is_waiting(session: Session, now: datetime) -> bool:
    """Return whether there is mail that can be worked now."""
    return common.is_any(session, Inbound.state == "new", Inbound.next_try_at <= now)


def _take(session: Session, now: datetime) -> tuple[int | None, int]:
    """Return the mail that waits longest, and the number of this try: one that kills its reader has few of them."""
    found = session.execute(
        select(Inbound.id, Inbound.attempts)
        .where(Inbound.state == "new", Inbound.next_try_at <= now)
        .order_by(Inbound.next_try_at, Inbound.id)
        .limit(1)
        .with_for_update(skip_locked=True)
    ).one_or_none()
    if found is None:
        return None, 0
    session.execute(
        update(Inbound)
        .where(Inbound.id == found.id)
        .values(attempts=found.attempts + 1, next_try_at=now + WAIT * (found.attempts + 1))
    )
    return found.id, found.attempts + 1


def _put_aside(session: Session, now: datetime, addresses: Addresses, number: int) -> None:
    """Give a mail up that brought its reader down each time; whoever wrote it is told, without it being read."""
    row = session.get_one(Inbound, number)
    row.done_at, at = now, WorkedMail(session, now, row, incoming.NOTHING)
    at.mark("failed", "unread", "could not be read")
    session.commit()  # first: whatever the answer does, the mail is done with
    with contextlib.suppress(BadAddress):
        _refuse(at, addresses.read(row.recipient))


def work(session: Session, now: datetime, addresses: Addresses, number: int) -> None:
    """Work one mail; doing so again changes nothing. Its text is kept only as what somebody who plays here wrote."""
    row = session.scalar(select(Inbound).where(Inbound.id == number).with_for_update())
    if row is None or row.state != "new":
        return
    row.done_at = now
    _work(WorkedMail(session, now, row, incoming.NOTHING), addresses)
    writer = session.get(Player, row.player_id) if row.player_id is not None else None
    forgotten = writer is not None and writer.address is None
    if row.state == "ignored" or writer is None or forgotten:
        row.raw, row.sender = b"", ""  # nobody reads it again, and where its writer was forgotten nobody may
    if forgotten:
        row.note = ""


def _work(at: WorkedMail, addresses: Addresses) -> None:
    row = at.row
    try:
        address = addresses.read(row.recipient)
    except BadAddress as refusal:
        at.mark("ignored", "unread", str(refusal))
        return
    sender = None if row.sender == UNKNOWN else row.sender
    is_report_address = isinstance(address, BounceAddress)
    try:
        at.mail = incoming.read(
            row.raw, envelope_sender=sender, own_domain=addresses.domain, is_report_address=is_report_address
        )
    except incoming.Unreadable as refusal:
        _refuse(at, address)
        at.mark("ignored", "unread", str(refusal))
        return
    _sorted(at, address)


def _sorted(at: WorkedMail, address: Address) -> None:
    """Reports to the letters they are about, chatter aside, and what a person wrote to their seat or themselves."""
    if isinstance(address, BounceAddress):
        delivery_reports.note(at.session, at.now, at.mail, address.letter)
        at.mark("done", at.mail.nature)
    elif at.mail.nature != "personal":
        at.mark("ignored", at.mail.nature)
    elif isinstance(address, PlayerAddress):
        _person(at, address)
    elif isinstance(address, LessonAddress):
        lesson_mail.work(at, address)
    else:
        seat_mail.work(at, address)


def _refuse(at: WorkedMail, address: Address) -> None:
    """Answer a mail that is too big or too odd to be read, where somebody wrote it."""
    row = at.row
    if not (incoming.envelope(row.raw).sender if row.sender == UNKNOWN else row.sender):
        return
    if isinstance(address, SeatAddress):
        seat_mail.refuse(at, address)
    elif not isinstance(address, BounceAddress):
        _sorted(at, address)


def _person(at: WorkedMail, address: PlayerAddress) -> None:
    """A mail to a person's own address: whatever word it holds, the way to their games is the answer."""
    player = common.lock_player(at.session, address.player)
    if player is None or player.epoch != address.epoch or address.over:
        at.mark("ignored", "unread", "the address was renewed or is too old")
        return
    at.row.player_id = player.id
    at.row.state, at.row.kind = "done", "command" if seat_mail.answer_person(at, player) else "unread"
