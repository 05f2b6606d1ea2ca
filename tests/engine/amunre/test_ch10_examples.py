"""The worked examples of the rules: AR-10."""

from __future__ import annotations

from pbem.engine.amunre import RULES
from pbem.engine.amunre.buy import limit
from pbem.engine.amunre.scoring import score
from pbem.engine.amunre.state import BUY, HARVEST
from pbem.engine.core.rng import Recorded
from tests.engine.amunre.tables import BLACK, BLUE, RED, WHITE, act, give, land, offering, owning, texts, turns, up


def test_ar_10_1_an_auction() -> None:
    """Red, Black, Blue and White as in the printed example; White pays 10, Blue 6, Red and Black nothing."""
    state = up("Baharya", "Dakhla", "Abydos", "Sawu")
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
    state = owning({RED: "Memphis Mendes", BLACK: "Buto", BLUE: "Sawu", WHITE: "Abydos"}, phase=BUY)
    RULES.apply(state, {RED: RULES.read(state, RED, "buy 2 cards")}, Recorded(["card: block", "card: block"]))
    turns(state, (RED, "farmers 4 Mendes, stones 3 Memphis"))
    assert state.gold[RED] == 20 - 19


def test_ar_10_3_card_limits() -> None:
    """Memphis, Amarna, Avaris: 3 cards. Buto, Mendes: none."""
    state = owning({RED: "Memphis Amarna Avaris", BLUE: "Buto Mendes"})
    assert (limit(state, RED), limit(state, BLUE)) == (3, 0)


def test_ar_10_4_stones_become_pyramids() -> None:
    """One stone to Memphis, two to Mendes, for 6 gold: one pyramid there, two here."""
    state = owning({RED: "Memphis Mendes", BLACK: "Buto", BLUE: "Sawu", WHITE: "Abydos"})
    state.stones[land("Memphis")], state.stones[land("Mendes")], state.pyramids[land("Mendes")] = 2, 1, 1
    turns(state, (RED, "stones 1 Memphis 2 Mendes"))
    assert state.gold[RED] == 14
    assert (state.pyramids[land("Memphis")], state.pyramids[land("Mendes")]) == (1, 2)
    assert (state.stones[land("Memphis")], state.stones[land("Mendes")]) == (0, 0)


def test_ar_10_5_an_offering() -> None:
    """9, 4, theft, theft: total 7, temple space 2."""
    state = offering()
    act(state, {RED: "offer 9", BLUE: "offer 4", BLACK: "theft", WHITE: "theft"})
    assert (state.total, state.temple) == (7, 2)


def test_ar_10_6_a_harvest() -> None:
    """Space 2: Memphis 1 farmer, Abu 2 farmers, Sawu: 2 + 4 + 4 + 7 = 17."""
    state = owning({RED: "Memphis Abu Sawu", BLACK: "Buto", BLUE: "Mendes", WHITE: "Abydos"}, phase=HARVEST)
    state.farmers[land("Memphis")], state.farmers[land("Abu")] = 1, 2
    state.offers, state.gold[RED], state.asked = [0, 0, 0, 0], 0, [RED]
    act(state, {RED: "nothing"})
    assert state.gold[RED] == 17


def test_ar_10_7_two_temples_on_space_3() -> None:
    """Black's Damanhur scores 6."""
    state = owning({BLACK: "Damanhur Memphis Buto", RED: "Abu", BLUE: "Mendes", WHITE: "Abydos"})
    state.temple = 3
    score(state, [])
    assert state.tally[-1][BLACK][3] == 6


def test_ar_10_8_the_end_of_the_new_kingdom() -> None:
    """7 + 3 + 10 + 1 + 6 + 0 = 27."""
    lands = {
        BLUE: "Edfu Abu Thebes",
        RED: "Mendes Amarna Avaris",
        BLACK: "Buto Memphis Damanhur",
        WHITE: "Abydos Kharga Sawu",
    }
    state = owning(lands)
    state.kingdom, state.round, state.temple = 2, 3, 1
    for name, n in (("Edfu", 4), ("Abu", 2), ("Thebes", 1), ("Mendes", 1)):
        state.pyramids[land(name)] = n
    give(state, BLUE, "half bonus", "riverside bonus", "cards bonus")
    state.gold = [20, 20, 3, 20]
    score(state, [])
    assert state.tally[-1][BLUE] == [7, 3, 10, 1, 6, 0]
    assert state.points[BLUE] == 27
