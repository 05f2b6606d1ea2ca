"""EG-4: each of the 56 Nile cards is taken, and used where it can be, by its effect.

Positions are texts (docs/development/positions.md).
"""

from __future__ import annotations

from collections.abc import Callable

import pytest

from pbem.engine.egizia import RULES
from pbem.engine.egizia.components import NileCard
from pbem.engine.egizia.tables import tables_of
from tests.engine.egizia.tables import Table

CARDS = tables_of("").cards


def take(card: NileCard, text: str = "") -> Table:
    """Seat 0 of two takes the card at Ombos, with 5 stones and crews 2, 3, 4, 5."""
    table = Table.position(f"""
        2 players
        river: {card.id} - - - - - - - - -
        0: stones 5, crews 2 3 4 5
    """)
    table.do(f"0: ship to {card.id}{text}", "1: pass")
    return table


def field(card: NileCard) -> None:
    """It counts in its colour."""
    table = take(card)
    sums = [6, 0, 0]
    sums[("green", "yellow", "brown").index(card.colour)] += card.value
    assert table.state.own(0).field_sums == sums


def quarry(card: NileCard) -> None:
    """It adds to the stones of each round."""
    table = take(card)
    assert table.state.own(0).quarry == 3 + card.value


def crew_improver(card: NileCard) -> None:
    """Once a round one crew +1, with any order."""
    table = take(card)
    table.do("0: ship to Edfu, improve black")
    assert table.crew(0) == [2, 4, 4, 5]
    assert table.rules(0, "pass, improve blue") == {"EG-4.4"}


def field_improver(card: NileCard) -> None:
    """One field is a colour better, in the very order that takes it too."""
    table = take(card)
    table.change("0: has A05")
    table.do("0: ship to Edfu, field A05")
    assert table.state.own(0).field_sums == [6, 6, 0]
    at_once = Table.position(f"""
        2 players
        river: {card.id} - - - - - - - - -
        0: has A05
    """)
    at_once.do(f"0: ship to {card.id}, field A05")
    assert at_once.state.own(0).field_sums == [6, 6, 0]
    assert at_once.shown("0") == f"has A05 {card.id}, ready -, improved A05, ships C1"


def feed_with_stones(card: NileCard) -> None:
    """One stone for one grain, as many as are missing."""
    table = Table.position(f"""
        2 players
        0: stones 3, crews 3 3 3 1, has {card.id}
    """)
    table.feeding()
    assert table.rules(0, "feed with stones 5") == {"EG-4.4"}
    table.do("0: feed with stones 3")
    assert (table.state.stones[0], table.state.score[0]) == (3, -3)


def reuse_round_space(card: NileCard) -> None:
    """An occupied round space downstream, once a round."""
    table = Table.position(f"""
        2 players
        river: A05 A06 A13 A09 A17 A12 A04 A14 A21 A22
        1: has {card.id}
    """)
    table.do("0: ship to Edfu", "1: ship to Edfu using reuse")
    assert [table.shown(seat).startswith("stone market 1, ") for seat in "01"] == [True, True]
    table.do("0: ship to Thebae")
    assert "EG-4.4" in table.rules(1, "ship to Thebae using reuse")


def plus_2_sphinx(card: NileCard) -> None:
    """Two more cards than are paid for."""
    table = Table.position(f"""
        2 players
        0: has {card.id}
    """)
    table.building("at Sphinx: slots 0 -")
    table.do("0: sphinx 1 with blue using +2")
    assert (len(table.state.drawn), table.state.stones[0]) == (3, 1 + 0)


def upstream(card: NileCard) -> None:
    """Once a round a ship goes upstream, and counts from then on."""
    table = Table.position(f"""
        2 players
        river: A05 A06 A13 A09 A17 A12 A04 A14 A21 A22
        0: has {card.id}
    """)
    table.do("0: ship to Alyl, crew blue", "1: pass", "0: ship to Edfu using upstream", "0: ship to Thebae")
    assert "EG-4.4" in table.rules(0, "ship to A05 using upstream")


def leftover(card: NileCard) -> None:
    """After sailing one card of those left, or none."""
    table = Table.position(f"""
        2 players
        river: A05 A06 A13 A09 A17 A12 A04 A14 A21 A22
        0: has {card.id}
    """)
    table.do("0: pass", "1: pass")
    assert table.asked == ("leftover", (0,))
    table.do("0: leftover A09")
    assert table.state.own(0).quarry == 6


