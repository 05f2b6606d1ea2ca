"""Places: the one way to number who is equal."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from pbem.engine.core.types import Outcome, places_of


@given(st.lists(st.lists(st.integers(0, 3), min_size=2, max_size=2), max_size=8))
def test_each_place_is_one_more_than_those_ahead(strengths: list[list[int]]) -> None:
    """So equals share one, and the places after it are skipped; an outcome's are no others.

    A strength is whatever can be compared, as a game's package gives it.
    """
    ahead = tuple(1 + sum(other > own for other in strengths) for own in strengths)

    assert places_of(strengths) == ahead == Outcome.ranked((), strengths, "end").places
