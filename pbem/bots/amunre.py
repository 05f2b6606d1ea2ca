"""A player of Amun-Re that knows what provinces, pyramids and offerings are worth; it sees only its view."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import product
from typing import Any

from pbem.bots.personality import Heuristic, factor
from pbem.engine.amunre import data
from pbem.engine.amunre.auction import legal_bids, missing
from pbem.engine.amunre.buy import limit, numbers
from pbem.engine.amunre.cards import held
from pbem.engine.amunre.cautious import cautious
from pbem.engine.amunre.harvest import workers, yields
from pbem.engine.amunre.orders import Adjust, AnOrder, Bid, Build, Buy, Harvest, Offer, Placing, Sell, Take
from pbem.engine.amunre.phases import check
from pbem.engine.amunre.placing import free_fields
from pbem.engine.amunre.state import State, owned

# What things are worth, in gold.
_POINT = 3.0
_CARD, _STONE, _LIMIT = 3.0, 2.4, 1.2
_TEMPLE = 2.4
"""The temple's space, as it mostly comes out."""
_CAMELS = 0.55
"""How often the caravans come."""
_FIELD = 0.7
"""Income that a field promises for each harvest, over what its farmer costs."""
_OLD_PYRAMID = 2.6
"""Points that a pyramid already standing is likely to bring."""
_MOST_STONES = 9
_PARTED_WITH = (0.2, 0.3, 2.2, 4.0, 1.2, 3.0, 1.8, 1.0, 1.0, 1.0, 1.0, 1.0)
"""By kind of card, what it is worth to keep."""


def decide(view: Any, personality: str) -> AnOrder:
    """Weigh provinces by what they will yield, build pyramids where they count, offer a fair share.

    Where it has no idea, or its idea isn't legal, the order is the cautious one.
    """
    seat, choose = view.seat, _DECIDE.get(view.kind)
    order = best_bid(view, seat, personality) if view.kind == "bid" else choose(view, seat) if choose else None
    return order if order is not None and not check(view, seat, order) else cautious(view)


def harvests(state: State) -> int:
    """Harvests still to come in this kingdom."""
    return data.ROUNDS + 1 - state.round


def is_last(state: State) -> bool:
    """Return whether it is the last round of the game, when gold is worth little."""
    return state.kingdom > 1 and state.round == data.ROUNDS


def province_worth(state: State, seat: int, p: int) -> float:
    """Return what owning province `p` promises until the next scoring, in gold."""
    board, left = state.board, harvests(state)
    income = board.income[p] * (_CAMELS if board.camel[p] else 1.0) + board.printed_farmers[p] * _TEMPLE
    fields = sum(_FIELD / (1 + n / 4) for n in range(board.fields[p]))
    cards = _CARD * board.bonus_cards[p]
    if not is_last(state):
        cards += _LIMIT * max(0, board.card_limit[p] - limit(state, seat))
    stones = _STONE * (board.bonus_stones[p] * (p in state.shown) + state.stones[p])
    temples = _POINT * _TEMPLE * board.temples[p]
    pyramids = _POINT * (_OLD_PYRAMID * state.pyramids[p] + _evened(state, seat, p))
    return left * (income + fields) + cards + board.bonus_gold[p] + stones + temples + pyramids


def liked(state: State, seat: int, p: int, personality: str) -> float:
    """Return what owning province `p` promises to a player of this personality."""
    return factor(personality, data.PROVINCES[p]) * province_worth(state, seat, p)


def _evened(state: State, seat: int, p: int) -> float:
    """Points for pyramids that even out with those on the seat's other provinces to sets."""
    others = [state.pyramids[own] for own in owned(state, seat)]
    return data.SET_POINTS * 0.5 * min([state.pyramids[p], *others]) if others else 0.0


SPENDABLE = 0.62
"""How much of a purse goes into one bid at most."""
PRICE_OF_GOLD = 1.1
"""What a gold piece bid is worth beside one that a province promises."""


def best_bid(state: State, seat: int, personality: str) -> Bid | None:
    """Return the province that is worth most over its price; a purse is never emptied for it."""
    spendable = SPENDABLE * state.gold[seat]
    best, found = -1e9, None
    for bid in legal_bids(state, seat):
        price = data.PRICES[bid.space]
        if bid.block or bid.rebid or price > spendable:
            continue
        profit = liked(state, seat, bid.province, personality) - PRICE_OF_GOLD * price
        if profit > best:
            best, found = profit, bid
    return found


