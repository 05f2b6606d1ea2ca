"""The seat's own figures and what to warn it of, for a preview of its order."""

from __future__ import annotations

from typing import Final

from pbem.engine.core.types import N_, Message, sentence
from pbem.engine.egizia import data, feeding, orders
from pbem.engine.egizia import state as s
from pbem.engine.egizia.orders import AnyOrder
from pbem.engine.egizia.river import can_sail
from pbem.engine.egizia.scoring import grave_points, grave_sum, sphinx_points
from pbem.engine.egizia.state import State
from pbem.engine.egizia.tables import Tables, tables_of
from pbem.engine.egizia.view import View

POINTS: Final = N_("points")
SCORING: Final = N_("points at the end, as the board stands")
STRENGTHS: Final = (
    N_("strength of the blue crew"),
    N_("strength of the black crew"),
    N_("strength of the yellow crew"),
    N_("strength of the joker"),
)
OF_ALL: Final = frozenset({POINTS, SCORING})


def figures(view: View) -> dict[str, int]:
    """Return the own figures of the view's seat by name."""
    board, seat = view.board, view.seat or 0
    t = tables_of(board.components)
    found = {
        N_("stones"): board.stones[seat],
        N_("ships left"): data.SHIPS - len(board.fleet[seat]),
        N_("grain of watered fields"): s.grain_of(t, board, seat),
        N_("grain wanted"): s.need_of(board, seat),
        N_("points lost at feeding"): _lost(t, board, seat),
        N_("stones a round from quarries"): s.quarry_of(t, board, seat),
        N_("Sphinx cards"): len(board.kept[seat]),
        N_("cards to use"): len(board.ready[seat]),
        N_("sum of graves"): grave_sum(t, board, seat),
        N_("step on the stone market"): board.stone_at[seat] + 1,
        N_("step on the grain market"): board.grain_at[seat] + 1,
    }
    found |= {name: board.crews[seat * 4 + crew] for crew, name in enumerate(STRENGTHS)}
    return found | {POINTS: board.score[seat], SCORING: _at_end(t, board, seat)}


def _lost(t: Tables, board: State, seat: int) -> int:
    """EG-5.1: what the grain that is missing now would cost."""
    return feeding.missing_of(t, board, seat) * feeding.cost_of(t, board, seat)


def _at_end(t: Tables, board: State, seat: int) -> int:
    """EG-9.2, EG-9.3: what graves and the own Sphinx cards would bring as the board stands."""
    cards = [t.sphinx[card] for card in board.kept[seat] if card >= 0]
    return grave_points(t, grave_sum(t, board, seat)) + sum(sphinx_points(t, board, seat, card) for card in cards)


def hanging(_view: View, _after: View, *, open_ended: bool) -> frozenset[str]:
    """Return the figures that others may change in the same ply, where something is drawn or they act."""
    return OF_ALL if open_ended else frozenset()


def warnings(view: View, order: AnyOrder, after: View) -> tuple[Message, ...]:
    """Return what a player may not have meant: unused ships, missing grain."""
    board, seat = view.board, view.seat or 0
    t = tables_of(board.components)
    if not isinstance(order, orders.Ship | orders.Pass):
        return ()
    sails = isinstance(order, orders.Ship)
    left = data.SHIPS - len(board.fleet[seat]) - sails
    ends = not sails or after.board.stage != s.SHIP or not can_sail(t, after.board, seat)
    found = []
    if left and ends:
        found.append(sentence("This ends your sailing with {ships} ship(s) unused.", "EG-3.1", ships=left))
    lost = _lost(t, after.board, seat) if after.board.round == board.round and after.board.stage == s.SHIP else 0
    if lost:
        text = N_("As it stands {missing} grain (is|are) missing at feeding: {points} point(s).")
        found.append(sentence(text, "EG-5.1", missing=feeding.missing_of(t, after.board, seat), points=lost))
    return tuple(found)
