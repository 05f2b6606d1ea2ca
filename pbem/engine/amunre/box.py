"""The printed board as a form, and the table that a filled-in one means (AR-1.1)."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from pbem.engine.amunre.board import COLUMNS, WORDS, Board, load, text_of
from pbem.engine.amunre.data import LANGUAGE, MAP, PROVINCES
from pbem.engine.amunre.view import View
from pbem.engine.core.box import Cell, PrintedGroup, PrintedRow
from pbem.engine.core.message import N_, Message, sentence

OPTION = "board"
LABELS, _NAMES = LANGUAGE.said["columns"], LANGUAGE.said["cells"]
"""What the columns of the table are called, and the words in them."""
_MOST = {"fields": 9, "card_limit": 9, "bonus_cards": 4, "bonus_stones": 5, "bonus_gold": 30, "income": 20}
_FEW = 4
"""Temples or printed farmers on one province at most."""
_SUMS = ("fields", "card_limit", "bonus_cards", "income", "temples")


def form(text: str) -> tuple[PrintedGroup, ...]:
    """Return every province with what it prints, as they lie on the map. Raises IllegalOrder for a wrong table."""
    board = load(text)
    rows = tuple(_row(board, name, column) for names in MAP for column, name in enumerate(names, 1) if name)
    return (PrintedGroup("provinces", sentence("The fifteen provinces"), rows, _SUMS),)


def _row(board: Board, name: str, column: int) -> PrintedRow:
    p = PROVINCES.index(name)
    return PrintedRow(name, Message(name), tuple(_cell(board, p, cell) for cell in COLUMNS[1:-1]), column=column)


def _cell(board: Board, p: int, column: str) -> Cell:
    words, value = WORDS.get(column, ()), getattr(board, column)[p]
    return Cell(
        column,
        LABELS[column],
        words[value] if words else str(value),
        _MOST.get(column, _FEW),
        words,
        tuple(_NAMES[word] for word in words),
        confirmed=column not in board.not_confirmed[p],
    )


def filled_in(text: str, entered: Mapping[str, str], seen: frozenset[str]) -> str:
    """Return the table with what was entered, by `province.column`; provinces in `seen` were compared with the box."""
    board = load(text)
    columns = {
        column: tuple(
            WORDS[column].index(entered[f"{name}.{column}"]) if column in WORDS else int(entered[f"{name}.{column}"])
            for name in PROVINCES
        )
        for column in COLUMNS[1:-1]
    }
    unsure = tuple(() if name in seen else board.not_confirmed[p] for p, name in enumerate(PROVINCES))
    return text_of(msgspec.structs.replace(board, **columns, not_confirmed=unsure))


def file(text: str) -> str:
    """Return the table as a file; "" for the one of these rules."""
    return text_of(load(text))


def doubts(text: str) -> tuple[Message, ...]:
    """What in the table is against the rules' own words and examples: more likely a slip than what is printed."""
    board, at = load(text), {name: p for p, name in enumerate(PROVINCES)}
    due = {
        "income": {"Abu": 4, "Berenike": 8, "Kharga": 5, "Sawu": 7, "Avaris": 8},
        "temples": {"Damanhur": 2, "Edfu": 1, "Amarna": 1},
        "bonus_cards": {"Thebes": 2},
        "card_limit": {"Buto": 0, "Mendes": 0},
        "camel": {"Kharga": 1, "Sawu": 1, "Avaris": 1, "Abu": 0, "Berenike": 0},
    }
    found = []
    for column, names in due.items():
        wrong = tuple(name for name, value in names.items() if getattr(board, column)[at[name]] != value)
        if wrong:
            text_ = N_("The rules' own words and examples say otherwise of {cell} here: {provinces}.")
            found.append(sentence(text_, "AR-10", cell=Message(LABELS[column]), provinces=wrong))
    if max(board.card_limit[at[name]] for name in ("Memphis", "Amarna", "Avaris")) != 3:  # noqa: PLR2004 - AR-10.3's own number
        found.append(sentence("By an example Memphis, Amarna and Avaris together allow 3 cards.", "AR-10.3"))
    return tuple(found)


def of(view: View) -> str:
    """Return the table that a game under way is played with; "" for the one of these rules."""
    return "" if view.board == load("") else text_of(view.board)
