"""EG-6: Obelisk, graves, Pyramid and Temple. Positions are texts (docs/development/positions.md)."""

from __future__ import annotations

import pytest

from pbem.engine.egizia import RULES
from pbem.engine.egizia.monuments import _score_row
from pbem.engine.egizia.orders import Dig, Raise, Stack
from pbem.engine.egizia.ply import opened
from tests.engine.egizia.tables import Table, sentences


def rich(more: str = "", players: int = 2) -> Table:
    """Everybody has 25 stones and crews 5, 5, 5, 5; what a case says besides counts."""
    seats = "\n".join(f"{seat}: stones 25, crews 5 5 5 5" for seat in range(players))
    return Table.position(f"{players} players\n{seats}", more)


def test_eg_6_1_slots_act_from_the_river_then_the_queue_takes_places_given_away() -> None:
    """Slots 1, 0; 1 renounces, so after slot 2 the first of the queue acts, the second doesn't."""
    table = rich(players=4)
    table.building("at Obelisk: slots 1 0 -, queue 3 2")
    assert table.asked == ("build", (1,))
    table.do("1: renounce")
    assert table.asked == ("build", (0,))
    table.do("0: build obelisk 1 with blue, stone market")
    assert table.asked == ("build", (3,))
    events = table.do("3: build obelisk 2 with blue, stone market")
    assert table.state.round == 2
    assert not any(event.seat == 2 and event.rule == "EG-6.1" for event in events)


def test_eg_6_1_a_queued_ship_that_renounces_passes_the_place_on() -> None:
    """1 renounces, 3 takes the place and renounces, 2 acts."""
    table = rich(players=4)
    table.building("at Obelisk: slots 1 0 -, queue 3 2")
    table.do("1: renounce", "0: build grave with blue", "3: renounce")

    assert table.asked == ("build", (2,))


def test_eg_6_1_who_can_build_nothing_gives_way_unasked() -> None:
    """No stones, all crews tired, or too weak even with cards: the next is asked."""
    for stones, tired, crew, grave in ((0, "-", 5, 2), (25, "blue + black + yellow", 5, 2), (25, "-", 1, 6)):
        table = rich(
            f"""
            0: stones {stones}, tired {tired}, crews {crew} {crew} {crew} {crew}
            obelisk: 1 1 1 1 1 1 1 1 1
            graves: open {grave} 2 3 3
            """,
            players=3,
        )
        events = table.building("at Obelisk: slots 0 1")
        assert table.asked == ("build", (1,))
        assert "0 can't build at Obelisk and gives the place away." in sentences(events)


def test_eg_6_1_cards_in_hand_count_for_being_able_to_build() -> None:
    """Crews of 1 and a joker used up can't take a grave of 4, but can with +3, or combined and improved."""
    for cards, asked in (
        ("", False),
        ("0: has A21", True),
        ("0: has A12", False),
        ("0: has A12 B13 B18", True),
        ("0: has B18", False),
    ):
        position = f"""
            0: crews 1 1 1 9, tired joker
            obelisk: 1 1 1 1 1 1 1 1 1
            graves: open 4 4 4 4
            {cards}
        """
        table = rich(position)
        table.building("at Obelisk: slots 0 -")
        assert (table.asked == ("build", (0,))) == asked, cards


def test_eg_6_2_one_basic_crew_and_the_joker_if_wanted() -> None:
    """The joker alone, two basic crews, the same twice: refused."""
    table = rich()
    table.building("at Obelisk: slots 0 -")

    assert table.rules(0, "build grave with joker") == {"EG-6.2"}
    assert table.rules(0, "build grave with blue + black") == {"EG-6.2"}
    assert table.rules(0, "build grave with blue + blue") == {"EG-6.2"}
    assert table.faults(0, "build grave with blue + joker") == []


