"""Run faults, each alone, and keep what came of them.

    python -m benchmarks.faults F7 F12 [--short] [--rounds N] [--again] [--results FILE]
    python -m benchmarks.faults all
    python -m benchmarks.faults --table

Every batch of rounds appends one JSON line to the result file, so that a run that was broken off goes on where it was;
what the people sent and were told in it is kept beside it.
"""

from __future__ import annotations

import argparse
import time
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from benchmarks.faults import results
from benchmarks.faults.catalogue import FAULTS
from benchmarks.faults.checker import IN_TIME
from benchmarks.faults.fault import Outcome
from benchmarks.faults.stage import stage

if TYPE_CHECKING:
    from benchmarks.faults.fault import Fault
    from benchmarks.faults.stage import Stage


def one_batch(fault: Fault, on: Stage, rounds: int, within: timedelta = IN_TIME) -> tuple[Outcome, float]:
    """Do a few rounds of a fault on a cleared stage; what came of it, and the seconds it took.

    `within`: how long the due work may take after the fault.
    """
    on.clear()
    start = time.monotonic()
    try:
        outcome = fault.act(on, rounds)
    except AssertionError as unmet:
        outcome = Outcome([f"I7 {unmet}"])
    late = [f"I7 due work took {on.settled:.0f} s."] if on.settled > within.total_seconds() else []
    figures = {**outcome.figures, "settled_s": round(on.settled, 1)}
    return Outcome(outcome.violations + late, figures), time.monotonic() - start


def run(fault: Fault, given: argparse.Namespace, on: Stage) -> bool:
    """Run a fault to its full count; whether it held."""
    wanted = given.rounds or (fault.short if given.short else fault.rounds)
    held = 0 if given.again or given.short else results.standing(given.results, fault).held
    begins = held == 0
    while held < wanted:
        rounds = min(fault.batch, wanted - held)
        code = results.code()
        outcome, seconds = one_batch(fault, on, rounds)
        line = results.Line(
            fault=fault.name,
            title=fault.title,
            rounds=rounds,
            short=given.short,
            begins=begins,
            violations=outcome.violations[:20],
            figures=outcome.figures,
            seconds=round(seconds, 1),
            code=code,
        )
        print(msgspec.json.encode(results.keep(given.results, line, on.history)).decode(), flush=True)
        if outcome.violations:
            return False
        held, begins = held + rounds, False
    return True


def main() -> int:
    """Run what was asked for; 1 if a fault did not hold."""
    parser = argparse.ArgumentParser(description="Strike real servers and processes, then check every invariant.")
    parser.add_argument("faults", nargs="*", help=f"all, or some of {', '.join(FAULTS)}")
    parser.add_argument("--short", action="store_true", help="the few rounds of ./test")
    parser.add_argument("--rounds", type=int, default=0)
    parser.add_argument("--again", action="store_true", help="begin anew instead of going on")
    parser.add_argument("--table", action="store_true", help="print how each fault stands")
    parser.add_argument("--results", type=Path, default=results.RESULTS)
    given = parser.parse_args()
    names = list(FAULTS) if given.faults == ["all"] else given.faults
    unknown = [name for name in names if name not in FAULTS]
    if unknown:
        parser.error(f"There is no fault {unknown[0]!r}; there are {', '.join(FAULTS)}.")
    held = True
    if names:
        with stage() as on:
            for name in names:
                held &= run(FAULTS[name], given, on)
    if given.table:
        print(results.table(given.results, FAULTS.values()))
    return 0 if held else 1


if __name__ == "__main__":
    raise SystemExit(main())
