"""PR-2: drawing, faces, and whose turn it is. Positions are texts (docs/development/positions.md)."""

from __future__ import annotations

import pytest

from pbem.engine.priestsofra import RULES
from pbem.engine.priestsofra.data import FACES
from tests.engine.priestsofra.tables import act, awaited, deal, draw_all, faults, options, position


def test_pr_2_1_draw_or_call() -> None:
    """A player on turn may draw or call Ra, and nothing else."""
    state = deal()

    assert options(state) == ["draw", "ra"]
    assert faults(state, 0, "bid 13") == ["PR-2.1: It is your turn: draw, or call Ra."]
    assert faults(state, 0, "pass") == ["PR-2.1: It is your turn: draw, or call Ra."]


def test_pr_2_1_who_has_no_face_up_sun_is_skipped() -> None:
    """The turn passes over a seat whose suns all lie face down."""
    state = position("""
        3 players
        0: suns 13 8
        1: suns none
        2: suns 11
    """)

    act(state, "draw = pyramid")
    assert awaited(state) == (2, "turn")
    act(state, "draw = plague")
    assert awaited(state) == (0, "turn")


def test_pr_2_1_only_the_seat_on_turn_decides() -> None:
    """Another seat's order is a fault that names who decides, and it has no legal orders."""
    state = deal()
    order = RULES.read(state, 1, "draw")

    assert [said.params for said in RULES.check(state, 1, order)] == [{"seat": 0}]
    assert list(RULES.legal(state, 1)) == []


def test_pr_2_2_a_ra_tile_starts_an_auction() -> None:
    """A Ra tile goes on its track, not into the lot; its drawer is the Ra player and bids last."""
    state = deal()
    draw_all(state, "pyramid")
    events = act(state, "draw = ra")

    assert (state.ra, len(state.lot), state.turn) == (1, 1, 1)
    assert awaited(state) == (2, "bid")
    assert events[0].params == {"seat": 1, "count": 1, "spaces": 8}


def test_pr_2_3_a_tile_goes_on_the_next_space() -> None:
    """One-faced tiles need no choice; the turn passes on."""
    state = deal()
    draw_all(state, "pyramid", "plague", "priest")

    assert [FACES[face] for face in state.lot] == ["pyramid", "plague", "priest"]
    assert awaited(state) == (0, "turn")


def test_pr_2_3_the_drawer_chooses_the_face() -> None:
    """A two-faced tile waits for its drawer's choice between its two faces."""
    state = deal()
    act(state, "draw = granary/fortress")
    assert awaited(state) == (0, "face")
    assert options(state) == ["show granary", "show fortress"]
    assert faults(state, 0, "show market") == ["PR-2.3: You drew granary/fortress: it shows granary or fortress."]
    assert faults(state, 0, "draw") == ["PR-2.3: You have drawn a tile: choose the face it shows."]

    act(state, "show fortress")
    assert [FACES[face] for face in state.lot] == ["fortress"]
    assert awaited(state) == (1, "turn")


@pytest.mark.parametrize(
    ("order", "tile", "face"),
    [
        ("draw warrior", "farmer/warrior", "warrior"),
        ("draw farmer, market", "market/library", "market"),
        ("draw chamber B, library", "chamber-A/B", "chamber B"),
        ("draw farmer", "priest", "priest"),
    ],
)
def test_pr_2_3_a_wish_given_with_the_draw_needs_no_question(order: str, tile: str, face: str) -> None:
    """`draw farmer, market`: if the tile has a wished face it shows it at once."""
    state = deal()
    act(state, f"{order} = {tile}")

    assert [FACES[face] for face in state.lot] == [face]
    assert awaited(state) == (1, "turn")


def test_pr_2_3_a_wish_that_does_not_fit_is_no_choice() -> None:
    """A wish for another tile leaves the choice open."""
    state = deal()
    act(state, "draw farmer = market/library")

    assert awaited(state) == (0, "face")


def test_pr_2_4_with_eight_tiles_one_must_call() -> None:
    """With a full lot the only legal order is to call Ra; a draw is refused."""
    state = position("""
        3 players
        lot: 7 pyramids
    """)
    draw_all(state, "plague")

    assert awaited(state) == (1, "turn")
    assert options(state) == ["ra"]
    assert list(map(str, RULES.legal(state, 1))) == ["ra"]
    assert faults(state, 1, "draw") == ["PR-2.4: All 8 spaces are full: you must call Ra."]


def test_pr_2_4_the_eighth_tile_ends_only_its_drawers_turn() -> None:
    """Drawing the eighth tile starts no auction."""
    state = position("""
        3 players
        lot: 7 pyramids
    """)
    act(state, "draw farmer = farmer/warrior")

    assert state.auctions == 0
    assert awaited(state) == (1, "turn")


@pytest.mark.parametrize(("bids", "winner"), [(["bid 3", "pass", "pass"], 1), (["pass", "pass", "bid 2"], 0)])
def test_pr_2_5_the_turn_passes_left_of_the_ra_player(bids: list[str], winner: int) -> None:
    """Whoever wins, the seat to the left of the Ra player is on turn next."""
    state = deal()
    act(state, "ra", *bids)

    assert state.down[winner] == 1 << 1
    assert awaited(state) == (1, "turn")
