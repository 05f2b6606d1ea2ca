"""A table to test rules at: positions as text (see `positions`), and orders as players type them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pbem.engine.core.rng import Recorded
from pbem.engine.priestsofra import RULES
from pbem.engine.priestsofra.data import SUN_GROUPS, TILE_KEYS
from pbem.engine.priestsofra.state import State
from tests.engine.positions import merged
from tests.engine.priestsofra.positions import POSITIONS

if TYPE_CHECKING:
    from pbem.engine.core.message import Event


def position(text: str, more: str = "") -> State:
    """The state that a text in position notation says, and what a case says besides; it must be sound."""
    state = POSITIONS.read(merged(text, more))
    sound(state)
    return state


def changed(state: State, more: str) -> State:
    """The position, with what a text says besides: tiles come from the bag, and the last word counts."""
    return position(POSITIONS.write(state), more)


def shown(state: State, name: str) -> str:
    """What the position notation says of a seat, the lot, the table ... now."""
    return POSITIONS.lines(state).get(name, "")


def deal(seats: int = 3, **options: str) -> State:
    """A new game in which seat 0 has the first group of suns, seat 1 the second, and so on."""
    state = RULES.setup(seats, options, Recorded([f"suns: {' '.join(SUN_GROUPS[seats])}"])).state
    assert isinstance(state, State)
    return state


def act(state: State, *texts: str) -> list[Event]:
    """Give orders as typed, each by the seat that is awaited; `draw = priest` draws that tile. Gives all events."""
    events: list[Event] = []
    for text in texts:
        words, _, tile = text.partition(" = ")
        (seat,) = RULES.awaited(state)
        order = RULES.read(state, seat, words)
        assert RULES.check(state, seat, order) == [], text
        chance = Recorded([f"tile: {tile}"] if tile else [])
        events += RULES.apply(state, {seat: order}, chance)
        assert chance.left() == ()
        sound(state)
    return events


def draw_all(state: State, *tiles: str) -> None:
    """Draw these tiles, plainly."""
    for tile in tiles:
        assert tile in TILE_KEYS
        act(state, f"draw = {tile}")


def sound(state: State) -> None:
    """No invariant is broken."""
    assert RULES.problems(state) == ()


def faults(state: State, seat: int, text: str) -> list[str]:
    """What `check` says of an order, each sentence with its rule id in front."""
    order = RULES.read(state, seat, text)
    return [f"{said.rule}: {said}" for said in RULES.check(state, seat, order)]


def options(state: State) -> list[str]:
    """Every legal order of the awaited seat but draws with wishes."""
    (seat,) = RULES.awaited(state)
    return [text for order in RULES.legal(state, seat) if not (text := str(order)).startswith("draw ")]


def awaited(state: State) -> tuple[int, str]:
    """Who is awaited, and for what."""
    ((seat, decision),) = RULES.awaited(state).items()
    return seat, decision.kind


def told(event: Event) -> str:
    """The event's English sentence, seats by number."""
    return event.text.format(**event.params)
