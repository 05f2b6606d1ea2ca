"""Plans of Amun-Re: a limit for each province, and one page for everything from the cards to the harvest."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import chain, product
from typing import Any

import msgspec

from pbem.engine.amunre.auction import purse
from pbem.engine.amunre.buy import limit
from pbem.engine.amunre.data import ARCHITECT, EIGHT, FREE_FARMER, LANGUAGE, PRICES, PROVINCES, lands, names
from pbem.engine.amunre.orders import Buy, Offer, Take
from pbem.engine.amunre.state import BID, BUILD, BUY_DRAFT, OFFER, OVER, SELL, owned
from pbem.engine.amunre.view import View
from pbem.engine.core import plans as core
from pbem.engine.core.errors import invalid
from pbem.engine.core.forms import Filled
from pbem.engine.core.message import N_, Message, Params, sentence
from pbem.engine.core.plans import Plan, PlanField, PlanOption, PlanPart, Tapped

LOWEST, ASK = "bid lowest", "ask me"
_MOST_ITEMS = 3
_MOST_PIECES = 9
_CARD = "card"
_MOST_OFFER = 30
_MOST_SPACES = 10
WORTH = (0, 1, 3, 6, 8, 10, 12, 15, 18, 21, 24, 28, 32, 36, 45, 55)
"""Gold that a province can be said to be worth: the bid spaces, and steps between them that only compare provinces."""


class BidPlan(Plan, frozen=True, tag="bid"):
    """What each province is worth, for one auction; used in turn and sealed."""

    places: tuple[str, ...]
    limits: tuple[int, ...]
    """Gold, beside `places`."""
    then: str = LOWEST
    within: int = -1
    """Gold that no bid goes beyond, whatever a province is worth; -1 for what the purse holds."""


class RoundPlan(Plan, frozen=True, tag="round", omit_defaults=True):
    """The rest of a round; what is left out is asked."""

    cards: int = -1
    farmers: tuple[int, ...] = ()
    """To be bought, beside `places`."""
    stones: tuple[int, ...] = ()
    places: tuple[str, ...] = ()
    free_farmer: str = ""
    architect: str = ""
    asked_for: tuple[str, ...] = ()
    """Cards that make it ask again if they come."""
    offer: int = -1
    """Gold, 0 for theft."""
    adjust: str = ""
    rewards: tuple[str, ...] = ()
    """The items in the order in which they are taken: `card`, `stone Memphis`, `farmer Abu`."""
    alike: tuple[str, ...] = ()
    """With two items to place, and with three, what all of them are; empty for those of `rewards`."""
    increase: str = ""
    eight: str = ""
    gain: int = 0
    """How much more the card of eight gold must bring there than the province yields."""


PLANS = BidPlan | RoundPlan


def parts(view: View) -> tuple[PlanPart, ...]:
    """Return what the view's seat can plan now."""
    if view.seat is None or view.phase == OVER:
        return ()
    return (_bid_part(view, view.seat),) if view.phase in {BID, SELL} else (_round_part(view, view.seat),)


def _places(lands: Iterable[int]) -> tuple[PlanOption, ...]:
    return tuple(PlanOption(PROVINCES[p], Message(PROVINCES[p]), f"province:{PROVINCES[p]}") for p in lands)


def _bid_part(view: View, seat: int) -> PlanPart:
    """AR-5: the provinces up for auction."""
    prices = tuple(price for price in PRICES[: _MOST_SPACES + 1] if price <= purse(view, seat))
    then = (PlanOption(LOWEST, sentence("the lowest bid there is")), PlanOption(ASK, sentence("I am asked")))
    fields = (
        _field("limits", "limits", options=_places(view.shown), steps=WORTH),
        _field("within", "number", steps=prices, value=(str(prices[-1]),)),
        _field("then", "one", options=then, value=(LOWEST,)),
    )
    return PlanPart("bid", sentence("This auction"), fields)


