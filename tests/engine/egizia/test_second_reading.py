"""The engine against a second reading of the rules that shares no code with it."""

from __future__ import annotations

from pathlib import Path

import pytest

from pbem.bots.players import bot_of
from pbem.bots.selfplay import SelfplayTable, record
from pbem.engine.core import records
from pbem.engine.registry import rules_of
from tests.engine.egizia.referee import Referee

RECORDS = sorted((Path(__file__).parent / "records").glob("[2-4]-*.txt"))


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: path.stem)
def test_the_recorded_games_add_up(path: Path) -> None:
    """Every recorded game adds up to the same points."""
    text = path.read_text(encoding="utf-8")
    result = records.parse(text).result

    assert result is not None
    assert tuple(Referee(text).play()) == result.scores


@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize(("bot", "games"), [("random", 40), ("heuristic", 4)])
def test_games_of_bots_add_up(seats: int, bot: str, games: int) -> None:
    """So do games of random and of heuristic players: every card used, every stone and every grain accounted for."""
    rules = rules_of("egizia")
    for number in range(games):
        played, kept = record(SelfplayTable(rules, (bot_of("egizia", bot),) * seats), f"second-{bot}-{number}")

        assert played.outcome is not None
        assert tuple(Referee(records.write(kept)).play()) == played.outcome.scores, number
