"""A letter made readable on a page: its text with links, its HTML with the pictures inside it."""

from __future__ import annotations

import base64
import re
from datetime import datetime
from email import policy
from email.message import EmailMessage
from email.utils import format_datetime, make_msgid, parseaddr
from html import escape

from markupsafe import Markup

_URL = re.compile(r"https?://[^\s<>\"')\]]+")
_CID = re.compile(r"cid:([^\"'\s)]+)")


def text_of(letter: EmailMessage) -> str:
    """Return the plain text part; empty if there is none."""
    part = letter.get_body(("plain",))
    return "" if part is None else str(part.get_content())


def html_of(letter: EmailMessage) -> str:
    """Return the HTML part, its pictures put in place of their content ids, its links leading out of the frame."""
    part = letter.get_body(("html",))
    if part is None:
        return f"<pre>{escape(text_of(letter))}</pre>"
    pictures = {
        str(leaf["Content-ID"]).strip("<> "): leaf for leaf in letter.walk() if leaf.get_content_maintype() == "image"
    }

    def placed(found: re.Match[str]) -> str:
        leaf = pictures.get(found[1])
        if leaf is None:
            return found[0]
        data = leaf.get_payload(decode=True)
        return f"data:{leaf.get_content_type()};base64,{base64.b64encode(data).decode()}"  # type: ignore[arg-type]  # a leaf's payload is bytes

    html = _CID.sub(placed, str(part.get_content()))
    return re.sub(r"(<head[^>]*>)", r'\1<base target="_top">', html, count=1, flags=re.IGNORECASE)


def linked(text: str) -> Markup:
    """Plain text, escaped, its addresses made links."""
    out: list[str] = []
    end = 0
    for found in _URL.finditer(text):
        url = escape(found[0])
        out += [escape(text[end : found.start()]), f'<a href="{url}">{url}</a>']
        end = found.end()
    return Markup("".join(out) + escape(text[end:]))  # noqa: S704 - every piece was escaped


def answer_to(letter: EmailMessage, text: str, now: datetime) -> tuple[bytes, str]:
    """A mail that answers `letter` with `text`, as its reader's mail program would write it, and its recipient."""
    recipient = parseaddr(str(letter["Reply-To"] or letter["From"]))[1]
    made = EmailMessage(policy=policy.SMTP)
    made["From"], made["To"] = str(letter["To"]), recipient
    made["Subject"] = f"Re: {letter['Subject']}"
    made["Date"], made["Message-ID"] = format_datetime(now), make_msgid(domain="reader.example")
    made["In-Reply-To"] = str(letter["Message-ID"])
    made.set_content(text.replace("\r\n", "\n"))
    return made.as_bytes(), recipient
