"""Letters word for word: whatever one says differently was read by somebody first."""

from __future__ import annotations

from pbem.letter_kinds import KINDS
from tests.letters.approved import approved, letters, written


def test_every_letter_reads_as_it_was_approved() -> None:
    """Every kind, to those who have answered and to strangers, with all that it may tell: `tests.letters.approved`."""
    found = written()

    assert {data.kind for _, _, data in letters()} == set(KINDS)
    for name, text in approved().items():
        assert found.get(name) == text, name
    assert set(found) == set(approved())
