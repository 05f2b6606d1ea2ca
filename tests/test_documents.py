"""What the documents name is there."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

HOME = Path(__file__).parents[1]
DOCUMENTS = sorted(
    path.relative_to(HOME) for path in (*HOME.glob("*.md"), *(HOME / "docs").rglob("*.md"), *HOME.glob("pbem/**/*.md"))
)
NAMED = re.compile(r"`((?:pbem|tests|benchmarks|templates|docs)/[\w./-]*\w)`")
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


def test_what_changed_can_be_read() -> None:
    """No heading of CHANGELOG.md holds more than 25 entries, and no entry more than 330 characters."""
    _, *parts = (HOME / "CHANGELOG.md").read_text(encoding="utf-8").split("\n### ")
    entries = {part.partition("\n")[0]: re.findall(r"(?ms)^- .+?(?=\n- |\n\n|\Z)", part) for part in parts}

    assert all(entries.values())
    assert {name for name, found in entries.items() if len(found) > 25} == set()
    assert [entry for found in entries.values() for entry in found if len(entry) > 330] == []
