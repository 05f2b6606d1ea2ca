"""PR-8: whole epochs and procedures worked out in the catalogue, and the invariants.

Positions are texts (docs/development/positions.md).
"""

from __future__ import annotations

import pytest

from pbem.engine.core.rng import Rng
from pbem.engine.priestsofra import RULES
from pbem.engine.priestsofra.data import NET
from pbem.engine.priestsofra.state import State, suns_of
from tests.engine.priestsofra.tables import act, awaited, deal, draw_all, options, position, shown

E1 = """
    3 players
    table: epoch 2, Ra 7
    0: points 14, ankhs 1, 3 farmers, warrior, merchant, 2 scribes, 2 granaries, 3 fortresses, 2 priests, 2 plagues,
        3 pyramids
    1: points 6, farmer, 2 warriors, 2 merchants, granary, 2 markets, 4 libraries, 3 priests, 4 plagues, 2 chambers A
    2: points 0, ankhs 3, 2 warriors, 2 scribes, fortress, plague
    gone: 8 Ra
    ended: ra-track after 0
    sheet 1: seat 0 total=14, seat 1 total=6, seat 2 total=0
"""
E2 = """
    2 players
    table: epoch 3, Ra 5, sun 3
    0: points 31, ankhs 3, suns 9 8 6 1, 2 farmers, 2 warriors, scribe, 2 granaries, 2 fortresses, 2 markets,
        2 libraries, priest, 3 plagues, 5 pyramids, 3 chambers A, chamber B, chamber C
    1: points 44, ankhs 2, suns 7 5 4 2, 2 merchants, 2 scribes, 3 granaries, 2 libraries, 4 priests, 6 plagues,
        2 pyramids, 4 chambers C
    gone: 12 Ra
    ended: ra-track after 0, ra-track after 0
    sheet 1: seat 0 total=20, seat 1 total=20
    sheet 2: seat 0 total=31, seat 1 total=44
"""


def test_pr_8_example_e1_end_of_the_second_epoch() -> None:
    """E1: scores 14, 6, 0 become 29, 22, 9; ankhs 1, 0, 3 become 3, 1, 3."""
    state = position(E1)
    act(state, "draw = ra")

    assert state.points == [29, 22, 9]
    assert state.ankhs == [3, 1, 3]
    assert state.epoch == 3


def test_pr_8_example_e2_the_final_scoring() -> None:
    """E2: scores 31, 44 with ankhs 3, 2 and suns 24, 18 become 105, 71."""
    state = position(E2)
    act(state, "draw = ra")
    outcome = RULES.outcome(state)

    assert outcome is not None
    assert outcome.scores == (105, 71)
    assert outcome.places == (1, 2)
    assert [sum(suns_of(up)) for up in state.up] == [24, 18]


def test_pr_8_example_s2_the_caller_must_bid() -> None:
    """S2: nobody else bids on a voluntary call: the caller's legal orders are exactly its suns, no pass."""
    state = deal(3)
    act(state, "ra", "pass", "pass")

    assert options(state) == ["bid 2", "bid 5", "bid 8", "bid 13"]


def test_pr_8_example_s6_a_forced_call_that_nobody_wants() -> None:
    """S6: 7 tiles, A draws the 8th, B has no sun: C must call; all pass: the tiles are gone, and it's A's turn."""
    state = position("""
        3 players
        lot: 7 plagues
        0: suns 13 8
        1: suns none
        2: suns 11 10
    """)
    draw_all(state, "pyramid")
    assert awaited(state) == (2, "turn")
    assert options(state) == ["ra"]
    act(state, "ra", "pass", "pass")

    assert (state.lot, sum(state.gone)) == ([], 8)
    assert awaited(state) == (0, "turn")


def test_pr_8_example_s9_the_last_sun_of_all() -> None:
    """S9: C alone with sun 9 calls, must bid it, turns the granary to a fortress; the epoch ends and scores 4."""
    state = position("""
        3 players
        table: sun 12
        lot: priest, granary
        0: suns none
        1: suns none
        2: suns 9, fortress
        turn: 2 to draw or call
    """)
    act(state, "ra")
    assert options(state) == ["bid 9"]
    act(state, "bid 9")
    assert awaited(state) == (2, "flip")
    act(state, "flip granary")

    assert state.epoch == 2
    assert state.sheets[0][2][NET] == 4
    assert shown(state, "2").endswith(", 2 fortresses")
    assert shown(state, "table") == "epoch 2, sun 9"


def play_at_random(seats: int, number: int) -> State:
    """A random game to its end, with every invariant asked after each ply."""
    pick = Rng("pick", number)
    state = RULES.setup(seats, {}, Rng(f"invariants-{number}", 0)).state
    assert isinstance(state, State)
    ply = 0
    while asked := RULES.awaited(state):
        ply += 1
        orders = {seat: RULES.sample(state, seat, pick) for seat in asked}
        RULES.apply(state, orders, Rng(f"invariants-{number}", ply))
        assert RULES.problems(state) == ()
    return state


@pytest.mark.parametrize(("seats", "total"), [(2, 45), (3, 91), (4, 91), (5, 136)])
def test_pr_1_2_suns_and_sales_are_conserved(seats: int, total: int) -> None:
    """All suns together make 45, 91, 91, 136; an epoch has as many sales as suns exactly if it ended by suns."""
    most = {2: 8, 3: 12, 4: 12, 5: 15}[seats]
    for number in range(25):
        state = play_at_random(seats, number)
        assert (
            state.centre + sum(sum(suns_of(up | down)) for up, down in zip(state.up, state.down, strict=True)) == total
        )
        assert all((sold == most) == (end == 0) for sold, end in zip(state.sold, state.endings, strict=True))


def test_pr_1_1_the_bag_outlasts_the_game() -> None:
    """All 30 Ra tiles are drawn before the bag can run out, and the last of them always ends the game."""
    assert max(3 * spaces for spaces in (6, 8, 9, 10)) == 30


BREAKS = {
    "there are 31 Ra tiles, not 30": {"ra": 1},
    "9 Ra tiles lie on the track": {"ra": 9},
    "a total is below zero": {"points": [-1, 10, 10]},
    "somebody has more ankhs than four or fewer than none": {"ankhs": [5, 0, 0]},
    "1 sales don't fit the suns lying face down": {"sales": 1},
    "an auction is on outside its phases": {"auction": 1},
    "priests wait outside their phase": {"flips": 1},
    "the best bid is nobody's": {"best": 3},
    "a tile is held outside its phase": {"drawn": 1},
    "seat 1 is on turn without a face-up sun": {"actor": 1},
    "seat -1 is awaited in phase 0": {"actor": -1},
    "the seat on turn doesn't exist": {"actor": 7},
    "0 epochs have ended in epoch 2": {"epoch": 2},
    "points is not of 3 seats": {"points": [1]},
    "the lot holds an unknown face": {"lot": [77]},
    "bag is no count of the ten tiles": {"bag": [1]},
    "there are 7 seats": {"seats": 7},
    "the suns are [(13, 8, 5, 2), (12, 9, 6, 3), (11, 10, 7, 4)] and 3 in the centre": {"centre": 3},
}


@pytest.mark.parametrize(("problem", "change"), list(BREAKS.items()))
def test_pr_1_1_every_broken_invariant_is_named(problem: str, change: dict[str, object]) -> None:
    """A state that has lost something says what, in words."""
    state = deal()
    for name, value in change.items():
        setattr(state, name, value)

    assert problem in RULES.problems(state)
