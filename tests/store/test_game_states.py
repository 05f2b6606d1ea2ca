from __future__ import annotations

import re

from pbem.store.models import LIVE, OVER, UNDERWAY, GameState
from tests.test_house import HOME

_SET = re.compile(r'[{(]"(?:' + "|".join(GameState) + r')", "(?:' + "|".join(GameState) + r')"')
"""Two states written by hand, one after the other."""


def test_every_state_is_wanted_under_way_over_or_called_off() -> None:
    """The sets part all states; what is to come is what waits for players or is under way."""
    assert sorted([GameState.OPEN, *UNDERWAY, *OVER, GameState.WITHDRAWN]) == sorted(GameState)
    assert {*LIVE} == {GameState.OPEN, *UNDERWAY}
    assert [state for state in GameState if state.is_underway] == [*UNDERWAY]
    assert [state for state in GameState if state.is_over] == [*OVER]


def test_nobody_writes_a_set_of_states_by_hand() -> None:
    """Code and templates ask the states themselves; a list of words would be another notion of "over"."""
    files = [*HOME.glob("pbem/**/*.py"), *HOME.glob("templates/**/*.html"), *HOME.glob("templates/**/*.txt")]
    found = [str(path.relative_to(HOME)) for path in files if _SET.search(path.read_text(encoding="utf-8"))]

    assert found == []
