"""The language of plans, walked: every field, relative order, condition and fact that plans use has its test."""

from __future__ import annotations

import re
from contextlib import suppress
from importlib.resources import files
from typing import TYPE_CHECKING, Any, get_args

import msgspec
import pytest

from pbem.engine.amunre.data import CARDS, PRICES, PROVINCES, lands
from pbem.engine.amunre.harvest import yields
from pbem.engine.amunre.plans import BidPlan, RoundPlan
from pbem.engine.amunre.state import owned
from pbem.engine.core.errors import EngineError, InvalidOrder
from pbem.engine.core.message import Message
from pbem.engine.core.rng import Rng
from pbem.engine.egizia import data, monuments, tombs
from pbem.engine.egizia.plans import KeepPlan, SailPlan, SitesPlan, Work
from pbem.engine.egizia.state import SHIP
from pbem.engine.egizia.tables import tables_of
from pbem.engine.priestsofra.data import FACES
from pbem.engine.priestsofra.plans import DrawPlan
from pbem.engine.priestsofra.state import AUCTIONS
from pbem.engine.registry import GAMES, planner_of, rules_of
from pbem.engine.text import conditions, standing_orders, standing_text
from pbem.kit.contract import positions as contract
from tests.engine import plan_referee
from tests.engine.plan_positions import compiled, walked

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from pbem.engine.text.conditions import Condition

WORLDS = 4
"""Worlds imagined for each position."""
FILLED = 2
"""Ways in which each plan is filled in for it."""
BID = BidPlan(("Memphis", "Abu"), (10, 6), "bid lowest", 15)
ROUND = RoundPlan(
    1, (1, 0), (0, 3), ("Memphis", "Abu"), "Abu", "Memphis", ("architect",), 4, "raise", ("card",), ("", "card")
)
ROUND = msgspec.structs.replace(
    ROUND, rewards=("card", "stone Abu", "farmer Abu"), increase="Abu", eight="Memphis", gain=3
)
SITES = SitesPlan((Work("Obelisk", "black", 5, 2, "stone"),))
DRAW = DrawPlan(4, 5, ("flood",), 2, "ask me", 1, ("library",), (0, 4, -1))
OTHER: dict[Any, dict[str, Any]] = {
    BID: {"places": ("Memphis", "Buto"), "limits": (10, 8), "then": "ask me", "within": 6},
    ROUND: {
        "cards": 2,
        "farmers": (2, 0),
        "stones": (0, 4),
        "places": ("Memphis", "Buto"),
        "free_farmer": "Memphis",
        "architect": "Abu",
        "asked_for": ("free farmer",),
        "offer": 0,
        "adjust": "lower",
        "rewards": ("stone Abu", "card", "card"),
        "alike": ("stone Abu", ""),
        "increase": "Memphis",
        "eight": "Abu",
        "gain": 0,
    },
    SailPlan(("Edfu", "Sphinx", "Obelisk")): {"spaces": ("Sphinx", "Edfu"), "ask": 2, "then": "pass"},
    SITES: {"works": (Work("Obelisk", "black", 6, 2, "stone"),)},
    SITES.works[0]: {"site": "Pyramid", "crews": "blue", "most": 4, "least": 0, "market": "grain"},
    KeepPlan(("S01", "S02")): {"cards": ("S02", "S01")},
    DRAW: {
        "suns": 3,
        "tiles": 6,
        "kinds": ("plague",),
        "plagues": 0,
        "then": "ra",
        "passes": -1,
        "shows": (),
        "limits": (0, 7, -1),
    },
}
"""A plan with every field filled in, and for each field something else: a new field or plan must be listed here."""
UNSAID = {("DrawPlan", "suns"), ("Work", "market"), ("RoundPlan", "places")}
"""Fields whose change no sentence shows: the sentence says that it ends at a win, what is built, and where."""


def _plan_types(game: str) -> tuple[type, ...]:
    union = planner_of(game).PLANS
    return get_args(union) or (union,)


