"""EG-3: sailing. Positions are texts (docs/development/positions.md)."""

from __future__ import annotations

from typing import Any

import pytest

from pbem.engine.egizia import RULES
from tests.engine.egizia.tables import Table, sentences


def test_eg_3_1_one_ship_at_a_time_until_all_have_passed() -> None:
    """0, 1, 2 in turn; 1 passes and is left out; the last one sails on alone."""
    table = Table(3)

    table.do("0: ship to Edfu", "1: pass", "2: ship to Thebae")
    assert table.asked == ("ship", (0,))
    table.do("0: pass")
    assert table.asked == ("ship", (2,))
    table.do("2: ship to Alyl, crew blue")
    assert table.asked == ("ship", (2,))
    events = table.do("2: pass")
    assert table.state.round == 2
    assert "Everybody has passed" in " ".join(sentences(events))


def test_eg_3_1_who_has_no_space_left_passes_by_itself() -> None:
    """After Heliopolis, the last space, nothing is downstream: seat 0 is not asked again."""
    table = Table(2)

    events = table.do("0: ship to Heliopolis", "1: ship to Edfu")

    assert table.asked == ("ship", (1,))
    assert "0 has no ship or space left and passes." in sentences(events)


def test_eg_3_1_a_card_in_hand_that_opens_a_space_keeps_one_in() -> None:
    """With the upstream card seat 0 is asked even from Heliopolis; reuse needs an occupied round space downstream."""
    table = Table.position("""
        2 players
        river: A05 A06 A13 A09 A17 A12 A04 A14 A21 A22
        0: has B11
    """)
    table.do("0: ship to Heliopolis", "1: ship to Edfu")
    assert table.asked == ("ship", (0,))
    assert table.rules(0, "ship to Thebae") == {"EG-3.2"}
    table.do("0: ship to Thebae using upstream")

    reuse = Table.position("""
        2 players
        river: A05 A06 A13 A09 A17 A12 A04 A14 A21 A22
        0: has A15
    """)
    reuse.do("0: ship to Heliopolis", "1: ship to Edfu")
    assert reuse.asked == ("ship", (1,))


def test_eg_3_1_no_ship_is_left_to_place_once_one_has_passed() -> None:
    """They come back (EG-3.8) but don't sail any more; in the next round there are eight again."""
    table = Table(2)
    table.do("0: ship to Edfu", "1: ship to Sphinx")
    left: list[Any] = []
    for order in ("0: pass", "1: pass"):
        seat = int(order[0])
        left.append(RULES.figures(RULES.view(table.state, seat))["ships left"])
        table.do(order)
        view = RULES.view(table.state, seat)
        assert RULES.figures(view)["ships left"] == RULES.facts(view)["ships"]
        left.append(RULES.facts(view)["ships"])
    assert table.asked[0] == "sphinx"

    assert left == [7, 0, 7, 0]
    table.do("1: renounce")
    assert [RULES.facts(RULES.view(table.state, seat))["ships"] for seat in (0, 1)] == [8, 8]


def test_eg_3_1_unused_ships_are_warned_of_though_the_next_round_begins_at_once() -> None:
    """From Heliopolis nothing is downstream, and nothing else is asked in this round."""
    table = Table(2)
    table.do("0: pass")
    view = RULES.view(table.state, 1)
    order = RULES.read(table.state, 1, "ship to Heliopolis")
    table.do("1: ship to Heliopolis")
    assert table.state.round == 2

    (warned,) = RULES.warnings(view, order, RULES.view(table.state, 1))
    assert warned.params == {"ships": 7}


def test_eg_3_2_a_ship_goes_downstream_of_the_last_one() -> None:
    """From Alyl on, Edfu is upstream: refused; so is the space itself."""
    table = Table(2)
    table.do("0: ship to Alyl, crew blue", "1: pass")

    assert table.faults(0, "ship to Edfu") == [
        "EG-3.2: Edfu isn't downstream of your last ship at Alyl: name a space further down, or pass."
    ]
    assert table.rules(0, "ship to A05") == {"EG-3.2"}
    table.do("0: ship to Selinon")


def test_eg_3_3_a_card_is_taken_and_its_space_is_used() -> None:
    """The ship takes the place of the card; nobody else can go there."""
    table = Table(2)
    table.do("0: ship to A05")

    assert table.shown("0") == "has A05, ships C1"
    assert table.faults(1, "ship to A05") == [
        "EG-3.3: A05 doesn't lie on the river. There are: A06, A13, A09, A17, A12, A04, A14, A21 and A22."
    ]


def test_eg_3_3_a_round_space_holds_one_ship() -> None:
    """Edfu is taken by 0, so 1 is refused."""
    table = Table(2)
    table.do("0: ship to Edfu")

    assert table.faults(1, "ship to Edfu") == ["EG-3.3: Edfu is occupied: name a free space."]


