"""The board as columns: what each province prints, read from the printed table or a club's own (AR-1.1)."""

from __future__ import annotations

import csv
from collections.abc import Callable
from functools import lru_cache

import msgspec

from pbem.engine.amunre.data import LANDS, PRINTED_BOARD, PROVINCES
from pbem.engine.core.errors import IllegalOrder
from pbem.engine.core.message import N_, Message, Params, sentence
from pbem.structs import Value

MAX_FIGURE = 99
MAX_LINE = 400
"""Characters of a line of the table; the longest that ships has 90."""
COLUMNS = tuple(PRINTED_BOARD.partition("\n")[0].split(","))
FIGURES = COLUMNS[1:7] + COLUMNS[8:10]
WORDS = {
    "camel": ("no", "yes"),
    "bank": ("west", "east"),
    "half": ("lower", "upper"),
    "riverside": ("no", "yes"),
}
_RULE = "AR-1.1"


class Board(Value):
    """One tuple for each column, one entry for each province in the order of `data.PROVINCES`."""

    fields: tuple[int, ...]
    card_limit: tuple[int, ...]
    bonus_cards: tuple[int, ...]
    bonus_stones: tuple[int, ...]
    bonus_gold: tuple[int, ...]
    income: tuple[int, ...]
    camel: tuple[int, ...]
    """1: the income comes by camel, on low temple spaces only (AR-8.2)."""
    temples: tuple[int, ...]
    printed_farmers: tuple[int, ...]
    bank: tuple[int, ...]
    """0 west, 1 east of the Nile."""
    half: tuple[int, ...]
    """0 lower, 1 upper Egypt."""
    riverside: tuple[int, ...]
    not_confirmed: tuple[tuple[str, ...], ...]
    """The columns of which no source is certain."""


@lru_cache(maxsize=16)
def load(text: str) -> Board:
    """Read a board of the catalogue's form; "" is the printed one. Raises IllegalOrder naming every fault (AR-1.1)."""
    faults: list[Message] = []
    table = text.lstrip("\N{ZERO WIDTH NO-BREAK SPACE}").strip() or PRINTED_BOARD
    lines = [line for line in table.splitlines() if line.strip()]
    if any(len(line) > MAX_LINE for line in lines):
        raise IllegalOrder(sentence("A line of the board is longer than {limit} characters.", limit=MAX_LINE))
    header = tuple(cell.strip() for cell in next(csv.reader(lines[:1]), []))
    if header != COLUMNS:
        raise IllegalOrder(sentence("The board's first line must read: {header}.", _RULE, header=",".join(COLUMNS)))
    rows = _rows(lines[1:], faults)
    missing = (name for name in PROVINCES if name not in rows)
    faults += [sentence("The board has no line for {province}.", _RULE, province=name) for name in missing]
    there = [rows[name] for name in PROVINCES if name in rows]
    columns = {column: tuple(_cell(row, column, faults) for row in there) for column in (*FIGURES, *WORDS)}
    marked = tuple(_marked(row, faults) for row in there)
    if faults:
        raise IllegalOrder(*faults)
    return msgspec.convert({**columns, "not_confirmed": marked}, Board)


def _rows(lines: list[str], faults: list[Message]) -> dict[str, dict[str, str]]:
    rows: dict[str, dict[str, str]] = {}
    for number, cells in enumerate(csv.reader(lines), start=2):
        row = dict(zip(COLUMNS, (cell.strip() for cell in cells), strict=False))
        name = row.get("province", "").title()
        said = row.get("province", "")
        hole: Params = {"line": number, "found": len(cells), "due": len(COLUMNS), "province": said}
        if len(cells) != len(COLUMNS):
            faults.append(sentence("Line {line} of the board has {found} cell(s), not {due}.", _RULE, **hole))
        elif name not in PROVINCES:
            faults.append(sentence("Line {line} of the board: there is no province {province!r}.", _RULE, **hole))
        elif name in rows:
            faults.append(sentence("Line {line} of the board repeats {province}.", _RULE, **hole))
        else:
            rows[name] = row
    return rows


def _cell(row: dict[str, str], column: str, faults: list[Message]) -> int:
    """Return the number in a cell, or the place of its word among those that it can be."""
    cell, words = row[column], WORDS.get(column)
    if words and cell in words:
        return words.index(cell)
    if not words and cell.isascii() and cell.isdigit() and int(cell) <= MAX_FIGURE:
        return int(cell)
    hole: Params = {"words": words} if words else {"limit": MAX_FIGURE}
    text = N_("{province}: {column} is {cell!r}; it must be one of {words}.")
    if not words:
        text = N_("{province}: {column} is {cell!r}; it must be a whole number from 0 to {limit}.")
    faults.append(sentence(text, _RULE, province=row["province"], column=column, cell=cell, **hole))
    return 0


def _marked(row: dict[str, str], faults: list[Message]) -> tuple[str, ...]:
    marked = tuple(row["not_confirmed"].split())
    text = N_("{province}: not_confirmed names {cell!r}, which is no column of the board.")
    columns = COLUMNS[1:-1]
    faults += [sentence(text, _RULE, province=row["province"], cell=cell) for cell in marked if cell not in columns]
    return marked


def text_of(board: Board) -> str:
    """Write a board in the form that `load` reads."""
    write: dict[str, Callable[[int], str]] = {name: words.__getitem__ for name, words in WORDS.items()}
    lines = [",".join(COLUMNS)]
    for p in range(LANDS):
        cells = [write.get(name, str)(getattr(board, name)[p]) for name in COLUMNS[1:-1]]
        lines.append(",".join([PROVINCES[p], *cells, " ".join(board.not_confirmed[p])]))
    return "\n".join(lines) + "\n"