def test_every_field_of_every_plan_is_compiled_and_told() -> None:
    """Another value makes another order text, and other words, so no field is tapped in vain."""
    known = {type(plan) for plan in OTHER}
    assert known - {Work} == {plan for game in GAMES for plan in _plan_types(game)}
    for plan, others in OTHER.items():
        assert others.keys() == set(plan.__struct_fields__), plan
        for field, value in others.items():
            changed = msgspec.structs.replace(plan, **{field: value})
            whole = [SitesPlan((one,)) if isinstance(one, Work) else one for one in (plan, changed)]
            planner, view = _planner_of(whole[0]), _view_of(whole[0])
            one, other = ((planner.text(each), planner.words(each, view)) for each in whole)
            assert one[0] != other[0], (plan, field)
            if (type(plan).__name__, field) not in UNSAID:
                assert one[1] != other[1], (plan, field)


def test_eight_gold_is_never_planned_where_the_harvest_brings_more() -> None:
    """AR-8.4: also where the plan asks for no gain, it plays the card for no loss."""
    planner = planner_of("amunre")
    for gain, most in ((0, 8), (3, 5)):
        lines = planner.text(RoundPlan(eight="Abu", gain=gain)).splitlines()
        played = [line for line in lines if "eight gold Abu" in line]

        assert played
        assert all(f"yield_abu <= {most}" in line for line in played)


def test_a_farmer_placed_with_eight_gold_counts_for_what_the_harvest_brings() -> None:
    """AR-7.6 comes before AR-8.4: each farmer planned there earns the temple's number, one elsewhere nothing there."""
    plan = RoundPlan(eight="Abu", rewards=("farmer Abu", "farmer Buto", "farmer Abu"))
    played = [line for line in planner_of("amunre").text(plan).splitlines() if "eight gold Abu" in line]

    assert [line.partition(" and ")[2].partition(":")[0] for line in played] == [
        "yield_abu <= 8",
        "yield_abu + temple <= 8",
        "yield_abu + temple <= 8",
        "yield_abu + temple + temple <= 8",
    ]


def test_two_harvest_cards_are_not_planned_for_one_province() -> None:
    """AR-8.4: the eight gold would take the place of the increase; its words promised both, and it never played it."""
    planner, (state, seat) = planner_of("amunre"), walked("amunre")["offer"][0]
    view = rules_of("amunre").view(state, seat)
    (place, *_) = lands(owned(view, seat))

    with pytest.raises(InvalidOrder, match="harvest increase too"):
        planner.plan(view, "round", {"increase": [place], "eight": [place]})


@pytest.mark.parametrize("then", ["ask me", "ra"])
def test_whatever_stops_a_drawing_leads_to_what_the_plan_says_comes_after(then: str) -> None:
    """Tiles, plagues and faces stand in one sentence with one end: each of their lines ends so."""
    plan = msgspec.structs.replace(DRAW, then=then)
    lines = planner_of("priestsofra").text(plan).split("\nfor bid:")[0].splitlines()
    stops = [line.partition(": ") for line in lines if line.startswith("when ") and "my_suns" not in line]

    assert {condition: deed for condition, _, deed in stops} == dict.fromkeys(
        ("when tiles >= 5", "when plagues >= 2", "when flood in lot"), then
    )


BIDDING: dict[str, tuple[str, Any, Any]] = {
    "amunre": ("auction", msgspec.structs.replace(BID, then="ask me"), BID),
    "priestsofra": ("auctions", DRAW, msgspec.structs.replace(DRAW, passes=-1, limits=())),
}
"""By game with sealed lists: the option, a plan that does something else where they are asked, and one that doesn't."""


@pytest.mark.parametrize("auctions", ["sealed", "in_turn"])
@pytest.mark.parametrize("game", BIDDING)
def test_a_plan_says_what_a_sealed_auction_makes_of_it(game: str, auctions: str) -> None:
    """AR-5.10: lines that may ask are no list. PR-3.6: a list of who must bid ends in the lowest sun."""
    rules, planner, (option, *plans) = rules_of(game), planner_of(game), BIDDING[game]
    view = rules.view(rules.setup(3, {option: auctions}, Rng("told", 0)).state, 0)
    told = [any(said.rule in {"AR-5.10", "PR-3.6"} for said in planner.words(plan, view)) for plan in plans]

    assert told == [auctions == "sealed", False]


