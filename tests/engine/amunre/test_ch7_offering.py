"""Offering and rewards: AR-7. Positions are texts (docs/development/positions.md)."""

from __future__ import annotations

import pytest

from pbem.engine.amunre import RULES
from pbem.engine.amunre.offering import temple_space
from pbem.engine.amunre.orders import Offer
from pbem.engine.amunre.state import ADJUST, TAKE
from tests.engine.amunre.tables import (
    BLACK,
    BLUE,
    RED,
    WHITE,
    act,
    faults,
    land,
    position,
    seen,
    sentence,
    shown,
    texts,
)

OFFERING = """
    4 players
    Red: owns Mendes
    Black: owns Buto
    Blue: owns Amarna
    White: owns Kharga
    asked: offer by Red Black Blue White
"""
"""The offering, everybody with 20 gold, no card and one province."""
PLACING = """
    4 players
    game: temple 2
    Red: offered 5
    Black: owns Buto, theft
    Blue: owns Sawu, theft
    White: owns Abydos, theft
    asked: harvest by Red
"""
"""Red alone has offered, and places what it has of its reward."""
THEFTS = {BLACK: "theft", BLUE: "theft", WHITE: "theft"}


def test_ar_7_1_all_choose_at_once_and_in_secret() -> None:
    """All four are asked together, and nobody is shown who else is."""
    state = position(OFFERING)
    awaited = RULES.awaited(state)
    assert sorted(awaited) == [0, 1, 2, 3]
    assert all(decision.secret and decision.candidates == (0, 1, 2, 3) for decision in awaited.values())
    assert RULES.view(state, RED).awaited == ()


@pytest.mark.parametrize(
    ("offer", "told"), [("theft", 0), ("offer 19", 0), ("offer 20", 1), ("offer 21, sell block", 1)]
)
def test_ar_7_1_an_offering_of_all_gold_is_warned_of(offer: str, told: int) -> None:
    """Also one for which cards are sold."""
    state = position(OFFERING, "Red: block, architect")
    view = RULES.view(state, RED)

    assert len(RULES.warnings(view, RULES.read(state, RED, offer), view)) == told


def test_ar_7_1_an_offer_is_at_least_1_and_at_most_gold_and_cards_sold() -> None:
    """20 gold and two cards pay 22, not 23; 0 is no offering."""
    state = position(OFFERING, "Red: block, architect")
    assert faults(state, RED, "offer 20") == []
    assert faults(state, RED, "offer 22") == []
    assert faults(state, RED, "offer 21") == ["AR-7.1"]
    assert faults(state, RED, "offer 21, sell block") == []
    assert faults(state, RED, "offer 23") == ["AR-7.1"]
    assert sentence(state, RED, "offer 0") == "0 gold is no offering: offer at least 1 gold, or play theft."
    assert RULES.check(state, RED, Offer(-1))[0].rule == "AR-7.1"


def test_ar_7_1_who_has_nothing_plays_theft() -> None:
    """Without gold and cards theft is all there is; with one card there is an offer of 1."""
    assert [str(order) for order in RULES.legal(position(OFFERING, "Red: gold 0"), RED)] == ["theft"]
    state = position(OFFERING, "Red: gold 0, block")
    assert [str(order) for order in RULES.legal(state, RED)] == ["theft", "offer 1, sell block"]


def test_ar_7_1_an_adjustment_card_goes_with_gold_or_theft_and_can_not_be_sold_then() -> None:
    """The one adjustment card can be added or pay, not both."""
    state = position(OFFERING, "Red: gold 1, adjustment")
    assert faults(state, RED, "theft with adjustment") == []
    assert faults(state, RED, "offer 1 with adjustment") == []
    assert faults(state, RED, "offer 2, sell adjustment") == []
    assert "AR-1.5" in faults(state, RED, "offer 2 with adjustment, sell adjustment")
    assert sentence(position(OFFERING), RED, "offer 1 with adjustment") == "You named 1 adjustment card(s), but have 0."


def test_ar_7_2_theft_counts_minus_3() -> None:
    """8 + 2 - 3 - 3 = 4."""
    state = position(OFFERING)
    act(state, {RED: "offer 8", BLACK: "offer 2", BLUE: "theft", WHITE: "theft"})
    assert state.total == 4


