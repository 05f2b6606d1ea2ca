"""EG-5: feeding, quarrying, markets. Positions are texts (docs/development/positions.md)."""

from __future__ import annotations

import pytest

from pbem.engine.egizia import data
from pbem.engine.egizia.ply import opened
from tests.engine.egizia.tables import Table, sentences


@pytest.mark.parametrize(("steps", "cost"), [(0, 3), (1, 3), (2, 2), (3, 2), (4, 1), (5, 1)])
def test_eg_5_1_each_missing_grain_costs_by_the_market(steps: int, cost: int) -> None:
    """2 missing grain cost 6, 4 or 2 points; surplus of the other player is lost."""
    table = Table.position(f"""
        2 players
        0: crews 2 2 2 2, grain market {steps}
    """)
    table.feeding()

    assert table.state.score == [-2 * cost, 0]


def test_eg_5_1_feeding_goes_from_the_front_of_the_track_backwards() -> None:
    """0 stands in front at 5, 1 at 5 behind; both lose 3: 0 moves first and stays in front."""
    table = Table.position("""
        2 players
        game: track 0 1
        0: points 5, crews 2 2 2 1
        1: points 5, crews 2 2 2 1
    """)
    events = table.feeding()

    lacking = [event.seat for event in events if event.rule == "EG-5.1"]
    assert lacking == [0, 1]
    assert table.state.order == [1, 0]


def test_eg_5_2_quarries_give_stones_up_to_the_cap() -> None:
    """Start 3, cards 2 and 3: 8 a round; 20 stones become 25."""
    table = Table.position("""
        2 players
        0: stones 1, has A07 A09
        1: stones 24
    """)
    events = table.feeding()

    assert table.state.stones == [9, 25]
    assert "0 quarries 8 stones and has 9." in sentences(events)


@pytest.mark.parametrize(
    ("market", "start", "steps", "stones", "points"),
    [
        (data.STONE, 0, 4, 0, 0),
        (data.STONE, 4, 1, 3, 0),
        (data.STONE, 4, 2, 6, 0),
        (data.STONE, 5, 1, 3, 0),
        (data.GRAIN_MARKET, 4, 1, 0, 2),
        (data.GRAIN_MARKET, 5, 2, 0, 4),
        (data.GRAIN_MARKET, 3, 1, 0, 0),
    ],
)
def test_eg_5_3_the_end_of_a_market_pays(market: int, start: int, steps: int, stones: int, points: int) -> None:
    """Reaching the last space pays, and so does each step that can't be made there."""
    table = Table.position(f"""
        2 players
        0: stones 0, {"grain" if market else "stone"} market {start}
        1: stones 0
    """)
    opened(table.state, table.script).of(0).step(market, steps)

    assert (table.state.stones[0], table.state.score[0]) == (stones, points)
    assert (table.state.grain_at if market else table.state.stone_at)[0] == min(start + steps, 5)
