"""A table to test rules at: positions as text (see `positions`), orders and answers as players read them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pbem.engine.amunre import RULES
from pbem.engine.amunre.data import CARDS, PROVINCES
from pbem.engine.amunre.state import State
from pbem.engine.core.errors import EngineError
from pbem.engine.core.message import Message
from pbem.engine.core.rng import Recorded, Rng
from tests.engine.amunre.positions import POSITIONS
from tests.engine.positions import merged

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pbem.engine.core.message import Event

RED, BLACK, BLUE, WHITE = range(4)
NO_CHANCE = Recorded(())
"""Stands for chance where nothing may be drawn."""


def position(text: str, more: str = "") -> State:
    """The state that a text in position notation says, and what a case says besides."""
    return POSITIONS.read(merged(text, more))


def shown(state: State, *names: str) -> str:
    """What the position notation says of a seat or a province now; of several, each in a line of its own."""
    lines = POSITIONS.lines(state)
    return "\n".join(lines.get(name, "") for name in names)


def card(name: str) -> int:
    """A card's id."""
    return CARDS.index(name)


def land(name: str) -> int:
    """A province's id."""
    return PROVINCES.index(name)


def opened(seats: int = 4, **options: str) -> State:
    """A game just set up, Red first."""
    state: State = RULES.setup(seats, options, Rng("rule tests", 0)).state
    state.first = RED
    state.asked = [RED]
    return state


def act(state: State, orders: Mapping[int, str], seed: str = "act") -> list[Event]:
    """Carry out orders as typed, each legal; gives the events."""
    read = {}
    for seat, text in orders.items():
        read[seat] = RULES.read(state, seat, text)
        faults = RULES.check(state, seat, read[seat])
        assert not faults, f"{text}: {' '.join(map(str, faults))}"
    return RULES.apply(state, read, Rng(seed, 1))


def turns(state: State, *orders: tuple[int, str]) -> list[Event]:
    """Carry out orders one after another, each by the one seat asked."""
    events: list[Event] = []
    for seat, text in orders:
        assert state.asked == [seat], f"{state.asked} is asked, not {seat}: {text}"
        events += act(state, {seat: text})
    return events


def faults(state: State, seat: int, text: str) -> list[str]:
    """The rules that forbid an order as typed; [] if it is legal."""
    try:
        order = RULES.read(state, seat, text)
    except EngineError as error:
        return [fault.rule for fault in error.faults]
    return [fault.rule for fault in RULES.check(state, seat, order)]


def sentence(state: State, seat: int, text: str) -> str:
    """What the player reads in answer to an order that can't be read or isn't allowed; "" if it is legal."""
    try:
        order = RULES.read(state, seat, text)
    except EngineError as error:
        return str(error)
    return " ".join(str(fault) for fault in RULES.check(state, seat, order))


def texts(events: list[Event]) -> list[str]:
    """The events in words, seats as numbers."""
    return [str(Message(event.text, event.params)) for event in events]


def seen(events: list[Event], seat: int | None) -> list[str]:
    """The events that one seat reads."""
    return texts([event for event in events if event.seen_by is None or seat in event.seen_by])
