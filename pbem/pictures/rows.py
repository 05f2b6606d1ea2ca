"""A board made of rows: as SVG, as text, in sentences and as a hand, for games whose board nobody has drawn."""

from __future__ import annotations

from typing import Any

from pbem.engine.core.board import Piece, Row
from pbem.engine.core.message import N_, sentence
from pbem.engine.core.types import AnyRules
from pbem.pictures import monospace
from pbem.pictures.blocks import WIDTH, Block, Sheet, composed
from pbem.pictures.elements import DASHED, box, fill_and_stroke, letter, stroke, text_width, truncated, words
from pbem.pictures.elements import seat_mark as badge
from pbem.pictures.renderer import Legend, Renderer, Say
from pbem.pictures.rings import Highlights, Marked

_MARGIN = 20
_HIGH, _GAP, _SQUARE = 46, 8, 46
_TITLE = 30
_BESIDE = 40
"""A title no wider than this stands beside its pieces, as the letter of a board's row does."""
_LETTERED = 20


class RowDrawing:
    """What `pictures.Drawing` asks for, made of rows."""

    def __init__(self, rules: AnyRules) -> None:
        """Take the game's rules."""
        self.rules = rules

    def svg(self, view: Any, say: Say, rings: Marked = ()) -> str:
        """Draw every row below the other, its pieces as boxes; what has changed is ringed."""
        return composed(self.sheet(view, say, rings))

    def sheet(self, view: Any, say: Say, rings: Marked = ()) -> Sheet:
        """Return the same as one block."""
        game, board = self.rules.meta.name, self.rules.board(view)
        drawing = RowRenderer(say, Highlights(game, say, rings), game)
        drawn = "".join([drawing.row(row) for row in board.rows if not row.own])
        block = Block("board", (WIDTH, drawing.y + _MARGIN), drawn + drawing.rings.links())
        title = say(sentence("The board of {game}", game=self.rules.meta.title))
        return Sheet(game, title, say(board.title), (block,))

    @staticmethod
    def legend(_say: Say) -> Legend:
        """Nothing: every piece says in words what it is."""
        return ()

    def text(self, view: Any, say: Say) -> str:
        """Return every row as a line of its title and its pieces in brackets, at most 72 columns wide."""
        board = self.rules.board(view)
        lines = [say(board.title).upper(), *(_line(row, say) for row in board.rows if not row.own)]
        return monospace.page(lines, indent=4)

    def alt(self, view: Any, say: Say) -> str:
        """Return every row as a sentence."""
        board = self.rules.board(view)
        return " ".join([f"{say(board.title)}.", *(_sentence(row, say) for row in board.rows if not row.own)])

    def hand(self, view: Any, say: Say) -> tuple[str, ...]:
        """Return every row that is only for the view's own seat, as a sentence."""
        return tuple(_sentence(row, say) for row in self.rules.board(view).rows if row.own)


class RowRenderer(Renderer[None]):
    """Draws rows downwards."""

    def __init__(self, say: Say, rings: Highlights, game: str) -> None:
        """Begin at the top."""
        super().__init__(None, say, rings)
        self.game = game
        self.y = 0.0

    def row(self, row: Row) -> str:
        """Return a title, then its pieces, as many lines as they take; the title beside them if it is short."""
        title = self.say(row.title)
        beside = text_width(title, _LETTERED) <= _BESIDE and row.seat is None
        top, left = self.y, float(_MARGIN + _BESIDE if beside else _MARGIN)
        head = words(
            _MARGIN + (34 if row.seat is not None else 0), top + 32, truncated(title, 500, 20), _LETTERED, weight=600
        )
        if row.seat is not None:
            head = badge(row.seat, _MARGIN + 12, top + 25, 12) + head
        if not beside:
            self.y += _TITLE + 10
        pieces = self._pieces(row.pieces, left)
        ring = self.rings.ring(row.mark, (_MARGIN - 6, top + 4, WIDTH - 2 * _MARGIN + 12, self.y - top - 4))
        return self.named(row.mark, title, head, pieces, ring) if row.mark else head + pieces

    def _pieces(self, pieces: tuple[Piece, ...], left: float) -> str:
        x, parts = left, []
        for piece in pieces:
            title = self.say(piece.text)
            mark = 30.0 if piece.seat is not None else 0.0
            wide = min(max(_SQUARE, text_width(title, _LETTERED) + 20 + mark), WIDTH - left - _MARGIN)
            if x + wide > WIDTH - _MARGIN and x > left:
                x, self.y = left, self.y + _HIGH + _GAP
            parts.append(self._piece(piece, title, x, wide, mark))
            x += wide + _GAP
        self.y += _HIGH + _GAP if pieces else 0
        return "".join(parts)

    def _piece(self, piece: Piece, title: str, x: float, wide: float, mark: float) -> str:
        paint = stroke("muted") + DASHED if piece.empty else fill_and_stroke("raised", "ink")
        lettered = truncated(title, wide - mark - 8, _LETTERED)
        drawn = box(x, self.y, wide, _HIGH, paint)
        drawn += words(x + (wide + mark) / 2, self.y + 30, lettered, _LETTERED, anchor="middle")
        if piece.seat is not None:
            drawn += badge(piece.seat, x + 22, self.y + _HIGH / 2, 13)
        if not piece.mark:
            return drawn
        return self.named(piece.mark, title, drawn, self.rings.ring(piece.mark, (x, self.y, wide, _HIGH)))


def _line(row: Row, say: Say) -> str:
    pieces = []
    for piece in row.pieces:
        owner = "" if piece.seat is None else f"{letter(piece.seat)} "
        pieces.append(f" {say(piece.text)} " if piece.empty else f"[{owner}{say(piece.text)}]")
    return f"{'' if row.seat is None else letter(row.seat) + ' '}{say(row.title)}: {' '.join(pieces)}".rstrip()


def _sentence(row: Row, say: Say) -> str:
    pieces = tuple(
        piece.text if piece.seat is None else sentence("{piece} of {seat}", piece=piece.text, seat=piece.seat)
        for piece in row.pieces
        if not piece.empty
    )
    text = N_("{heading}: {pieces}.") if pieces else N_("{heading}: nothing.")
    return say(sentence(text, heading=row.title, pieces=pieces))