def test_eg_6_2_strength_and_stones_must_reach_the_sum() -> None:
    """2+2+3 is 7: too much for a crew of 5; too dear with 6 stones."""
    table = rich("0: stones 6\n1: stones 0")
    table.building("at Obelisk: slots 0 -")

    assert table.faults(0, "build graves 3 with blue") == [
        "EG-6.2: That is worth 7; your crews reach 5.",
        "EG-6.2: That costs 7 stones; you have 6.",
    ]


def test_eg_6_2_a_crew_works_once_a_round() -> None:
    """Blue and the joker worked at the Obelisk, so they can't at the Pyramid."""
    table = rich()
    table.building("at Obelisk: slots 0 1\nat Pyramid: slots 0 -")
    table.do("0: build grave with blue + joker", "1: build grave with black")

    assert table.asked == ("build", (0,))
    assert table.rules(0, "build pyramid 1 with blue") == {"EG-6.2"}
    assert table.rules(0, "build pyramid 1 with black + joker") == {"EG-6.2"}
    assert table.faults(0, "build pyramid 1 with black") == []


def test_eg_6_2_at_least_one_stone_is_built() -> None:
    """An empty action is refused; `renounce` is the word for it."""
    table = rich()
    table.building("at Obelisk: slots 0 -")
    assert [fault.rule for fault in RULES.check(table.state, 0, Raise(("blue",)))] == ["EG-6.2"]
    table.building("at Pyramid: slots 0 -")
    assert [fault.rule for fault in RULES.check(table.state, 0, Stack(("blue",)))] == ["EG-6.2"]


def test_eg_6_3_value_then_rows_then_market() -> None:
    """The last stone of row 1 scores 1, then the row 6 for its owner; at the Obelisk the market's 2 come last."""
    table = rich("pyramid row 1: 0 0 0 0 0")
    table.building("at Pyramid: slots 0 1")
    events = table.do("0: build pyramid 1 with blue")
    assert [event.params.get("points") for event in events if event.rule in {"EG-6.3", "EG-6.5"}] == [1, 6]
    assert table.state.score[0] == 7

    other = rich("0: grain market 5")
    other.building("at Obelisk: slots 0 1")
    events = other.do("0: build obelisk 1 with blue, grain market")
    assert [event.rule for event in events] == ["EG-6.4", "EG-6.4", "EG-5.3"]
    assert other.state.score[0] == 3


def test_eg_6_4_the_obelisk_is_built_in_sequence() -> None:
    """Space 2 before space 1, or a gap: refused; the market marker is compulsory, and only for the Obelisk."""
    table = rich()
    table.building("at Obelisk: slots 0 1")
    assert table.rules(0, "build obelisk 2 with blue, stone market") == {"EG-6.4"}
    assert [fault.rule for fault in RULES.check(table.state, 0, Raise(("blue",), 1, 1))] == ["EG-6.4"]
    assert table.rules(0, "build grave with blue, stone market") == {"EG-6.4"}

    table.do("0: build obelisk 1-2 with blue, stone market")

    assert table.shown("obelisk") == "0 0"
    assert table.shown("0") == (
        "points 3, stones 22, crews 5 5 5 5, tired blue, stone market 1, worked at Obelisk, passed"
    )
    assert table.faults(1, "build obelisk x2 with blue + joker, grain market") == []


def test_eg_6_2_crews_too_weak_together_are_named() -> None:
    """A form chooses them where the player names none, so that the refusal says which they were."""
    table = rich("0: has B18, crews 3 2 1 1")
    table.building("at Obelisk: slots 0 1")

    faults = table.faults(0, "build obelisk 1-4 with blue + black using combine, stone market")
    assert faults == ["EG-6.2: That is worth 10; blue and black together reach 5."]


def test_eg_6_4_a_full_obelisk_takes_no_stone() -> None:
    """All ten built: refused."""
    table = rich("obelisk: 1 1 1 1 1 1 1 1 1 1")
    table.building("at Obelisk: slots 0 -")

    assert table.faults(0, "build obelisk 11 with blue, stone market") == [
        "EG-6.4: The Obelisk is complete: leave it out."
    ]


