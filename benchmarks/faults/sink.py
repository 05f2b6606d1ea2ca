"""A mail server with bad manners, on request: it loses its answer, is slow, refuses, or is down."""

from __future__ import annotations

import asyncio
import random
from collections import Counter
from contextlib import contextmanager
from email import message_from_bytes, policy
from typing import TYPE_CHECKING, Any

from aiosmtpd.controller import Controller

from tests.mail_servers import Mail
from tests.servers import LOOPBACK, free_port

if TYPE_CHECKING:
    from collections.abc import Iterator

    from aiosmtpd.smtp import SMTP, Envelope, Session


class Sink:
    """Keeps every mail it took; how it behaves is set by the fields."""

    def __init__(self, host: str = LOOPBACK) -> None:
        """Begin with good manners."""
        self.host, self.port = host, free_port()
        self._chance = random.Random(1)
        self._controller: Any = None
        self.behave()

    def behave(self) -> None:
        """Forget every mail, and have good manners."""
        self.mails: list[Mail] = []
        self.lose = 0.0
        """The part of the mails that are taken, but the connection is cut before the answer."""
        self.slow = 0.0
        """Seconds before each answer to DATA."""
        self.refusal = ""
        """The answer to every DATA, while it isn't empty."""
        self.refused: dict[str, str] = {}
        """The answer to RCPT, by address."""
        self.lost = 0
        self.tries: Counter[str] = Counter()
        """How often each recipient was named to us."""

    async def handle_RCPT(  # noqa: N802 - aiosmtpd's hook
        self, _server: SMTP, _session: Session, envelope: Envelope, address: str, _options: list[str]
    ) -> str:
        """Refuse the recipients that are to be refused."""
        self.tries[address] += 1
        if address in self.refused:
            return self.refused[address]
        envelope.rcpt_tos.append(address)
        return "250 ok"

    async def handle_DATA(self, server: SMTP, _session: Session, envelope: Envelope) -> str:  # noqa: N802 - aiosmtpd's hook
        """Keep one mail, or not."""
        if self.slow:
            await asyncio.sleep(self.slow)
        if self.refusal:
            return self.refusal
        content = envelope.content
        assert isinstance(content, bytes)
        self.mails.append(Mail(envelope.mail_from or "", tuple(envelope.rcpt_tos), content))
        if self._chance.random() < self.lose:
            self.lost += 1
            transport: Any = server.transport
            transport.abort()
        return "250 kept"

    def copies(self) -> Counter[str]:
        """How many copies came of each Message-ID."""
        return Counter(message_id(mail.raw) for mail in list(self.mails))

    def up(self) -> None:
        """Listen, if it doesn't already."""
        if self._controller is not None:
            return
        self._controller = Controller(self, hostname=self.host, port=self.port, data_size_limit=64 << 20)
        self._controller.start()

    def down(self) -> None:
        """Listen no more."""
        if self._controller is not None:
            self._controller.stop()
            self._controller = None


def message_id(raw: bytes) -> str:
    """The Message-ID of a mail, without the brackets."""
    head = message_from_bytes(raw.partition(b"\r\n\r\n")[0], policy=policy.compat32)
    return str(head["Message-ID"]).strip("<> \r\n")


@contextmanager
def sink(host: str = LOOPBACK) -> Iterator[Sink]:
    """A sink that listens until the end."""
    made = Sink(host)
    made.up()
    try:
        yield made
    finally:
        made.down()
