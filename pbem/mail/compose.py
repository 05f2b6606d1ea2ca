"""A rendered letter becomes MIME: every header rule in one place. Pure: no clock, no database, no network.

The parts are put together by hand because it is several times faster than building a message object; nothing from
outside reaches a header unless it went through `_words` (RFC 2047) or a pattern that admits no line end.
"""

from __future__ import annotations

import base64
import binascii
import functools
import hashlib
import re
import textwrap
from collections.abc import Iterable, Iterator
from datetime import datetime
from email.header import Header
from email.utils import format_datetime

from pbem import __version__
from pbem.messages import clean
from pbem.structs import Value

SUBJECT_LIMIT = 150
"""Characters; longer subjects are cut with an ellipsis."""
_LINE = 76
_ADDRESS = re.compile(r"[A-Za-z0-9!#$%&'*+/=?^_`{|}~.-]{1,64}@[A-Za-z0-9.-]{1,253}")
_MESSAGE_ID = re.compile(r"<[\x21-\x3b\x3d\x3f-\x7e]{1,240}>")
_TOKEN = re.compile(r"[^A-Za-z0-9_.-]+")
_URL = re.compile(r"https?://[\x21-\x3b\x3d\x3f-\x7e]+")


class Rendered(Value):
    """A letter in words: the triple that the templates make."""

    subject: str
    text: str
    html: str


class Picture(Value):
    """A board picture that the HTML shows by `cid:`; one picture serves many letters."""

    cid: str
    png: bytes


class Envelope(Value, kw_only=True):
    """Who writes to whom, and where the letter belongs."""

    kind: str
    message_id: str
    """Minted with the outbox row, the same on every retry."""
    date: datetime
    sender: str
    sender_name: str
    to: str
    to_name: str
    reply_to: str
    game: str = ""
    """A key of the game, stable for its life; empty for a letter about none: letters of one game are one thread."""
    game_name: str = ""
    club: str = ""
    unsubscribe: str = ""
    """The one-click address (RFC 8058); empty for letters that can't be refused."""
    in_reply_to: str = ""
    """The Message-ID of the mail this letter answers; it makes the letter an automatic answer (RFC 3834)."""

    @property
    def domain(self) -> str:
        """Our own mail domain."""
        return self.sender.rpartition("@")[2]


def thread_root(game: str, domain: str) -> str:
    """Return the Message-ID that all letters of one game refer to, so that mail programs show them as one thread."""
    return f"<game-{_TOKEN.sub('-', game)}.thread@{domain}>"


def compose(letter: Rendered, envelope: Envelope, picture: Picture | None = None) -> bytes:
    """Return the whole mail, lines ended by CR LF, ready for SMTP; raises ValueError for what is no mail address."""
    boundary = f"=_{hashlib.blake2b(envelope.message_id.encode(), digest_size=12).hexdigest()}"
    alternative, related = f"{boundary}a", f"{boundary}r"
    head = "\r\n".join(
        [
            *_headers(letter, envelope),
            "MIME-Version: 1.0",
            f'Content-Type: multipart/alternative; boundary="{alternative}"',
        ]
    )
    html: Iterable[bytes] = (_text_part("html", letter.html),)
    if picture is not None:
        kind = f'Content-Type: multipart/related; boundary="{related}"; type="text/html"\r\n'
        html = (kind.encode(), *_multipart(related, html, (_picture_part(picture),)))
    text = (_text_part("plain", letter.text),)
    return b"".join((head.encode("ascii"), b"\r\n", *_multipart(alternative, text, html)))


def _headers(letter: Rendered, envelope: Envelope) -> list[str]:
    """Return every header of the letter but those of MIME, one line end nowhere but between them."""
    feedback = ":".join(
        _TOKEN.sub("-", part) or "none" for part in (envelope.game, envelope.club, envelope.kind, "pbem")
    )
    lines = [
        f"From: {_mailbox(envelope.sender_name, envelope.sender)}",
        f"To: {_mailbox(envelope.to_name, envelope.to)}",
        f"Subject: {_words(clean(letter.subject, SUBJECT_LIMIT), 'Subject')}",
        f"Date: {format_datetime(envelope.date)}",
        f"Message-ID: {_message_id(envelope.message_id)}",
        f"Reply-To: <{_address(envelope.reply_to)}>",
        f"Auto-Submitted: {'auto-replied' if envelope.in_reply_to else 'auto-generated'}",
        "X-Auto-Response-Suppress: OOF, AutoReply",
        f"X-Mailer: pbem {__version__}",
        f"Feedback-ID: {feedback}",
    ]
    return lines + _thread(envelope) + _list(envelope)


