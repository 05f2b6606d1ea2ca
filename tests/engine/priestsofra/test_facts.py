"""Facts for standing orders: what each of them says at a table where it matters."""

from __future__ import annotations

import pytest

from pbem.engine.core.types import Fact
from pbem.engine.priestsofra import RULES
from pbem.engine.priestsofra.state import State
from tests.engine.priestsofra.tables import act, changed, deal, position


def of(state: State, seat: int | None) -> dict[str, Fact]:
    """All facts of a seat."""
    return RULES.facts(RULES.view(state, seat))


def test_facts_of_the_lot() -> None:
    """Tiles, plagues, kinds and faces of the lot, and what is missing on the Ra track."""
    state = position("""
        3 players, sealed auctions
        table: Ra 3
        lot: 2 farmers, scribe, library, chamber B, 2 plagues
    """)
    facts = of(state, 1)
    expected = {
        "tiles": 7,
        "people": 3,
        "people_kinds": 2,
        "buildings": 1,
        "chambers": 1,
        "farmers": 2,
        "plagues": 2,
        "libraries": 1,
        "chambers_b": 1,
        "ra_count": 3,
        "ra_left": 5,
        "bag": 164,
        "bag_ra": 27,
        "bag_plagues": 8,
        "lot": frozenset({"farmer", "scribe", "library", "chamber B", "plague"}),
        "phase": "turn",
        "auction": "none",
        "caller": "none",
    }

    assert {name: facts[name] for name in expected} == expected


def test_facts_of_an_auction() -> None:
    """The best bid, the lowest sun that wins, who called and who comes after."""
    state = changed(deal(), "lot: pyramid")
    act(state, "ra", "bid 6")
    mine, callers = of(state, 2), of(state, 0)

    assert (mine["phase"], mine["auction"], mine["caller"], callers["caller"]) == ("bid", "called", "other", "me")
    assert (mine["high_bid"], mine["winning_sun"], callers["winning_sun"]) == (6, 7, 8)
    assert (mine["rivals_after_me"], callers["rivals_after_me"]) == (1, 0)
    assert mine["centre_sun"] == 1


def test_facts_of_suns() -> None:
    """One's own face-up suns, those of the others, and who is left."""
    state = position("""
        3 players
        table: sun 2
        0: suns 13 8
        1: suns none
        2: suns 11
    """)
    facts, alone = of(state, 0), of(state, 2)

    assert (facts["my_suns"], facts["my_high_sun"], facts["my_low_sun"]) == (2, 13, 8)
    assert facts["suns"] == frozenset({"13", "8"})
    assert (facts["their_suns"], facts["their_high_sun"], facts["rivals"]) == (1, 11, 1)
    assert (alone["rivals"], alone["alone"], of(state, 1)["winning_sun"]) == (1, 0, 0)
    assert facts["my_sun_sum"] == 13 + 8 + 1 + 3


def test_facts_of_ones_own_display() -> None:
    """Counts of one's own tiles, the pyramid, and the lead over the best of the others."""
    state = position("""
        3 players
        0: points 12
        1: points 20, ankhs 2, 2 farmers, scribe, 3 pyramids, chamber A, 2 plagues
        2: points 15
    """)
    facts = of(state, 1)

    assert (facts["my_farmers"], facts["my_scribes"], facts["my_plagues"]) == (2, 1, 2)
    assert (facts["my_people_kinds"], facts["my_pyramid"], facts["my_ankhs"]) == (2, 4, 2)
    assert (facts["my_points"], facts["lead"], of(state, 0)["lead"]) == (20, 5, -8)


def test_facts_of_a_tile_in_hand_and_of_flips() -> None:
    """The tile whose face is being chosen, and how many tiles may be turned."""
    state = deal()
    act(state, "draw = granary/fortress")
    facts = of(state, 0)
    assert (facts["drawn"], facts["faces"]) == ("granary/fortress", frozenset({"granary", "fortress"}))
    act(state, "show granary")
    state = changed(state, "lot: 2 priests")
    act(state, "ra", "bid 11", "pass", "pass")

    assert (of(state, 2)["flips"], of(state, 1)["flips"]) == (2, 0)


def test_hidden_points_are_no_facts() -> None:
    """With hidden scores the lead says nothing, and a spectator's facts are all there but empty."""
    state = position("""
        3 players, hidden scores
        0: points 12
        1: points 20
        2: points 15
    """)

    assert (of(state, 0)["my_points"], of(state, 0)["lead"]) == (12, 0)
    assert (of(state, None)["my_points"], of(state, None)["my_suns"], of(state, None)["alone"]) == (0, 0, 0)
    assert set(of(state, None)) == set(RULES.facts_help)


@pytest.mark.parametrize("name", ["tiles", "plagues", "high_bid", "lot", "my_suns", "winning_sun", "epoch", "ra_count"])
def test_the_facts_that_slow_play_lives_on_are_documented(name: str) -> None:
    """The names that the rules text uses in its examples exist and are explained in a sentence."""
    assert RULES.facts_help[name].endswith(".")
