"""What spaces, Nile cards and Sphinx cards of Egizia promise in points, from the eyes of one seat."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property

from pbem.bots.personality import factor
from pbem.engine.egizia import data, scoring
from pbem.engine.egizia.components import NileCard, SphinxCard
from pbem.engine.egizia.view import View

_STEP = 0.95
"""What a crew's strength of 1 more brings in each round, fed."""
_STONE = 0.8
_DRY = (1.0, 0.75, 0.35)
"""How far a field of each colour can be counted on."""
_GROWTH = 3
"""By how much crews' hunger is expected to grow by the next feeding."""
_HUNGRY, _NEARLY, _FED = 0.75, 0.3, 0.1
"""How much of what a crew's step eats will have to be paid for."""
_OPEN = 0.45
"""What a Sphinx card's points are worth while its condition may still come true."""
_FAR_SLOT = 0.35
_QUEUE = 0.2


class Valuation:
    """One view in numbers."""

    def __init__(self, view: View, personality: str = "") -> None:
        """Read `view`, which must be a seat's own, with the eyes of a player of this personality."""
        assert view.seat is not None
        self.personality = personality
        self.own, self.board, self.t = view.own, view.board, view.t
        self.rounds = data.ROUNDS + 1 - view.board.round
        """Rounds left, the present one included."""

    @cached_property
    def cost(self) -> int:
        """Points that a missing grain costs."""
        return self.own.cost

    @cached_property
    def hunger(self) -> int:
        """Grain that will be missing if nothing is done; negative if some is left over."""
        need = self.own.need + min(_GROWTH, self.rounds)
        return need - self.own.grain

    @cached_property
    def stones(self) -> int:
        """Stones there will be when building begins."""
        return min(self.t.stone_cap, self.own.stones + self.own.quarry)

    def crew(self, crew: int, steps: int = 1) -> float:
        """Return a crew's steps: strength for the rounds left, less what they eat."""
        room = self.t.crew_max - self.own.crews[crew]
        eaten = self.cost * (_HUNGRY if self.hunger > 0 else _NEARLY if self.hunger > -_GROWTH else _FED)
        return max(0.0, min(steps, room) * (_STEP * self.rounds - eaten * self.rounds + 0.6))

    def best_crew(self) -> int:
        """Return the crew that should grow: the weakest basic one that can."""
        return min(range(data.BASIC), key=self.own.crews.__getitem__)

    def market(self, market: int, steps: int) -> float:
        """Steps down a market: what the end pays, and what they save or sell on the way."""
        at = (self.board.grain_at if market else self.board.stone_at)[self.own.seat]
        last = self.t.last_grain if market else self.t.last_stone
        pays = self.t.parts.grain_last_vp if market else _STONE * self.t.parts.stone_last_stones
        ends = max(0, at + steps - last) + (at < last <= at + steps)
        saved = 0.5 * max(0, self.hunger) * self.rounds if market else 0.5
        return ends * pays + 0.45 * steps + (0.25 * steps * saved if at < last else 0.0)

    def field(self, colour: int, value: int) -> float:
        """Grain that is missing anyway, for the rounds left."""
        useful = min(value, max(1.0, self.hunger + 1.5 * (self.rounds - 1)))
        return 0.72 * _DRY[colour] * useful * self.cost * self.rounds * 0.8

    def card(self, card: int) -> float:
        """Return what a Nile card is worth to take now."""
        found = self.t.cards[card]
        kind = found.effect or found.type
        return factor(self.personality, kind) * _CARDS[kind](self, found)

    def space(self, space: int) -> float:
        """Return what a ship on a round space brings."""
        action = self.t.action[space]
        if action == data.BOTH_MARKETS:
            return self.market(data.STONE, 1) + self.market(data.GRAIN_MARKET, 1)
        if action == data.CREW_STEPS:
            return sum(self.crew(crew) for crew in self.t.space_crews[space])
        if action == data.JOKER_RING:
            return self.crew(data.JOKER) + max(self.ring(step) for step in (-1, 0, 1))
        return self.crew(self.best_crew()) + 2 * _STONE

    def ring(self, step: int) -> float:
        """Return what moving the ring does for oneself, less half of what it does for the others."""
        ring = self.board.ring + step
        if not 0 <= ring < len(data.RING_POSITIONS):
            return -99.0
        gain = 0.0
        for seat in range(self.board.players):
            own = self.board.own(seat)
            fed = min(own.need, sum(own.field_sums[: ring + 1])) - min(own.need, own.grain)
            share = 1.0 if seat == self.own.seat else -0.5 / (self.board.players - 1)
            gain += fed * own.cost * share
        return gain

    def site(self, site: int, slot: int) -> float:
        """Return what a ship in this slot (0: the queue) will build, and the step in points for taking part."""
        *basics, joker = self.own.crews
        docked = self.own.docked.bit_count()
        strength = sorted(basics, reverse=True)[min(docked, data.BASIC - 1)] + (0 if docked else joker)
        built = min(strength, max(0, self.stones - 4 * docked))
        part = self.t.parts.participation
        value = float(part[min(docked + 1, len(part) - 1)] - part[docked])
        value += 5.0 if site == data.SPHINX else 0.85 * built + (0.8 if site == data.OBELISK else 0.0)
        if not slot:
            return _QUEUE * value
        return value - _FAR_SLOT * (slot - 1) if built or site == data.SPHINX else 0.1

    def sphinx(self, card: int) -> float:
        """Return what keeping a Sphinx card promises: what it pays now, or part of it while that may come true."""
        found = self.t.sphinx[card]
        now = scoring.sphinx_points(self.own, found)
        if found.cond == "plus_10_percent":
            return max(0, self.own.points + 9 * self.rounds) / 10
        if found.cond in {"crew_strength", "vp_per_own_grave", "vp_per_permanent"}:
            return now + 0.7 * (self.rounds - 1)
        if now:
            return now * (0.9 if found.cond == "majority" else 1.0)
        return _OPEN * _promise(self, found) * (self.rounds - 1) / (data.ROUNDS - 1)