def test_ar_7_3_who_added_a_card_must_raise_or_lower_by_3() -> None:
    """11 - 9 = 2; Red raises to 5: space 2, and Red's own offering stays 11."""
    state = position(OFFERING, "Red: adjustment")
    act(state, dict(THEFTS) | {RED: "offer 11 with adjustment"})
    assert (state.phase, state.asked, state.total) == (ADJUST, [RED], 2)
    act(state, {RED: "raise"})
    assert (state.total, state.temple, state.offers[RED]) == (5, 2, 11)


def test_ar_7_3_lowering_moves_the_total_down() -> None:
    """From 5 to 2 the temple stays on space 1."""
    state = position(OFFERING, "Blue: adjustment")
    act(state, {RED: "offer 11", BLACK: "theft", BLUE: "theft with adjustment", WHITE: "theft"})
    act(state, {BLUE: "lower"})
    assert (state.total, state.temple) == (-1, 1)


def test_ar_7_3_nobody_is_asked_where_it_can_not_matter() -> None:
    """20 - 9 = 11 - 3 = 8: 5 and 11 are both space 2, so +3 is noted, and why nobody was asked."""
    state = position(OFFERING, "Red: adjustment")
    events = act(state, {RED: "offer 17 with adjustment"} | THEFTS)
    assert state.phase == TAKE
    why = "0 need not choose, since up or down the temple comes to the same space: the total is raised to 11."
    assert why in texts(events)


def test_ar_7_3_with_two_cards_the_first_is_asked_if_both_together_matter() -> None:
    """Total 8, two cards: 2 and 14 differ, so Red is asked; after a raise to 11 Black is asked as well."""
    state = position(
        OFFERING,
        """
        Red: adjustment
        Black: adjustment
        """,
    )
    orders = {RED: "offer 17 with adjustment", BLACK: "theft with adjustment", BLUE: "theft", WHITE: "theft"}
    act(state, orders)
    assert (state.total, state.asked) == (8, [RED])
    notes = [RULES.form(RULES.view(state, RED)).notes]
    act(state, {RED: "raise"})
    notes.append(RULES.form(RULES.view(state, BLACK)).notes)
    assert [[note.params["count"] for note in one] for one in notes] == [[1], []]  # who is not the last is told so
    assert (state.total, state.asked) == (11, [BLACK])
    act(state, {BLACK: "lower"})
    assert (state.total, state.temple) == (8, 2)


def test_ar_7_3_the_first_player_comes_first() -> None:
    """With Blue first, Blue is asked before Red."""
    state = position(
        OFFERING,
        """
        game: first Blue
        Red: adjustment
        Blue: adjustment
        """,
    )
    act(state, {RED: "offer 11 with adjustment", BLACK: "theft", BLUE: "theft with adjustment", WHITE: "theft"})
    assert state.asked == [BLUE]


@pytest.mark.parametrize(
    ("total", "space"), [(-12, 1), (0, 1), (2, 1), (3, 2), (12, 2), (13, 3), (22, 3), (23, 4), (90, 4)]
)
def test_ar_7_4_temple_spaces(total: int, space: int) -> None:
    """Up to 2, to 12, to 22, and beyond."""
    assert temple_space(total) == space


def test_ar_7_5_highest_3_second_2_others_1_theft_none_but_gold() -> None:
    """5, 9, 2, theft: 2, 3, 1 and no items; theft brings 3 gold."""
    state = position(OFFERING)
    act(state, {RED: "offer 5", BLACK: "offer 9", BLUE: "offer 2", WHITE: "theft"})
    assert state.items == [2, 3, 1, 0]
    assert state.gold == [15, 11, 18, 23]


def test_ar_7_5_ties_go_by_player_order_from_the_first() -> None:
    """All offer 4, Blue is first: Blue 3, White 2, Red and Black 1."""
    state = position(OFFERING, "game: first Blue")
    act(state, dict.fromkeys(range(4), "offer 4"))
    assert state.items == [1, 1, 3, 2]


def test_ar_7_5_with_a_single_offering_there_is_no_second_prize() -> None:
    """Red 3 items, the thieves none."""
    state = position(OFFERING)
    act(state, {RED: "offer 1"} | THEFTS)
    assert state.items == [3, 0, 0, 0]


