"""The harvest: AR-8."""

from __future__ import annotations

import pytest

from tests.engine.amunre.tables import BLACK, BLUE, RED, WHITE, act, faults, give, land, owning, sentence

OTHERS = {BLACK: "Buto", BLUE: "Mendes", WHITE: "Abydos"}


def earned(lands: str, temple: int, farmers: dict[str, int], *cards: str, order: str = "nothing") -> int:
    """What Red's harvest brings."""
    state = owning({RED: lands, **OTHERS}, phase=9)
    state.temple, state.gold[RED] = temple, 0
    state.offers = [0, 0, 0, 0]
    for name, n in farmers.items():
        state.farmers[land(name)] = n
    give(state, RED, *cards)
    state.asked = [RED]
    act(state, {RED: order})
    return state.gold[RED]


@pytest.mark.parametrize("temple", [1, 2, 3, 4])
def test_ar_8_1_every_farmer_earns_the_temples_number(temple: int) -> None:
    """Three farmers on two provinces."""
    assert earned("Edfu Amarna", temple, {"Edfu": 1, "Amarna": 2}) == 3 * temple


@pytest.mark.parametrize(("name", "gold"), [("Abu", 4), ("Berenike", 8)])
@pytest.mark.parametrize("temple", [1, 2, 3, 4])
def test_ar_8_2_abu_and_berenike_earn_always(name: str, gold: int, temple: int) -> None:
    """On every temple space, without farmers."""
    assert earned(name, temple, {}) == gold


@pytest.mark.parametrize(("name", "gold"), [("Kharga", 5), ("Sawu", 7), ("Avaris", 8)])
@pytest.mark.parametrize(("temple", "comes"), [(1, 1), (2, 1), (3, 0), (4, 0)])
def test_ar_8_2_camels_come_on_low_temple_spaces_only(name: str, gold: int, temple: int, comes: int) -> None:
    """On spaces 1 and 2, not on 3 and 4."""
    assert earned(name, temple, {}) == gold * comes


def test_ar_8_3_a_harvest_increase_is_one_more_for_each_farmer_there() -> None:
    """Baharya with two printed and one more farmer on space 1: 3 + 3."""
    assert earned("Baharya Edfu", 1, {"Baharya": 1}, "harvest increase", order="harvest increase Baharya") == 6


def test_ar_8_3_a_farmer_on_open_ground_counts() -> None:
    """Berenike with one free farmer: 8 + 2, and 1 more by the card."""
    state = owning({RED: "Berenike", **OTHERS}, phase=9)
    state.ground[land("Berenike")] = 1
    state.temple, state.gold[RED], state.asked, state.offers = 2, 0, [RED], [0, 0, 0, 0]
    give(state, RED, "harvest increase")
    act(state, {RED: "harvest Berenike"})
    assert state.gold[RED] == 11


def test_ar_8_3_only_on_an_own_province_with_the_card() -> None:
    """Not on Buto, not without the card."""
    state = owning({RED: "Edfu", **OTHERS}, phase=9)
    state.asked = [RED]
    assert sentence(state, RED, "harvest increase Edfu") == "You don't have that many harvest increase cards."
    give(state, RED, "harvest increase")
    assert faults(state, RED, "harvest increase Buto") == ["AR-8.3"]


def test_ar_8_4_eight_gold_in_place_of_all_else() -> None:
    """Avaris on space 1 with 3 farmers would yield 11; the card makes it 8; Edfu's farmer earns beside it."""
    assert earned("Avaris Edfu", 1, {"Avaris": 3, "Edfu": 1}) == 12
    assert earned("Avaris Edfu", 1, {"Avaris": 3, "Edfu": 1}, "eight gold", order="8 gold Avaris") == 9


def test_ar_8_4_both_harvest_cards_may_be_played() -> None:
    """Eight gold on Edfu, the increase on Amarna with 4 farmers on space 1: 8 + 8."""
    order = "eight gold Edfu, increase Amarna"
    assert earned("Edfu Amarna", 1, {"Amarna": 4}, "eight gold", "harvest increase", order=order) == 16


def test_ar_8_4_only_on_an_own_province() -> None:
    """Not on Buto."""
    state = owning({RED: "Edfu", **OTHERS}, phase=9)
    state.asked = [RED]
    give(state, RED, "eight gold")
    assert faults(state, RED, "eight gold Buto") == ["AR-8.4"]