def _sell(state: State, seat: int) -> Sell:
    cards = sorted(held(state.hands[seat]), key=lambda kind: _PARTED_WITH[kind])
    return Sell(tuple(cards[: missing(state, seat)]))


def buy(state: State, seat: int) -> Buy:
    """One or two cards early in a kingdom, while gold is left for building."""
    gold = state.gold[seat]
    wanted = 0 if is_last(state) else 2 if gold >= 16 else 1 if gold >= 7 else 0  # noqa: PLR2004 - a rule of thumb
    can = [n for n in numbers(state, seat) if n <= wanted and data.PRICES[n] <= gold]
    return Buy(max(can, default=0))


def build(state: State, seat: int) -> Build:
    """Farmers as long as they pay, stones where they make pyramids that count, the cards that help."""
    own = owned(state, seat)
    reserve = 3 if is_last(state) else 8
    purse = max(0, state.gold[seat] - reserve)
    room = free_fields(state, own)
    yielding = (_TEMPLE + (state.hands[seat][data.INCREASE] > 0) * 0.4) * harvests(state)
    farmers = 0
    while farmers < sum(room) and farmers + 1 < yielding and data.PRICES[farmers + 1] <= purse:
        farmers += 1
    stones, architect = _best_stones(state, seat, purse - data.PRICES[farmers])
    free = (
        max(own, key=lambda p: (state.board.fields[p], -p), default=-1) if state.hands[seat][data.FREE_FARMER] else -1
    )
    return Build(_fill(own, room, farmers), stones, free, architect)


def _fill(own: Sequence[int], room: Sequence[int], farmers: int) -> Placing:
    """Farmers put on the widest provinces first, so that the cards for one province count double."""
    placed: dict[int, int] = {}
    for space, p in sorted(zip(room, own, strict=True), reverse=True):
        placed[p] = min(space, farmers)
        farmers -= placed[p]
    return tuple((p, placed[p]) for p in sorted(placed) if placed[p])


def _best_stones(state: State, seat: int, purse: int) -> tuple[Placing, int]:
    """Which stones to buy for `purse`, where, and where to send the architect."""
    own = owned(state, seat)
    architects = [-1, *own] if state.hands[seat][data.ARCHITECT] else [-1]
    worth = 1.0 if not is_last(state) else 0.35
    best = -1e9
    found: tuple[Placing, int] = ((), -1)
    for architect in architects:
        keep = 0.0 if architect < 0 else 3.0 if not closing(state) else 0.3
        for placing in _placings(own, purse):
            value = _POINT * _standing(state, seat, dict(placing), architect)
            value -= keep + worth * data.PRICES[sum(n for _, n in placing)]
            if value > best:
                best, found = value, (placing, architect)
    return found


def closing(state: State) -> bool:
    """Return whether a scoring ends this round."""
    return state.round == data.ROUNDS


def _placings(own: Sequence[int], purse: int) -> Iterator[Placing]:
    """Yield every way to place as many stones as the purse pays for."""
    most = max(n for n in range(_MOST_STONES + 1) if data.PRICES[n] <= max(purse, 0))
    for counts in product(range(most + 1), repeat=len(own)):
        if sum(counts) <= most:
            yield tuple((p, n) for p, n in zip(own, counts, strict=True) if n)


def _standing(state: State, seat: int, stones: dict[int, int], architect: int = -1) -> float:
    """Points that the seat's pyramids and stones are worth, these stones added."""
    own = owned(state, seat)
    pyramids, loose = [], 0.0
    for p in own:
        total = state.stones[p] + stones.get(p, 0)
        built, rest = raised(total, architect == p)
        pyramids.append(state.pyramids[p] + built)
        loose += rest
    missing_lands = data.ROUNDS - len(own)
    sets = min(pyramids, default=0) * data.SET_POINTS * (1.0 if not missing_lands else 0.7)
    spread = 0.25 * sum(min(n, min(pyramids) + 1) for n in pyramids) if pyramids else 0.0
    reuse = 1.35 if state.kingdom == 1 else 1.0
    alone = 0.05 if closing(state) else 0.45
    return reuse * sum(pyramids) + sets + spread + _bank_hopes(state, own, pyramids) + alone * loose


