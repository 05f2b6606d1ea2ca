"""What a game of one's own is made of, in one place to import from; see docs/development/adding-a-game.md."""

from __future__ import annotations

from pbem.engine.core.board import Board, Piece, Row
from pbem.engine.core.types import N_, Message, Meta, Option, Traits
from pbem.engine.kit.arguments import Amount, Many, Offer, One, Ranking, Span, Wish
from pbem.engine.kit.game import DeclaredGame, TableView
from pbem.engine.kit.verb import Run, Verb
from pbem.engine.text.notation import Names

__all__ = [
    "N_",
    "Amount",
    "Board",
    "DeclaredGame",
    "Many",
    "Message",
    "Meta",
    "Names",
    "Offer",
    "One",
    "Option",
    "Piece",
    "Ranking",
    "Row",
    "Run",
    "Span",
    "TableView",
    "Traits",
    "Verb",
    "Wish",
]
