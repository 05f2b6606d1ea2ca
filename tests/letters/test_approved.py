"""Letters word for word: whatever one says differently was read by somebody first."""

from __future__ import annotations

import re
from collections import Counter
from email import message_from_bytes, policy
from itertools import count, pairwise
from typing import TYPE_CHECKING

import pytest
from itsdangerous import TimestampSigner

from pbem.engine.registry import GAMES
from pbem.letter_kinds import KINDS
from pbem.letters.samples import samples
from pbem.letters.writer import compose_mail
from tests.factories import START
from tests.letters.approved import approved, by_agreement, letters, written
from tests.letters.test_writer import HOUSE

if TYPE_CHECKING:
    from collections.abc import Iterator


def test_every_letter_reads_as_it_was_approved(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every kind, to those who have answered and to strangers, with all that it may tell: `tests.letters.approved`.

    Each of its links is signed in another second: what a letter says doesn't hang on two of them being the same.
    """
    seconds = count(1_800_000_000)
    monkeypatch.setattr(TimestampSigner, "get_timestamp", lambda _signer: next(seconds))
    found = written()

    assert {data.kind for _, _, data in letters()} == set(KINDS)
    for name, text in approved().items():
        assert found.get(name) == text, name
    assert set(found) == set(approved())


@pytest.mark.parametrize("game", GAMES)
def test_no_letter_says_a_thing_twice_at_once(game: str) -> None:
    """A game's name beside its title, an order below itself, or what a question ends with in the note below it.

    Nor any sentence again further down, besides the news: two of these may be the same.
    """
    every = dict(samples(game, "en", START))
    for name, data in (*every.items(), ("by agreement", by_agreement(every["game_over"]))):
        text = message_from_bytes(compose_mail(data, HOUSE, START).raw, policy=policy.default).get_body(("plain",))
        assert text is not None
        lines = text.get_content().splitlines()

        for line, after in pairwise(lines):
            crumbs = line.split(" · ")
            assert len(set(crumbs)) == len(crumbs), (name, line)
            assert not (after.startswith(" " * 8) and after.strip().casefold() == line.strip()), (name, line)
        told = Counter(one for one in re.split(r"(?:[.·] |\n\n)+", "\n".join(_but_news(lines))) if len(one.split()) > 4)
        assert [sentence for sentence, times in told.items() if times > 1] == [], name
        asked = data.situation.asked if data.situation else None
        if asked is not None:
            notes = {clause for note in asked.form.notes for clause in _clauses(str(note))}
            assert notes.isdisjoint(_clauses(str(asked.question))), name


def _but_news(lines: list[str]) -> Iterator[str]:
    """The lines of a letter without the entries of its lists, and what is said of each choice."""
    entry = False
    for line in lines:
        entry = line.startswith("  - ") or (entry and line.startswith("    "))
        if not entry and not line.startswith(" " * 8):
            yield line.strip()


def _clauses(text: str) -> set[str]:
    """The parts of a text that say something by themselves, without what they begin and end with."""
    return {clause.casefold().strip() for clause in re.split(r"[.;:?]", text) if len(clause.split()) > 2}
