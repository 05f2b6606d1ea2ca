"""A player of Egizia that looks for the best way down the river and spends its stones where they score."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from pbem.bots.egizia_valuation import Valuation
from pbem.bots.personality import Heuristic, factor
from pbem.engine.egizia import cards, crews, data, draws, feeding, monuments, orders, riders, sailing, tables, tombs
from pbem.engine.egizia import state as s
from pbem.engine.egizia.orders import AnyOrder

_ONWARD = 0.8
"""How far what lies downstream can be counted on still to be there."""
CARD_BACK = 1.0
_PASS = 0.3
"""A ship that brings less stays at home."""
_IDLE = 0.35
"""What a stone left over is worth."""
_GRAVE = 0.15
"""What a grave's value brings in the final scoring."""


def decide(view: Any, personality: str) -> AnyOrder:
    """Sum up what each order promises, and return the best."""
    return best_order(Valuation(view, personality))


def way(worth: Valuation) -> Iterator[orders.Ship]:
    """The ships of the best way: at each step a space's worth, and most of the best of what follows downstream."""
    board, own = worth.board, worth.own
    values = {space: _space_worth(worth, space) for space in tables.bits(sailing.free_spaces(own))}
    onward = [0.0] * (data.RIVER + 1)
    for space in reversed(range(data.RIVER)):
        here = values.get(space, 0.0) + _ONWARD * onward[space + 1]
        onward[space] = max(onward[space + 1], here)
    last = own.last
    for _ in range(own.ships):
        best, choice = _PASS, -1
        for space in tables.bits(sailing.free_spaces(own) & sailing.downstream(last)):
            promise = values[space] + _ONWARD * onward[space + 1]
            if values[space] > _PASS and promise > best:
                best, choice = promise, space
        if choice < 0:
            return
        yield _order_to(worth, sailing.name_of(board, choice), choice)
        last = choice


def _space_worth(worth: Valuation, space: int) -> float:
    kind = worth.t.kind[space]
    if kind == data.CARD:
        return worth.card(worth.board.cards[space])
    liked = factor(worth.personality, worth.t.space_name[space])
    if kind == data.ROUND:
        return liked * worth.space(space)
    site = worth.t.site_of[space]
    return liked * worth.site(site, sailing.first_free(worth.board, site))


def _order_to(worth: Valuation, name: str, space: int) -> orders.Ship:
    """Return a ship to `space` with its best choices there."""
    t, kind = worth.t, worth.t.kind[space]
    if kind == data.SITE:
        return orders.Ship(name, sailing.first_free(worth.board, t.site_of[space]))
    crew = data.CREWS[worth.best_crew()]
    if kind == data.CARD:
        return orders.Ship(name, crews=(crew,) * t.steps[worth.board.cards[space]])
    if t.action[space] == data.ANY_CREW:
        return orders.Ship(name, crews=(crew,))
    if t.action[space] == data.JOKER_RING:
        step = max((0, -1, 1), key=worth.ring)
        return orders.Ship(name, rings=() if not step else ("left" if step < 0 else "right",))
    return orders.Ship(name)


def _leftover(worth: Valuation) -> AnyOrder:
    """Return the card worth most."""
    card = max(feeding.left_on_river(worth.board), key=worth.card)
    crew = data.CREWS[worth.best_crew()]
    return orders.Leftover(worth.t.names[card], cards.ordered((crew,) * worth.t.steps[card]))


def _feed(worth: Valuation) -> AnyOrder:
    """Return a field that an improver waters, then grain cards while much is missing, stones while grain costs more."""
    also = _watering(worth)
    then, _ = riders.tried(worth.own, also)
    grain = max(grain for grain in feeding.grain_sums(then) if grain <= then.missing + 1)
    stones = feeding.most_stones(then, grain) if worth.cost > 1 else 0
    return orders.Feed(grain, stones, also=also)


def _watering(worth: Valuation) -> orders.Also:
    """Return the richest field that one improver would water."""
    t, own = worth.t, worth.own
    near = [card for card in own.fields if own.colour(card) == worth.board.ring + 1]
    if not near or not own.power & data.LAY:
        return orders.NOTHING
    return orders.Also(field=(t.names[max(near, key=t.value.__getitem__)],))


def _later(worth: Valuation, working: tuple[str, ...], stones: int) -> float:
    """Return what the crews left over can still build at the sites to come with these stones."""
    board, own = worth.board, worth.own
    sites = [slots for slots in board.slots[board.site + 1 :] if own.seat in slots]
    fresh = [own.crews[i] for i in crews.rested(own) if data.CREWS[i] not in working]
    joker = own.crews[data.JOKER] if "joker" not in working and not own.tired >> data.JOKER & 1 else 0
    total = 0.0
    for strength in sorted(fresh, reverse=True)[: len(sites)]:
        spent = min(strength + joker, stones)
        joker = 0
        stones -= spent
        total += spent + (1.5 if spent else 0.0)
    return total + _IDLE * stones