def _round_part(view: View, seat: int) -> PlanPart:
    """AR-6 to AR-8: what is still to come in this round, with what the seat holds now."""
    places = _places(owned(view, seat))
    fields: list[PlanField] = []
    if view.phase <= BUY_DRAFT:
        fields.append(_stepper("cards", -1, limit(view, seat)))
    if view.phase <= BUILD:
        pieces = core.numbers(0, _MOST_PIECES)
        fields += [_field(name, "limits", options=places, steps=pieces) for name in ("farmers", "stones")]
        cards = (("free_farmer", FREE_FARMER), ("architect", ARCHITECT))
        fields += [_choice(name, places) for name, kind in cards if view.hand[kind]]
    if view.phase <= OFFER:
        fields.append(_stepper("offer", -1, min(view.gold[seat], _MOST_OFFER)))
    ways = (PlanOption("raise", sentence("raise")), PlanOption("lower", sentence("lower")))
    fields.append(_choice("adjust", ways))
    names = [_CARD, *(f"{what} {place.value}" for what in ("stone", "farmer") for place in places)]
    items = tuple(PlanOption(name, _item(name)) for name in names)
    fields += [_choice(f"reward{n}", items) for n in range(1, _MOST_ITEMS + 1)]
    fields += [_choice(f"alike{n}", items[1:]) for n in range(2, _MOST_ITEMS + 1)]
    fields += [_choice(name, places) for name in ("increase", "eight")]
    return PlanPart("round", sentence("The rest of this round"), (*fields, _stepper("gain", 0, EIGHT)))


def _field(name: str, kind: Tapped, **rest: Any) -> PlanField:
    return PlanField(name, kind, Message(LANGUAGE.said["plans"][name]), **rest)


def _stepper(name: str, low: int, high: int) -> PlanField:
    return _field(name, "number", steps=core.numbers(low, high), value=(str(low),))


def _choice(name: str, options: tuple[PlanOption, ...]) -> PlanField:
    return _field(name, "one", options=(NO_PLAN, *options), value=("",))


NO_PLAN = PlanOption("", sentence("not planned"))


def _item(item: str) -> Message:
    """Return what a reward item is called: `card`, `stone Memphis`."""
    what, _, province = item.partition(" ")
    if not province:
        return sentence("a power card")
    return sentence(N_("a stone on {province}") if what == "stone" else N_("a farmer on {province}"), province=province)


def plan(view: View, part: str, fields: Filled) -> BidPlan | RoundPlan:
    """Return the plan that a filled-in part means. Raises InvalidOrder."""
    given = core.given(parts(view), part, fields)
    return _bid_plan(view, given) if part == "bid" else _round_plan(view, view.seat or 0, given)


def _bid_plan(view: View, given: Mapping[str, Any]) -> BidPlan:
    chosen = [(PROVINCES[p], limit) for p, limit in zip(view.shown, given["limits"], strict=False) if limit >= 0]
    if not chosen:
        raise core.nothing()
    within, most = given["within"], _bid_part(view, view.seat or 0).fields[1].steps[-1]
    return BidPlan(
        places=tuple(p for p, _ in chosen),
        limits=tuple(limit for _, limit in chosen),
        then=given["then"],
        within=within if within < most else -1,
    )


_AS_GIVEN = ("cards", "free_farmer", "architect", "offer", "adjust", "increase", "eight")
"""Fields of a plan that are called and filled in as on the page."""


