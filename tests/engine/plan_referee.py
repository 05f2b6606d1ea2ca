"""A second reading of plans: whether an answer agrees with a plan's data, worked out beside compiler and text."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from pbem.engine.amunre import plans as amunre
from pbem.engine.amunre.data import CARDS, EIGHT, PRICES, PROVINCES
from pbem.engine.amunre.harvest import yields
from pbem.engine.core.errors import InvalidOrder
from pbem.engine.core.rng import Rng
from pbem.engine.egizia import plans as egizia
from pbem.engine.egizia.monuments import value_of as stack_value
from pbem.engine.egizia.orders import Pass as Home
from pbem.engine.egizia.orders import Raise, Stack
from pbem.engine.egizia.tables import tables_of
from pbem.engine.egizia.tombs import value_of as tomb_value
from pbem.engine.priestsofra.data import FACES
from pbem.engine.priestsofra.orders import Bid, Call, Draw, Pass
from pbem.engine.registry import planner_of
from pbem.engine.text import standing_orders, standing_text
from pbem.kit.contract.positions import table_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from pbem.engine.core.rng import Chance
    from pbem.engine.core.types import AnyRules
    from pbem.engine.priestsofra.plans import DrawPlan

ASKED = None
"""No answer: the player is asked."""


def random_fields(part: Any, chance: Chance) -> dict[str, list[str]]:
    """Any way to fill in one part of the page."""
    return {field.name: _filled(field, chance) for field in part.fields}


def _filled(field: Any, chance: Chance) -> list[str]:
    values = [option.value for option in field.options]
    steps = [str(step) for step in field.steps]
    if field.kind in {"ranking", "many"}:
        count = chance.below(min(len(values), 6) + 1)
        return [values.pop(chance.below(len(values))) for _ in range(count)]
    if field.kind == "limits":
        return [["", *steps][chance.below(len(steps) + 1)] for _ in values]
    options = steps if field.kind == "number" else values
    return [options[chance.below(len(options))]]


def complaint(rules: AnyRules, plan: Any, state: Any, seat: int, order: Any) -> str:
    """What is wrong with `order` as the plan's answer to the present decision of `seat`; nothing if it agrees."""
    kind = rules.asked(state)[seat].kind
    read = _READERS[type(plan).__name__]
    due = read(plan, state, seat, kind)
    if callable(due):
        return "" if due(rules, order) else f"{order} at {kind} is against {plan}"
    return (
        ""
        if order == due or (order is not None and str(order) == str(due))
        else f"{order} at {kind}, not {due}: {plan}"
    )


def _sail(plan: egizia.SailPlan, state: Any, seat: int, kind: str) -> Any:
    """EG-3: the first space on the list that is free downstream, unless too many are lost."""
    if kind != "ship":
        return ASKED
    river = _River(state, seat)
    entries = [(entry, river.place(entry.partition(",")[0])) for entry in plan.spaces]
    lost = {space for _, space in entries if not river.is_open(space) and space not in state.fleet[seat]}
    if plan.ask and len(lost) >= plan.ask:
        return ASKED

    def agrees(rules: AnyRules, order: Any) -> bool:
        for entry, space in entries:
            if river.is_open(space):
                if rules.check(state, seat, rules.read(state, seat, f"ship to {entry}")):
                    return order is None  # the ring can't go that way any more
                return river.is_as_said(order, entry, space)
        return isinstance(order, Home) if plan.then == "pass" else order is None

    return agrees


class _River:
    """The spaces as one seat can sail to them now."""

    def __init__(self, state: Any, seat: int) -> None:
        self.state, self.seat = state, seat
        self.t = tables_of(state.components)
        self.last = state.fleet[seat][-1] if state.fleet[seat] else -1

    def place(self, name: str) -> int:
        """A space by its name, a card's by its number."""
        return self.t.card_spaces[int(name[5:]) - 1] if name.startswith("card ") else self.t.space_name.index(name)

    def is_open(self, space: int) -> bool:
        """Free, downstream, and a slot left if it is a site."""
        if space <= self.last or (self.state.taken | self.state.docked[self.seat]) >> space & 1:
            return False
        return space not in self.t.sites or -1 in self.state.slots[self.t.sites.index(space)]

    def is_as_said(self, order: Any, entry: str, space: int) -> bool:
        """A plain ship to the space, with the crews and ring moves of the entry and no card."""
        if order is None or isinstance(order, Home) or order.using or order.also != type(order.also)():
            return False
        name = order.to
        there = self.t.where[name] if name in self.t.where else self.state.cards.index(self.t.index[name])
        said = [f"crew {crew}" for crew in order.crews] + [f"ring {way}" for way in order.rings]
        wanted = entry.split(", ")[1:]
        return there == space and sorted(said) == sorted(wanted) and (not order.slot or space in self.t.sites)


