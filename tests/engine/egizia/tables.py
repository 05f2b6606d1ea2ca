"""A table to test rules at: positions as text (see `positions`), orders as players write them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pbem.engine.core.message import Event
from pbem.engine.core.rng import Rng
from pbem.engine.egizia import RULES, phases
from pbem.engine.egizia.ply import opened
from pbem.engine.egizia.state import State
from pbem.engine.egizia.tables import tables_of
from pbem.messages import Translator
from tests.engine.egizia.positions import POSITIONS
from tests.engine.positions import merged

FIRST = "A05 A06 A13 A09 A17 A12 A04 A14 A21 A22"
"""The first row of the river in the tournament of 2023 (EG-10.15)."""


VOICE = Translator("en", "UTC", ("0", "1", "2", "3"))
"""Reads faults and events aloud as players see them; players are called by their seats."""


class Script:
    """Chance whose next results can be dictated by label; what isn't dictated is drawn."""

    def __init__(self) -> None:
        self.given: dict[str, list[str]] = {}
        self.rng = Rng("table", 0)
        self.log: list[str] = []

    def below(self, n: int) -> int:
        """Never dictated."""
        return self.rng.below(n)

    def draw(self, label: str, names: Sequence[str], weights: Sequence[int]) -> int:
        """The next result dictated, if any."""
        if self.given.get(label):
            pick = list(names).index(self.given[label].pop(0))
            assert weights[pick]
            return pick
        return self.rng.draw(label, names, weights)

    def shuffle(self, label: str, names: Sequence[str]) -> list[str]:
        """The next results dictated, if any."""
        return self.sample(label, names, len(names))

    def sample(self, label: str, names: Sequence[str], k: int) -> list[str]:
        """The next results dictated, if any."""
        if self.given.get(label):
            picked = [self.given[label].pop(0) for _ in range(k)]
            assert set(picked) <= set(names)
            return picked
        return self.rng.sample(label, names, k)


class Table:
    """One game. Seats are 0, 1, ... in turn order; seat 0 begins."""

    def __init__(self, players: int = 2, cards: str = FIRST, graves: str = "2 2 3 3", first: str = "off") -> None:
        self.script = Script()
        self.script.given = {
            "order": [str(seat) for seat in range(players)],
            "nile": cards.split(),
            "grave": graves.split(),
        }
        opened = RULES.setup(players, {"first_sphinx": first}, self.script)
        self.state: State = opened.state
        self.opening = opened.events
        self.t = tables_of("")
        self.events: list[Event] = []

    @classmethod
    def position(cls, text: str, more: str = "") -> Table:
        """The position that a text says, and what a case says besides; nothing is dictated to chance yet."""
        table = cls()
        table.script.given.clear()
        table.state = POSITIONS.read(merged(text, more))
        return table

    def shown(self, name: str) -> str:
        """What the position notation says of a seat, a site, a building ... now."""
        return POSITIONS.lines(self.state).get(name, "")

    def next(self, label: str, names: str) -> None:
        """Dictate the coming results of a label."""
        self.script.given.setdefault(label, []).extend(names.split())

    def change(self, more: str) -> None:
        """Let what a text says besides be so from now on: the last word counts."""
        self.state = POSITIONS.read(merged(POSITIONS.write(self.state), more))

    def building(self, more: str) -> list[Event]:
        """End sailing with ships as a text says, such as `at Obelisk: slots 1 0, queue 2`, and let building go on."""
        self.change(more)
        self.state.passed = (1 << self.state.players) - 1
        ply = opened(self.state, self.script)
        phases.next_site(ply)
        return ply.events

    def feeding(self) -> list[Event]:
        """End sailing with no ship anywhere, and feed."""
        self.state.passed = (1 << self.state.players) - 1
        ply = opened(self.state, self.script)
        phases.end_sailing(ply)
        return ply.events

    def after(self, number: int = 1) -> list[Event]:
        """Building of round `number` is over."""
        self.state.round = number
        self.state.site = 3
        ply = opened(self.state, self.script)
        phases.after_building(ply)
        return ply.events

    def do(self, *orders: str) -> list[Event]:
        """`0: pass` and so on, one ply each; every order must be legal and leave a sound state."""
        events: list[Event] = []
        for one in orders:
            events += self.together(one)
        return events

    def together(self, *orders: str) -> list[Event]:
        """Orders of one ply."""
        given: dict[int, Any] = {}
        for one in orders:
            seat, _, text = one.partition(": ")
            given[int(seat)] = RULES.read(self.state, int(seat), text)
            assert [str(fault) for fault in RULES.check(self.state, int(seat), given[int(seat)])] == []
        self.events = RULES.apply(self.state, given, self.script)
        assert RULES.problems(self.state) == ()
        return self.events

    def faults(self, seat: int, text: str) -> list[str]:
        """What is wrong with an order, each as `rule: sentence`."""
        order = RULES.read(self.state, seat, text)
        return [f"{fault.rule}: {VOICE(fault)}" for fault in RULES.check(self.state, seat, order)]

    def rules(self, seat: int, text: str) -> set[str]:
        """The ids of the rules that an order breaks."""
        return {fault.partition(": ")[0] for fault in self.faults(seat, text)}

    def legal(self, seat: int) -> list[str]:
        """Every legal order as text."""
        return [str(order) for order in RULES.legal(self.state, seat)]

    @property
    def asked(self) -> tuple[str, tuple[int, ...]]:
        """What is asked and of whom."""
        return self.state.stage, tuple(RULES.awaited(self.state))

    def crew(self, seat: int) -> list[int]:
        """Blue, black, yellow, joker of a seat."""
        return self.state.crews[seat * 4 : seat * 4 + 4]


def sentences(events: Sequence[Event]) -> list[str]:
    """Events in English."""
    return [VOICE(event) for event in events]
