from __future__ import annotations

import re
from collections import Counter

import pytest
from babel.messages.pofile import read_po

from pbem.words import LANGUAGES, Voice, catalogue, holes
from tests.catalogue import messages, path_of

others = pytest.mark.parametrize("language", LANGUAGES[1:])


@others
def test_every_message_is_translated(language: str) -> None:
    """Every id marked in code or used in a template is in the catalogue with a translation."""
    known = catalogue(language)
    missing = [f"{place}: {message}" for message, place in messages().items() if message not in known]

    assert missing == []


@others
def test_translations_have_the_same_holes(language: str) -> None:
    """A translation fills exactly the holes of its id: none is lost, none is invented."""
    wrong = {message: text for message, text in catalogue(language).items() if holes(message) != holes(text)}

    assert wrong == {}


@others
def test_catalogues_are_in_order(language: str) -> None:
    """Each id is there once, nothing is fuzzy, and nothing is left of messages that are gone."""
    with path_of(language).open("rb") as lines:
        entries = [entry for entry in read_po(lines, locale=language) if entry.id]
    counts = Counter(str(entry.id) for entry in entries)

    assert max(counts.values()) == 1
    assert not any(entry.fuzzy for entry in entries)
    assert set(counts) <= set(messages())


@others
def test_plural_brackets_are_whole(language: str) -> None:
    """Brackets of singular and plural are picked apart by the reader's voice, none is left in a sentence."""
    say = Voice(language)
    for text in catalogue(language):
        for count in (0, 1, 2):
            said = say(text, **dict.fromkeys(holes(text), count))
            assert not re.search(r"\([^()]*\|[^()]*\)|\(e?s\)", said), said


def test_english_says_the_id_itself() -> None:
    """English needs no catalogue."""
    assert catalogue("en") == {}
