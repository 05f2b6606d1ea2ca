"""EG-4.4 leftover cards, EG-5.1 feeding, EG-5.2 quarrying: between sailing and building."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import combinations

from pbem.engine.core.message import N_, Message, sentence
from pbem.engine.core.rng import Chance
from pbem.engine.egizia import cards, data, riders
from pbem.engine.egizia.orders import NOTHING, Feed, Leftover
from pbem.engine.egizia.ply import Ply
from pbem.engine.egizia.state import State, colour_of, grain_of, need_of, quarry_of
from pbem.engine.egizia.tables import Tables

_HELPS = data.GRAIN | data.FEED_STONES | data.LAY


def left_on_river(state: State) -> list[int]:
    """Nile cards still on the river, in river order."""
    return [card for card in state.cards if card >= 0]


def check_leftover(t: Tables, state: State, _seat: int, order: Leftover) -> list[Message]:
    """EG-4.4: a card that lies there, its crews where it wants them."""
    if not order.card:
        return list(cards.crew_faults(N_("To take no card"), 0, order.crews))
    card = t.index.get(order.card, -1)
    if card < 0 or card not in state.cards:
        return [cards.not_there(t, state, order.card, "EG-4.4")]
    return list(cards.crew_faults(order.card, t.steps[card], order.crews))


def legal_leftover(t: Tables, state: State, _seat: int) -> Iterator[Leftover]:
    """None, then each card left."""
    yield Leftover()
    for card in left_on_river(state):
        for crews in cards.crew_choices(t.steps[card]):
            yield Leftover(t.names[card], crews)


def sample_leftover(t: Tables, state: State, _seat: int, chance: Chance) -> Leftover:
    """Return a random card or none."""
    left = left_on_river(state)
    pick = chance.below(len(left) + 1)
    if pick == len(left):
        return Leftover()
    card = left[pick]
    crews = cards.ordered(tuple(data.CREWS[chance.below(len(data.CREWS))] for _ in range(t.steps[card])))
    return Leftover(t.names[card], crews)


def leftover_taken(t: Tables, _state: State, order: Leftover) -> int:
    """Return the card that `order` takes, -1 for none."""
    return t.index.get(order.card, -1)


def take_leftover(ply: Ply, seat: int, order: Leftover) -> None:
    """EG-4.4: the card comes to its taker; nothing sails."""
    t, state = ply.t, ply.state
    card = t.index.get(order.card, -1)
    before, after = riders.split(t, state, seat, order.also, card)
    riders.perform(ply, seat, before)
    if card < 0:
        ply.tell(seat, N_("{seat} takes no card that was left."), "EG-4.4")
    else:
        space = state.cards.index(card)
        state.cards[space] = data.HIDDEN
        state.taken |= 1 << space
        text = N_("{seat} takes {card}, left on the river: {what}.")
        ply.tell(seat, text, "EG-4.4", t.mark[space], card=order.card, what=t.what[card])
        cards.take(ply, seat, card, order.crews)
    riders.perform(ply, seat, after)


def missing_of(t: Tables, state: State, seat: int) -> int:
    """EG-5.1: grain that the watered fields don't give."""
    return max(0, need_of(state, seat) - grain_of(t, state, seat))


def cost_of(t: Tables, state: State, seat: int) -> int:
    """EG-5.1: points that each missing grain costs."""
    return t.parts.grain_market_cost[state.grain_at[seat]]


def asked_to_feed(t: Tables, state: State) -> list[int]:
    """EG-4.5: everybody who is short and holds something that helps."""
    return [seat for seat in state.order if _helped(t, state, seat)]


def _helped(t: Tables, state: State, seat: int) -> bool:
    power = state.power[seat]
    if not power & _HELPS or not missing_of(t, state, seat):
        return False
    if power & data.GRAIN or (power & data.FEED_STONES and state.stones[seat]):
        return True
    improvers = sum(t.power[card] == data.LAY for card in state.ready[seat])  # two may lie on one field
    dry = (colour_of(t, state, seat, card) - state.ring for card in state.fields[seat])
    return any(0 < steps <= improvers for steps in dry)


def grain_sums(t: Tables, state: State, seat: int) -> list[int]:
    """Return every amount of grain that some of the held grain cards give together, from 0."""
    values = [t.value[card] for card in state.ready[seat] if t.power[card] == data.GRAIN]
    return sorted({sum(combo) for n in range(len(values) + 1) for combo in combinations(values, n)})