def test_eg_3_3_one_own_ship_a_site_in_any_free_slot() -> None:
    """0 takes slot 2 although 1 is free; slot 2 is refused to 1; 0 can't come again."""
    table = Table(3)
    table.do("0: ship to Sphinx, slot 2")
    assert table.shown("at Sphinx") == "slots - 0"
    assert table.faults(1, "ship to Sphinx, slot 2") == ["EG-3.3: Free slots at Sphinx: 1. Name one of them."]
    table.change("0: has B11")
    table.do("1: pass", "2: pass", "0: ship to Heliopolis")
    assert "EG-3.3" in table.rules(0, "ship to Sphinx, slot 1 using upstream")


def test_eg_3_3_behind_full_slots_ships_queue_in_order_of_arrival() -> None:
    """Two slots with three players: the third waits; nobody can name a slot then."""
    table = Table(3)
    table.do("0: ship to Sphinx", "1: ship to Sphinx")
    assert table.rules(2, "ship to Sphinx, slot 1") == {"EG-3.3"}
    events = table.do("2: ship to Sphinx")

    assert table.shown("at Sphinx") == "slots 0 1, queue 2"
    assert sentences(events) == ["2 sails to Sphinx and waits behind its slots."]


def test_eg_3_3_queueing_is_refused_while_a_slot_is_free() -> None:
    """`queue` at an empty site names no slot."""
    assert Table(3).rules(0, "ship to Sphinx, queue") == {"EG-3.3"}


def test_eg_3_4_edfu_steps_in_both_markets() -> None:
    """Stone and grain marker one step each."""
    table = Table(2)
    table.do("0: ship to Edfu")

    assert (table.shown("0"), table.shown("1")) == ("stone market 1, grain market 1, ships Edfu", "")


@pytest.mark.parametrize(
    ("place", "crews"), [("Thebae", [2, 2, 1, 2]), ("Beni Hasan", [2, 1, 2, 2]), ("Selinon", [1, 2, 2, 2])]
)
def test_eg_3_5_two_crews_grow(place: str, crews: list[int]) -> None:
    """Thebae blue and black, Beni Hasan blue and yellow, Selinon black and yellow."""
    table = Table(2)
    table.do(f"0: ship to {place}")

    assert table.crew(0) == crews


@pytest.mark.parametrize("place", ["Passalon", "Heliopolis"])
@pytest.mark.parametrize(("text", "game"), [("", ""), (", ring left", "ring left"), (", ring right", "ring right")])
def test_eg_3_6_the_joker_grows_and_the_ring_may_move(place: str, text: str, game: str) -> None:
    """Joker +1 in any case; the ring stays or moves one circle."""
    table = Table(2)
    table.do(f"0: ship to {place}{text}")

    assert (table.crew(0)[3], table.shown("game")) == (3, game)


def test_eg_3_6_the_ring_moves_one_circle_and_only_there() -> None:
    """Two circles, beyond the edge, or from Edfu: refused."""
    table = Table(2)
    assert table.rules(0, "ship to Passalon, ring left, ring left") == {"EG-3.6"}
    assert table.rules(0, "ship to Edfu, ring left") == {"EG-3.6"}
    table.change("game: ring left")
    assert table.rules(0, "ship to Passalon, ring left") == {"EG-1.7"}


@pytest.mark.parametrize(("crew", "crews"), [("blue", [2, 1, 1, 2]), ("joker", [1, 1, 1, 3])])
def test_eg_3_7_alyl_raises_any_crew_and_gives_two_stones(crew: str, crews: list[int]) -> None:
    """Any one of the four, then 2 stones; the crew must be named."""
    table = Table(2)
    assert table.rules(0, "ship to Alyl") == {"EG-3.7"}
    assert table.rules(0, "ship to Alyl, crew blue, crew black") == {"EG-3.7"}

    table.do(f"0: ship to Alyl, crew {crew}")

    assert (table.crew(0), table.state.stones[0]) == (crews, 4)


def test_eg_3_8_ships_come_back_but_those_at_sites() -> None:
    """After sailing only the ship at the Obelisk is still out."""
    table = Table.position("""
        2 players
        river: A05 A06 A13 A09 A17 A12 A04 A14 A21 A22
        0: stones 20
    """)
    table.do("0: ship to Edfu", "1: pass", "0: ship to Obelisk", "0: pass")

    assert table.asked == ("build", (0,))
    assert table.shown("at Obelisk") == "slots 0 -"
    assert table.shown("0") == "stones 23, stone market 1, grain market 1, passed"
    assert table.shown("1") == "stones 6, passed"


def test_eg_3_9_a_step_above_the_maximum_is_lost() -> None:
    """Blue 9 and black 8 at Thebae: 9 and 9."""
    table = Table.position("""
        2 players
        river: A05 A06 A13 A09 A17 A12 A04 A14 A21 A22
        0: crews 9 8 1 2
    """)
    table.do("0: ship to Thebae")

    assert table.crew(0) == [9, 9, 1, 2]
