"""The rounds of a season, drawn by its system."""

from __future__ import annotations

import pytest

from pbem.clubs.seasons.rounds import DrawnRound, Entered, Entrants, PlayedTable, draw, reached
from pbem.clubs.seasons.standings import TableResult, standings


def field(system: str, players: int, played: list[PlayedTable]) -> Entrants:
    """`players` players, the first the strongest, after these tables of title 0."""
    entered = [Entered(number, float(-number), 0) for number in range(players)]
    return Entrants(system, entered, {0: tuple(played)})


def table(number: int, *players: int) -> PlayedTable:
    """A table of round `number` that ended in the order its players are named."""
    places = tuple(range(1, len(players) + 1))
    return PlayedTable(number, players, TableResult(players, places, tuple(50 - place for place in places)))


def seated(drawn: DrawnRound) -> list[int]:
    """Everybody with a seat."""
    return sorted(player for players in drawn.tables for player in players)


@pytest.mark.parametrize("system", ["swiss", "round_robin", "ladder", "knock_out"])
@pytest.mark.parametrize("players", range(3, 20))
def test_everybody_plays_or_sits_out(system: str, players: int) -> None:
    """Each player of the field is at exactly one table, or named among those who sit out."""
    drawn = draw(field(system, players, []), 0, 4, (3, 4, 5))

    assert sorted([*seated(drawn), *drawn.byes]) == list(range(players))
    assert all(len(players) in (3, 4, 5) for players in drawn.tables)


@pytest.mark.parametrize("system", ["swiss", "round_robin", "ladder", "knock_out"])
def test_a_round_without_a_table_is_a_bye_for_nobody(system: str) -> None:
    """So few are left that no game seats them: the season ends, and half a win more would change who came first."""
    left = Entrants(system, [Entered(0, 1.0, 0), Entered(1, 0.0, 0)], {0: (table(1, 0, 1, 2),)})

    assert draw(left, 0, 3, (3, 4)) == DrawnRound(())


def test_swiss_sends_winners_to_winners() -> None:
    """After a round the two winners of two-player tables meet."""
    drawn = draw(field("swiss", 4, [table(1, 0, 1), table(1, 2, 3)]), 0, 2, (2,))

    assert {frozenset(players) for players in drawn.tables} == {frozenset({0, 2}), frozenset({1, 3})}


def test_a_knock_out_ends_with_one_table() -> None:
    """Eight players: four go on, then two, then nobody is left to pair."""
    played = [table(1, 0, 7), table(1, 1, 6), table(1, 2, 5), table(1, 3, 4)]
    second = draw(field("knock_out", 8, played), 0, 2, (2,))
    assert seated(second) == [0, 1, 2, 3]

    played += [table(2, *players) for players in ((0, 3), (1, 2))]
    assert seated(draw(field("knock_out", 8, played), 0, 2, (2,))) == [0, 1]

    played.append(table(3, 0, 1))
    assert draw(field("knock_out", 8, played), 0, 2, (2,)).tables == ()


def test_who_wins_the_final_comes_first() -> None:
    """Whatever the points: who scraped through two rounds and won the last one stands above whom they beat there."""
    played = [table(1, 0, 1, 2, 3), table(1, 4, 5, 6, 7), table(2, 0, 1, 4, 5), table(3, 1, 0, 4, 5)]
    results = [one.result for one in played if one.result]

    far = reached([played])
    order = [line.player for line in standings(range(8), results, reached=far)]

    assert order[:4] == [1, 0, 4, 5]
    assert standings(range(8), results)[0].player == 0  # 267 points, and 233 of the winner
    assert far == pytest.approx({0: 3 + 1 / 3, 1: 3.5, 2: 1 + 1 / 6, 3: 1, 4: 3 + 1 / 6, 5: 3, 6: 1 + 1 / 6, 7: 1})


def test_who_rests_in_a_knock_out_comes_back() -> None:
    """Of five players one rests; the next round has that one and the two winners, another of whom rests."""
    first = draw(field("knock_out", 5, []), 0, 2, (2,))
    assert first.byes == (0,)

    played = [table(1, *players) for players in first.tables]
    second = draw(field("knock_out", 5, played), 0, 2, (2,))

    assert 0 in seated(second)
    assert len(second.byes) == 1


def test_the_ladder_climbs() -> None:
    """The winner of the lower table plays at the upper one next."""
    drawn = draw(field("ladder", 6, [table(1, 0, 1, 2), table(1, 3, 4, 5)]), 0, 3, (3,))

    assert [frozenset(players) for players in drawn.tables] == [frozenset({0, 1, 3}), frozenset({2, 4, 5})]


def test_a_knock_out_has_its_final_at_a_full_table() -> None:
    """Two winners are too few for a game of three: the best placed of the others makes up the final."""
    played = [table(1, 0, 3, 4), table(1, 1, 2, 5)]
    final = draw(field("knock_out", 6, played), 0, 4, (3, 4, 5))
    assert seated(final) == [0, 1, 3]

    played.append(table(2, 0, 1, 3))
    assert draw(field("knock_out", 6, played), 0, 4, (3, 4, 5)).tables == ()


def test_the_next_one_moves_up_for_a_winner_who_dropped_out() -> None:
    """A table of a knock-out sends somebody on, also when its winner has gone."""
    left = [Entered(number, float(-number), 0) for number in (1, 2, 3)]

    drawn = draw(Entrants("knock_out", left, {0: (table(1, 0, 3), table(1, 1, 2))}), 0, 2, (2,))

    assert seated(drawn) == [1, 3]


def test_a_game_without_a_result_sends_on_the_better_seeded() -> None:
    """Ended by agreement, a table of a knock-out decides nothing; who sat first is no reason to go on."""
    drawn = draw(field("knock_out", 4, [PlayedTable(1, (3, 0), None), table(1, 1, 2)]), 0, 2, (2,))

    assert seated(drawn) == [0, 1]
