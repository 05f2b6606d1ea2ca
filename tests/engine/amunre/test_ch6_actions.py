"""Buying cards, farmers and stones: AR-6.1 to AR-6.8. Positions are texts (docs/development/positions.md)."""

from __future__ import annotations

import pytest

from pbem.engine.amunre import RULES
from pbem.engine.amunre.orders import Build, Buy
from pbem.engine.amunre.state import BUILD, BUY
from tests.engine.amunre.tables import (
    BLACK,
    BLUE,
    RED,
    WHITE,
    faults,
    land,
    position,
    seen,
    sentence,
    shown,
    texts,
    turns,
)

BUILDING = """
    4 players
    Red: owns Memphis
    Black: owns Buto
    Blue: owns Mendes
    White: owns Abydos
"""
"""After the auction and the cards: Red's farmers and stones, then Black's, Blue's and White's."""
BUYING = BUILDING + "asked: buy by Red, then Black Blue White"
OTHERS = """
    4 players
    Black: owns Buto
    Blue: owns Sawu
    White: owns Abydos
"""
"""The same where Red owns something else."""


def test_ar_6_1_each_player_does_a_then_b_and_c_in_player_order() -> None:
    """Red buys cards, then farmers and stones; only then is Black asked."""
    state = position(BUYING)
    turns(state, (RED, "buy 1 card"))
    assert (state.phase, state.asked) == (BUILD, [RED])
    turns(state, (RED, "buy nothing"), (BLACK, "stones 1 Buto"), (BLUE, "nothing"))
    assert (state.phase, state.asked) == (BUY, [WHITE])


def test_ar_6_1_who_buys_no_card_may_send_farmers_and_stones_along() -> None:
    """One order does all three; with cards it is refused, for they are seen first."""
    state = position(BUYING)
    assert "Who buys cards sees them first" in sentence(state, RED, "buy 1 card, stones 2 Memphis")
    faulty = Buy(1, (), Build(stones=((land("Memphis"), 1),)))
    assert RULES.check(state, RED, faulty)[0].rule == "AR-6.1"
    turns(state, (RED, "farmers Memphis, stones 2 Memphis"))
    assert shown(state, "Memphis", "Red") == f"Red, farmers 1, stones 2\ngold {20 - 1 - 3}"
    assert state.asked == [BLACK]


def test_ar_6_1_any_action_may_be_skipped() -> None:
    """`buy nothing` at A leaves out everything; `buy no cards` only A."""
    state = position(BUYING)
    turns(state, (RED, "buy nothing"))
    assert state.asked == [BLACK]
    state = position(BUYING)
    turns(state, (RED, "buy no cards"))
    assert (state.phase, state.asked) == (BUILD, [RED])


def test_ar_6_1_who_has_nothing_is_asked_one_question() -> None:
    """Without gold and cards the one legal order is to buy nothing."""
    state = position(BUYING, "Red: gold 0")
    assert [str(order) for order in RULES.legal(state, RED)] == ["buy nothing"]
    assert str(RULES.read(state, RED, "buy no cards")) == "buy nothing"
    assert RULES.check(state, RED, Buy(0))[0].rule == "AR-6.1"


@pytest.mark.parametrize(("number", "price"), [(1, 1), (2, 3), (3, 6), (4, 10), (7, 28), (8, 36), (9, 45), (10, 55)])
def test_ar_6_2_prices_are_triangular_without_a_limit(number: int, price: int) -> None:
    """N stones cost n(n+1)/2, also beyond what the board prints."""
    state = position(BUILDING, "Red: gold 60")
    turns(state, (RED, f"stones {number} Memphis"))
    assert state.gold[RED] == 60 - price


def test_ar_6_3_the_limit_is_the_largest_not_the_sum() -> None:
    """Memphis 3 and Abydos 4: four cards, not seven."""
    state = position("""
        4 players
        Red: owns Memphis + Abydos, gold 100
        Black: owns Buto
        Blue: owns Mendes
        White: owns Amarna
        asked: buy by Red, then Black Blue White
    """)
    assert faults(state, RED, "buy 4 cards") == []
    assert faults(state, RED, "buy 5 cards") == ["AR-6.3"]
    said = "You can't buy 5 card(s): the highest card limit of your provinces is 4."
    assert sentence(state, RED, "buy 5 cards") == said


def test_ar_6_3_the_number_is_paid_before_cards_are_seen_and_b_comes_after() -> None:
    """Red pays, reads the cards alone, and is asked for B and C with them in hand."""
    state = position(BUYING)
    events = turns(state, (RED, "buy 2 cards"))
    assert state.gold[RED] == 17
    assert sum(state.hands[RED]) == 2
    assert "0 buys 2 power card(s) for 3 gold." in seen(events, BLACK)
    assert not any(line.startswith("You draw") for line in seen(events, BLACK))
    assert any(line.startswith("You draw") for line in seen(events, RED))
    assert (state.phase, state.asked) == (BUILD, [RED])


def test_ar_6_3_where_the_limit_is_0_a_is_not_asked() -> None:
    """Black with Buto goes straight to farmers and stones."""
    state = position(BUYING)
    turns(state, (RED, "buy nothing"))
    assert (state.phase, state.asked) == (BUILD, [BLACK])


def test_ar_6_4_farmers_go_on_free_fields_of_own_provinces() -> None:
    """Memphis has one field; Buto isn't Red's."""
    state = position(OTHERS, "Red: owns Memphis + Mendes")
    assert faults(state, RED, "farmers 2 Memphis") == ["AR-6.4"]
    assert sentence(state, RED, "farmers 2 Memphis") == "Free fields on Memphis: 1; too few for farmers: 2."
    assert sentence(state, RED, "farmers 1 Buto") == "Buto is not yours; you own: Memphis, Mendes."
    turns(state, (RED, "farmers 1 Memphis 3 Mendes"))
    assert shown(state, "Memphis", "Mendes", "Red") == "Red, farmers 1\nRed, farmers 3\ngold 10"


