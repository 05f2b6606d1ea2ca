"""EG-4.4 leftover cards, EG-5.1 feeding, EG-5.2 quarrying: between sailing and building."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import combinations

from pbem.engine.core.choosing import pick
from pbem.engine.core.message import N_, Message, sentence
from pbem.engine.core.rng import Chance
from pbem.engine.egizia import cards, data, riders
from pbem.engine.egizia.orders import NOTHING, Feed, Leftover
from pbem.engine.egizia.ply import Ply
from pbem.engine.egizia.state import Own, State

_HELPS = data.GRAIN | data.FEED_STONES | data.LAY


def left_on_river(state: State) -> list[int]:
    """Nile cards still on the river, in river order."""
    return [card for card in state.cards if card >= 0]


def check_leftover(own: Own, order: Leftover) -> list[Message]:
    """EG-4.4: a card that lies there, its crews where it wants them."""
    if not order.card:
        return list(cards.crew_faults(N_("To take no card"), 0, order.crews))
    card = own.t.index.get(order.card, -1)
    if card < 0 or card not in own.state.cards:
        return [cards.not_there(own.state, order.card, "EG-4.4")]
    return list(cards.crew_faults(order.card, own.t.steps[card], order.crews))


def legal_leftover(own: Own) -> Iterator[Leftover]:
    """None, then each card left."""
    yield Leftover()
    for card in left_on_river(own.state):
        for crews in cards.crew_choices(own.t.steps[card]):
            yield Leftover(own.t.names[card], crews)


def sample_leftover(own: Own, chance: Chance) -> Leftover:
    """Return a random card or none."""
    left = left_on_river(own.state)
    card = pick([*left, -1], chance)
    if card < 0:
        return Leftover()
    crews = cards.ordered(tuple(pick(data.CREWS, chance) for _ in range(own.t.steps[card])))
    return Leftover(own.t.names[card], crews)


def take_leftover(own: Ply, order: Leftover) -> None:
    """EG-4.4: the card comes to its taker; nothing sails."""
    t, state = own.t, own.state
    card = t.index.get(order.card, -1)
    if card < 0:
        own.tell(N_("{seat} takes no card that was left."), "EG-4.4")
    else:
        space = state.cards.index(card)
        state.cards[space] = data.HIDDEN
        state.taken |= 1 << space
        text = N_("{seat} takes {card}, left on the river: {what}.")
        if cards.has_value(t, card):
            text = N_("{seat} takes {card}, left on the river: {what} {value}.")
        own.tell(text, "EG-4.4", t.mark[space], **cards.card_words(t, card))
        cards.take(own, card, order.crews)


def asked_to_feed(state: State) -> list[int]:
    """EG-4.5: everybody who is short and holds something that helps."""
    return [seat for seat in state.order if state.power[seat] & _HELPS and _helped(state.own(seat))]


def _helped(own: Own) -> bool:
    power = own.power
    if not own.missing:
        return False
    if power & data.GRAIN or (power & data.FEED_STONES and own.stones):
        return True
    dry = (own.colour(card) - own.state.ring for card in own.fields)  # two improvers may lie on one field
    return any(0 < steps <= own.count(data.LAY) for steps in dry)


def grain_sums(own: Own) -> list[int]:
    """Return every amount of grain that some of the held grain cards give together, from 0."""
    values = own.values(data.GRAIN)
    return sorted({sum(combo) for n in range(len(values) + 1) for combo in combinations(values, n)})


def check(own: Own, order: Feed) -> list[Message]:
    """EG-4.3, EG-4.4: grain from held cards; stones up to what is missing then."""
    faults = []
    sums = grain_sums(own)
    if order.grain not in sums:
        text = N_("Your grain cards can give {sums} grain, not {found}.")
        faults.append(sentence(text, "EG-4.3", sums=tuple(sums), found=order.grain))
    missing = max(0, own.missing - order.grain)
    if order.stones and not own.power & data.FEED_STONES:
        faults.append(cards.lacks(data.FEED_STONES))
    elif not 0 <= order.stones <= missing:
        text = N_("{missing} grain is missing then, so {stones} stone(s) (is|are) too many.")
        faults.append(sentence(text, "EG-4.4", missing=missing, stones=order.stones))
    if order.stones > own.stones:
        faults.append(cards.few_stones(order.stones, own.stones, "EG-4.4"))
    return faults


def most_stones(own: Own, grain: int) -> int:
    """Stones that may be fed once `grain` comes from cards."""
    if not own.power & data.FEED_STONES:
        return 0
    return min(own.stones, max(0, own.missing - grain))


def legal(own: Own) -> Iterator[Feed]:
    """Yield every way to feed, paying for what is missing first."""
    for grain in grain_sums(own):
        for stones in range(most_stones(own, grain) + 1):
            yield Feed(grain, stones)


def sample(own: Own, chance: Chance) -> Feed:
    """Return a random way to feed."""
    also = riders.sample(own, chance) if own.power & data.RIDERS else NOTHING
    then, faults = riders.tried(own, also)
    if faults:
        also, then = NOTHING, own
    grain = pick(grain_sums(then), chance)
    return Feed(grain, chance.below(most_stones(then, grain) + 1), also=also)


def feed_all(ply: Ply, orders: Mapping[int, Feed]) -> None:
    """EG-5.1: riders in turn order, then each feeds, from the front of the score track backwards."""
    for seat in ply.state.order:
        if seat in orders and orders[seat].also != NOTHING:
            riders.perform(ply.of(seat), orders[seat].also)
    for seat in tuple(ply.state.track):
        _feed(ply.of(seat), orders.get(seat, _PLAIN))


_PLAIN = Feed()


def _feed(own: Ply, order: Feed) -> None:
    t, missing = own.t, own.missing
    if order.grain:
        held = [card for card in own.ready if t.power[card] == data.GRAIN]
        sets = (combo for n in range(1, len(held) + 1) for combo in combinations(held, n))  # the fewest cards first
        own.drop(next(combo for combo in sets if sum(map(t.value.__getitem__, combo)) == order.grain))
        text = N_("{seat} feeds with {grain} grain from cards.")
        own.tell(text, "EG-4.3", own.mark, grain=order.grain)
    if order.stones:
        own.gain(-order.stones)
        own.tell(N_("{seat} feeds with {stones} stone(s)."), "EG-4.4", own.mark, stones=order.stones)
    missing = max(0, missing - order.grain - order.stones)
    if not missing:
        return
    loss = missing * own.cost
    own.score(-loss)
    text = N_("{seat} lacks {missing} grain: minus {points} point(s).")
    own.tell(text, "EG-5.1", ("track", *own.mark), missing=missing, points=loss)


def quarry_all(ply: Ply) -> None:
    """EG-5.2: in turn order each gets stones from the own quarries, EG-1.3: up to the cap."""
    for own in map(ply.of, ply.state.order):
        stones = own.quarry
        own.gain(stones)
        text = N_("{seat} quarries {stones} stone(s) and has {total}.")
        own.tell(text, "EG-5.2", own.mark, stones=stones, total=own.stones)
