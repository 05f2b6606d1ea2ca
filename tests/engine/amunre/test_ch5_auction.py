"""The auction: AR-5. Positions are texts (docs/development/positions.md)."""

from __future__ import annotations

import pytest

from pbem.engine.amunre import RULES
from pbem.engine.amunre.data import PRICES
from pbem.engine.amunre.orders import Bid
from pbem.engine.amunre.state import BID, BUILD, BUY, SELL
from pbem.engine.core.rng import Rng
from tests.engine.amunre.tables import (
    BLACK,
    BLUE,
    RED,
    WHITE,
    act,
    card,
    faults,
    land,
    position,
    seen,
    sentence,
    shown,
    turns,
)

FOUR = ("Abydos", "Sawu", "Dakhla", "Baharya")
UP = """
    4 players
    up: Abydos, Sawu, Dakhla, Baharya
    asked: bid by Red
"""
"""An auction nobody has bid in, hands empty."""


def test_ar_5_1_bid_spaces_are_triangular_without_end() -> None:
    """0, 1, 3, 6, 10 ... and far on; anything else is no space."""
    assert PRICES[:10] == (0, 1, 3, 6, 10, 15, 21, 28, 36, 45)
    state = position(UP, "Red: gold 1000")
    assert faults(state, RED, "bid 990 on Sawu") == []
    said = "4 is no bid space (0, 1, 3, 6, 10, 15, ...): the nearest are 3 and 6."
    assert sentence(state, RED, "bid 4 on Sawu") == said
    assert RULES.check(state, RED, Bid(land("Sawu"), 5000))[0].rule == "AR-5.1"


def test_ar_5_2_a_bid_must_be_higher_than_the_one_that_stands() -> None:
    """On a 3 of Red's, 3 is refused and 6 is not; 0 on a free province is fine."""
    state = position(UP)
    turns(state, (RED, "bid 3 on Abydos"))
    assert faults(state, BLACK, "bid 3 on Abydos") == ["AR-5.2"]
    assert sentence(state, BLACK, "bid 1 on Abydos") == ("1 is too low on Abydos: 0 has 3 there, so bid at least 6.")
    assert faults(state, BLACK, "bid 6 on Abydos") == []
    assert faults(state, BLACK, "bid 0 on Sawu") == []


@pytest.mark.parametrize(
    ("gold", "bid", "told"),
    [(6, "bid 6 on Sawu", 1), (6, "bid 3 on Sawu", 0), (0, "bid 0 on Sawu", 0), (6, "bid 6 on Dakhla", 0)],
)
def test_ar_5_8_a_bid_of_all_gold_is_warned_of_where_nothing_is_left(gold: int, bid: str, told: int) -> None:
    """Not a bid that costs nothing, nor one on a province that pays 12 gold before anything is bought."""
    state = position(UP, f"Red: gold {gold}")
    view = RULES.view(state, RED)

    assert len(RULES.warnings(view, RULES.read(state, RED, bid), view)) == told


def test_ar_5_2_only_provinces_turned_up_can_be_bid_on() -> None:
    """Memphis isn't there this round."""
    said = "Memphis is not up for auction; there are: Abydos, Sawu, Dakhla, Baharya."
    assert sentence(position(UP), RED, "bid 0 on Memphis") == said


def test_ar_5_3_who_is_outbid_in_the_first_pass_waits_for_its_end() -> None:
    """Black beats Red at once; Blue and White bid before Red does again."""
    state = position(UP)
    turns(state, (RED, "bid 0 Sawu"), (BLACK, "bid 1 Sawu"), (BLUE, "bid 0 Dakhla"), (WHITE, "bid 0 Abydos"))
    assert state.asked == [RED]


def test_ar_5_3_later_the_next_clockwise_without_a_bid_is_asked() -> None:
    """Red and Blue are out after the first pass; Red beats White: Blue is next, not White; then White."""
    state = position(UP)
    turns(
        state,
        (RED, "bid 0 Sawu"),
        (BLACK, "bid 1 Sawu"),
        (BLUE, "bid 0 Dakhla"),
        (WHITE, "bid 1 Dakhla"),
        (RED, "bid 3 Dakhla"),
        (BLUE, "bid 0 Abydos"),
        (WHITE, "bid 0 Baharya"),
    )
    assert state.phase in (BUY, BUILD)