def test_ar_7_5_cards_are_dealt_in_the_order_of_reward() -> None:
    """Black offered most: with one card left it is Black's, and Red takes stones for it."""
    state = position(
        OFFERING,
        """
        White: all other cards
        deck: block
        """,
    )
    act(state, {RED: "offer 5", BLACK: "offer 9", BLUE: "theft", WHITE: "theft"})
    act(state, {RED: "take 2 cards", BLACK: "take 1 card"})
    assert shown(state, "Red", "Black") == "gold 15, offered 5, items 2\ngold 11, block, offered 9, items 2"


def test_ar_7_6_items_are_any_mix_and_all_are_taken() -> None:
    """Three items: 1 farmer and 2 stones will do, two or four things won't."""
    state = position(PLACING, "Red: owns Mendes, items 3")
    assert faults(state, RED, "farmers 2 Mendes") == ["AR-7.6"]
    assert faults(state, RED, "farmers 2 Mendes, stones 2 Mendes") == ["AR-7.6"]
    assert sentence(state, RED, "nothing") == "Items to take as farmers or stones: 3; you placed 0."
    act(state, {RED: "farmers 1 Mendes, stones 2 Mendes"})
    assert shown(state, "Mendes") == "Red, farmers 1, stones 2"


def test_ar_7_6_farmers_on_free_fields_only_and_no_actions_cards() -> None:
    """Berenike has no field; free farmer and architect are no answer here."""
    state = position(PLACING, "Red: owns Berenike, items 1, free farmer, architect")
    assert faults(state, RED, "farmers 1 Berenike") == ["AR-7.6"]
    assert "can't be read as an answer to harvest" in sentence(state, RED, "free farmer Berenike")
    assert "can't be read as an answer to harvest" in sentence(state, RED, "stones 1 Berenike, architect Berenike")
    assert [str(order) for order in RULES.legal(state, RED)] == ["stones 1 Berenike"]


def test_ar_7_6_the_number_of_cards_is_said_first_without_a_limit_and_cards_are_seen_before_the_rest() -> None:
    """Red on Mendes, card limit 0, takes 2 cards of 3 items, reads them, then places one thing."""
    state = position(OFFERING)
    act(state, {RED: "offer 9"} | THEFTS)
    assert faults(state, RED, "take 4 cards") == ["AR-7.6"]
    events = act(state, {RED: "take 2 cards"})
    assert any(line.startswith("You draw") for line in seen(events, RED))
    assert not any(line.startswith("You draw") for line in seen(events, BLACK))
    assert state.items[RED] == 1
    assert RED in state.asked
    act(state, {RED: "stones 1 Mendes", **{seat: "nothing" for seat in state.asked if seat != RED}})
    assert state.stones[land("Mendes")] == 1


def test_ar_7_6_who_is_asked_to_place_is_nobodys_business() -> None:
    """White, without items but with a harvest card, is asked; candidates are all who might be."""
    state = position(
        OFFERING,
        """
        White: eight gold
        Blue: block
        """,
    )
    act(state, {RED: "offer 9"} | THEFTS)
    act(state, {RED: "take no cards"})
    assert state.asked == [RED, WHITE]
    decision = RULES.awaited(state)[RED]
    assert decision.secret
    assert decision.candidates == (RED, BLUE, WHITE)
    assert RULES.view(state, BLACK).awaited == ()


def test_ar_7_7_the_highest_offerer_becomes_first_player_after_the_rewards() -> None:
    """Blue offered most; Red stays first until the rewards are placed."""
    state = position(OFFERING)
    act(state, {RED: "offer 1", BLACK: "offer 2", BLUE: "offer 9", WHITE: "theft"})
    act(state, dict.fromkeys((RED, BLACK, BLUE), "take no cards"))
    assert state.first == RED
    act(state, {RED: "stones 1 Mendes", BLACK: "stones 2 Buto", BLUE: "stones 3 Amarna"})
    assert state.first == BLUE
    assert state.asked == [BLUE]


def test_ar_7_7_after_thefts_only_the_first_player_stays() -> None:
    """Nobody offered: Red is first in the next round, too, and nobody was asked for rewards."""
    state = position(OFFERING)
    act(state, dict.fromkeys(range(4), "theft"))
    assert (state.first, state.round, state.phase, state.asked) == (RED, 2, 0, [RED])
    assert state.temple == 1


def test_ar_7_8_offered_gold_goes_to_the_bank() -> None:
    """What Red offers, nobody gets."""
    state = position(OFFERING)
    act(state, {RED: "offer 9"} | THEFTS)
    assert sum(state.gold) == 80 - 9 + 3 * 3
    assert state.phase == TAKE
