"""The safe default for each decision: spend nothing that needn't be spent, lose nothing that can be had."""

from __future__ import annotations

from collections.abc import Callable

from pbem.engine.amunre import data
from pbem.engine.amunre.auction import missing
from pbem.engine.amunre.cards import held
from pbem.engine.amunre.orders import AnOrder, Bid, Build, Buy, Draft, Harvest, Sell
from pbem.engine.amunre.phases import legal
from pbem.engine.amunre.placing import free_fields
from pbem.engine.amunre.state import State, owned
from pbem.engine.amunre.view import View

_CHEAP_FIRST = (
    *(*data.BONUSES, data.REBID, data.BLOCK, data.ADJUSTMENT),
    *(data.INCREASE, data.FREE_FARMER, data.EIGHT_GOLD, data.ARCHITECT),
)
"""Which cards are parted with first."""


def cautious(view: View) -> AnOrder:
    """Return the safe default for the seat's present decision, from its view alone."""
    seat = view.seat or 0
    default = _DEFAULT.get(view.kind)
    return default(view, seat) if default else next(legal(view, seat))


def _worst(cards: list[int], n: int) -> list[int]:
    return sorted(cards, key=_CHEAP_FIRST.index)[:n]


def _bid(state: State, _seat: int) -> Bid:
    """AR-5.9: everybody gets a province; nothing is the least that one can pay, and some province is always free."""
    board = state.board
    free = [p for p in state.shown if p not in state.at]
    worth = [
        (board.fields[p] + board.income[p] + board.bonus_gold[p] + board.printed_farmers[p] + state.pyramids[p], -p)
        for p in free
    ]
    return Bid(-max(worth)[1], 0)


def _draft(state: State, _seat: int) -> Draft:
    back = _worst(state.drawn, state.back)
    return Draft(tuple(sorted(back)))


def _harvest(state: State, seat: int) -> Harvest:
    """AR-7.6: items must be taken: farmers while there are fields, then stones where most lie already."""
    items, own = state.items[seat], owned(state, seat)
    placed = []
    for p, room in zip(own, free_fields(state, own), strict=True):
        here = min(room, items)
        items -= here
        if here:
            placed.append((p, here))
    if not items:
        return Harvest(tuple(placed))
    best = max(own, key=lambda p: (state.stones[p], state.pyramids[p], -p))
    return Harvest(tuple(placed), ((best, items),))


_DEFAULT: dict[str, Callable[[State, int], AnOrder]] = {
    "bid": _bid,
    "sell": lambda state, seat: Sell(tuple(_worst(held(state.hands[seat]), missing(state, seat)))),
    "buy": lambda *_: Buy(0, (), Build()),
    "draft": _draft,
    "harvest": _harvest,
}
"""By kind of decision; of all others the first legal order is the safe one."""