def _thread(envelope: Envelope) -> list[str]:
    """References to the game's root and to the mail that is answered."""
    root = [thread_root(envelope.game, envelope.domain)] if envelope.game else []
    answered = [envelope.in_reply_to] if _MESSAGE_ID.fullmatch(envelope.in_reply_to) else []
    if not root + answered:
        return []
    return [f"In-Reply-To: {(answered or root)[0]}", "References: " + "\r\n ".join(root + answered)]


def _list(envelope: Envelope) -> list[str]:
    """RFC 2919 and RFC 8058: which list the letter belongs to and how to leave it with one click."""
    name = _words(clean(envelope.game_name or envelope.game or envelope.sender_name), "List-Id", quoted=True)
    of = ("game", envelope.game) if envelope.game else ("club", envelope.club) if envelope.club else ("letters",)
    lines = [f"List-Id: {name} <{_TOKEN.sub('-', '-'.join(of))}.{envelope.domain}>"]
    if envelope.unsubscribe:
        if not _URL.fullmatch(envelope.unsubscribe):
            raise ValueError("The address to unsubscribe at is no web address.")
        lines += [
            f"List-Unsubscribe: <{envelope.unsubscribe}>",
            "List-Unsubscribe-Post: List-Unsubscribe=One-Click",
        ]
    return lines


def _mailbox(name: str, address: str) -> str:
    """`"Name" <address>`, the name in RFC 2047 words where it isn't ASCII."""
    name = clean(name)
    return f"{_words(name, 'Reply-To', quoted=True)} <{_address(address)}>" if name else f"<{_address(address)}>"


def _address(address: str) -> str:
    """`address` itself, if it can't break out of a header."""
    if not _ADDRESS.fullmatch(address) or ".." in address:
        # The address itself isn't repeated: the fault is logged.
        raise ValueError("What should be a mail address is no mail address.")
    return address


def _message_id(message_id: str) -> str:
    if not _MESSAGE_ID.fullmatch(message_id):
        raise ValueError("What should be a Message-ID is none.")
    return message_id


@functools.lru_cache(maxsize=1024)
def _words(text: str, header: str, *, quoted: bool = False) -> str:
    """One line of text as a header's value, folded: itself if it is ASCII, else encoded words."""
    if text.isascii() and "=?" not in text:
        plain = '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"' if quoted else text
        lines = textwrap.wrap(f"{header}: {plain}", _LINE, break_long_words=False, break_on_hyphens=False)
        if all(len(line) <= _LINE for line in lines):
            return "\r\n ".join(lines).removeprefix(f"{header}:").lstrip(" ")
    return Header(text, "utf-8", header_name=header, maxlinelen=_LINE).encode(linesep="\r\n")


def _multipart(boundary: str, *parts: Iterable[bytes]) -> Iterator[bytes]:
    """Yield the pieces of parts between boundaries, after an empty line that ends the headers."""
    mark = b"\r\n--" + boundary.encode()
    for part in parts:
        yield mark + b"\r\n"
        yield from part
    yield mark + b"--\r\n"


def _text_part(subtype: str, text: str) -> bytes:
    """One body in quoted-printable: readable in the raw mail, no line too long, no "From " at a line's start."""
    lines = b"\r\n".join((*text.encode().splitlines(), b""))
    body = binascii.b2a_qp(lines, istext=True).replace(b"\nFrom ", b"\n=46rom ")
    head = f"Content-Type: text/{subtype}; charset=utf-8\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n"
    return head.encode() + body


@functools.lru_cache(maxsize=64)
def _picture_part(picture: Picture) -> bytes:
    """Return the picture in base64, kept because the letters of one ply share it."""
    head = (
        "Content-Type: image/png\r\nContent-Transfer-Encoding: base64\r\n"
        f"Content-ID: <{_TOKEN.sub('-', picture.cid)}>\r\n"
        'Content-Disposition: inline; filename="board.png"\r\n\r\n'
    )
    return head.encode() + base64.encodebytes(picture.png).replace(b"\n", b"\r\n")
