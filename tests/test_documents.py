"""What the documents name is there."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from pbem.play.deadlines.cadence import CADENCES, SPEEDS

HOME = Path(__file__).parents[1]
DOCUMENTS = sorted(
    path.relative_to(HOME) for path in (*HOME.glob("*.md"), *(HOME / "docs").rglob("*.md"), *HOME.glob("pbem/**/*.md"))
)
NAMED = re.compile(r"`((?:pbem|tests|benchmarks|templates|docs)/[\w./-]*\w)`")
ANCHOR = re.compile(r"(?<!!)\[[^\]]+\]\(([^)#:\s]*)#([^)\s]+)\)")
LINK = re.compile(r"(?<!!)\[[^\]]+\]\(([^)#:\s]+)(?:#[^)\s]*)?\)")


def test_there_are_documents() -> None:
    """The list is not empty by a slip in a path."""
    assert Path("docs/development/architecture.md") in DOCUMENTS


@pytest.mark.parametrize("path", DOCUMENTS, ids=str)
def test_every_file_a_document_names_exists(path: Path) -> None:
    """Files and folders of the project named in a document, and the targets of its links, are there."""
    text = (HOME / path).read_text(encoding="utf-8")
    named = {name for name in NAMED.findall(text) if not (HOME / name).exists()}
    led_to = {link for link in LINK.findall(text) if not (HOME / path.parent / link).exists()}

    assert named | led_to == set()


def anchors(path: Path) -> set[str]:
    """What links into a document can lead to: its headings, as GitHub makes anchors of them."""
    headings = re.findall(r"(?m)^#+ (.+)$", path.read_text(encoding="utf-8"))
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def test_every_heading_a_document_links_to_exists() -> None:
    """The part of a page that a link leads to is there, on the same page or another."""
    links = [
        (HOME / path.parent / (page or path.name), heading)
        for path in DOCUMENTS
        for page, heading in ANCHOR.findall((HOME / path).read_text(encoding="utf-8"))
    ]

    assert links
    assert [(page, heading) for page, heading in links if heading not in anchors(page)] == []


def test_organisers_are_told_the_hours_of_each_cadence() -> None:
    """The table of docs/organisers.md has the name, the hours and the grace of every cadence there is."""
    page = (HOME / "docs/organisers.md").read_text(encoding="utf-8")
    told = re.findall(r"(?m)^\| `(\w+)` \| ([^|]+) \| (\d+) \| (\d+) \| (\d+)", page)

    assert told == [
        (name, SPEEDS[name], f"{one.hours:g}", f"{one.waking:g}", f"{one.grace:g}") for name, one in CADENCES.items()
    ]


def test_what_changed_can_be_read() -> None:
    """No heading of CHANGELOG.md holds more than 25 entries, and no entry more than 330 characters."""
    _, *parts = (HOME / "CHANGELOG.md").read_text(encoding="utf-8").split("\n### ")
    entries = {part.partition("\n")[0]: re.findall(r"(?ms)^- .+?(?=\n- |\n\n|\Z)", part) for part in parts}

    assert all(entries.values())
    assert {name for name, found in entries.items() if len(found) > 25} == set()
    assert [entry for found in entries.values() for entry in found if len(entry) > 330] == []
