"""EG-8 and EG-9: taking part, new order, final scoring. Positions are texts (docs/development/positions.md)."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from pbem.engine.egizia import RULES
from pbem.engine.egizia.components import SphinxCard
from pbem.engine.egizia.ply import opened
from pbem.engine.egizia.scoring import final, grave_points, outcome_of, participation, ranking, sphinx_points
from pbem.engine.egizia.sheet import SCORING
from pbem.engine.egizia.tables import tables_of
from tests.engine.egizia.tables import Table

SPHINX = tables_of("").sphinx


@pytest.mark.parametrize(
    ("worked", "points"),
    [
        ("", 0),
        ("0: worked at Pyramid", 1),
        ("0: worked at Sphinx + Pyramid", 3),
        ("0: worked at Sphinx + Obelisk + Pyramid", 6),
    ],
)
def test_eg_8_1_sites_where_a_stone_was_used_score_1_3_6(worked: str, points: int) -> None:
    """No site 0, one 1, two 3, three 6."""
    table = Table.position("2 players", worked)
    participation(opened(table.state, table.script))

    assert table.state.score == [points, 0]


def test_eg_8_1_a_ship_that_renounced_took_no_part() -> None:
    """Renouncing at the Obelisk scores nothing; a draw at the Sphinx counts as using a stone."""
    table = Table(2)
    table.building("at Obelisk: slots 0 -")
    table.do("0: renounce")
    assert table.state.score == [0, 0]
    table.building("at Sphinx: slots 0 -")
    table.do("0: sphinx 1 with blue", "0: keep none")
    assert table.state.score[0] == 1 + 1


def test_eg_8_1_from_the_front_of_the_track_backwards() -> None:
    """0 and 1 both on 5, 0 in front: 0 scores first and stays in front."""
    table = Table.position("""
        2 players
        game: track 0 1
        0: points 5, worked at Sphinx
        1: points 5, worked at Sphinx
    """)
    participation(opened(table.state, table.script))

    assert (table.state.score, table.state.track) == ([6, 6], [0, 1])


def test_eg_8_2_fewest_points_first_and_the_last_to_arrive_counts_as_behind() -> None:
    """10, 4, 4 with 1 in front of 2: order 2, 1, 0."""
    table = Table.position("""
        3 players
        game: track 0 1 2
        0: points 10
        1: points 4
        2: points 4
    """)
    table.do("0: pass", "1: pass", "2: pass")

    assert table.state.order == [2, 1, 0]


def test_eg_8_2_also_after_round_5() -> None:
    """The final scoring goes by the new order: the last in it scores first."""
    table = Table.position("""
        2 players
        game: round 5
        0: stones 4, stone market 5
        1: points 30, stones 4, stone market 5
    """)
    events = table.do("0: pass", "1: pass")

    assert [event.seat for event in events if event.rule == "EG-9.1"] == [1, 0]


@pytest.mark.parametrize(("at", "stones", "points", "left"), [(3, 7, 0, 7), (4, 7, 3, 1), (5, 8, 4, 0), (5, 1, 0, 1)])
def test_eg_9_1_stones_are_sold_two_for_a_point_on_the_last_two_spaces(
    at: int, stones: int, points: int, left: int
) -> None:
    """Whole pairs, and only with the stone marker on one of the last two spaces; a preview counts them, too."""
    table = Table.position(f"""
        2 players
        0: stones {stones}, stone market {at}
        1: stones 0
    """)
    assert RULES.figures(RULES.view(table.state, 0))[SCORING] == points
    final(opened(table.state, table.script))

    assert (table.state.score[0], table.state.stones[0]) == (points, left)


@pytest.mark.parametrize(("total", "points"), [(0, 0), (1, 2), (10, 2), (11, 5), (20, 5), (21, 9), (60, 9)])
def test_eg_9_2_graves_score_by_their_sum(total: int, points: int) -> None:
    """1-10: 2, 11-20: 5, 21 and more: 9."""
    assert grave_points(tables_of(""), total) == points


def board(more: str = "") -> Table:
    """A board on which seat 0 fulfils every condition, seat 1 nothing."""
    text = """
        3 players
        0: points 57, crews 4 5 6 7, stone market 5, grain market 5, has A02 A04 A05 A09 A12 A13
        1: stone market 2, grain market 5
        2: stone market 5, grain market 5
        graves: 2 by 0, 2 by 0, 2 by 0, 3 by 0, 3 by 0, 3 by 1, 3 by 1, 3 by 1, 4 by 1, 4 by 1, 4 by 1, 4 by 1
        obelisk: 0 0 0 0 0 1 1 1 1
        pyramid row 1: 0 0 0 0 0 0
        pyramid row 2: 0 0 0 0 0
        pyramid row 3: 1 1 1 1
        pyramid row 4: 1 1 1
        pyramid row 5: 1 1
        pyramid row 6: 1
        temple part 1: 0 0 0 0
        temple part 2: 1 1 1 1
        temple part 3: 1 1
        temple part 4: 1 1
    """
    return Table.position(text, more)


EXPECTED: dict[str, Callable[[SphinxCard], int]] = {
    "obelisk_space_filled": lambda card: card.vp,
    "temple_pylons_and_columns": lambda card: card.vp,
    "all_graves_taken": lambda card: card.vp,
    "pyramid_complete": lambda card: card.vp,
    "players_on_last_space": lambda card: 5 if card.track == "stone" else 7,
    "own_on_last_space": lambda card: card.vp,
    "own_stones": lambda card: card.vp,
    "own_stones_each": lambda card: card.vp,
    "vp_per_own_grave": lambda _card: 5,
    "crew_strength": lambda card: {"blue": 4, "black": 5, "yellow": 6, "joker": 7}[card.crew],
    "majority": lambda card: card.vp,
    "vp_per_permanent": lambda _card: 4,
    "plus_10_percent": lambda _card: 5,
}


@pytest.mark.parametrize("card", SPHINX, ids=lambda card: card.id)
def test_eg_9_3_each_sphinx_card_scores_when_fulfilled(card: SphinxCard) -> None:
    """On a board that fulfils it, each of the 29 pays what it says, in the final scoring."""
    table = board()
    expected = EXPECTED[card.cond](card)
    assert expected > 0
    assert sphinx_points(table.state.own(0), card) == expected

    bare, full = opened(board().state, table.script), opened(board(f"0: keeps {card.id}").state, table.script)
    final(bare)
    final(full)
    gained = full.state.score[0] - bare.state.score[0]
    assert gained == (expected if card.cond != "plus_10_percent" else bare.state.score[0] // 10)


@pytest.mark.parametrize("card", SPHINX, ids=lambda card: card.id)
def test_eg_9_3_each_sphinx_card_pays_nothing_or_little_at_the_start(card: SphinxCard) -> None:
    """On an empty board all fail but those for crews, which pay the strength they start with."""
    table = Table(3)

    points = sphinx_points(table.state.own(0), card)

    assert points == ({"joker": 2}.get(card.crew, 1) if card.cond == "crew_strength" else 0)


def test_eg_9_3_majorities_are_strict_and_improved_colours_count() -> None:
    """Start cards tie at 6 green; a laid improver turns brown 6 into yellow 6, which leads."""
    green, yellow, brown = (next(c for c in SPHINX if c.what == what) for what in ("green", "yellow", "brown"))
    table = Table.position("""
        2 players
        0: has A05
        1: has A03
    """)
    assert [sphinx_points(table.state.own(0), card) for card in (green, yellow, brown)] == [0, 0, 7]

    table = Table.position("""
        2 players
        0: has A05, improved A05
        1: has A03
    """)

    assert [sphinx_points(table.state.own(0), card) for card in (green, yellow, brown)] == [0, 7, 0]


def test_eg_9_3_a_laid_improver_is_still_a_permanent_card() -> None:
    """Field improver (laid) and crew improver: 4 points; fields, quarries and any-time cards don't count."""
    table = Table.position("""
        2 players
        0: has A13 A12 A05 A09 A21
    """)
    table.do("0: ship to Edfu, field A05")
    card = next(card for card in SPHINX if card.cond == "vp_per_permanent")

    assert sphinx_points(table.state.own(0), card) == 4


