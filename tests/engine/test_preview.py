"""What a preview promises a seat is what the ply then brings it, for a thousand random decisions of each game."""

from __future__ import annotations

import re
from collections import Counter
from itertools import islice
from typing import TYPE_CHECKING, Any

import pytest

from pbem.engine.amunre.buy import limit
from pbem.engine.amunre.data import CARDS
from pbem.engine.amunre.orders import Buy
from pbem.engine.amunre.state import BID, BUY, OVER, order_of_play
from pbem.engine.core.rng import Rng
from pbem.engine.core.types import COLOURS
from pbem.engine.preview import Figure, Preview, early, preview, told
from pbem.engine.registry import GAMES, rules_of
from pbem.engine.text import standing_orders, standing_text
from pbem.kit.contract import positions as contract
from pbem.messages import Translator
from pbem.play.orders.lookahead import brings

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from pbem.engine.core.types import AnyRules, Order

LISTS = 200
"""Sealed lists played out, of each game that has them."""
COSTS: dict[str, Any] = {
    "amunre": lambda before, after, told: before.gold[before.seat] - after.gold[before.seat] - told["most"],
    "priestsofra": lambda before, after, told: (
        max(0, (before.up[before.seat] & ~after.up[before.seat]).bit_length() - 1) - told.get("sun", 0)
    ),
}
"""How much more an auction cost a seat than it was told: gold, or the sun that it gave away."""
LIMITED: dict[str, Callable[[int], str]] = {
    "amunre": lambda number: f"bid up to {(0, 1, 3, 6, 10, 15)[number % 6]}",
    "priestsofra": lambda number: f"bid {'lowest' if number % 2 else 'highest'} up to {number}",
}
"""A bid that says how far it goes, by a number: what it comes to hangs on what others bid."""
WORLDS = 60
"""Imagined for each decision on power cards."""
DECISIONS = 600
"""Of each game, over its player counts and the values of its options."""
KINDS = {
    "amunre": {"bid", "sell", "buy", "build", "draft", "offer", "adjust", "take", "harvest"},
    "egizia": {"ship", "leftover", "feed", "move", "sphinx", "keep", "build", "after"},
    "priestsofra": {"turn", "face", "bid", "flip"},
}
"""The kinds of decisions that must be among them."""


def options(rules: AnyRules, game: int) -> dict[str, str]:
    """Every option with its first value in the first game, its second in the next."""
    return {one.name: one.choices[game % len(one.choices)] for one in rules.meta.options if one.choices}


def positions(rules: AnyRules) -> Iterator[tuple[Any, Rng, Rng]]:
    """Positions of games played at random, with the chance of their orders and that of the ply; the caller goes on."""
    game = 0
    while True:
        seats = rules.meta.seats[game % len(rules.meta.seats)]
        wishes = options(rules, game)
        own, game = Rng(f"preview/{game}", 0), game + 1
        state = rules.setup(seats, wishes, Rng(f"preview/{game}", 1)).state
        ply = 1
        while rules.awaited(state):
            ply += 1
            yield state, own, Rng(f"preview/{game}", ply)


def decisions(rules: AnyRules) -> Iterator[tuple[Any, int, dict[int, Order], Any]]:
    """Random decisions: the view before, whose it is, all orders of the ply, and the view after."""
    for state, own, chance in positions(rules):
        asked = rules.awaited(state)
        orders = {seat: rules.sample(state, seat, own) for seat in asked}
        seat = sorted(asked)[own.below(len(asked))]
        before = rules.view(state, seat)
        rules.apply(state, orders, chance)
        yield before, seat, orders, rules.view(state, seat)


def test_what_is_open_is_told_apart_from_what_changes() -> None:
    """In a sentence of its own, and neither sentence without something to tell."""
    gold, points = Figure("gold", 9, 5), Figure("points", 3, None)

    assert [str(one) for one in told(Preview((gold, points)))] == ["For you: gold 9 → 5.", "Still open: points."]
    assert [str(one) for one in told(Preview((points,)))] == ["Still open: points."]