def two_stones(card: NileCard) -> None:
    """Once a round two stones for one crew."""
    table = take(card)
    table.do("0: ship to Edfu, two stones joker")
    assert (table.crew(0), table.state.stones[0]) == ([2, 3, 4, 6], 3)
    assert table.rules(0, "pass, two stones blue") == {"EG-4.4"}


def graves_plus_8(card: NileCard) -> None:
    """8 in the final sum of graves."""
    table = Table.position(f"""
        2 players
        0: has {card.id}
    """)
    assert RULES.facts(RULES.view(table.state, 0))["my_graves"] == 8


def grain_market(card: NileCard) -> None:
    """Steps at once."""
    assert take(card).state.grain_at[0] == card.value


def stone_market(card: NileCard) -> None:
    """Steps at once."""
    assert take(card).state.stone_at[0] == card.value


def stones(card: NileCard) -> None:
    """Stones at once."""
    assert take(card).state.stones[0] == 5 + card.value


def points(card: NileCard) -> None:
    """Points at once."""
    assert take(card).state.score[0] == card.value


def crew_plus_3(card: NileCard) -> None:
    """One action's strength +3, once: a crew of 1 builds for 4."""
    table = Table.position(f"""
        2 players
        0: stones 9, has {card.id}
    """)
    table.building("at Obelisk: slots 0 -")
    assert table.rules(0, "build graves 2 with blue") == {"EG-6.2"}
    table.do("0: build graves 2 with blue using +3")
    assert "has" not in table.shown("0")


def grain(card: NileCard) -> None:
    """4 grain in one feeding."""
    table = Table.position(f"""
        2 players
        0: crews 3 3 3 1, has {card.id}
    """)
    table.feeding()
    table.do(f"0: feed with {card.value} grain")
    assert (table.state.score[0], table.state.ready[0]) == (0, [])


def keep_two(card: NileCard) -> None:
    """Two drawn cards are kept."""
    table = Table.position(f"""
        2 players
        0: crews 2 1 1 2, has {card.id}
    """)
    table.next("sphinx", "S01 S02")
    table.building("at Sphinx: slots 0 -")
    table.do("0: sphinx 2 with blue")
    assert table.rules(0, "keep S01 S02") == {"EG-7.1"}
    table.do("0: keep S01 S02 using keep two")
    assert (len(table.state.kept[0]), table.state.ready[0]) == (2, [])


def two_ships(card: NileCard) -> None:
    """Two ships before the next player, also with the ship that takes it."""
    table = Table.position(f"""
        2 players
        river: A05 A06 A13 A09 A17 A12 A04 A14 A21 A22
        0: has {card.id}
    """)
    table.do("0: ship to Edfu using two ships", "0: ship to Thebae")
    assert (table.asked, table.state.ready[0]) == (("ship", (1,)), [])
    at_once = Table.position(f"""
        2 players
        river: {card.id} - - - - - - - - -
    """)
    at_once.do(f"0: ship to {card.id} using two ships")
    assert (at_once.asked, at_once.state.ready[0]) == (("ship", (0,)), [])


def double(card: NileCard) -> None:
    """A round space twice, choosing differently."""
    table = Table.position(f"""
        2 players
        river: A05 A06 A13 A09 A17 A12 A04 A14 A21 A22
        0: has {card.id}
    """)
    table.do("0: ship to Alyl, crew blue, crew joker using double")
    assert (table.crew(0), table.state.stones[0]) == ([2, 1, 1, 3], 6)


def combine(card: NileCard) -> None:
    """Two basic crews and the joker work together; all are used."""
    table = Table.position(f"""
        2 players
        0: stones 20, crews 2 3 4 5, has {card.id}
    """)
    table.building("at Obelisk: slots 0 1")
    table.do("0: build obelisk 1-2, graves 3 with black + yellow + joker using combine, stone market")
    assert "tired black + yellow + joker" in table.shown("0")


def extra_ship(card: NileCard) -> None:
    """A new last slot at a full site, before the queue."""
    table = Table.position(f"""
        3 players
        river: A05 A06 A13 A09 A17 A12 A04 A14 A21 A22
        2: has {card.id}
    """)
    table.do("0: ship to Sphinx", "1: ship to Sphinx", "2: ship to Sphinx using extra ship")
    assert table.shown("at Sphinx") == "slots 0 1 2"


