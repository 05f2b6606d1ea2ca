"""Letters leave the outbox, one at a time: claimed, still true?, written, handed over, settled.

Each step is committed by itself, so that no transaction is open while another server is waited for, and a letter that
can't be written stops nobody else's: it stays claimed, is tried again later, and in the end given up.
"""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

import msgspec
import structlog
from sqlalchemy.exc import SQLAlchemyError

from pbem.config import ConfigError
from pbem.letters import context as letters
from pbem.letters.context import questions_in
from pbem.letters.mail_context import MailContext
from pbem.letters.writer import compose_mail
from pbem.mail import outbox
from pbem.mail.address import Addresses
from pbem.mail.maildir import Maildir
from pbem.mail.smtp import DeliveryError, OutgoingMail, Pace, Relay, Transport
from pbem.play.deadlines import delivery_clock
from pbem.store import unit_of_work
from pbem.store.models import Inbound, Letter

if TYPE_CHECKING:
    from datetime import datetime
    from pathlib import Path
    from typing import Any

    from sqlalchemy.orm import Session

    from pbem.capabilities.tokens import Tokens
    from pbem.config import Config
    from pbem.mail.dkim import Signer

log = structlog.get_logger()

AT_ONCE = 20
"""Letters claimed in one transaction."""
A_MINUTE = 300
"""Letters a minute to one domain, at most."""


class DeliveryWorker(msgspec.Struct, frozen=True):
    """Delivers letters of the outbox one by one; its name marks what it has claimed."""

    name: str
    house: MailContext
    transport: Transport
    pace: Pace
    bag: list[outbox.Claim] = []
    """Letters claimed and not yet handed over, the next one last."""
    told: list[str] = []
    """What the relay answered last, if it took no letter since: it is logged once, not for each letter that waits."""

    def deliver_one(self, session: Session, now: datetime) -> bool:
        """Deliver the letter that is due first; False if there is none. Commits as it goes.

        One that can't be written is tried again later like one that the relay doesn't take, and stops no other.
        """
        if not self.bag:
            self.bag.extend(reversed(outbox.claim(session, now, AT_ONCE, self.name)))
            session.commit()
        if not self.bag:
            return False
        claimed = self.bag.pop()
        if claimed.is_fresh(now):
            try:
                self._deliver(session, now, claimed)
            except SQLAlchemyError:
                raise
            except Exception as fault:  # noqa: BLE001 - whatever a game's rules or its drawing raise
                session.rollback()
                self._put_back(session, now, claimed, f"could not be written: {type(fault).__name__}", fault)
                session.commit()
        else:
            # The ones before it took so long that another sender may have claimed it.
            outbox.postpone(session, claimed, now)
            session.commit()
        return True

    def release(self, session: Session, now: datetime) -> None:
        """Give back what is claimed and not sent, and have a worker go on with it and with what else is due."""
        while self.bag:
            outbox.postpone(session, self.bag.pop(), now)
        unit_of_work.made_due(session, unit_of_work.Work.LETTERS)
        session.commit()

    def _deliver(self, session: Session, now: datetime, claimed: outbox.Claim) -> None:
        letter = session.get_one(Letter, claimed.number)
        context = letters.context(session, now, letter)
        if context is None:
            outbox.settle(session, now, claimed, "dropped")
            session.commit()
            return
        answered = session.get(Inbound, letter.mail_id) if letter.mail_id else None
        answers = answered.message_id if answered else ""
        held = letters.held(context, now) if self.house.hold else None
        session.commit()
        if held:
            outbox.postpone(session, claimed, held)
            session.commit()
            return
        wait = self.pace.wait(context.to.address)
        if wait:
            outbox.postpone(session, claimed, now + timedelta(seconds=wait))
        else:
            self._send(session, now, claimed, compose_mail(context, self.house, now, answers))
        session.commit()

    def _send(self, session: Session, now: datetime, claimed: outbox.Claim, post: OutgoingMail) -> None:
        """Hand a letter to the transport and settle its row."""
        try:
            self.transport.send(post)
        except DeliveryError as refusal:
            self._refused(session, now, claimed, refusal)
            return
        self.told.clear()
        if outbox.settle(session, now, claimed, "sent"):
            for question in questions_in(session, session.get_one(Letter, claimed.number)):
                delivery_clock.accepted(session, now, question)

    def _refused(self, session: Session, now: datetime, claimed: outbox.Claim, refusal: DeliveryError) -> None:
        said = str(refusal)
        if not refusal.permanent:
            self._put_back(session, now, claimed, said)
            return
        log.warning("a letter was refused for good", letter=claimed.number, fault=said)
        outbox.settle(session, now, claimed, "failed", said)
        letter = session.get_one(Letter, claimed.number)
        if refusal.address_refused and letter.player_id is not None and letter.address is None:
            delivery_clock.bounced(session, now, letter.player_id)

    def _put_back(
        self, session: Session, now: datetime, claimed: outbox.Claim, said: str, trace: Exception | None = None
    ) -> None:
        if said not in self.told:
            log.warning("no letter can leave now; it is tried again", letter=claimed.number, fault=said, exc_info=trace)
        self.told[:] = [said]
        outbox.put_back(session, now, claimed, said)


class ToMaildir:
    """A transport for servers without a relay: each letter becomes a file of the local mailbox."""

    def __init__(self, folder: Path) -> None:
        """Keep the letters in `folder`."""
        self._shelf = Maildir(folder)

    def send(self, post: OutgoingMail) -> None:
        """Keep one mail; the same letter again replaces it. Raises DeliveryError where the disk takes none now."""
        try:
            self._shelf.put(post.number, post.raw)
        except OSError as fault:
            raise DeliveryError(f"the mailbox can't be written ({fault.strerror})", permanent=False) from fault

    def close(self) -> None:
        """Nothing is held open."""


def addresses_of(settings: Config) -> Addresses:
    """Return the reply addresses of this server."""
    return Addresses(settings.secret_keys, settings.mail_domain, settings.mail_prefix)


def mail_context(settings: Config, tokens: Tokens) -> MailContext:
    """Return what all letters of this server have in common: addresses, base URL, signing keys."""
    return MailContext(
        addresses=addresses_of(settings),
        tokens=tokens,
        base_url=settings.base_url,
        name=settings.mail_name,
        signer=signer_of(settings),
        hold=settings.hold_letters,
    )


def signer_of(settings: Config) -> Signer | None:
    """Return the DKIM signer; None without a key. Loaded here only, as it takes 8 MB. Raises ConfigError."""
    if not settings.dkim_key:
        return None
    from pbem.mail.dkim import Signer  # noqa: PLC0415 - as said

    try:
        return Signer(settings.dkim_key, settings.dkim_selector, settings.mail_domain)
    except (OSError, ValueError) as fault:
        raise ConfigError(
            f"DKIM_KEY is {settings.dkim_key}, which can't sign: write an RSA key in PEM form there, without a "
            "password, or give the file of an Ed25519 key a name that ends in .ed25519."
        ) from fault


def delivery_worker(name: str, settings: Config, tokens: Tokens, backend: Any) -> DeliveryWorker:
    """Return a sender through Flask-Mailman's `backend`, or into the local mailbox where no relay is set."""
    transport: Transport = Relay(backend) if settings.smtp_url else ToMaildir(settings.pbem_home / "mailbox")
    return DeliveryWorker(name, mail_context(settings, tokens), transport, Pace(A_MINUTE if settings.smtp_url else 0))