@pytest.mark.parametrize("game", GAMES)
def test_a_preview_names_every_consequence_for_the_seat(game: str) -> None:
    """Each own figure comes out as it was told, or was told to be open, or does not change; nothing else happens."""
    rules: Any = rules_of(game)
    told = opened = certain = 0
    kinds: Counter[str] = Counter()
    for count, (before, seat, orders, after) in enumerate(decisions(rules)):
        if count == DECISIONS:
            break
        kinds[rules.form(before).kind] += 1
        seen = preview(rules, before, orders[seat])
        promised = {figure.name: figure.after for figure in seen.figures}
        was, found = rules.figures(before), rules.figures(after)
        for name in found.keys() & was.keys():
            number = found[name]
            if name not in promised:
                assert number == was[name], (game, count, str(orders[seat]), name)
            elif promised[name] is not None:
                assert number == promised[name], (game, count, str(orders[seat]), name)
        if seen.after is not None:
            certain += 1
            assert rules.figures(seen.after) == found
        told += len(promised)
        opened += sum(number is None for number in promised.values())

    assert kinds.total() == DECISIONS
    assert set(kinds) >= KINDS[game]
    assert told > DECISIONS / 4
    assert opened < told * 3 / 4
    assert certain > DECISIONS / 4


@pytest.mark.parametrize(("cards", "seats", "number"), [("on", 4, 2), ("off", 5, 4), ("off", 3, 3)])
def test_what_is_told_of_cards_drawn_holds_in_every_world(cards: str, seats: int, number: int) -> None:
    """AR-6.9, AR-6.11, AR-7.6: no draw, nor what others draw or hold, brings anything else, as a harvest at once."""
    rules: Any = rules_of("amunre")
    table = {"card_draft": cards, "actions": "together", "hand_counts": "hidden"}
    lot = Rng(f"drawn/{cards}/{number}", 0)
    state, ply = rules.setup(seats, table, lot).state, 0
    while asked := rules.awaited(state):
        orders, ply = {seat: rules.sample(state, seat, lot) for seat in asked}, ply + 1
        seat = max(asked)
        if asked[seat].kind in {"buy", "draft", "take"}:
            view = rules.view(state, seat)
            was, seen = rules.figures(view), {one.name: one.after for one in preview(rules, view, orders[seat]).figures}
            for world in range(WORLDS):
                there, chance = rules.imagine(view, Rng("world", world)), Rng(f"drawn/{world}", ply)
                others = {other: rules.sample(there, other, chance) for other in rules.awaited(there)}
                rules.apply(there, others | {seat: orders[seat]}, chance)
                came = rules.figures(rules.view(there, seat))
                told = {name: seen.get(name, number) for name, number in was.items() if name in came}
                assert all(number in {None, came[name]} for name, number in told.items()), (ply, str(orders[seat]))
        rules.apply(state, orders, lot)


@pytest.mark.parametrize("missing", [0, 1])
def test_cards_that_others_may_all_draw_first_are_open(missing: int) -> None:
    """AR-6.12: though it hardly ever happens that everybody before the seat buys as many cards as they may."""
    rules: Any = rules_of("amunre")
    lot = Rng("run out 3", 0)
    state = rules.setup(5, {"actions": "together", "gold": "public"}, lot).state
    while state.phase != BUY or sum(limit(state, seat) for seat in state.asked) < 12:
        rules.apply(state, {seat: rules.sample(state, seat, lot) for seat in state.asked}, lot)
    first, *_, last = (seat for seat in order_of_play(state) if seat in state.asked)
    state.gold, state.discard, state.deck = [20] * 5, [0] * len(CARDS), [0] * len(CARDS)
    state.deck[0] = sum(limit(state, seat) for seat in state.asked) - missing
    told = [
        {one.name: one.after for one in preview(rules, rules.view(state, seat), Buy(limit(state, seat))).figures}
        for seat in (first, last)
    ]

    assert [found["power cards"] is None for found in told] == [False, bool(missing)]


