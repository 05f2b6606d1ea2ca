"""Forms, questions and descriptions of the decisions, and what filled-in forms mean."""

from __future__ import annotations

import pytest

from pbem.engine.core.errors import InvalidOrder
from pbem.engine.core.forms import Choice, Count, Form, Pick
from pbem.engine.priestsofra import RULES
from pbem.engine.priestsofra.state import State
from tests.engine.priestsofra.tables import act, changed, deal, position
from tests.engine.priestsofra.test_ch7_final import finished


def form(state: State, seat: int) -> Form:
    """The form of a seat."""
    return RULES.form(RULES.view(state, seat))


def fields(state: State, seat: int) -> dict[str, object]:
    """The form's fields by name."""
    return {field.name: field for group in form(state, seat).groups for field in group.fields}


def choices(field: object) -> dict[str, Choice]:
    """What can be picked in a field, by value."""
    assert isinstance(field, Pick)
    return {choice.value: choice for choice in field.choices}


def text(state: State, seat: int, **given: str | list[str]) -> str:
    """The order text of a form filled in."""
    lists = {name.replace("_", "-"): value if isinstance(value, list) else [value] for name, value in given.items()}
    return RULES.order_text(RULES.view(state, seat), lists)


def test_the_turn_form_offers_both_deeds_and_faces_ahead() -> None:
    """Draw or call, with what each brings; and for each two-faced tile a wish that is preset to `ask`.

    Calling is tapped on the last tile of the lot, on the sun to be won where there is none: never on an empty space.
    """
    state = deal()
    assert choices(fields(state, 0)["action"])["ra"].target == "centre"
    state = changed(state, "lot: pyramid, farmer")
    assert choices(fields(state, 0)["action"])["ra"].target == "lot:2"
    there = fields(state, 0)

    assert form(state, 0).quick == ("draw", "ra")
    assert list(choices(there["action"])) == ["draw", "ra"]
    assert str(choices(there["action"])["draw"].effect) == "Ra tiles in the bag: 30 of 172."
    assert (
        str(choices(there["action"])["ra"].effect)
        == "An auction of 2 tile(s) and sun 1; if nobody else bids, you must."
    )
    assert list(choices(there["tile-5"])) == ["ask", "chamber A", "chamber B"]
    assert there["tile-1"].chosen == ("ask",)  # type: ignore[attr-defined] # a Pick, as the line above has shown
    assert text(state, 0, action="draw", tile_1="warrior", tile_4="ask") == "draw warrior"
    assert text(state, 0, action="draw") == "draw"
    assert text(state, 0, action="ra", tile_1="warrior") == "ra"


def test_with_a_full_lot_only_the_call_is_offered() -> None:
    """A forced call has one choice and says that one may pass."""
    state = changed(deal(), "lot: 8 pyramids")

    assert form(state, 0).quick == ("ra",)
    assert str(choices(fields(state, 0)["action"])["ra"].effect) == "An auction of 8 tile(s) and sun 1; you may pass."
    assert str(RULES.question(RULES.view(state, 0))) == "The lot is full: you must call Ra."


def test_the_face_form_says_what_one_has() -> None:
    """Two choices, each with the number of such tiles one has already."""
    state = changed(deal(), "0: 3 farmers")
    act(state, "draw = farmer/warrior")
    there = choices(fields(state, 0)["face"])

    assert {value: str(choice.effect) for value, choice in there.items()} == {
        "farmer": "You have 3 of these.",
        "warrior": "You have 0 of these.",
    }
    assert text(state, 0, face="warrior") == "show warrior"
    assert str(RULES.cautious(RULES.view(state, 0))) == "show farmer"


def test_the_bid_form_offers_the_suns_that_win() -> None:
    """In turn: pass and each winning sun, which is also its board element."""
    state = deal(auctions="in_turn")
    act(state, "ra", "bid 9")
    there = choices(fields(state, 2)["bid"])

    assert list(there) == ["pass", "bid 10", "bid 11"]
    assert (there["bid 10"].price, there["bid 10"].target) == (10, "sun:10")
    assert form(state, 2).quick == ("pass", "bid 10", "bid 11")
    assert text(state, 2, bid="bid 11") == "bid 11"
    with pytest.raises(InvalidOrder, match=r"Please choose one of pass, bid 10, bid 11 in the field 'bid'\."):
        text(state, 2, bid="bid 7")


def test_the_sealed_form_asks_for_limits_or_a_list() -> None:
    """Everyone asked has a form, not only the first bidder; the caller is told of the last resort."""
    state = changed(deal(), "lot: library, priest")
    act(state, "ra")
    there = choices(fields(state, 2)["bid"])

    assert list(there) == ["pass", *(f"bid lowest up to {sun}" for sun in (4, 7, 10, 11))]
    assert str(form(state, 2).question) == "For library, priest and sun 1: how far do you go?"
    assert any("you bid 2" in str(note) for note in form(state, 0).notes)
    assert not any("you bid" in str(note) for note in form(state, 2).notes)
    assert text(state, 2, bid="bid lowest up to 10") == "bid lowest up to 10"
    assert text(state, 2, bid="", list=["when library in lot: bid 11", " ", "pass"]) == (
        "when library in lot: bid 11\npass"
    )


