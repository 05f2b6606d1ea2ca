"""The safe default for a seat that doesn't answer: it stays in the game, risks nothing, needs no choice."""

from __future__ import annotations

from collections.abc import Callable

from pbem.engine.egizia import crews, data, feeding, monuments, orders, scoring, tombs
from pbem.engine.egizia import state as s
from pbem.engine.egizia.orders import AnyOrder
from pbem.engine.egizia.sailing import ahead, first_free
from pbem.engine.egizia.state import State
from pbem.engine.egizia.tables import Tables, bits, tables_of
from pbem.engine.egizia.view import View


def cautious(view: View) -> AnyOrder:
    """Return the default order of the view's seat, which must be asked; always legal."""
    board = view.board
    assert view.seat is not None
    return _DEFAULTS[board.stage](tables_of(board.components), board, view.seat)


def _ship(t: Tables, board: State, seat: int) -> AnyOrder:
    """Return the next site with a free slot, so that the round's building isn't lost; else pass."""
    for space in bits(ahead(board, seat) & t.site_mask):
        if slot := first_free(board, t.site_of[space]):
            return orders.Ship(t.space_name[space], slot)
    return orders.Pass()


def _leftover(t: Tables, board: State, _seat: int) -> AnyOrder:
    """Return the first card that asks for no choice."""
    cards = [card for card in feeding.left_on_river(board) if not t.steps[card]]
    return orders.Leftover(t.names[cards[0]]) if cards else orders.Leftover()


def _feed(t: Tables, board: State, seat: int) -> AnyOrder:
    """As much as the cards in hand feed, the least grain that does, then stones."""
    missing = feeding.missing_of(t, board, seat)
    sums = feeding.grain_sums(t, board, seat)
    grain = next((amount for amount in sums if amount >= missing), sums[-1])
    return orders.Feed(grain, feeding.most_stones(t, board, seat, grain))


def _draw(_t: Tables, board: State, seat: int) -> AnyOrder:
    """One card with the weakest crew that is fresh."""
    weakest = min(crews.rested(board, seat), key=lambda crew: board.crews[seat * 4 + crew])
    return orders.Sphinx(1, (data.CREWS[weakest],))


def _keep(t: Tables, board: State, seat: int) -> AnyOrder:
    """Return the card that would score most as the board stands."""
    best = max(board.drawn, key=lambda card: scoring.sphinx_points(t, board, seat, t.sphinx[card]))
    return orders.Keep((t.sphinx[best].id,))


def _build(t: Tables, board: State, seat: int) -> AnyOrder:
    """Return the most valuable thing without cards; with as few crews as that takes."""
    plain = tuple(crews.selections(board, seat, 0))
    best: AnyOrder = orders.Renounce()
    worth = (0, 0)
    for working in plain:
        reach = crews.strength(t, board, seat, working, ())
        order = _largest(t, board, working, min(reach, board.stones[seat]))
        if order is None:
            continue
        found = (value_of(t, board, order), -reach)
        if found > worth:
            best, worth = order, found
    return best


def value_of(t: Tables, board: State, order: orders.Raise | orders.Stack) -> int:
    """Return the points of what `order` builds."""
    return monuments.value_of(t, board, order) if isinstance(order, orders.Stack) else tombs.value_of(t, board, order)


def _largest(t: Tables, board: State, working: tuple[str, ...], budget: int) -> orders.Raise | orders.Stack | None:
    """Return the most that `budget` builds, found by adding the dearest stone that fits."""
    if board.site == data.PYRAMID:
        kinds = monuments.greedy(t, board, budget)
        return monuments.order_of(kinds, working, ()) if kinds else None
    things = max(tombs.things(t, board, budget), key=lambda thing: tombs.value_of(t, board, orders.Dig(*thing)))
    if not things[0] and not things[2]:
        return None
    return orders.Raise(working, *things, data.MARKETS[0] if things[0] else "")


_DEFAULTS: dict[str, Callable[[Tables, State, int], AnyOrder]] = {
    s.SHIP: _ship,
    s.LEFTOVER: _leftover,
    s.FEED: _feed,
    s.SHIFT: lambda _t, _board, _seat: orders.Move(),
    s.DRAW: _draw,
    s.KEEP: _keep,
    s.BUILD: _build,
    s.DIG: lambda _t, _board, _seat: orders.Dig(),
    s.AFTER: lambda _t, _board, _seat: orders.Done(),
}