ID = re.compile(r"\b[A-Z]{1,2}\d+\b")
"""What a component is called in orders, as A05."""
EXPLAINED = re.compile(rf"\S \({ID.pattern}\)|{ID.pattern}: \S")
"""Behind what it is, in brackets, or before it."""
NAMED_BY_IDS = {"egizia": {"ship", "leftover", "keep", "after"}}
"""The decisions of which a preview names such components, by game."""


@pytest.mark.parametrize("game", GAMES)
def test_no_preview_names_a_component_by_its_id_alone(game: str) -> None:
    """Question, what an order does and what it brings: who reads them needn't know what A05 was."""
    rules: Any = rules_of(game)
    voice = Translator("en", "UTC", COLOURS, game)
    named: set[str] = set()
    for count, (before, seat, orders, _) in enumerate(islice(decisions(rules), DECISIONS)):
        seen = () if count % 10 else told(preview(rules, before, orders[seat]))
        for sentence in map(voice, (rules.question(before), rules.describe(before, orders[seat]), *seen)):
            found = ID.findall(sentence)
            assert len(found) == len(EXPLAINED.findall(sentence)), sentence
            named |= {rules.form(before).kind} if found else set()

    assert named >= NAMED_BY_IDS.get(game, set())


@pytest.mark.parametrize("game", GAMES)
def test_a_preview_leaves_the_view_as_it_was_and_is_the_same_each_time(game: str) -> None:
    """It is pure: the same view and order give the same preview."""
    rules: Any = rules_of(game)
    before, seat, orders, _ = next(decisions(rules))

    assert preview(rules, before, orders[seat]) == preview(rules, before, orders[seat])


def carried(rules: Any, state: Any, seat: int, order: Order, others: Rng) -> dict[str, int] | None:
    """The seat's figures once an order given now is carried out at last, as the others play on; None if it never is.

    Nor where it rides along with a ply of others that itself changes the seat's figures.
    """
    phase, began = rules.scope(state).phase, rules.figures(rules.view(state, seat))
    while (asked := rules.awaited(state)) and rules.scope(state).phase == phase:
        orders = {other: rules.sample(state, other, others) for other in asked if other != seat}
        later = rules.asked(state).get(seat)
        rides = later is not None and later.optional
        without = rules.copy(state)
        if seat not in asked:
            rules.apply(without, orders, Rng("early", 0))
        if rides and rules.figures(rules.view(without, seat)) != began:
            return None
        if seat in asked or rides:
            if rules.check(state, seat, order):
                return None
            rules.apply(state, orders | {seat: order}, Rng("early", 0))
            return dict(rules.figures(rules.view(state, seat)))
        state = without
    return None


@pytest.mark.parametrize(("game", "least"), [("amunre", 5), ("egizia", DECISIONS / 10)])
def test_what_is_told_of_an_order_given_ahead_comes_true_once_it_is_carried_out(game: str, least: float) -> None:
    """Whoever can answer though it isn't their turn: what is told of it is what it comes to, however others play on."""
    rules: Any = rules_of(game)
    told = 0
    for count, (state, own, chance) in enumerate(positions(rules)):
        if count == DECISIONS:
            break
        asked = rules.asked(state)
        for seat in [seat for seat, one in asked.items() if not one.needed and not one.sealed]:
            order = rules.sample(state, seat, own)
            seen = early(rules, rules.view(state, seat), order)
            found = carried(rules, rules.copy(state), seat, order, own) if seen.figures else None
            if not found:
                continue
            for figure in seen.figures:
                told += 1
                came = found.get(figure.name, figure.after)  # what feeding costs is told no more once all are fed
                assert figure.after == came, (count, str(order), figure)
        rules.apply(state, {seat: rules.sample(state, seat, own) for seat in rules.awaited(state)}, chance)

    assert told > least