def _round_plan(view: View, seat: int, given: Mapping[str, Any]) -> RoundPlan:
    pieces = {name: given[name] for name in ("farmers", "stones") if name in given}  # what is behind has no field
    rewards = tuple(given[f"reward{n}"] for n in range(1, _MOST_ITEMS + 1))
    alike = tuple(given[f"alike{n}"] for n in range(2, _MOST_ITEMS + 1))
    found = RoundPlan(
        **{name: given[name] for name in _AS_GIVEN if name in given},
        rewards=rewards[: rewards.index("")] if "" in rewards else rewards,
        alike=alike if any(alike) else (),
        gain=given["gain"] if given["eight"] else 0,
    )
    if found.free_farmer or found.architect or max((-1, *chain(*pieces.values()))) >= 0:
        found = msgspec.structs.replace(
            found,
            **{name: tuple(max(n, 0) for n in counts) for name, counts in pieces.items()},
            places=lands(owned(view, seat)),
            asked_for=names(kind for kind in (ARCHITECT, FREE_FARMER) if not view.hand[kind]),
        )
    if found == RoundPlan():
        raise core.nothing()
    if found.increase and found.increase == found.eight:
        raise invalid(_BOTH_CARDS, "AR-8.4", province=found.eight)
    return found


_BOTH_CARDS = N_(
    "Eight gold comes in place of all that {province} yields, a harvest increase too: plan one of them elsewhere."
)


def text(plan: BidPlan | RoundPlan) -> str:
    """Return the standing order that a plan is."""
    if isinstance(plan, BidPlan):
        limits = " or ".join(f"{limit} on {place}" for place, limit in zip(plan.places, plan.limits, strict=True))
        within = f" within {plan.within}" * (plan.within >= 0)
        return "\n".join((core.PHASE, "for bid:", f"bid up to {limits}{within}", plan.then))
    return "\n".join((core.ROUND, *_action_lines(plan), *_reward_lines(plan)))


def _action_lines(plan: RoundPlan) -> Iterator[str]:
    """AR-6, AR-7.1 to AR-7.3."""
    if plan.cards >= 0:
        yield f"for buy: {Buy(plan.cards)}"
    if plan.places:
        yield "for build:"
        yield from (f"when {card} in my_hand: ask me" for card in plan.asked_for)
        yield _building_text(plan)
    if plan.offer >= 0:
        yield f"for offer: {Offer(plan.offer)}"
    if plan.adjust:
        yield f"for adjust: {plan.adjust}"


def _building_text(plan: RoundPlan) -> str:
    pieces = [
        f"{what} " + " ".join(f"{n} {place}" for place, n in zip(plan.places, counts, strict=True) if n)
        for what, counts in (("farmers", plan.farmers), ("stones", plan.stones))
        if any(counts)
    ]
    pieces += [f"free farmer {plan.free_farmer}"] * bool(plan.free_farmer)
    pieces += [f"architect {plan.architect}"] * bool(plan.architect)
    return ", ".join(pieces) or "buy nothing"


def _reward_lines(plan: RoundPlan) -> Iterator[str]:
    """AR-7.6, AR-8.3, AR-8.4: for each number of items; cards first, then the pieces with the harvest cards."""
    cards = {items: count for items in range(1, _MOST_ITEMS + 1) if (count := _cards_of(plan, items)) is not None}
    if cards:
        yield "for take:"
        for items, count in cards.items():
            yield f"when my_items = {items}: {Take(count)}"
    if cards or plan.increase or plan.eight:
        yield "for harvest:"
        for items in range(_MOST_ITEMS + 1):
            pieces = placed(plan, items)
            if len(pieces) == items:
                yield from (f"when my_items = {items}{order}" for order in _harvests(plan, pieces))


def _cards_of(plan: RoundPlan, items: int) -> int | None:
    """Return how many of so many items are cards; None if the plan says nothing of them."""
    if _alike(plan, items):
        return 0
    return plan.rewards[:items].count(_CARD) if items <= len(plan.rewards) else None


def _alike(plan: RoundPlan, items: int) -> str:
    return plan.alike[items - 2] if items > 1 and plan.alike else ""


def placed(plan: RoundPlan, items: int) -> list[str]:
    """The farmers and stones that the plan makes of so many items that are no cards; fewer if it says of fewer only."""
    if alike := _alike(plan, items):
        return [alike] * items
    return [item for item in plan.rewards if item != _CARD][:items]


