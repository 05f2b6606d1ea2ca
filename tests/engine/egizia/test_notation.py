"""Order text: every spelling that is understood, and the form it has for good."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import pytest

from pbem.engine.core.errors import IllegalOrder, InvalidOrder
from pbem.engine.egizia import RULES
from pbem.engine.text.notation import MAX_ORDER, matches_grammar
from tests.engine.egizia.places import PLACES, after, at, feed, keep, sail, sphinx

if TYPE_CHECKING:
    from pbem.engine.text.notation import GrammarRow
    from tests.engine.egizia.tables import Table

ACCEPTED: Final = (
    ("sail", "ship to Edfu", "ship to Edfu"),
    ("sail", "SHIP TO EDFU.", "ship to Edfu"),
    ("sail", "Edfu", "ship to Edfu"),
    ("sail", "nave a Tebe", "ship to Thebae"),
    ("sail", "battello a Beni Hasan", "ship to Beni Hasan"),
    ("sail", "bateau vers Thèbes", "ship to Thebae"),
    ("sail", "sail to heliop, ring left", "ship to Heliopolis, ring left"),
    ("sail", "bateau au Héliopolis, anneau gauche", "ship to Heliopolis, ring left"),
    ("sail", "nave a Passalon, anello destra", "ship to Passalon, ring right"),
    ("sail", "ship to Heliopolis ring right", "ship to Heliopolis, ring right"),
    ("sail", "Heliopolis anneau gauche using upstream", "ship to Heliopolis using upstream, ring left"),
    ("sail", "ship to Passalon, ring stay", "ship to Passalon"),
    ("sail", "ship to Alyl, crew nero", "ship to Alyl, crew black"),
    ("sail", "Alyl, crew jolly", "ship to Alyl, crew joker"),
    ("sail", "ship to alyl, crew jaune", "ship to Alyl, crew yellow"),
    ("sail", "ship to card 3", "ship to A13"),
    ("sail", "ship to Ombos", "ship to A05"),
    ("sail", "card three", "ship to A13"),
    ("sail", "ombos", "ship to A05"),
    ("sail", "Alyl crew blue", "ship to Alyl, crew blue"),
    ("sail", "ship to Alyl crew blue using two ships", "ship to Alyl using two ships, crew blue"),
    ("sail", "Obelisk slot 2", "ship to Obelisk, slot 2"),
    ("sail", "ship to Obelisk queue", "ship to Obelisk, queue"),
    ("sail", "ship to carta 2", "ship to A06"),
    ("sail", "a5", "ship to A05"),
    ("sail", "ship to A05", "ship to A05"),
    ("sail", "ship to sphinx", "ship to Sphinx, slot 1"),
    ("sail", "sphinx", "ship to Sphinx, slot 1"),
    ("sail", "ship to Sfinge slot 2", "ship to Sphinx, slot 2"),
    ("sail", "ship to graves, slot 2", "ship to Obelisk, slot 2"),
    ("sail", "ship to Tempio", "ship to Pyramid, slot 1"),
    ("sail", "ship to obelisk, queue", "ship to Obelisk, queue"),
    ("sail", "ship to Edfu using a monte and due battelli", "ship to Edfu using upstream and two ships"),
    ("sail", "ship to Edfu, double", "ship to Edfu using double"),
    ("sail", "ship to Edfu, sell 4 stones, improve yellow", "ship to Edfu, improve yellow, sell 4"),
    ("sail", "ship to Edfu, 2 stones for black, improve field a5", "ship to Edfu, two stones black, field A05"),
    ("sail", "ship to Edfu, move sphinx to slot 2", "ship to Edfu, move Sphinx 2"),
    ("sail", "pass", "pass"),
    ("sail", "passo", "pass"),
    ("sail", "passe, vendi 3", "pass, sell 3"),
    ("feed", "feed", "feed"),
    ("feed", "feed with 4 grain", "feed with 4 grain"),
    ("feed", "feed four grain and two stones", "feed with 4 grain and stones 2"),
    ("feed", "feed with nothing", "feed"),
    ("feed", "nutro con 4 cereali e 2 pietre", "feed with 4 grain and stones 2"),
    ("feed", "nourrir avec pierres 2", "feed with stones 2"),
    ("sphinx", "sphinx 3 with yellow", "sphinx 3 with yellow"),
    ("sphinx", "draw 2 cards with joker and blue", "sphinx 2 with blue + joker"),
    ("sphinx", "sfinge 1 con blu + jolly using +3 and combine", "sphinx 1 with blue + joker using +3 and combine"),
    ("sphinx", "rinuncio", "renounce"),
    ("keep", "keep S02", "keep S02"),
    ("keep", "tengo s2, ordine s3 s1", "keep S02, order S03 S01"),
    ("keep", "garde rien", "keep none"),
    ("keep", "keep S03 S01 using keep two", "keep S01 S03 using keep two"),
    ("keep", "keep S03 S01 using keep 2, order S02", "keep S01 S03 using keep two"),
    ("keep", "tengo S03 S01 using tieni due", "keep S01 S03 using keep two"),
    (
        "obelisk",
        "build obelisk 1-2, grave with blue + joker using +3, stone market",
        "build obelisk 1-2, grave with blue + joker using +3, stone market",
    ),
    (
        "obelisk",
        "build obelisk 1+2, 2 graves with black, grain market",
        "build obelisk 1-2, graves 2 with black, grain market",
    ),
    ("obelisk", "build obelisk x3 with yellow, cava", "build obelisk 1-3 with yellow, stone market"),
    (
        "obelisk",
        "build obelisk one, two graves with black, grain market",
        "build obelisk 1, graves 2 with black, grain market",
    ),
    (
        "obelisk",
        "costruisco obelisco, tomba con nero, mercato cereali",
        "build obelisk 1, grave with black, grain market",
    ),
    (
        "obelisk",
        "costruisco obelisco, tomba con nero, mercato del grano",
        "build obelisk 1, grave with black, grain market",
    ),
    (
        "obelisk",
        "build obelisk, grave avec noir, marche du grain",
        "build obelisk 1, grave with black, grain market",
    ),
    (
        "obelisk",
        "build obelisk 2-1, grave with black, stone market",
        "build obelisk 1-2, grave with black, stone market",
    ),
    ("obelisk", "construire 2 tombes avec noir", "build graves 2 with black"),
    ("obelisk", "dig 2", "dig graves 2"),
    ("obelisk", "dig 1, obelisk 3, stone market", "dig obelisk 3, grave, stone market"),
    ("obelisk", "stop", "stop"),
    ("pyramid", "build pyramid 2 with black", "build pyramid 2 with black"),
    ("pyramid", "build pyramid 2+1+1, left pylon x2 with black", "build pyramid 1+1+2, left pylon x2 with black"),
    (
        "pyramid",
        "build piramide 1 x2, colonna destra, trabeazione 3+1 with joker + yellow",
        "build pyramid 1+1, right column, entablature 1+3 with yellow + joker",
    ),
    ("pyramid", "build temple lp x2, rp with blue", "build left pylon x2, right pylon with blue"),
    ("pyramid", "renonce", "renounce"),
    ("move", "move to slot 2", "move to slot 2"),
    ("move", "sposta a 2", "move to slot 2"),
    ("move", "resto", "stay"),
    ("leftover", "leftover a9", "leftover A09"),
    ("leftover", "leftover nessuna", "leftover none"),
    ("leftover", "leftover B22, crews blue twice", "leftover B22, crew blue, crew blue"),
    ("leftover", "leftover B22 crew black and blue", "leftover B22, crew blue, crew black"),
    ("after", "done, improve blue", "done, improve blue"),
    ("after", "improve bleu", "done, improve blue"),
    ("after", "fatto", "done"),
)


@pytest.mark.parametrize(("place", "text", "canonical"), ACCEPTED)
def test_accepted_spellings(place: str, text: str, canonical: str) -> None:
    """Any case, accents, Italian and French words; each has one canonical form, which is read back alike."""
    state = PLACES[place]().state
    order = RULES.read(state, 0, text)

    assert str(order) == canonical
    assert RULES.read(state, 0, canonical) == order
    assert matches_grammar(RULES.grammar, canonical)


def test_endless_text_is_refused_before_it_is_read() -> None:
    """One character too many."""
    with pytest.raises(InvalidOrder, match="at most 2000 are read"):
        RULES.read(sail().state, 0, "ship to " + "x" * MAX_ORDER)


def test_an_empty_card_space_can_not_be_named_by_number() -> None:
    """`card 1` after its card is taken."""
    table = sail()
    table.do("0: ship to A05")

    with pytest.raises(IllegalOrder, match="No card lies on card space 1 any more"):
        RULES.read(table.state, 1, "ship to card 1")


def test_the_queue_is_found_by_itself_at_a_full_site() -> None:
    """`ship to Sphinx` means the nearest free slot, then the queue."""
    table = sail()
    found = []
    for seat in range(3):
        found.append(str(RULES.read(table.state, seat, "ship to Sphinx")))
        table.do(f"{seat}: ship to Sphinx")

    assert found == ["ship to Sphinx, slot 1", "ship to Sphinx, slot 2", "ship to Sphinx, queue"]


def _place(row: GrammarRow) -> Table:
    """Where an order of this row can be given; building within limits asks what can be built."""
    if "up to" in row.syntax and row.kind == "build":
        return at("Pyramid")
    return {"ship": sail, "feed": feed, "sphinx": sphinx, "keep": keep}.get(row.kind, after)()


_OBELISK = "build obelisk 1-2 with blue, stone market, improve blue"
WITH_CARDS: Final = (
    ("Sphinx", "has A12", "sphinx up to 5 with blue, improve blue", "sphinx 3 with blue, improve blue"),
    ("Sphinx", "has A21", "sphinx up to 5 with blue using +3", "sphinx 5 with blue using +3"),
    ("Sphinx", "has B13", "sphinx up to 5 with blue, two stones blue", "sphinx 3 with blue, two stones blue"),
    (
        "Pyramid",
        "has A12",
        "build up to 9 with blue, improve blue",
        "build pyramid 1, left column with blue, improve blue",
    ),
    ("Obelisk", "has A12", "build up to 9 with blue, stone market, improve blue", _OBELISK),
)


@pytest.mark.parametrize(("site", "card", "text", "meant"), WITH_CARDS)
def test_as_much_as_can_be_counts_the_cards_that_go_along(site: str, card: str, text: str, meant: str) -> None:
    """EG-4.5: a crew that a card raises just before works with what it has then, and the card is part of the order."""
    table = at(site, f"0: crews 2 5 5 5, {card}")

    assert str(RULES.read(table.state, 0, text)) == meant
    assert table.faults(0, text) == []


def test_every_example_of_the_grammar_is_read_and_matches() -> None:
    """The table's examples are orders of their own kind."""
    for row in RULES.grammar:
        state = _place(row).state
        order = RULES.read(state, 0, row.example)
        assert matches_grammar((row,), row.example)
        assert matches_grammar(RULES.grammar, str(order))


@pytest.mark.parametrize("clause", ["ring stay", "anello resta", "anneau reste", "marche du grain", "jusqu'a 6"])
def test_mail_knows_every_word_that_a_clause_is_read_by(clause: str) -> None:
    """The words that may stand in an order's line are taken from the clauses themselves: none can be forgotten."""
    assert matches_grammar(RULES.grammar, f"ship to Passalon, {clause}")
