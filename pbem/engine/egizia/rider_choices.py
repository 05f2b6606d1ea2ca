"""EG-4.5: which riders could go along with an order: all of them, or some at random."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import combinations_with_replacement, product
from typing import Final

from pbem.engine.core.rng import Chance
from pbem.engine.egizia import data
from pbem.engine.egizia.orders import NOTHING, Also
from pbem.engine.egizia.riders import FIELD_OF, slot_fault
from pbem.engine.egizia.state import State, colour_of
from pbem.engine.egizia.tables import Tables


def crew_options(t: Tables, state: State, seat: int) -> list[str]:
    """Crews that are not at their maximum."""
    return [crew for i, crew in enumerate(data.CREWS) if state.crews[seat * 4 + i] < t.crew_max]


def field_options(t: Tables, state: State, seat: int) -> list[str]:
    """Own fields that an improver betters."""
    fields = [card for card in state.fields[seat] if colour_of(t, state, seat, card) > 0]
    return [t.names[card] for card in fields]


def move_options(state: State, seat: int) -> list[tuple[str, int]]:
    """Every other slot of a site where an own ship still may move."""
    found = []
    for site, name in enumerate(data.SITE_NAMES):
        slots = state.slots[site]
        found += [
            (name, slot)
            for slot in range(1, len(slots) + 1)
            if slot_fault(state, seat, name, slot, state.site + 1) is None
        ]
    return found


def _spans(most: int, choices: list[object]) -> list[tuple[object, ...]]:
    return [combo for n in range(most + 1) for combo in combinations_with_replacement(choices, n)]


def options(t: Tables, state: State, seat: int, taken: int = -1) -> Iterator[Also]:
    """Every way in which riders may go along with an order that takes the card `taken` (-1 for none), but nothing."""
    cards = [*state.ready[seat], *([taken] if taken >= 0 else [])]
    counts = {power: sum(t.power[card] == power for card in cards) for power in FIELD_OF}
    if not any(counts.values()):
        return
    crews = crew_options(t, state, seat)
    lists: list[list[tuple[object, ...]]] = [
        _spans(counts[data.IMPROVE], list(crews)),
        _spans(counts[data.TRADE], list(crews)),
        _spans(counts[data.LAY], list(field_options(t, state, seat))),
        [combo for n in range(counts[data.MOVE] + 1) for combo in product(move_options(state, seat), repeat=n)],
    ]
    most = sum(t.value[card] for card in cards if t.power[card] == data.SELL)
    for combo in product(*lists):
        for sell in range(min(most, t.stone_cap) + 1):
            also = Also(combo[0], combo[1], combo[2], sell, combo[3])  # type: ignore[arg-type] # as each field holds
            if also != NOTHING:
                yield also


def sample(t: Tables, state: State, seat: int, chance: Chance, taken: int = -1) -> Also:
    """A random choice of riders, possibly none; what it names can be done if nothing else stands in the way."""
    cards = [*state.ready[seat], *([taken] if taken >= 0 else [])]
    picked: dict[int, list[object]] = {power: [] for power in FIELD_OF}
    sell = 0
    for card in cards:
        power = t.power[card]
        if power not in picked or chance.below(2):
            continue
        if power == data.SELL:
            sell += chance.below(t.value[card] + 1)
            continue
        choices = _CHOICES[power](t, state, seat)
        if choices:
            picked[power].append(choices[chance.below(len(choices))])
    crews = data.CREWS.index
    return Also(
        tuple(sorted(picked[data.IMPROVE], key=crews)),  # type: ignore[arg-type] # crews by name
        tuple(sorted(picked[data.TRADE], key=crews)),  # type: ignore[arg-type] # crews by name
        tuple(picked[data.LAY]),  # type: ignore[arg-type] # fields by name
        sell,
        tuple(picked[data.MOVE]),  # type: ignore[arg-type] # sites and slots
    )


_CHOICES: Final[dict[int, Callable[[Tables, State, int], list[object]]]] = {
    data.IMPROVE: lambda t, state, seat: list(crew_options(t, state, seat)),
    data.TRADE: lambda t, state, seat: list(crew_options(t, state, seat)),
    data.LAY: lambda t, state, seat: list(field_options(t, state, seat)),
    data.MOVE: lambda _t, state, seat: list(move_options(state, seat)),
}
