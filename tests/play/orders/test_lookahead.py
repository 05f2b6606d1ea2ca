"""The next steps of one seat: offered whenever they are certain, never from what is hidden, and played as foreseen."""

from __future__ import annotations

from functools import cache
from itertools import islice
from typing import TYPE_CHECKING, Any

import msgspec
import pytest

from pbem.bots.basic import RandomBot
from pbem.bots.players import heuristic
from pbem.engine.core.errors import CorruptState, IllegalOrder
from pbem.engine.core.rng import Recorded, Rng
from pbem.engine.registry import GAMES, rules_of
from pbem.kit.contract.positions import table_of
from pbem.play.orders import lookahead
from pbem.play.turns.resolution import GivenAhead, Premove, Run, RunSeat
from tests.engine.amunre.tables import RED, position
from tests.engine.amunre.test_ch7_offering import OFFERING
from tests.engine.plan_positions import walked

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pbem.engine.core.types import AnyRules

each_game = pytest.mark.parametrize("game", GAMES)
SEEDS = 6
STEPS = {
    "amunre": {("buy", "build"), ("bid", "buy"), ("draft", "build")},
    "priestsofra": {("turn", "bid"), ("bid", "flip"), ("bid", "turn"), ("flip", "turn"), ("face", "turn")},
    "egizia": {("ship", "ship"), ("ship", "leftover"), ("keep", "build"), ("build", "build"), ("build", "after")},
}
"""Decisions that must come up as following one another at once; there are more."""


class Asked(msgspec.Struct, frozen=True):
    """A decision of one seat alone in a game under way, and an order for it."""

    state: Any
    seat: int
    kind: str
    secret: bool
    order: Any
    seed: str
    ply: int


@cache
def decisions(game: str) -> tuple[Asked, ...]:
    """Every decision with a choice that one seat alone is asked, in games played at random and by heuristic."""
    return tuple(one for number in range(SEEDS) for one in _played(rules_of(game), number))


def _played(rules: AnyRules, number: int) -> Iterator[Asked]:
    table, seed = table_of(rules, number), f"onward-{number}"
    bot = heuristic(rules.meta.name) if number % 2 else RandomBot()
    state, ply = rules.setup(table.seats, table.options, Rng(seed, 0)).state, 0
    while asked := rules.awaited(state):
        ply += 1
        orders = {s: bot.choose(rules, rules.view(state, s), Rng(f"{seed}-{s}", ply)) for s in asked}
        for seat, decision in asked.items():
            if len(asked) == 1 and not rules.sealed(state) and len(list(islice(rules.legal(state, seat), 2))) > 1:
                yield Asked(rules.copy(state), seat, decision.kind, decision.secret, orders[seat], seed, ply - 1)
        rules.apply(state, orders, Rng(seed, ply))


def continued(rules: AnyRules, state: Any, seat: int, order: Any) -> tuple[str, bytes] | None:
    """What the engine asks `seat` alone next, with its view, if nothing is drawn; choices of one are made for it."""
    state = rules.copy(state)
    while True:
        try:
            rules.apply(state, {seat: order}, Recorded(()))
        except CorruptState:
            return None
        asked = rules.awaited(state)
        if set(asked) != {seat} or rules.sealed(state):
            return None
        few = list(islice(rules.legal(state, seat), 2))
        if len(few) > 1:
            return asked[seat].kind, msgspec.json.encode(rules.view(state, seat))
        order = few[0]


def offered(rules: AnyRules, state: Any, one: Asked) -> tuple[str, bytes] | None:
    """What the page would ask next in `state`."""
    step = lookahead.foresee(rules, rules.view(state, one.seat), [str(one.order)]).next
    return None if step is None else (step.form.kind, msgspec.json.encode(step.view))


def might_differ(rules: AnyRules, one: Asked) -> bool:
    """Whether another state that looks the same to the seat goes on in another way."""
    view, true = rules.view(one.state, one.seat), continued(rules, one.state, one.seat, one.order)
    twins = (rules.imagine(view, Rng("twin", number)) for number in range(60))
    return any(
        set(rules.awaited(twin)) != {one.seat} or continued(rules, twin, one.seat, one.order) != true for twin in twins
    )


@each_game
def test_what_is_sure_to_follow_is_offered_and_nothing_else(game: str) -> None:
    """Whenever an order without chance leaves the seat alone to go on, its next decision is offered just as it will be.

    It isn't only where something hidden from the seat could have made a difference.
    """
    rules, pairs = rules_of(game), set()
    for one in decisions(game):
        true, found = continued(rules, one.state, one.seat, one.order), offered(rules, one.state, one)
        if found is None and true is not None:
            assert one.secret or might_differ(rules, one)
            continue
        assert found == true, (one.kind, one.ply, one.seed)
        if true is not None:
            pairs.add((one.kind, true[0]))

    assert pairs >= STEPS[game]


@each_game
def test_what_is_offered_tells_nothing_hidden(game: str) -> None:
    """States that differ only in what the seat may not see lead to the same offer, to the byte."""
    rules, different = rules_of(game), 0
    for one in decisions(game)[::5]:
        twin = rules.imagine(rules.view(one.state, one.seat), Rng("other", one.ply))
        different += twin != one.state

        assert offered(rules, twin, one) == offered(rules, one.state, one)
    assert different


