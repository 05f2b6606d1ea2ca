"""The mail door: takes mail for our reply addresses by SMTP or LMTP, keeps it raw, and rings.

It refuses early what it can refuse simply (no address of ours, too big); what a mail means is decided later.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from typing import Any

import structlog
from aiosmtpd.controller import Controller
from aiosmtpd.lmtp import LMTP
from aiosmtpd.smtp import SMTP, Envelope, Session
from flask import Flask
from sqlalchemy.exc import SQLAlchemyError

from pbem import clock
from pbem.extensions import db, settings
from pbem.inbound import receive
from pbem.letters import delivery
from pbem.logs import first_line
from pbem.mail.address import Addresses, BadAddress
from pbem.mail.incoming import MAX_MAIL, MAX_RECIPIENTS
from pbem.store import outages

log = structlog.get_logger()
_LINE = 65_536
"""Bytes of one line: longer than RFC 5321 allows, because mail programs don't fold as they should."""
_CONNECTIONS = 100
"""Connections at once; a mail server that is put off comes again."""
_IDLE = 60.0
"""Seconds that a connection may say nothing."""
BUSY = "421 4.7.0 Too many connections, please try again later"
TAKEN = "250 2.0.0 Kept, it is read at once"
UNKNOWN = "550 5.1.1 No such address here. Please answer the newest letter of your game"
MANY = "452 4.5.3 Too many recipients"
LATER = "451 4.3.0 It can't be kept now, please try again"


class MailHandler:
    """What aiosmtpd asks for every recipient and every mail."""

    def __init__(self, addresses: Addresses, keep: Callable[[str, str, bytes], bool]) -> None:
        """Take our addresses, and what keeps one mail: `keep(sender, recipient, raw)`, False where it can't be kept."""
        self._addresses = addresses
        self._keep = keep

    async def handle_RCPT(  # noqa: N802 - aiosmtpd calls it so
        self, _server: SMTP, _session: Session, envelope: Envelope, address: str, _options: list[str]
    ) -> str:
        """Refuse recipients that are none of ours."""
        if len(envelope.rcpt_tos) >= MAX_RECIPIENTS:
            return MANY
        try:
            self._addresses.read(address)
        except BadAddress:
            return UNKNOWN
        envelope.rcpt_tos.append(address)
        return "250 2.1.5 OK"

    async def handle_DATA(self, server: SMTP, _session: Session, envelope: Envelope) -> str:  # noqa: N802 - as above
        """Keep the mail for each recipient; LMTP wants an answer for each of them (RFC 2033 4.2)."""
        sender, raw = envelope.mail_from or "", bytes(envelope.original_content or b"")
        loop = asyncio.get_running_loop()
        answers = [
            TAKEN if await loop.run_in_executor(None, self._keep, sender, recipient, raw) else LATER
            for recipient in envelope.rcpt_tos
        ]
        if isinstance(server, LMTP):
            return "\r\n".join(answers)
        return TAKEN if set(answers) == {TAKEN} else LATER

    async def handle_exception(self, fault: Exception) -> str:
        """Put off what we can't deal with: aiosmtpd would refuse it for good, and tell the sender why."""
        log.error("a mail could not be kept", exc_info=fault)
        return LATER


class _LimitedConnection(SMTP):
    """One connection of so many; one too many is told so and closed."""

    line_length_limit = _LINE

    def __init__(self, handler: MailHandler, *, open_ones: set[_LimitedConnection], **limits: Any) -> None:
        self._open = open_ones
        super().__init__(handler, **limits)

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        if len(self._open) < _CONNECTIONS:
            self._open.add(self)
            super().connection_made(transport)
        elif isinstance(transport, asyncio.WriteTransport):
            transport.write(f"{BUSY}\r\n".encode())
            transport.close()  # nothing is read of what is closed

    def connection_lost(self, error: Exception | None) -> None:
        if self in self._open:
            self._open.remove(self)
            super().connection_lost(error)


class _Lmtp(_LimitedConnection, LMTP):
    pass


class _Controller(Controller):
    """aiosmtpd's thread with our limits and the protocol asked for."""

    def __init__(self, handler: MailHandler, protocol: type[_LimitedConnection], host: str, port: int) -> None:
        self._protocol, self._open = protocol, set[_LimitedConnection]()
        super().__init__(handler, hostname=host, port=port)

    def factory(self) -> SMTP:
        """One server for one connection."""
        return self._protocol(
            self.handler,
            open_ones=self._open,
            data_size_limit=MAX_MAIL,
            ident="pbem",
            timeout=_IDLE,
            hostname="pbem",
        )


def keeper(app: Flask) -> Callable[[str, str, bytes], bool]:
    """Return what stores a mail in the app's database, each in a transaction of its own."""
    known = outages.of(app)

    def keep(sender: str, recipient: str, raw: bytes) -> bool:
        with app.app_context():
            try:
                receive.receive(db.session(), raw, recipient, clock.now(), sender=sender, source="smtp")
                db.session.commit()
            except SQLAlchemyError as fault:
                if not known.met(fault, "receiving mail"):
                    log.warning("a mail could not be kept", fault=f"{type(fault).__name__}: {first_line(fault)}")
                return False
            return True

    return keep


def listen(app: Flask, host: str, port: int, *, lmtp: bool) -> Any:
    """Start listening in a thread; the controller's `stop()` ends it. Raises OSError if the port is taken."""
    # aiosmtpd notes every sender and recipient; ours are credentials, which belong in no log.
    logging.getLogger("mail.log").setLevel(logging.ERROR)
    with app.app_context():
        addresses = delivery.addresses_of(settings())
    controller = _Controller(MailHandler(addresses, keeper(app)), _Lmtp if lmtp else _LimitedConnection, host, port)
    try:
        controller.start()
    except OSError:
        controller.loop.close()  # aiosmtpd leaves it open
        raise
    return controller