def test_ar_5_3_who_is_beaten_by_somebody_earlier_bids_in_the_same_round_of_the_table() -> None:
    """Red, first in the second pass, beats Black; Black's turn comes in that pass already."""
    state = position(UP)
    turns(
        state,
        (RED, "bid 0 Sawu"),
        (BLACK, "bid 0 Dakhla"),
        (BLUE, "bid 1 Sawu"),
        (WHITE, "bid 0 Abydos"),
        (RED, "bid 1 Dakhla"),
    )
    assert state.asked == [BLACK]


def test_ar_5_4_one_may_not_bid_next_where_one_was_just_beaten() -> None:
    """Red, beaten on Sawu, must go elsewhere, and may come back with a later bid."""
    state = position(UP)
    turns(state, (RED, "bid 0 Sawu"), (BLACK, "bid 1 Sawu"), (BLUE, "bid 0 Dakhla"), (WHITE, "bid 0 Abydos"))
    assert faults(state, RED, "bid 3 on Sawu") == ["AR-5.4"]
    turns(state, (RED, "bid 1 Abydos"), (WHITE, "bid 1 Dakhla"), (BLUE, "bid 3 Abydos"))
    assert faults(state, RED, "bid 6 on Abydos") == ["AR-5.4"]
    assert faults(state, RED, "bid 3 on Sawu") == []


def test_ar_5_5_a_bid_may_count_the_cards_left_in_hand() -> None:
    """5 gold and one card pay 6; the card played with the bid pays nothing."""
    assert faults(position(UP, "Red: gold 5"), RED, "bid 6 Sawu") == ["AR-5.5"]
    state = position(UP, "Red: gold 5, block")
    assert faults(state, RED, "bid 6 Sawu") == []
    assert faults(state, RED, "bid 6 Sawu with block") == ["AR-5.5"]
    assert sentence(state, RED, "bid 10 Sawu") == "You can't pay 10: gold and cards left to sell come to 6."


def test_ar_5_5_exactly_the_missing_number_of_cards_is_sold_by_choice() -> None:
    """Two of three different cards: Red is asked, and neither one nor three will do."""
    state = position(UP, "Red: gold 4, block, architect, eight gold")
    turns(state, (RED, "bid 6 Sawu"), (BLACK, "bid 0 Abydos"), (BLUE, "bid 0 Dakhla"), (WHITE, "bid 0 Baharya"))
    assert (state.phase, state.asked) == (SELL, [RED])
    assert faults(state, RED, "sell block") == ["AR-5.5"]
    assert faults(state, RED, "sell block, architect, eight gold") == ["AR-5.5"]
    act(state, {RED: "sell block and eight gold"})
    assert state.gold[RED] == 0
    assert state.hands[RED][card("architect")] == 1
    assert state.owner[land("Sawu")] == RED


@pytest.mark.parametrize(("cards", "left"), [("block, rebid", "gold 0"), ("3 architect", "gold 0, architect")])
def test_ar_5_5_nobody_is_asked_where_all_cards_go_or_are_alike(cards: str, left: str) -> None:
    """Two of two, or two of three architects: sold without asking."""
    state = position(UP, f"Red: gold 4, {cards}")
    turns(state, (RED, "bid 6 Sawu"), (BLACK, "bid 0 Abydos"), (BLUE, "bid 0 Dakhla"), (WHITE, "bid 0 Baharya"))
    assert state.phase == BUY
    assert shown(state, "Red") == left


def test_ar_5_5_all_who_must_choose_choose_at_the_same_time_and_unseen() -> None:
    """Red and White both lack gold: both are asked, and no view names the other."""
    state = position(
        UP,
        """
        Red: gold 2, architect, free farmer
        White: gold 2, architect, free farmer
        """,
    )
    turns(state, (RED, "bid 3 Sawu"), (BLACK, "bid 0 Abydos"), (BLUE, "bid 0 Dakhla"), (WHITE, "bid 3 Baharya"))
    awaited = RULES.awaited(state)
    assert sorted(awaited) == [RED, WHITE]
    assert all(decision.secret and decision.candidates == (RED, WHITE) for decision in awaited.values())
    assert RULES.view(state, RED).awaited == ()
    act(state, {RED: "sell architect", WHITE: "sell free farmer"})
    assert [state.gold[seat] for seat in (RED, WHITE)] == [0, 0]