def raised(total: int, by_architect: bool) -> tuple[int, int]:  # noqa: FBT001 - AR-6.6 and AR-6.7 in one line each
    """Pyramids and stones that `total` stones in one province become."""
    if by_architect and total >= data.ARCHITECTS_STONES:
        more = total - data.ARCHITECTS_STONES
        return 1 + more // data.STONES_A_PYRAMID, more % data.STONES_A_PYRAMID
    return total // data.STONES_A_PYRAMID, total % data.STONES_A_PYRAMID


def _bank_hopes(state: State, own: Sequence[int], pyramids: Sequence[int]) -> float:
    """AR-9.3: what the lead on each bank is worth, or being close to it."""
    hopes = 0.0
    for bank in (0, 1):
        mine = max([n for p, n in zip(own, pyramids, strict=True) if state.board.bank[p] == bank], default=0)
        theirs = [
            state.pyramids[p]
            for p, who in enumerate(state.owner)
            if state.board.bank[p] == bank and who >= 0 and p not in own
        ]
        margin = mine - max(theirs, default=0)
        if mine:
            hopes += data.BANK_POINTS * (0.85 if margin > 0 else 0.45 if margin == 0 else 0.1)
    return hopes


def offer(state: State, seat: int) -> Offer | None:
    """About half of the purse, most of it in the last round; who has no gold is left to the cautious choice."""
    gold = state.gold[seat]
    if not gold:
        return None
    share = 0.75 if is_last(state) else 0.42
    most = 21 if is_last(state) else 13
    return Offer(max(1, min(most, round(gold * share))))


def adjust(state: State, seat: int) -> Adjust:
    """Up for farmers and temples, down for caravans."""
    own = owned(state, seat)
    up: float = sum(workers(state, p) for p in own)
    up += _POINT * sum(state.board.temples[p] for p in own) * closing(state)
    down = sum(state.board.income[p] for p in own if state.board.camel[p])
    return Adjust(up=up >= down / 2)


def _take(state: State, seat: int) -> Take:
    """One card of three items while there are rounds to use it; stones and farmers otherwise."""
    return Take(1 if state.items[seat] > 2 and not closing(state) else 0)  # noqa: PLR2004 - a rule of thumb


def harvest(state: State, seat: int) -> Harvest:
    """Return the items where they count most, and the harvest cards where they bring most."""
    own, items = owned(state, seat), state.items[seat]
    room = free_fields(state, own)
    best = -1e9
    found: tuple[Placing, Placing] = ((), ())
    for farmers in range(min(items, sum(room)) + 1):
        for counts in product(range(items - farmers + 1), repeat=len(own)):
            if sum(counts) != items - farmers:
                continue
            stones = {p: n for p, n in zip(own, counts, strict=True) if n}
            value = _POINT * _standing(state, seat, stones) + farmers * max(1, state.temple) * harvests(state)
            if value > best:
                best, found = value, (_fill(own, room, farmers), tuple(stones.items()))
    increase, eight = _harvest_cards(state, seat, dict(found[0]))
    return Harvest(found[0], found[1], increase, eight)


def _harvest_cards(state: State, seat: int, added: dict[int, int]) -> tuple[int, int]:
    """Return where the two cards bring enough, each in another province; -1 to keep them."""
    own, hand = owned(state, seat), state.hands[seat]
    crowd = {p: workers(state, p) + added.get(p, 0) for p in own}
    income = {p: yields(state, p, state.temple) + added.get(p, 0) * state.temple for p in own}
    increase = max(own, key=lambda p: crowd[p], default=-1) if hand[data.INCREASE] else -1
    if increase >= 0 and crowd[increase] < (1 if is_last(state) else 3):
        increase = -1
    poor = [p for p in own if p != increase]
    eight = min(poor, key=lambda p: income[p], default=-1) if hand[data.EIGHT_GOLD] else -1
    if eight >= 0 and data.EIGHT - income[eight] < (1 if is_last(state) else 5):
        eight = -1
    return increase, eight


_DECIDE: dict[str, Callable[[State, int], AnOrder | None]] = {
    "sell": _sell,
    "buy": buy,
    "build": build,
    "offer": offer,
    "adjust": adjust,
    "take": _take,
    "harvest": harvest,
}
"""By decision; nothing better than the cautious order is known of drafts and of bonus cards kept."""
HEURISTIC = Heuristic(decide)
