"""The picture of a result is true: places, names and points of the outcome, and lines that go through the points."""

from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st

from pbem.engine.core.types import Outcome
from pbem.pictures import result

NAMES = ("Anna", "Bob", "Cleo", "Dora", "Emil")
LETTERS = "ABCDE"
POINTS = st.integers(2, 5).flatmap(
    lambda seats: st.lists(st.tuples(*[st.integers(-9, 99)] * seats), min_size=2, max_size=6)
)


@given(POINTS, st.integers(1, 40))
def test_each_figure_of_a_result_is_the_outcomes(points: list[tuple[int, ...]], apart: int) -> None:
    """Who is equal stands on one place; each line is read against the scale beside it and the width."""
    scores = points[-1]
    outcome = Outcome.ranked(scores, scores, "end")
    plies = [apart * number for number in range(len(points))]
    svg = result.share("Nile", "Egizia", NAMES[: len(scores)], outcome, (plies, points, (0,)))
    texts = re.findall(r"<text[^>]*>([^<]*)</text>", svg)
    ranked = sorted(range(len(scores)), key=lambda seat: (outcome.places[seat], seat))
    rows = [(str(outcome.places[seat]), LETTERS[seat], NAMES[seat], str(scores[seat])) for seat in ranked]

    assert texts[:2] == ["Nile", "Egizia"]
    assert list(zip(*[iter(texts[2 : 2 + 4 * len(scores)])] * 4, strict=True)) == rows
    if not any(any(row) for row in points):
        assert "polyline" not in svg
        return
    scale = [int(one) for one in texts[2 + 4 * len(scores) :] if one not in LETTERS]
    heights = [float(one) for one in re.findall(r'"M56 ([\d.]+)H', svg)]
    lines = [one.split() for one in re.findall(r'<polyline points="([^"]+)" fill="none"', svg)]
    assert min(scale) == min(0, *map(min, points))
    assert max(scale) == max(1, *map(max, points))
    step = (heights[0] - heights[-1]) / (scale[-1] - scale[0])
    for seat, line in enumerate(lines):
        at = [tuple(map(float, corner.split(","))) for corner in line]
        assert [round(scale[0] + (heights[0] - y) / step) for _, y in at] == [row[seat] for row in points]
        assert [round((x - 56) / (at[-1][0] - 56) * plies[-1]) for x, _ in at] == plies
