"""Recorded whole games: one for each number of players and each way an epoch ends."""

from __future__ import annotations

from pathlib import Path

import pytest

from pbem.bots.basic import RandomBot
from pbem.bots.selfplay import SelfplayTable, record
from pbem.engine import replay
from pbem.engine.core import records
from pbem.engine.priestsofra import RULES
from pbem.engine.priestsofra.data import TILE_COUNTS, TILE_KEYS
from pbem.engine.registry import rules_of
from tests.engine.priestsofra.referee import Referee

RECORDS = sorted(Path(__file__).with_name("records").glob("[2-5]-*.txt"))


def test_there_is_a_record_for_each_number_of_players_and_ending() -> None:
    """Two to five players, and the third epoch ended by the last sun, the Ra track, or the track on a player alone."""
    due = {f"{seats}-{ending}" for seats in RULES.meta.seats for ending in RULES.meta.endings}

    assert {path.stem for path in RECORDS} == due


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: path.stem)
def test_a_record_is_borne_out_line_by_line(path: Path) -> None:
    """Played by its own chance results and by our generator, every line, the scores and the digest come out."""
    text = path.read_text(encoding="utf-8")
    record = records.parse(text)

    assert replay.mismatches(text) == ()
    assert record.result is not None
    assert path.stem == f"{record.seats}-{record.result.ending}"


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: path.stem)
def test_pr_1_1_a_record_names_every_tile_drawn(path: Path) -> None:
    """One chance line for each draw, in plain text, and never more of a tile than the bag holds."""
    record = records.parse(path.read_text(encoding="utf-8"))
    drawn = [line.removeprefix("tile: ") for ply in record.plies[1:] for line in ply.chance]
    draws = sum(text.startswith("draw") for ply in record.plies for text in ply.orders.values())

    assert len(drawn) == draws
    assert all(drawn.count(key) <= count for key, count in zip(TILE_KEYS, TILE_COUNTS, strict=True))
    assert set(drawn) <= set(TILE_KEYS)


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: path.stem)
def test_pr_7_5_a_second_reading_of_the_rules_gives_the_same_scores(path: Path) -> None:
    """A referee written from the catalogue alone follows each record and adds up to the same points."""
    text = path.read_text(encoding="utf-8")
    result = records.parse(text).result

    assert result is not None
    assert tuple(Referee(text).play()) == result.scores


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_pr_7_5_the_second_reading_agrees_on_random_games(seats: int) -> None:
    """The same holds for random games, with all their odd flips, wishes and passes."""
    for number in range(40):
        played, kept = record(SelfplayTable(rules_of("priestsofra"), (RandomBot(),) * seats), f"referee-{number}")

        assert tuple(Referee(records.write(kept)).play()) == played.outcome.scores
