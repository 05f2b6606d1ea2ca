"""One ply under way: the state it works on, the chance it draws from, the events it tells, and the smallest deeds."""

from __future__ import annotations

from pbem.engine.core.message import N_, Event, Value
from pbem.engine.core.rng import Chance
from pbem.engine.egizia import data
from pbem.engine.egizia.state import State, mask_of
from pbem.engine.egizia.tables import Tables, tables_of

_MARKET_MARKS = (("market:stone",), ("market:grain",))


class Ply:
    """What the verbs act through. Works in place; whoever needs the old state copies it first."""

    __slots__ = ("chance", "events", "state", "t")

    def __init__(self, state: State, chance: Chance) -> None:
        """Open a ply on `state`."""
        self.t: Tables = tables_of(state.components)
        self.state = state
        self.chance = chance
        self.events: list[Event] = []

    def tell(self, seat: int, text: str, rule: str, marks: tuple[str, ...] = (), **params: Value) -> None:
        """Add a public event about `seat`; the text's {seat} is its name."""
        params["seat"] = seat
        self.events.append(Event(text, params, rule, seat, None, marks))

    def whisper(self, seat: int, text: str, rule: str, **params: Value) -> None:
        """Add an event that only `seat` may read."""
        self.events.append(Event(text, params, rule, seat, (seat,)))

    def score(self, seat: int, points: int) -> None:
        """EG-1.4: move a marker; it stands behind those already on the space. 0 moves nothing."""
        if not points:
            return
        state = self.state
        mine = state.score[seat] = state.score[seat] + points
        track = state.track
        track.remove(seat)
        place = 0
        for other in track:
            if state.score[other] < mine:
                break
            place += 1
        track.insert(place, seat)

    def stones(self, seat: int, stones: int) -> None:
        """EG-1.3: give or take stones; what exceeds the cap is lost."""
        have = self.state.stones[seat] + stones
        self.state.stones[seat] = min(have, self.t.stone_cap)

    def crew(self, seat: int, crew: int, steps: int = 1) -> None:
        """EG-3.9: raise a crew; steps above the maximum are lost."""
        at = seat * 4 + crew
        self.state.crews[at] = min(self.state.crews[at] + steps, self.t.crew_max)

    def market(self, seat: int, market: int, steps: int = 1) -> None:
        """EG-5.3: step down a market; reaching the last space and each step that can't be made pays."""
        at, last = (self.state.grain_at, self.t.last_grain) if market else (self.state.stone_at, self.t.last_stone)
        for _ in range(steps):
            if at[seat] < last:
                at[seat] += 1
            if at[seat] < last:
                continue
            if market:
                points = self.t.parts.grain_last_vp
                self.score(seat, points)
                text = N_("{seat} is at the end of the grain market: {points} point(s).")
                self.tell(seat, text, "EG-5.3", _MARKET_MARKS[1], points=points)
            else:
                stones = self.t.parts.stone_last_stones
                self.stones(seat, stones)
                text = N_("{seat} is at the end of the stone market: {stones} stone(s).")
                self.tell(seat, text, "EG-5.3", _MARKET_MARKS[0], stones=stones)

    def spend(self, seat: int, power: int) -> int:
        """Use up, for good or for the round, the first ready card with this effect; gives the card."""
        state = self.state
        card = next(card for card in state.ready[seat] if self.t.power[card] == power)
        self.drop(seat, (card,))
        return card

    def drop(self, seat: int, cards: tuple[int, ...]) -> None:
        """Take `cards` out of those that `seat` can use."""
        ready = self.state.ready[seat]
        for card in cards:
            ready.remove(card)
        self.state.power[seat] = mask_of(self.t, ready)

    def gain(self, seat: int, card: int) -> None:
        """Lay an open card in front of `seat`, ready for use."""
        self.state.ready[seat].append(card)
        self.state.power[seat] |= self.t.power[card]


def ready_count(t: Tables, state: State, seat: int, power: int) -> int:
    """Return how many cards with this effect `seat` could use now."""
    if not state.power[seat] & power:
        return 0
    return sum(t.power[card] == power for card in state.ready[seat])


def wake(ply: Ply) -> None:
    """EG-4.4: at a new round, what may be used once a round may be used again."""
    t, state = ply.t, ply.state
    for seat in range(state.players):
        ready = state.ready[seat]
        for card in state.permanents[seat]:
            if t.power[card] & data.ONCE_A_ROUND and card not in ready:
                ready.append(card)
        state.power[seat] = mask_of(t, ready)
