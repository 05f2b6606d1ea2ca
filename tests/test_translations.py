from __future__ import annotations

import re
from collections import Counter

import pytest
from babel.messages.pofile import read_po

from pbem.engine.amunre import data as amunre_data
from pbem.engine.egizia import data as egizia_data
from pbem.engine.egizia import reading as egizia_clauses
from pbem.engine.priestsofra.data import FACES
from pbem.engine.priestsofra.orders import FACE_NAMES
from pbem.engine.registry import GAMES, rules_of
from pbem.engine.text.notation import Names, fold
from pbem.messages import LANGUAGES, Translator, catalogue, holes, words_of
from tests.catalogue import messages, path_of
from tests.glossary import ONE_WORD, Row, doubles
from tests.test_house import HOME

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
    say = Translator(language)
    for text in catalogue(language):
        for count in (0, 1, 2):
            said = say(text, **dict.fromkeys(holes(text), count))
            assert not re.search(r"\([^()]*\|[^()]*\)|\(e?s\)", said), said


@others
def test_plural_brackets_count_what_they_count_in_english(language: str) -> None:
    """A sentence turned round still picks singular or plural by a number that English counts too.

    English says "3 gold" and "3 grain" where other languages count coins and grains.
    """
    for message, text in catalogue(language).items():
        if _counted(message):
            pieces = set(re.findall(r"\{(\w+)\} (?:gold|grain)\b", message))
            assert _counted(text) <= _counted(message) | pieces | {""}, message


_NEVER_ONE = {
    **dict.fromkeys(("limit", "length", "spaces", "all"), "what a rule, a box or what is too long comes to"),
    **dict.fromkeys(("seat_best", "province", "face", "tile", "waters", "name", "names", "seat"), "words"),
    "value": "1 can be used",
    **dict.fromkeys(("days", "least", "high"), "the program's own, or beyond a limit"),
    **dict.fromkeys(("times", "farmers", "three", "n"), "of one there is another sentence, or none"),
}
"""Holes before a plural, and why none of them is filled by 1."""
_COUNTS = {
    "cards": "one card has a sentence of its own",
    "orders": "more than a limit",
    "times": "told from the second time on",
    "grain from cards": "grain has no plural",
    "players": "of a game",
    "tiles": "of several there are, or beyond a limit",
    "such tiles": "there are four of each at least",
    "games": "one is invited to otherwise",
    "invitations": "one is accepted otherwise",
    "seats": "one is called otherwise",
    "standing orders": "the most there can be",
}
"""What the other holes stand before, likewise."""


def test_what_is_counted_may_be_one() -> None:
    """Where a number stands before a plural it has a bracket, such as "hour(s)", or can't be 1."""
    nouns = {noun for message in messages() for noun in re.findall(r"([a-z]+)\(s\)", message)}
    plurals = "|".join([*(f"{noun}s" for noun in sorted(nouns)), "characters", "days", "tries", "words"])
    plural = re.compile(rf"\{{(\w+)\}}((?: [a-z-]+){{0,2}}? (?:{plurals})\b)")
    found = [(message, hole, thing.strip()) for message in messages() for hole, thing in plural.findall(message)]

    assert [one for one in found if one[1] not in _NEVER_ONE and one[2] not in _COUNTS] == []
    assert {hole for _, hole, _ in found} >= set(_NEVER_ONE)
    assert {thing for _, _, thing in found} >= set(_COUNTS)


def _counted(text: str) -> set[str]:
    """The holes whose numbers the brackets of a sentence follow; "" for a bracket before any hole."""
    found, last = set(), ""
    for hole in re.finditer(r"\{(\w+)(?:!r)?\}|\((?:e?s|[^()|{}]*\|[^()|{}]*)\)", text):
        if hole[1] is None:
            found.add(last)
        elif not hole[1].startswith("seat_") and hole[1] != "seat":
            last = hole[1]
    return found


@others
@pytest.mark.parametrize(
    ("names", "things"),
    [
        (Names("card", amunre_data.CARD_SPELLINGS), amunre_data.CARDS),
        (egizia_clauses.CREWS, egizia_data.CREWS),
        (egizia_clauses.PARTS, egizia_data.PARTS),
        (egizia_clauses.SITES, egizia_data.SITE_NAMES),
        (FACE_NAMES, FACES),
    ],
    ids=["cards", "crews", "parts", "sites", "faces"],
)
def test_a_thing_can_be_typed_as_it_is_called(language: str, names: Names, things: tuple[str, ...]) -> None:
    """What a letter calls a card, a crew or a tile is understood in an order."""
    assert [names.find(catalogue(language)[thing]) for thing in things] == list(things)


