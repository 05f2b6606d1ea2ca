"""EG-4: where cards can be used, and when they are asked for.

Positions are texts (docs/development/positions.md).
"""

from __future__ import annotations

import pytest

from tests.engine.egizia.tables import Table


def test_eg_4_1_a_dry_field_feeds_nobody() -> None:
    """Brown 6 gives nothing while the ring is in the middle, 6 once it stands right."""
    table = Table(2)
    table.do("0: ship to A05", "1: pass")
    assert table.state.own(0).grain == 6
    table.do("0: ship to Passalon, ring right")
    assert table.state.own(0).grain == 12


def test_eg_4_2_an_immediate_card_is_gone_after_it_acted() -> None:
    """Two steps in the grain market; the card is nowhere, its space is taken."""
    table = Table(2)
    table.do("0: ship to A17")

    assert table.shown("0") == "grain market 2, ships C5"
    assert table.shown("river") == "A05 A06 A13 A09 - A12 A04 A14 A21 A22"


def test_eg_4_2_chosen_crews_must_be_two() -> None:
    """One crew or none is refused; a card without choice takes none."""
    table = Table.position("""
        2 players
        river: B22 A05 - - - - - - - -
    """)

    assert table.rules(0, "ship to B22, crew blue") == {"EG-3.7"}
    assert table.rules(0, "ship to A05, crew blue") == {"EG-3.5"}


def test_eg_4_3_cards_are_combined_in_one_action() -> None:
    """Two +3 cards and combine: 1 + 1 + 2 + 6 = 10 builds Obelisk 1 to 4."""
    table = Table.position("""
        2 players
        0: stones 20, has A21 C05 B18
    """)
    table.building("at Obelisk: slots 0 1")
    assert table.rules(0, "build obelisk 1-4 with blue + black + joker using +3 and combine, stone market") == {
        "EG-6.2"
    }

    table.do("0: build obelisk 1-4 with blue + black + joker using +3 and +3 and combine, grain market")

    assert table.shown("0") == (
        "points 10, stones 10, tired blue + black + joker, grain market 1, worked at Obelisk, passed"
    )


def test_eg_4_3_combine_joins_two_crews_however_many_cards_there_are() -> None:
    """With both cards of the kind three crews are refused, and no legal order uses both."""
    table = Table.position("""
        2 players
        river: A05 A06 A13 A09 A17 A12 A04 A14 A21 A22
        0: stones 20, has B18 C04
    """)
    table.building("at Obelisk: slots 0 1")
    three = "build obelisk 1 with blue + black + yellow using combine and combine, stone market"

    assert table.rules(0, three) >= {"EG-4.3"}
    legal = table.legal(0)
    assert any("using combine" in text for text in legal)
    assert not any("combine and combine" in text for text in legal)


def test_eg_4_3_one_card_in_the_order_is_not_named_twice() -> None:
    """The two-ships card that a ship takes may be used at once, once."""
    table = Table.position("""
        2 players
        river: B16 - - - - - - - - -
    """)
    assert table.faults(0, "ship to B16 using two ships") == []

    assert table.rules(0, "ship to B16 using two ships and two ships") == {"EG-4.3"}


def test_eg_4_3_plus_3_at_the_sphinx_draws_five_at_most() -> None:
    """Crew 1 with +3 draws 4; crew 3 with +3 draws 5, not 6."""
    table = Table.position("""
        2 players
        0: stones 9, crews 1 3 1 2, has A21
    """)
    table.building("at Sphinx: slots 0 -")
    assert table.faults(0, "sphinx 4 with blue using +3") == []
    assert table.rules(0, "sphinx 5 with blue using +3") == {"EG-7.1"}
    assert table.faults(0, "sphinx 5 with black using +3") == []
    assert table.rules(0, "sphinx 6 with black using +3") == {"EG-7.1"}


