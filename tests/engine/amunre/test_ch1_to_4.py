"""Components, set-up, course of the game and the reveal: AR-1 to AR-4."""

from __future__ import annotations

import msgspec
import pytest

from pbem.engine.amunre import RULES
from pbem.engine.amunre.board import load, text_of
from pbem.engine.amunre.data import CARDS, COPIES, KINDS, PRINTED_BOARD, PROVINCES
from pbem.engine.amunre.harvest import workers
from pbem.engine.amunre.reveal import reveal
from pbem.engine.amunre.state import BID, OFFER, Ply, State
from pbem.engine.core.errors import IllegalOrder
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
    opened,
    position,
    seen,
    shown,
    turns,
)

OFFERING = """
    4 players
    Red: owns Mendes
    Black: owns Buto
    Blue: owns Amarna
    White: owns Kharga
    asked: offer by Red Black Blue White
"""
UP = """
    4 players
    up: Mendes, Buto, Amarna, Kharga
"""
CLUB_BOARD = PRINTED_BOARD.replace("Mendes,6,0", "Mendes,7,2")


def test_ar_1_1_the_table_of_the_board_is_the_one_printed() -> None:
    """Fifteen provinces with all their cells; written out, the table is what was read."""
    board = load("")
    assert len(PROVINCES) == 15
    assert text_of(board) == PRINTED_BOARD
    assert board.fields[land("Mendes")] == 6
    assert board.bonus_gold[land("Dakhla")] == 12
    assert board.not_confirmed[land("Sawu")] == ("fields", "card_limit", "half")
    assert board.not_confirmed[land("Mendes")] == ()


def test_ar_1_1_a_club_brings_its_own_board_and_the_game_keeps_it() -> None:
    """The option's table rules the game, and lies in its state through JSON."""
    state = opened(board=CLUB_BOARD)
    assert state.board.fields[land("Mendes")] == 7
    kept = msgspec.json.decode(msgspec.json.encode(state), type=State)
    assert kept.board == load(CLUB_BOARD)
    assert RULES.view(state, None).board == load(CLUB_BOARD)
    assert load(text_of(kept.board)) == kept.board


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("province,fields", "land,fields", "The board's first line must read: province,fields,card_limit,"),
        ("Abu,3,1", "Abu,three,1", "Abu: fields is 'three'; it must be a whole number from 0 to 99."),
        ("Abu,3,1", "Abu,3,-1", "Abu: card_limit is '-1'; it must be a whole number from 0 to 99."),
        ("Abu,3,1", "Abu,3,100", "Abu: card_limit is '100'; it must be a whole number from 0 to 99."),
        (
            "0,0,east,upper,yes,fields",
            "0,0,east,middle,yes,fields",
            "half is 'middle'; it must be one of lower, upper.",
        ),
        ("Edfu,3,1", "Edo,3,1", "Line 11 of the board: there is no province 'Edo'. The board has no line for Edfu."),
        ("Edfu,3,1", "Abu,3,1", "Line 11 of the board repeats Abu. The board has no line for Edfu."),
        ("Mendes,6,0", "Mendes,6", "Line 14 of the board has 13 cell(s), not 14. The board has no line for Mendes."),
        ("upper,yes,fields card_limit\nAbydos", "upper,yes,colour\nAbydos", "Abu: not_confirmed names 'colour',"),
        (PRINTED_BOARD, "nonsense", "The board's first line must read: province,"),
    ],
)
def test_ar_1_1_every_fault_of_a_board_is_named(old: str, new: str, said: str) -> None:
    """A table that doesn't hold is refused when the game is opened, in words that name line, cell and limit."""
    assert old in PRINTED_BOARD
    with pytest.raises(IllegalOrder) as refused:
        RULES.setup(4, {"board": PRINTED_BOARD.replace(old, new, 1)}, Rng("x", 0))
    assert said in str(refused.value)


