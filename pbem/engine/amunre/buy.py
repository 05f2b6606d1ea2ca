"""Phase 3: power cards are bought and drafted, then farmers, stones, free farmer and architect (AR-6)."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import permutations

from pbem.engine.amunre import placing
from pbem.engine.amunre.auction import highest, purse
from pbem.engine.amunre.cards import MARKS, deal, draw_some, open_draft, put_back, sale_faults, sell, some, to_be_had
from pbem.engine.amunre.data import ARCHITECT, ARCHITECTS_STONES, FREE_FARMER, KINDS, PRICES, PROVINCES, names
from pbem.engine.amunre.orders import Build, Buy, Draft, Placing
from pbem.engine.amunre.state import Ply, State, owned
from pbem.engine.core.choosing import choices, pick, take
from pbem.engine.core.message import N_, Message, Params, sentence
from pbem.engine.core.rng import Chance

BOUGHT = N_("{seat} buys {cards} power card(s) for {gold} gold.")
FARMERS = N_("{seat} buys farmers for {gold} gold: {placed}.")
STONES = N_("{seat} buys stones for {gold} gold: {placed}.")


def limit(state: State, seat: int) -> int:
    """AR-6.3: the largest card limit among the seat's provinces, not their sum."""
    limits = zip(state.board.card_limit, state.owner, strict=True)
    return max([most for most, owner in limits if owner == seat], default=0)


def numbers(state: State, seat: int) -> list[int]:
    """AR-6.2, 6.3, 6.9: how many cards can be bought, counting what could be sold for them."""
    gold, most, there = state.gold[seat], purse(state, seat), to_be_had(state)
    return [n for n in range(1, limit(state, seat) + 1) if PRICES[n] <= most and n <= there + max(PRICES[n] - gold, 0)]


def is_poor(state: State, seat: int) -> bool:
    """Return whether a seat has nothing at all to buy with, so that A and B with C are one question."""
    return not purse(state, seat)


def check_buy(state: State, seat: int, order: Buy) -> Iterator[Message]:
    """Name every fault of action A."""
    n = order.cards
    if order.build is not None:
        if n or order.sell:
            yield sentence("Farmers and stones can come along only if you buy no card.", "AR-6.1")
        yield from check_build(state, seat, order.build)
        return
    most = limit(state, seat)
    if not 0 <= n <= most:
        text = N_("You can't buy {cards} card(s): the highest card limit of your provinces is {limit}.")
        yield sentence(text, "AR-6.3", cards=n, limit=most)
        return
    if n == 0 and is_poor(state, seat):
        yield sentence("You have neither gold nor cards: buy nothing is all there is.", "AR-6.1")
    yield from sale_faults(state.hands[seat], (), order.sell, PRICES[n] - state.gold[seat], "AR-6.8")
    there = to_be_had(state) + len(order.sell)
    if n > there:
        text = N_("You can't buy {cards} card(s): only {there} are left to be drawn.")
        yield sentence(text, "AR-6.9", cards=n, there=there)


def legal_buys(state: State, seat: int) -> Iterator[Buy]:
    """Yield every legal order for A, with B and C along too: first those that neither play nor sell a card."""
    gold, hand, can = state.gold[seat], state.hands[seat], numbers(state, seat)
    if not is_poor(state, seat):
        yield Buy(0)
    yield from (Buy(n) for n in can if PRICES[n] <= gold)
    with_sales = (Buy(n, sold) for n in can if PRICES[n] > gold for sold in choices(hand, PRICES[n] - gold))
    for order in legal_builds(state, seat):
        if order.sell or order.free_farmer >= 0 or order.architect >= 0:
            yield from with_sales  # before the first of these, and no more then
        yield Buy(0, (), order)
    yield from with_sales


def sample_buy(state: State, seat: int, chance: Chance) -> Buy:
    """Draw a legal order for A; every one can come up."""
    can = numbers(state, seat)
    pick = chance.below(len(can) + 2)
    if pick < len(can):
        short = PRICES[can[pick]] - state.gold[seat]
        return Buy(can[pick], some(state.hands[seat], short, chance) if short > 0 else ())
    if pick == len(can) and not is_poor(state, seat):
        return Buy(0)
    return Buy(0, (), sample_build(state, seat, chance))


def buy(ply: Ply, seat: int, order: Buy) -> bool:
    """AR-6.3: sell, pay and draw; a latecomer gets and pays what is there (AR-6.12). True if a draft must be asked."""
    state = ply.state
    sell(ply, seat, order.sell)
    n = min(order.cards, to_be_had(state))
    if n == 0:
        ply.tell("{seat} buys no power cards.", "AR-6.3", seat)
        if order.build is not None:
            build(ply, seat, order.build)
        return False
    state.gold[seat] -= PRICES[n]
    ply.tell(BOUGHT, "AR-6.3", seat, marks=MARKS[seat], cards=n, gold=PRICES[n])
    if state.options.card_draft != "off":
        return open_draft(ply, seat, n)
    deal(ply, seat, draw_some(ply, n))
    return False


def check_draft(state: State, _seat: int, order: Draft) -> Iterator[Message]:
    """Name every fault of putting cards back."""
    back = order.back
    if len(back) != state.back:
        yield sentence("Cards to put back: {back}; you named {found}.", "AR-6.11", back=state.back, found=len(back))
    drawn: Params = {"cards": names(state.drawn)}
    if any(not 0 <= kind < KINDS or back.count(kind) > state.drawn.count(kind) for kind in back):
        yield sentence("You can put back only cards that you have just drawn: {cards}.", "AR-6.11", **drawn)
    if state.options.card_draft == "discard" and list(back) != sorted(back):  # text is read sorted; programs are told
        yield sentence("The cards discarded must be named in the order of their kinds.", "AR-6.11")