def test_ar_5_5_a_sale_with_the_last_cards_can_be_imagined_by_all() -> None:
    """Black can't know that Red holds the last two cards and a gold too little; a whole state that agrees is found."""
    secret = UP.replace("4 players", "4 players, gold hidden, hand_counts hidden")
    state = position(secret, "Red: gold 5, block, architect")
    turns(state, (RED, "bid 6 Sawu"), (BLACK, "bid 0 Abydos"), (BLUE, "bid 0 Dakhla"), (WHITE, "bid 0 Baharya"))
    assert (state.phase, state.asked) == (SELL, [RED])
    for seat in (BLACK, BLUE, WHITE, None):
        view = RULES.view(state, seat)
        for n in range(20):
            world = RULES.imagine(view, Rng("sale", n))
            assert RULES.view(world, seat) == view
            assert world.asked != []


def test_ar_5_5_cards_are_sold_before_the_bonus_comes_in() -> None:
    """Dakhla's 12 gold don't help to pay Dakhla's bid."""
    state = position(UP, "Red: gold 2, architect")
    turns(state, (RED, "bid 3 Dakhla"), (BLACK, "bid 0 Abydos"), (BLUE, "bid 0 Sawu"), (WHITE, "bid 0 Baharya"))
    assert state.gold[RED] == 12
    assert state.discard[card("architect")] >= 1
    assert sum(state.hands[RED]) == 0


def test_ar_5_6_a_bid_block_makes_others_go_two_spaces_up() -> None:
    """Over a blocked 0, 1 is too low and 3 is enough."""
    state = position(UP, "Red: block")
    turns(state, (RED, "bid 0 Sawu with block"))
    assert faults(state, BLACK, "bid 1 Sawu") == ["AR-5.6"]
    assert faults(state, BLACK, "bid 3 Sawu") == []
    assert sentence(state, BLACK, "bid 1 Sawu") == (
        "1 is too low on Sawu: 0 has 0 and a bid block there, so bid at least 3."
    )


def test_ar_5_6_the_block_goes_with_its_player_through_the_auction() -> None:
    """Outbid on Sawu, Red stands on Abydos: there too it takes two spaces; not after the auction."""
    state = position(UP, "Red: block")
    turns(state, (RED, "bid 0 Sawu with block"), (BLACK, "bid 3 Sawu"), (BLUE, "bid 0 Dakhla"))
    turns(state, (WHITE, "bid 1 Dakhla"), (RED, "bid 1 Abydos"))
    assert faults(state, BLUE, "bid 3 Abydos") == ["AR-5.6"]
    turns(state, (BLUE, "bid 6 Abydos"), (RED, "bid 0 Baharya"))
    assert state.blocks == [0, 0, 0, 0]


def test_ar_5_6_a_block_may_come_with_a_later_bid() -> None:
    """Red plays it only after being outbid."""
    state = position(UP, "Red: block")
    turns(state, (RED, "bid 0 Sawu"), (BLACK, "bid 1 Sawu"), (BLUE, "bid 0 Dakhla"), (WHITE, "bid 0 Abydos"))
    assert faults(state, RED, "bid 1 Dakhla with block") == []


def test_ar_5_7_a_rebid_card_opens_the_province_again() -> None:
    """Red, just beaten on Sawu, bids there again with the card, and after a second beating without another."""
    state = position(UP, "Red: rebid")
    assert faults(state, RED, "bid 0 Sawu with rebid") == ["AR-5.7"]
    turns(state, (RED, "bid 0 Sawu"), (BLACK, "bid 1 Sawu"), (BLUE, "bid 0 Dakhla"), (WHITE, "bid 0 Abydos"))
    assert faults(state, RED, "bid 3 Sawu") == ["AR-5.4"]
    turns(state, (RED, "bid 3 Sawu with rebid"), (BLACK, "bid 1 Abydos"), (WHITE, "bid 6 Sawu"))
    assert faults(state, RED, "bid 10 Sawu") == []


