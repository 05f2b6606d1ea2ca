"""EG-1: components and set-up. Positions are texts (docs/development/positions.md)."""

from __future__ import annotations

import pytest

from pbem.engine.core.rng import Rng
from pbem.engine.egizia import RULES, data
from pbem.engine.egizia.ply import opened
from pbem.engine.egizia.tables import tables_of
from tests.engine.egizia.tables import Table


def test_eg_1_1_the_river_has_ten_card_spaces_seven_round_spaces_and_three_sites() -> None:
    """20 spaces in order from Ombos, the sites Sphinx, Obelisk, Pyramid downstream of each other."""
    t = tables_of("")

    assert len(t.kind) == 20
    assert [t.kind.count(kind) for kind in (data.CARD, data.ROUND, data.SITE)] == [10, 7, 3]
    assert [t.space_name[space] for space in t.sites] == ["Sphinx", "Obelisk", "Pyramid"]
    assert t.parts.river[0].name == "Ombos"


@pytest.mark.parametrize("players", [2, 3, 4])
def test_eg_1_2_each_player_starts_with_the_same_pieces(players: int) -> None:
    """Crews 1, 1, 1 and joker 2, a quarry of 3, a green field of 6, both markers at the top, 8 ships."""
    table = Table(players)

    for seat in range(players):
        assert table.crew(seat) == [1, 1, 1, 2]
        assert RULES.facts(RULES.view(table.state, seat))["quarry"] == 3
        assert table.state.own(seat).grain == 6
        assert table.state.stone_at[seat] == table.state.grain_at[seat] == 0
        assert RULES.facts(RULES.view(table.state, seat))["ships"] == 8


def test_eg_1_3_order_is_by_lot_and_gives_2_3_4_5_stones() -> None:
    """The lot 2, 0, 3, 1 gives seat 2 two stones and seat 1 five; all lots come up."""
    table = Table(4)
    assert table.state.stones == [2, 3, 4, 5]

    orders = {tuple(RULES.setup(3, {}, Rng(str(seed), 0)).state.order) for seed in range(80)}

    assert len(orders) == 6


def test_eg_1_3_stones_above_25_are_lost() -> None:
    """24 stones and a card of 4: 25."""
    table = Table.position("""
        2 players
        river: A19 - - - - - - - - -
        0: stones 24
    """)

    table.do("0: ship to A19")

    assert table.state.stones[0] == 25


def test_eg_1_4_the_first_to_arrive_stands_in_front() -> None:
    """Red moves 6; blue comes to the same space later and stands behind; points may be negative."""
    ply = opened(Table(3).state, Rng("", 0))
    assert ply.state.track == [2, 1, 0]

    ply.of(0).score(6)
    ply.of(1).score(6)
    assert ply.state.track == [0, 1, 2]

    ply.of(0).score(0)
    assert ply.state.track == [0, 1, 2]

    ply.of(0).score(-6)
    assert ply.state.track == [1, 2, 0]
    ply.of(2).score(-4)
    assert (ply.state.track, ply.state.score) == ([1, 0, 2], [0, 6, -4])


def test_eg_1_5_four_of_twelve_graves_lie_open() -> None:
    """4 values lie open, 16 tiles are unseen; when the path ends 8 were never seen."""
    table = Table(2, graves="2 6 5 4")

    assert table.state.graves_open == [2, 6, 5, 4]
    assert sum(table.state.graves_unseen) == 16
    assert table.t.parts.grave_spaces == 12


@pytest.mark.parametrize(("choice", "cards"), [("on", 1), ("off", 0)])
def test_eg_1_6_a_sphinx_card_is_dealt_only_with_the_option(choice: str, cards: int) -> None:
    """`first_sphinx` on: everybody holds one of the 29 and is told which; off: nobody; nothing else differs."""
    table = Table(3, first=choice)

    assert [len(kept) for kept in table.state.kept] == [cards] * 3
    assert len(table.state.sphinx) == 29 - 3 * cards
    told = [event for event in table.opening if event.rule == "EG-1.6"]
    assert [event.seen_by for event in told] == [(seat,) for seat in range(3)] * cards
    bare, dealt = Table(3, first="off").state, table.state
    for name in ("stones", "order", "crews", "ready", "fields", "score"):
        assert getattr(bare, name) == getattr(dealt, name)


@pytest.mark.parametrize(("ring", "grain"), [(0, 6 + 2), (1, 6 + 2 + 4), (2, 6 + 2 + 4 + 7)])
def test_eg_1_7_the_ring_waters_green_then_yellow_then_all(ring: int, grain: int) -> None:
    """Left green fields only, middle green and yellow, right all; it starts in the middle."""
    assert Table(2).state.ring == 1
    table = Table.position(f"""
        2 players
        game: ring {data.RING_NAMES[ring]}
        0: has A01 A03 A06
    """)

    assert table.state.own(0).grain == grain


@pytest.mark.parametrize(("players", "slots"), [(2, 2), (3, 2), (4, 3)])
def test_eg_1_8_a_site_has_two_slots_with_four_players_three(players: int, slots: int) -> None:
    """2 and 3 players: two slots; 4 players: three."""
    assert [len(site) for site in Table(players).state.slots] == [slots] * 3


def test_eg_1_9_only_ships_are_limited_by_their_number() -> None:
    """The 30th own stone can be built; a ninth ship can't be placed."""
    table = Table.position("""
        2 players
        0: stones 25, crews 9 1 1 9
        1: stones 0
        obelisk: 0 0 0 0 0 0 0 0 0
        pyramid row 1: 0 0 0 0 0 0
        pyramid row 2: 0 0 0 0 0
        pyramid row 3: 0 0 0 0
        pyramid row 4: 0 0 0
        pyramid row 5: 0 0
    """)
    table.building("at Pyramid: slots 0 -")
    table.do("0: build pyramid 6 with blue")
    assert [table.shown(f"pyramid row {row}").count("0") for row in range(1, 7)] == [6, 5, 4, 3, 2, 1]

    other = Table.position("""
        2 players
        river: - - - - - A01 - - - -
        0: ships C1 + Edfu + C2 + Thebae + C3 + C4 + Passalon + C5
    """)
    assert other.rules(0, "ship to Heliopolis") == {"EG-3.1"}