def test_ar_1_1_a_board_as_spreadsheets_save_it() -> None:
    """A byte-order mark before the table means nothing; a cell without end is refused in words."""
    marked = "\N{ZERO WIDTH NO-BREAK SPACE}" + PRINTED_BOARD
    assert RULES.setup(4, {"board": marked}, Rng("x", 0)).state.board == opened().board
    with pytest.raises(IllegalOrder, match="longer than 400 characters"):
        RULES.setup(4, {"board": PRINTED_BOARD.replace("Abu,", "Abu," + "9" * 140_000, 1)}, Rng("x", 0))


def test_ar_1_1_all_faults_of_a_board_come_at_once() -> None:
    """Two wrong cells are two sentences."""
    with pytest.raises(IllegalOrder) as refused:
        load(PRINTED_BOARD.replace("Abu,3", "Abu,x").replace("Sawu,2", "Sawu,y"))
    assert len(refused.value.faults) == 2


def test_ar_1_2_there_are_39_cards_of_12_kinds() -> None:
    """Counts by kind, and none is lost at the set-up."""
    assert len(CARDS) == KINDS == 12
    assert sum(COPIES) == 39
    assert dict(zip(CARDS, COPIES, strict=True)) == {
        "block": 2,
        "rebid": 2,
        "free farmer": 5,
        "architect": 8,
        "adjustment": 4,
        "eight gold": 3,
        "harvest increase": 5,
        "cards bonus": 2,
        "farmers bonus": 2,
        "half bonus": 2,
        "bank bonus": 2,
        "riverside bonus": 2,
    }
    state = opened(5)
    assert RULES.problems(state) == ()
    state.deck[card("block")] += 1
    assert RULES.problems(state) == ("there are 3 cards of kind 0, not 2",)


def test_ar_1_3_any_amount_can_be_paid_and_theft_stays_with_its_owner() -> None:
    """Gold is a number: 7 of 20 is no matter of change; the theft card is back for the next offering."""
    state = position(OFFERING)
    act(state, {RED: "offer 7", BLACK: "theft", BLUE: "theft", WHITE: "theft"})
    assert state.gold[RED] == 13
    assert faults(position(OFFERING, f"Black: {shown(state, 'Black')}"), BLACK, "theft") == []


def test_ar_1_4_stones_farmers_and_pyramids_never_run_out() -> None:
    """Sixteen stones, more than the box holds, make five pyramids and a rest on one province."""
    state = position("""
        4 players
        Red: owns Mendes, gold 136
    """)
    turns(state, (RED, "stones 16 Mendes"))
    assert shown(state, "Mendes") == "Red, stones 1, pyramids 5"


def test_ar_1_5_hands_are_hidden_and_their_number_is_public() -> None:
    """Others see how many cards, never which; their owner sees both."""
    state = position("""
        4 players
        Red: architect
        Black: architect, block, eight gold
        Blue: architect
        White: architect
    """)
    assert RULES.view(state, RED).cards == (1, 3, 1, 1)
    assert RULES.view(state, RED).hand[card("block")] == 0
    assert RULES.view(state, BLACK).hand[card("block")] == 1
    assert sum(RULES.view(state, None).hand) == 0


def test_ar_1_5_the_option_hides_the_number_of_cards() -> None:
    """With hand_counts=hidden only one's own number is there."""
    state = opened(hand_counts="hidden")
    assert RULES.view(state, RED).cards == (1, None, None, None)
    assert RULES.view(state, None).cards == (None,) * 4


def test_ar_1_5_purses_are_public_or_hidden_by_option() -> None:
    """gold=hidden leaves purse and income to their owner; payments stay open."""
    assert RULES.view(opened(), BLACK).gold == [20, 20, 20, 20]
    state = position("""
        4 players, gold hidden
        game: temple 2
        Red: owns Abu, items 1
        Black: owns Buto
        Blue: owns Mendes
        White: owns Berenike
        asked: harvest by Red
    """)
    assert RULES.view(state, BLACK).gold == [0, 20, 0, 0]
    events = act(state, {RED: "stones 1 Abu"})
    assert "3 brings in the harvest." in seen(events, RED)
    assert "You harvest 4 gold." in seen(events, RED)
    assert "You harvest 4 gold." not in seen(events, BLACK)
    assert not any("harvests" in line for line in seen(events, None))


