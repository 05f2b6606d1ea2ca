"""Calendar and Atom feeds."""

from __future__ import annotations

from datetime import UTC, datetime
from xml.etree import ElementTree as ET

from icalendar import Calendar

from pbem.clubs.integrations import feeds

NOON = datetime(2026, 3, 29, 12, tzinfo=UTC)


def test_a_deadline_is_a_calendar_entry_that_can_move() -> None:
    """The entry ends at the deadline; its id stays and its sequence rises when the deadline moves."""
    due = feeds.Due("seat-3-ply-7", "Your bid in Nile, evening", "https://example.org/queue", NOON, 2)

    (event,) = Calendar.from_ical(feeds.calendar("Anna", "example.org", [due], NOON).decode()).walk("VEVENT")

    assert event["UID"] == "seat-3-ply-7@example.org"
    assert event["SEQUENCE"] == 2
    assert event["DTEND"].dt == NOON
    assert str(event["SUMMARY"]) == "Your bid in Nile, evening"


def test_a_title_cannot_break_out_of_its_line() -> None:
    """Line breaks and separators in a game's title stay text."""
    hostile = "x\r\nATTACH:https://example.org/evil\r\nEND:VEVENT;,"
    due = feeds.Due("k", hostile, "https://example.org/", NOON, 0)

    (event,) = Calendar.from_ical(feeds.calendar("Anna", "example.org", [due], NOON).decode()).walk("VEVENT")

    assert "ATTACH" not in event
    assert "ATTACH:https" in str(event["SUMMARY"])


def test_a_feed_without_results_is_as_old_as_its_club() -> None:
    """Fetched again it is the same bytes: nothing has changed."""
    feed = ET.fromstring(feeds.atom("Club", "https://example.org/f", "https://example.org/f/t", [], NOON))  # noqa: S314 - ours

    assert feed.findtext("a:updated", namespaces={"a": feeds.ATOM}) == NOON.isoformat()


def test_results_are_an_atom_feed_newest_first() -> None:
    """Entries stand newest first, the feed is as new as its newest, hostile names stay text."""
    older = feeds.FeedEntry("tag:a", "<b>A\x00 & B</b>", "Anna won", "https://example.org/a", NOON)
    newer = feeds.FeedEntry("tag:b", "B", "Bob won", "https://example.org/b", NOON.replace(hour=13))

    feed = ET.fromstring(feeds.atom("Club", "https://example.org/f", "https://example.org/f/t", [older, newer], NOON))  # noqa: S314 - ours

    names = {"a": feeds.ATOM}
    assert [title.text for title in feed.findall("a:entry/a:title", names)] == ["B", "<b>A & B</b>"]
    assert feed.findtext("a:updated", namespaces=names) == "2026-03-29T13:00:00+00:00"
    assert feed.findtext("a:id", namespaces=names) == "https://example.org/f"
    link = feed.find("a:link", names)
    assert link is not None
    assert link.attrib == {"rel": "self", "href": "https://example.org/f/t"}