@pytest.mark.parametrize("game", BIDDING)
@pytest.mark.parametrize("language", ["", ".it", ".fr"])
def test_the_rules_name_every_fact_that_bids_change(game: str, language: str) -> None:
    """AR-5.10, PR-3.6: all the other facts are decided at the start. One price stands for all."""
    text = (files(f"pbem.engine.{game}") / f"RULES{language}.md").read_text()
    named = {"amunre": "AR-5.10", "priestsofra": "PR-3.6"}[game]
    rule = text.partition(f"**{named}**")[2].partition("\n- **")[0].partition("\n\n")[0]
    facts = {name for name in rules_of(game).bid_facts if not name.startswith("price_") or name == "price_memphis"}

    assert facts == set(re.findall(r"`(\w+)`", rule)) & set(rules_of(game).facts_help)


def _bidding_plans(rules: Any, state: Any, number: int) -> dict[int, standing_text.StandingOrders]:
    """A random plan of each bidder in the sealed auction that begins, as if made when the one before was over."""
    planner, made = planner_of(rules.meta.name), {}
    for seat in rules.sealed(state):
        view = rules.view(state, seat)
        (part,) = planner.parts(view)
        with suppress(InvalidOrder):
            plan = planner.plan(view, part.name, plan_referee.random_fields(part, Rng(f"bidding-{number}", seat)))
            made[seat] = standing_text.parse(rules, planner.text(plan))
    return made


@pytest.mark.parametrize("game", BIDDING)
def test_a_plan_bids_in_a_sealed_auction_what_it_bids_in_turn(game: str) -> None:
    """AR-5.10, PR-3.6: its list bids what it would answer to each bid, or the last resort where it couldn't bid."""
    rules, lot, seen = rules_of(game), Rng("sealed", 0), set[tuple[bool, bool]]()
    for number, position in enumerate(one for one in contract.positions(game) if rules.sealed(one.state)):
        state, plans = rules.copy(position.state), _bidding_plans(rules, position.state, number)
        lists = {seat: standing_orders.as_list(rules, state, seat, [plan]) for seat, plan in plans.items()}
        while (asked := rules.awaited(state)) and {one.kind for one in asked.values()} == {"bid"}:
            (seat,) = (seat for seat, one in asked.items() if one.needed)
            order, listed = rules.sample(state, seat, lot), lists.get(seat, Message(""))
            if not isinstance(listed, Message):
                in_turn = standing_orders.answer(rules, state, seat, plans[seat]).order
                resort = rules.cautious(rules.view(state, seat))
                order = standing_orders.answer(rules, state, seat, standing_text.StandingOrders(listed)).order or resort
                assert order == (in_turn or resort)
                assert in_turn or str(resort) != "pass"
            seen.add((isinstance(listed, Message), str(order) == "pass"))
            rules.apply(state, {seat: order}, lot)

    assert {asked for asked, _ in seen} == {False, True}


@pytest.mark.parametrize("ask", [0, 1, 2, 3])
def test_a_plan_to_sail_tells_that_it_asks_where_it_can(ask: int) -> None:
    """At most when so many are gone as stand in the plan, one that stands there twice counted once; never for none."""
    plan = SailPlan(("Edfu", "Alyl, crew blue", "Alyl, crew black"), ask)
    planner, view = planner_of("egizia"), _view_of(plan)
    told = any("are gone" in said.text for said in planner.words(plan, view))

    assert told == ("in gone: ask me" in planner.text(plan)) == (ask in {1, 2})


@pytest.mark.parametrize(("site", "asks"), [("Obelisk", True), ("Pyramid", False)])
def test_a_plan_for_the_obelisk_says_that_digging_on_is_asked(site: str, *, asks: bool) -> None:
    """EG-6.4: no line of it speaks there; "as much as can be done" said that it would go on."""
    plan = SitesPlan((Work(site, "black", 5, 2, "stone" * asks),))
    planner, rules = planner_of("egizia"), rules_of("egizia")
    lines = standing_orders.lines_for(rules, "dig", standing_text.parse(rules, planner.text(plan)))

    assert not lines
    assert any("dig on" in said.text for said in planner.words(plan, _view_of(plan))) is asks


def _planner_of(plan: Any) -> Any:
    return next(planner_of(game) for game in GAMES if isinstance(plan, _plan_types(game)))


