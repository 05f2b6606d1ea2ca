"""Run faults, each alone, and keep what came of them.

    python -m benchmarks.faults F7 F12 [--short] [--rounds N] [--again] [--results FILE]
    python -m benchmarks.faults all
    python -m benchmarks.faults --table

Every batch of rounds appends one JSON line to the result file, so that a run that was broken off goes on where it was.
"""

from __future__ import annotations

import argparse
import time
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from benchmarks.faults.catalogue import FAULTS
from benchmarks.faults.fault import Outcome
from benchmarks.faults.stage import stage

if TYPE_CHECKING:
    from benchmarks.faults.fault import Fault
    from benchmarks.faults.stage import Stage

RESULTS = Path("instance/faults.jsonl")


def lines(file: Path) -> list[dict[str, Any]]:
    """What the result file holds."""
    if not file.exists():
        return []
    return [msgspec.json.decode(line) for line in file.read_bytes().splitlines()]


def done(file: Path, fault: Fault) -> int:
    """Rounds of a fault that have held since it was last begun anew or failed."""
    held = 0
    for line in lines(file):
        if line["fault"] == fault.name and not line["short"]:
            held = 0 if line["violations"] or line["begins"] else held
            held += 0 if line["violations"] else line["rounds"]
    return held


def one_batch(fault: Fault, on: Stage, rounds: int) -> tuple[Outcome, float]:
    """Do a few rounds of a fault on a cleared stage; what came of it, and the seconds it took."""
    on.clear()
    start = time.monotonic()
    try:
        outcome = fault.act(on, rounds)
    except AssertionError as unmet:
        outcome = Outcome([f"I7 {unmet}"])
    return outcome, time.monotonic() - start


def run(fault: Fault, given: argparse.Namespace, on: Stage) -> bool:
    """Run a fault to its full count; whether it held."""
    wanted = given.rounds or (fault.short if given.short else fault.rounds)
    held = 0 if given.again or given.short else done(given.results, fault)
    begins = held == 0
    while held < wanted:
        rounds = min(fault.batch, wanted - held)
        outcome, seconds = one_batch(fault, on, rounds)
        line = {
            "fault": fault.name,
            "title": fault.title,
            "rounds": rounds,
            "short": given.short,
            "begins": begins,
            "violations": outcome.violations[:20],
            "figures": outcome.figures,
            "seconds": round(seconds, 1),
            "at": datetime.now(UTC).isoformat(timespec="seconds"),
        }
        given.results.parent.mkdir(parents=True, exist_ok=True)
        with given.results.open("ab") as out:
            out.write(msgspec.json.encode(line) + b"\n")
        print(msgspec.json.encode(line).decode(), flush=True)
        if outcome.violations:
            return False
        held, begins = held + rounds, False
    return True


def table(file: Path) -> None:
    """Print how each fault stands."""
    print(f"{'fault':6}{'rounds':>8}{'of':>6}  {'held':6}{'seconds':>9}  what")
    for fault in FAULTS.values():
        found = [line for line in lines(file) if line["fault"] == fault.name]
        rounds = done(file, fault)
        verdict = "-" if not found else "no" if found[-1]["violations"] else "yes"
        seconds = sum(line["seconds"] for line in found)
        print(f"{fault.name:6}{rounds:>8}{fault.rounds:>6}  {verdict:6}{seconds:>9.0f}  {fault.title}")


def main() -> int:
    """Run what was asked for; 1 if a fault did not hold."""
    parser = argparse.ArgumentParser(description="Strike real servers and processes, then check every invariant.")
    parser.add_argument("faults", nargs="*", help=f"all, or some of {', '.join(FAULTS)}")
    parser.add_argument("--short", action="store_true", help="the few rounds of ./test")
    parser.add_argument("--rounds", type=int, default=0)
    parser.add_argument("--again", action="store_true", help="begin anew instead of going on")
    parser.add_argument("--table", action="store_true", help="print how each fault stands")
    parser.add_argument("--results", type=Path, default=RESULTS)
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
        table(given.results)
    return 0 if held else 1


if __name__ == "__main__":
    raise SystemExit(main())
