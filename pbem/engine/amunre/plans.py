"""Plans of Amun-Re: a limit for each province, and one page for everything from the cards to the harvest."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from itertools import product

from pbem.engine.amunre.auction import purse
from pbem.engine.amunre.buy import limit
from pbem.engine.amunre.data import ARCHITECT, CARDS, EIGHT, FREE_FARMER, PRICES, PROVINCES
from pbem.engine.amunre.orders import Buy, Offer, Take
from pbem.engine.amunre.state import BID, BUILD, BUY_DRAFT, OFFER, OVER, SELL, owned
from pbem.engine.amunre.view import View
from pbem.engine.core import plans as core
from pbem.engine.core.message import N_, Message, Params, sentence
from pbem.engine.core.plans import Plan, PlanField, PlanOption, PlanPart

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
    return PlanPart(
        "bid",
        sentence("This auction"),
        (
            PlanField(
                "limits",
                "limits",
                sentence("What each province is worth to you, in gold"),
                options=_places(view.shown),
                steps=WORTH,
            ),
            _stepper("within", N_("No bid above so much gold"), prices, str(prices[-1])),
            PlanField("then", "one", sentence("beyond that"), options=then, value=(LOWEST,)),
        ),
    )


def _round_part(view: View, seat: int) -> PlanPart:
    """AR-6 to AR-8: what is still to come in this round, with what the seat holds now."""
    own = owned(view, seat)
    fields: list[PlanField] = []
    if view.phase <= BUY_DRAFT:
        fields.append(_stepper("cards", N_("Power cards to buy"), core.numbers(-1, limit(view, seat)), "-1"))
    if view.phase <= BUILD:
        fields += _building(view, own)
    if view.phase <= OFFER:
        gold = min(view.gold[seat], _MOST_OFFER)
        fields.append(_stepper("offer", N_("Gold to offer"), core.numbers(-1, gold), "-1"))
    ways = (PlanOption("raise", sentence("raise")), PlanOption("lower", sentence("lower")))
    fields.append(_choice("adjust", N_("If you may adjust the offering"), ways))
    items = [PlanOption(_CARD, sentence("a power card"))]
    items += [PlanOption(f"stone {place.value}", sentence(_STONE, province=place.value)) for place in _places(own)]
    items += [PlanOption(f"farmer {place.value}", sentence(_FIELD, province=place.value)) for place in _places(own)]
    names = (N_("First reward item"), N_("Second reward item"), N_("Third reward item"))
    fields += [_choice(f"reward{n}", name, tuple(items)) for n, name in enumerate(names, 1)]
    several = (N_("With two items to place rather both"), N_("With three items to place rather all"))
    fields += [_choice(f"alike{n}", name, tuple(items[1:])) for n, name in enumerate(several, 2)]
    fields.append(_choice("increase", N_("Harvest increase, if you have it, on"), _places(own)))
    fields.append(_choice("eight", N_("Eight gold, if you have it, on"), _places(own)))
    fields.append(_stepper("gain", N_("Eight gold only if it brings so much more"), core.numbers(0, EIGHT), "0"))
    return PlanPart("round", sentence("The rest of this round"), tuple(fields))


_STONE, _FIELD = N_("a stone on {province}"), N_("a farmer on {province}")


def _stepper(name: str, label: str, steps: tuple[int, ...], value: str) -> PlanField:
    return PlanField(name, "number", Message(label), steps=steps, value=(value,))


def _choice(name: str, label: str, options: tuple[PlanOption, ...]) -> PlanField:
    return PlanField(name, "one", Message(label), options=(NO_PLAN, *options), value=("",))


NO_PLAN = PlanOption("", sentence("not planned"))


def _building(view: View, own: list[int]) -> list[PlanField]:
    pieces = core.numbers(0, _MOST_PIECES)
    fields = [
        PlanField(name, "limits", Message(label), options=_places(own), steps=pieces)
        for name, label in (("farmers", N_("Farmers to buy")), ("stones", N_("Stones to buy")))
    ]
    if view.hand[FREE_FARMER]:
        fields.append(_choice("free_farmer", N_("Free farmer on"), _places(own)))
    if view.hand[ARCHITECT]:
        fields.append(_choice("architect", N_("Architect on"), _places(own)))
    return fields


def plan(view: View, part: str, fields: Mapping[str, list[str]]) -> BidPlan | RoundPlan:
    """Return the plan that a filled-in part means. Raises InvalidOrder."""
    given = core.given(parts(view), part, fields)
    return _bid_plan(view, given) if part == "bid" else _round_plan(view, view.seat or 0, given)


def _bid_plan(view: View, given: Mapping[str, tuple[str, ...]]) -> BidPlan:
    limits = core.limits(given, "limits")
    chosen = [(PROVINCES[p], limit) for p, limit in zip(view.shown, limits, strict=False) if limit >= 0]
    if not chosen:
        raise core.nothing()
    within, most = core.number(given, "within"), _bid_part(view, view.seat or 0).fields[1].steps[-1]
    return BidPlan(
        places=tuple(p for p, _ in chosen),
        limits=tuple(limit for _, limit in chosen),
        then=core.one(given, "then"),
        within=within if within < most else -1,
    )


def _round_plan(view: View, seat: int, given: Mapping[str, tuple[str, ...]]) -> RoundPlan:
    given = defaultdict(tuple, given)  # what is behind already has no field
    own = tuple(PROVINCES[p] for p in owned(view, seat))
    farmers, stones = core.limits(given, "farmers"), core.limits(given, "stones")
    free_farmer, architect = core.one(given, "free_farmer"), core.one(given, "architect")
    builds = any(n >= 0 for n in (*farmers, *stones)) or bool(free_farmer or architect)
    rewards = tuple(core.one(given, f"reward{n}") for n in range(1, _MOST_ITEMS + 1))
    alike = tuple(core.one(given, f"alike{n}") for n in range(2, _MOST_ITEMS + 1))
    found = RoundPlan(
        cards=core.number(given, "cards") if given["cards"] else -1,
        farmers=tuple(max(n, 0) for n in farmers) if builds else (),
        stones=tuple(max(n, 0) for n in stones) if builds else (),
        places=own if builds else (),
        free_farmer=free_farmer,
        architect=architect,
        asked_for=tuple(CARDS[kind] for kind in (ARCHITECT, FREE_FARMER) if not view.hand[kind]) if builds else (),
        offer=core.number(given, "offer") if given["offer"] else -1,
        adjust=core.one(given, "adjust"),
        rewards=rewards[: rewards.index("")] if "" in rewards else rewards,
        alike=alike if any(alike) else (),
        increase=core.one(given, "increase"),
        eight=core.one(given, "eight"),
        gain=core.number(given, "gain") if core.one(given, "eight") else 0,
    )
    if found == RoundPlan():
        raise core.nothing()
    return found


def text(plan: BidPlan | RoundPlan) -> str:
    """Return the standing order that a plan is."""
    if isinstance(plan, BidPlan):
        limits = " or ".join(f"{limit} on {place}" for place, limit in zip(plan.places, plan.limits, strict=True))
        within = f" within {plan.within}" * (plan.within >= 0)
        return "\n".join(("this phase", "for bid:", f"bid up to {limits}{within}", plan.then))
    return "\n".join(("this round", *_action_lines(plan), *_reward_lines(plan)))


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
    eight = ("eight gold " + plan.eight, "") if plan.eight and plan.eight != plan.increase else ("",)
    enough = f" and yield_{plan.eight.lower()} <= {EIGHT - plan.gain}" if plan.eight else ""
    for cards in product(increase, eight):
        order = ", ".join([*placed, *(card for card in cards if card)]) or "nothing"
        yield f"{enough if cards[1] else ''}: {order}"


def words(plan: BidPlan | RoundPlan, _view: View) -> tuple[Message, ...]:
    """Return the plan in sentences."""
    return tuple(_bid_words(plan) if isinstance(plan, BidPlan) else _round_words(plan))


def _bid_words(plan: BidPlan) -> Iterator[Message]:
    for place, gold in zip(plan.places, plan.limits, strict=True):
        yield sentence("{province}: up to {gold} gold.", province=place, gold=gold)
    if plan.within >= 0:
        yield sentence("No bid above {gold} gold.", gold=plan.within)
    yield sentence("The bid goes where most is left below your limit; of equals to the cheapest.")
    yield Message(N_("Beyond that: the lowest bid there is.") if plan.then == LOWEST else N_("Beyond that: ask me."))


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


def _item(item: str) -> Message:
    """Return a reward item as its choice on the page is called."""
    what, _, province = item.partition(" ")
    if not province:
        return sentence("a power card")
    return sentence(_STONE if what == "stone" else _FIELD, province=province)


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
