"""EG-10: the worked examples and both tournament reports. Positions are texts (docs/development/positions.md)."""

from __future__ import annotations

from pbem.engine.egizia.monuments import _score_row
from pbem.engine.egizia.ply import opened
from pbem.engine.egizia.scoring import final, participation, sphinx_points
from tests.engine.egizia.tables import FIRST, Table


def test_eg_10_1_fed() -> None:
    """Crews 1, 2, 3, 3 and 11 grain: no points lost."""
    table = Table.position("""
        2 players
        0: crews 1 2 3 3, has A04
    """)
    table.feeding()

    assert table.state.score[0] == 0


def test_eg_10_2_fed_with_a_grain_card() -> None:
    """Crews 2, 2, 2, 4, fields of 8 and a card of 4: fed; the 2 left over are lost."""
    table = Table.position("""
        2 players
        game: ring left
        0: crews 2 2 2 4, has A01 A05 A22
    """)
    table.feeding()
    table.do("0: feed with 4 grain")

    assert (table.state.score[0], table.state.ready[0]) == (0, [])


def test_eg_10_3_two_missing_at_two_each() -> None:
    """Crews 3, 3, 4, 4 and 12 grain at a cost of 2: minus 4."""
    table = Table.position("""
        2 players
        0: crews 3 3 4 4, has A01 A03 A06, grain market 2
    """)
    table.feeding()

    assert table.state.score[0] == -4


def test_eg_10_4_quarrying() -> None:
    """1 stone and quarries of 5: 6."""
    table = Table.position("""
        2 players
        0: stones 1, has A07
    """)
    table.feeding()

    assert table.state.stones[0] == 6


def test_eg_10_5_at_the_sphinx() -> None:
    """Crew 2, two cards drawn, one kept: 1 point, 2 stones paid, the crew has worked."""
    table = Table.position("""
        2 players
        0: crews 2 1 1 2, stones 5
        1: stones 5
    """)
    table.next("sphinx", "S01 S02")
    table.building("at Sphinx: slots 0 1")
    table.do("0: sphinx 2 with blue", "0: keep S01")

    assert "points 1, stones 3" in table.shown("0")
    assert ", tired blue, " in table.shown("0")


def test_eg_10_6_obelisk_and_grave() -> None:
    """Crew 5 and joker 2 build Obelisk 1 and 2 and a grave of 4: 7 stones, 7 points, a market step, both used."""
    table = Table.position("""
        2 players
        graves: open 4 2 2 3
        0: crews 5 1 1 2, stones 9
        1: stones 5
    """)
    table.building("at Obelisk: slots 0 1")
    table.do("0: build obelisk 1-2, grave with blue + joker, stone market")

    assert table.shown("0") == "points 7, crews 5 1 1 2, tired blue + joker, stone market 1, worked at Obelisk, passed"
    assert (table.state.stones[0], table.shown("obelisk")) == (2, "0 0")


def test_eg_10_7_pyramid_space_of_two() -> None:
    """Crew 3 with 2 stones: a space of 2 for 2 points."""
    table = Table.position("""
        2 players
        0: crews 3 1 1 2, stones 2
        1: stones 5
        pyramid row 1: 1 1
    """)
    table.building("at Pyramid: slots 0 1")
    table.do("0: build pyramid 2 with blue")

    assert (table.state.score[0], table.state.stones[0]) == (2, 0)


def test_eg_10_8_two_steps_at_the_end_of_the_stone_market() -> None:
    """The marker stays and 6 stones come."""
    table = Table.position("""
        2 players
        river: A18 - - - - - - - - -
        0: stones 2, stone market 5
    """)
    table.do("0: ship to A18")

    assert (table.state.stone_at[0], table.state.stones[0]) == (5, 8)


def test_eg_10_9_a_tied_row() -> None:
    """Yellow 2, red 2, red further left: 2 points for red."""
    table = Table.position("""
        2 players
        pyramid row 3: 0 1 1 0
    """)
    _score_row(opened(table.state, table.script), 3)

    assert table.state.score == [2, 0]


def test_eg_10_10_two_sites() -> None:
    """3 points."""
    table = Table.position("""
        2 players
        0: worked at Obelisk + Pyramid
    """)
    participation(opened(table.state, table.script))

    assert table.state.score[0] == 3


def test_eg_10_11_graves_with_the_card() -> None:
    """13 and 8 are 21: 9 points."""
    table = Table.position("""
        2 players
        0: stones 0, has C02
        1: stones 0
        graves: 4 by 0, 4 by 0, 5 by 0
    """)
    final(opened(table.state, table.script))

    assert table.state.score[0] == 9


def test_eg_10_12_the_tenth_of_87() -> None:
    """87 points become 95."""
    table = Table.position("""
        2 players
        0: points 87, stones 0, keeps S29
        1: stones 0
    """)
    final(opened(table.state, table.script))

    assert table.state.score[0] == 95


def test_eg_10_13_no_majority_in_a_tie() -> None:
    """Yellow 11 against 11: nothing."""
    table = Table.position("""
        2 players
        0: has A03 B04
        1: has A04 B03
    """)
    card = table.t.sphinx[table.t.sphinx_index["S25"]]

    assert sphinx_points(table.state.own(0), card) == 0


def test_eg_10_14_the_tournament_of_2024() -> None:
    """Crews 3, 1, 1 and joker 3, 6 grain, cost 3: minus 6; with 8 stones Obelisk 1+2+3: plus 6, 2 stones left."""
    table = Table.position("""
        2 players
        0: crews 3 1 1 3, stones 5
        1: stones 0
    """)
    table.feeding()
    assert table.state.score[0] == -6
    assert table.state.stones[0] == 8

    table.building("at Obelisk: slots 0 1")
    table.do("0: build obelisk 1+2+3 with blue + joker, stone market")

    assert (table.state.score[0], table.state.stones[0]) == (0, 2)


def test_eg_10_15_the_tournament_of_2023() -> None:
    """The first row of the river; who takes the sixth card goes on from the second site."""
    table = Table(2, cards=FIRST)
    spaces = [table.t.names[table.state.cards[space]] for space in table.t.card_spaces]
    assert spaces == FIRST.split()
    words = [table.t.what[table.t.index[name]] for name in spaces]
    assert words == [
        "brown field",
        "brown field",
        "field improver",
        "quarry",
        "grain market",
        "crew improver",
        "yellow field",
        "feed with stones",
        "crew +3",
        "grain",
    ]

    table.do("0: ship to A12", "1: pass")

    assert "EG-3.2" in table.rules(0, "ship to Sphinx, slot 1")
    assert table.faults(0, "ship to Obelisk, slot 1") == []
    ahead = [order for order in table.legal(0) if order.startswith("ship to") and "improve" not in order]
    assert ahead[0] == "ship to Obelisk, slot 1"