def _promise(worth: Valuation, card: SphinxCard) -> float:
    """Return a Sphinx card's points, less where its condition is far away."""
    if card.cond == "players_on_last_space":
        return float(card.vp_by_count[1])
    built = max(1, sum(worth.own.built.values()))
    near = {"own_stones": min(1.0, built / max(1, card.n)), "all_graves_taken": 0.6, "pyramid_complete": 0.4}
    return card.vp * near.get(card.cond, 0.7)


def _step_card(worth: Valuation, _card: NileCard) -> float:
    """Return a crew step in each round left."""
    return 0.6 * worth.rounds * worth.crew(worth.best_crew())


_CARDS: dict[str, Callable[[Valuation, NileCard], float]] = {
    "field": lambda w, card: w.field(data.COLOURS.index(card.colour), card.value),
    "quarry": lambda w, card: _STONE * card.value * w.rounds,
    "crew_improver": _step_card,
    "two_stones_crew_plus_1": lambda w, card: 0.6 * _step_card(w, card),
    "field_improver": lambda w, _card: 1.5 + 0.2 * max(0, w.hunger) * w.rounds,
    "feed_with_stones": lambda w, _card: 1.0 + 0.5 * max(0, w.hunger) * w.rounds,
    "reuse_round_space": lambda w, _card: 1.6 * w.rounds,
    "plus_2_sphinx": lambda w, _card: 1.8 * w.rounds,
    "upstream": lambda w, _card: 1.8 * w.rounds,
    "leftover_nile_card": lambda w, _card: 2.5 * w.rounds,
    "graves_plus_8": lambda w, _card: 4.0 if w.own.graves else 2.5,
    "grain_market": lambda w, card: w.market(data.GRAIN_MARKET, card.value),
    "stone_market": lambda w, card: w.market(data.STONE, card.value),
    "stones": lambda w, card: _STONE * min(card.value, w.t.stone_cap - w.own.stones),
    "vp": lambda _w, card: float(card.value),
    "crew_plus_3": lambda _w, _card: 3.0,
    "grain": lambda w, card: 0.8 * w.cost * min(card.value, max(1, w.hunger)),
    "keep_two_sphinx": lambda _w, _card: 2.5,
    "two_ships": lambda _w, _card: 1.2,
    "double_round_space": lambda _w, _card: 2.5,
    "combine_two_crews": lambda _w, _card: 2.5,
    "extra_ship_full_site": lambda _w, _card: 1.0,
    "change_site_position": lambda _w, _card: 0.8,
    "sell_stones": lambda w, card: 0.5 * min(card.value, w.stones),
    "crews_plus_1": lambda w, card: sum(w.crew(data.CREW_INDEX[crew]) for crew in card.crews),
    "two_crews_plus_1_or_one_plus_2": lambda w, _card: 2 * w.crew(w.best_crew()),
    "vp_per_own_stone": lambda w, card: float(sum(n for name, n in w.own.built.items() if name in card.buildings)),
}