def test_eg_4_3_two_ships_need_a_second_space() -> None:
    """From Heliopolis no second ship could go anywhere: refused."""
    table = Table.position("""
        2 players
        river: A05 A06 A13 A09 A17 A12 A04 A14 A21 A22
        0: has B16
    """)

    assert table.rules(0, "ship to Heliopolis using two ships") == {"EG-4.3"}


def test_eg_4_3_a_round_space_is_doubled_but_not_heliopolis() -> None:
    """Passalon left and back; Heliopolis and a card are refused."""
    table = Table.position("""
        2 players
        river: A05 A06 A13 A09 A17 A12 A04 A14 A21 A22
        0: has B17
    """)
    assert table.rules(0, "ship to Heliopolis using double") == {"EG-4.3"}
    assert table.rules(0, "ship to A05 using double") == {"EG-4.3"}

    table.do("0: ship to Passalon, ring left, ring right using double")

    assert (table.crew(0)[3], table.shown("game")) == (4, "")


def test_eg_4_3_the_extra_ship_is_for_a_full_site_without_own_ship() -> None:
    """With a free slot it is refused; it follows EG-3.2; it acts before the queue."""
    table = Table.position("""
        4 players
        river: A05 A06 A13 A09 A17 A12 A04 A14 A21 A22
        3: has B19
    """)
    table.do("0: ship to Sphinx", "1: ship to Sphinx", "2: pass")
    assert table.rules(3, "ship to Sphinx using extra ship") == {"EG-4.3"}
    full = Table.position("""
        3 players
        river: A05 A06 A13 A09 A17 A12 A04 A14 A21 A22
        2: has B19 C06 B11
    """)
    full.do("0: ship to Sphinx", "1: ship to Sphinx", "2: ship to Sphinx using extra ship", "0: pass", "1: pass")
    full.do("2: ship to Heliopolis")
    assert full.shown("at Sphinx") == "slots 0 1 2"
    assert "EG-3.2" in full.rules(2, "ship to Obelisk using extra ship")


def test_eg_4_3_move_swaps_ships_before_the_site_begins() -> None:
    """The owner is asked before the site; once it acts, or for the queue, moving is refused."""
    table = Table.position("""
        3 players
        0: stones 5
        1: stones 5, has B20
        2: stones 5
    """)
    table.building("at Obelisk: slots 0 1, queue 2")
    assert table.asked == ("move", (1,))
    assert table.rules(1, "move to slot 2") == {"EG-4.3"}
    assert table.rules(1, "move to slot 3") == {"EG-4.3"}
    table.do("1: move to slot 1")
    assert (table.shown("at Obelisk"), table.asked) == ("slots 1 0, queue 2", ("build", (1,)))
    table.change("0: has B20")
    assert table.rules(1, "renounce, move Obelisk 2") == {"EG-4.3"}


def test_eg_4_3_move_is_not_asked_where_no_other_slot_is_taken() -> None:
    """Alone at the site the card makes no difference."""
    table = Table.position("""
        2 players
        0: has B20
    """)
    table.building("at Sphinx: slots 0 -")

    assert table.asked == ("sphinx", (0,))


def test_eg_4_3_nothing_is_used_once_final_scoring_began() -> None:
    """After round 5 sell is asked for once, before the points for taking part; then the game is over."""
    table = Table.position("""
        2 players
        0: stones 5, has C03
        1: stones 0
    """)
    table.after(5)
    assert table.asked[1] == (0,)
    table.do("0: done")

    assert table.asked[0] == "over"
    assert "EG-2.1" in table.rules(0, "done, sell 3")


def test_eg_4_4_two_improvers_may_lie_on_one_field() -> None:
    """Brown 7 becomes yellow, then green, and can't be bettered further."""
    table = Table.position("""
        2 players
        river: A05 - - A09 A17 A12 A04 A14 A21 A22
        0: has A06 A13 B14
    """)
    table.do("0: ship to Edfu, field A06, field A06", "1: pass")
    assert table.state.own(0).field_sums == [13, 0, 0]
    table.change("0: has A05")
    assert table.rules(0, "pass, field A06") == {"EG-4.4"}