def chained(rules: AnyRules, one: Asked, then: tuple[str, ...]) -> Run:
    """The run that an order with its followers makes; nobody else answers anything."""
    seats = [RunSeat(seat) for seat in range(len(rules.meta.colours))]
    if then:
        seats[one.seat].ahead.append(Premove(None, "then", "\n".join(then), rules.scope(one.state)))
    return Run(rules, rules.copy(one.state), one.seed, one.ply, seats, {})


@each_game
def test_answers_on_one_page_play_like_answers_one_by_one(game: str) -> None:
    """The same plies with the same digests, whether the second answer came along or was asked for; past a phase too."""
    rules, crossed, count = rules_of(game), 0, 0
    for one in decisions(game):
        step = lookahead.foresee(rules, rules.view(one.state, one.seat), [str(one.order)]).next
        if step is None:
            continue
        second = rules.sample(rules.imagine(step.view, Rng("second", 0)), one.seat, Rng("second", one.ply))
        together = chained(rules, one, (str(second),))
        together.go({one.seat: GivenAhead(one.order, "player")})
        apart = chained(rules, one, ())
        apart.go({one.seat: GivenAhead(one.order, "player")})
        crossed += rules.scope(apart.state).phase != rules.scope(one.state).phase
        apart.go({one.seat: GivenAhead(second, "player")})
        count += 1

        assert [step.digest for step in together.steps] == [step.digest for step in apart.steps]
        assert [step.orders for step in together.steps] == [step.orders for step in apart.steps]
    assert count > crossed > 0


@each_game
def test_a_chain_says_what_it_will_do_and_what_cannot_be(game: str) -> None:
    """The later order in words; one that is sure to be impossible with its reason. The first must be legal."""
    rules = rules_of(game)
    one, step = next(
        (one, step)
        for one in decisions(game)
        if (step := lookahead.foresee(rules, rules.view(one.state, one.seat), [str(one.order)]).next)
    )
    view, safe = rules.view(one.state, one.seat), rules.cautious(step.view)
    good = lookahead.foresee(rules, view, [str(one.order), str(safe)])
    wrong = lookahead.foresee(rules, view, [str(one.order), WRONG[game]])

    assert good.says == (rules.describe(step.view, safe),)
    assert good.faults == ()
    assert lookahead.foresee(rules, view, [str(one.order), "ask me"]) == lookahead.Foreseen()
    assert WRONG[game] in str(wrong.faults[0])
    assert wrong.next is None
    with pytest.raises(IllegalOrder):
        lookahead.foresee(rules, view, [WRONG[game]])


WRONG = {"amunre": "bid 36 on Memphis", "priestsofra": "bid 99", "egizia": "feed"}
"""Orders that can be read and are not allowed."""


@each_game
def test_a_letter_gets_an_example_only_where_an_answer_leads_on(game: str) -> None:
    """Its chain is an order that leads straight on and a safe answer to what is asked then."""
    rules, found = rules_of(game), 0
    for one in decisions(game):
        view = rules.view(one.state, one.seat)
        example = lookahead.example(rules, view, lookahead.world_of(rules, view))
        if example is None:
            continue
        found += 1
        first, _, then = example.chain.partition("; then ")
        assert continued(rules, one.state, one.seat, rules.read(one.state, one.seat, first)) is not None
        assert lookahead.foresee(rules, view, [first, then]).faults == ()
    assert found


def test_a_letter_shows_no_order_that_its_reader_would_be_warned_of() -> None:
    """Whoever copies the one of several parts doesn't give away all their gold, with a card sold for more."""
    rules, state = rules_of("amunre"), position(OFFERING, "Red: block, architect")

    assert "offer 21, sell block" in map(str, islice(rules.legal(state, RED), lookahead._SHOWN))
    assert lookahead.of_several_parts(rules, rules.view(state, RED), state) == ""


UNTOUCHED = {"amunre": {("take", "harvest")}, "priestsofra": set[tuple[str, str]](), "egizia": set[tuple[str, str]]()}
"""Decisions asked on one page though others act in between."""


@each_game
def test_what_is_asked_next_is_so_whatever_others_do(game: str) -> None:
    """Others order anything: then the seat is asked just what its page said, with the same choices and orders."""
    rules, pairs = rules_of(game), set()
    for places in walked(game).values():
        for number, (place, seat) in enumerate(places):
            for order in islice(rules.legal(place, seat), 5):
                if (after := rules.asked_next(rules.view(place, seat), order)) is None:
                    continue
                pairs.add((rules.asked(place)[seat].kind, after.kind))
                for world in range(3):
                    true = _gone_on(rules, place, seat, order, f"others/{world}/{number}")
                    promised = rules.imagine(after, Rng("promised", world))

                    assert rules.form(rules.view(true, seat)) == rules.form(after)
                    assert set(rules.legal(true, seat)) == set(rules.legal(promised, seat))
    assert pairs == UNTOUCHED[game]


def _gone_on(rules: AnyRules, place: Any, seat: int, order: Any, seed: str) -> Any:
    """The position in which `seat` is asked next, the others ordering at random."""
    state, asked, ply, lot = rules.copy(place), rules.awaited(place), 0, Rng(seed, 0)
    orders = {one: rules.sample(state, one, lot) for one in asked} | {seat: order}
    while True:
        ply += 1
        rules.apply(state, orders, Rng(seed, ply))
        if seat in (asked := rules.awaited(state)):
            return state
        orders = {one: rules.sample(state, one, lot) for one in asked}
