"""The worked examples of the rules: AR-10. Positions are texts (docs/development/positions.md)."""

from __future__ import annotations

from pbem.engine.amunre import RULES
from pbem.engine.amunre.buy import limit
from pbem.engine.amunre.scoring import score
from pbem.engine.amunre.state import Ply
from pbem.engine.core.rng import Recorded
from tests.engine.amunre.tables import BLACK, BLUE, NO_CHANCE, RED, WHITE, act, position, shown, texts, turns


def test_ar_10_1_an_auction() -> None:
    """Red, Black, Blue and White as in the printed example; White pays 10, Blue 6, Red and Black nothing."""
    state = position("""
        4 players
        up: Baharya, Dakhla, Abydos, Sawu
    """)
    turns(state, (RED, "bid 3 on Abydos"), (BLACK, "bid 1 on Sawu"), (BLUE, "bid 6 on Abydos"))
    turns(state, (WHITE, "bid 10 on Abydos"), (RED, "bid 0 on Dakhla"), (BLUE, "bid 6 on Sawu"))
    events = turns(state, (BLACK, "bid 0 on Baharya"))
    assert [line for line in texts(events) if "pays" in line] == [
        "0 pays 0 gold and takes Dakhla.",
        "1 pays 0 gold and takes Baharya.",
        "2 pays 6 gold and takes Sawu.",
        "3 pays 10 gold and takes Abydos.",
    ]
    assert state.gold == [32, 20, 14, 10]  # Dakhla's bonus is 12 gold


def test_ar_10_2_what_cards_farmers_and_stones_cost() -> None:
    """2 cards, 4 farmers and 3 stones: 3 + 10 + 6 = 19."""
    state = position("""
        4 players
        Red: owns Memphis + Mendes
        Black: owns Buto
        Blue: owns Sawu
        White: owns Abydos
        asked: buy by Red, then Black Blue White
    """)
    RULES.apply(state, {RED: RULES.read(state, RED, "buy 2 cards")}, Recorded(["card: block", "card: block"]))
    turns(state, (RED, "farmers 4 Mendes, stones 3 Memphis"))
    assert state.gold[RED] == 20 - 19


def test_ar_10_3_card_limits() -> None:
    """Memphis, Amarna, Avaris: 3 cards. Buto, Mendes: none."""
    state = position("""
        4 players
        Red: owns Memphis + Amarna + Avaris
        Blue: owns Buto + Mendes
    """)
    assert (limit(state, RED), limit(state, BLUE)) == (3, 0)


def test_ar_10_4_stones_become_pyramids() -> None:
    """One stone to Memphis, two to Mendes, for 6 gold: one pyramid there, two here."""
    state = position("""
        4 players
        Memphis: Red, stones 2
        Mendes: Red, stones 1, pyramids 1
        Black: owns Buto
        Blue: owns Sawu
        White: owns Abydos
    """)
    turns(state, (RED, "stones 1 Memphis 2 Mendes"))
    assert shown(state, "Red", "Memphis", "Mendes") == "gold 14\nRed, pyramids 1\nRed, pyramids 2"


def test_ar_10_5_an_offering() -> None:
    """9, 4, theft, theft: total 7, temple space 2."""
    state = position("""
        4 players
        Red: owns Mendes
        Black: owns Buto
        Blue: owns Amarna
        White: owns Kharga
        asked: offer by Red Black Blue White
    """)
    act(state, {RED: "offer 9", BLUE: "offer 4", BLACK: "theft", WHITE: "theft"})
    assert (state.total, state.temple) == (7, 2)


def test_ar_10_6_a_harvest() -> None:
    """Space 2: Memphis 1 farmer, Abu 2 farmers, Sawu: 2 + 4 + 4 + 7 = 17."""
    state = position("""
        4 players
        game: temple 2
        Red: gold 0, owns Sawu, theft
        Memphis: Red, farmers 1
        Abu: Red, farmers 2
        Black: owns Buto, theft
        Blue: owns Mendes, theft
        White: owns Abydos, theft
        asked: harvest by Red
    """)
    act(state, {RED: "nothing"})
    assert state.gold[RED] == 17


def test_ar_10_7_two_temples_on_space_3() -> None:
    """Black's Damanhur scores 6."""
    state = position("""
        4 players
        game: temple 3
        Black: owns Damanhur + Memphis + Buto
        Red: owns Abu
        Blue: owns Mendes
        White: owns Abydos
    """)
    score(Ply(state, NO_CHANCE))
    assert state.tally[-1][BLACK][3] == 6


def test_ar_10_8_the_end_of_the_new_kingdom() -> None:
    """7 + 3 + 10 + 1 + 6 + 0 = 27."""
    state = position("""
        4 players
        game: kingdom 2, round 3, temple 1
        Blue: gold 3, half bonus, riverside bonus, cards bonus
        Edfu: Blue, pyramids 4
        Abu: Blue, pyramids 2
        Thebes: Blue, pyramids 1
        Mendes: Red, pyramids 1
        Red: owns Amarna + Avaris
        Black: owns Buto + Memphis + Damanhur
        White: owns Abydos + Kharga + Sawu
    """)
    score(Ply(state, NO_CHANCE))
    assert state.tally[-1][BLUE] == [7, 3, 10, 1, 6, 0]
    assert state.points[BLUE] == 27
