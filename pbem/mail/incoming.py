"""Raw mail becomes a safe, small value: who, what, and whether a person wrote it. Pure, and never raises on odd MIME.

What is too big, too deep or has too many parts is refused by counting bytes before anything is parsed. A mail that
came by machine is told by its headers (RFC 3834, RFC 3464, RFC 5965); the few that carry no such sign fail later on,
because no line of theirs reads as an order.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from email import message_from_bytes, policy
from email.errors import HeaderParseError
from email.header import decode_header, make_header
from email.message import Message
from email.parser import BytesHeaderParser
from email.utils import getaddresses
from typing import Literal

from pbem.mail import automatic_patterns
from pbem.mail.html import read as read_html
from pbem.structs import Value

MAX_MAIL = 10_000_000
"""Bytes of a whole mail, attachments and all."""
MAX_RECIPIENTS = 10
"""Recipients of ours in one mail; a player answers one."""
_READ = 1_000_000
"""Only the first bytes are parsed: a text stands before its attachments."""
_HEAD = 64_000
"""Bytes within which the headers must end."""
_MAX_TEXT = 200_000
_HEADER = 2_000
"""Characters of a header that are decoded."""
_PARAMETERS = 2_000
"""Characters of a Content-Type; a longer one is none."""
_ENCODED = re.compile(rb"(?m:^)(?:[A-Za-z0-9+/]{60,76}+={0,2}\r?\n)++")
"""Lines in base64, all that follow each other: a run is looked at once, whether it is left out or not."""
_ATTACHED = 2_000
"""Lines in base64 that are an attachment: left out before anything is read, so that the text below it is found."""
_MAX_BOUNDARIES = 30
_MAX_MARKS = 2_000
_MAX_NESTED = 10
_MAX_HEADERS = 1_000
_RECIPIENTS = ("delivered-to", "x-original-to", "envelope-to", "to", "cc")
"""Headers in which mailboxes and senders write down whom a mail is to, those of mailboxes first."""

Nature = Literal["personal", "automatic", "bounce", "complaint", "own"]
_REPLY = re.compile(r"\s*(re|aw|antw|sv|vs|r|rif|rép|tr|wg|fwd?)\s?(\[\d{1,3}\])?:", re.IGNORECASE)
_STATUS = re.compile(r"(?im)^status:\s?([245]\.\d{1,3}\.\d{1,3})")
_ENHANCED = re.compile(r"(?<![\d.])([45]\.\d{1,3}\.\d{1,3})(?![\d.])")
_CODE = re.compile(r"(?<![\d.:])([45])[0-7]\d[ -](?=[\w#<(])")
_SAYS = 5_000
"""Characters in which a report says what it is about, before it quotes."""
_WORDS = frozenset({"text", "multipart"})
"""Kinds of parts that hold words: one called multipart that can't be taken apart is text."""
_DIAGNOSTIC = re.compile(r"(?im)^diagnostic-code:((?:.|\n[ \t]){0,1000}+)")
"""What the other server answered, in RFC 3464's own field."""
_RETURNED = re.compile(
    r"(?im)^[^\w\n]{0,40}(?:this is a copy of|below this line|the headers? of the original|message headers? follow"
    r"|(?:original|unsent|returned) (?:message|mail)[^\w\n]{1,40}$|(?:original|unsent) (?:message|mail) follows"
    r"|received:|return-path:)"
)
"""Where a report in no known form begins to show the letter that came back."""
_BAD_HEADER = (HeaderParseError, LookupError, UnicodeError, ValueError)


class Unreadable(ValueError):
    """The mail is too big, too deep, or has too many parts: its sender gets this sentence."""


class Bounce(Value):
    """What a non-delivery report or a complaint says about one of our letters."""

    permanent: bool
    """Whether trying again is useless (5.x.x, but not a full mailbox)."""
    status: str = ""
    """The enhanced status code, RFC 3463: 5.1.1."""
    message_id: str = ""
    """Of the letter that came back, if the report says it."""


class RecordedEnvelope(Value):
    """Who sent a mail and to whom, as a mailbox wrote it into the head of the mail."""

    sender: str
    """Of its Return-Path, empty for the null sender; of its From without one."""
    recipients: tuple[str, ...]
    """Lower-case, as they stand there."""


