"""PR-3: the round of bids, its three kinds, and what the winner takes.

Positions are texts (docs/development/positions.md).
"""

from __future__ import annotations

import pytest

from pbem.engine.priestsofra.data import FACES
from pbem.engine.priestsofra.state import suns_of
from tests.engine.priestsofra.tables import act, awaited, deal, faults, options, position, shown, told


def test_pr_3_1_one_round_clockwise_the_ra_player_last() -> None:
    """Bids go round once from the Ra player's left and end with the Ra player."""
    state = position("""
        3 players
        turn: 1 to draw or call
    """)
    asked = [awaited(state)]
    for order in ("ra", "bid 4", "bid 5", "bid 6"):
        act(state, order)
        asked.append(awaited(state))

    assert asked == [(1, "turn"), (2, "bid"), (0, "bid"), (1, "bid"), (2, "turn")]


def test_pr_3_1_a_bid_beats_the_best_so_far() -> None:
    """Only face-up suns above the best bid may be bid; passing is always open then."""
    state = deal()
    act(state, "ra", "bid 6")

    assert options(state) == ["pass", "bid 7", "bid 10", "bid 11"]
    assert faults(state, 2, "bid 4") == ["PR-3.1: Sun 4 doesn't beat the best bid, 6."]
    assert faults(state, 2, "bid 9") == ["PR-3.1: Sun 9 doesn't lie face up before you. You have: 11, 10, 7, 4."]
    assert len(faults(state, 2, "bid 3")) == 2
    assert faults(state, 2, "draw") == ["PR-3.1: An auction is on: bid a sun, or pass."]


def test_pr_3_1_who_has_no_face_up_sun_is_skipped() -> None:
    """A seat without face-up suns isn't asked to bid."""
    state = position("""
        3 players
        0: suns 13
        1: suns none
        2: suns 11
    """)
    act(state, "ra")

    assert awaited(state) == (2, "bid")


def test_pr_3_1_an_auction_without_tiles_is_legal() -> None:
    """Ra may be called with an empty lot: the centre sun alone is at stake."""
    state = deal()
    events = act(state, "ra", "bid 3", "pass", "pass")

    assert suns_of(state.down[1]) == (1,)
    assert state.centre == 3
    assert told(events[-1]) == "1 wins with sun 3 and takes sun 1 face down; the lot was empty."


def test_pr_3_2_a_caller_must_bid_if_all_others_pass() -> None:
    """After a voluntary call and passes all round, the Ra player's legal orders are exactly the own suns."""
    state = position("""
        3 players
        lot: pyramid
    """)
    act(state, "ra", "pass", "pass")

    assert options(state) == ["bid 2", "bid 5", "bid 8", "bid 13"]
    assert faults(state, 0, "pass") == ["PR-3.2: You called Ra and nobody has bid: you must bid a sun."]


def test_pr_3_2_with_a_bid_on_the_table_the_caller_may_pass() -> None:
    """One bid by another frees the Ra player."""
    state = deal()
    act(state, "ra", "pass", "bid 4")

    assert options(state) == ["pass", "bid 5", "bid 8", "bid 13"]


def test_pr_3_3_after_a_forced_call_all_may_pass_and_the_tiles_leave() -> None:
    """With eight tiles nobody need bid; then all eight leave the game for good."""
    state = position("""
        3 players
        lot: 6 pyramids, farmer, plague
    """)
    act(state, "ra", "pass", "pass")
    assert "pass" in options(state)
    act(state, "pass")

    assert state.lot == []
    assert sum(state.gone) == 8
    assert awaited(state) == (1, "turn")


def test_pr_3_4_after_a_ra_tile_all_may_pass_and_the_tiles_stay() -> None:
    """A drawn Ra obliges nobody; the lot waits for the next auction."""
    state = position("""
        3 players
        lot: pyramid, farmer
    """)
    act(state, "draw = ra", "pass", "pass")
    assert "pass" in options(state)
    act(state, "pass")

    assert [FACES[face] for face in state.lot] == ["pyramid", "farmer"]
    assert sum(state.gone) == 0
    assert awaited(state) == (1, "turn")


def test_pr_3_4_eight_tiles_stay_as_well_if_a_ra_tile_started_the_auction() -> None:
    """Only the call itself makes an auction a forced one; with a full lot no draw is possible at all."""
    state = position("""
        3 players
        lot: 7 pyramids
    """)
    act(state, "draw = ra", "pass", "pass", "pass")

    assert len(state.lot) == 7


def test_pr_3_5_what_the_winner_takes() -> None:
    """All tiles as they show, the centre sun face down; the bid becomes the centre sun; losing bids come back."""
    state = position("""
        3 players
        lot: pyramid, priest, farmer, library, library
        turn: 2 to draw or call
    """)
    act(state, "ra", "bid 2", "bid 6", "pass")

    assert shown(state, "1") == "suns 12 9 3, down 1, farmer, 2 libraries, pyramid, priest"
    assert shown(state, "0") == "suns 13 8 5 2"
    assert (shown(state, "table"), shown(state, "lot")) == ("sun 6", "")


def test_pr_3_5_the_centre_sun_goes_from_hand_to_hand() -> None:
    """The next winner takes the sun that won before."""
    state = deal()
    act(state, "ra", "bid 12", "pass", "pass", "ra", "bid 4", "pass", "pass")

    assert suns_of(state.down[2]) == (12,)
    assert state.centre == 4


@pytest.mark.parametrize("text", ["bid 1", "bid 0", "bid 17", "bid -3"])
def test_pr_3_1_suns_that_nobody_holds_are_refused(text: str) -> None:
    """A number that is no sun of one's own is a fault, not an accident."""
    state = deal()
    act(state, "ra")

    assert faults(state, 1, text)[0].startswith("PR-3.1: Sun ")