def test_ar_5_7_the_rebid_card_may_go_with_a_bid_elsewhere_and_with_a_block() -> None:
    """Played on Dakhla after the beating on Sawu, both cards at once."""
    state = position(UP, "Red: rebid, block")
    turns(state, (RED, "bid 0 Sawu"), (BLACK, "bid 1 Sawu"), (BLUE, "bid 0 Dakhla"), (WHITE, "bid 0 Abydos"))
    turns(state, (RED, "bid 1 Dakhla with block and rebid"))
    assert (state.blocks[RED], state.rebids[RED]) == (1, 1)
    assert sum(state.hands[RED]) == 0


def test_ar_5_8_everybody_pays_and_takes_the_province_with_its_bonuses() -> None:
    """Gold and cards go to the owner, stones stay, the display is empty."""
    state = position("""
        4 players
        up: Dakhla hiding block, Memphis, Thebes hiding eight gold + eight gold, Sawu
        Memphis: stones 2
        asked: bid by Red
    """)
    events = turns(
        state, (RED, "bid 10 Dakhla"), (BLACK, "bid 3 Memphis"), (BLUE, "bid 6 Thebes"), (WHITE, "bid 0 Sawu")
    )
    assert state.gold == [22, 17, 14, 20]
    assert shown(state, "Red", "Blue") == "gold 22, block\ngold 14, 2 eight gold"
    assert shown(state, "Dakhla", "Memphis", "Thebes", "Sawu") == "Red\nBlack, stones 2\nBlue\nWhite"
    assert (state.shown, state.buried, state.at) == ([], [], [-1] * 4)
    assert "You draw eight gold, eight gold." in seen(events, BLUE)
    assert not any("eight gold" in line for line in seen(events, RED))


def test_ar_5_9_there_is_no_passing_and_everybody_gets_one_province() -> None:
    """`pass` isn't an answer; after the auction each owns one more."""
    state = position(UP)
    said = "There is no passing: everybody gets one province a round. Bid 0 on a free one."
    assert sentence(state, RED, "pass") == said
    chance = Rng("auction", 1)
    while state.phase == BID:
        RULES.apply(state, {state.asked[0]: RULES.sample(state, state.asked[0], chance)}, chance)
    owners = [owner for owner in state.owner if owner >= 0]
    assert state.phase == SELL or sorted(owners) == [0, 1, 2, 3]


def test_ar_5_9_even_without_gold_and_cards_there_is_a_bid() -> None:
    """Zero on a free province is always there."""
    state = position(
        UP,
        """
        Red: gold 0
        Black: gold 0
        Blue: gold 0
        White: gold 0
        """,
    )
    assert [str(order) for order in RULES.legal(state, RED)] == [f"bid 0 on {name}" for name in FOUR]


def test_ar_5_10_a_sealed_auction_asks_all_at_the_start_and_plays_out_in_turn() -> None:
    """All four give lists while nobody has bid; from then on bids come in order, as ever."""
    state = position(UP.replace("4 players", "4 players, auction sealed"))
    assert RULES.sealed(state) == (0, 1, 2, 3)
    assert list(RULES.awaited(state)) == [RED]
    turns(state, (RED, "bid up to 10 on Sawu"))
    assert RULES.sealed(state) == ()
    assert list(RULES.awaited(state)) == [BLACK]
    assert RULES.sealed(position(UP)) == ()


def test_ar_5_10_relative_bids_read_to_the_lowest_bid_allowed() -> None:
    """Over Red's 3 `up to 10` is 6; over 10 it is refused; of several provinces the cheapest is meant."""
    state = position(UP)
    turns(state, (RED, "bid 3 Sawu"))
    assert str(RULES.read(state, BLACK, "bid up to 10 on Sawu")) == "bid 6 on Sawu"
    assert str(RULES.read(state, BLACK, "bid up to 10 on Sawu or Dakhla")) == "bid 0 on Dakhla"
    assert str(RULES.read(state, BLACK, "bid lowest on any of Sawu, Abydos")) == "bid 0 on Abydos"
    assert str(RULES.read(state, BLACK, "bid lowest")) == "bid 0 on Abydos"
    assert sentence(state, BLACK, "bid up to 5 on Sawu") == "No bid up to 5 is possible on Sawu now."
    state = position(UP, "Black: gold 5")
    turns(state, (RED, "bid 3 Sawu"))
    assert faults(state, BLACK, "bid up to 10 on Sawu") == ["AR-5.2"]