def test_the_flip_form_counts_what_can_turn() -> None:
    """A number for each own two-faced face, up to the priests won; few answers come as one-tap orders."""
    state = position("""
        3 players
        lot: 2 priests, warrior
        1: 3 farmers, chamber C, pyramid
    """)
    act(state, "ra", "bid 12", "pass", "pass")
    there = fields(state, 1)

    assert {name: field.high for name, field in there.items() if isinstance(field, Count)} == {
        "farmer": 2,
        "warrior": 1,
        "chamber-C": 1,
    }
    assert form(state, 1).quick == (
        "flip none",
        "flip farmer",
        "flip warrior",
        "flip chamber C",
        "flip farmer, farmer",
        "flip farmer, warrior",
        "flip farmer, chamber C",
        "flip warrior, chamber C",
    )
    assert text(state, 1, farmer="1", chamber_C="1") == "flip farmer, chamber C"
    assert text(state, 1, farmer="0") == text(state, 1) == "flip none"
    with pytest.raises(InvalidOrder, match=r"^'many' in the field farmer is no number from 0 to 2\.$"):
        text(state, 1, farmer="many")


def test_who_is_not_asked_has_no_form() -> None:
    """A seat that has nothing to decide, a spectator, and everybody after the end are told so in words."""
    state = deal()
    with pytest.raises(InvalidOrder, match=r"decides now\.$"):
        form(state, 1)
    with pytest.raises(InvalidOrder, match=r"decides now\.$"):
        RULES.form(RULES.view(state, None))
    state = changed(finished(state), "table: Ra 7")
    act(state, "draw = ra")
    with pytest.raises(InvalidOrder, match=r"^The game is over: nothing is left to decide\.$"):
        form(state, 0)
    with pytest.raises(InvalidOrder, match=r"^The game is over: nothing is left to decide\.$"):
        text(state, 0, action="draw")


@pytest.mark.parametrize(
    ("orders", "question", "heading"),
    [
        (
            (),
            "Do you draw a tile, or call Ra for the 1 tile(s) in the lot?",
            "Old Kingdom: 1 tile(s) in the lot, Ra 0 of 8",
        ),
        (("ra",), "For pyramid and sun 1: how far do you go?", "Old Kingdom: auction of 1 tile(s), Ra 0 of 8"),
        (
            ("ra", "bid 9"),
            "For pyramid and sun 1: 1 has bid 9. What do you bid?",
            "Old Kingdom: auction of 1 tile(s), Ra 0 of 8",
        ),
        (
            ("draw = granary/fortress",),
            "You drew granary/fortress: which face does it show?",
            "Old Kingdom: 1 tile(s) in the lot, Ra 0 of 8",
        ),
    ],
)
def test_questions_and_headings(orders: tuple[str, ...], question: str, heading: str) -> None:
    """Each decision is asked in one sentence that names what is at stake."""
    state = changed(deal(), "lot: pyramid")
    act(state, *orders)
    (seat,) = RULES.awaited(state)
    view = RULES.view(state, seat)

    assert str(RULES.question(view)) == question
    assert str(RULES.heading(view)) == heading
    assert set(RULES.topics(view)) <= {f"PR-{a}.{b}" for a in range(1, 8) for b in range(1, 7)}


def test_the_safe_default() -> None:
    """Draw; call where one must; pass; the lowest sun where one must bid; turn nothing."""
    state = deal()
    assert str(RULES.cautious(RULES.view(state, 0))) == "draw"
    act(state, "ra")
    assert str(RULES.cautious(RULES.view(state, 1))) == "pass"
    act(state, "pass", "pass")
    assert str(RULES.cautious(RULES.view(state, 0))) == "bid 2"
    state = changed(deal(), "lot: 7 plagues, priest")
    assert str(RULES.cautious(RULES.view(state, 0))) == "ra"
    state = position("""
        3 players
        table: sun 5
        lot: 7 plagues, priest
        0: suns none
        1: suns 12, library
        2: suns none
        turn: 1 to draw or call
    """)
    act(state, "ra", "bid 12")
    assert str(RULES.cautious(RULES.view(state, 1))) == "flip none"


@pytest.mark.parametrize(
    ("kind", "order", "words"),
    [
        ("turn", "draw", "You draw a tile."),
        ("turn", "draw farmer, market", "You draw a tile; it shows farmer, market if it has that face."),
        ("turn", "ra", "You call Ra while the lot is empty."),
        ("bid", "bid 9", "You bid sun 9."),
        ("bid", "pass", "You pass."),
        ("face", "show farmer", "The tile shows the farmer."),
        ("flip", "flip farmer, library", "You flip farmer, library to warrior, market."),
        ("flip", "flip none", "You flip no tile."),
    ],
)
def test_orders_are_described(kind: str, order: str, words: str) -> None:
    """What an order will do is said in one sentence."""
    state = deal()
    if kind == "bid":
        act(state, "ra")
    view = RULES.view(state, 0)

    assert str(RULES.describe(view, RULES.read(state, 0, order))) == words
