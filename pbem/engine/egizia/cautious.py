"""The safe default for a seat that doesn't answer: it stays in the game, risks nothing, needs no choice."""

from __future__ import annotations

from collections.abc import Callable

from pbem.engine.egizia import crews, data, feeding, monuments, orders, scoring, tombs, verbs
from pbem.engine.egizia import state as s
from pbem.engine.egizia.orders import AnyOrder
from pbem.engine.egizia.sailing import ahead, first_free
from pbem.engine.egizia.state import Own, State
from pbem.engine.egizia.tables import bits
from pbem.engine.egizia.view import View


def cautious(view: View) -> AnyOrder:
    """Return the default order of the view's seat, which must be asked; always legal."""
    assert view.seat is not None
    default = _DEFAULTS.get(view.board.stage)
    return default(view.own) if default else next(verbs.legal(view.board, view.seat))


def _ship(own: Own) -> AnyOrder:
    """Return the next site with a free slot, so that the round's building isn't lost; else pass."""
    t = own.t
    for space in bits(ahead(own) & t.site_mask):
        if slot := first_free(own.state, t.site_of[space]):
            return orders.Ship(t.space_name[space], slot)
    return orders.Pass()


def _leftover(own: Own) -> AnyOrder:
    """Return the first card that asks for no choice."""
    cards = [card for card in feeding.left_on_river(own.state) if not own.t.steps[card]]
    return orders.Leftover(own.t.names[cards[0]]) if cards else orders.Leftover()


def _feed(own: Own) -> AnyOrder:
    """As much as the cards in hand feed, the least grain that does, then stones."""
    missing = own.missing
    sums = feeding.grain_sums(own)
    grain = next((amount for amount in sums if amount >= missing), sums[-1])
    return orders.Feed(grain, feeding.most_stones(own, grain))


def _draw(own: Own) -> AnyOrder:
    """One card with the weakest crew that is fresh."""
    weakest = min(crews.rested(own), key=lambda crew: own.crews[crew])
    return orders.Sphinx(1, (data.CREWS[weakest],))


def _keep(own: Own) -> AnyOrder:
    """Return the card that would score most as the board stands."""
    best = max(own.state.drawn, key=lambda card: scoring.sphinx_points(own, own.t.sphinx[card]))
    return orders.Keep((own.t.sphinx[best].id,))


def _build(own: Own) -> AnyOrder:
    """Return the most valuable thing without cards; with as few crews as that takes."""
    plain = tuple(crews.selections(own, 0))
    best: AnyOrder = orders.Renounce()
    worth = (0, 0)
    for working in plain:
        reach = own.strength(working)
        order = _largest(own.state, working, min(reach, own.stones))
        if order is None:
            continue
        found = (value_of(own.state, order), -reach)
        if found > worth:
            best, worth = order, found
    return best


def value_of(board: State, order: orders.Raise | orders.Stack) -> int:
    """Return the points of what `order` builds."""
    return monuments.value_of(board, order) if isinstance(order, orders.Stack) else tombs.value_of(board, order)


def _largest(board: State, working: tuple[str, ...], budget: int) -> orders.Raise | orders.Stack | None:
    """Return the most that `budget` builds, found by adding the dearest stone that fits."""
    if board.site == data.PYRAMID:
        kinds = monuments.greedy(board, budget)
        return monuments.order_of(board.t, kinds, (working, ())) if kinds else None
    things = max(tombs.things(board, budget), key=lambda thing: tombs.value_of(board, orders.Dig(*thing)))
    if not things[0] and not things[2]:
        return None
    return orders.Raise(working, *things, data.MARKETS[0] if things[0] else "")


_DEFAULTS: dict[str, Callable[[Own], AnyOrder]] = {
    s.SHIP: _ship,
    s.LEFTOVER: _leftover,
    s.FEED: _feed,
    s.DRAW: _draw,
    s.KEEP: _keep,
    s.BUILD: _build,
}
"""By stage; in all others the first legal order is the safe one."""
