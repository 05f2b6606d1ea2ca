"""Order text: what is understood, and the exact sentence for what is not."""

from __future__ import annotations

import pytest

from pbem.engine.core.errors import REFUSALS, AmbiguousOrder, EngineError, IllegalOrder, InvalidOrder
from pbem.engine.core.rng import Rng
from pbem.engine.priestsofra import RULES
from pbem.engine.priestsofra.state import State
from pbem.engine.text.notation import GrammarRow, matches_grammar
from tests.engine.priestsofra.tables import act, changed, deal


def at(kind: str) -> State:
    """A state in which seat 1 is asked for this kind of decision."""
    state = deal()
    if kind == "turn":
        act(state, "draw = pyramid")
    if kind == "face":
        act(state, "draw = pyramid", "draw = farmer/warrior")
    if kind == "bid":
        act(state, "ra")
    if kind == "flip":
        state = changed(
            state,
            """
            lot: 2 priests
            1: 2 farmers, granary, library, chamber A
            """,
        )
        act(state, "ra", "bid 12", "pass", "pass")
    return state


ACCEPTED = {
    "turn": {
        "draw": "draw",
        "  Draw. ": "draw",
        "pesca": "draw",
        "pioche": "draw",
        "draw farmer": "draw farmer",
        "draw Farmers, MARKET": "draw farmer, market",
        "draw market and farmer": "draw farmer, market",
        "pesca contadino, mercato": "draw farmer, market",
        "estrai agricoltore e biblioteca": "draw farmer, library",
        "tire fermier et bibliothèque": "draw farmer, library",
        "piocher marché": "draw market",
        "draw farm": "draw farmer",
        "draw a": "draw chamber A",
        "draw camera b, chambre D": "draw chamber B, chamber D",
        "draw farmer, farmer": "draw farmer",
        "ra": "ra",
        "RA!": "ra",
        "call": "ra",
        "call Ra": "ra",
        "invoca Ra": "ra",
        "chiama ra": "ra",
        "invoquer ra": "ra",
    },
    "face": {
        "show farmer": "show farmer",
        "farmer": "show farmer",
        "guerriero": "show warrior",
        "montre paysan": "show farmer",
        "mostra guerrieri": "show warrior",
    },
    "bid": {
        "bid 9": "bid 9",
        "bid nine": "bid 9",
        "mise neuf": "bid 9",
        "nove": "bid 9",
        "9": "bid 9",
        "offro 12": "bid 12",
        "mise 6": "bid 6",
        "bid lowest": "bid 3",
        "bid lowest up to 9": "bid 3",
        "bid up to 9": "bid 3",
        "bid highest": "bid 12",
        "bid highest up to 10": "bid 9",
        "offri piu basso fino a 6": "bid 3",
        "mise plus haut jusqu'à 9": "bid 9",
        "pass": "pass",
        "Passo": "pass",
        "passe": "pass",
        "no bid": "pass",
    },
    "flip": {
        "flip farmer": "flip farmer",
        "flip library, farmer": "flip farmer, library",
        "flip 2 farmers": "flip farmer, farmer",
        "flip two farmers": "flip farmer, farmer",
        "flip farmer and farmer": "flip farmer, farmer",
        "flip granary to fortress": "flip granary",
        "turn none": "flip none",
        "turn over farmer": "flip farmer",
        "gira contadino in guerriero": "flip farmer",
        "retourne fermier, bibliothèque": "flip farmer, library",
        "flip none": "flip none",
        "none": "flip none",
        "gira nessuno": "flip none",
        "retourne rien": "flip none",
    },
}


@pytest.mark.parametrize(
    ("kind", "text", "canonical"),
    [(kind, text, canonical) for kind, table in ACCEPTED.items() for text, canonical in table.items()],
)
def test_spellings_that_are_understood(kind: str, text: str, canonical: str) -> None:
    """Case, accents, plurals, three languages, unique beginnings and relative bids are read; one form is printed."""
    state = at(kind)
    order = RULES.read(state, 1, text)

    assert str(order) == canonical
    assert RULES.check(state, 1, order) == []
    assert RULES.read(state, 1, canonical) == order