class Mail(Value, kw_only=True):
    """A mail as far as we read it."""

    nature: Nature
    message_id: str
    sender: str
    """The From address: a hint, never proof."""
    subject: str
    text: str
    """The text part, or the HTML part as text, quotes marked by `>`."""
    attached: bool = False
    """Whether it carries a file, a picture or a voice."""
    references: tuple[str, ...] = ()
    bounce: Bounce | None = None


NOTHING = Mail(nature="personal", message_id="", sender="", subject="", text="")
"""What is known of a mail that can't be read."""


def read(
    raw: bytes, *, envelope_sender: str | None = None, own_domain: str = "", is_report_address: bool = False
) -> Mail:
    """Read one mail. `envelope_sender` is the SMTP MAIL FROM where the door knows it ("" for the null sender).

    `is_report_address`: it came to the bounce address of one of our letters, where other servers write, and people's
    answering machines. Raises Unreadable for what is beyond our limits; whatever else is wrong is read around.
    """
    _refuse_hostile(raw)
    kept = _ENCODED.sub(lambda run: b"" if run[0].count(b"\n") >= _ATTACHED else run[0], raw)
    message = message_from_bytes(kept[:_READ], policy=policy.compat32)
    for part in _parts(message):
        if len(str(part.get("Content-Type", ""))) > _PARAMETERS:
            part.replace_header("Content-Type", "text/plain")
    nature = _nature(message, envelope_sender, own_domain)
    if is_report_address and nature in {"personal", "automatic"} and _reports_failure(message):
        nature = "bounce"
    return Mail(
        nature=nature,
        message_id=message_id(raw),
        sender=_from(message),
        subject=header(message, "Subject")[:500],
        text=_text(message)[:_MAX_TEXT],
        attached=any(map(_is_file, _parts(message))),
        references=tuple(re.findall(r"<[^<>\s]+>", _raw(message, "In-Reply-To") + _raw(message, "References"))),
        bounce=_bounce(message, complaint=nature == "complaint") if nature in {"bounce", "complaint"} else None,
    )


def head(raw: bytes, name: str) -> str:
    """One header of a raw mail, without reading the rest of it."""
    return header(_head_of(raw), name)


def envelope(raw: bytes) -> RecordedEnvelope:
    """Return the envelope of a mail that lay in a mailbox, without reading more than its head."""
    message = _head_of(raw)
    path = next(_all_of(message, "Return-Path"), None)
    named = (_one_line(value) for name in _RECIPIENTS for value in _all_of(message, name))
    return RecordedEnvelope(
        sender=_from(message) if path is None else _one_line(path).strip("<> "),
        recipients=tuple(address for text in named for address in _addresses(text)),
    )


def _head_of(raw: bytes) -> Message:
    return BytesHeaderParser(policy=policy.compat32).parsebytes(raw[:_HEAD])


def message_id(raw: bytes) -> str:
    """Return the Message-ID, or one made from the mail's bytes, so that the same mail has the same one again."""
    match = re.search(r"<[\x21-\x3b\x3d\x3f-\x7e]{1,240}>", head(raw, "Message-ID"))
    return match[0] if match else f"<{hashlib.sha256(raw).hexdigest()}@no-id>"


def header(message: Message, name: str) -> str:
    """Return a header in one line of text, whatever bytes it is made of; empty if there is none."""
    return _one_line(_raw(message, name))


def _one_line(value: str) -> str:
    """Return a header's value in one line, its encoded words read."""
    text = value[:_HEADER]
    try:
        return " ".join(str(make_header(decode_header(text))).split())
    except _BAD_HEADER:
        return " ".join(text.split())


def _raw(message: Message, name: str) -> str:
    """Return a header as it came, its encoded words and line ends left alone; empty if there is none."""
    return next(_all_of(message, name), "")


def _all_of(message: Message, name: str) -> Iterator[str]:
    """Yield every header of that name, as it came."""
    for key, value in message.raw_items():
        if key.lower() == name.lower():
            yield str(value).encode("utf-8", "surrogateescape").decode("utf-8", "replace")