def legal_drafts(state: State, _seat: int) -> Iterator[Draft]:
    """Return every choice of cards to put back, in every order that makes a difference."""
    if state.options.card_draft == "discard":
        counted = [state.drawn.count(kind) for kind in range(KINDS)]
        return map(Draft, choices(counted, state.back))
    return map(Draft, sorted(set(permutations(state.drawn, state.back))))


def sample_draft(state: State, _seat: int, chance: Chance) -> Draft:
    """Draw a choice of cards to put back."""
    pool = state.drawn[:]
    back = take(pool, state.back, chance)
    return Draft(tuple(sorted(back) if state.options.card_draft == "discard" else back))


def draft(ply: Ply, seat: int, order: Draft) -> None:
    """AR-6.11: keep the rest of the cards drawn, put these back."""
    kept = ply.state.drawn[:]
    for kind in order.back:
        kept.remove(kind)
    put_back(ply, seat, order.back)
    deal(ply, seat, kept)


def cost(order: Build) -> int:
    """AR-6.2: what the farmers and stones of an order cost."""
    farmers, stones = placing.number(order.farmers), placing.number(order.stones)
    last = len(PRICES) - 1
    return PRICES[min(farmers, last)] + PRICES[min(stones, last)]


def check_build(state: State, seat: int, order: Build) -> Iterator[Message]:
    """Name every fault of actions B and C."""
    yield from placing.placing_faults(state, seat, order)
    yield from placing.spot_faults(state, seat, order)
    own = owned(state, seat)
    if order.architect in own and order.architect not in _sites(state, own, order.stones):
        text = N_("The architect needs two stones on {province}: place them there, or leave the card out.")
        yield sentence(text, "AR-6.7", province=PROVINCES[order.architect])
    missing = cost(order) - state.gold[seat]
    yield from sale_faults(state.hands[seat], order.cards, order.sell, missing, "AR-6.8")


def legal_builds(state: State, seat: int) -> Iterator[Build]:
    """Yield every legal order for B and C: first those that neither play nor sell a card."""
    own = owned(state, seat)
    gold, hand = state.gold[seat], state.hands[seat]
    for farmers, stones in _purchases(state, own, gold):
        yield Build(farmers, stones)
    for farmers, stones in _purchases(state, own, purse(state, seat)):
        short = max(cost(Build(farmers, stones)) - gold, 0)
        for free_farmer in (-1, *own) if hand[FREE_FARMER] else (-1,):
            for architect in (-1, *_sites(state, own, stones)) if hand[ARCHITECT] else (-1,):
                if short or free_farmer >= 0 or architect >= 0:
                    left = hand[:]
                    left[FREE_FARMER] -= free_farmer >= 0
                    left[ARCHITECT] -= architect >= 0
                    for sold in choices(left, short):
                        yield Build(farmers, stones, free_farmer, architect, sold)


def _purchases(state: State, own: list[int], most: int) -> Iterator[tuple[Placing, Placing]]:
    """Yield every way of buying and placing farmers and stones for at most `most` gold."""
    return placing.all_ways(state, own, highest(most), lambda farmers: range(highest(most - PRICES[farmers]) + 1))


def _sites(state: State, own: list[int], stones: Placing) -> list[int]:
    """AR-6.7: the provinces where the architect can be played after `stones` are placed."""
    placed = dict(stones)
    return [p for p in own if state.stones[p] + placed.get(p, 0) >= ARCHITECTS_STONES]


def sample_build(state: State, seat: int, chance: Chance) -> Build:
    """Draw a legal order for B and C; every one can come up."""
    own = owned(state, seat)
    gold, hand = state.gold[seat], state.hands[seat]
    most = purse(state, seat)
    room = placing.free_fields(state, own)
    f = chance.below(min(sum(room), highest(most)) + 1)
    s = chance.below(highest(most - PRICES[f]) + 1)
    farmers = placing.random_way(f, own, room, chance)
    stones = placing.random_way(s, own, None, chance)
    short = PRICES[f] + PRICES[s] - gold
    sold = some(hand, short, chance) if short > 0 else ()
    free_farmer = architect = -1
    if hand[FREE_FARMER] > sold.count(FREE_FARMER) and chance.below(2):
        free_farmer = pick(own, chance)
    if hand[ARCHITECT] > sold.count(ARCHITECT) and (sites := _sites(state, own, stones)) and chance.below(2):
        architect = pick(sites, chance)
    return Build(farmers, stones, free_farmer, architect, sold)


def build(ply: Ply, seat: int, order: Build) -> None:
    """AR-6.4 to AR-6.8: sell, pay and place."""
    sell(ply, seat, order.sell)
    if order.free_farmer >= 0:
        ply.state.ground[order.free_farmer] += 1  # the architect's work is done with the stones
    placing.play_on(ply, seat, order)
    if order.farmers:
        _bought(ply, seat, FARMERS, order.farmers)
        placing.lay_farmers(ply.state, order.farmers)
    if order.stones:
        _bought(ply, seat, STONES, order.stones)
    if order.stones or order.architect >= 0:
        placing.lay_stones(ply, order.stones, order.architect)
    if not order.farmers and not order.stones:
        ply.tell("{seat} buys no farmers and no stones.", "AR-6.1", seat)


def _bought(ply: Ply, seat: int, text: str, placed: Placing) -> None:
    price = PRICES[placing.number(placed)]
    ply.state.gold[seat] -= price
    marks = placing.marks_of(placed)
    ply.tell(text, "AR-6.2", seat, marks=marks, gold=price, placed=placing.worded(placed))
