"""The mailbox door: fetches new mail from a hosted mailbox that keeps our reply addresses together."""

from __future__ import annotations

import imaplib
import threading
import time
from collections.abc import Callable
from urllib.parse import SplitResult, unquote, urlsplit

import structlog
from imap_tools import AND, BaseMailBox, MailBox, MailboxLoginError, MailBoxStartTls, MailBoxUnencrypted
from imap_tools.errors import ImapToolsError

from pbem.mail import incoming
from pbem.mail.address import Addresses, BadAddress
from pbem.mail.verified import certified

_SECONDS = 30
"""How long the mailbox may be silent."""
REST = 30.0
"""Seconds in which a mailbox that could not be read is left alone: a visit to a silent one holds a worker as long."""
_AT_ONCE = 100
"""Mails of one visit; the others are fetched by the next."""


log = structlog.get_logger()
FAULTS = (ImapToolsError, imaplib.IMAP4.error, OSError)
"""What a mailbox that can't be read raises."""


class MailboxClosed(Exception):
    """The mailbox can't be read at the moment; the sentence names neither user nor password."""


def fetch(url: str, addresses: Addresses, keep: Callable[[str, str, bytes], bool]) -> int:
    """Fetch unseen mail; how many were kept. A mail is marked as seen only once it is kept.

    Nothing of a mail but its head is looked at here, and of a longer one than we read only the beginning is fetched.
    `url` is `imap[s]://user:password@host:port/FOLDER`. Raises MailboxClosed.
    """
    parts = urlsplit(url)
    try:
        with logged_in(parts) as box:
            return sum(_take(box, uid, addresses, keep) for uid in box.uids(AND(seen=False))[:_AT_ONCE])
    except FAULTS as fault:
        reason = "wrong user or password" if isinstance(fault, MailboxLoginError) else type(fault).__name__
        raise MailboxClosed(f"The mailbox at {parts.hostname} can't be read: {reason}.") from None


class Visits:
    """The visits one process pays to its mailbox: one at a time, none for a while after one that failed."""

    def __init__(self) -> None:
        """Pay the first one at once."""
        self._paying = threading.Lock()
        self._resting_until = 0.0
        self._said = ""

    def pay(self, url: str, addresses: Addresses, keep: Callable[[str, str, bytes], bool]) -> None:
        """Fetch as `fetch` does, unless it is too early; the log has each failure once, while it stays the same."""
        if time.monotonic() < self._resting_until or not self._paying.acquire(blocking=False):
            return
        try:
            fetch(url, addresses, keep)
            self._said = ""
        except MailboxClosed as fault:
            self._resting_until = time.monotonic() + REST
            if str(fault) != self._said:
                log.warning("no mail can be fetched now; it is tried again", fault=str(fault))
            self._said = str(fault)
        finally:
            self._paying.release()


def logged_in(url: SplitResult, patience: float = _SECONDS) -> BaseMailBox:
    """Return the mailbox, open, which may be silent for `patience` seconds. Raises one of `FAULTS`, closed again."""
    box, folder = _open(url, patience), unquote(url.path.strip("/")) or "INBOX"
    try:
        return box.login(unquote(url.username or ""), unquote(url.password or ""), folder)
    except FAULTS:
        box.client.shutdown()
        raise


def _open(url: SplitResult, patience: float) -> BaseMailBox:
    """Return a connection as the address asks: TLS from the start, or STARTTLS, or bare on this machine only."""
    host = url.hostname or ""
    if url.scheme == "imaps":
        return MailBox(host, url.port or 993, timeout=patience, ssl_context=certified())
    if host in {"127.0.0.1", "localhost", "::1"}:
        return MailBoxUnencrypted(host, url.port or 143, timeout=patience)
    return MailBoxStartTls(host, url.port or 143, timeout=patience, ssl_context=certified())


def _take(box: BaseMailBox, uid: str, addresses: Addresses, keep: Callable[[str, str, bytes], bool]) -> int:
    """Keep one mail for each of our addresses in its headers; what is none of ours is passed over."""
    status, found = box.client.uid("fetch", uid, f"(BODY.PEEK[]<0.{incoming.MAX_MAIL}>)")
    if status != "OK" or found == [None]:
        return 0  # somebody else took it out
    raw = next((bytes(item[1]) for item in found if isinstance(item, tuple)), b"")
    envelope = incoming.envelope(raw)
    ours = _ours(envelope.recipients, addresses)
    if not all([keep(envelope.sender, one, raw) for one in ours]):  # noqa: C419 - each of them
        return 0
    box.flag(uid, r"\Seen", value=True)
    return len(ours)


def _ours(recipients: tuple[str, ...], addresses: Addresses) -> list[str]:
    """Return those of a mail's recipients that are ours, each once, as many as our own door takes."""
    found: dict[str, None] = {}
    for address in recipients:
        try:
            addresses.read(address)
        except BadAddress:
            continue
        found[address] = None
    return list(found)[: incoming.MAX_RECIPIENTS]
