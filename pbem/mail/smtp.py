"""The way out: ready mails over one kept connection, paced by domain; of each failure it says whether to try again."""

from __future__ import annotations

import contextlib
import smtplib
import time
from collections import OrderedDict
from collections.abc import Callable
from typing import Any, Protocol

from pbem.structs import Value

_IDLE = 60.0
"""Seconds after which a kept connection is not trusted any more."""
_LETTERS = 200
"""Letters over one connection; servers grow suspicious of more."""
_DONE, _FORWARDS, _GO_ON, _CLOSES = 250, 251, 354, 421
_LOG_IN = {530, 534, 535, 538}
"""What a server says who wants another login, or any."""
_DOMAINS = 1_000


class DeliveryError(Exception):
    """A letter did not go out; `permanent` says that trying again is useless."""

    def __init__(self, reason: str, *, permanent: bool, address_refused: bool = False) -> None:
        """Keep the server's answer, without the address, for the outbox row."""
        super().__init__(reason)
        self.permanent = permanent
        self.address_refused = address_refused
        """Whether the server refused this one recipient, not us or the letter."""


class OutgoingMail(Value):
    """A mail ready to go: the envelope and the whole of its bytes."""

    number: int
    """The outbox row."""
    return_path: str
    """Empty for the null sender."""
    to: str
    raw: bytes


class Transport(Protocol):
    """Whatever takes ready mails."""

    def send(self, post: OutgoingMail) -> None:
        """Hand one mail over; raises DeliveryError."""

    def close(self) -> None:
        """Let go of any connection."""


class Relay:
    """Sends over the connection of Flask-Mailman's SMTP back end and keeps it open between letters.

    Not through its messages: those know no null sender, and would put the mail together once more.
    """

    def __init__(self, backend: Any, clock: Callable[[], float] = time.monotonic) -> None:
        """Take an unopened back end."""
        self._backend = backend
        self._clock = clock
        self._used = 0.0
        self._sent = 0

    def send(self, post: OutgoingMail) -> None:
        """Hand one mail to the relay. Raises DeliveryError with what the server said."""
        if self._sent >= _LETTERS or self._clock() - self._used > _IDLE:
            self.close()
        try:
            self._open()
            _hand_over(self._backend.connection, post)
        except smtplib.SMTPRecipientsRefused as refusal:
            code, said = next(iter(refusal.recipients.values()))
            raise self._refused(code, said, at_recipient=True) from refusal
        except (smtplib.SMTPSenderRefused, smtplib.SMTPDataError) as refusal:
            raise self._refused(refusal.smtp_code, refusal.smtp_error, at_recipient=False) from refusal
        # also smtplib's own 500 for a reply beyond 8 KB, of 512 bytes at most by RFC 5321 4.5.3.1.5: no refusal of ours
        except (smtplib.SMTPException, OSError) as broken:
            self.close()
            raise DeliveryError(f"{type(broken).__name__}: the connection failed", permanent=False) from broken
        self._used = self._clock()
        self._sent += 1

    def _open(self) -> None:
        """Have a connection at which letters are taken. Raises DeliveryError, never for good: no letter was told of."""
        try:
            self._backend.open()
            self._backend.connection.ehlo_or_helo_if_needed()
        except smtplib.SMTPResponseException as refusal:
            self.close()
            raise DeliveryError(f"{refusal.smtp_code} at the beginning", permanent=False) from refusal

    def close(self) -> None:
        """Say goodbye; a connection that is already dead is forgotten."""
        self._sent = 0
        try:
            self._backend.close()
        except (smtplib.SMTPException, OSError):
            self._backend.connection = None

    def _refused(self, code: int, said: bytes | str, *, at_recipient: bool) -> DeliveryError:
        """Return a server's refusal: 5xx at the recipient or the letter is for good, everything else may pass."""
        if code == _CLOSES:
            self.close()
        elif self._backend.connection is not None:  # it answered, so it is open: the next letter begins anew
            with contextlib.suppress(smtplib.SMTPException, OSError):
                self._backend.connection.rset()
        # Words after the codes may repeat the address, which belongs in no log.
        text = said.decode("ascii", "replace") if isinstance(said, bytes) else said
        status = next((word for word in text.split()[:1] if word[:2] in {"4.", "5."}), "")
        about_login = code in _LOG_IN
        permanent = 500 <= code < 600 and not about_login  # noqa: PLR2004 - RFC 5321 4.2.1: 5yz is permanent
        return DeliveryError(
            f"{code} {status}".strip(),
            permanent=permanent,
            address_refused=permanent and at_recipient and not status.startswith(("5.2.2", "5.3", "5.4", "5.7")),
        )


def _hand_over(server: smtplib.SMTP, post: OutgoingMail) -> None:
    """Send one mail to one recipient; raises what `smtplib.sendmail` does.

    That one waits for each answer, looks for dots by a pattern that stops at every line of a letter of a thousand
    lines, and copies it twice: a sixth of what sending cost.
    """
    size = f" size={len(post.raw)}" if server.has_extn("size") else ""
    sender, recipient, data = _answers(
        server,
        f"mail FROM:{smtplib.quoteaddr(post.return_path)}{size}",
        f"rcpt TO:{smtplib.quoteaddr(post.to)}",
        "data",
    )
    is_taken = sender[0] == _DONE and recipient[0] in {_DONE, _FORWARDS}
    if data[0] == _GO_ON and not is_taken:
        server.docmd(".")  # RFC 2920 3.1: it waits for a letter that goes to nobody
    if sender[0] != _DONE:
        raise smtplib.SMTPSenderRefused(*sender, post.return_path)
    if not is_taken:
        raise smtplib.SMTPRecipientsRefused({post.to: recipient})
    if data[0] != _GO_ON:  # whatever it is: the letter wasn't taken
        raise smtplib.SMTPDataError(*data)
    server.send(post.raw.replace(b"\r\n.", b"\r\n..") + b".\r\n")
    code, said = server.getreply()
    if code != _DONE:
        raise smtplib.SMTPDataError(code, said)


def _answers(server: smtplib.SMTP, *commands: str) -> list[tuple[int, bytes]]:
    """Return what a server answers to each command; they are sent at once where it takes them so (RFC 2920)."""
    if not server.has_extn("pipelining"):
        return [server.docmd(command) for command in commands]
    server.send("".join(f"{command}\r\n" for command in commands))
    return [server.getreply() for _ in commands]


class Pace:
    """At most so many letters a minute to one domain, so that no receiver takes us for a flood."""

    def __init__(self, a_minute: int, clock: Callable[[], float] = time.monotonic) -> None:
        """Count from now on; 0 means no limit."""
        self._rate = a_minute / 60
        self._burst = max(1.0, a_minute / 6)
        self._clock = clock
        self._tokens: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def wait(self, address: str) -> float:
        """Seconds until a letter to `address` may leave; 0 takes its turn."""
        if not self._rate:
            return 0.0
        domain = address.rpartition("@")[2].lower()
        now = self._clock()
        left, since = self._tokens.pop(domain, (self._burst, now))
        left = min(self._burst, left + (now - since) * self._rate)
        waits = 0.0 if left >= 1 else (1 - left) / self._rate
        self._tokens[domain] = (left if waits else left - 1, now)
        if len(self._tokens) > _DOMAINS:
            self._tokens.popitem(last=False)
        return waits
