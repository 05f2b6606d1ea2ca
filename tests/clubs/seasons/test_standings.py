"""Points, tie-breaks and ratings."""

from __future__ import annotations

import pytest

from pbem.clubs.ratings.ratings import Skill, rated
from pbem.clubs.seasons.standings import TableResult, standings, table_points


@pytest.mark.parametrize(
    ("places", "points"),
    [
        ((1, 2), (100.0, 0.0)),
        ((2, 1, 3), (50.0, 100.0, 0.0)),
        ((1, 1, 3), (75.0, 75.0, 0.0)),
        ((1, 2, 2, 4), (100.0, 50.0, 50.0, 0.0)),
        ((1, 1, 1, 1, 1), (50.0,) * 5),
    ],
)
def test_places_become_points(places: tuple[int, ...], points: tuple[float, ...]) -> None:
    """A win is worth 100 at every table size, ties share."""
    assert table_points(places) == pytest.approx(points)


def test_the_harder_way_ranks_first() -> None:
    """With equal points, who met the stronger opponents stands above."""
    results = [
        TableResult((1, 2), (1, 2), (30, 20)),
        TableResult((3, 4), (1, 2), (30, 20)),
        TableResult((2, 4), (1, 2), (25, 10)),
    ]

    lines = standings((1, 2, 3, 4), results)

    assert [(line.player, line.points, line.opposition) for line in lines] == [
        (1, 100.0, 50.0),
        (2, 100.0, 50.0),
        (3, 100.0, 0.0),
        (4, 0.0, 75.0),
    ]


def test_equal_in_everything_share_a_place() -> None:
    """Two mirrored results give shared places, and the next place is skipped."""
    results = [TableResult((1, 2), (1, 2), (30, 20)), TableResult((3, 4), (1, 2), (30, 20))]

    assert [line.place for line in standings((1, 2, 3, 4), results)] == [1, 1, 3, 3]


def test_a_bye_is_worth_half_a_win_and_no_game() -> None:
    """A bye gives 50 points and counts as no game played: who has one is no stronger an opponent for it."""
    first, second = standings((1, 2), [TableResult((1, 2), (1, 2), (30, 20))], byes=(2,))

    assert (second.points, second.games, first.opposition) == (50.0, 1, 0)


def test_winning_raises_a_rating_and_losing_lowers_it() -> None:
    """After a clear result the winner is shown above 1000, the loser below; both are known better."""
    new = Skill()
    first, last = rated((new, new), (1, 2))

    assert first.mu > new.mu > last.mu
    assert first.sigma < new.sigma
    assert new.shown == 1000


def test_a_tie_between_equals_changes_nothing_but_certainty() -> None:
    """Equal players who tie keep their mean."""
    first, second = rated((Skill(), Skill()), (1, 1))

    assert first.mu == pytest.approx(second.mu)
