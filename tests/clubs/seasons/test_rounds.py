"""The rounds of a season, drawn by its system."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.clubs.seasons.rounds import (
    DrawnRound,
    Entered,
    Entrants,
    PlayedTable,
    draw,
    moved_up,
    ranked,
    reached,
    resting,
)
from pbem.clubs.seasons.standings import TableResult, standings

if TYPE_CHECKING:
    from collections.abc import Collection


def field(system: str, players: int, played: list[PlayedTable], byes: Collection[int] = ()) -> Entrants:
    """`players` players, the first the strongest, after these tables of title 0; those of `byes` have sat out."""
    entered = [Entered(number, float(-number), int(number in byes)) for number in range(players)]
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


@pytest.mark.parametrize(
    ("system", "tables"),
    [
        ("swiss", [(0, 1), (2, 3), (4, 5), (6, 7)]),
        ("round_robin", [(0, 1), (2, 7), (3, 6), (4, 5)]),
        ("ladder", [(0, 2), (1, 3), (4, 5), (6, 7)]),
        ("knock_out", [(2, 6), (3, 7)]),
    ],
)
def test_each_system_draws_its_own_round(system: str, tables: list[tuple[int, int]]) -> None:
    """After one and the same round, in which the two best lost."""
    played = [table(1, *players) for players in ((7, 0), (6, 1), (2, 5), (3, 4))]
    drawn = draw(field(system, 8, played), 0, 2, (2,))

    assert sorted(tuple(sorted(players)) for players in drawn.tables) == tables


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


@pytest.mark.parametrize(
    ("played", "gone", "first"),
    [
        ((table(1, 0, 3), table(1, 1, 2)), (0, 3), [1]),  # 0 had won as clearly as 1
        ((table(1, 0, 3), table(1, 2, 1)), (0, 3), [2]),
        ((table(1, 1, 2), table(1, 3, 4)), (1, 2, 3, 4), [0]),  # who rested
        ((table(1, 0, 3), table(1, 1, 2)), (), [0, 1]),  # the final is still to come
        ((table(1, 0, 3), PlayedTable(1, (1, 2), None, goes_on=True)), (0, 3), [0]),  # so is who goes on
        ((table(1, 0, 3), PlayedTable(1, (1, 2), None)), (0, 3), [1]),  # ended without a result
        ((table(1, 0, 3, 4), table(1, 1, 2, 5), table(1, 6, 7, 8)), (2, 3, 4, 5, 6, 7, 8), [0, 1]),  # too few for three
        ((table(1, 0, 3), table(1, 1, 2), table(2, 0, 1)), (0,), [0]),  # who won the final, and went
    ],
)
def test_who_is_left_in_a_knock_out_comes_first(
    played: tuple[PlayedTable, ...], gone: tuple[int, ...], first: list[int]
) -> None:
    """Nobody who dropped out before the final shares the place of one who went on, or takes it."""
    at = {player for one in played for player in one.players}
    left = dict.fromkeys(gone, played[-1].round)
    entered = [Entered(one, -one, int(one not in at), left.get(one)) for one in range(len(at | {0}))]

    lines = ranked(Entrants("knock_out", entered, {0: played}))

    assert [line.player for line in lines if line.place == 1] == first


def test_who_rests_in_a_knock_out_comes_back() -> None:
    """Of five players one rests; the next round has that one and the two winners, another of whom rests."""
    first = draw(field("knock_out", 5, []), 0, 2, (2,))
    assert first.byes == (0,)

    played = [table(1, *players) for players in first.tables]
    second = draw(field("knock_out", 5, played, byes=first.byes), 0, 2, (2,))

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


def test_a_tie_sends_on_the_better_seeded() -> None:
    """Who sat first is no reason to go on here either."""
    tied = PlayedTable(1, (3, 0), TableResult((3, 0), (1, 1), (40, 40)))

    assert seated(draw(field("knock_out", 4, [tied, table(1, 1, 2)]), 0, 2, (2,))) == [0, 1]


def test_who_was_beaten_by_one_who_drops_out_later_is_out_all_the_same() -> None:
    """The winner went on to the second round, so nobody moves up for them in the third."""
    played = [table(1, 0, 4), table(1, 1, 5), table(1, 2, 6), table(1, 3, 7), table(2, 0, 1), table(2, 2, 3)]
    left = [Entered(number, float(-number), 0) for number in range(1, 8)]

    final = draw(Entrants("knock_out", left, {0: played}), 0, 2, (2,))

    assert (seated(final), final.moved_up, final.byes) == ([1, 2], (1,), ())


@given(st.data(), st.integers(2, 20), st.sampled_from([(2,), (3,), (2, 3, 4, 5), (3, 4, 5)]), st.integers(2, 5))
def test_a_knock_out_goes_on_until_its_final(
    data: st.DataObject, players: int, allowed: tuple[int, ...], wanted: int
) -> None:
    """Whatever comes of its games, whoever drops out: who is in it has a table, rests once, or is out for good.

    In the end everybody has a place, who is still in it above all who dropped out.
    """
    left, byes, played = dict[int, int](), dict.fromkeys(range(players), 0), list[PlayedTable]()
    out, rested = set[int](), set[int]()

    def now() -> Entrants:
        entered = [Entered(one, float(-one), byes[one], left.get(one)) for one in byes]
        return Entrants("knock_out", entered, {0: played})

    for number in range(1, 12):
        before = {one for table in played if table.round == number - 1 for one in table.players}
        drawn = draw(now(), 0, wanted, allowed)
        if not drawn.tables:
            break
        at, idle = set(seated(drawn)), set(drawn.byes)
        gone_on = (before | rested if played else set(range(players))) - left.keys()
        assert at | idle | set(drawn.out) == gone_on
        assert not (at | idle) & (out | set(drawn.out))
        assert not rested & idle
        out |= set(drawn.out)
        byes |= {one: byes[one] + 1 for one in idle}
        played += [PlayedTable(number, seats, _ended(data, seats)) for seats in drawn.tables]
        rested = idle
        left = dict.fromkeys(data.draw(st.sets(st.sampled_from(range(players)), max_size=3)), number) | left
        assert set(resting(now(), 0, number)) == idle
        assert set(moved_up(now(), 0, number, at | idle)) == set(drawn.moved_up)
    rested -= left.keys()
    last = [set(table.players) - left.keys() for table in played if table.round == number - 1]
    sends = len([there for there in last if there]) + len(rested)
    assert (len(last) <= 1 and not rested) or sends <= 1 or len(rested.union(*last)) < min(allowed)
    still = rested | {_best(played, there) for there in last if there} if len(last) > 1 or rested else set()
    _stand(now(), still)


def _ended(data: st.DataObject, seats: tuple[int, ...]) -> TableResult | None:
    """Any end of a game, ties and none among them."""
    places = tuple(data.draw(st.lists(st.integers(1, len(seats)), min_size=len(seats), max_size=len(seats))))
    return TableResult(seats, places, places) if 1 in places else None


def _stand(field: Entrants, still: set[int]) -> None:
    """Everybody has a place; these, who go on where there was no final yet, above all who dropped out."""
    stands = {line.player: line.place for line in ranked(field)}
    assert set(stands) == {one.player for one in field.entered}
    left = [stands[one.player] for one in field.entered if one.left is not None]
    assert max((stands[one] for one in still), default=0) < min(left, default=len(stands) + 1)


def _best(played: list[PlayedTable], there: set[int]) -> int:
    """Who of one last table goes on from it."""
    return min(there, key=lambda one: (_place(played, one), one))


def _place(played: list[PlayedTable], player: int) -> int:
    """Which place somebody had at their last table; 0 where it ended without a result."""
    (*_, last) = (table for table in played if player in table.players)
    return last.result.places[last.players.index(player)] if last.result else 0