def test_eg_6_4_graves_go_along_the_path_and_the_next_opens_at_once() -> None:
    """Two graves of 2 taken: two new tiles lie open; their values are chance results in plain text."""
    table = rich()
    table.next("grave", "6 5")
    table.building("at Obelisk: slots 0 1")
    table.do("0: build graves 2 with blue")

    assert table.shown("graves") == "open 3 3 6 5, 2 by 0, 2 by 0"


def test_eg_6_4_no_more_graves_than_lie_open_then_asked_again() -> None:
    """Five graves are refused; after 2+2+2+3 four of 3 can follow, then a 4: asked twice, until the player stops."""
    table = rich("0: crews 9 9 5 9, has B18\ngraves: open 2 2 2 3")
    table.next("grave", "3 3 3 3 4 4 4 4")
    table.building("at Obelisk: slots 0 1")
    assert table.rules(0, "build graves 5 with blue") == {"EG-6.4"}

    table.do("0: build graves 4 with blue + black + joker using combine")
    assert table.shown("asked") == "dig by 0, at Obelisk, slot 1, strength left 18"
    assert table.rules(0, "dig graves 5") == {"EG-6.4"}
    table.do("0: dig graves 4")
    assert table.shown("asked") == "dig by 0, at Obelisk, slot 1, strength left 6"
    assert table.state.stones[0] == 4
    assert table.rules(0, "dig 2") == {"EG-6.2"}
    table.do("0: stop")

    assert (table.state.score[0], table.asked) == (21, ("build", (1,)))


def test_eg_6_4_the_market_step_comes_at_the_end_of_the_action() -> None:
    """An Obelisk stone in the first order: its marker moves only once the digging is over, and one step in all."""
    table = rich("0: crews 9 1 1 9\ngraves: open 2 2 2 3")
    table.next("grave", "3 3 3 3")
    table.building("at Obelisk: slots 0 1")
    table.do("0: build obelisk 1, graves 4 with blue + joker, stone market")
    assert table.asked == ("dig", (0,))
    assert "market" not in table.shown("0")
    assert table.rules(0, "dig 1, obelisk 2, grain market") == {"EG-6.4"}
    table.do("0: dig 1, obelisk 2")

    assert table.shown("obelisk") == "0 0"
    assert "tired blue + joker, stone market 1, worked at Obelisk" in table.shown("0")


def test_eg_6_4_digging_on_is_not_asked_where_it_is_out_of_reach() -> None:
    """All four open taken, but the next costs more than strength or stones left: the action is over."""
    for stones, crew in ((9, 9), (25, 5)):
        table = rich(f"0: crews {crew} 1 1 4, stones {stones}\ngraves: open 2 2 2 3")
        table.next("grave", "3 3 3 3")
        table.building("at Obelisk: slots 0 1")
        table.do("0: build graves 4 with blue + joker")
        assert table.asked == ("build", (1,))


def test_eg_6_4_an_obelisk_stone_may_come_with_digging_on() -> None:
    """The market is named then, if the action had no Obelisk stone before."""
    table = rich("0: crews 9 1 1 9\ngraves: open 2 2 2 3")
    table.next("grave", "3 3 3 3")
    table.building("at Obelisk: slots 0 1")
    table.do("0: build graves 4 with blue + joker")
    assert [fault.rule for fault in RULES.check(table.state, 0, Dig(1, 1, 1))] == ["EG-6.4"]
    table.do("0: dig 1, obelisk 1, grain market")

    assert table.shown("obelisk") == "0"
    assert table.shown("0") == (
        "points 13, stones 12, crews 9 1 1 9, tired blue + joker, grain market 1, worked at Obelisk, passed"
    )


