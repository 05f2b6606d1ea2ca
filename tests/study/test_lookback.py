"""Key moments of a game that goes on: told to each reader from that reader's views, and from nothing else."""

from __future__ import annotations

from itertools import pairwise

import pytest

from pbem.engine import replay
from pbem.engine.core.rng import Rng
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
