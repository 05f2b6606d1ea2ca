"""Reward items placed, harvest cards played, and phase 5: what farmers and provinces yield (AR-7.6, AR-8)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from pbem.engine.amunre import placing
from pbem.engine.amunre.cards import MARKS, sale_faults
from pbem.engine.amunre.data import BONUSES, CAMEL_SPACES, CARDS, EIGHT, EIGHT_GOLD, INCREASE, LANDS, ROUNDS, names
from pbem.engine.amunre.orders import Cards, Harvest, Keep, Placing, called
from pbem.engine.amunre.state import Ply, State, order_of_play, owned
from pbem.engine.core.choosing import pick
from pbem.engine.core.message import N_, Event, Message, sentence
from pbem.engine.core.rng import Chance

FARMERS = N_("{seat} takes farmers as a reward: {placed}.")
STONES = N_("{seat} takes stones as a reward: {placed}.")
EARNED = N_("{seat} harvests {gold} gold.")


def is_asked(state: State, seat: int) -> bool:
    """Return whether a seat has reward items left to place, or a harvest card that it may play."""
    hand = state.hands[seat]
    return state.items[seat] > 0 or hand[EIGHT_GOLD] > 0 or hand[INCREASE] > 0


def check_harvest(state: State, seat: int, order: Harvest) -> Iterator[Message]:
    """Name every fault of placing reward items and playing harvest cards."""
    yield from placing.placing_faults(state, seat, order)
    placed = placing.number(order.farmers) + placing.number(order.stones)
    if placed != state.items[seat]:
        said = N_("Items to take as farmers or stones: {items}; you placed {placed}.")
        yield sentence(said, "AR-7.6", items=state.items[seat], placed=placed)
    yield from placing.spot_faults(state, seat, order)
    yield from sale_faults(state.hands[seat], order.cards, (), 0, "AR-8.3")
    if order.keep_none and (order.keep or not said_to_keep(state, seat)):
        text = N_("You haven't said to keep a bonus card that you have: there is nothing to take back.")
        yield sentence(text, "AR-9.5")
    if order.keep:
        yield from _keep_faults(state, seat, order.keep)


def _keep_faults(state: State, seat: int, keep: Cards) -> Iterator[Message]:
    yield from check_keep(Keep(keep))
    if state.round != ROUNDS:
        said = N_("Bonus cards are scored after the third round only: say nothing of {cards} yet.")
        yield sentence(said, "AR-9.5", cards=names(kind for kind in keep if kind in BONUSES))
    missing = names(kind for kind in keep if kind in BONUSES and not state.hands[seat][kind])
    if missing:
        yield sentence("You can keep only bonus cards that you have, not {cards}.", "AR-9.5", cards=missing)


def check_keep(order: Keep) -> Iterator[Message]:
    """Name every fault of keeping bonus cards from the scoring (AR-9.5)."""
    others = tuple(called(CARDS, kind) for kind in order.cards if kind not in BONUSES)
    if others:
        yield sentence("Only bonus cards can be kept from the scoring, not {cards}.", "AR-9.5", cards=others)
    elif len(set(order.cards)) < len(order.cards):
        yield sentence("The bonus cards kept must be named once each.", "AR-9.5")


def _subsets(kinds: Cards) -> Iterator[Cards]:
    for bits in range(1 << len(kinds)):
        yield tuple(kind for i, kind in enumerate(kinds) if bits >> i & 1)


def legal_keeps() -> Iterator[Keep]:
    """Return every set of bonus cards, held or not: it is said ahead."""
    return map(Keep, _subsets(BONUSES))


def sample_keep(chance: Chance) -> Keep:
    """Draw a set of bonus cards."""
    return Keep(tuple(kind for kind in BONUSES if chance.below(2)))


def keep(ply: Ply, seat: int, cards: Cards) -> None:
    """AR-9.5: remember which bonus cards a seat keeps; nobody else learns of it, and nobody is told twice."""
    if ply.state.keeps[seat] == list(cards):
        return
    ply.state.keeps[seat] = list(cards)
    text = N_("At the next scoring you play every bonus card that counts.")
    if cards:
        text = N_("At the next scoring you keep: {cards}.")
    ply.events.append(Event(text, {"cards": names(cards)}, "AR-9.5", seat, (seat,)))


def said_to_keep(state: State, seat: int) -> list[int]:
    """AR-9.5: the bonus cards in hand that a seat has said it keeps."""
    return [kind for kind in state.keeps[seat] if state.hands[seat][kind]]


def legal_harvests(state: State, seat: int) -> Iterator[Harvest]:
    """Yield every legal order: first those without cards."""
    own, hand = owned(state, seat), state.hands[seat]
    keepable = tuple([kind for kind in BONUSES if hand[kind]]) if state.round == ROUNDS else ()
    for farmers, stones in _placings(state, own, state.items[seat]):
        yield Harvest(farmers, stones)
    for farmers, stones in _placings(state, own, state.items[seat]):
        for increase in (-1, *own) if hand[INCREASE] else (-1,):
            for eight_gold in (-1, *own) if hand[EIGHT_GOLD] else (-1,):
                for kept in _subsets(keepable):
                    if kept or increase >= 0 or eight_gold >= 0:
                        yield Harvest(farmers, stones, increase, eight_gold, kept)
                if said_to_keep(state, seat):
                    yield Harvest(farmers, stones, increase, eight_gold, keep_none=True)


def _placings(state: State, own: list[int], items: int) -> Iterator[tuple[Placing, Placing]]:
    return placing.all_ways(state, own, items, lambda farmers: (items - farmers,))


def sample_harvest(state: State, seat: int, chance: Chance) -> Harvest:
    """Draw a legal order; every one can come up."""
    own, hand, items = owned(state, seat), state.hands[seat], state.items[seat]
    farmers: Placing = ()
    stones: Placing = ()
    if items:
        room = placing.free_fields(state, own)
        f = chance.below(min(items, sum(room)) + 1)
        farmers = placing.random_way(f, own, room, chance)
        stones = placing.random_way(items - f, own, None, chance)
    increase = pick(own, chance) if hand[INCREASE] and chance.below(2) else -1
    eight_gold = pick(own, chance) if hand[EIGHT_GOLD] and chance.below(2) else -1
    kept: Cards = ()
    if state.round == ROUNDS:
        kept = tuple([kind for kind in BONUSES if hand[kind] and not chance.below(4)])
    keep_none = not kept and bool(said_to_keep(state, seat)) and chance.below(2) == 1
    return Harvest(farmers, stones, increase, eight_gold, kept, keep_none)


def settle(ply: Ply, orders: Mapping[int, Harvest]) -> None:
    """AR-7.6, AR-8.3, AR-8.4: place all reward items, then play the cards; everybody at once."""
    state = ply.state
    for seat in order_of_play(state):
        order = orders.get(seat)
        if order is not None:
            for text, placed in ((FARMERS, order.farmers), (STONES, order.stones)):
                if placed:
                    marks = placing.marks_of(placed)
                    ply.tell(text, "AR-7.6", seat, marks=marks, placed=placing.worded(placed))
            placing.lay_farmers(state, order.farmers)
            placing.lay_stones(ply, order.stones, -1)
            state.items[seat] = 0
            placing.play_on(ply, seat, order)
            if order.keep or order.keep_none:
                keep(ply, seat, order.keep)


def workers(state: State, p: int) -> int:
    """AR-6.4, AR-6.5: all farmers of a province: on fields, on open ground, printed."""
    return state.farmers[p] + state.ground[p] + state.board.printed_farmers[p]


def yields(state: State, p: int, temple: int) -> int:
    """AR-8.1, AR-8.2: what a province earns on a temple space, without cards."""
    board = state.board
    fixed = board.income[p] if temple <= CAMEL_SPACES or not board.camel[p] else 0
    return workers(state, p) * temple + fixed


def harvest(ply: Ply, orders: Mapping[int, Harvest]) -> None:
    """AR-8: everybody earns, from the first player on."""
    state = ply.state
    earned = [0] * state.seats
    for p in range(LANDS):
        owner = state.owner[p]
        if owner >= 0:
            gold = yields(state, p, state.temple)
            order = orders.get(owner)
            if order is not None:
                if order.increase == p:
                    gold += workers(state, p)
                if order.eight_gold == p:
                    gold = EIGHT
            earned[owner] += gold
    for seat in order_of_play(state):
        gold = earned[seat]
        state.gold[seat] += gold
        if state.options.gold == "public":
            ply.tell(EARNED, "AR-8.1", seat, marks=MARKS[seat], gold=gold)
        else:
            ply.tell("{seat} brings in the harvest.", "AR-8.1", seat)
            text = N_("You harvest {gold} gold.")
            ply.events.append(Event(text, {"gold": gold}, "AR-8.1", seat, (seat,), MARKS[seat]))