def _view_of(plan: Any) -> Any:
    """The first view in a game of the plan's kind."""
    rules = next(rules_of(game) for game in GAMES if isinstance(plan, _plan_types(game)))
    return rules.view(rules.setup(rules.meta.seats[0], {}, Rng("told", 0)).state, 0)


def _plain(rules: Any, state: Any, seat: int) -> list[Any]:
    """Every legal order without anything ridden along."""
    return [one for one in rules.legal(state, seat) if getattr(one, "also", None) in {None, type(one.also)()}]


def _bids(state: Any, seat: int) -> list[Any]:
    return [bid for bid in rules_of("amunre").legal(state, seat) if not (bid.block or bid.rebid)]


def _bid_among(state: Any, seat: int, limits: dict[int, int], most: int) -> set[tuple[int, int]]:
    """AR-5.2: by brute force, the bids that leave most below their limit, of equal ones the cheapest."""
    open_ = [bid for bid in _bids(state, seat) if bid.province in limits]
    cheapest = {p: min(bid.space for bid in open_ if bid.province == p) for p in {bid.province for bid in open_}}
    fits = {p: space for p, space in cheapest.items() if PRICES[space] <= min(limits[p], most)}
    best = min(((PRICES[space] - limits[p], PRICES[space]) for p, space in fits.items()), default=None)
    return {(p, space) for p, space in fits.items() if (PRICES[space] - limits[p], PRICES[space]) == best}


def _bid_up_to(state: Any, seat: int, lot: Any, *, within: bool) -> tuple[str, Callable[[Any], bool]]:
    limits = {p: lot.below(30) for p in state.shown[: 1 + lot.below(len(state.shown))]}
    most = lot.below(20) if within else 10**6
    listed = " or ".join(f"{limit} on {PROVINCES[p]}" for p, limit in limits.items())
    due = _bid_among(state, seat, limits, most)
    text = f"bid up to {listed}" + f" within {most}" * within
    return text, lambda order: (order.province, order.space) in due if order is not None else not due


def _bid_one_limit(state: Any, seat: int, lot: Any) -> tuple[str, Callable[[Any], bool]]:
    most, places = lot.below(30), state.shown[: 1 + lot.below(len(state.shown))]
    due = _bid_among(state, seat, dict.fromkeys(places, most), most)
    text = f"bid up to {most} on " + " or ".join(PROVINCES[p] for p in places)
    return text, lambda order: (order.province, order.space) in due if order is not None else not due


def _bid_lowest(state: Any, seat: int, lot: Any) -> tuple[str, Callable[[Any], bool]]:
    del lot
    least = min(bid.space for bid in _bids(state, seat))
    return "bid lowest", lambda order: order is not None and order.space == least


def _sphinx_up_to(state: Any, seat: int, lot: Any) -> tuple[str, Callable[[Any], bool]]:
    most, crew = 1 + lot.below(4), data.CREWS[lot.below(3)]
    draws = [o.n for o in _plain(rules_of("egizia"), state, seat) if getattr(o, "crews", ()) == (crew,) and not o.using]
    best = max((n for n in draws if n <= most), default=0)
    return f"sphinx up to {most} with {crew}", lambda order: order.n == best if order is not None else not best


def _build_up_to(state: Any, seat: int, lot: Any) -> tuple[str, Callable[[Any], bool]]:
    """EG-6.4, EG-6.5: by brute force over every legal order of these crews, the dearest within the two limits."""
    least, most, crew = lot.below(4), 1 + lot.below(9), data.CREWS[lot.below(3)]

    def worth(order: Any) -> int:
        return int((tombs if hasattr(order, "graves") else monuments).value_of(state, order))

    same = [o for o in _plain(rules_of("egizia"), state, seat) if getattr(o, "crews", ()) == (crew,) and not o.using]
    best = max((value for value in map(worth, same) if least <= value <= most), default=0)
    text = f"build up to {most} at least {least} with {crew}, grain market"
    return text, lambda order: worth(order) == best if order is not None else not best


def _sun_bid(which: Callable[[list[int]], int]) -> Callable[[Any, int, Any], tuple[str, Callable[[Any], bool]]]:
    def case(state: Any, seat: int, lot: Any) -> tuple[str, Callable[[Any], bool]]:
        most = 1 + lot.below(13)
        suns = [order.sun for order in rules_of("priestsofra").legal(state, seat) if hasattr(order, "sun")]
        fits = [sun for sun in suns if sun <= most]
        due = which(fits) if fits else 0
        text = f"bid {'lowest' if which is min else 'highest'} up to {most}"
        return text, lambda order: order.sun == due if order is not None else not due

    return case


