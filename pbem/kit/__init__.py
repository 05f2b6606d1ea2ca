"""What a game of one's own is made of, in one place to import from; see docs/development/adding-a-game.md."""

from __future__ import annotations

from pbem.engine.core.board import Board, Piece, Row
from pbem.engine.core.message import N_, Message, sentence
from pbem.engine.core.types import Meta, Option, Traits
from pbem.engine.kit.arguments import Many, Offered, One, Quantity, Ranking, Span, Wish
from pbem.engine.kit.game import DeclaredGame, TableView
from pbem.engine.kit.verb import Ply, Verb
from pbem.engine.text.notation import Names

__all__ = [
    "N_",
    "Board",
    "DeclaredGame",
    "Many",
    "Message",
    "Meta",
    "Names",
    "Offered",
    "One",
    "Option",
    "Piece",
    "Ply",
    "Quantity",
    "Ranking",
    "Row",
    "Span",
    "TableView",
    "Traits",
    "Verb",
    "Wish",
    "sentence",
]
