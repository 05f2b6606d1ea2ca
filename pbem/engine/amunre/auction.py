"""Phase 2: the auction, and who sells cards to pay for it (AR-5)."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator

from pbem.engine.amunre.cards import MARKS, deal, held, play, sale_faults, sell, some
from pbem.engine.amunre.data import BLOCK, CARDS, PRICES, PROVINCES, REBID, lands
from pbem.engine.amunre.orders import Bid, Sell, called
from pbem.engine.amunre.placing import PROVINCE_MARKS
from pbem.engine.amunre.state import BID, Ply, State, clear_auction, order_of_play
from pbem.engine.core.choosing import choices, pick
from pbem.engine.core.message import N_, Event, Message, Param, sentence
from pbem.engine.core.rng import Chance

MET = N_("{seat} bids {gold} gold on {province}.")
BEAT = N_("{seat} bids {gold} gold on {province} and outbids {seat_beaten}.")
TOOK = N_("{seat} pays {gold} gold and takes {province}.")
BONUS = {
    (True, False): N_("{seat} takes the bonus of {province}: {gold} gold."),
    (False, True): N_("{seat} takes the bonus of {province}: {cards} power card(s)."),
    (True, True): N_("{seat} takes the bonus of {province}: {gold} gold and {cards} power card(s)."),
}
"""By whether there is gold among it, and cards."""


def lowest(state: State, p: int) -> int:
    """AR-5.2, AR-5.6: the lowest space on which one may bid in province `p`."""
    if p in state.at:
        holder = state.at.index(p)
        return state.bids[holder] + (2 if state.blocks[holder] else 1)
    return 0


def highest(purse: int) -> int:
    """AR-5.5: the highest space that `purse` gold pays for."""
    return bisect_right(PRICES, purse) - 1


def purse(state: State, seat: int) -> int:
    """AR-5.5: the gold a seat could pay if it sold all its cards."""
    return state.gold[seat] + sum(state.hands[seat])


def bound(state: State, seat: int) -> int:
    """AR-5.4, AR-5.7: the province a seat may not bid on next without a rebid card; -1: none."""
    return -1 if state.rebids[seat] else state.beaten[seat]


def may_block(state: State, seat: int) -> bool:
    """AR-5.6, AR-6.10: whether a bid block can be played with the next bid."""
    return state.hands[seat][BLOCK] > 0 and not state.blocks[seat]


def may_rebid(state: State, seat: int) -> bool:
    """AR-5.7, AR-6.10: whether a rebid card can be played with the next bid."""
    return state.hands[seat][REBID] > 0 and not state.rebids[seat] and state.beaten[seat] >= 0


def check_bid(state: State, seat: int, order: Bid) -> Iterator[Message]:
    """Name every fault of a bid."""
    yield from _card_faults(state, seat, order)
    p = order.province
    if p not in state.shown:
        text = N_("{province} is not up for auction; there are: {provinces}.")
        yield sentence(text, "AR-5.2", province=called(PROVINCES, p), provinces=lands(state.shown))
        return
    if not 0 <= order.space < len(PRICES):
        yield sentence("There is no bid space with the number {space}.", "AR-5.1", space=order.space)
        return
    price, most = PRICES[order.space], purse(state, seat) - order.block - order.rebid
    if p == bound(state, seat) and not order.rebid:
        text = N_("You were just outbid on {province}: bid on another province, or play a rebid card.")
        yield sentence(text, "AR-5.4", province=PROVINCES[p])
    if order.space < lowest(state, p):
        yield _too_low(state, p, price)
    if price > most:
        text = N_("You can't pay {gold}: gold and cards left to sell come to {most}.")
        yield sentence(text, "AR-5.5", gold=price, most=max(most, 0))


def _too_low(state: State, p: int, price: int) -> Message:
    holder = state.at.index(p)
    stands, least = PRICES[state.bids[holder]], PRICES[lowest(state, p)]
    text, rule = (
        N_("{gold} is too low on {province}: {seat_standing} has {stands} there, so bid at least {lowest}."),
        "AR-5.2",
    )
    if state.blocks[holder]:
        text, rule = (
            N_(
                "{gold} is too low on {province}: {seat_standing} has {stands} and a bid block there,"
                " so bid at least {lowest}."
            ),
            "AR-5.6",
        )
    return sentence(text, rule, gold=price, province=PROVINCES[p], seat_standing=holder, stands=stands, lowest=least)


def _card_faults(state: State, seat: int, order: Bid) -> Iterator[Message]:
    hand = state.hands[seat]
    for kind, used, lies in ((BLOCK, order.block, state.blocks[seat]), (REBID, order.rebid, state.rebids[seat])):
        if used and not hand[kind]:
            yield sentence("You have no {card} card.", "AR-1.5", card=CARDS[kind])
        if used and lies:
            text = N_("Your {card} card already counts for this auction: leave it out.")
            yield sentence(text, "AR-6.10", card=CARDS[kind])
    if order.rebid and state.beaten[seat] < 0:
        yield sentence("A rebid card can be played only after you were outbid: leave it out.", "AR-5.7")


def legal_bids(state: State, seat: int) -> Iterator[Bid]:
    """Yield every legal bid, those without cards first."""
    most = purse(state, seat)
    for block in (False, True)[: 1 + may_block(state, seat)]:
        for rebid in (False, True)[: 1 + may_rebid(state, seat)]:
            high = highest(most - block - rebid)
            free = -1 if rebid else bound(state, seat)
            for p in state.shown:
                if p != free:
                    for space in range(lowest(state, p), high + 1):
                        yield Bid(p, space, block, rebid)


def sample_bid(state: State, seat: int, chance: Chance) -> Bid:
    """Draw a legal bid; every one can come up."""
    most = purse(state, seat)
    block = may_block(state, seat) and chance.below(2) == 1
    rebid = may_rebid(state, seat) and chance.below(2) == 1
    high = highest(most - block - rebid)
    bar = -1 if rebid or state.rebids[seat] else state.beaten[seat]
    open_to = [(p, low) for p in state.shown if p != bar and (low := lowest(state, p)) <= high]
    p, low = pick(open_to, chance)
    return Bid(p, low + chance.below(high - low + 1), block, rebid)


def place_bid(ply: Ply, seat: int, order: Bid) -> None:
    """AR-5.2 to AR-5.7: put the bid, send the one that stood there away, and find who bids next."""
    state = ply.state
    p, space = order.province, order.space
    if order.block:
        state.blocks[seat] = 1
        _play_along(ply, seat, BLOCK, "AR-5.6")
    if order.rebid:
        state.rebids[seat] = 1
        _play_along(ply, seat, REBID, "AR-5.7")
    text = MET
    bid: dict[str, Param] = {"seat": seat, "gold": PRICES[space], "province": PROVINCES[p]}
    if p in state.at:
        loser = state.at.index(p)
        state.at[loser], state.beaten[loser] = -1, p
        text, bid["seat_beaten"] = BEAT, loser
    ply.events.append(Event(text, bid, "AR-5.2", seat, None, PROVINCE_MARKS[p]))
    state.at[seat] = p
    state.bids[seat] = space
    state.beaten[seat] = -1
    state.bids_made += 1
    state.asked = _next(state, seat)


def _play_along(ply: Ply, seat: int, kind: int, rule: str) -> None:
    play(ply.state, seat, kind)
    ply.tell("{seat} plays {card} with the bid.", rule, seat, marks=MARKS[seat], card=CARDS[kind])


def _next(state: State, last: int) -> list[int]:
    """AR-5.3: in the first pass everybody once, then clockwise whoever's bid does not stand."""
    n = state.seats
    if state.bids_made < n:
        return [(state.first + state.bids_made) % n]
    at = state.at
    for step in range(1, n):
        seat = (last + step) % n
        if at[seat] < 0:
            return [seat]
    return []


