"""The rules for people: every card, space and kind of order is explained in three languages, on real positions."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import pytest

from pbem import pictures
from pbem.engine import replay
from pbem.engine.amunre import data as amunre
from pbem.engine.egizia import data as egizia
from pbem.engine.egizia.tables import tables_of
from pbem.engine.priestsofra import data as priestsofra
from pbem.engine.registry import GAMES, guide_of, rules_of
from pbem.messages import LANGUAGES, Translator, catalogue
from pbem.study import guides
from pbem.web.public import rulebook

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pbem.engine.core.guide import Guide

EGIZIA = tables_of("")
THINGS = {
    "amunre": (*amunre.CARDS, *amunre.PROVINCES, "theft", "pyramid", "farmer", "temple"),
    "egizia": (
        *(card.id for card in EGIZIA.cards),
        *(card.id for card in EGIZIA.sphinx),
        *(name for name in EGIZIA.space_name if name),
        *egizia.PARTS,
        *EGIZIA.what,
        "joker",
    ),
    "priestsofra": (*priestsofra.FACES, "Ra", "sun", "lot"),
}
"""By game, every card, tile and space that its tables list."""


def guide(game: str) -> Guide:
    """The guide, which each game that comes with the server has."""
    found = guide_of(game)
    assert found is not None
    return found


def sentences(game: str) -> Iterator[str]:
    """Every message id of a guide, those that fill the holes of others included."""
    told = guide(game)
    yield from told.goal
    for scene in told.scenes:
        yield scene.title
        yield from (line.text for line in scene.text)
    for example in told.examples:
        yield from (example.case, example.result)
    for entry in told.entries:
        yield entry.group
        yield from (line.text for line in entry.text)
        yield from () if entry.words else (entry.name.text,)


def test_a_game_without_a_guide_has_no_scenes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nor a record of them, which is not looked for."""
    monkeypatch.setattr(guides, "guide_of", lambda _game: None)
    assert guides.positions.__wrapped__("egizia") == ()


@pytest.mark.parametrize("game", GAMES)
def test_everything_has_an_entry(game: str) -> None:
    """Each card, tile, space and kind of order that the game's tables know is explained, each in one place."""
    entries = guide(game).entries
    words = [word for entry in entries for word in entry.words]
    ways = {entry.key.removeprefix("order-") for entry in entries if entry.orders}
    keys = [entry.key for entry in entries]

    assert set(THINGS[game]) - set(words) == set()
    assert {row.kind for row in rules_of(game).grammar} == ways
    assert len(keys) == len(set(keys))
    assert len(words) == len(set(words))


@pytest.mark.parametrize("game", GAMES)
def test_each_kind_of_order_leads_to_what_is_said_of_it(game: str) -> None:
    """Its own entry, and none for a kind that the game doesn't know."""
    for row in rules_of(game).grammar:
        found = guides.way(game, row.kind)
        assert found is not None
        assert (found.key, bool(found.orders)) == (f"order-{row.kind}", True)
    assert guides.way(game, "juggle") is None


@pytest.mark.parametrize("language", LANGUAGES[1:])
@pytest.mark.parametrize("game", GAMES)
def test_every_sentence_is_told_in_each_language(game: str, language: str) -> None:
    """Nothing of a guide is left in English, and no hole is left open."""
    known = catalogue(language)
    say = guides.translator(game, language)

    assert [text for text in sentences(game) if text not in known] == []
    said = [say(line) for entry in guide(game).entries for line in entry.text]
    assert [line for line in said if "{" in line] == []


@pytest.mark.parametrize("game", GAMES)
def test_every_rule_that_is_named_can_be_read(game: str) -> None:
    """Entries, examples and the topics of every decision lead to rules that stand in the numbered text."""
    told, known = guide(game), rulebook.rules(game, "en")
    named = {entry.rule for entry in told.entries} | {example.rule for example in told.examples}

    assert named - set(known) == set()


@pytest.mark.parametrize("game", GAMES)
def test_pictures_are_of_a_real_round(game: str) -> None:
    """The record replays to its end line by line, and the five scenes follow each other in it."""
    plies = [done.ply.number for done in replay.play(guides.record(game), drawn=True)]
    scenes = [scene.ply for scene in guide(game).scenes]

    assert len(scenes) == len(guides.positions(game)) == 5
    assert scenes == sorted(set(scenes))
    assert scenes[-1] == plies[-1]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", GAMES)