def _sites(plan: egizia.SitesPlan, state: Any, seat: int, kind: str) -> Any:
    """EG-6, EG-7: these crews, as much as can be done, between the two limits."""
    site = "Sphinx" if kind == "sphinx" else ("", "Obelisk", "Pyramid")[state.site] if kind == "build" else ""
    work = next((one for one in plan.works if one.site == site), None)
    if work is None:
        return ASKED
    crews = tuple(work.crews.split(" + "))

    def worth(order: Any) -> int:
        if isinstance(order, Raise):
            return tomb_value(state, order)
        return stack_value(state, order) if isinstance(order, Stack) else order.n

    def agrees(rules: AnyRules, order: Any) -> bool:
        same = [
            worth(one)
            for one in rules.legal(state, seat)
            if getattr(one, "crews", ()) == crews and not one.using and one.also == type(one.also)()
        ]
        best = max((amount for amount in same if work.least <= amount <= work.most), default=0)
        if order is None:
            return not best
        return order.crews == crews and not order.using and worth(order) == best

    return agrees


def _keep(plan: egizia.KeepPlan, state: Any, _seat: int, kind: str) -> Any:
    drawn = [tables_of(state.components).sphinx[card].id for card in state.drawn] if kind == "keep" else []
    best = next((card for card in plan.cards if card in drawn), None)
    return f"keep {best}" if best else ASKED


def _limits(plan: amunre.BidPlan, state: Any, seat: int, kind: str) -> Any:
    """AR-5: a province within its limit, at its lowest price, with most left below the limit."""
    if kind != "bid":
        return ASKED
    purse = state.gold[seat] + sum(state.hands[seat])
    purse = min(purse, plan.within) if plan.within >= 0 else purse
    gaps = {}
    for name, limit in zip(plan.places, plan.limits, strict=True):
        p = PROVINCES.index(name)
        space = state.bids[state.at.index(p)] + 1 + state.blocks[state.at.index(p)] if p in state.at else 0
        barred = state.beaten[seat] == p and not state.rebids[seat]
        if not barred and PRICES[space] <= min(limit, purse):
            gaps[p] = (limit - PRICES[space], PRICES[space])

    def agrees(_rules: AnyRules, order: Any) -> bool:
        if not gaps:
            return order is None if plan.then == "ask me" else order is not None and order.space >= 0
        widest = max(gap for gap, _ in gaps.values())
        return (
            order is not None
            and not (order.block or order.rebid)
            and gaps.get(order.province) == (widest, PRICES[order.space])
        )

    return agrees


def _round(plan: amunre.RoundPlan, state: Any, seat: int, kind: str) -> Any:
    """AR-6 to AR-8: each decision by its own part of the plan."""
    items = state.items[seat]
    alike = {number: item for number, item in enumerate(plan.alike, 2) if item}
    pieces = [alike[items]] * items if items in alike else [item for item in plan.rewards if item != "card"]

    def builds(order: Any) -> bool:
        wanted = [
            {PROVINCES.index(p): n for p, n in zip(plan.places, counts, strict=True) if n}
            for counts in (plan.farmers, plan.stones)
        ]
        cards = [PROVINCES.index(name) if name else -1 for name in (plan.free_farmer, plan.architect)]
        came = any(state.hands[seat][CARDS.index(card)] for card in plan.asked_for)
        placed = [dict(order.farmers), dict(order.stones)] == wanted
        return bool(plan.places) and not came and placed and [order.free_farmer, order.architect] == cards

    def takes(order: Any) -> bool:
        if items in alike:
            return bool(order.cards == 0)
        return 0 < items <= len(plan.rewards) and bool(order.cards == plan.rewards[:items].count("card"))

    poor = not state.gold[seat] + sum(state.hands[seat])  # who has nothing builds nothing, asked or not
    due: dict[str, Callable[[Any], bool]] = {
        "buy": lambda order: order.cards == plan.cards and (not order.build or poor),
        "build": builds,
        "offer": lambda order: order.gold == plan.offer and not order.adjustment,
        "adjust": lambda order: order.up == (plan.adjust == "raise"),
        "take": takes,
        "harvest": lambda order: _harvested(plan, pieces, items, state, order),
    }
    # What can't be done as planned is asked.
    return lambda _rules, order: order is None or (kind in due and due[kind](order))