DRAW_FORMS = "draw | draw farmer, market | ra"
BID_FORMS = "bid 9 | bid lowest up to 9 | bid highest up to 9 | pass"
FACES = (
    "farmer, warrior, merchant, scribe, granary, fortress, market, library, chamber A, chamber B, chamber C, "
    "chamber D, pyramid, priest, plague"
)
REFUSED = [
    ("turn", "", f"There is no order in this line. You may write: {DRAW_FORMS}."),
    ("turn", "   ", f"There is no order in this line. You may write: {DRAW_FORMS}."),
    ("turn", "dance", f"'dance' is no order here. You may write: {DRAW_FORMS}."),
    ("turn", "9", f"'9' is no order here. You may write: {DRAW_FORMS}."),
    ("turn", "farmer", f"'farmer' is no order here. You may write: {DRAW_FORMS}."),
    ("turn", "draw hippo", f"'hippo' is no face. There are: {FACES}."),
    ("turn", "draw priest", "A priest has one face only: there is nothing to choose."),
    ("turn", "draw pyramid, farmer", "A pyramid has one face only: there is nothing to choose."),
    ("turn", "draw farmer, warrior", "farmer and warrior are two faces of one tile: name one of them."),
    ("turn", "draw chamber A, B", "chamber A and chamber B are two faces of one tile: name one of them."),
    ("turn", "draw mer", "'mer' could be market, merchant: please write one of them out."),
    ("turn", "bid lowest", "There is no auction now: a bid must wait for one."),
    ("turn", "bid up to 9", "There is no auction now: a bid must wait for one."),
    ("face", "show", "'show' wants a face: show farmer."),
    ("turn", "draw farmre", "'farmre' is no face. Did you mean farmer?"),
    ("face", "show mummy", f"'mummy' is no face. There are: {FACES}."),
    ("face", "both", "'both' is no order here. You may write: show farmer."),
    ("bid", "bid", "'bid' wants a sun: bid 9, or bid lowest."),
    ("bid", "bid many", "'many' is not a whole number: bid wants one."),
    ("bid", "bid up to many", "'many' is not a whole number: bid wants one."),
    ("bid", "bid 9.5", "'9.5' is not a whole number: bid wants one."),
    ("bid", "bid up to 2", "None of your face-up suns up to 2 beats 0."),
    ("bid", "123", f"'123' is no order here. You may write: {BID_FORMS}."),
    ("bid", "maybe", f"'maybe' is no order here. You may write: {BID_FORMS}."),
    ("flip", "flip", "'flip' wants the tiles to flip: flip farmer, library. To flip nothing: flip none."),
    ("flip", "flip pyramid", "A pyramid has one face only: there is nothing to choose."),
    ("flip", "flip granary to market", "The other face of granary is fortress: name that one."),
    ("flip", "flip 0 farmers", "You can't flip 0 tiles: from 1 to 8 are read."),
    ("flip", "flip 99 farmers", "You can't flip 99 tiles: from 1 to 8 are read."),
    ("flip", "flip sphinx", f"'sphinx' is no face. There are: {FACES}."),
    ("flip", "everything", "'everything' is no order here. You may write: flip farmer, library | flip none."),
]


@pytest.mark.parametrize(("kind", "text", "sentence"), REFUSED)
def test_spellings_that_are_refused(kind: str, text: str, sentence: str) -> None:
    """What can't be read is refused with one sentence that names it and what to write instead."""
    with pytest.raises(REFUSALS) as refused:
        RULES.read(at(kind), 1, text)

    assert str(refused.value) == sentence


def test_a_very_long_order_is_refused_unread() -> None:
    """More than 2,000 characters are no order line."""
    with pytest.raises(InvalidOrder, match=r"^The order is 2001 characters long; at most 2000 are read\."):
        RULES.read(at("turn"), 1, "x" * 2001)


def test_a_beginning_that_fits_several_names_lists_them() -> None:
    """What a beginning could mean comes with the refusal, as whole orders that are legal now."""
    with pytest.raises(AmbiguousOrder) as refused:
        RULES.read(at("turn"), 1, "draw farmer, MER")

    assert str(refused.value) == "'mer' could be market, merchant: please write one of them out."
    assert refused.value.candidates == ("draw farmer, market", "draw farmer, merchant")


def test_a_limit_below_every_winning_sun_names_the_best_bid() -> None:
    """`bid lowest up to 9` against 10 is no order, and says why with the rule."""
    state = deal()
    act(state, "ra", "bid 12")
    with pytest.raises(IllegalOrder) as limited:
        RULES.read(state, 2, "bid lowest up to 10")
    with pytest.raises(IllegalOrder) as unlimited:
        RULES.read(state, 2, "bid lowest")

    assert str(limited.value) == "None of your face-up suns up to 10 beats 12."
    assert str(unlimited.value) == "None of your face-up suns beats 12: you may pass."
    assert limited.value.faults[0].rule == unlimited.value.faults[0].rule == "PR-3.1"


def test_whatever_is_written_ends_in_an_order_or_a_refusal() -> None:
    """Random words of the grammar in random order never fail in any other way."""
    words = ["draw", "ra", "bid", "pass", "flip", "show", "lowest", "up", "to", "9", "farmer", "chamber", "a", ","]
    words += ["and", "none", "x", "2", "-1", "é", "'", '"']
    chance = Rng("notation", 0)
    read = 0
    for kind in ("turn", "face", "bid", "flip"):
        state = at(kind)
        for _ in range(400):
            text = " ".join(words[chance.below(len(words))] for _ in range(1 + chance.below(5)))
            try:
                order = RULES.read(state, 1, text)
            except EngineError as refused:
                assert str(refused)  # noqa: PT017 - any refusal will do, but it must be in words
            else:
                read += 1
                assert RULES.read(state, 1, str(order)) == order

    assert read > 30


@pytest.mark.parametrize(
    ("text", "kinds"),
    [
        ("draw farmer, market", {"turn"}),
        ("bid lowest up to 9", {"bid"}),
        ("offri fino a 9", {"bid"}),
        ("9", {"bid"}),
        ("farmer", {"face"}),
        ("flip 2 farmers, granary to fortress", {"flip"}),
        ("see you on tuesday", set()),
        ("I draw the line here", set()),
    ],
)
def test_mail_finds_orders_by_the_grammar(text: str, kinds: set[str]) -> None:
    """Each accepted form has the shape of a row of its own kind, and plain prose has none."""
    found = {kind for kind in ("turn", "face", "bid", "flip") if matches_grammar(rows(kind), text)}

    assert found == kinds


def rows(kind: str) -> list[GrammarRow]:
    """The rows of the grammar for one kind of decision."""
    return [row for row in RULES.grammar if row.kind == kind]


@pytest.mark.parametrize("row", RULES.grammar, ids=lambda row: row.syntax)
def test_every_example_of_the_grammar_is_read(row: GrammarRow) -> None:
    """The example of each row matches its own pattern and is an order of its kind."""
    assert matches_grammar([row], row.example)
    assert str(RULES.read(at(row.kind), 1, row.example)).split()[0] == row.example.split()[0]
