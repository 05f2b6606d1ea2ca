"""The result file: a JSON line for every batch, beside it what the people saw, and a table of how all stands."""

from __future__ import annotations

import hashlib
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

import pbem

if TYPE_CHECKING:
    from collections.abc import Iterable

    from benchmarks.faults.fault import Fault
    from benchmarks.faults.history import Said

RESULTS = Path("instance/faults.jsonl")


class Line(msgspec.Struct, kw_only=True):
    """What came of one batch."""

    fault: str
    title: str
    rounds: int
    short: bool
    begins: bool
    """Whether rounds before this line no longer count."""
    violations: list[str]
    figures: dict[str, Any]
    seconds: float
    code: str = ""
    """The program it was tried on."""
    history: str = ""
    """The file of what people sent and were told."""
    at: str = ""


class Standing(msgspec.Struct):
    """How a fault stands at its full count."""

    held: int = 0
    """Rounds that held, one after the other, since it was begun anew."""
    seconds: float = 0.0
    violations: list[str] = []
    codes: set[str] = set()
    at: str = ""


def code() -> str:
    """A fingerprint of the program: of all its Python."""
    assert pbem.__file__ is not None
    files = sorted(Path(pbem.__file__).parent.rglob("*.py"))
    return hashlib.sha256(b"".join(file.read_bytes() for file in files)).hexdigest()[:8]


def lines(file: Path) -> list[Line]:
    """What the result file holds."""
    if not file.exists():
        return []
    return [msgspec.json.decode(line, type=Line) for line in file.read_bytes().splitlines()]


def standing(file: Path, fault: Fault) -> Standing:
    """What the full runs of a fault came to; one that did not hold starts its count anew."""
    found = Standing()
    for line in lines(file):
        if line.fault != fault.name or line.short:
            continue
        if line.begins or line.violations or found.violations:
            found = Standing()
        found.held += 0 if line.violations else line.rounds
        found.violations = line.violations
        found.seconds += line.seconds
        found.codes |= {line.code}
        found.at = line.at
    return found


def keep(file: Path, line: Line, history: Iterable[Said]) -> Line:
    """Append a line, and write the history it names; the line with its moment and its names."""
    now = datetime.now(UTC)
    told = file.with_suffix("") / f"{line.fault}-{now:%Y%m%dT%H%M%S}.jsonl"
    told.parent.mkdir(parents=True, exist_ok=True)
    told.write_bytes(b"".join(msgspec.json.encode(said) + b"\n" for said in history))
    line.history = str(told.relative_to(file.parent))
    line.at = now.isoformat(timespec="seconds")
    with file.open("ab") as out:
        out.write(msgspec.json.encode(line) + b"\n")
    return line


def table(file: Path, faults: Iterable[Fault]) -> str:
    """How each fault stands, as Markdown."""
    rows = ["| fault | what is done | rounds | held | seconds | code |", "|---|---|---|---|---|---|"]
    for fault in faults:
        found = standing(file, fault)
        verdict = "no" if found.violations else "yes" if found.held >= fault.rounds else "-"
        which = ", ".join(sorted(found.codes))
        counts = f"{found.held} of {fault.rounds}"
        rows.append(f"| {fault.name} | {fault.title} | {counts} | {verdict} | {found.seconds:.0f} | {which} |")
    return "\n".join([*rows, "", f"This program is {code()}."])