RELATIVE: dict[tuple[str, str], Callable[[Any, int, Any], tuple[str, Callable[[Any], bool]]]] = {
    ("amunre", "bid up to GOLD on PROVINCE [or PROVINCE ...]"): _bid_one_limit,
    ("amunre", "bid up to GOLD on PROVINCE or GOLD on PROVINCE ..."): lambda *at: _bid_up_to(*at, within=False),
    ("amunre", "bid up to GOLD on PROVINCE or GOLD on PROVINCE ... within GOLD"): lambda *at: _bid_up_to(
        *at, within=True
    ),
    ("amunre", "bid lowest [on PROVINCE [or PROVINCE ...]]"): _bid_lowest,
    ("egizia", "sphinx up to N with CREWS [using CARDS]"): _sphinx_up_to,
    ("egizia", "build up to N [at least N] with CREWS [using CARDS] [, stone market or grain market]"): _build_up_to,
    ("priestsofra", "bid lowest [up to SUN]"): _sun_bid(min),
    ("priestsofra", "bid highest [up to SUN]"): _sun_bid(max),
}
"""Orders whose meaning hangs on the position, each by brute force over legal ones: a new one must be listed."""
ALWAYS = {"bid lowest [on PROVINCE [or PROVINCE ...]]", "sphinx up to N with CREWS [using CARDS]"}
"""Those that can be done whenever they are asked for."""
_RELATIVE = re.compile(r"\b(up to|at least|at most|lowest|highest|cheapest|dearest|within)\b")


def test_every_relative_order_is_listed() -> None:
    """Nothing in a game's grammar says how much by itself without a brute force beside it."""
    rows = {(game, row.syntax) for game in GAMES for row in rules_of(game).grammar if _RELATIVE.search(row.syntax)}
    assert rows == RELATIVE.keys()


@pytest.mark.parametrize(("game", "syntax"), RELATIVE)
def test_a_relative_order_is_what_brute_force_finds(game: str, syntax: str) -> None:
    """At positions of random games, with random limits: the same order, or none where none fits."""
    rules = rules_of(game)
    kind = next(row.kind for row in rules.grammar if row.syntax == syntax)
    found = [0, 0]
    for number, (state, seat) in enumerate(walked(game)[kind]):
        text, agrees = RELATIVE[game, syntax](state, seat, Rng(f"relative/{syntax}", number))
        order = _read(rules, state, seat, text)
        assert agrees(order), (text, order, number)
        found[order is not None] += 1
    assert found[True] >= 3
    assert found[False] or syntax in ALWAYS


def _read(rules: Any, state: Any, seat: int, text: str) -> Any:
    try:
        order = rules.read(state, seat, text)
    except EngineError:
        return None
    return None if rules.check(state, seat, order) else order


def _tests(condition: Condition) -> Iterator[Any]:
    """The parts of a condition, itself first."""
    yield condition
    for part in getattr(condition, "parts", ()) or filter(None, [getattr(condition, "part", None)]):
        yield from _tests(part)


NODES = {
    "amunre": {"Among", "and", "Compare"},
    "egizia": {"Among", "Not", "Compare"},
    "priestsofra": {"Among", "and", "Compare"},
}
"""The forms of condition that each game's plans are made of."""


def _kinds_in_hand(state: Any, seat: int) -> frozenset[str]:
    return frozenset(name for name, count in zip(CARDS, state.hands[seat], strict=True) if count)


def _free(state: Any, seat: int) -> frozenset[str]:
    """Likewise the round spaces that can be sailed to."""
    if state.stage != SHIP:
        return frozenset()
    river, t = plan_referee._River(state, seat), tables_of(state.components)
    return frozenset(name for space in range(data.RIVER) if (name := t.space_name[space]) and river.is_open(space))


def _gone(state: Any, seat: int) -> frozenset[str]:
    """By the second reading of the river: what is not open, but for the seat's own ships; nothing after sailing."""
    if state.stage != SHIP:
        return frozenset()
    river, t = plan_referee._River(state, seat), tables_of(state.components)
    names = {space: t.space_name[space] or f"card {t.card_spaces.index(space) + 1}" for space in range(data.RIVER)}
    mine = state.fleet[seat]
    return frozenset(name for space, name in names.items() if not river.is_open(space) and space not in mine)