def test_what_a_board_names_is_found_in_its_words(game: str, language: str) -> None:
    """The things that the text of each picture names are found in every language, and the same ones in each."""
    for view in guides.positions(game):
        found = {}
        for one in {"en", language}:
            say, room = guides.translator(game, one), pictures.of(game)
            found[one] = {entry.key for entry in guides.named(say, room.text(view, say), room.alt(view, say))}
        proper = {entry.key for entry in guide(game).entries if set(entry.words) & set(THINGS[game])}

        assert len(found["en"]) > 1
        assert found[language] & proper >= {key for key in found["en"] & proper if key in _named_alike(game)}


def _named_alike(game: str) -> set[str]:
    """The things with a name of their own, which no language bends."""
    names = {"amunre": amunre.PROVINCES, "egizia": tuple(egizia.PLACE_NAMES.values()), "priestsofra": ("Ra",)}[game]
    return {entry.key for entry in guide(game).entries if set(entry.words) & set(names)}


def test_a_sentence_is_split_at_the_names_in_it() -> None:
    """The longest name counts, each thing once, and nothing within other words."""
    say = Translator("en", game="amunre")
    pieces = list(
        guides.split(say, "A free farmer stands on Memphis, not a farmer; Memphisto is no province. Memphis!")
    )

    assert "".join(text for text, _ in pieces) == (
        "A free farmer stands on Memphis, not a farmer; Memphisto is no province. Memphis!"
    )
    assert [(text, entry.key) for text, entry in pieces if entry] == [
        ("free farmer", "free-farmer"),
        ("Memphis", "Memphis"),
        ("farmer", "farmer"),
    ]


def test_a_players_name_is_no_thing() -> None:
    """A seat called by its colour leads to no crew; the crew of that colour still does."""
    say = Translator("en", names=("Blue (you)", "Red"), game="egizia")
    pieces = list(guides.split(say, "Blue (you) makes the blue crew stronger."))

    assert [text for text, entry in pieces if entry] == ["blue"]


def test_every_letter_has_a_small_one_of_its_own() -> None:
    """Names are looked for in small letters: were one letter two, every name behind it would be cut in the wrong place.

    So a name at the beginning is found, and one behind every letter there is.
    """
    every = "".join(map(chr, range(sys.maxunicode + 1)))
    text = f"MEMPHIS: {every} (Dakhla)"
    pieces = list(guides.split(Translator("en", game="amunre"), text))

    assert "".join(piece for piece, _ in pieces) == text
    assert [piece for piece, entry in pieces if entry] == ["MEMPHIS", "Dakhla"]


@pytest.mark.parametrize(
    ("game", "ply", "shown"),
    [
        ("amunre", 0, ("Dakhla: up for auction", "Thebes: up for auction", "Sawu: up for auction")),
        ("amunre", 6, ("Thebes: up for auction, no bid", "Dakhla: Green bids 3")),
        ("amunre", 14, ("space 3", "16")),
        ("egizia", 8, ("Sphinx: Green",)),
        ("egizia", 22, ("Built: Obelisk 1",)),
        ("priestsofra", 2, ("The lot: market",)),
        ("priestsofra", 20, ("sun 7 in the centre",)),
        ("priestsofra", 101, ("Middle Kingdom", "Ra track 0 of 8")),
    ],
)
def test_scenes_say_what_their_positions_hold(game: str, ply: int, shown: tuple[str, ...]) -> None:
    """What the words under a picture claim is what the position holds."""
    plies = [scene.ply for scene in guide(game).scenes]
    say, view = guides.translator(game, "en"), guides.positions(game)[plies.index(ply)]
    words = pictures.of(game).alt(view, say)

    assert [claim for claim in shown if claim not in words] == [], words


COUNTED = frozenset({"total", "space", "farmers", "gold", "sun", "old", "one", "two", "three"})
"""What the numbers under the pictures count that are no seats."""


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", GAMES)
def test_a_picture_calls_each_seat_by_its_colour(game: str, language: str) -> None:
    """A seat's number in what is said under a picture is told as a colour, never as a number."""
    say, told = guides.translator(game, language), guide(game)
    for line in (line for scene in told.scenes for line in scene.text):
        numbers = {name: value for name, value in line.params.items() if isinstance(value, int)}
        seats = {name for name in numbers if name.startswith("seat")}
        assert all(say.names[numbers[name]] in say(line) for name in seats), line.text
        assert set(numbers) - seats <= COUNTED, line.text