def test_ar_1_6_discards_sales_and_played_cards_are_open() -> None:
    """Everybody reads what was sold and played; the pile is in every view."""
    state = position(UP, "Red: block")
    events = turns(state, (RED, "bid 3 on Mendes with block"))
    assert "0 plays block with the bid." in seen(events, BLACK)
    assert RULES.view(state, BLACK).discard[card("block")] == 1
    state = position(OFFERING, "Red: gold 0, architect")
    events = act(state, {RED: "offer 1, sell architect", BLACK: "theft", BLUE: "theft", WHITE: "theft"})
    assert "0 sells architect for 1 gold." in seen(events, None)
    assert RULES.view(state, None).offers == [1, 0, 0, 0]


def test_ar_1_6_offerings_are_open_from_the_reveal_on_only() -> None:
    """Before the reveal no view tells an offering."""
    assert RULES.view(position(OFFERING), BLACK).offers == [-1, -1, -1, -1]


def test_ar_1_7_a_played_card_is_on_the_discard_pile_at_once() -> None:
    """The free farmer leaves the hand and lies on the pile."""
    state = position("""
        4 players
        Red: owns Mendes, free farmer
    """)
    turns(state, (RED, "free farmer Mendes"))
    assert shown(state, "Red", "discard") == "\nfree farmer"


@pytest.mark.parametrize("seats", [3, 4, 5])
def test_ar_2_1_everybody_begins_with_20_gold_and_an_architect(seats: int) -> None:
    """The deck holds the other cards."""
    state = opened(seats)
    architect = [int(kind == card("architect")) for kind in range(KINDS)]
    assert state.gold == [20] * seats
    assert state.hands == [architect] * seats
    buried = sum(len(cards) for cards in state.buried)
    assert sum(state.deck) + buried == 39 - seats


def test_ar_2_1_the_game_is_for_three_to_five() -> None:
    """Two and six players are refused in words."""
    for seats in (2, 6):
        with pytest.raises(IllegalOrder, match=f"Amun-Re is for 3, 4, 5 players, not {seats}"):
            RULES.setup(seats, {}, Rng("x", 0))


def test_ar_2_2_the_first_player_is_drawn_and_the_temple_stands_aside() -> None:
    """Over many seeds every seat comes first."""
    states = [RULES.setup(4, {}, Rng(str(seed), 0)).state for seed in range(60)]
    assert {state.first for state in states} == {0, 1, 2, 3}
    assert {state.temple for state in states} == {0}
    assert all(state.asked == [state.first] for state in states)


def _whole_game(seats: int, seed: str) -> list[tuple[int, int, tuple[int, ...]]]:
    """The provinces revealed: kingdom, round, which."""
    chance = Rng(seed, 0)
    state = RULES.setup(seats, {}, chance).state
    shown = []
    while state.asked:
        now = (state.kingdom, state.round, tuple(state.shown))
        if state.shown and now not in shown:
            shown.append(now)
        RULES.apply(state, {seat: RULES.sample(state, seat, chance) for seat in state.asked}, chance)
    return shown


@pytest.mark.parametrize("seats", [3, 4, 5])
def test_ar_2_3_both_kingdoms_use_the_same_3n_provinces(seats: int) -> None:
    """No province twice in a kingdom, the same ones in both, no other ever."""
    shown = _whole_game(seats, "kingdoms")
    old = [p for kingdom, _, lands in shown for p in lands if kingdom == 1]
    new = [p for kingdom, _, lands in shown for p in lands if kingdom == 2]
    assert len(old) == len(set(old)) == 3 * seats
    assert sorted(old) == sorted(new)