def test_eg_9_3_the_tenth_counts_last_and_nothing_below_0() -> None:
    """38 points and S20 with blue 3: 41, then 4 more, though the tenth was kept first; below 0 it is 0."""
    table = Table.position("""
        2 players
        0: points 38, crews 3 1 1 2, keeps S29 S20
        1: points -15
    """)
    tenth = table.t.sphinx_index["S29"]
    final(opened(table.state, table.script))
    assert table.state.score[0] == 38 + 3 + 4
    assert sphinx_points(table.state.own(1), SPHINX[tenth]) == 0


def test_eg_9_3_one_player_scores_all_lines_before_the_next() -> None:
    """Seat 1 is last in order: stones, graves, Sphinx cards, then seat 0 the same."""
    table = Table.position("""
        2 players
        0: stones 4, stone market 5, keeps S20
        1: stones 4, stone market 5, keeps S21
        graves: 2 by 0, 2 by 1
    """)
    ply = opened(table.state, table.script)
    final(ply)

    assert [(event.seat, event.rule) for event in ply.events] == [
        (seat, rule) for seat in (1, 0) for rule in ("EG-9.1", "EG-9.2", "EG-9.3")
    ]


@pytest.mark.parametrize(
    ("score", "stones", "track", "places", "ending"),
    [
        ((10, 12, 3), (9, 0, 0), (1, 0, 2), (2, 1, 3), "points"),
        ((10, 10, 3), (1, 4, 0), (0, 1, 2), (2, 1, 3), "stones"),
        ((10, 10, 3), (4, 4, 0), (0, 1, 2), (1, 2, 3), "arrival"),
        ((10, 10, 10), (4, 4, 4), (2, 1, 0), (3, 2, 1), "arrival"),
    ],
)
def test_eg_9_4_points_then_stones_then_arrival(
    score: tuple[int, ...], stones: tuple[int, ...], track: tuple[int, ...], places: tuple[int, ...], ending: str
) -> None:
    """Most points, most stones left, first on the space; the ending names what decided."""
    lines = (f"{seat}: points {score[seat]}, stones {stones[seat]}" for seat in range(3))
    table = Table.position("\n".join((f"3 players\ngame: track {' '.join(map(str, track))}", *lines)))

    assert outcome_of(table.state) is None, "it goes on"
    table.change("asked: over")
    ended = outcome_of(table.state)
    assert ended is not None
    assert (ended.places, ended.ending) == (places, ending)
    assert ranking(table.state)[0] == places.index(1)