def _draw(worth: Valuation) -> AnyOrder:
    """Return as many cards as leave the sites to come enough stones."""
    own = worth.own
    best: tuple[float, AnyOrder] = (_later(worth, (), own.stones), orders.Renounce())
    plus = bool(own.power & data.PLUS_2)
    for working in crews.selections(own, 0):
        reach = own.strength(working)
        for n in range(1, draws.most(own, reach, plus=plus) + 1):
            drawn = n + (data.FREE_SPHINX if plus else 0)
            value = CARD_BACK * (drawn - 1) + 2.2 + 0.6 * drawn + 1.5
            value += _later(worth, working, own.stones - n)
            if value > best[0]:
                best = value, orders.Sphinx(n, working, ("+2",) * plus)
    return best[1]


def _keep(worth: Valuation) -> AnyOrder:
    """Return the card that promises most, if that is more than the point for putting it back."""
    promises = sorted(((worth.sphinx(card), card) for card in worth.board.drawn), reverse=True)
    kept = [card for promise, card in promises if promise > CARD_BACK]
    two = bool(worth.own.power & data.KEEP_TWO) and len(kept) > 1 and promises[1][0] > 3 * CARD_BACK
    chosen = [card for card in worth.board.drawn if card in kept[: 1 + two]]
    return orders.Keep(tuple(worth.t.sphinx[card].id for card in chosen), (), ("keep two",) * two)


def _build(worth: Valuation) -> AnyOrder:
    """Return what scores most now, with what is left for the sites to come."""
    own = worth.own
    best: tuple[float, AnyOrder] = (_later(worth, (), own.stones), orders.Renounce())
    for order, value, spent in _actions(worth):
        promise = value + 1.5 + _later(worth, order.crews, own.stones - spent)
        promise -= 1.5 * len(order.using)
        if promise > best[0]:
            best = promise, order
    return best[1]


def _actions(worth: Valuation) -> Iterator[tuple[orders.Raise | orders.Stack, float, int]]:
    """Build orders worth a thought, with what they score and cost."""
    board, own = worth.board, worth.own
    for working, using in crews.spans(own):
        budget = min(own.strength(working, using), own.stones)
        if board.site == data.OBELISK:
            for first, last, graves in tombs.things(board, budget):
                if first or graves:
                    chosen = data.MARKETS[market(worth)] if first else ""
                    order = orders.Raise(working, first, last, graves, chosen, using)
                    spent = tombs.value_of(board, order)
                    more = worth.market(market(worth), 1) if first else 0.0
                    yield order, spent + more + _GRAVE * sum(board.graves_open[:graves]), spent
        else:
            for amount in range(1, budget + 1):
                kinds = monuments.greedy(board, amount)
                if kinds:
                    stack = monuments.order_of(board.t, kinds, (working, using))
                    spent = monuments.value_of(board, stack)
                    yield stack, spent + _rows(worth, stack), spent


def _rows(worth: Valuation, order: orders.Stack) -> float:
    """Points for rows that `order` fills and leads."""
    total = 0.0
    for row in set(order.rows):
        owners = worth.board.pyramid[row - 1] + [worth.own.seat] * order.rows.count(row)
        if len(owners) == len(worth.t.rows[row - 1]) and owners.count(worth.own.seat) * 2 >= len(owners):
            total += owners.count(worth.own.seat)
    return total


def market(worth: Valuation) -> int:
    """Return the market whose next step is worth more."""
    return max((data.STONE, data.GRAIN_MARKET), key=lambda one: worth.market(one, 1))


def _dig(worth: Valuation) -> AnyOrder:
    """Return all the graves that can still be had."""
    board = worth.board
    budget = min(board.reach, worth.own.stones)
    graves = max(graves for first, _, graves in tombs.things(board, budget) if not first)
    return orders.Dig(graves=graves)


def _after(worth: Valuation) -> AnyOrder:
    """The improver for the weakest crew; two stones if many are left; in round 5 everything that still scores."""
    own = worth.own
    able = riders.crew_options(own)
    power, stones = own.power, own.stones
    crew = min(able, key=lambda name: own.crews[data.CREW_INDEX[name]]) if able else ""
    improve = (crew,) if crew and power & data.IMPROVE and (worth.rounds > 1 or worth.hunger < 0) else ()
    room = crew and own.crews[data.CREW_INDEX[crew]] + len(improve) < own.t.crew_max
    trade = (crew,) if room and power & data.TRADE and worth.rounds > 1 and stones > 3 * data.TRADE_STONES else ()
    sell = 0
    if power & data.SELL and worth.rounds == 1:
        sell = min(sum(own.values(data.SELL)), stones)
    fields = riders.field_options(own) if power & data.LAY and worth.rounds == 1 else []
    return orders.Done(also=orders.Also(improve, trade, tuple(fields[:1]), sell))


def best_order(worth: Valuation) -> AnyOrder:
    """Return the order for what the board asks."""
    return _DECIDE[worth.board.stage](worth)


_DECIDE: dict[str, Callable[[Valuation], AnyOrder]] = {
    s.SHIP: lambda worth: next(way(worth), orders.Pass()),
    s.LEFTOVER: _leftover,
    s.FEED: _feed,
    s.SHIFT: lambda _worth: orders.Move(),
    s.DRAW: _draw,
    s.KEEP: _keep,
    s.BUILD: _build,
    s.DIG: _dig,
    s.AFTER: _after,
}
HEURISTIC = Heuristic(decide)
