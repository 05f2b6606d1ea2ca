"""One ply under way: the state it works on, who acts, the chance, the events, and the smallest deeds."""

from __future__ import annotations

from pbem.engine.core.message import N_, Event, Param
from pbem.engine.core.rng import Chance
from pbem.engine.egizia import data
from pbem.engine.egizia.state import Own, State, mask_of
from pbem.engine.egizia.tables import tables_of


class Ply(Own):
    """What the verbs act through, in place: the seat that acts, the chance it draws from, the events told so far."""

    chance: Chance
    events: list[Event]

    def of(self, seat: int) -> Ply:
        """Return the same ply with `seat` acting."""
        return Ply(self.state, seat, self.t, self.chance, self.events)

    def tell(self, text: str, rule: str, marks: tuple[str, ...] = (), **params: Param) -> None:
        """Add a public event about the seat; the text's {seat} is its name."""
        params["seat"] = self.seat
        self.events.append(Event(text, params, rule, self.seat, None, marks))

    def whisper(self, text: str, rule: str, **params: Param) -> None:
        """Add an event that only the seat may read."""
        self.events.append(Event(text, params, rule, self.seat, (self.seat,)))

    def score(self, points: int) -> None:
        """EG-1.4: move the marker; it stands behind those already on the space. 0 moves nothing."""
        if not points:
            return
        state = self.state
        mine = state.score[self.seat] = state.score[self.seat] + points
        track = state.track
        track.remove(self.seat)
        place = 0
        for other in track:
            if state.score[other] < mine:
                break
            place += 1
        track.insert(place, self.seat)

    def gain(self, stones: int) -> None:
        """EG-1.3: get stones, or pay them; what exceeds the cap is lost."""
        most, have = self.t.stone_cap, self.stones + stones
        self.state.stones[self.seat] = min(have, most)
        if have > most:
            text = N_("{seat} has no room for {stones} stone(s): {most} is the most.")
            self.tell(text, "EG-1.3", self.mark, stones=have - most, most=most)

    def strengthen(self, crew: int, steps: int = 1) -> None:
        """EG-3.9: raise a crew; steps above the maximum are lost."""
        most, have = self.t.crew_max, self.crews[crew] + steps
        self.state.crews[self.seat * 4 + crew] = min(have, most)
        if have > most:
            text = N_("{seat} loses {steps} step(s) of the {crew} crew: {most} is the most.")
            self.tell(text, "EG-3.9", self.mark, crew=data.CREWS[crew], steps=have - most, most=most)

    def step(self, market: int, steps: int = 1) -> None:
        """EG-5.3: step down a market; reaching the last space and each step that can't be made pays."""
        at, last = (self.state.grain_at, self.t.last_grain) if market else (self.state.stone_at, self.t.last_stone)
        for _ in range(steps):
            if at[self.seat] < last:
                at[self.seat] += 1
            if at[self.seat] < last:
                continue
            if market:
                points = self.t.parts.grain_last_vp
                self.score(points)
                text = N_("{seat} is at the end of the grain market: {points} point(s).")
                self.tell(text, "EG-5.3", ("market:grain",), points=points)
            else:
                stones = self.t.parts.stone_last_stones
                text = N_("{seat} is at the end of the stone market: {stones} stone(s).")
                self.tell(text, "EG-5.3", ("market:stone",), stones=stones)
                self.gain(stones)

    def spend(self, power: int) -> int:
        """Use up, for good or for the round, the first ready card with this effect; gives the card."""
        card = next(card for card in self.ready if self.t.power[card] == power)
        self.drop((card,))
        return card

    def use(self, names: tuple[str, ...]) -> None:
        """EG-4.3, EG-4.4: use up cards named after `using`, and tell which."""
        if names:
            powers = [data.USING[name] for name in names]
            text = N_("{seat} uses cards: {cards}.")
            self.tell(text, "EG-4.3", self.mark, cards=tuple([data.EFFECT_NAMES[power] for power in powers]))
            for power in powers:
                self.spend(power)

    def drop(self, cards: tuple[int, ...]) -> None:
        """Take `cards` out of those that can be used."""
        for card in cards:
            self.ready.remove(card)
        self.state.power[self.seat] = mask_of(self.t, self.ready)

    def lay_open(self, card: int) -> None:
        """Lay an open card in front of the seat, ready for use."""
        self.ready.append(card)
        self.state.power[self.seat] |= self.t.power[card]


def opened(state: State, chance: Chance) -> Ply:
    """Return a ply on `state`, which it changes, for the first seat that is asked."""
    return Ply(state, state.asked[0] if state.asked else 0, tables_of(state.components), chance, [])


def wake(ply: Ply) -> None:
    """EG-4.4: at a new round, what may be used once a round may be used again."""
    for seat, lasting in enumerate(ply.state.permanents):
        for card in lasting:
            if ply.t.power[card] & data.ONCE_A_ROUND and card not in ply.state.ready[seat]:
                ply.of(seat).lay_open(card)
