"""The referee's own books: players, crews, markets, buildings, and the score track with its order of arrival."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pbem.engine.egizia

if TYPE_CHECKING:
    from collections.abc import Callable

PARTS: dict[str, Any] = json.loads(
    (Path(pbem.engine.egizia.__file__).parent / "components.json").read_text(encoding="utf-8")
)
"""The component data: the only thing shared with the engine."""
NILE: dict[str, dict[str, Any]] = {card["id"]: card for deck in PARTS["nile"].values() for card in deck}
SPHINX: dict[str, dict[str, Any]] = {card["id"]: card for card in PARTS["sphinx"]}
LAST_SPACE = 5
BETTER = {"brown": "yellow", "yellow": "green"}
WATERED = (("green",), ("green", "yellow"), ("green", "yellow", "brown"))


class Player:
    """One player's things."""

    def __init__(self, stones: int) -> None:
        self.stones, self.points, self.arrived = stones, 0, 0
        self.crews: dict[str, int] = dict(PARTS["crew_start"])
        self.fields: dict[str, tuple[str, int]] = {"start": ("green", PARTS["start_field"]["value"])}
        self.quarries: int = PARTS["start_quarry"]
        self.permanent: list[str] = []
        self.laid = 0
        """Field improvers already used."""
        self.anytime: list[str] = []
        self.steps = {"stone": 0, "grain": 0}
        self.graves: list[int] = []
        self.built = {"obelisk": 0, "graves": 0, "pyramid": 0, "temple": 0}
        self.kept: list[str] = []
        self.tired, self.once, self.sites = set[str](), set[str](), set[str]()

    def value_of(self, what: str) -> int:
        """What a majority counts: a colour of fields, or the quarries."""
        if what == "quarry":
            return self.quarries
        return sum(value for colour, value in self.fields.values() if colour == what)


