"""PR-4: turning tiles with the priests just won. Positions are texts (docs/development/positions.md)."""

from __future__ import annotations

import pytest

from pbem.engine.priestsofra.state import State
from tests.engine.priestsofra.tables import act, awaited, changed, faults, options, position, shown


def won(text: str, own: str = "") -> State:
    """Seat 1 has just won the lot `text` and had `own` before."""
    state = position(f"""
        3 players
        lot: {text}
        1: {own}
    """)
    act(state, "ra", "bid 3", "pass", "pass")
    return state


SUNS = "suns 12 9 6, down 1, "
"""What seat 1 has left of its suns."""


def test_pr_4_1_one_tile_for_each_priest_won() -> None:
    """Two priests in the lot turn up to two tiles; three are refused."""
    state = won("2 priests, 3 farmers")

    assert awaited(state) == (1, "flip")
    assert options(state) == ["flip none", "flip farmer", "flip farmer, farmer"]
    assert faults(state, 1, "flip 3 farmers") == ["PR-4.1: You named 3 tile(s) to flip but won 2 priest(s): one each."]
    act(state, "flip farmer, farmer")
    assert shown(state, "1") == SUNS + "farmer, 2 warriors, 2 priests"
    assert awaited(state) == (1, "turn")


def test_pr_4_1_new_or_old_tiles() -> None:
    """A tile won long ago may be turned as well as one of the lot."""
    state = won("2 priests, library", own="granary")
    act(state, "flip granary, library")

    assert shown(state, "1") == SUNS + "fortress, market, 2 priests"


def test_pr_4_1_only_two_faced_tiles_change() -> None:
    """Pyramids, priests and plagues can't be turned, and one can't turn what one doesn't have."""
    state = won("priest, pyramid, plague, farmer")

    assert options(state) == ["flip none", "flip farmer"]
    assert faults(state, 1, "flip scribe") == ["PR-4.1: You would flip 1 scribe, but have 0."]


def test_pr_4_1_flips_are_optional() -> None:
    """`flip none` leaves all as it is and ends the auction."""
    state = won("priest, farmer")
    act(state, "flip none")

    assert shown(state, "1") == SUNS + "farmer, priest"
    assert awaited(state) == (1, "turn")


def test_pr_4_1_flips_can_not_be_saved() -> None:
    """A later win without priests turns nothing, however many priests one holds."""
    state = won("priest, farmer")
    act(state, "flip none")
    state = changed(state, "lot: warrior")
    act(state, "ra", "pass", "pass", "bid 6")

    assert awaited(state) == (2, "turn")


def test_pr_4_1_nothing_is_asked_where_nothing_can_turn() -> None:
    """A winner of priests without two-faced tiles isn't asked."""
    state = won("priest, pyramid")

    assert awaited(state) == (1, "turn")
    assert state.flips == 0


def test_pr_4_1_flips_come_before_the_epochs_end() -> None:
    """The last sun of all is used: the winner turns first, and the epoch is scored with the turned tile."""
    state = position("""
        3 players
        table: sun 12
        lot: priest, library
        0: suns none
        1: suns none
        2: suns 9, market
        turn: 2 to draw or call
    """)
    act(state, "ra", "bid 9")
    assert awaited(state) == (2, "flip")
    assert state.epoch == 1
    act(state, "flip library")

    assert state.epoch == 2
    assert shown(state, "2").startswith(f"points {10 + 2 + 2}, ")
    assert shown(state, "2").endswith(", 2 markets")


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("flip 2 farmers", "PR-4.1: You would flip 2 farmer, but have 1."),
        ("flip library", "PR-4.1: You would flip 1 library, but have 0."),
    ],
)
def test_pr_4_1_all_that_is_wrong_is_named(text: str, fault: str) -> None:
    """Faults name the face, the wish and what there is."""
    assert fault in faults(won("priest, farmer"), 1, text)