@pytest.mark.parametrize(
    ("built", "order", "rule"),
    [
        ("", "pyramid 2", {"EG-6.5"}),
        ("pyramid row 1: 1", "pyramid 2", {"EG-6.5"}),
        ("pyramid row 1: 1 1", "pyramid 2", set()),
        ("pyramid row 1: 1 1", "pyramid 2+2", {"EG-6.5"}),
        ("pyramid row 1: 1 1", "pyramid 1+2+2", set()),
        ("pyramid row 1: 1 1 1 1 1 1", "pyramid 1", {"EG-6.5"}),
        ("pyramid row 1: 1 1 1 1 1 1\npyramid row 2: 1 1 1 1 1", "pyramid 3+3", set()),
        ("", "pyramid 7", {"EG-6.5"}),
    ],
)
def test_eg_6_5_a_space_needs_both_spaces_under_it(built: str, order: str, rule: set[str]) -> None:
    """Rows are built from the left; whoever filled the spaces below."""
    table = rich(built)
    table.building("at Pyramid: slots 0 -")

    assert table.rules(0, f"build {order} with blue + joker") == rule


@pytest.mark.parametrize(
    ("row", "owners", "winner", "points"),
    [
        (1, "0 1 1 0 0 1", 0, 3),
        (1, "1 0 0 1 0 0", 0, 4),
        (4, "0 1 1", 1, 2),
        (6, "1", 1, 1),
    ],
)
def test_eg_6_5_a_full_row_pays_who_has_most_stones_there(row: int, owners: str, winner: int, points: int) -> None:
    """1 point for each own stone; tie: the first stone further left."""
    table = rich(f"pyramid row {row}: {owners}")
    ply = opened(table.state, table.script)
    _score_row(ply, row)

    assert table.state.score[winner] == points
    assert table.state.score[1 - winner] == 0


def test_eg_6_6_pylons_and_columns_grow_independently() -> None:
    """The right column needs no pylon; a pylon of four takes no fifth stone; both pylons full free the entablature."""
    table = rich("0: crews 9 9 9 9")
    table.building("at Pyramid: slots 0 1")
    assert table.faults(0, "build right column with blue") == []
    assert table.rules(0, "build left pylon x5 with blue + joker") == {"EG-6.6"}
    assert table.rules(0, "build entablature 1 with blue") == {"EG-6.6"}
    assert table.rules(0, "build left pylon x4, entablature 1 with blue + joker") == {"EG-6.6"}

    table = rich("0: crews 9 9 9 9\ntemple part 1: 1 1 1 1")
    table.building("at Pyramid: slots 0 1")
    table.do("0: build right pylon x4, entablature 2 with blue + joker")

    assert (table.shown("temple part 2"), table.shown("temple part 5"), table.state.score[0]) == (
        "0 0 0 0",
        "- 0 -",
        13,
    )
    assert table.rules(1, "build entablature 2 with blue") == {"EG-6.6"}
    assert table.rules(1, "build entablature 4 with blue") == {"EG-6.6"}
    assert table.faults(1, "build entablature 1+3 with blue + joker") == []


def test_eg_6_7_pyramid_and_temple_are_mixed_in_one_action() -> None:
    """Two Pyramid spaces of row 1, a pylon and a column: 1+1+1+2."""
    table = rich()
    table.building("at Pyramid: slots 0 1")
    table.do("0: build pyramid 1+1, left pylon, left column with blue")

    assert table.shown("0") == "points 5, stones 20, crews 5 5 5 5, tired blue, worked at Pyramid, passed"


def test_eg_6_7_the_sites_are_not_mixed() -> None:
    """A Pyramid order at the Obelisk is refused, and the other way round."""
    table = rich()
    table.building("at Obelisk: slots 0 -")
    assert table.rules(0, "build pyramid 1 with blue") == {"EG-6.1"}
    table.building("at Pyramid: slots 0 -")
    assert table.rules(0, "build grave with blue") == {"EG-6.1"}