def test_french_is_familiar_and_well_set() -> None:
    """Players are called "tu", and the space before ; : ? ! never breaks a line."""
    wrong = re.compile(r"\b(vous|votre|vos)\b| [;:?!](\s|$)", re.IGNORECASE)

    assert [text for text in catalogue("fr").values() if wrong.search(text)] == []


def test_marks_inside_other_calls_are_found() -> None:
    """`say(Said(N_("...")))` is a message too."""
    assert "Deck {deck}, discard pile {pile}." in messages()


def test_english_says_the_id_itself() -> None:
    """English needs no catalogue."""
    assert catalogue("en") == {}


@pytest.mark.parametrize("language", LANGUAGES)
def test_one_thing_has_one_name(language: str) -> None:
    """No sentence of any catalogue calls a thing by a word that the glossary keeps out."""
    texts = catalogue(language) or {message: message for message in messages()}

    assert list(doubles(language, texts)) == []


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", GAMES)
def test_rules_call_a_thing_by_its_one_name(language: str, game: str) -> None:
    """Nor does a rule of any game, code apart; words that have a use elsewhere may stand, as a rule says several.

    What stands before the rules tells what the printed ones call things.
    """
    name = "RULES.md" if language == LANGUAGES[0] else f"RULES.{language}.md"
    text = re.sub(r"(?s)```.*?```|`[^`\n]*`", "", (HOME / "pbem" / "engine" / game / name).read_text(encoding="utf-8"))
    rules = [line for line in text.splitlines() if line.startswith(("- ", "  "))]
    never = [row for row in ONE_WORD if row.language == language and not row.where]

    assert rules
    assert [line for line in rules for row in never if re.search(row.never, line, re.IGNORECASE)] == []


TURNED = {"on"}
"""Words of orders that sentences turn otherwise: "on Memphis" is a place here, a price there."""


@others
@pytest.mark.parametrize("game", GAMES)
def test_orders_and_sentences_call_a_thing_alike(language: str, game: str) -> None:
    """A word of an order that stands before what it counts or names, as in "slot 2": verbs apart, which bend."""
    rules, texts, column = rules_of(game), words_of(language, game), LANGUAGES.index(language) - 1
    verbs = {row.example.partition(" ")[0] for row in rules.grammar}
    words = {
        word: said[column] for word, said in rules.meta.order_words.items() if word.isalpha() and word not in verbs
    }
    told = {text: re.sub(r"{\w+}", "", texts.get(text, text)) for text in messages()}
    found = [
        (text, said)
        for text, place in messages().items()
        for word, said in words.items()
        if f"/{game}/" in place and word not in TURNED and re.search(rf"(?<!\w){word} {{\w+}}", text, re.IGNORECASE)
    ]

    assert [(text, said) for text, said in found if fold(said)[:4] not in fold(told[text])] == []


@pytest.mark.parametrize("row", ONE_WORD, ids=lambda row: f"{row.language} {row.thing}")
def test_the_word_that_is_said_is_not_kept_out(row: Row) -> None:
    """The pattern of each row of the glossary lets the word through that it asks for."""
    assert not re.search(row.never, row.said, re.IGNORECASE)


@pytest.mark.parametrize(
    ("language", "text", "said"),
    [
        ("it", "{seat} naviga fino a {place}: jolly +1.", "Bo naviga fino ad Alyl: jolly +1."),
        ("fr", "Quelqu'un d'autre prend-il la place de {seat}\N{NO-BREAK SPACE}?", "la place d'Anna"),
    ],
)
def test_a_vowel_before_a_vowel_is_said_as_people_say_it(language: str, text: str, said: str) -> None:
    """Italian says "ad Alyl", French "d'Anna", also where the name only comes in when the sentence is said."""
    message = next(id_ for id_, translation in catalogue(language).items() if translation == text)
    names = ("Bo",) if language == "it" else ("Anna",)

    assert said in Translator(language, names=names)(message, seat=0, place="Alyl")