class Ledger:
    """Everybody's books, and the effects that change them."""

    def __init__(self, order: list[int], graves: list[int]) -> None:
        start = PARTS["start_stones_by_order"]
        self.players = [Player(start[order.index(seat)]) for seat in range(len(order))]
        self.order, self.graves, self.clock = order, graves, 0
        for seat in reversed(order):
            self.arrive(seat)
        self.ring: int = PARTS["ring"]["start"]
        self.obelisk, self.taken = 0, 0
        self.rows: list[list[int]] = [[] for _ in PARTS["pyramid_rows_bottom_up"]]
        self.paid_rows = set[int]()
        self.temple = dict.fromkeys(PARTS["temple"], 0)
        self.entablature = set[int]()

    # --- the score track ---

    def arrive(self, seat: int) -> None:
        """A marker has moved: it stands behind those already on its space."""
        self.clock += 1
        self.players[seat].arrived = self.clock

    def score(self, seat: int, points: int) -> None:
        """One scoring; nothing moves for 0."""
        if points:
            self.players[seat].points += points
            self.arrive(seat)

    def from_front(self) -> list[int]:
        """Seats from the front of the track backwards."""
        return sorted(range(len(self.players)), key=lambda s: (-self.players[s].points, self.players[s].arrived))

    # --- effects ---

    def gain(self, seat: int, stones: int) -> None:
        """Stones, up to the cap."""
        player = self.players[seat]
        player.stones = min(PARTS["stone_cap"], player.stones + stones)

    def train(self, seat: int, crew: str) -> None:
        """One step for a crew; lost at the maximum."""
        crews = self.players[seat].crews
        crews[crew] = min(PARTS["crew_max"], crews[crew] + 1)

    def step(self, seat: int, market: str, steps: int = 1) -> None:
        """Steps down a market; the last space pays when reached and for each step that can't be made."""
        marks = self.players[seat].steps
        for _ in range(steps):
            marks[market] = min(LAST_SPACE, marks[market] + 1)
            if marks[market] == LAST_SPACE:
                if market == "stone":
                    self.gain(seat, PARTS["stone_last_stones"])
                else:
                    self.score(seat, PARTS["grain_last_vp"])

    def use(self, seat: int, effect: str) -> None:
        """An any-time card is used up."""
        self.players[seat].anytime.remove(effect)

    def take(self, seat: int, card: str, crews: list[str]) -> None:
        """A Nile card is taken; immediate ones act."""
        player, found = self.players[seat], NILE[card]
        match found["type"]:
            case "field":
                player.fields[card] = (found["colour"], found["value"])
            case "quarry":
                player.quarries += found["value"]
            case "permanent":
                player.permanent.append(found["effect"])
            case "anytime":
                player.anytime.append(found["effect"])
            case _:
                self.act(seat, found, crews)

    def act(self, seat: int, card: dict[str, Any], crews: list[str]) -> None:
        """EG-4.2: an immediate card."""
        match card["effect"]:
            case "grain_market" | "stone_market" as market:
                self.step(seat, market.removesuffix("_market"), card["value"])
            case "stones":
                self.gain(seat, card["value"])
            case "vp":
                self.score(seat, card["value"])
            case "vp_per_own_stone":
                self.score(seat, sum(self.players[seat].built[building] for building in card["buildings"]))
            case "crews_plus_1":
                for crew in card["crews"]:
                    self.train(seat, crew)
            case _:
                assert len(crews) == 2, card
                while crews:
                    self.train(seat, crews.pop(0))

    def rider(self, seat: int, clause: str) -> None:
        """EG-4.5: a card that goes along with any order."""
        player = self.players[seat]
        verb, _, what = clause.rpartition(" ")
        if verb in {"improve", "two stones"}:
            effect = {"improve": "crew_improver", "two stones": "two_stones_crew_plus_1"}[verb]
            assert effect in player.permanent
            assert effect not in player.once
            assert player.crews[what] < PARTS["crew_max"]
            player.once.add(effect)
            player.stones -= 2 if verb == "two stones" else 0
            self.train(seat, what)
        elif verb == "field":
            player.laid += 1
            assert player.laid <= player.permanent.count("field_improver")
            colour, value = player.fields[what]
            player.fields[what] = (BETTER[colour], value)
        elif verb == "sell":
            self.use(seat, "sell_stones")
            player.stones -= int(what)
            self.score(seat, int(what))
        else:
            assert verb.startswith("move "), clause
            self.use(seat, "change_site_position")
        assert player.stones >= 0

    # --- phases ---

    def feed(self, orders: dict[int, str]) -> None:
        """EG-5: feeding from the front, then quarrying."""
        for seat in self.from_front():
            player = self.players[seat]
            found = re.fullmatch(r"feed(?: with (\d+) grain)?(?: (?:with|and) stones (\d+))?", orders.get(seat, "feed"))
            assert found
            bought, stones = int(found[1] or 0), int(found[2] or 0)
            for _ in range(bought // 4):
                self.use(seat, "grain")
            grain = sum(value for colour, value in player.fields.values() if colour in WATERED[self.ring])
            missing = max(0, sum(player.crews.values()) - grain - bought)
            assert stones <= (min(missing, player.stones) if "feed_with_stones" in player.permanent else 0)
            player.stones -= stones
            self.score(seat, (stones - missing) * PARTS["grain_market_cost"][player.steps["grain"]])
        for seat in self.order:
            self.gain(seat, self.players[seat].quarries)

    def end_round(self) -> None:
        """EG-8: participation from the front, then the new order."""
        for seat in self.from_front():
            self.score(seat, PARTS["participation"][len(self.players[seat].sites)])
        self.order = self.from_front()[::-1]
        for player in self.players:
            player.tired, player.once, player.sites = set(), set(), set()

    def build(self, seat: int, part: str) -> tuple[int, bool]:
        """One part of a building order: its value, and whether it used the Obelisk."""
        kind, _, rest = part.rpartition(" ") if re.search(r"\d", part) else (part, "", "1")
        if part.startswith("obelisk"):
            first, _, last = rest.partition("-")
            assert int(first) == self.obelisk + 1
            self.obelisk = int(last or first)
            values = PARTS["obelisk"][int(first) - 1 : self.obelisk]
        elif part.startswith("grave"):
            values = self.graves[self.taken : self.taken + int(rest)]
            self.taken += len(values)
            self.players[seat].graves += values
        elif kind == "pyramid":
            values = [self.lay(seat, int(row) - 1) for row in rest.split("+")]
        else:
            values = self.raise_temple(kind, rest)
        building = {"obelisk": "obelisk", "grave": "graves", "graves": "graves", "pyramid": "pyramid"}.get(
            kind, "temple"
        )
        self.players[seat].built[building] += len(values)
        return sum(values), building == "obelisk"

    def lay(self, seat: int, row: int) -> int:
        """A Pyramid stone: from the left, on two that are there."""
        spaces: list[int] = PARTS["pyramid_rows_bottom_up"][row]
        place = len(self.rows[row])
        assert row == 0 or len(self.rows[row - 1]) >= place + 2
        self.rows[row].append(seat)
        return spaces[place]

    def raise_temple(self, part: str, rest: str) -> list[int]:
        """Temple stones: pylons and columns bottom up, the entablature once both pylons are full."""
        if part == "entablature":
            places = [int(place) for place in rest.split("+")]
            assert self.temple["left_pylon"] == self.temple["right_pylon"] == 4
            assert not self.entablature & set(places)
            self.entablature |= set(places)
            return [PARTS["temple"]["entablature"][place - 1] for place in places]
        name = part.replace(" ", "_")
        before = self.temple[name]
        self.temple[name] += int(rest.removeprefix("x"))
        values: list[int] = PARTS["temple"][name][before : self.temple[name]]
        assert len(values) == self.temple[name] - before
        return values

    def pay_rows(self) -> None:
        """EG-6.5: each row that became full pays its leader."""
        for number, row in enumerate(self.rows):
            if len(row) == len(PARTS["pyramid_rows_bottom_up"][number]) and number not in self.paid_rows:
                self.paid_rows.add(number)
                leader = max(dict.fromkeys(row), key=row.count)
                self.score(leader, row.count(leader))

    # --- the end ---

    def final(self) -> None:
        """EG-9: from the last in order to the first, each all lines before the next."""
        for seat in reversed(self.order):
            player = self.players[seat]
            if PARTS["stone_market_sell"][player.steps["stone"]]:
                self.score(seat, player.stones // 2)
                player.stones %= 2
            buried = sum(player.graves) + 8 * player.permanent.count("graves_plus_8")
            self.score(seat, sum(points for low, high, points in PARTS["grave_final"] if low <= buried <= high))
            for card in sorted(player.kept, key=lambda name: SPHINX[name]["cond"] == "plus_10_percent"):
                self.score(seat, self.worth(seat, SPHINX[card]))

    def worth(self, seat: int, card: dict[str, Any]) -> int:
        """EG-9.3: what one Sphinx card scores."""
        player = self.players[seat]
        each = card.get("vp_each", 0)
        match card["cond"]:
            case "players_on_last_space":
                there = sum(other.steps[card["track"]] == LAST_SPACE for other in self.players)
                return int(card["vp_by_count"][there])
            case "vp_per_own_grave":
                return int(each * player.built["graves"])
            case "vp_per_permanent":
                return int(each * len(player.permanent))
            case "crew_strength":
                return player.crews[card["crew"]]
            case "plus_10_percent":
                return max(0, player.points) // 10
            case _:
                return int(card["vp"] * self.holds(seat, card))

    def holds(self, seat: int, card: dict[str, Any]) -> bool:
        """Whether a condition that pays all or nothing is fulfilled."""
        player = self.players[seat]
        pylons = self.temple["left_pylon"] == self.temple["right_pylon"] == 4
        columns = (self.temple["left_column"] == 2) + (self.temple["right_column"] == 2)
        values = [other.value_of(card.get("what", "")) for other in self.players]
        mine = values.pop(seat)
        tests: dict[str, Callable[[], bool]] = {
            "obelisk_space_filled": lambda: self.obelisk >= card["n"],
            "temple_pylons_and_columns": lambda: pylons and columns >= card["columns"],
            "all_graves_taken": lambda: self.taken == PARTS["grave_spaces"],
            "pyramid_complete": lambda: len(self.paid_rows) == len(self.rows),
            "own_on_last_space": lambda: player.steps[card["track"]] == LAST_SPACE,
            "own_stones": lambda: player.built[card["building"]] >= card["n"],
            "own_stones_each": lambda: all(player.built[building] >= card["n"] for building in card["buildings"]),
            "majority": lambda: mine > max(values),
        }
        return tests[card["cond"]]()