@pytest.mark.parametrize(("game", "option"), [("amunre", "auction"), ("priestsofra", "auctions")])
def test_a_sealed_list_costs_no_more_than_is_told(game: str, option: str) -> None:
    """Played out against random bids as lists are, by their lines and then by the least that is allowed."""
    rules: Any = rules_of(game)
    spent: Counter[bool] = Counter()
    for number in range(LISTS):
        seats, own = rules.meta.seats[number % len(rules.meta.seats)], Rng(f"sealed/{number}", 0)
        state, ply = rules.setup(seats, {option: "sealed"}, Rng(f"sealed/{number}", 1)).state, 1
        while not rules.sealed(state):
            ply += 1
            rules.apply(state, {s: rules.sample(state, s, own) for s in rules.awaited(state)}, Rng(str(number), ply))
        seat = sorted(rules.sealed(state))[own.below(len(rules.sealed(state)))]
        texts = {str(rules.sample(state, seat, own)): 0 for _ in range(number % 3)} | {LIMITED[game](own.below(12)): 0}
        listed = standing_text.parse(rules, "\n".join(texts))
        (said,) = brings(rules, state, seat, str(listed)).stakes
        before, began = rules.view(state, seat), rules.asked(state)[seat].kind
        while began in {one.kind for one in rules.asked(state).values()}:
            ply += 1
            orders = {other: rules.sample(state, other, own) for other in rules.awaited(state)}
            if seat in orders:
                view = rules.view(state, seat)
                orders[seat] = standing_orders.answer(rules, state, seat, listed).order or rules.cautious(view)
            rules.apply(state, orders, Rng(str(number), ply))
        cost = COSTS[game](before, rules.view(state, seat), said.params)
        assert cost <= 0, (number, str(listed), said)
        spent[cost == 0] += 1

    assert spent[True] > LISTS / 10


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_a_list_of_suns_that_a_seat_has_not_bids_nothing(seats: int) -> None:
    """It was told to be at stake, with a sun that isn't in the game as well."""
    rules: Any = rules_of("priestsofra")
    state, ply = rules.setup(seats, {"auctions": "sealed"}, Rng("no such sun", 1)).state, 1
    while not rules.sealed(state):
        ply += 1
        rules.apply(state, {seat: rules.read(state, seat, "ra") for seat in rules.awaited(state)}, Rng("-", ply))
    for seat in rules.sealed(state):
        last = rules.cautious(rules.view(state, seat))
        (nothing,) = brings(rules, state, seat, str(last)).stakes
        held = {str(order) for order in rules.legal(state, seat)}
        for sun in (one for one in (*range(1, 18), 99) if f"bid {one}" not in held):
            assert brings(rules, state, seat, f"bid {sun}").stakes == (nothing,), (seat, sun)


def test_what_is_left_once_bids_are_paid_is_told_in_auctions_alone() -> None:
    """Elsewhere it is all the gold there is, told twice. For a bid above it cards are sold: none of it goes below 0."""
    rules, met = rules_of("amunre"), set()
    for position, seat, _ in contract.decisions("amunre"):
        view = rules.view(position.state, seat)
        figures = rules.figures(view)
        met.add((view.phase == BID, "gold left once bids are paid" in figures))
        assert min(figures.values()) >= 0

    assert met == {(True, True), (False, False)}


def test_what_lies_face_down_or_is_sold_at_the_end_is_no_certain_points() -> None:
    """AR-5.8, AR-9.6: cards that come with a province may be bonus cards; other purses decide the points for gold."""
    rules, met = rules_of("amunre"), Counter[str]()
    for count, (before, _, _, after) in enumerate(decisions(rules)):
        if count == DECISIONS:
            break
        hanging = rules.hanging(before, after, open_ended=False)
        if after.phase == OVER:
            met["end"] += 1
            assert "points" in hanging
        elif before.phase == BID != after.phase and sum(after.hand) > sum(before.hand):
            met["cards"] += 1
            assert "points at the scoring (before gold)" in hanging

    assert met.keys() == {"end", "cards"}
