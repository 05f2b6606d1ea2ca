"""What the events tell adds up to what the state holds, over whole games with all options about."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from pbem.engine.amunre import RULES, auction, buy, cards, data, harvest, offering, scoring
from pbem.engine.core.rng import Rng

if TYPE_CHECKING:
    from pbem.engine.amunre.state import State
    from pbem.engine.core.message import Event

GAINS = {*auction.BONUS.values(), cards.SOLD, harvest.EARNED}
COSTS = {
    auction.TOOK,
    buy.BOUGHT,
    buy.FARMERS,
    buy.STONES,
    *(text for (is_gold, _), text in offering.OFFERED.items() if is_gold),
}
THEFTS = {text for (is_gold, _), text in offering.OFFERED.items() if not is_gold}
ADJUSTED = {text for (_, is_adjusted), text in offering.OFFERED.items() if is_adjusted}
OPTIONS: tuple[dict[str, str], ...] = (
    {},
    {"card_draft": "on"},
    {"actions": "together", "card_draft": "discard"},
    {"actions": "together", "final_sale": "never"},
)


def played(seats: int, seed: str, options: dict[str, str]) -> tuple[State, list[Event]]:
    """A whole random game and all that was told of it."""
    chance = Rng(seed, 0)
    opened = RULES.setup(seats, options, chance)
    state, events = opened.state, list(opened.events)
    while state.asked:
        events += RULES.apply(state, {seat: RULES.sample(state, seat, chance) for seat in state.asked}, chance)
        assert RULES.problems(state) == ()
    return state, events


@pytest.mark.parametrize("options", OPTIONS)
@pytest.mark.parametrize("seats", [3, 4, 5])
def test_ar_1_5_purses_follow_from_what_everybody_reads(seats: int, options: dict[str, str]) -> None:
    """Twenty gold, payments, incomes, sales and thefts, as told to all, make up everybody's gold at the end."""
    for number in range(4):
        state, events = played(seats, f"purses {number}", options)
        gold = [20] * seats
        for event in events:
            if event.seen_by is None and event.seat is not None:
                amount = event.params.get("gold", 0)
                assert isinstance(amount, int)
                gold[event.seat] += amount * (event.text in GAINS) - amount * (event.text in COSTS)
                gold[event.seat] += 3 * (event.text in THEFTS)
        assert gold == state.gold


@pytest.mark.parametrize("options", OPTIONS)
def test_ar_1_5_hands_follow_from_what_their_owner_reads(options: dict[str, str]) -> None:
    """An architect, the cards drawn, less those played and sold, are the hand at the end."""
    state, events = played(4, "hands", options)
    hands = [["architect"] for _ in range(4)]
    for event in events:
        if event.seat is None:
            continue
        named = event.params.get("cards", ())
        if event.text == cards.DREW and isinstance(named, tuple):
            assert event.seen_by == (event.seat,)
            hands[event.seat] += map(str, named)
        elif event.text in {cards.SOLD, scoring.BONUS} and isinstance(named, tuple):
            for name in named:
                hands[event.seat].remove(str(name))
        elif "card" in event.params:
            hands[event.seat].remove(str(event.params["card"]))
        elif event.text in ADJUSTED:
            hands[event.seat].remove("adjustment")
    assert [sorted(hand) for hand in hands] == [sorted(data.names(cards.held(hand))) for hand in state.hands]


def test_ar_9_1_points_follow_from_the_scorings() -> None:
    """The two scorings told to all add up to the final scores, part by part."""
    state, events = played(4, "points", {})
    points = [0] * 4
    for event in events:
        if event.text == scoring.SCORED and event.seat is not None:
            parts = [event.params[name] for name in ("pyramids", "sets", "banks", "temples", "cards", "gold")]
            assert sum(int(str(part)) for part in parts) == event.params["points"]
            points[event.seat] += int(str(event.params["points"]))
    outcome = RULES.outcome(state)
    assert outcome is not None
    assert tuple(points) == outcome.scores == tuple(state.points)
    assert [sum(map(sum, rows)) for rows in zip(*state.tally, strict=True)] == state.points


def test_ar_7_5_rewards_follow_from_the_offerings() -> None:
    """Every reward told is placed or drawn: items never stay open after the harvest."""
    _, events = played(5, "rewards", {})
    told = sum(int(str(event.params["items"])) for event in events if event.text == offering.REWARD)
    drawn = sum(int(str(event.params["cards"])) for event in events if event.text == offering.TOOK)
    placed = 0
    for event in events:
        if event.text in {harvest.FARMERS, harvest.STONES}:
            lands = event.params["placed"]
            assert isinstance(lands, tuple)
            placed += sum(int(str(land).split()[0]) for land in lands)
    assert told == drawn + placed > 20
