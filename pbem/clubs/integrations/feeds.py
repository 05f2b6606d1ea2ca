"""Deadlines as a calendar (RFC 5545) and results as an Atom feed (RFC 4287): what other programs subscribe to. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta

from pbem.structs import Value

ATOM = "http://www.w3.org/2005/Atom"
_SHOWN = timedelta(minutes=15)
"""How long a deadline is drawn in a calendar, ending at the deadline itself."""


class Due(Value):
    """One deadline of one seat."""

    key: str
    """Stable for this decision, so that a moved deadline moves the entry."""
    title: str
    url: str
    due_at: datetime
    version: int
    """Rises whenever the deadline moves: a calendar takes no other as news (RFC 5545 3.8.7.4)."""


class FeedEntry(Value):
    """One finished game."""

    key: str
    title: str
    text: str
    url: str
    at: datetime


def calendar(name: str, host: str, dues: Sequence[Due], now: datetime) -> bytes:
    """Return the deadlines as an iCalendar file, made `now`; `host` makes the entries' ids ours."""
    from icalendar import Calendar, Event  # noqa: PLC0415 - some MB that a small server at rest does without

    book = Calendar()
    book.add("prodid", "-//pbem//deadlines//EN")
    book.add("version", "2.0")
    book.add("method", "PUBLISH")
    book.add("x-wr-calname", name)
    for due in dues:
        event = Event()
        event.add("uid", f"{due.key}@{host}")
        event.add("sequence", due.version)
        event.add("dtstamp", now)
        event.add("dtstart", due.due_at - _SHOWN)
        event.add("dtend", due.due_at)
        event.add("summary", due.title)
        event.add("url", due.url)
        event.add("transp", "TRANSPARENT")
        book.add_component(event)
    return bytes(book.to_ical())


def atom(title: str, key: str, url: str, entries: Sequence[FeedEntry], since: datetime) -> bytes:
    """Finished games, newest first, as an Atom feed by `title`, begun `since`; `key` is its id, `url` its own."""
    from xml.etree import ElementTree as ET  # noqa: PLC0415 - half a MB that few pages need

    def add(parent: ET.Element, name: str, text: str) -> None:
        ET.SubElement(parent, f"{{{ATOM}}}{name}").text = _printable(text)

    ET.register_namespace("", ATOM)
    feed = ET.Element(f"{{{ATOM}}}feed")
    add(feed, "id", key)
    add(feed, "title", title)
    add(feed, "updated", max((entry.at for entry in entries), default=since).isoformat())
    ET.SubElement(feed, f"{{{ATOM}}}link", {"rel": "self", "href": url})
    add(ET.SubElement(feed, f"{{{ATOM}}}author"), "name", title)
    for entry in sorted(entries, key=lambda entry: entry.at, reverse=True):
        part = ET.SubElement(feed, f"{{{ATOM}}}entry")
        add(part, "id", entry.key)
        add(part, "title", entry.title)
        add(part, "updated", entry.at.isoformat())
        ET.SubElement(part, f"{{{ATOM}}}link", {"rel": "alternate", "href": entry.url})
        add(part, "summary", entry.text)
    return bytes(ET.tostring(feed, encoding="utf-8", xml_declaration=True))


def _printable(text: str) -> str:
    """`text` without the control characters that XML can't hold: a name may contain anything."""
    return "".join(c for c in text if c in "\t\n" or (c >= " " and not "\ud800" <= c <= "\udfff" and c < "\ufffe"))