def test_eg_4_4_an_improver_lies_on_own_fields_only() -> None:
    """Not on another's field, nor on the green start field, nor on the field that the same order takes."""
    table = Table.position("""
        2 players
        river: A05 A06 - A09 A17 A12 A04 A14 A21 A22
        0: has A13
        1: has A03
    """)

    assert table.rules(0, "pass, field A03") == {"EG-4.4"}
    assert table.rules(0, "ship to A05, field A05") == {"EG-4.4"}


def test_eg_4_4_reuse_is_downstream_not_heliopolis_not_with_upstream() -> None:
    """An empty space, Heliopolis, and upstream together with reuse are refused."""
    table = Table.position("""
        2 players
        river: A05 A06 A13 A09 A17 A12 A04 A14 A21 A22
        1: has A15 B11
    """)
    table.do("0: ship to Heliopolis")
    assert table.rules(1, "ship to Edfu using reuse") == {"EG-4.4"}
    assert "EG-4.4" in table.rules(1, "ship to Heliopolis using reuse")
    other = Table.position("""
        2 players
        river: A05 A06 A13 A09 A17 A12 A04 A14 A21 A22
        1: has A15 B11
    """)
    other.do("0: ship to Edfu", "1: ship to Alyl, crew blue", "0: pass")
    assert "EG-4.4" in other.rules(1, "ship to Edfu using reuse and upstream")


def test_eg_4_4_own_spaces_can_be_reused_and_doubled() -> None:
    """Reuse and double go together: Edfu four steps in all."""
    table = Table.position("""
        2 players
        river: A05 A06 A13 A09 A17 A12 A04 A14 A21 A22
        1: has A15 B17
    """)
    table.do("0: ship to Edfu", "1: ship to Edfu using reuse and double")

    assert table.shown("1") == "stone market 2, grain market 2, has A15, ready -, ships Edfu"


def test_eg_4_4_once_a_round_comes_back_next_round() -> None:
    """The improver used in round 1 is ready in round 2; a laid field improver isn't."""
    table = Table.position("""
        2 players
        0: has A12 A13 A05
    """)
    table.do("0: pass, improve blue, field A05", "1: pass")

    assert table.state.round == 2
    assert table.shown("0") == "stones 5, crews 2 1 1 2, has A05 A12 A13, ready A12, improved A05"


def test_eg_4_4_the_improver_is_not_for_a_crew_at_its_maximum() -> None:
    """9 can't be improved, by neither card."""
    table = Table.position("""
        2 players
        0: crews 9 1 1 2, has A12 B13
    """)

    assert table.rules(0, "pass, improve blue") == {"EG-4.4"}
    assert table.rules(0, "pass, two stones blue") == {"EG-4.4"}


def test_eg_4_4_leftover_holders_choose_in_turn_order_and_may_use_the_card_at_once() -> None:
    """Seat 1 is asked after sailing; a field improver left over is laid with the order that takes it."""
    table = Table.position("""
        2 players
        river: A13 A05 - - - - - - - -
        1: has B12 A06
    """)
    table.do("0: pass", "1: pass")
    assert table.asked == ("leftover", (1,))
    assert table.rules(1, "leftover A09") == {"EG-4.4"}

    table.do("1: leftover A13, field A06")

    assert table.state.own(1).field_sums == [6, 7, 0]


def test_eg_4_4_no_card_left_asks_nothing() -> None:
    """With an empty river the holder of the leftover card isn't asked."""
    table = Table.position("""
        2 players
        1: has B12
    """)
    table.do("0: pass", "1: pass")

    assert table.state.round == 2


