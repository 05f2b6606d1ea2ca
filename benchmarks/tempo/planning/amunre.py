"""The plans of the Amun-Re bot: its limits for an auction, and the rest of a round on one page."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from pbem.bots import amunre as bot
from pbem.engine.amunre import plans
from pbem.engine.amunre.data import ARCHITECT, CARDS, FREE_FARMER, PRICES, PROVINCES
from pbem.engine.amunre.harvest import workers, yields
from pbem.engine.amunre.orders import AnOrder, Build, Buy
from pbem.engine.amunre.phases import check
from pbem.engine.amunre.state import BID, BUILD, BUY_DRAFT, OFFER, OVER, SELL, State, owned
from pbem.engine.amunre.view import View
from pbem.engine.core.copying import copied
from pbem.engine.core.plans import Plan

_ITEMS: Final = 3
_CROWD: Final = 3
_GAIN: Final = 5
"""Gold that makes the card of eight gold worth its while before the last round."""
_EXPECTED: Final = 3
"""Where the temple mostly comes out."""


def plan(view: View, personality: str, ask: int = 0) -> Iterator[Plan]:  # noqa: ARG001 - alike for every game
    """Yield everything the bot would plan now."""
    assert view.seat is not None
    if view.phase == OVER:
        return
    if view.phase == BID:
        yield limits(view, personality)
    elif view.phase != SELL:
        yield _round(copied(view, State), view.seat)


def whole(view: View, order: AnOrder) -> AnOrder:
    """The order with all that its page takes along: who buys no card places farmers and stones at once (AR-6.3)."""
    assert view.seat is not None
    if not isinstance(order, Buy) or order.cards or order.build is not None:
        return order
    both = Buy(0, build=bot.build(view, view.seat))
    return order if check(view, view.seat, both) else both


def limits(view: View, personality: str) -> plans.BidPlan:
    """What each province is worth, by the steps that can be tapped, and how much of the purse goes into one bid."""
    assert view.seat is not None
    worth = [bot.liked(view, view.seat, p, personality) / bot.PRICE_OF_GOLD for p in view.shown]
    return plans.BidPlan(
        places=tuple(PROVINCES[p] for p in view.shown),
        limits=tuple(min((abs(step - gold), step) for step in plans.WORTH)[1] for gold in worth),
        within=max(price for price in PRICES if price <= bot.SPENDABLE * view.gold[view.seat]),
    )


def _round(state: State, seat: int) -> plans.RoundPlan:
    """Cards, building, offering, rewards and harvest, each as the bot would choose with the gold left then."""
    own = owned(state, seat)
    cards, offer = -1, -1
    farmers: tuple[int, ...] = ()
    stones: tuple[int, ...] = ()
    free = architect = ""
    builds = state.phase <= BUILD and seat not in state.built
    if builds:
        if state.phase <= BUY_DRAFT:
            cards = bot.buy(state, seat).cards
            state.gold[seat] -= PRICES[cards]
        build = bot.build(state, seat)
        placed, laid = dict(build.farmers), dict(build.stones)
        farmers, stones = tuple(placed.get(p, 0) for p in own), tuple(laid.get(p, 0) for p in own)
        free = PROVINCES[build.free_farmer] if build.free_farmer >= 0 else ""
        architect = PROVINCES[build.architect] if build.architect >= 0 else ""
        _lay(state, seat, build)
    if state.phase <= OFFER:
        chosen = bot.offer(state, seat)
        offer = chosen.gold if chosen is not None else -1
        state.temple = _EXPECTED  # what the last harvest found tells nothing of this one
    missing = tuple(CARDS[kind] for kind in (ARCHITECT, FREE_FARMER) if not state.hands[seat][kind])
    rewards, alike = _rewards(state, seat)
    return plans.RoundPlan(
        cards=cards,
        farmers=farmers,
        stones=stones,
        places=tuple(PROVINCES[p] for p in own) if builds else (),
        free_farmer=free,
        architect=architect,
        asked_for=missing if builds else (),
        offer=offer,
        adjust="raise" if bot.adjust(state, seat).up else "lower",
        rewards=rewards,
        alike=alike,
        **_harvest_cards(state, seat, rewards[0]),
        gain=1 if bot.is_last(state) else _GAIN,
    )


def _lay(state: State, seat: int, build: Build) -> None:
    """Pay for what was built and put it on the board, as far as what comes later hangs on it."""
    placed, laid = dict(build.farmers), dict(build.stones)
    state.gold[seat] -= PRICES[sum(placed.values())] + PRICES[sum(laid.values())]
    for p in owned(state, seat):
        state.farmers[p] += placed.get(p, 0)
        raised, state.stones[p] = bot.raised(state.stones[p] + laid.get(p, 0), build.architect == p)
        state.pyramids[p] += raised


def _rewards(state: State, seat: int) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """What the bot takes with one, two and three items, as a list or all alike; of three a card, where it takes one."""
    best = {items: _pieces(state, seat, items) for items in range(1, _ITEMS + 1)}
    closing = bot.closing(state)
    found = list(best[2])
    if best[1][0] in found:
        found.sort(key=lambda piece: piece != best[1][0])
    elif found[0] == found[1]:
        found[0] = best[1][0]
    alike = [pieces[0] if len({*pieces}) == 1 and len(pieces) > 1 else "" for pieces in (best[2], best[3])]
    third = [piece for piece in best[3] if piece not in found] or best[3]
    listed = (*found, third[0] if closing else "card")
    return listed, (alike[0], alike[1] if closing else "")


def _pieces(state: State, seat: int, items: int) -> list[str]:
    """Return how the bot places so many items."""
    state.items[seat] = items
    order = bot.harvest(state, seat)
    pieces = [f"farmer {PROVINCES[p]}" for p, n in order.farmers for _ in range(n)]
    return pieces + [f"stone {PROVINCES[p]}" for p, n in order.stones for _ in range(n)]


def _harvest_cards(state: State, seat: int, first: str) -> dict[str, str]:
    """Return where the two cards bring most, whether in hand already or not; `first`: the reward item that is sure."""
    own = owned(state, seat)
    crowd = {p: workers(state, p) + (first == f"farmer {PROVINCES[p]}") for p in own}
    best = max(own, key=lambda p: crowd[p], default=-1)
    increase = best if best >= 0 and crowd[best] >= (1 if bot.is_last(state) else _CROWD) else -1
    income = {p: yields(state, p, state.temple) for p in own if p != increase}
    poor = min(income, key=lambda p: income[p], default=-1)
    return {
        "increase": PROVINCES[increase] if increase >= 0 else "",
        "eight": PROVINCES[poor] if poor >= 0 else "",
    }


WRITTEN: Final = """
until changed
for bid:
when outbid and my_gold >= 20: bid up to 15 on Mendes or Avaris or Thebes or Memphis or Kharga or Berenike
when kingdom = 2: bid up to 10 on Memphis or Abydos or Amarna or Damanhur or Edfu or Thebes
bid up to 6 on Mendes or Avaris or Kharga or Buto or Amarna or Damanhur or Edfu or Thebes or Memphis
bid up to 6 on Sawu or Berenike or Abu or Baharya or Dakhla or Abydos
bid lowest
for buy:
when kingdom = 2 and round = 3: buy no cards
when my_gold >= 16: buy 2 cards
when my_gold >= 7: buy 1 card
buy no cards
for build:
ask me
for offer:
ask me
for adjust:
when my_farmers >= 3: raise
lower
for take:
when my_items = 3 and round < 3: take 1 card
take no cards
"""
"""A standing order as a plain player might write it: kept to measure what a program costs beside a plan."""
