"""The harvest: AR-8. Positions are texts (docs/development/positions.md)."""

from __future__ import annotations

from itertools import islice
from typing import Any

import pytest
from msgspec.structs import replace

from pbem.engine.amunre import RULES
from pbem.engine.amunre.data import CARDS, EIGHT, INCREASE, KINGDOMS, PROVINCES, ROUNDS
from pbem.engine.amunre.orders import Harvest
from pbem.engine.amunre.state import State
from pbem.engine.core.forms import Pick
from pbem.engine.core.rng import Rng
from pbem.kit.contract import positions as contract
from tests.engine.amunre.tables import RED, act, faults, position, sentence

HARVEST = """
    4 players
    game: temple 2
    Red: gold 0, theft
    Black: owns Buto, theft
    Blue: owns Mendes, theft
    White: owns Abydos, theft
    asked: harvest by Red
"""
"""Nobody has offered anything; Red may play cards, then all harvest."""


def earned(more: str, order: str = "nothing") -> int:
    """What Red's harvest brings, from the harvest above with what a case adds."""
    state = position(HARVEST, more)
    act(state, {RED: order})
    return state.gold[RED]


@pytest.mark.parametrize("temple", [1, 2, 3, 4])
def test_ar_8_1_every_farmer_earns_the_temples_number(temple: int) -> None:
    """Three farmers on two provinces."""
    assert earned(f"game: temple {temple}\nEdfu: Red, farmers 1\nAmarna: Red, farmers 2") == 3 * temple


@pytest.mark.parametrize(("name", "gold"), [("Abu", 4), ("Berenike", 8)])
@pytest.mark.parametrize("temple", [1, 2, 3, 4])
def test_ar_8_2_abu_and_berenike_earn_always(name: str, gold: int, temple: int) -> None:
    """On every temple space, without farmers."""
    assert earned(f"game: temple {temple}\nRed: owns {name}") == gold


@pytest.mark.parametrize(("name", "gold"), [("Kharga", 5), ("Sawu", 7), ("Avaris", 8)])
@pytest.mark.parametrize(("temple", "comes"), [(1, 1), (2, 1), (3, 0), (4, 0)])
def test_ar_8_2_camels_come_on_low_temple_spaces_only(name: str, gold: int, temple: int, comes: int) -> None:
    """On spaces 1 and 2, not on 3 and 4."""
    assert earned(f"game: temple {temple}\nRed: owns {name}") == gold * comes


def test_ar_8_3_a_harvest_increase_is_one_more_for_each_farmer_there() -> None:
    """Baharya with two printed and one more farmer on space 1: 3 + 3."""
    more = """
        game: temple 1
        Red: owns Edfu, harvest increase
        Baharya: Red, farmers 1
    """
    assert earned(more, "harvest increase Baharya") == 6


def test_ar_8_3_a_farmer_on_open_ground_counts() -> None:
    """Berenike with one free farmer: 8 + 2, and 1 more by the card."""
    more = """
        Red: harvest increase
        Berenike: Red, free farmers 1
    """
    assert earned(more, "harvest Berenike") == 11


def test_ar_8_3_only_on_an_own_province_with_the_card() -> None:
    """Not on Buto, not without the card."""
    bare = position(HARVEST, "Red: owns Edfu")
    assert sentence(bare, RED, "harvest increase Edfu") == "You named 1 harvest increase card(s), but have 0."
    state = position(HARVEST, "Red: owns Edfu, harvest increase")
    assert faults(state, RED, "harvest increase Buto") == ["AR-8.3"]


def test_ar_8_4_eight_gold_in_place_of_all_else() -> None:
    """Avaris on space 1 with 3 farmers would yield 11; the card makes it 8; Edfu's farmer earns beside it."""
    more = """
        game: temple 1
        Avaris: Red, farmers 3
        Edfu: Red, farmers 1
    """
    assert earned(more) == 12
    assert earned(more + "Red: eight gold", "8 gold Avaris") == 9


def test_ar_8_4_both_harvest_cards_may_be_played() -> None:
    """Eight gold on Edfu, the increase on Amarna with 4 farmers on space 1: 8 + 8."""
    more = """
        game: temple 1
        Red: owns Edfu, eight gold, harvest increase
        Amarna: Red, farmers 4
    """
    assert earned(more, "eight gold Edfu, increase Amarna") == 16


def test_ar_8_4_only_on_an_own_province() -> None:
    """Not on Buto."""
    state = position(HARVEST, "Red: owns Edfu, eight gold")
    assert faults(state, RED, "eight gold Buto") == ["AR-8.4"]


def gold_after(state: State, seat: int, order: Harvest) -> int:
    """What a seat has once all have harvested, the others without cards."""
    after = RULES.copy(state)
    orders = {other: next(RULES.legal(state, other)) for other in RULES.awaited(state)}
    RULES.apply(after, orders | {seat: order}, Rng("harvest", 0))
    return after.gold[seat]


def test_ar_8_3_the_form_says_what_a_harvest_card_brings_with_the_farmers_placed_along() -> None:
    """AR-7.6 comes first: in every position what a card brings is what is told, each farmer placed there counted."""
    told = 0
    for at, seat, decision in contract.decisions("amunre"):
        state: State = at.state
        if decision.kind != "harvest" or (state.kingdom, state.round) == (len(KINGDOMS), ROUNDS):  # hands are sold then
            continue
        fields = [field for group in RULES.form(RULES.view(state, seat)).groups for field in group.fields]
        said = {field.name: field.choices for field in fields if isinstance(field, Pick)}
        for order in islice(RULES.legal(state, seat), 300):
            if not isinstance(order, Harvest) or len(order.cards) != 1:
                continue
            (kind, p, _), bare = order.spots[0], replace(order, increase=-1, eight_gold=-1)
            effect = next(one.effect for one in said[CARDS[kind]] if one.value == PROVINCES[p])
            assert effect
            farmers = dict(order.farmers).get(p, 0)
            assert not farmers or "placed there" in effect.text
            holes: Any = effect.params
            more = holes["farmers"] + farmers
            due = more if kind == INCREASE else EIGHT - holes["gold"] - farmers * holes["temple"]
            assert gold_after(state, seat, order) - gold_after(state, seat, bare) == due
            told += bool(farmers)

    assert told