def move(card: NileCard) -> None:
    """Own ship to another slot, with any order before the site acts."""
    table = Table.position(f"""
        2 players
        river: A05 A06 A13 A09 A17 A12 A04 A14 A21 A22
        0: has {card.id}
    """)
    table.do("0: ship to Sphinx, slot 2", "1: ship to Sphinx", "0: ship to Alyl, crew blue, move Sphinx 1")
    assert table.shown("at Sphinx") == "slots 0 1"


def sell(card: NileCard) -> None:
    """Up to 10 stones for a point each, with any order."""
    table = Table.position(f"""
        2 players
        river: A05 A06 A13 A09 A17 A12 A04 A14 A21 A22
        0: stones 12, has {card.id}
    """)
    assert table.rules(0, "pass, sell 11") == {"EG-4.3"}
    table.do("0: ship to Edfu, sell 10")
    assert (table.state.stones[0], table.state.score[0], table.state.ready[0]) == (2, 10, [])


def shown_crews(card: NileCard) -> None:
    """The three crews shown +1."""
    assert take(card).crew(0) == [3, 4, 5, 5]


def chosen_crews(card: NileCard) -> None:
    """Two crews +1 or one +2."""
    assert take(card, ", crew blue, crew joker").crew(0) == [3, 3, 4, 6]
    assert take(card, ", crew black twice").crew(0) == [2, 5, 4, 5]


def points_for_stones(card: NileCard) -> None:
    """A point for each own stone on the buildings shown."""
    table = Table.position(f"""
        2 players
        river: {card.id} - - - - - - - - -
        obelisk: 0 1 0
        pyramid row 1: 0 0 0 1
        temple part 1: 0
    """)
    table.do(f"0: ship to {card.id}")
    assert table.state.score[0] == (2 if "obelisk" in card.buildings else 4)


USES: dict[str, Callable[[NileCard], None]] = {
    "field": field,
    "quarry": quarry,
    "crew_improver": crew_improver,
    "field_improver": field_improver,
    "feed_with_stones": feed_with_stones,
    "reuse_round_space": reuse_round_space,
    "plus_2_sphinx": plus_2_sphinx,
    "upstream": upstream,
    "leftover_nile_card": leftover,
    "two_stones_crew_plus_1": two_stones,
    "graves_plus_8": graves_plus_8,
    "grain_market": grain_market,
    "stone_market": stone_market,
    "stones": stones,
    "vp": points,
    "crew_plus_3": crew_plus_3,
    "grain": grain,
    "keep_two_sphinx": keep_two,
    "two_ships": two_ships,
    "double_round_space": double,
    "combine_two_crews": combine,
    "extra_ship_full_site": extra_ship,
    "change_site_position": move,
    "sell_stones": sell,
    "crews_plus_1": shown_crews,
    "two_crews_plus_1_or_one_plus_2": chosen_crews,
    "vp_per_own_stone": points_for_stones,
}


@pytest.mark.parametrize("card", CARDS, ids=lambda card: card.id)
def test_eg_4_each_card_does_what_it_says(card: NileCard) -> None:
    """The effect of the card's type or text, on the board."""
    USES[card.effect or card.type](card)


@pytest.mark.parametrize("card", CARDS, ids=lambda card: card.id)
def test_eg_4_each_card_goes_where_it_belongs(card: NileCard) -> None:
    """Fields and quarries stay; permanents stay and are ready; any-time cards are ready; immediate ones are gone."""
    crews = ", crew blue, crew black" if "one_plus_2" in card.effect else ""
    state = take(card, crews).state
    index = tables_of("").index[card.id]
    where = {
        "field": state.fields[0],
        "quarry": state.quarries[0],
        "permanent": state.permanents[0],
        "anytime": [card for card in state.ready[0] if card not in state.permanents[0]],
    }

    assert [name for name, cards in where.items() if index in cards] == [name for name in where if name == card.type]
    assert (index in state.ready[0]) == (card.type in {"permanent", "anytime"})


def test_eg_4_all_56_are_there() -> None:
    """22 of deck 1/2, 22 of 3/4, 12 of deck 5; every effect has a use above."""
    assert len(CARDS) == 56
    assert {card.effect or card.type for card in CARDS} == set(USES)