def is_sealed(state: State) -> bool:
    """AR-5.10: whether everybody owes a list now, before the first bid."""
    return state.phase == BID and not state.bids_made and state.options.auction == "sealed"


def missing(state: State, seat: int) -> int:
    """AR-5.5: the gold a seat lacks for its bid."""
    return max(PRICES[state.bids[seat]] - state.gold[seat], 0)


def must_choose(state: State, seat: int) -> bool:
    """AR-5.5: whether it makes a difference which cards are sold."""
    hand = state.hands[seat]
    return 0 < missing(state, seat) < sum(hand) and sum(map(bool, hand)) > 1


def check_sell(state: State, seat: int, order: Sell) -> Iterator[Message]:
    """Name every fault of a sale after the auction."""
    return sale_faults(state.hands[seat], (), order.sell, missing(state, seat), "AR-5.5")


def legal_sells(state: State, seat: int) -> Iterator[Sell]:
    """Return every choice of exactly the missing number."""
    return map(Sell, choices(state.hands[seat], missing(state, seat)))


def sample_sell(state: State, seat: int, chance: Chance) -> Sell:
    """Draw a choice of exactly the missing number."""
    return Sell(some(state.hands[seat], missing(state, seat), chance))


def take_over(ply: Ply, sold: dict[int, tuple[int, ...]]) -> None:
    """AR-5.8: everybody pays and takes a province with its gold and cards; then the display is cleared."""
    state = ply.state
    board = state.board
    for seat in order_of_play(state):
        p, price = state.at[seat], PRICES[state.bids[seat]]
        if short := missing(state, seat):
            sell(ply, seat, sold.get(seat) or held(state.hands[seat])[:short])
        state.gold[seat] += board.bonus_gold[p] - price
        state.owner[p] = seat
        ply.tell(TOOK, "AR-5.8", seat, marks=PROVINCE_MARKS[p], gold=price, province=PROVINCES[p])
        buried = state.buried[state.shown.index(p)]
        gold, cards = board.bonus_gold[p], len(buried)
        if gold or cards:
            text = BONUS[gold > 0, cards > 0]
            ply.tell(text, "AR-5.8", seat, marks=MARKS[seat], gold=gold, province=PROVINCES[p], cards=cards)
            deal(ply, seat, buried)
    clear_auction(state)
