"""A position as rows of pieces, in data: what a board drawn by no hand of its own is made of."""

from __future__ import annotations

from pbem.engine.core.message import Message
from pbem.structs import Value


class Piece(Value):
    """One thing on the board: a card, a field, a stack, a number."""

    text: Message
    mark: str = ""
    """The id by which events and choices call it, if they do."""
    seat: int | None = None
    """Whose it is; its seat's mark stands on it."""
    empty: bool = False
    """A place where nothing lies: drawn in outline."""


class Row(Value):
    """Pieces that belong together under one title."""

    title: Message
    pieces: tuple[Piece, ...]
    mark: str = ""
    seat: int | None = None
    """The seat whose row it is."""
    own: bool = False
    """Only for the eyes of the view's own seat: told as its hand, never drawn."""


class Board(Value):
    """The whole position as one reader sees it."""

    title: Message
    rows: tuple[Row, ...]
