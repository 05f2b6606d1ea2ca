"""PR-5: how an epoch ends and the next one begins. Positions are texts (docs/development/positions.md)."""

from __future__ import annotations

import pytest

from pbem.engine.priestsofra import RULES
from pbem.engine.priestsofra.data import LAST_SUN, RA, RA_TRACK, RA_TRACK_ALONE
from pbem.engine.priestsofra.orders import Bid
from pbem.engine.priestsofra.state import suns_of
from tests.engine.priestsofra.tables import act, awaited, changed, deal, position, shown, sound, told


def test_pr_5_1_the_last_face_up_sun_ends_the_epoch() -> None:
    """Ra tiles leave the game, the centre sun stays where it is."""
    state = position("""
        3 players
        table: Ra 5, sun 12
        0: suns none
        1: suns 9
        2: suns none
        turn: 1 to draw or call
    """)
    act(state, "ra", "bid 9")

    assert state.epoch == 2
    assert state.endings == [LAST_SUN]
    assert (state.ra, state.gone[RA]) == (0, 5)
    assert state.centre == 9
    assert state.sold == [12]


def test_pr_5_2_a_full_ra_track_ends_the_epoch_at_once() -> None:
    """No auction: both tracks leave the game and the unused suns stay face up with their owners."""
    state = position("""
        3 players
        table: Ra 7
        lot: 3 pyramids, farmer
    """)
    act(state, "draw = ra")

    assert state.endings == [RA_TRACK]
    assert (state.auctions, state.epoch, state.ra, state.lot) == (0, 2, 0, [])
    assert (state.gone[RA], sum(state.gone)) == (8, 12)
    assert [len(suns_of(up)) for up in state.up] == [4, 4, 4]
    assert state.centre == 1


def test_pr_5_3_the_last_player_with_suns_goes_on_alone() -> None:
    """Alone one draws again and again, is one's own only bidder, and may fill the track."""
    state = position("""
        3 players
        table: sun 12
        0: suns none
        1: suns 9 6
        2: suns none
        turn: 1 to draw or call
    """)
    act(state, "draw = pyramid")
    assert awaited(state) == (1, "turn")
    act(state, "draw = ra")
    assert awaited(state) == (1, "bid")
    act(state, "pass")
    assert awaited(state) == (1, "turn")
    act(state, "ra", "bid 6")
    assert (awaited(state), state.epoch) == ((1, "turn"), 1)
    state = changed(state, "table: Ra 7")
    act(state, "draw = ra")

    assert state.endings == [RA_TRACK_ALONE]


@pytest.mark.parametrize(("others", "warned"), [("suns 13", 1), ("suns none", 0)])
def test_pr_5_1_who_is_alone_is_not_warned_of_sitting_out_the_rest(others: str, warned: int) -> None:
    """The last sun of all ends the epoch, so there is no rest."""
    state = position(f"""
        3 players
        table: sun 12
        0: {others}
        1: suns 6
        2: suns none
        turn: 1 to draw or call
    """)
    view = RULES.view(state, 1)

    assert len(RULES.warnings(view, Bid(6), view)) == warned


def test_pr_5_3_it_is_told_who_goes_on_alone() -> None:
    """The auction that leaves one player with suns says so."""
    state = position("""
        3 players
        table: sun 12
        0: suns 13
        1: suns 9 6
        2: suns none
        turn: 0 to draw or call
    """)
    events = act(state, "ra", "pass", "bid 13")

    assert [told(event) for event in events[-2:]] == [
        "0 has used every sun and waits for the end of the epoch.",
        "1 goes on alone.",
    ]


def test_pr_5_4_suns_turn_up_and_the_highest_begins() -> None:
    """After scoring all suns lie face up; the highest among the players begins, the centre sun doesn't count."""
    state = position("""
        3 players
        table: sun 13
        0: suns none
        1: suns 3
        2: suns none
        turn: 1 to draw or call
    """)
    act(state, "ra", "bid 3")

    assert state.down == [0, 0, 0]
    assert [len(suns_of(up)) for up in state.up] == [4, 4, 4]
    assert state.centre == 3
    holder = next(seat for seat, up in enumerate(state.up) if up >> 13 & 1)
    assert awaited(state) == (holder, "turn")


def test_pr_5_4_the_game_ends_after_three_epochs() -> None:
    """When the third epoch is scored nobody is awaited any more, and there is an outcome."""
    state = deal()
    for epoch in (1, 2, 3):
        assert RULES.outcome(state) is None
        assert state.epoch == epoch
        state = changed(state, "table: Ra 7")
        act(state, "draw = ra")

    assert dict(RULES.awaited(state)) == {}
    outcome = RULES.outcome(state)
    assert outcome is not None
    assert outcome.ending == "ra-track"
    assert [len(sheet) for sheet in state.sheets] == [3, 3, 3]
    order = RULES.read(state, 0, "draw")
    assert [str(said) for said in RULES.check(state, 0, order)] == ["The game is over: nothing is left to decide."]


def test_pr_5_5_tiles_that_left_never_return() -> None:
    """What left in one epoch is neither in the bag nor in any display in the next."""
    state = position("""
        3 players
        table: Ra 7
        0: 5 farmers, 2 priests, granary
    """)
    bag = list(state.bag)
    act(state, "draw = ra")

    assert state.bag == [bag[RA] - 1, *bag[1:]]
    assert shown(state, "0").endswith(", granary")
    assert sum(state.gone) == 8 + 7
    sound(state)
