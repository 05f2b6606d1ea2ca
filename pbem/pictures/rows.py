"""A board made of rows: as SVG, as text, in sentences and as a hand, for games whose board nobody has drawn."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import zip_longest
from typing import Any, TypeVar

from pbem.engine.core.board import Piece, Row
from pbem.engine.core.message import N_, sentence
from pbem.engine.core.types import AnyRules
from pbem.pictures import monospace
from pbem.pictures.blocks import WIDTH, Block, Sheet, composed
from pbem.pictures.elements import DASHED, box, fill_and_stroke, letter, stroke, text_width, truncated, words
from pbem.pictures.elements import seat_mark as badge
from pbem.pictures.renderer import Legend, Renderer, Say
from pbem.pictures.rings import Highlights, Marked

W = TypeVar("W", int, float)
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
        shown = [row for row in board.rows if not row.own]
        drawing = RowRenderer(say, Highlights(game, say, rings), game, _columns(shown, say, _drawn_width))
        drawn = "".join([drawing.row(row) for row in shown])
        block = Block("board", (WIDTH, drawing.y + _MARGIN), drawn, links=drawing.rings.links())
        title = say(sentence("The board of {game}", game=self.rules.meta.title))
        return Sheet(game, title, say(board.title), (block,))

    @staticmethod
    def legend(_say: Say) -> Legend:
        """Nothing: every piece says in words what it is."""
        return ()

    def text(self, view: Any, say: Say) -> str:
        """Return every row as a line of its title and its pieces in brackets, at most 72 columns wide."""
        board = self.rules.board(view)
        shown = [row for row in board.rows if not row.own]
        columns = _columns(shown, say, lambda piece, say: len(_lettered(piece, say)))
        lines = [say(board.title).upper(), *(_line(row, say, columns) for row in shown)]
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

    def __init__(self, say: Say, rings: Highlights, game: str, columns: Sequence[float]) -> None:
        """Begin at the top; `columns` are as wide as what stands in them."""
        super().__init__(None, say, rings)
        self.game, self.columns = game, columns
        self.y = 0.0

    def row(self, row: Row) -> str:
        """Return a title, then its pieces, as many lines as they take; the title beside them if it is short."""
        title = self.say(row.title)
        beside = _is_beside(row, self.say)
        top, left = self.y, float(_MARGIN + _BESIDE if beside else _MARGIN)
        head = words(
            _MARGIN + (34 if row.seat is not None else 0), top + 32, truncated(title, 500, 20), _LETTERED, weight=600
        )
        if row.seat is not None:
            head = badge(row.seat, _MARGIN + 12, top + 25, 12) + head
        if not beside:
            self.y += _TITLE + 10
        columns = self.columns if _is_of_grid(row, self.say) else [0.0] * len(row.pieces)
        pieces = self._pieces(row.pieces, left, columns)
        ring = self.rings.ring(row.mark, (_MARGIN - 6, top + 4, WIDTH - 2 * _MARGIN + 12, self.y - top - 4))
        return self.named(row.mark, title, head, pieces, ring) if row.mark else head + pieces

    def _pieces(self, pieces: tuple[Piece, ...], left: float, columns: Sequence[float]) -> str:
        x, parts = left, []
        for piece, column in zip(pieces, columns, strict=False):
            wide = min(max(column, _drawn_width(piece, self.say)), WIDTH - left - _MARGIN)
            if x + wide > WIDTH - _MARGIN and x > left:
                x, self.y = left, self.y + _HIGH + _GAP
            parts.append(self._piece(piece, x, wide))
            x += wide + _GAP
        self.y += _HIGH + _GAP if pieces else 0
        return "".join(parts)

    def _piece(self, piece: Piece, x: float, wide: float) -> str:
        title, mark = self.say(piece.text), _mark_width(piece)
        paint = stroke("muted") + DASHED if piece.empty else fill_and_stroke("raised", "ink")
        lettered = truncated(title, wide - mark - 8, _LETTERED)
        drawn = box(x, self.y, wide, _HIGH, paint)
        drawn += words(x + (wide + mark) / 2, self.y + 30, lettered, _LETTERED, anchor="middle")
        if piece.seat is not None:
            drawn += badge(piece.seat, x + 22, self.y + _HIGH / 2, 13)
        if not piece.mark:
            return drawn
        return self.named(piece.mark, title, drawn, self.rings.ring(piece.mark, (x, self.y, wide, _HIGH)))


def _is_beside(row: Row, say: Say) -> bool:
    """Return whether a row's title is short enough to stand beside its pieces."""
    return row.seat is None and text_width(say(row.title), _LETTERED) <= _BESIDE


def _is_of_grid(row: Row, say: Say) -> bool:
    """Return whether a row's pieces form columns with those of its like."""
    return len(row.pieces) > 1 and _is_beside(row, say)


def _columns(rows: Sequence[Row], say: Say, width: Callable[[Piece, Say], W]) -> list[W]:
    """Return the widths of a grid's columns: of the widest piece in each."""
    grid = [[width(piece, say) for piece in row.pieces] for row in rows if _is_of_grid(row, say)]
    return [max(column) for column in zip_longest(*grid, fillvalue=0)]


def _mark_width(piece: Piece) -> float:
    return 30.0 if piece.seat is not None else 0.0


def _drawn_width(piece: Piece, say: Say) -> float:
    """Return how wide a piece is by itself, in units of the drawing."""
    return max(_SQUARE, text_width(say(piece.text), _LETTERED) + 20 + _mark_width(piece))


def _lettered(piece: Piece, say: Say) -> str:
    owner = "" if piece.seat is None else f"{letter(piece.seat)} "
    return f" {say(piece.text)} " if piece.empty else f"[{owner}{say(piece.text)}]"


def _line(row: Row, say: Say, columns: Sequence[int]) -> str:
    pieces = [_lettered(piece, say) for piece in row.pieces]
    if _is_of_grid(row, say):
        pieces = [piece.center(column) for piece, column in zip(pieces, columns, strict=False)]
    return f"{'' if row.seat is None else letter(row.seat) + ' '}{say(row.title)}: {' '.join(pieces)}".rstrip()


def _sentence(row: Row, say: Say) -> str:
    pieces = tuple(
        piece.text if piece.seat is None else sentence("{piece} of {seat}", piece=piece.text, seat=piece.seat)
        for piece in row.pieces
        if not piece.empty
    )
    text = N_("{heading}: {pieces}.") if pieces else N_("{heading}: nothing.")
    return say(sentence(text, heading=row.title, pieces=pieces))
