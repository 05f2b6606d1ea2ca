"""The engine against a second reading of the rules that shares no code with it."""

from __future__ import annotations

from pathlib import Path

import pytest

from pbem.bots.players import bot_of
from pbem.bots.selfplay import SelfplayTable, record
from pbem.engine.core import records
from pbem.engine.registry import rules_of
from tests.engine.amunre.referee import Referee

RECORDS = [
    path
    for path in sorted((Path(__file__).parent / "records").glob("[!S]*.txt"))
    if not records.parse(path.read_text(encoding="utf-8")).options
]


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: path.stem)
def test_the_recorded_games_add_up(path: Path) -> None:
    """Every recorded game under the standard options adds up to the same points."""
    text = path.read_text(encoding="utf-8")
    result = records.parse(text).result

    assert result is not None
    assert tuple(Referee(text).play()) == result.scores


@pytest.mark.parametrize("seats", [3, 4, 5])
@pytest.mark.parametrize("bot", ["random", "heuristic"])
def test_games_of_bots_add_up(seats: int, bot: str) -> None:
    """So do games of random and of heuristic players, every order found due and allowed."""
    rules = rules_of("amunre")
    for number in range(6):
        played, kept = record(SelfplayTable(rules, (bot_of("amunre", bot),) * seats), f"second-{bot}-{number}")

        assert played.outcome is not None
        assert tuple(Referee(records.write(kept)).play()) == played.outcome.scores