def test_ar_2_3_the_new_kingdom_has_an_order_of_its_own() -> None:
    """Over some games the provinces don't come up in the old order."""
    for seed in "abcdef":
        shown = _whole_game(3, seed)
        if [lands for _, _, lands in shown[:3]] != [lands for _, _, lands in shown[3:]]:
            return
    pytest.fail("six games in a row kept the order")


def test_ar_3_1_two_kingdoms_of_three_rounds() -> None:
    """Reveals come in six rounds, and the game is over after them."""
    assert [(kingdom, n) for kingdom, n, _ in _whole_game(4, "course")] == [
        (1, 1),
        (1, 2),
        (1, 3),
        (2, 1),
        (2, 2),
        (2, 3),
    ]


def test_ar_3_1_the_phases_follow_each_other() -> None:
    """Auction, actions, offering, rewards and harvest, then the next reveal."""
    state = position(UP)
    kinds = []
    while state.round == 1:
        (kind,) = {decision.kind for decision in RULES.awaited(state).values()}
        kinds.append(kind)
        RULES.apply(state, {s: RULES.cautious(RULES.view(state, s)) for s in RULES.awaited(state)}, Rng("x", 1))
    assert list(dict.fromkeys(kinds)) == ["bid", "buy", "build", "offer", "take", "harvest"]
    assert state.phase == BID


def test_ar_3_2_order_is_clockwise_from_the_first_player() -> None:
    """With Blue first, bids come from Blue, White, Red, Black, and so do actions."""
    state = position(
        UP,
        """
        game: first Blue
        asked: bid by Blue
        """,
    )
    turns(state, (BLUE, "bid 0 Mendes"), (WHITE, "bid 0 Buto"), (RED, "bid 0 Amarna"), (BLACK, "bid 0 Kharga"))
    turns(state, (BLUE, "nothing"), (WHITE, "nothing"), (RED, "pass"), (BLACK, "pass"))
    assert state.phase == OFFER


def test_ar_4_1_bonuses_are_laid_out_at_the_reveal() -> None:
    """Memphis gets two stones, Thebes two cards from the deck, Dakhla one, and nobody sees which."""
    state = position("""
        4 players
        pool: Memphis Thebes Dakhla Mendes
    """)
    before = sum(state.deck)
    reveal(Ply(state, Rng("bonus", 1)))
    laid = dict(zip(state.shown, state.buried, strict=True))
    assert sorted(PROVINCES[p] for p in state.shown) == ["Dakhla", "Memphis", "Mendes", "Thebes"]
    assert state.stones[land("Memphis")] == 2
    assert [len(laid[land(name)]) for name in ("Thebes", "Dakhla", "Mendes", "Memphis")] == [2, 1, 0, 0]
    assert sum(state.deck) == before - 3
    assert sorted(RULES.view(state, RED).buried) == [[], [], [-1], [-1, -1]]


def test_ar_4_1_as_many_provinces_as_players() -> None:
    """Three, four, five."""
    assert [len(opened(seats).shown) for seats in (3, 4, 5)] == [3, 4, 5]


def test_ar_4_2_stones_of_the_old_kingdom_and_new_ones_make_a_pyramid() -> None:
    """Two stones on Memphis from before and two more: a pyramid, and one stone stays."""
    state = position("""
        4 players
        game: kingdom 2
        Memphis: stones 2, pyramids 1
        pool: Memphis Mendes Buto Kharga
    """)
    reveal(Ply(state, Rng("x", 1)))
    assert shown(state, "Memphis") == "stones 1, pyramids 2"


def test_ar_4_2_printed_farmers_are_there_again() -> None:
    """Baharya's two are part of the board, not of a kingdom."""
    state = position("""
        4 players
        Red: owns Baharya
    """)
    assert workers(state, land("Baharya")) == 2
