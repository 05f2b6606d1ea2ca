"""Cards that run out, drafts, and actions taken together: AR-6.9 to AR-6.12.

Positions are texts (docs/development/positions.md).
"""

from __future__ import annotations

import pytest

from pbem.engine.amunre import RULES
from pbem.engine.amunre.orders import Buy
from pbem.engine.amunre.reveal import reveal
from pbem.engine.amunre.state import BUILD, BUY, BUY_DRAFT, OFFER, TAKE, TAKE_DRAFT, Ply, State
from pbem.engine.core.rng import Recorded
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
    texts,
    turns,
)

BUYING = """
    4 players
    Red: owns Memphis
    Black: owns Buto
    Blue: owns Mendes
    White: owns Abydos
    asked: buy by Red, then Black Blue White
"""
"""After the auction: everybody owns one province and is to buy cards in turn."""


def buying(card_draft: str, more: str = "") -> State:
    """The same with an option for drafts."""
    return position(BUYING.replace("4 players", f"4 players, card_draft {card_draft}"), more)


def test_ar_6_9_the_discard_pile_becomes_the_deck_when_it_is_wanted() -> None:
    """One card in the deck, two in the pile, three bought: all three come, the pile is empty."""
    state = position(
        BUYING,
        """
        White: all other cards
        deck: block
        discard: eight gold, rebid
        """,
    )
    events = turns(state, (RED, "buy 3 cards"))
    assert "The discard pile is shuffled into a new deck." in texts(events)
    assert [state.hands[RED][card(name)] for name in ("block", "eight gold", "rebid")] == [1, 1, 1]
    assert sum(state.discard) == 0


def test_ar_6_9_nobody_buys_more_cards_than_there_are() -> None:
    """Two cards left: three are too many, and legal says the same."""
    state = position(BUYING, "White: all other cards\ndeck: block, rebid")
    assert sentence(state, RED, "buy 3 cards") == "You can't buy 3 card(s): only 2 are left to be drawn."
    assert faults(state, RED, "buy 2 cards") == []
    assert not any(order.cards == 3 for order in RULES.legal(state, RED) if isinstance(order, Buy))


def test_ar_6_9_missing_bonus_cards_stay_away() -> None:
    """Nothing to draw at the reveal: Thebes lies there without cards, and that is said."""
    state = position("""
        4 players
        White: all other cards
        deck: block
        pool: Thebes Edfu Abu Mendes
    """)
    ply = Ply(state, Recorded(["provinces: Thebes Edfu Abu Mendes", "card: block"]))
    reveal(ply)
    assert [len(cards) for cards in state.buried] == [1, 0, 0, 0]
    assert "There is no power card left for Edfu." in texts(ply.events)


def test_ar_6_9_reward_cards_that_are_missing_become_farmers_or_stones() -> None:
    """Red takes three cards, one is there: two items are left to place."""
    state = position("""
        4 players
        Red: owns Memphis, offered 5, items 3
        Black: owns Buto, theft
        Blue: owns Mendes, theft
        White: owns Abydos, theft, all other cards
        deck: block
        asked: take by Red
    """)
    act(state, {RED: "take 3 cards"})
    assert state.items[RED] == 2
    assert state.hands[RED][card("block")] == 1


def test_ar_6_10_only_one_card_of_a_kind_in_a_phase() -> None:
    """Two architects in hand: the second can't be played in the same order."""
    state = position("""
        4 players
        Red: owns Memphis + Mendes, 2 architect
        Black: owns Buto
        Blue: owns Sawu
        White: owns Abydos
    """)
    assert faults(state, RED, "stones 4 Memphis, architect Memphis, architect Mendes") == ["AR-6.10"]


def _drafting(mode: str) -> State:
    """Red has bought one card of three drawn: block, eight gold, rebid."""
    state = buying(mode)
    order = RULES.read(state, RED, "buy 1 card")
    RULES.apply(state, {RED: order}, Recorded(["card: block", "card: eight-gold", "card: rebid"]))
    return state


def test_ar_6_11_who_draws_a_card_draws_two_more_and_puts_two_back() -> None:
    """Red sees three, keeps one; the other two lie on the deck in Red's order, and come first."""
    state = _drafting("on")
    assert (state.phase, state.asked, state.back) == (BUY_DRAFT, [RED], 2)
    assert RULES.view(state, RED).drawn == [card("block"), card("rebid"), card("eight gold")]
    assert RULES.view(state, BLACK).drawn == [-1, -1, -1]
    assert len(list(RULES.legal(state, RED))) == 6
    turns(state, (RED, "put back rebid, block"))
    assert state.hands[RED][card("eight gold")] == 1
    assert state.top == [card("block"), card("rebid")]
    assert RULES.view(state, RED).top == [card("block"), card("rebid")]
    assert RULES.view(state, BLACK).top == [-1, -1]
    turns(state, (RED, "nothing"), (BLACK, "nothing"), (BLUE, "nothing"))
    order = RULES.read(state, WHITE, "buy 1 card")
    RULES.apply(state, {WHITE: order}, Recorded(["card: architect"]))
    assert sorted(state.drawn) == [card("block"), card("rebid"), card("architect")]


def test_ar_6_11_discard_puts_them_on_the_pile_for_all_to_see() -> None:
    """The two cards not kept are named and lie open."""
    state = _drafting("discard")
    assert len(list(RULES.legal(state, RED))) == 3
    events = turns(state, (RED, "put back block, rebid"))
    assert "0 discards block, rebid." in seen(events, BLACK)
    assert (state.discard[card("block")], state.discard[card("rebid")], state.top) == (1, 1, [])


