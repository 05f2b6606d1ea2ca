"""Farmers and stones, which never run out (AR-1.4), onto one's provinces: what is allowed, all ways, the pyramids."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

from pbem.engine.amunre.cards import play
from pbem.engine.amunre.data import ARCHITECTS_STONES, CARDS, PROVINCES, STONES_A_PYRAMID, lands
from pbem.engine.amunre.orders import Placing, Works, called
from pbem.engine.amunre.state import Ply, State, owned
from pbem.engine.core.message import N_, Message, sentence
from pbem.engine.core.rng import Chance

PROVINCE_MARKS = tuple((f"province:{name}",) for name in PROVINCES)


def free_fields(state: State, own: Sequence[int]) -> list[int]:
    """AR-6.4: beside `own`, the fields without a farmer."""
    fields, farmers = state.board.fields, state.farmers
    return [fields[p] - farmers[p] for p in own]


def ways(n: int, own: Sequence[int], room: Sequence[int], start: int = 0) -> Iterator[Placing]:
    """Yield every way of placing `n` things on the provinces `own` from `start` on, with `room[i]` places on each."""
    if n == 0:
        yield ()
    elif start < len(own):
        for here in range(min(n, room[start]) + 1):
            first = ((own[start], here),) if here else ()
            for rest in ways(n - here, own, room, start + 1):
                yield first + rest


def all_ways(
    state: State, own: Sequence[int], most: int, rest: Callable[[int], Iterable[int]]
) -> Iterator[tuple[Placing, Placing]]:
    """Yield every way of placing up to `most` farmers, and for each number of them any of the `rest` as stones."""
    room = free_fields(state, own)
    for n in range(min(sum(room), most) + 1):
        for farmers in ways(n, own, room):
            for count in rest(n):
                yield from ((farmers, stones) for stones in ways(count, own, [count] * len(own)))


def random_way(n: int, own: Sequence[int], room: Sequence[int] | None, chance: Chance) -> Placing:
    """Draw a way of placing `n` things; without `room` there is no limit."""
    if n == 0:
        return ()
    counts = [0] * len(own)
    if room is None:
        for _ in range(n):
            counts[chance.below(len(own))] += 1
    else:
        places = [i for i, k in enumerate(room) for _ in range(k)]
        for _ in range(n):
            counts[places.pop(chance.below(len(places)))] += 1
    return tuple([(p, k) for p, k in zip(own, counts, strict=True) if k])


def number(placing: Placing) -> int:
    """Return how many things are placed in all."""
    return sum([n for _, n in placing])


def _place_faults(state: State, seat: int, placing: Placing, rule: str, *, fields: bool) -> Iterator[Message]:
    """Return what is wrong with a placing: foreign provinces, and too few free fields for farmers (AR-6.4)."""
    if len({p for p, _ in placing}) < len(placing) or any(n < 1 for _, n in placing):
        yield sentence("Each province must be named once, with at least 1.", rule)
    for p, n in placing:
        foreign = _not_owned(state, seat, p, rule)
        yield from foreign
        if fields and not foreign and n > state.board.fields[p] - state.farmers[p]:
            text = N_("Free fields on {province}: {free}; too few for farmers: {farmers}.")
            yield sentence(text, rule, province=PROVINCES[p], free=state.board.fields[p] - state.farmers[p], farmers=n)


def placing_faults(state: State, seat: int, order: Works) -> Iterator[Message]:
    """Return what is wrong with where farmers and stones go."""
    yield from _place_faults(state, seat, order.farmers, order.rules[0], fields=True)
    yield from _place_faults(state, seat, order.stones, order.rules[1], fields=False)


def spot_faults(state: State, seat: int, order: Works) -> Iterator[Message]:
    """Return the fault of each card that is played on a province of others."""
    for _, p, rule in order.spots:
        yield from _not_owned(state, seat, p, rule)


def _not_owned(state: State, seat: int, p: int, rule: str) -> list[Message]:
    """Return the fault of using a province that isn't one's own."""
    own = owned(state, seat)
    if p in own:
        return []
    text = N_("{province} is not yours; you own: {provinces}.")
    return [sentence(text, rule, province=called(PROVINCES, p), provinces=lands(own))]


def play_on(ply: Ply, seat: int, order: Works) -> None:
    """AR-6.5, AR-6.7, AR-8.3, AR-8.4: lay down each card."""
    for kind, p, rule in order.spots:
        play(ply.state, seat, kind)
        text = N_("{seat} plays {card} on {province}.")
        ply.tell(text, rule, seat, marks=PROVINCE_MARKS[p], card=CARDS[kind], province=PROVINCES[p])


def lay_farmers(state: State, placing: Placing) -> None:
    """AR-6.4: farmers onto fields."""
    for p, n in placing:
        state.farmers[p] += n


def lay_stones(ply: Ply, placing: Placing, architect: int) -> None:
    """AR-6.6, AR-6.7: stones onto provinces; three, or two with the architect once, become a pyramid at once."""
    for p, n in placing:
        ply.state.stones[p] += n
    lands = [p for p, _ in placing if p != architect]
    for p in lands if architect < 0 else (*lands, architect):
        rise(ply, p, p == architect)


def rise(ply: Ply, p: int, architect: bool) -> None:  # noqa: FBT001 - called by position only
    """AR-6.6, AR-6.7: turn the stones of one province into pyramids."""
    state = ply.state
    stones = state.stones[p] - architect * ARCHITECTS_STONES
    more = stones // STONES_A_PYRAMID + architect
    state.stones[p] = stones % STONES_A_PYRAMID
    if more:
        state.pyramids[p] += more
        text = N_("On {province} a pyramid is finished. Pyramids there now: {pyramids}.")
        if more > 1:
            text = N_("On {province} pyramids are finished: {more}. Pyramids there now: {pyramids}.")
        there = state.pyramids[p]
        ply.tell(text, "AR-6.6", marks=PROVINCE_MARKS[p], province=PROVINCES[p], more=more, pyramids=there)


def marks_of(placing: Placing) -> tuple[str, ...]:
    """Return the marks of the provinces where something is placed."""
    return tuple([PROVINCE_MARKS[p][0] for p, _ in placing])


def worded(placing: Placing) -> tuple[str, ...]:
    """Return a placing for an event: `2 Buto`, `1 Mendes`."""
    return tuple([f"{n} {PROVINCES[p]}" for p, n in placing])
