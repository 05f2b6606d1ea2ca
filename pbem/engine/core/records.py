"""Whole games as text: what a record holds, how it is written and read. Playing it is `replay`'s affair."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping

import msgspec

from pbem.engine.core.errors import CorruptState
from pbem.engine.core.message import Message, sentence
from pbem.structs import Value

WITHHELD = "?"
"""Stands for an order or a chance result that an export of a running game does not show."""
MAX_RECORD = 4_000_000
"""Characters of one record; longer text is refused before it is looked at."""
MAX_FAULTS = 20
"""Faults listed in one refusal; the rest would only repeat them."""

_PLY = re.compile(r"(\d{1,6}) (\d{1,2}|\*|\?|undo): (.*)")
_RESULT = re.compile(r"([\w-]+), scores ((?:-?\d+ ?)+), places ((?:\d+ ?)+), digest ([0-9a-f]{64})")
_HEADER = re.compile(r"(game|version|seats|seed|result|option [\w-]+):(?: (.*))?")


class RecordedPly(Value, omit_defaults=True):
    """One ply as played: ply 0 is the set-up, which has chance results only."""

    number: int
    orders: Mapping[int, str] = {}
    """Canonical order text by seat."""
    chance: tuple[str, ...] = ()
    """Every chance result in the order drawn, as `label: name name ...`."""
    undo: int | None = None
    """For a ply that took others back: the ply whose state holds again."""
    withheld: bool = False
    """True: who was asked is not public, so the orders are left out of this export."""


class RecordedResult(Value):
    """How the game ended, and the digest of its last state."""

    scores: tuple[int, ...]
    places: tuple[int, ...]
    ending: str
    digest: str


class Record(Value, omit_defaults=True):
    """A game: rules version, set-up, seed, and every ply's orders and chance results."""

    game: str
    version: int
    seats: int
    options: Mapping[str, str]
    seed: str | None
    """None where it is not public or was never known."""
    plies: tuple[RecordedPly, ...]
    result: RecordedResult | None = None
    """None while the game goes on."""
    remarks: tuple[str, ...] = ()
    """Lines at the head that tell a reader what the record shows."""


def write(record: Record) -> str:
    """Give the record's one text form, which `parse` reads back without loss."""
    return "\n".join(_lines(record)) + "\n"


def _lines(record: Record) -> Iterator[str]:
    for remark in record.remarks:
        yield f"# {remark}".rstrip()
    yield f"game: {record.game}"
    yield f"version: {record.version}"
    yield f"seats: {record.seats}"
    for name, value in record.options.items():
        yield from _long(f"option {name}:", value)
    if record.seed is not None:
        yield from _long("seed:", record.seed)
    for ply in record.plies:
        if ply.undo is not None:
            yield f"{ply.number} undo: to {ply.undo}"
        if ply.withheld:
            yield f"{ply.number} {WITHHELD}: withheld"
        yield from (f"{ply.number} {seat}: {ply.orders[seat]}" for seat in sorted(ply.orders))
        yield from (f"{ply.number} *: {line}" for line in ply.chance)
    yield result_line(record.result)


def result_line(result: RecordedResult | None) -> str:
    """Give the last line of a record."""
    if result is None:
        return "result: open"
    scores, places = (" ".join(map(str, numbers)) for numbers in (result.scores, result.places))
    return f"result: {result.ending}, scores {scores}, places {places}, digest {result.digest}"


def _long(key: str, value: str) -> Iterator[str]:
    """Write a header's value: as it is, as lines behind bars, or as JSON if it has characters that get lost."""
    lines = value.split("\n")
    if any(not line.isprintable() or line != line.rstrip() for line in lines):
        yield f"{key} {json.dumps(value)}"
    elif len(lines) == 1 and value == value.strip() and not value.startswith(('"', "|")):
        yield f"{key} {value}".rstrip()
    else:
        yield key
        yield from (f"| {line}".rstrip() for line in lines)


