"""What a game's box prints, as a form to fill in from the box: rows of cells, checked by ranges and control sums."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from pbem.engine.core.errors import IllegalOrder
from pbem.engine.core.message import N_, Message, Param, sentence
from pbem.structs import Value


class Cell(Value):
    """One printed value, or several in a row."""

    name: str
    label: str
    """A message id."""
    value: str
    most: int = 99
    """The largest number it can be; the smallest is 0."""
    choices: tuple[str, ...] = ()
    """The words it can be, as files have them; empty for a number."""
    names: tuple[str, ...] = ()
    """What these are called, as message ids; empty where by the words themselves."""
    count: int = 1
    """How many numbers or words it holds, with spaces between them; 0: any."""
    confirmed: bool = True

    @property
    def called(self) -> tuple[tuple[str, str], ...]:
        """Each choice, with the message id of what it is called."""
        return tuple(zip(self.choices, self.names or self.choices, strict=True))


class PrintedRow(Value):
    """One thing in the box: a province, a card, a track."""

    name: str
    title: Message
    cells: tuple[Cell, ...]
    sure: bool = True
    """Whether a source is certain of the thing itself, such as a card that prints no number."""
    column: int = 0
    """Where the thing lies on the board, counted from 1, for things that lie in columns."""

    @property
    def confirmed(self) -> bool:
        """Whether a source is certain of it and of every cell."""
        return self.sure and all(cell.confirmed for cell in self.cells)


class PrintedGroup(Value):
    """Things of one kind."""

    name: str
    title: Message
    rows: tuple[PrintedRow, ...]
    sums: tuple[str, ...] = ()
    """The cells whose sum over all rows can be counted in the box as a control."""

    def total(self, cell: str, entered: Mapping[str, str]) -> int:
        """Return the sum of one cell over all rows, of what was entered."""
        values = [entered.get(f"{row.name}.{cell}", "") for row in self.rows]
        return sum(int(value) for value in values if is_number(value))

    def label(self, cell: str) -> str:
        """Return what a cell with a control sum is called."""
        return next(one.label for row in self.rows for one in row.cells if one.name == cell)


class PrintedBox(Protocol):
    """What a game's box prints: the module `box` beside its rules. A text is a club's own box, "" for what ships."""

    OPTION: str
    """The game's option that takes such a text."""

    def form(self, text: str) -> tuple[PrintedGroup, ...]:
        """Return everything with a printed value that a form takes. Raises IllegalOrder for a wrong text."""

    def filled_in(self, text: str, entered: Mapping[str, str], seen: frozenset[str]) -> str:
        """Return the text with what was entered, by `row.cell`; rows in `seen` were compared with the box.

        Raises IllegalOrder for what can't be played.
        """

    def file(self, text: str) -> str:
        """Return the text as a file for another club."""

    def doubts(self, text: str) -> tuple[Message, ...]:
        """Return what in it is against the rules' own words: more likely a slip than what is printed."""

    def of(self, view: Any) -> str:
        """Return the text that a game under way is played with."""


def is_number(text: str) -> bool:
    """Return whether it is a whole number that can be printed in a box."""
    return text.isascii() and text.isdigit() and len(text) <= 4  # noqa: PLR2004 - four digits are more than any board has


def checked(groups: Sequence[PrintedGroup], entered: Mapping[str, str], sums: Mapping[str, str]) -> None:
    """Look at what was entered, by `row.cell`, and at the control sums, by `group.cell`.

    Raises IllegalOrder naming every value out of its range and every sum that doesn't come out.
    """
    faults = [
        fault
        for group in groups
        for row in group.rows
        for cell in row.cells
        if (fault := _fault(row, cell, entered.get(f"{row.name}.{cell.name}", "").strip())) is not None
    ]
    if not faults:
        faults = [fault for group in groups for fault in _sum_faults(group, entered, sums)]
    if faults:
        raise IllegalOrder(*faults)


def _fault(row: PrintedRow, cell: Cell, value: str) -> Message | None:
    holes: dict[str, Param] = {"thing": row.title, "cell": Message(cell.label), "value": value, "limit": cell.most}
    numbers = value.split()
    if cell.choices:
        wrong = not numbers or not set(numbers) <= set(cell.choices) or (cell.count and len(numbers) != cell.count)
        return sentence("{thing}, {cell}: {value!r} is not one of the choices.", **holes) if wrong else None
    if cell.count and len(numbers) != cell.count:
        holes["limit"] = cell.count
        return sentence("{thing}, {cell}: {value!r} should be {limit} number(s) with spaces between them.", **holes)
    if not numbers or any(not is_number(one) or int(one) > cell.most for one in numbers):
        return sentence("{thing}, {cell}: {value!r} should be a whole number from 0 to {limit}.", **holes)
    return None


def _sum_faults(group: PrintedGroup, entered: Mapping[str, str], sums: Mapping[str, str]) -> list[Message]:
    faults = []
    for name in group.sums:
        counted = sums.get(f"{group.name}.{name}", "").strip()
        total = group.total(name, entered)
        if counted and counted != str(total):
            text = N_(
                "{cell}: the numbers come to {total}, but you counted {counted} in all. Look them through once more."
            )
            faults.append(sentence(text, cell=Message(group.label(name)), total=total, counted=counted[:10]))
    return faults