SITES_ASK = {"sphinx", "keep", "build", "dig"}
NAMED = frozenset(data.PLACE_SPELLINGS)
"""Spaces that conditions call by their names; cards have a number."""


def _yield(p: int) -> Callable[[Any, int], int]:
    """What a province yields, without cards."""
    return lambda state, _seat: yields(state, p, state.temple)


FACTS: dict[str, dict[str, Callable[[Any, int], Any]]] = {
    "amunre": {
        "my_hand": _kinds_in_hand,
        "my_items": lambda state, seat: state.items[seat],
        "temple": lambda state, _seat: state.temple,
        **{f"yield_{name.lower()}": _yield(p) for p, name in enumerate(PROVINCES)},
    },
    "egizia": {
        "gone": _gone,
        "free": _free,
        "site": lambda state, _seat: data.SITE_NAMES[state.site] if state.stage in SITES_ASK else "none",
    },
    "priestsofra": {
        "my_suns": lambda state, seat: state.up[seat].bit_count(),
        "tiles": lambda state, _seat: len(state.lot),
        "plagues": lambda state, _seat: sum(FACES[face] == "plague" for face in state.lot),
        "lot": lambda state, _seat: frozenset(FACES[face] for face in state.lot),
        "auction": lambda state, _seat: AUCTIONS[state.auction],
    },
}


@pytest.mark.parametrize("game", GAMES)
def test_every_condition_of_plans_is_known_and_its_facts_are_true(game: str) -> None:
    """Forms and facts used by plans are listed above, each fact with what it is by the state alone."""
    rules = rules_of(game)
    forms: set[str] = set()
    used: set[str] = set()
    for state, seat, orders in compiled(game):
        facts = rules.facts(rules.view(state, seat))
        for line in orders.lines:
            if line.condition is None:
                continue
            forms |= {getattr(part, "word", type(part).__name__) for part in _tests(line.condition)}
            for name in conditions.names_in(line.condition):
                used.add(name)
                found = facts[name]
                if name == "free" and isinstance(found, frozenset):
                    found &= NAMED
                assert found == FACTS[game][name](state, seat), (name, seat)
    assert forms == NODES[game]
    assert {name.partition("_")[0] for name in used} == {name.partition("_")[0] for name in FACTS[game]}


@pytest.mark.parametrize("game", GAMES)
def test_where_a_plan_that_falls_tells_something_answers_are_held(game: str) -> None:
    """In worlds that look alike to all others a plan answers in all or in none, unless the decision is held."""
    found = list(_falls(game))
    assert not {kind for kind, held in found if kind and not held}
    assert {kind for kind, held in found if kind and held} == FALLING[game]


FALLING: dict[str, set[str]] = {
    "amunre": {"buy", "build", "offer", "harvest"},
    "egizia": {"keep"},
    "priestsofra": set(),
}
"""Kinds at which plans are seen to fall so, and answers are held: what the walk above is worth."""


def _falls(game: str) -> Iterator[tuple[str, bool]]:
    """Kinds of decision at which plans of random fields answer in one such world and fall in another; if it is held."""
    rules, planner = rules_of(game), planner_of(game)
    for places in walked(game).values():
        for number, (state, seat) in enumerate(places * FILLED):
            watcher = rules.view(state, (seat + 1) % 2)
            worlds = [state, *(rules.imagine(watcher, Rng("worlds", world)) for world in range(WORLDS))]
            worlds = [world for world in worlds if seat in rules.asked(world)]
            for part in planner.parts(rules.view(state, seat)):
                fields = plan_referee.random_fields(part, Rng(f"falls/{part.name}", number))
                try:
                    plan = planner.plan(rules.view(state, seat), part.name, fields)
                except InvalidOrder:
                    continue
                orders = standing_text.parse(rules, planner.text(plan))
                answers = {standing_orders.answer(rules, world, seat, orders).order is None for world in worlds}
                decision = rules.asked(state)[seat]
                yield decision.kind if len(answers) > 1 else "", decision.secret or decision.held