class _RecordParser:
    """One pass over a record's lines, collecting every fault with its line number."""

    def __init__(self) -> None:
        self.header: dict[str, str] = {}
        self.remarks: list[str] = []
        self.orders: dict[int, dict[int, str]] = {}
        self.chance: dict[int, list[str]] = {}
        self.undo: dict[int, int] = {}
        self.withheld: set[int] = set()
        self.faults: list[Message] = []
        self.last = 0
        self.line = 0
        self.open: str | None = None
        """The header whose lines behind bars may follow."""
        self.fresh = False

    def wrong(self, text: str, **params: int | str) -> None:
        self.faults.append(sentence("Line {line}: " + text, line=self.line, **params))

    def read(self, line: str) -> None:
        self.line += 1
        if self.open is not None and line.startswith("|"):
            text = line[2:] if line.startswith("| ") else line[1:]
            self.header[self.open] = text if self.fresh else f"{self.header[self.open]}\n{text}"
            self.fresh = False
        elif line.startswith("#") and not self.header:
            self.remarks.append(line[1:].strip())
        elif found := _PLY.fullmatch(line):
            self._ply(int(found[1]), found[2], found[3])
        elif found := _HEADER.fullmatch(line):
            self._head(found[1], found[2])
        elif line.strip():
            self.wrong("{found!r} is neither a header `key: value` nor a line `ply seat: order`.", found=line)

    def _head(self, key: str, value: str | None) -> None:
        if key in self.header:
            self.wrong("{key!r} is given twice; keep one.", key=key)
        elif (self.orders or self.chance) and key != "result":
            self.wrong("{key!r} belongs before the first ply.", key=key)
        elif value is None:
            self.open, self.fresh, self.header[key] = key, True, ""
        else:
            self.open = None
            self.header[key] = self._plain(key, value)

    def _plain(self, key: str, value: str) -> str:
        if not value.startswith('"'):
            return value
        try:
            text = json.loads(value)
        except ValueError:
            text = None
        if isinstance(text, str):
            return text
        self.wrong("the value of {key!r} opens with a quotation mark but is no JSON string.", key=key)
        return ""

    def _ply(self, ply: int, who: str, text: str) -> None:
        self.open = None
        if "result" in self.header:
            self.wrong("nothing may follow the result.")
        if ply < self.last:
            self.wrong("ply {ply} comes after ply {last}; ply numbers never fall.", ply=ply, last=self.last)
        self.last = max(self.last, ply)
        if who == "*":
            self.chance.setdefault(ply, []).append(text)
        elif who == "undo":
            self._undo(ply, text)
        elif who == WITHHELD:
            self.withheld.add(ply)
        elif int(who) in self.orders.setdefault(ply, {}):
            self.wrong("seat {seat} has two orders in ply {ply}.", seat=int(who), ply=ply)
        else:
            self.orders[ply][int(who)] = text

    def _undo(self, ply: int, text: str) -> None:
        target = re.fullmatch(r"to (\d{1,6})", text)
        if target is None or int(target[1]) >= ply:
            self.wrong("an undo reads `{ply} undo: to N` with N below {ply}, not {found!r}.", ply=ply, found=text)
        else:
            self.undo[ply] = int(target[1])

    def number(self, key: str) -> int:
        """Return the whole number in the header `key`; 0 and a fault if there is none."""
        value = self.header.get(key, "")
        if re.fullmatch(r"\d{1,4}", value):
            return int(value)
        text = "The header {key!r} should hold a whole number, not {value!r}."
        self.faults.append(sentence(text, key=key, value=value))
        return 0

    def result(self) -> RecordedResult | None:
        text = self.header.get("result")
        if text == "open":
            return None
        if found := _RESULT.fullmatch(text or ""):
            scores, places = (tuple(map(int, part.split())) for part in (found[2], found[3]))
            return RecordedResult(scores, places, found[1], found[4])
        said = "The last line should be `result: open` or `result: ENDING, scores N N, places N N, digest HEX`."
        self.faults.append(Message(said))
        return None

    def plies(self) -> tuple[RecordedPly, ...]:
        numbers = sorted({0, *self.orders, *self.chance, *self.undo, *self.withheld})
        missing = set(range(self.last + 1)) - set(numbers)
        if missing:
            self.faults.append(Message("Ply {ply} is missing; plies are numbered without gaps.", {"ply": min(missing)}))
        return tuple(
            RecordedPly(n, self.orders.get(n, {}), tuple(self.chance.get(n, ())), self.undo.get(n), n in self.withheld)
            for n in numbers
        )


def parse(text: str) -> Record:
    """Read a record. Raises CorruptState with one sentence a fault, each naming its line or header.

    What names no game is no record, and gets one sentence for all of it.
    """
    if len(text) > MAX_RECORD:
        said = "The record has {length} characters; at most {limit} are read."
        raise CorruptState(Message(said, {"length": len(text), "limit": MAX_RECORD}))
    reader = _RecordParser()
    for line in text.split("\n"):
        reader.read(line.rstrip("\r "))
    if not reader.header.get("game"):  # whatever it is, it is no record: what is wrong in each line would tell nothing
        raise CorruptState(Message("The header 'game' is missing; a record begins with `game: NAME`."))
    record = _record(reader)
    if reader.faults:
        raise CorruptState(*reader.faults[:MAX_FAULTS])
    return record


def _record(reader: _RecordParser) -> Record:
    options = {key[7:]: value for key, value in reader.header.items() if key.startswith("option ")}
    return Record(
        reader.header["game"],
        reader.number("version"),
        reader.number("seats"),
        options,
        reader.header.get("seed"),
        reader.plies(),
        reader.result(),
        tuple(reader.remarks),
    )


def without(record: Record, plies: Iterable[RecordedPly]) -> Record:
    """Return the record as an outsider may read it while the game runs: these plies, and neither seed nor result."""
    return msgspec.structs.replace(record, seed=None, plies=tuple(plies), result=None)
