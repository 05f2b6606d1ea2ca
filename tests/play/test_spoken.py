from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from pbem.engine import replay
from pbem.engine.core import records
from pbem.engine.core.errors import EngineError
from pbem.engine.registry import GAMES, rules_of
from pbem.inbound import line_kinds
from pbem.messages import LANGUAGES, Translator

if TYPE_CHECKING:
    from pbem.engine.core.types import AnyRules

RECORDS = Path(__file__).parents[1] / "engine"
EVERY = 3
"""Each third recorded game is spoken through; all player counts and endings are among them."""

recorded = [path for game in GAMES for path in sorted((RECORDS / game / "records").glob("[0-9]*.txt"))[::EVERY]]


@pytest.mark.parametrize("path", recorded, ids=lambda path: f"{path.parts[-3]}-{path.stem}")
def test_an_order_said_in_a_readers_language_is_the_same_order(path: Path) -> None:
    """What a letter shows an Italian or French reader can be sent back as it stands, for each order of a record."""
    record = records.parse(path.read_text("utf-8"))
    rules = rules_of(record.game)
    voices = [Translator(language, game=record.game) for language in LANGUAGES[1:]]
    wrong: set[tuple[str, str]] = set()
    before: Any = None
    for step in replay.play(record):
        for seat, order in step.ply.orders.items():
            said = [say.order(order) for say in voices]
            wrong |= {(order, text) for text in said if _meant(rules, before, seat, text) != order}
            kind = rules.asked(before)[seat].kind if seat in rules.asked(before) else ""
            wrong |= {(kind, text) for text in said if not line_kinds.wanted(rules.grammar, kind)(text)}
        before = rules.copy(step.state)
    assert sorted(wrong) == []


def _meant(rules: AnyRules, state: Any, seat: int, text: str) -> str:
    try:
        return str(rules.read(state, seat, text))
    except EngineError as refusal:
        return str(refusal)


def test_every_language_has_words_of_its_own() -> None:
    """An Italian reader of each game sees no English order."""
    for game in GAMES:
        assert rules_of(game).meta.order_words
    say = Translator("it", game="egizia")
    assert say.order("ship to Sphinx, slot 1") == "battello a Sfinge, casella 1"
    assert say.order("when my_ships > 2: ship to Sphinx\nask me") == "when my_ships > 2: battello a Sfinge\nask me"
    assert say("After {order!r}.", order="ship to Sphinx, slot 1") == "After «battello a Sfinge, casella 1»."


@pytest.mark.parametrize("game", GAMES)
def test_every_example_of_the_help_is_an_order_in_each_language(game: str) -> None:
    """A line of the help letter, sent back as it stands, is taken for that kind of order."""
    for row in rules_of(game).grammar:
        for language in LANGUAGES:
            said = Translator(language, game=game).order(row.example)
            assert line_kinds.wanted(rules_of(game).grammar, row.kind)(said), said


SHARED = frozenset({"FACE", "PROVINCE", "bonus", "grain", "joker", "ra"})
"""Words of orders that another language has as well."""


@pytest.mark.parametrize("game", GAMES)
def test_no_example_of_the_help_keeps_an_english_word(game: str) -> None:
    """Names of places and cards aside, every word of an example and of a form is the reader's, its holes too."""
    for row in rules_of(game).grammar:
        for language in LANGUAGES[1:]:
            say = Translator(language, game=game)
            for english, said in ((row.example, say.order(row.example)), (row.syntax, say.form(row.syntax))):
                words = set(re.findall(r"\b(?:[a-z]{2,}|[A-Z]{2,})\b", english))
                assert words & set(re.findall(r"\w+", said)) <= SHARED, said