@pytest.mark.parametrize(
    ("mode", "said"),
    [("on", "0 puts cards drawn back on the deck: 2."), ("discard", "0 discards architect, architect.")],
)
def test_ar_6_11_alike_cards_are_put_back_before_all_eyes_too(mode: str, said: str) -> None:
    """Who draws three architects isn't asked which go back; the table is told of them as ever."""
    state = buying(mode)
    events = RULES.apply(state, {RED: RULES.read(state, RED, "buy 1 card")}, Recorded(["card: architect"] * 3))
    assert state.phase == BUILD
    assert said in seen(events, BLACK)
    assert state.hands[RED][card("architect")] == 1


@pytest.mark.parametrize(
    ("left", "back"), [(("block", "rebid"), 1), (("block",), 0), (("block", "rebid", "eight gold"), 2)]
)
def test_ar_6_11_with_fewer_cards_all_are_drawn_and_the_number_bought_kept(left: tuple[str, ...], back: int) -> None:
    """Of k cards min(1, k) stay with Red."""
    state = buying("on", f"White: all other cards\ndeck: {', '.join(left)}")
    RULES.apply(state, {RED: Buy(1)}, Recorded([f"card: {name.replace(' ', '-')}" for name in left]))
    assert state.back == back
    assert state.phase == (BUY_DRAFT if back else BUILD)
    assert sum(state.hands[RED]) == (0 if back else 1)


def test_ar_6_11_only_cards_drawn_can_be_put_back_and_exactly_so_many() -> None:
    """One is too few, an architect wasn't drawn."""
    state = _drafting("on")
    assert faults(state, RED, "put back block") == ["AR-6.11"]
    assert faults(state, RED, "put back block, architect") == ["AR-6.11"]
    assert sentence(state, RED, "put back block") == "Cards to put back: 2; you named 1."


def test_ar_6_11_rewards_go_one_player_after_another() -> None:
    """The highest draws and puts back before the second says how many cards."""
    state = position("""
        4 players, card_draft on
        Red: owns Memphis
        Black: owns Buto
        Blue: owns Mendes
        White: owns Abydos
        asked: offer by Red Black Blue White
        discard: 4 architect
    """)
    act(state, {RED: "offer 2", BLACK: "offer 5", BLUE: "offer 1", WHITE: "theft"})
    assert (state.phase, state.asked) == (TAKE, [BLACK])
    act(state, {BLACK: "take 1 card"})
    assert (state.phase, state.asked) == (TAKE_DRAFT, [BLACK])
    act(state, {BLACK: str(RULES.cautious(RULES.view(state, BLACK)))})
    assert (state.phase, state.asked) == (TAKE, [RED])
    assert sum(state.hands[BLACK]) == 1
    assert len(state.top) == 2


TOGETHER = """
    4 players, actions together
    Red: owns Memphis
    Black: owns Buto
    Blue: owns Sawu
    White: owns Abydos
    asked: buy by Red Blue White
"""


def test_ar_6_12_together_all_are_asked_for_a_then_all_for_b_and_c() -> None:
    """Black has no card limit; Blue sends B and C along and isn't asked again."""
    state = position(TOGETHER)
    act(state, {RED: "buy 2 cards", BLUE: "stones 1 Sawu", WHITE: "buy no cards"})
    assert (state.phase, state.asked) == (BUILD, [RED, BLACK, WHITE])
    act(state, {RED: "nothing", BLACK: "farmers 1 Buto", WHITE: "nothing"})
    assert state.phase == OFFER
    assert (state.stones[land("Sawu")], state.farmers[land("Buto")]) == (1, 1)


def test_ar_6_12_a_latecomer_gets_and_pays_what_is_there_and_sales_stand() -> None:
    """Two cards left: Red takes them; Blue, who sold a card for two, finds that one and pays 1 for it."""
    state = position(
        TOGETHER,
        """
        Blue: gold 2, block
        White: all other cards
        deck: rebid, architect
        """,
    )
    orders = {RED: RULES.read(state, RED, "buy 2 cards"), BLUE: RULES.read(state, BLUE, "buy 2 cards, sell block")}
    orders[WHITE] = RULES.read(state, WHITE, "buy no cards")
    RULES.apply(state, orders, Recorded(["card: rebid", "card: architect", "card: block"]))
    assert sum(state.hands[RED]) == 2
    assert state.hands[BLUE][card("block")] == 1
    assert state.gold[BLUE] == 2 + 1 - 1


def test_ar_6_12_with_a_draft_a_goes_one_after_another_and_b_and_c_together() -> None:
    """Red buys and drafts, then Blue, then White; then all build."""
    drafting = TOGETHER.replace("actions together", "actions together, card_draft on")
    state = position(drafting.replace("buy by Red Blue White", "buy by Red, then Black Blue White"))
    bought = {RED: RULES.read(state, RED, "buy 1 card")}
    RULES.apply(state, bought, Recorded(["card: block", "card: eight-gold", "card: rebid"]))
    assert (state.phase, state.asked) == (BUY_DRAFT, [RED])
    act(state, {RED: "put back rebid, block"})
    assert (state.phase, state.asked) == (BUY, [BLUE])
    act(state, {BLUE: "nothing"})
    act(state, {WHITE: "buy no cards"})
    assert (state.phase, state.asked) == (BUILD, [RED, BLACK, WHITE])
