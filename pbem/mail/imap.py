"""The mailbox door: fetches new mail from a hosted mailbox that keeps our reply addresses together."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from email.utils import getaddresses
from typing import cast
from urllib.parse import unquote, urlsplit

from imap_tools import AND, BaseMailBox, MailBox, MailboxLoginError, MailBoxStartTls, MailBoxUnencrypted, MailMessage
from imap_tools.errors import ImapToolsError

from pbem.mail.address import Addresses, BadAddress
from pbem.mail.incoming import MAX_MAIL

_SECONDS = 30
_AT_ONCE = 100
_RECIPIENTS = ("delivered-to", "x-original-to", "envelope-to", "to", "cc")


class MailboxClosed(Exception):
    """The mailbox can't be read at the moment; the sentence names neither user nor password."""


def fetch(url: str, addresses: Addresses, keep: Callable[[str, str, bytes], bool]) -> int:
    """Fetch unseen mail; how many were kept. A mail is marked as seen only once it is kept.

    `url` is `imap[s]://user:password@host:port/FOLDER`. Raises MailboxClosed.
    """
    parts = urlsplit(url)
    try:
        with _open(url).login(unquote(parts.username or ""), unquote(parts.password or ""), _folder(url)) as box:
            return sum(_take(box, message, addresses, keep) for message in _unseen(box))
    except (ImapToolsError, OSError) as fault:
        reason = "wrong user or password" if isinstance(fault, MailboxLoginError) else type(fault).__name__
        raise MailboxClosed(f"The mailbox at {parts.hostname} can't be read: {reason}.") from None


def _folder(url: str) -> str:
    return unquote(urlsplit(url).path.strip("/")) or "INBOX"


def _open(url: str) -> BaseMailBox:
    """A connection as the address asks: TLS from the start, or STARTTLS, or bare on this machine only."""
    parts = urlsplit(url)
    host = parts.hostname or ""
    if parts.scheme == "imaps":
        return MailBox(host, parts.port or 993, timeout=_SECONDS)
    if host in {"127.0.0.1", "localhost", "::1"}:
        return MailBoxUnencrypted(host, parts.port or 143, timeout=_SECONDS)
    return MailBoxStartTls(host, parts.port or 143, timeout=_SECONDS)


def _unseen(box: BaseMailBox) -> Iterator[MailMessage]:
    return box.fetch(AND(seen=False), mark_seen=False, limit=_AT_ONCE, bulk=False)


def _take(box: BaseMailBox, message: MailMessage, addresses: Addresses, keep: Callable[[str, str, bytes], bool]) -> int:
    """Keep one mail for each of our addresses in its headers; what is none of ours is passed over."""
    raw = message.obj.as_bytes()
    ours = _ours(message, addresses)
    if len(raw) <= MAX_MAIL and not all([keep(_sender(message), one, raw) for one in ours]):  # noqa: C419 - each of them
        return 0
    if message.uid is not None:
        box.flag(message.uid, r"\Seen", value=True)
    return len(ours)


def _sender(message: MailMessage) -> str:
    """The envelope's sender where the mailbox wrote it down; the From address otherwise."""
    paths = _headers(message).get("return-path", ())
    return paths[0].strip("<> ") if paths else message.from_


def _headers(message: MailMessage) -> Mapping[str, tuple[str, ...]]:
    """All headers by lower-case name."""
    return cast("Mapping[str, tuple[str, ...]]", message.headers)


def _ours(message: MailMessage, addresses: Addresses) -> list[str]:
    found: dict[str, None] = {}
    for name in _RECIPIENTS:
        for _, address in getaddresses(list(_headers(message).get(name, ()))):
            try:
                addresses.read(address)
            except BadAddress:
                continue
            found[address.lower()] = None
    return list(found)
