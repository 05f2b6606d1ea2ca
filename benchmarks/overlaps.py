"""Whether marks, lettering and pieces cover each other on any board of the records, and how small lettering gets.

    python -m benchmarks.overlaps [--short] [--json]

Every position of every record is drawn as a page shows it, with what changed since some plies ago ringed. Two things
overlap where their boxes do by more than `SLACK` units; a seat's own letter may stand on its shape. The smallest
lettering is told in px at the width shown: 386 px for 600 units on a phone of 390, and a page of 1280 beside it.
Bars: no overlap, 11 px.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree as ET

import msgspec

from pbem import pictures
from pbem.engine import replay
from pbem.engine.core import records
from pbem.engine.registry import GAMES, rules_of
from pbem.messages import LANGUAGES, Translator
from pbem.pictures.blocks import HALF, WIDTH, Sheet
from pbem.pictures.lettering import font, line
from pbem.pictures.rings import numbered

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from pbem.engine.core.message import Event

    Position = tuple[str, Any, list[Event]]

RECORDS = Path(__file__).parent.parent / "tests" / "engine"
NAMES = ("Anna", "Bartholomew the Third", "Chloé", "Dov", "Emmanuelle")
PHONE, DESKTOP = 386, 766
"""Px that a board is wide on a phone of 390, and beside the decision on a page of 1280."""
LEAST = 11.0
SLACK = 2.0
TOLD = 12
"""Events told beside a board."""
SHORT = 25
"""With `--short` every so many-th position is drawn."""
_CAPITALS = 0.68
"""Height of a letter, as a part of its size."""
_SVG = "{http://www.w3.org/2000/svg}"


class Drawn(msgspec.Struct, frozen=True):
    """Something on a board that must not be covered."""

    kind: str
    """`text`, `ring` for a ring's number, `seat` for a seat's shape."""
    box: tuple[float, float, float, float]
    """Left, top, right and foot."""
    said: str = ""
    size: float = 0.0

    def covers(self, other: Drawn) -> bool:
        """Whether they overlap where they must not."""
        if {self.kind, other.kind} == {"text", "seat"}:
            text, seat = (self, other) if self.kind == "text" else (other, self)
            if len(text.said) == 1 and abs(_middle(text) - _middle(seat)) < SLACK:
                return False  # its own letter
        if self.kind == other.kind == "seat":
            return False  # pieces may stand close
        (a, b, c, d), (e, f, g, h) = self.box, other.box
        return min(c, g) - max(a, e) > SLACK and min(d, h) - max(b, f) > SLACK


def _middle(one: Drawn) -> float:
    return (one.box[0] + one.box[2]) / 2


def things(node: ET.Element, *, ringed: bool = False) -> Iterator[Drawn]:
    """Everything in a block's drawing that must not be covered; blocks move nothing inside."""
    if node.tag == f"{_SVG}symbol":
        return
    if node.tag == f"{_SVG}text":
        found = text(node)
        if not ringed and found.said:
            yield found
    elif node.tag == f"{_SVG}circle" and ringed and node.get("fill") != "none":
        yield Drawn("ring", _round(node))
    elif node.get("class", "").startswith("s-"):
        yield Drawn("seat", _shape(node))
    for child in node:
        yield from things(child, ringed=ringed or node.get("class") == "ring")


def text(node: ET.Element) -> Drawn:
    """A line of lettering with the room it takes, measured in the house's own fonts."""
    serif, heavy = node.get("font-family") == "Notebook Serif", node.get("font-weight") == "600"
    face = "NotebookSerif-SemiBold" if serif else "NotebookSans-SemiBold" if heavy else "NotebookSans-Regular"
    said, size = node.text or "", float(node.get("font-size", 0))
    wide = line(face, said)[1] * size / font(face).face.upem
    left = float(node.get("x", 0)) - wide * {"middle": 0.5, "end": 1.0}.get(node.get("text-anchor", ""), 0.0)
    foot = float(node.get("y", 0))
    return Drawn("text", (left, foot - size * _CAPITALS, left + wide, foot), said, size)