def check(t: Tables, state: State, seat: int, order: Feed) -> list[Message]:
    """EG-4.3, EG-4.4: grain from held cards; stones up to what is missing then."""
    faults = []
    sums = grain_sums(t, state, seat)
    if order.grain not in sums:
        text = N_("Your grain cards can give {sums} grain, not {found}.")
        faults.append(sentence(text, "EG-4.3", sums=tuple(sums), found=order.grain))
    missing = max(0, missing_of(t, state, seat) - order.grain)
    if order.stones and not state.power[seat] & data.FEED_STONES:
        faults.append(cards.lacks(data.FEED_STONES))
    elif not 0 <= order.stones <= missing:
        text = N_("{missing} grain is missing then, so {stones} stone(s) (is|are) too many.")
        faults.append(sentence(text, "EG-4.4", missing=missing, stones=order.stones))
    if order.stones > state.stones[seat]:
        faults.append(cards.few_stones(order.stones, state.stones[seat], "EG-4.4"))
    return faults


def most_stones(t: Tables, state: State, seat: int, grain: int) -> int:
    """Stones that may be fed once `grain` comes from cards."""
    if not state.power[seat] & data.FEED_STONES:
        return 0
    return min(state.stones[seat], max(0, missing_of(t, state, seat) - grain))


def legal(t: Tables, state: State, seat: int) -> Iterator[Feed]:
    """Yield every way to feed, paying for what is missing first."""
    for grain in grain_sums(t, state, seat):
        for stones in range(most_stones(t, state, seat, grain) + 1):
            yield Feed(grain, stones)


def sample(t: Tables, state: State, seat: int, chance: Chance) -> Feed:
    """Return a random way to feed."""
    also = riders.sample(t, state, seat, chance) if state.power[seat] & data.RIDERS else NOTHING
    then, faults = riders.tried(state, seat, also)
    if faults:
        also, then = NOTHING, state
    sums = grain_sums(t, then, seat)
    grain = sums[chance.below(len(sums))]
    return Feed(grain, chance.below(most_stones(t, then, seat, grain) + 1), also=also)


def feed_all(ply: Ply, orders: Mapping[int, Feed]) -> None:
    """EG-5.1: riders in turn order, then each feeds, from the front of the score track backwards."""
    for seat in ply.state.order:
        if seat in orders and orders[seat].also != NOTHING:
            riders.perform(ply, seat, orders[seat].also)
    for seat in tuple(ply.state.track):
        _feed(ply, seat, orders.get(seat, _PLAIN))


_PLAIN = Feed()


def _feed(ply: Ply, seat: int, order: Feed) -> None:
    t, state = ply.t, ply.state
    missing = missing_of(t, state, seat)
    if order.grain:
        held = [card for card in state.ready[seat] if t.power[card] == data.GRAIN]
        sets = (combo for n in range(1, len(held) + 1) for combo in combinations(held, n))  # the fewest cards first
        ply.drop(seat, next(combo for combo in sets if sum(map(t.value.__getitem__, combo)) == order.grain))
        text = N_("{seat} feeds with {grain} grain from cards.")
        ply.tell(seat, text, "EG-4.3", (f"seat:{seat}",), grain=order.grain)
    if order.stones:
        ply.stones(seat, -order.stones)
        ply.tell(seat, N_("{seat} feeds with {stones} stone(s)."), "EG-4.4", (f"seat:{seat}",), stones=order.stones)
    missing = max(0, missing - order.grain - order.stones)
    if not missing:
        return
    loss = missing * cost_of(t, state, seat)
    ply.score(seat, -loss)
    text = N_("{seat} lacks {missing} grain: minus {points} point(s).")
    ply.tell(seat, text, "EG-5.1", ("track", f"seat:{seat}"), missing=missing, points=loss)


def quarry_all(ply: Ply) -> None:
    """EG-5.2: in turn order each gets stones from the own quarries, EG-1.3: up to the cap."""
    state = ply.state
    for seat in state.order:
        stones = quarry_of(ply.t, state, seat)
        ply.stones(seat, stones)
        text = N_("{seat} quarries {stones} stone(s) and has {total}.")
        ply.tell(seat, text, "EG-5.2", (f"seat:{seat}",), stones=stones, total=state.stones[seat])