def test_ar_6_4_printed_farmers_stand_beside_the_fields() -> None:
    """All three fields of Baharya are free, and five farmers work there then."""
    state = position(
        OTHERS,
        """
        game: temple 1
        Red: owns Baharya
    """,
    )
    turns(state, (RED, "farmers 3 Baharya"))
    assert shown(state, "Baharya") == "Red, farmers 3"
    facts = RULES.facts(RULES.view(state, RED))
    assert (facts["my_farmers"], facts["my_income"]) == (5, 5)


def test_ar_6_5_the_free_farmer_stands_on_open_ground() -> None:
    """On Berenike without fields, and beside free fields too; it costs nothing."""
    for name in ("Berenike", "Mendes"):
        state = position(OTHERS, f"Red: owns {name}, free farmer")
        turns(state, (RED, f"free farmer {name}"))
        assert shown(state, name, "Red") == "Red, free farmers 1\n"


def test_ar_6_5_only_on_an_own_province_and_with_the_card() -> None:
    """Not on Black's Buto; not without the card."""
    said_then = sentence(position(BUILDING), RED, "free farmer Memphis")
    assert said_then == "You named 1 free farmer card(s), but have 0."
    state = position(BUILDING, "Red: free farmer")
    assert faults(state, RED, "free farmer Buto") == ["AR-6.5"]


def test_ar_6_6_three_stones_become_a_pyramid_and_the_rest_stays() -> None:
    """Two lay there; five more make seven: two pyramids and one stone."""
    state = position(BUILDING, "Memphis: stones 2")
    events = turns(state, (RED, "stones 5 Memphis"))
    assert shown(state, "Memphis") == "Red, stones 1, pyramids 2"
    assert "On Memphis pyramids are finished: 2. Pyramids there now: 2." in texts(events)


def test_ar_6_6_stones_go_on_own_provinces_only() -> None:
    """Not on Buto."""
    assert faults(position(BUILDING), RED, "stones 1 Buto") == ["AR-6.6"]


@pytest.mark.parametrize(
    ("there", "bought", "pyramids", "stones"),
    [(2, 0, 1, 0), (0, 2, 1, 0), (1, 1, 1, 0), (2, 1, 1, 1), (2, 2, 1, 2), (2, 3, 2, 0), (1, 7, 3, 0), (0, 4, 1, 2)],
)
def test_ar_6_7_the_architect_builds_with_two_stones(there: int, bought: int, pyramids: int, stones: int) -> None:
    """T stones in all: 1 + (T-2) div 3 pyramids, (T-2) mod 3 stones; also without buying any."""
    state = position(
        BUILDING,
        f"""
        Red: gold 50, architect
        Memphis: stones {there}
    """,
    )
    order = f"stones {bought} Memphis, architect Memphis" if bought else "architect Memphis"
    turns(state, (RED, order))
    assert (state.pyramids[land("Memphis")], state.stones[land("Memphis")]) == (pyramids, stones)


def test_ar_6_7_the_architect_needs_two_stones_on_an_own_province() -> None:
    """One stone isn't enough; Buto isn't Red's."""
    state = position(
        BUILDING,
        """
        Red: architect
        Memphis: stones 1
    """,
    )
    assert (
        sentence(state, RED, "architect Memphis")
        == "The architect needs two stones on Memphis: place them there, or leave the card out."
    )
    assert faults(state, RED, "architect Buto") == ["AR-6.7"]


def test_ar_6_8_cards_are_sold_for_exactly_what_is_missing() -> None:
    """With 1 gold two farmers lack 2: neither one card nor three; with gold enough, none."""
    state = position(OTHERS, "Red: owns Mendes, gold 1, block, architect, eight gold")
    assert faults(state, RED, "farmers 2 Mendes, sell block") == ["AR-6.8"]
    assert faults(state, RED, "farmers 2 Mendes, sell block, architect, eight gold") == ["AR-6.8"]
    assert faults(state, RED, "farmers 1 Mendes, sell block") == ["AR-6.8"]
    said = "You have gold enough for this: sell no card for it, not 1."
    assert sentence(state, RED, "farmers 1 Mendes, sell block") == said
    turns(state, (RED, "farmers 2 Mendes, sell block, architect"))
    assert shown(state, "Red") == "gold 0, eight gold"


def test_ar_6_8_a_sale_that_makes_no_difference_need_not_be_written() -> None:
    """The only card, or one of two architects, is sold by itself; of two different ones it must be said."""
    state = position(OTHERS, "Red: owns Mendes, gold 2, 2 architect")
    assert str(RULES.read(state, RED, "2 farmers Mendes")) == "buy farmers 2 Mendes, sell architect"
    state = position(OTHERS, "Red: owns Mendes, gold 2, 2 architect, block")
    assert faults(state, RED, "2 farmers Mendes") == ["AR-6.8"]


def test_ar_6_8_a_card_sold_for_a_lies_in_the_pile_before_the_draw() -> None:
    """Deck and pile are empty: Red sells the block for a card, and draws it again."""
    state = position(
        BUYING,
        """
        Red: gold 0, block
        White: all other cards
        deck:
    """,
    )
    turns(state, (RED, "buy 1 card, sell block"))
    assert shown(state, "Red") == "gold 0, block"


def test_ar_6_8_a_card_can_not_be_both_played_and_sold() -> None:
    """One architect: it builds or it pays."""
    state = position(BUILDING, "Red: gold 2, architect")
    assert faults(state, RED, "stones 2 Memphis, architect Memphis, sell architect") == ["AR-1.5"]