def _round(node: ET.Element) -> tuple[float, float, float, float]:
    x, y, r = (float(node.get(name, 0)) for name in ("cx", "cy", "r"))
    return x - r, y - r, x + r, y + r


def _shape(node: ET.Element) -> tuple[float, float, float, float]:
    if node.tag == f"{_SVG}circle":
        return _round(node)
    if node.tag == f"{_SVG}rect":
        x, y, wide, high = (float(node.get(name, 0)) for name in ("x", "y", "width", "height"))
        return x, y, x + wide, y + high
    points = [tuple(map(float, pair.split(","))) for pair in node.get("points", "").split()]
    return (min(x for x, _ in points), min(y for _, y in points), max(x for x, _ in points), max(y for _, y in points))


def covered(sheet: Sheet) -> Iterator[str]:
    """Every pair of things of a board that overlap, and everything that reaches beyond its block, in words."""
    for block in sheet.blocks:
        root = ET.fromstring(f'<svg xmlns="http://www.w3.org/2000/svg">{block.inside}</svg>')  # noqa: S314 - our own
        found = list(things(root))
        for at, one in enumerate(found):
            if not (one.box[0] > -SLACK and one.box[2] < block.size[0] + SLACK and one.box[3] < block.size[1] + SLACK):
                yield f"{block.name}: {one.kind} {one.said!r} reaches beyond its block"
            for other in found[at + 1 :]:
                if one.covers(other):
                    yield f"{block.name}: {one.kind} {one.said!r} and {other.kind} {other.said!r} at {one.box[:2]}"


def smallest(sheet: Sheet) -> float:
    """The size of the smallest lettering in px, on a phone or a desktop, whichever is smaller."""
    sizes = [
        found.size
        for block in sheet.blocks
        for found in things(ET.fromstring(f'<svg xmlns="http://www.w3.org/2000/svg">{block.inside}</svg>'))  # noqa: S314 - our own
        if found.kind == "text"
    ]
    halves: dict[int, bool] = {}
    for block in sheet.blocks:
        halves[block.column] = halves.get(block.column, True) and block.size[0] == HALF
    broad = sum(HALF if half else WIDTH for half in halves.values())
    return min(sizes) * min(PHONE / WIDTH, DESKTOP / broad)


def positions(step: int) -> Iterator[Position]:
    """Every `step`-th position of the records: where it stands, its view, and what happened before it."""
    for game in GAMES:
        rules = rules_of(game)
        for path in sorted((RECORDS / game / "records").glob("[0-9o]*.txt")):
            told: list[Event] = []
            for number, played in enumerate(replay.play(records.parse(path.read_text()))):
                told = [*told, *(event for event in played.events if event.seen_by is None)][-TOLD:]
                if number % step == 0:
                    yield f"{game} {path.stem} {number}", rules.view(played.state, None), told


def measure(drawn: Iterable[Position]) -> tuple[dict[str, Any], Counter[str]]:
    """What all these positions come to, and the overlaps by what they are."""
    faults, count, least = Counter[str](), 0, 99.0
    for number, (where, view, told) in enumerate(drawn):
        game = where.partition(" ")[0]
        say = Translator(LANGUAGES[number % len(LANGUAGES)], names=NAMES)
        sheet = pictures.of(game).sheet(view, say, numbered(told).rings)
        faults.update(f"{game}: {fault}" for fault in covered(sheet))
        least, count = min(least, smallest(sheet)), count + 1
    return {"positions": count, "overlaps": faults.total(), "smallest_px": round(least, 2)}, faults


def main() -> None:
    """Measure, print, and leave with 1 if a bar is missed."""
    parser = argparse.ArgumentParser(description="Overlaps and lettering on the boards of the records.")
    parser.add_argument("--short", action="store_true", help=f"every {SHORT}th position only")
    parser.add_argument("--json", action="store_true", help="print the figures as JSON")
    wishes = parser.parse_args()
    found, faults = measure(positions(SHORT if wishes.short else 1))
    print(json.dumps(found) if wishes.json else found)
    if not wishes.json:
        for fault, times in faults.most_common(40):
            print(f"{times:6} {fault}")
    sys.exit(bool(found["overlaps"]) or found["smallest_px"] < LEAST)


if __name__ == "__main__":
    main()