def _refuse_hostile(raw: bytes) -> None:
    """Count before parsing: the parser itself would need minutes, or recurse too deep."""
    if len(raw) > MAX_MAIL:
        raise Unreadable(f"The mail has {len(raw)} bytes; at most {MAX_MAIL} are read. Please send the text alone.")
    head = raw[:_READ].lower()
    if (
        len(re.findall(rb"boundary\s*=", head)) > _MAX_BOUNDARIES
        or len(re.findall(rb"content-type:\s*message/", head)) > _MAX_NESTED
        or len(re.findall(rb"(?:^|[\r\n])--", head)) > _MAX_MARKS
        or len(re.findall(rb"[\r\n][!-9;-~]+:", re.split(rb"\r\n\r\n|\n\n|\r\r", head, maxsplit=1)[0])) > _MAX_HEADERS
    ):
        raise Unreadable("The mail has too many parts to be read. Please send the text alone.")


def _addresses(text: str) -> list[str]:
    """Return all addresses in the text of a header, lower-case."""
    try:
        return [address.lower() for _, address in getaddresses([text]) if address]
    except RecursionError:  # the library calls itself for each bracket and colon
        return []


def _from(message: Message) -> str:
    """Return the address a mail says it is from; empty without one."""
    return next(iter(_addresses(header(message, "From"))), "")


def _nature(message: Message, envelope_sender: str | None, own_domain: str) -> Nature:
    """Return who or what wrote the mail, by its headers alone."""
    kinds, subject = {part.get_content_type() for part in _parts(message)}, _foreign_subject(message)
    report = str(message.get_param("report-type") or "").lower() if message.is_multipart() else ""
    if "message/feedback-report" in kinds or report == "feedback-report" or automatic_patterns.is_complaint(subject):
        return "complaint"
    if own_domain and _is_own(message, own_domain):
        return "own"
    if "message/delivery-status" in kinds or report == "delivery-status":
        return "bounce"
    sender = _from(message)
    null_sender = envelope_sender == "" or header(message, "Return-Path") == "<>"
    if automatic_patterns.is_bounce(sender, subject, null_sender=null_sender) or message.get("X-Failed-Recipients"):
        return "bounce"
    names = {name.lower(): header(message, name) for name in message.keys()}  # noqa: SIM118 - a Message is no dict
    names["subject"] = subject
    notifies = report == "disposition-notification" or any(map(_answers_invitation, _parts(message)))
    if null_sender or notifies or automatic_patterns.is_automatic(names, sender):
        return "automatic"
    return "personal"


def _answers_invitation(part: Message) -> bool:
    """Return whether a part is what a calendar says of an invitation (RFC 5546): accepted, declined, another time."""
    method = str(part.get_param("method") or "").lower() if part.get_content_type() == "text/calendar" else ""
    return method in {"reply", "counter", "refresh", "declinecounter"}


def _foreign_subject(message: Message) -> str:
    """The subject without our own, which follows the game's name in brackets: a game may be called "Vacation"."""
    subject = header(message, "Subject")
    answers = _REPLY.match(subject) or message.get("In-Reply-To") or message.get("References")
    return subject.partition("[")[0] if answers else subject


def _reports_failure(message: Message) -> bool:
    """Return whether a mail in no known form says that a letter didn't arrive, and not that its reader is away."""
    whole = "\n".join(_report_texts(message))
    answers = header(message, "Auto-Submitted").startswith("auto-replied") or automatic_patterns.is_away(whole[:_SAYS])
    if answers and not automatic_patterns.is_daemon(_from(message)):
        return False
    return bool(_CODE.search(whole)) or automatic_patterns.is_failure(f"{header(message, 'Subject')}\n{whole[:_SAYS]}")


def _is_own(message: Message, own_domain: str) -> bool:
    """Return whether the mail is one of our own letters that came back to us whole."""
    return header(message, "Feedback-ID").endswith(":pbem") and (
        header(message, "Message-ID").rstrip(">").endswith(f"@{own_domain}")
    )


def _parts(message: Message, depth: int = 0) -> Iterator[Message]:
    """Yield every part but those inside an enclosed mail: what was sent to somebody else is no part of this one."""
    yield message
    if message.is_multipart() and message.get_content_maintype() != "message" and depth < _MAX_BOUNDARIES:
        for part in message.get_payload():
            if isinstance(part, Message):
                yield from _parts(part, depth + 1)


def _is_file(part: Message) -> bool:
    return part.get_content_disposition() == "attachment" or part.get_content_maintype() not in {*_WORDS, "message"}


