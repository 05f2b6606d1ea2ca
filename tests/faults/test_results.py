"""The result file: a run that was broken off goes on, what fails begins anew, the table says what was tried on what."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from benchmarks.faults import results
from benchmarks.faults.fault import Fault, Outcome
from benchmarks.faults.history import Said

if TYPE_CHECKING:
    from pathlib import Path

    from benchmarks.faults.stage import Stage


def nothing(_stage: Stage, _rounds: int) -> Outcome:
    """F0: nothing is done."""
    return Outcome([])


FAULT = Fault("F0", nothing, 10)
SAID = Said(game_id=1, seat=0, ply=3, text="ra", request="r", status=200)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A result file that isn't there yet."""
    return tmp_path / "faults.jsonl"


def write(file: Path, rounds: int, *violations: str, begins: bool = False, short: bool = False, code: str = "") -> None:
    """Keep one batch of the fault."""
    line = results.Line(
        fault="F0",
        title=FAULT.title,
        rounds=rounds,
        short=short,
        begins=begins,
        violations=list(violations),
        figures={},
        seconds=1.5,
        code=code or results.code(),
    )
    results.keep(file, line, [SAID])


def test_rounds_of_one_run_add_up_and_short_ones_dont_count(file: Path) -> None:
    """Two full batches count together; the short version of the tests counts nothing."""
    write(file, 4, begins=True)
    write(file, 1, begins=True, short=True)
    write(file, 3)

    assert results.standing(file, FAULT).held == 7
    assert results.standing(file, FAULT).seconds == 3.0


def test_a_violation_begins_the_count_anew(file: Path) -> None:
    """What held before a violation, and the batch that showed it, no longer count."""
    write(file, 9, begins=True)
    write(file, 5, "I1 an accepted order is not stored.")

    assert results.standing(file, FAULT).held == 0
    assert "| 0 of 10 | no |" in results.table(file, [FAULT])
    write(file, 2)
    assert results.standing(file, FAULT).held == 2
    assert results.standing(file, FAULT).violations == []


def test_the_table_says_yes_only_at_the_full_count(file: Path) -> None:
    """Nine of ten rounds are none; ten are."""
    write(file, 9, begins=True)
    assert f"| F0 | nothing is done. | 9 of 10 | - | 2 | {results.code()} |" in results.table(file, [FAULT])

    write(file, 1)

    assert f"| F0 | nothing is done. | 10 of 10 | yes | 3 | {results.code()} |" in results.table(file, [FAULT])


def test_the_table_tells_what_was_tried_on_an_older_program(file: Path) -> None:
    """Each program that a run's batches were tried on is named, and the present one below."""
    write(file, 9, begins=True, code="0another")
    write(file, 1)

    shown = results.table(file, [FAULT])

    assert f"| 10 of 10 | yes | 3 | 0another, {results.code()} |" in shown
    assert shown.endswith(f"This program is {results.code()}.")


def test_what_people_were_told_is_kept_beside_the_line(file: Path) -> None:
    """The line names a file with one line for each thing that was sent."""
    write(file, 1, begins=True)

    (line,) = results.lines(file)
    kept = (file.parent / line.history).read_bytes().splitlines()

    assert len(kept) == 1
    assert b'"text":"ra"' in kept[0]