@pytest.mark.parametrize(
    ("cards", "stones", "ring", "asked"),
    [
        ("A22", 2, "middle", True),
        ("A14", 2, "middle", True),
        ("A14", 0, "middle", False),
        ("A13 A05", 2, "middle", True),
        ("A13 A05", 2, "left", False),
        ("A13 A14 A05", 0, "left", False),
        ("A13 B14 A05", 0, "left", True),
        ("A13", 2, "middle", False),
        ("A12", 2, "middle", False),
        ("C03", 2, "middle", False),
    ],
)
def test_eg_4_5_feeding_asks_who_is_short_and_holds_what_helps(
    cards: str, stones: int, ring: str, *, asked: bool
) -> None:
    """Grain; stones if there are any; an improver only if it waters one more field."""
    table = Table.position(f"""
        2 players
        game: ring {ring}
        0: stones {stones}, crews 3 3 3 1, has {cards}
    """)
    table.feeding()

    assert (table.asked == ("feed", (0,))) == asked


def test_eg_4_5_who_is_fed_is_not_asked() -> None:
    """5 strength and 6 grain: the grain card stays in hand."""
    table = Table.position("""
        2 players
        0: has A22
    """)
    table.feeding()

    assert table.state.round == 2
    assert table.shown("0") == "stones 5, has A22"


def test_eg_4_5_feeding_is_asked_of_all_at_once() -> None:
    """Both short with a card: one ply with both answers; riders act first, in turn order."""
    table = Table.position("""
        2 players
        0: stones 0, crews 3 3 3 1, has A22
        1: stones 8, crews 3 3 3 1, has A14 C03
    """)
    table.feeding()
    assert table.asked == ("feed", (0, 1))

    table.together("0: feed with 4 grain", "1: feed with stones 4, sell 4")

    assert (table.state.score, table.state.stones) == ([0, 4], [3, 3])


@pytest.mark.parametrize(
    ("number", "cards", "asked"),
    [
        (1, "A12", True),
        (1, "B13", True),
        (1, "C03", False),
        (1, "A13 A05", False),
        (5, "C03", True),
        (5, "A13 A05", True),
        (5, "A13", False),
        (5, "B20", False),
        (5, "A21", False),
    ],
)
def test_eg_4_5_after_building_unused_cards_are_asked_for(number: int, cards: str, *, asked: bool) -> None:
    """Improver and two stones each round; sell and field improver only in round 5, if they can do anything."""
    table = Table.position(f"""
        2 players
        0: has {cards}
    """)
    table.after(number)

    assert (table.asked == ("after", (0,))) == asked


def test_eg_4_5_a_used_or_useless_improver_is_not_asked_for() -> None:
    """Used this round, or all crews at 9, or one stone for the two-stones card: nothing to ask."""
    for seat in ("stones 5, crews 9 9 9 9, has A12 B13", "stones 1, crews 1 1 1 2, has A12 B13, ready B13"):
        table = Table.position(f"""
            2 players
            0: {seat}
            1: stones 0
        """)
        table.after(1)
        assert table.asked[0] == "ship"


def test_eg_4_5_riders_act_before_the_order() -> None:
    """A crew of 1 improved with the very order builds for 2; two stones paid for it are gone before building."""
    table = Table.position("""
        2 players
        0: stones 5, has A12 B13
    """)
    table.building("at Pyramid: slots 0 -")
    assert table.rules(0, "build pyramid 1+1+1 with blue, improve blue") == {"EG-6.2"}
    assert table.rules(0, "build pyramid 1+1+1+1 with blue + joker, two stones blue") == {"EG-6.2"}

    table.do("0: build pyramid 1+1+1 with blue, improve blue, two stones blue")

    assert (table.state.stones[0], table.crew(0)[0]) == (0, 3)


def test_eg_4_5_a_running_action_keeps_its_strength() -> None:
    """Improving a crew while digging on doesn't lengthen the action."""
    table = Table.position("""
        2 players
        graves: open 2 2 2 3
        0: stones 20, crews 9 1 1 3, has A12
    """)
    table.next("grave", "3 3 3 3")
    table.building("at Obelisk: slots 0 -")
    table.do("0: build graves 4 with blue + joker")

    assert table.shown("asked") == "dig by 0, at Obelisk, slot 1, strength left 3"
    assert table.rules(0, "dig 2, improve black") == {"EG-6.2"}
    assert table.faults(0, "dig 1, improve black") == []
