"""Key moments of a game that goes on: told to each reader from that reader's views, and from nothing else."""

from __future__ import annotations

from itertools import pairwise
from typing import NamedTuple

import pytest

from pbem.engine import replay
from pbem.engine.core.rng import Rng
from pbem.engine.core.sheet import Step
from pbem.engine.registry import GAMES, rules_of
from pbem.study import guides, lookback


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("seat", [None, 0, 2])
def test_key_moments_are_swings_of_what_the_reader_knows(game: str, seat: int | None) -> None:
    """Each gain or loss told is the step of the sheet that this reader could open then and just before."""
    rules = rules_of(game)
    seen = [(done.ply.number, rules.view(done.state, seat)) for done in replay.play(guides.record(game))]
    totals = {ply: rules.score_sheet(view).totals for ply, view in seen}
    before = {ply: last for (last, _), (ply, _) in pairwise(seen)}

    told = lookback.key_moments(rules, seen)

    assert [one.ply for one in told] == sorted(one.ply for one in told)
    swings = [one for one in told if "points" in one.what.params]
    assert len(swings) <= lookback.TURNING
    assert swings or len(set(totals.values())) == 1
    for one in swings:
        who = one.what.params["seat"]
        new, old = totals[one.ply][who], totals[before[one.ply]][who]  # type: ignore[index]  # a seat is a number
        assert None not in {new, old}
        assert abs(new - old) == one.what.params["points"]  # type: ignore[operator]  # both are numbers


@pytest.mark.parametrize("game", GAMES)
def test_what_the_reader_may_not_know_changes_no_key_moment(game: str) -> None:
    """Hidden hands and bags dealt anew behind every view: the moments are the same."""
    rules = rules_of(game)
    states = [(done.ply.number, done.state) for done in replay.play(guides.record(game))]
    seen = [(ply, rules.view(state, 1)) for ply, state in states]
    other = [(ply, rules.view(rules.imagine(view, Rng("other", ply)), 1)) for ply, view in seen]

    assert lookback.key_moments(rules, other) == lookback.key_moments(rules, seen)


def test_hidden_points_are_no_moment() -> None:
    """A seat whose points the reader may not see neither gains nor leads."""
    found = lookback._moments([0, 1, 2], [(0, None), (5, None), (5, 9)], "leads")

    assert [(one.ply, one.what.params) for one in found] == [(1, {"seat": 0, "points": 5}), (2, {"seat": 1})]


class Table(NamedTuple):
    """Points by seat after each ply, and the seat that leads alone after each."""

    points: list[tuple[int | None, ...]]
    leaders: list[int | None]


TABLES = (
    Table([(0, 0), (1, 0), (1, 3)], [None, 0, 1]),
    Table([(5, 0), (5, 1), (5, 2)], [0, 0, 0]),
    Table([(0, 2), (3, 2), (3, 4), (5, 4), (5, 4)], [1, 0, 1, 0, 0]),
    Table([(1, 0), (1, 1), (2, 1)], [0, None, 0]),
    Table([(2, 1, 1), (2, 3, 3), (2, 3, 3)], [0, None, None]),
    Table([(1, None), (1, None), (0, 3)], [None, None, 1]),
    Table([(None, None), (None, None)], [None, None]),
    Table([(), ()], [None, None]),
    Table([(0, 0), (-1, 0)], [None, 1]),
    Table([(0, 0), (1, 0)], [None, 0]),
)


@pytest.mark.parametrize("table", TABLES, ids=str)
def test_a_lead_is_told_since_it_lasts(table: Table) -> None:
    """Of the seat that leads at the end, alone: from the ply on behind the last at which it didn't; else of nobody."""
    plies = list(range(10, 10 + len(table.points)))
    found = [
        (one.ply, one.what.params)
        for one in lookback._moments(plies, table.points, "leads")
        if one.what.text == "leads"
    ]
    seat = table.leaders[-1]
    lasts = next((n for n in range(len(plies)) if table.leaders[n:] == [seat] * (len(plies) - n)), 0)

    assert [lookback._leader(points) for points in table.points] == table.leaders
    assert found == ([(plies[lasts], {"seat": seat})] if seat is not None and lasts else [])


def test_a_swing_is_the_widest_change_of_a_ply() -> None:
    """One point is told as well as many, gained or lost; of many swings the widest, the first of those that are alike.

    Where nobody's points change there is none.
    """
    points = [(0, 0), (1, 0), (1, 0), (0, 0), (0, 4), (9, 4), (9, 2), (9, 5), (9, 5)]
    found = [one for one in lookback._moments(range(len(points)), points, "leads") if one.what.text != "leads"]
    told = [(one.ply, one.what.text.split()[1], *one.what.params.values()) for one in found]

    assert told == [(1, "gains", 0, 1), (4, "gains", 1, 4), (5, "gains", 0, 9), (6, "loses", 1, 2), (7, "gains", 1, 3)]
    assert lookback.TURNING == 5
    loses = lookback._moments([0, 1], [(1, 1), (0, 1)], "leads")[0].what
    assert (loses.text.split()[1], loses.params) == ("loses", {"seat": 0, "points": 1})


@pytest.mark.parametrize("length", [1, 2, 3, 10, 48, 49, 50, 97, 500])
def test_a_curve_goes_from_the_first_ply_to_the_last(length: int) -> None:
    """Every ply of a short game, and of a long one so many that lie as far from each other; with the points of each."""
    steps = [Step(3 * number, None, ()) for number in range(length)]
    curve = lookback._curve(steps, [(number, -number) for number in range(length)])
    chosen = [ply // 3 for ply in curve.plies]
    gaps = {after - before for before, after in pairwise(chosen)}

    assert (chosen[0], chosen[-1], len(chosen)) == (0, length - 1, min(length, lookback.SAMPLES + 1))
    assert max(gaps, default=0) - min(gaps, default=0) <= 1
    assert list(curve.points) == [(number, -number) for number in chosen]


@pytest.mark.parametrize("game", GAMES)
def test_a_game_looked_back_on_has_the_points_of_its_sheets(game: str) -> None:
    """Every seat's at the end are those of its outcome, and hidden ones count as their own seat knew them."""
    rules = rules_of(game)
    played = list(replay.play(guides.record(game)))
    steps = [Step(done.ply.number, done.state, ()) for done in played]
    found = lookback.look_back(rules, steps)

    assert found.curve.plies[-1] == played[-1].ply.number
    for ply, points in zip(found.curve.plies, found.curve.points, strict=True):
        state = next(done.state for done in played if done.ply.number == ply)
        seen = rules.score_sheet(rules.view(state, None)).totals
        own = [rules.score_sheet(rules.view(state, seat)).totals[seat] for seat in range(len(points))]
        assert points == tuple(
            mine or 0 if all_see is None else all_see for all_see, mine in zip(seen, own, strict=True)
        )
