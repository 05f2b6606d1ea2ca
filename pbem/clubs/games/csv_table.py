"""Tables that people type or send: CSV text as numbered lines of cells."""

from __future__ import annotations

import codecs
import csv
import io
import re
from collections.abc import Callable, Iterable
from itertools import islice
from typing import TypeVar

from pbem.engine.core.errors import EngineError
from pbem.engine.core.message import N_, Message, sentence
from pbem.errors import PlayError, WrongInput, raise_for

Entry = TypeVar("Entry")

_MARKS = "\t;,"
"""What may part cells: a tab as on a clipboard, a semicolon as in half of Europe, a comma."""
_QUOTED = re.compile(r'"[^"]*"?')


def _mark(text: str) -> str:
    """Return what parts the cells of a table: the mark that the first line with any has most of, outside of quotes."""
    for line in text.splitlines():
        bare = _QUOTED.sub("", line)
        if any(mark in bare for mark in _MARKS):
            return max(_MARKS, key=bare.count)
    return ","


LONGEST = 200_000
"""Characters of a table: the largest there can be has 500 lines."""
MOST_FAULTS = 50
"""Lines that are named as wrong at once."""


def decoded(raw: bytes) -> str:
    """Return the text of a file as spreadsheets write them: UTF-8, UTF-16 with its mark, else Windows-1252."""
    if raw.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return raw.decode("utf-16", "replace")
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError:
        return raw.decode("cp1252", "replace")


_STRAY = N_("Line {number}: part its cells by the same mark as the lines before it, not by {mark!r}.")
_TABBED = N_("Line {number}: part its cells by the same mark as the lines before it, not by a tab.")


def lines(text: str) -> list[tuple[int, list[str]]]:
    """Return every line that isn't empty, with its number from 1 and its cells without blanks around them.

    Line ends may be those of any system; cells are parted by commas, semicolons or tabs. Raises WrongInput for text
    that is no table, and for lines whose cells are parted by another mark than those before them.
    """
    if len(text) > LONGEST:
        raise WrongInput(
            "The table has {length} characters; at most {limit} are read at once.", length=len(text), limit=LONGEST
        )
    text = text.replace("\0", "").removeprefix("\N{BYTE ORDER MARK}")
    mark = _mark(text)
    try:
        reader = csv.reader(io.StringIO(text, newline=None), delimiter=mark, skipinitialspace=True)
        rows = [(reader.line_num, row) for row in reader]
    except csv.Error:
        raise WrongInput(
            "The table can't be read: write one line for each entry, its cells parted by commas."
        ) from None
    whole = ((number, row[0]) for number, row in rows if len(row) == 1)
    strays = ((number, _mark(cell)) for number, cell in whole if any(one in cell for one in _MARKS if one != mark))
    raise_for(
        sentence(_TABBED if stray == "\t" else _STRAY, number=number, mark=stray)
        for number, stray in islice(strays, MOST_FAULTS)
    )
    numbered = ((number, [cell.strip() for cell in row]) for number, row in rows)
    return [(number, cells) for number, cells in numbered if any(cells)]


def entries(
    numbered: Iterable[tuple[int, list[str]]],
    read: Callable[[list[str]], Entry],
    *,
    most: int,
    none: Message,
    many: str,
) -> list[Entry]:
    """Return what `read` makes of each line.

    Raises WrongInput with a sentence for each line that it refuses, up to `MOST_FAULTS`; with `none` where there is no
    line, and with `many`, whose holes are limit and count, for more than `most`.
    """
    found: list[Entry] = []
    faults: list[Message] = []
    for number, row in numbered:
        try:
            found.append(read(row))
        except (PlayError, EngineError) as wrong:
            faults += [
                sentence("Line {number}: {fault}", fault.rule, number=number, fault=fault) for fault in wrong.faults
            ]
        if len(faults) >= MOST_FAULTS:
            break
    if not found and not faults:
        faults.append(none)
    if len(found) > most:
        faults.append(sentence(many, limit=most, count=len(found)))
    raise_for(faults)
    return found