def _text(message: Message) -> str:
    """Return what the sender wrote: the first plain text that isn't empty, else the first HTML.

    The HTML too where something of it is struck out or not shown.
    """
    html, plain = "", ""
    for part in _parts(message):
        kind = part.get_content_type()
        if part.is_multipart() or _is_file(part):
            continue
        if kind == "text/plain" and not plain and (text := _decoded(part)).strip():
            plain = _unflowed(part, text)
        if kind == "text/html" and not html:
            html = _decoded(part)
    text, conceals = read_html(html)
    return plain if plain and not conceals else text


def _decoded(part: Message) -> str:
    """Return a text part's text; wrong transfer encodings and unknown character sets are read as well as can be."""
    payload = part.get_payload(decode=True)
    data = payload[:_MAX_TEXT] if isinstance(payload, bytes) else b""
    try:
        text = data.decode(part.get_content_charset("utf-8"), "replace")
    except (LookupError, ValueError):
        text = data.decode("utf-8", "replace")
    return text.replace("\r\n", "\n").replace("\r", "\n").replace("\0", "")


def _unflowed(part: Message, text: str) -> str:
    """RFC 3676: lines that end in a space go on in the next one; signatures and quotes never do."""
    if str(part.get_param("format") or "").lower() != "flowed":
        return text
    deletes = str(part.get_param("delsp") or "").lower() == "yes"
    lines: list[list[str]] = []
    open_line = False
    for raw_line in text.split("\n"):
        line = raw_line.removeprefix(" ")
        if open_line and not line.startswith(">") and line != "-- ":
            lines[-1].append(line)
        else:
            lines.append([line])
        open_line = line.endswith(" ") and line != "-- " and not line.startswith(">")
        if open_line and deletes:
            lines[-1][-1] = line[:-1]  # the one space that marks the line, not those of the sentence
    return "\n".join("".join(pieces) for pieces in lines)


def _bounce(message: Message, *, complaint: bool) -> Bounce:
    """Return what a report says: RFC 3464 fields where there are any, else the first code in its own words."""
    whole = "\n".join(_report_texts(message))
    said = _said(message, whole)
    number, code = _status(whole, said), _CODE.search(said)
    action = re.search(r"(?im)^action:\s?(\w+)", whole)
    digit = number or (code[1] if code else "5" if automatic_patterns.is_hard(said) else "")
    failed = (action is None or action[1].lower() == "failed") and digit.startswith("5")
    soft = number in automatic_patterns.SOFT_STATUS or _may_pass(number, said)
    original = re.search(r"(?im)^(?:original-)?message-id:\s?(<[^<>\s]+>)", whole)
    return Bounce(
        permanent=complaint or (failed and not soft),
        status=number,
        message_id=original[1] if original else "",
    )


def _may_pass(number: str, said: str) -> bool:
    """Return whether the words beside a code of failure tell of what may pass.

    RFC 3463: a code that ends in 0 says nothing but its class. Of addresses and mailboxes (5.1, 5.2) many servers have
    one code for everything, so that words count there too, unless others say that the mailbox is gone.
    """
    if number and not number.endswith(".0"):
        return (
            number.startswith(("5.1.", "5.2."))
            and automatic_patterns.is_soft(said)
            and not automatic_patterns.is_hard(said)
        )
    return automatic_patterns.is_soft(said)


def _status(whole: str, said: str) -> str:
    """Return a report's status code, RFC 3463; the server's own where the field says no more than the class."""
    field, own = _STATUS.search(whole), _ENHANCED.search(said)
    if field and own and field[1].endswith(".0.0") and own[1][0] == field[1][0]:
        return own[1]
    return field[1] if field else own[1] if own else ""


def _said(message: Message, whole: str) -> str:
    """Return why a letter came back: what the other server answered, else the report's own words before it quotes."""
    answers = "\n".join(_DIAGNOSTIC.findall(whole))
    if answers.strip():
        return answers[:_SAYS]
    written = (part for part in _parts(message) if not part.is_multipart() and part.get_content_maintype() in _WORDS)
    words = "\n".join(map(_decoded, written))
    return f"{header(message, 'Subject')}\n{_RETURNED.split(words, maxsplit=1)[0]}"[:_SAYS]


def _report_texts(message: Message) -> Iterator[str]:
    """Yield the texts of a report, enclosed headers included, in order."""
    for part in message.walk():
        if not part.is_multipart():
            yield "\n".join(f"{name}: {value}" for name, value in part.items() if part is not message)
            yield _decoded(part)
        elif part is not message:
            yield "\n".join(f"{name}: {value}" for name, value in part.items())
