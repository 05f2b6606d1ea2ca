"""Reading order text: what is folded away, numbers, names and their spellings, and the table of a grammar."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.engine.core.errors import AmbiguousOrder, InvalidOrder
from pbem.engine.core.message import Message
from pbem.engine.registry import rules_of
from pbem.engine.text.notation import MAX_ORDER, GrammarRow, Names, fold, matches_grammar, qualified, refuse_long, whole

NAMES = Names("province", {"Memphis": ("Menfi",), "Mendes": ("Mendès",), "Abu": ()})


@pytest.mark.parametrize(
    ("typed", "folded"),
    [
        ("  Bid  9. ", "bid 9"),
        ("MENDÈS", "mendes"),
        ("grave 1\N{EN DASH}2", "grave 1-2"),
        ("l\N{RIGHT SINGLE QUOTATION MARK}oro!", "l'oro"),
        ("a\n\tb\N{NO-BREAK SPACE}c", "a b c"),
    ],
)
def test_folding_drops_what_makes_no_difference(typed: str, folded: str) -> None:
    """Capitals, accents, odd blanks, dashes and quotes, and a final stop."""
    assert fold(typed) == folded


@pytest.mark.parametrize("typed", ["Memphis", "memphis", "MENFI", "Mem", " memph "])
def test_a_name_is_found_by_any_spelling_or_a_clear_beginning(typed: str) -> None:
    """Other languages' names and beginnings of three letters and more will do."""
    assert NAMES.read(typed) == "Memphis"


def test_a_beginning_that_fits_two_is_asked_back() -> None:
    """The refusal lists the candidates."""
    with pytest.raises(AmbiguousOrder, match="'Men' could be Memphis, Mendes") as refused:
        NAMES.read("Men")

    assert set(refused.value.candidates) == {"Memphis", "Mendes"}


@pytest.mark.parametrize("typed", ["Me", "", "Rome"])
def test_an_unknown_name_is_refused_with_all_there_are(typed: str) -> None:
    """Two letters are too few, and the sentence lists the names."""
    with pytest.raises(InvalidOrder) as refused:
        NAMES.read(typed)

    assert str(refused.value) == f"{typed!r} is no province. There are: Memphis, Mendes, Abu."


@pytest.mark.parametrize(("typed", "name"), [("Memhpis", "Memphis"), ("Memfi", "Memphis"), ("Mendez", "Mendes")])
def test_a_slip_in_a_name_is_asked_back_with_the_name(typed: str, name: str) -> None:
    """Nothing is guessed: the refusal names the one that was probably meant."""
    with pytest.raises(InvalidOrder) as refused:
        NAMES.read(typed)

    assert str(refused.value) == f"{typed!r} is no province. Did you mean {name}?"
    assert NAMES.meant(name) is None


def test_an_exact_short_name_is_found() -> None:
    """A name of three letters that begins nothing else."""
    assert NAMES.find("abu") == "Abu"
    assert NAMES.spellings()[0] == "memphis"


def test_whole_numbers_only() -> None:
    """Signs and digits of any script are read; words, fractions, raised digits and endless numbers are refused."""
    assert whole("-12", "the bid") == -12
    assert whole("1\N{ARABIC-INDIC DIGIT THREE}", "the bid") == 13
    for word in ("nine", "1.5", "1\N{SUPERSCRIPT TWO}", "\N{CIRCLED DIGIT TWO}", "1234567", "+5", ""):
        with pytest.raises(InvalidOrder, match="is not a whole number: the bid wants one"):
            whole(word, "the bid")


@pytest.mark.parametrize(
    ("typed", "sign"),
    [
        *(("offer 5+", "5+"), ("offer 5 +", "5 +"), ("offer >= 5", ">= 5"), ("offer ~five", "~five"), ("5 ?", "5 ?")),
        *(
            ("(?)5", "?)5"),
            ("five-, sell block", "five-"),
            ("\N{FULLWIDTH DIGIT FIVE}\N{FULLWIDTH PLUS SIGN}", "5+"),
            ("5%", "5%"),
        ),
        *(("obelisk 1-3", ""), ("obelisk 1 - 3", ""), ("1+2+2", ""), ("using +3 and x", ""), ("1 Buto + 2 Abu", "")),
        ("bid 5 on Abu \N{THINKING FACE}", "\N{THINKING FACE}"),
        *(("8-gold", ""), ("2 farmers -> Buto", ""), ("offer 5!", ""), ("bid?", ""), ("tent+5", "")),
    ],
)
def test_a_sign_beside_a_number_makes_it_another_one(typed: str, sign: str) -> None:
    """Not one that joins numbers or names."""
    assert qualified(fold(typed)) == sign


def test_endless_orders_are_refused_unread() -> None:
    """The limit is exact."""
    refuse_long("x" * MAX_ORDER)
    with pytest.raises(InvalidOrder, match=f"is {MAX_ORDER + 1} characters long; at most {MAX_ORDER}"):
        refuse_long("x" * (MAX_ORDER + 1))


def test_a_grammar_says_what_looks_like_an_order() -> None:
    """Rows without a pattern match nothing; the others match whole folded text."""
    rows = (GrammarRow("bid", "bid N", "bid 9", "Bid.", r"bid \d+"), GrammarRow("talk", "anything", "hello", "Talk."))

    assert matches_grammar(rows, "BID 12.")
    assert not matches_grammar(rows, "bid 12 please")
    assert not matches_grammar(rows, "anything")


@given(st.text(max_size=80))
def test_reading_any_name_refuses_in_words_or_finds_one(text: str) -> None:
    """No text makes the reader fail otherwise."""
    try:
        found = NAMES.read(text)
    except (InvalidOrder, AmbiguousOrder) as error:
        found = str(error)
    assert found


def test_a_game_is_found_by_its_name() -> None:
    """A clear beginning will do, and an unknown game is refused with those there are."""
    assert rules_of("priests").meta.name == "priestsofra"
    with pytest.raises(InvalidOrder, match=r"'chess' is no game here\. There are: amunre, egizia, priestsofra\."):
        rules_of("chess")


def test_sentences_print_lists_by_commas() -> None:
    """What fills a hole is shown as a person would write it."""
    assert str(Message("{names} and {count}", {"names": ("a", "b"), "count": 3})) == "a, b and 3"
