"""What goes with a game's rules: records, rules text, sentences in every language, letters and boards."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from pbem import packages, pictures
from pbem.capabilities.tokens import Tokens
from pbem.engine import replay
from pbem.engine.core import records
from pbem.engine.core.types import COLOURS
from pbem.engine.registry import rules_of
from pbem.engine.text import tables
from pbem.kit import catalogue
from pbem.kit.contract.positions import positions, wholes
from pbem.letters.mail_context import MailContext
from pbem.letters.samples import PEOPLE, samples
from pbem.letters.writer import preview
from pbem.mail.address import Addresses
from pbem.messages import LANGUAGES, Translator, holes, words_of
from pbem.pictures.rings import numbered

COLUMNS = 72
KEYS = (("contract", "a secret for the contract"),)
MAIL = MailContext(
    addresses=Addresses(KEYS, "play.example.org"),
    tokens=Tokens(KEYS),
    base_url="https://play.example.org",
    name="Contract",
    pictured=True,
)
others = pytest.mark.parametrize("language", LANGUAGES[1:])


def records_of(game: str, config: pytest.Config) -> list[Path]:
    """Return the game's kept records."""
    asked = config.getini("pbem_records")
    beside = packages.folder(game) / "records"
    folder = beside if beside.is_dir() or not asked else config.rootpath / asked.format(game=game)
    return sorted(path for path in folder.glob("*.txt") if path.name != "SOURCE.txt")


def test_each_ending_and_player_count_has_a_whole_recorded_game(game: str, pytestconfig: pytest.Config) -> None:
    """Records are kept, replay line by line, and cover the endings and seat counts of `Meta`."""
    meta = rules_of(game).meta
    texts = [path.read_text("utf-8") for path in records_of(game, pytestconfig)]
    kept = [records.parse(text) for text in texts]
    missing = {
        *(ending for ending in meta.endings if ending not in {one.result.ending for one in kept if one.result}),
        *(f"{seats} seats" for seats in meta.seats if seats not in {one.seats for one in kept if one.result}),
    }

    assert not missing, f"{game}: no record of {sorted(missing)}; `pbem check-game {game}` writes them"
    assert [line for text in texts for line in replay.mismatches(text)] == []


def test_the_rules_text_and_the_code_name_the_same_rules(game: str) -> None:
    """Every rule that code cites is stated in RULES.md, all stated are cited, but examples; its tables are there."""
    text, rules = packages.text(game, "RULES.md"), rules_of(game)
    code = "\n".join(path.read_text("utf-8") for path in sorted(packages.folder(game).glob("**/*.py")))
    prefix = re.search(r"\b([A-Z]{2})-\d", text)
    assert prefix, f"{game}: RULES.md states no rule; number them like AB-1.1"
    rule = rf"\b{prefix[1]}-\d+\.\d+"
    chapters = [
        part for part in re.split(r"^## ", text, flags=re.MULTILINE) if "example" not in part.splitlines()[0].casefold()
    ]
    stated = set(re.findall(rf"^- \*\*({rule})\*\*", "".join(chapters), re.MULTILINE))
    cited = set(re.findall(rule, code))

    assert not stated - cited, f"{game}: no code cites {sorted(stated - cited)}"
    assert not cited - set(re.findall(rule, text)), f"{game}: RULES.md doesn't state {sorted(cited - stated)}"
    for table in (tables.orders(rules), tables.facts(rules)):
        assert table in text, f"{game}: a table of RULES.md is not the code's; `pbem check-game {game}` writes it"


@others
def test_every_sentence_is_translated(game: str, language: str) -> None:
    """Each marked sentence of the game has a translation with the same holes."""
    known = words_of(language, game)
    found = catalogue.of_game(rules_of(game), packages.folder(game))
    missing = [f"{place}: {text}" for text, place in found.items() if text not in known]

    assert not missing, f"{game}: translate these in {language}.po beside the rules: {missing}"
    assert [text for text in found if holes(known[text]) != holes(text)] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_letter_can_be_written(game: str, language: str) -> None:
    """Each kind of letter, and the question of each kind of decision, has a text and a page without open holes."""
    said = [preview(data, MAIL)[0] for _, data in samples(game, language, datetime(2026, 3, 2, 12, tzinfo=UTC))]

    assert said
    for letter in said:
        assert letter.subject
        assert letter.text.strip()
        assert not re.search(r"\{[a-z_]+\}", letter.text + letter.html)


def test_every_board_is_sound(game: str) -> None:
    """Picture, text and sentences can be made of every position for everybody, and what is picked stands on it."""
    rules, drawing = rules_of(game), pictures.of(game)
    say = Translator("it", names=PEOPLE, game=game)
    for position in list(positions(game))[::4]:
        for seat in (None, *range(position.seats)):
            view = rules.view(position.state, seat)
            ET.fromstring(drawing.svg(view, say))  # noqa: S314 - our own drawing
            text = drawing.text(view, say)

            assert max(map(len, text.splitlines())) <= COLUMNS
            assert drawing.alt(view, say)
            assert seat is not None or drawing.hand(view, say) == ()


def test_events_ring_what_they_changed(game: str) -> None:
    """Most elements that events mark are on the board that is drawn afterwards."""
    rules, drawing, say = rules_of(game), pictures.of(game), Translator(names=PEOPLE, game=game)
    found = missed = 0
    for step in list(replay.play(wholes(game)[0].record))[:60]:
        public = [event for event in step.events if event.seen_by is None]
        svg = drawing.svg(rules.view(step.state, None), say, numbered(public).rings)
        for mark, _ in numbered(public).rings:
            found += f"ring-{mark}" in svg
            missed += f"ring-{mark}" not in svg

    assert found >= missed, f"{game}: {missed} of {found + missed} marks of events name nothing on the board"


def test_every_seat_has_a_colour(game: str) -> None:
    """There are no more seats than marks to tell them apart."""
    meta = rules_of(game).meta

    assert max(meta.seats) <= min(len(COLOURS), len(meta.colours))