def _harvests(plan: RoundPlan, pieces: list[str]) -> Iterator[str]:
    """The order for these pieces, with both harvest cards, with one of them, with none: the first legal one counts.

    Before each stands what else must hold, and a colon.
    """
    placed = []
    for what in ("farmer", "stone"):
        lands = [item.partition(" ")[2] for item in pieces if item.startswith(what)]
        if lands:
            placed.append(f"{what}s " + " ".join(f"{lands.count(land)} {land}" for land in dict.fromkeys(lands)))
    increase = ("harvest increase " + plan.increase, "") if plan.increase else ("",)
    eight = ("eight gold " + plan.eight, "") if plan.eight else ("",)
    yields = f"yield_{plan.eight.lower()}{' + temple' * pieces.count(f'farmer {plan.eight}')}"  # AR-7.6 comes first
    enough = f" and {yields} <= {EIGHT - plan.gain}" if plan.eight else ""
    for cards in product(increase, eight):
        order = ", ".join([*placed, *(card for card in cards if card)]) or "nothing"
        yield f"{enough if cards[1] else ''}: {order}"


def words(plan: BidPlan | RoundPlan, view: View) -> tuple[Message, ...]:
    """Return the plan in sentences."""
    return tuple(_bid_words(plan, view) if isinstance(plan, BidPlan) else _round_words(plan))


def _bid_words(plan: BidPlan, view: View) -> Iterator[Message]:
    for place, gold in zip(plan.places, plan.limits, strict=True):
        yield sentence("{province}: up to {gold} gold.", province=place, gold=gold)
    if plan.within >= 0:
        yield sentence("No bid above {gold} gold.", gold=plan.within)
    yield sentence("The bid goes where most is left below your limit; of equals to the cheapest.")
    yield Message(N_("Beyond that: the lowest bid there is.") if plan.then == LOWEST else N_("Beyond that: ask me."))
    if plan.then == ASK and view.options.auction == "sealed":  # what may ask is no list
        yield sentence("Where lists are sealed you are asked for yours all the same.", "AR-5.10")


_BOTH = N_("With two items to place, both of them: {item}.")
_ALL = N_("With three items to place, all of them: {item}.")


def _round_words(plan: RoundPlan) -> Iterator[Message]:
    if plan.cards >= 0:
        yield sentence("Buy {count} power card(s).", count=plan.cards)
    if plan.places:
        yield sentence("Then build: {order}.", order=_building_text(plan))
    if plan.asked_for:
        yield sentence("Ask me before building if one of these comes: {cards}.", cards=plan.asked_for)
    if plan.offer >= 0:
        yield sentence("Offer {gold} gold.", gold=plan.offer) if plan.offer else sentence("Play theft.")
    if plan.adjust:
        ways = {"raise": N_("Raise the offering if you may."), "lower": N_("Lower the offering if you may.")}
        yield Message(ways[plan.adjust])
    yield from _reward_words(plan)


def _reward_words(plan: RoundPlan) -> Iterator[Message]:
    if plan.rewards:
        yield sentence("Rewards, in this order: {items}.", items=tuple(map(_item, plan.rewards)))
    for item, text in zip(plan.alike, (_BOTH, _ALL), strict=False):
        if item:
            yield sentence(text, item=_item(item))
    if plan.increase:
        yield sentence("Harvest increase on {province}, if you have it.", province=plan.increase)
    if plan.eight:
        hole: Params = {"gain": plan.gain} if plan.gain else {}
        text = N_("Eight gold on {province}, if you have it and the harvest there brings no more.")
        if plan.gain:
            text = N_(
                "Eight gold on {province}, if you have it and it brings at least {gain} more than the harvest there."
            )
        yield sentence(text, province=plan.eight, **hole)
    if (plan.rewards or plan.alike or plan.increase or plan.eight) and not (plan.increase and plan.eight):
        yield sentence("A harvest card that is not named stays in your hand.")
