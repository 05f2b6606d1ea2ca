"""Who meets whom, by every system."""

from __future__ import annotations

from itertools import combinations, pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import structs

from pbem.clubs.seasons import pairing
from pbem.clubs.seasons.pairing import Entrant
from pbem.clubs.seasons.table_sizes import table_sizes


@pytest.mark.parametrize(
    ("players", "wanted", "allowed", "sizes"),
    [
        (24, 4, (3, 4, 5), (4, 4, 4, 4, 4, 4)),
        (25, 4, (3, 4, 5), (5, 4, 4, 4, 4, 4)),
        (23, 4, (3, 4, 5), (4, 4, 4, 4, 4, 3)),
        (7, 4, (3, 4, 5), (4, 3)),
        (5, 2, (2,), (2, 2)),
        (2, 3, (3, 4, 5), ()),
    ],
)
def test_the_field_is_split_into_allowed_tables(
    players: int, wanted: int, allowed: tuple[int, ...], sizes: tuple[int, ...]
) -> None:
    """As few as possible sit out, as many tables as possible have the wanted size."""
    assert table_sizes(players, wanted, allowed) == sizes


def field(count: int) -> list[Entrant]:
    """`count` players, the first the strongest."""
    return [Entrant(player, rating=float(count - player)) for player in range(count)]


def test_swiss_brings_equal_scores_together() -> None:
    """With no history, players of equal points share a table."""
    entrants = [Entrant(player, points=float(player % 2)) for player in range(8)]

    tables = pairing.swiss(entrants, (4, 4), pairing.history(()))

    assert {frozenset(table) for table in tables} == {frozenset({1, 3, 5, 7}), frozenset({0, 2, 4, 6})}


def test_swiss_avoids_who_has_met() -> None:
    """Four tables of four that just played are all broken up: nobody meets the same opponent twice in a row."""
    first = pairing.swiss(field(16), (4, 4, 4, 4), pairing.history(()))

    second = pairing.swiss(field(16), (4, 4, 4, 4), pairing.history(first))

    assert sum(pairing.history(first).meetings(table) for table in second) == 0


@pytest.mark.parametrize("players", range(2, 20))
def test_round_robin_of_two_meets_everyone_once(players: int) -> None:
    """After n-1 rounds each of n players has met each other exactly once; of an odd field after n, each idle once."""
    played: list[tuple[int, ...]] = []
    idle: list[int] = []
    for _ in range(players - 1 + players % 2):
        entrants = [structs.replace(one, byes=idle.count(one.player)) for one in field(players)]
        tables, out = pairing.circle(entrants, pairing.history(played))
        played, idle = [*played, *tables], [*idle, *out]

    met = pairing.history(played).met

    assert {met.get(two, 0) for two in combinations(range(players), 2)} == {1}
    assert sorted(idle) == list(range(players)) * (players % 2)


def test_round_robin_of_two_goes_on_by_who_has_met_least() -> None:
    """Two of eight leave after two rounds: of the pairs that are left one meets again, for each has met two others."""
    played: list[tuple[int, ...]] = []
    for players in (8, 8, 6, 6, 6, 6):
        played += pairing.circle(field(players), pairing.history(played))[0]

    met = pairing.history(played).met
    assert sorted(met.get(two, 0) for two in combinations(range(6), 2)) == [1] * 14 + [2]


def test_round_robin_of_larger_tables_is_even() -> None:
    """In five rounds of four tables of four nobody meets the same opponent more than twice."""
    played: list[tuple[int, ...]] = []
    for _ in range(5):
        played += pairing.round_robin(field(16), (4, 4, 4, 4), pairing.history(played))

    assert max(pairing.history(played).met.values()) <= 2


def test_seats_are_evened_out() -> None:
    """Two who meet four times sit first twice each."""
    played: list[tuple[int, ...]] = []
    for _ in range(4):
        played += pairing.ladder((0, 1), (2,), pairing.history(played))

    assert pairing.history(played).seats == {(0, 0): 2, (0, 1): 2, (1, 0): 2, (1, 1): 2}


def test_knock_out_parts_the_best() -> None:
    """The four best seeds sit at four different tables."""
    tables = pairing.knock_out(range(16), (4, 4, 4, 4), pairing.history(()))

    assert [min(table) for table in tables] == [0, 1, 2, 3]
    assert sorted(player for table in tables for player in table) == list(range(16))


def test_survivors_are_the_better_half() -> None:
    """Winners come first, then the seconds; of three only the winner goes on."""
    assert pairing.survivors([(3, 1, 2, 0), (6, 5, 4)]) == (3, 6, 1)


def test_the_ladder_moves_winners_up() -> None:
    """A table's winner takes the place of the last of the table above; who did not play stays below."""
    assert pairing.climb(range(7), [(0, 2, 1), (5, 4, 3)]) == (0, 2, 5, 1, 4, 3, 6)


def test_byes_go_round() -> None:
    """Who has not had a bye gets one first, the weakest among them."""
    entrants = [Entrant(1, points=5.0), Entrant(2, byes=1), Entrant(3, points=1.0)]

    assert pairing.byes(entrants, 2) == (3, 1)


def test_sizes_must_fit() -> None:
    """Tables that don't add up to the field are refused in words."""
    with pytest.raises(ValueError, match="5 players can't fill tables of"):
        pairing.ladder(range(5), (4,), pairing.history(()))


@given(st.lists(st.floats(0, 500), min_size=6, max_size=24), st.integers(0, 3))
def test_everybody_sits_exactly_once(points: list[float], rounds: int) -> None:
    """Whatever the scores and the past, each player has one seat."""
    entrants = [Entrant(player, points=score) for player, score in enumerate(points)]
    sizes = table_sizes(len(points), 4, (3, 4, 5))
    played: list[tuple[int, ...]] = []
    for _ in range(rounds + 1):
        played += pairing.swiss(entrants, sizes, pairing.history(played))

    last = played[-len(sizes) :]

    assert sorted(player for table in last for player in table) == list(range(len(points)))
    assert all(len(a) >= len(b) for a, b in pairwise(last))