def _harvested(plan: amunre.RoundPlan, pieces: list[str], items: int, state: Any, order: Any) -> bool:
    due = pieces[:items]
    for what, placed in (("farmer", order.farmers), ("stone", order.stones)):
        given = sorted(f"{what} {PROVINCES[p]}" for p, n in placed for _ in range(n))
        if given != sorted(item for item in due if item.startswith(what)):
            return False
    if order.eight_gold >= 0:
        farmers = dict(order.farmers).get(order.eight_gold, 0)
        if EIGHT - yields(state, order.eight_gold, state.temple) - farmers * state.temple < plan.gain:
            return False
    played = [(order.increase, plan.increase), (order.eight_gold, plan.eight)]
    return not order.keep and all(place < 0 or PROVINCES[place] == name for place, name in played)


def _draw(plan: DrawPlan, state: Any, seat: int, kind: str) -> Any:
    """Until an auction is won: draw, stop at tiles or kinds; bid within the lot's limit."""
    lot = [FACES[face] for face in state.lot]
    if state.up[seat].bit_count() < plan.suns:
        return ASKED

    stops = len(lot) >= plan.tiles or bool(set(lot) & set(plan.kinds))
    stops |= 0 < plan.plagues <= list(lot).count("plague")
    limit = plan.limits[len(lot) - 1] if 0 < len(lot) <= len(plan.limits) else -1

    def shown(order: Any) -> bool:
        return sorted(FACES[face] for face in order.prefer) == sorted(plan.shows)

    def turns(order: Any) -> bool:
        if isinstance(order, Call):
            return plan.then == "ra" and stops
        if order is None:
            return plan.then == "ask me" and stops
        return isinstance(order, Draw) and shown(order) and not stops

    def bids(order: Any) -> bool:
        if isinstance(order, Pass):
            return len(lot) <= plan.passes or limit >= 0
        return order is None or (isinstance(order, Bid) and 0 < order.sun <= limit)

    due: dict[str, Callable[[Any], bool]] = {"turn": turns, "bid": bids}
    return lambda _rules, order: due[kind](order) if kind in due else order is None


_READERS: dict[str, Any] = {
    "SailPlan": _sail,
    "SitesPlan": _sites,
    "KeepPlan": _keep,
    "BidPlan": _limits,
    "RoundPlan": _round,
    "DrawPlan": _draw,
}


class Followed(msgspec.Struct):
    """What came of random plans in random games."""

    plans: int = 0
    answers: int = 0
    complaints: list[str] = []


class _Held(msgspec.Struct):
    plan: Any
    orders: standing_text.StandingOrders
    stored: Any


def followed(rules: AnyRules, seed: str, wanted: int) -> Followed:
    """Play random games in which every seat follows one random plan after the other, until `wanted` were made."""
    found = Followed()
    number = 0
    while found.plans < wanted:
        _play(rules, f"{seed}/{number}", number, found)
        number += 1
    return found


def _play(rules: AnyRules, seed: str, number: int, found: Followed) -> None:
    table = table_of(rules, number)
    state = rules.setup(table.seats, table.options, Rng(seed, 0)).state
    lot = Rng(f"{seed}/plans", 0)
    held: dict[int, _Held] = {}
    ply = 0
    while asked := rules.awaited(state):
        ply += 1
        for seat in range(table.seats):
            if seat not in held and not lot.below(3):
                plan = _made(rules, state, seat, lot)
                if plan is not None:
                    held[seat] = plan
                    found.plans += 1
        orders = {seat: _answer(rules, state, seat, held, found) or rules.sample(state, seat, lot) for seat in asked}
        rules.apply(state, orders, Rng(seed, ply))
        now = rules.scope(state)
        held = {
            seat: one
            for seat, one in held.items()
            if lot.below(40) and not standing_orders.expired(one.orders, one.stored, now)
        }


def _made(rules: AnyRules, state: Any, seat: int, lot: Chance) -> _Held | None:
    planner = planner_of(rules.meta.name)
    view = rules.view(state, seat)
    offered = planner.parts(view)
    if not offered:
        return None
    part = offered[lot.below(len(offered))]
    try:
        plan = planner.plan(view, part.name, random_fields(part, lot))
    except InvalidOrder:
        return None
    return _Held(plan, standing_text.parse(rules, planner.text(plan)), rules.scope(state))


def _answer(rules: AnyRules, state: Any, seat: int, held: dict[int, _Held], found: Followed) -> Any:
    one = held.get(seat)
    if one is None:
        return None
    order = standing_orders.answer(rules, state, seat, one.orders).order
    wrong = complaint(rules, one.plan, state, seat, order)
    if wrong:
        found.complaints.append(wrong)
    found.answers += order is not None
    return order
