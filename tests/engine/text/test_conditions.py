"""Conditions of standing orders said back in words, in the reader's language."""

from __future__ import annotations

import pytest

from pbem.engine.core.errors import InvalidOrder
from pbem.engine.registry import GAMES, rules_of
from pbem.engine.text import standing_orders, standing_text
from pbem.engine.text.condition_reader import Vocabulary, kind_of, read_condition
from pbem.engine.text.notation import fold
from pbem.messages import LANGUAGES, Translator, catalogue

SPOKEN = {
    "tiles < 5": (
        "If tiles is under 5: `draw`.",
        "Se «tessere nel lotto» è sotto 5: `draw`.",
        "Si « tuiles du lot » vaut moins de 5 : `draw`.",
    ),
    "alone or (5 tiles and farmer in lot)": (
        "If alone holds or (tiles is at least 5 and farmer is in lot): `draw`.",
        "Se vale «da solo» o («tessere nel lotto» è almeno 5 e «agricoltore» è in «lotto»): `draw`.",
        "Si « seul » est vrai ou (« tuiles du lot » vaut au moins 5 et « paysan » est dans « lot ») : `draw`.",
    ),
    "{farmer, library} in lot": (
        "If farmer or library is in lot: `draw`.",
        "Se «agricoltore o biblioteca» è in «lotto»: `draw`.",
        "Si « paysan ou bibliothèque » est dans « lot » : `draw`.",
    ),
    "lead + 3 >= my_points - 1": (
        "If lead plus 3 is at least my points less 1: `draw`.",
        "Se «vantaggio più 3» è almeno i miei punti meno 1: `draw`.",
        "Si « avance plus 3 » vaut au moins mes points moins 1 : `draw`.",
    ),
    "not (alone or 3 flips) and ra_left = 1": (
        "If it is not so that (alone holds or flips is at least 3) and ra left is 1: `draw`.",
        "Se non è vero che (vale «da solo» o «tessere da girare» è almeno 3) e «tessere Ra mancanti» è 1: `draw`.",
        (
            "Si ce n'est pas vrai que (« seul » est vrai ou « tuiles à retourner » vaut au moins 3) et"
            " « tuiles Ra manquantes » est 1 : `draw`."
        ),
    ),
}


def told(condition: str, language: str) -> str:
    """The sentence for `when CONDITION: draw`, hard spaces as soft ones and the order always between backticks."""
    line = standing_orders.words(standing_text.parse(rules_of("priestsofra"), f"when {condition}: draw"))[1]
    return Translator(language)(line).replace("\N{NO-BREAK SPACE}", " ").replace(": draw.", ": `draw`.")


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("condition", SPOKEN)
def test_a_condition_is_said_in_the_readers_language(condition: str, language: str) -> None:
    """Every word between the facts' names, and those names, come from the catalogue."""
    assert told(condition, language) == SPOKEN[condition][LANGUAGES.index(language)]


@pytest.mark.parametrize(
    ("condition", "said"),
    [
        ("not tiles < 5 and 3 flips", "tiles is at least 5"),
        ("not tiles >= 5 and 3 flips", "tiles is under 5"),
        ("not tiles <= 5 and 3 flips", "tiles is over 5"),
        ("not tiles > 5 and 3 flips", "tiles is at most 5"),
        ("not tiles = 5 and 3 flips", "tiles is not 5"),
        ("not tiles != 5 and 3 flips", "tiles is 5"),
        ("not farmer in lot and 3 flips", "farmer is not in lot"),
        ("not alone and 3 flips", "alone does not hold"),
        ("not not alone and 3 flips", "alone holds"),
    ],
)
def test_a_denied_condition_is_said_plainly(condition: str, said: str) -> None:
    """`not` turns the comparison round instead of standing before it."""
    assert told(condition, "en") == f"If {said} and flips is at least 3: `draw`."


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("language", LANGUAGES[1:])
def test_every_fact_has_a_name_in_every_language(game: str, language: str) -> None:
    """What a condition can speak of is named in the reader's words."""
    names = [name.replace("_", " ") for name in rules_of(game).facts_help]

    assert [name for name in names if name not in catalogue(language)] == []


@pytest.mark.parametrize("length", [9, 60, 61])
def test_a_game_that_lists_no_names_takes_words_of_sixty_characters(length: int) -> None:
    """As they are folded."""
    words = "Long boats " * 5 + "carrying"
    text, vocabulary = f"card is {words[:length]}", Vocabulary({"card": kind_of("")})
    if length <= 60:
        assert fold(words[:length]) in str(read_condition(text, vocabulary))
    else:
        with pytest.raises(InvalidOrder, match="is no fact and no name in this game"):
            read_condition(text, vocabulary)
