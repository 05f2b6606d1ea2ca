"""The tempo benchmark: who is waited for and how long, and that no way of asking changes a game."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.bots.advice import advice
from pbem.bots.players import bot_of
from pbem.bots.selfplay import SelfplayTable, play
from pbem.bots.simulated_people import DAY, DEADLINE, HOLIDAY, HOUR, SimulatedPerson, answered_at, club
from pbem.bots.tempo import TimedQuestion, merged, standing_orders, strict, tempo, trace
from pbem.engine.registry import GAMES, rules_of
from pbem.engine.replay import digest
from pbem.engine.text import standing_orders as standing

if TYPE_CHECKING:
    from pbem.engine.core.rng import Chance

PEOPLE = club("test", 4)
EARLY = SimulatedPerson("early", 6 * HOUR, 60.0, stalls=False, away_from=39 * DAY)


@given(st.integers(0, 400 * DAY), st.integers(0, 200), st.integers(0, 3))
def test_answers_come_in_waking_hours_after_the_question(asked: int, question: int, seat: int) -> None:
    """Nobody answers before being asked, at night, on holiday, or much later than the deadline."""
    person = PEOPLE[seat]
    at = answered_at(person, asked, question)

    assert asked <= at <= asked + DEADLINE + HOLIDAY + DAY
    if at < asked + DEADLINE:
        assert (at - person.wakes) % DAY <= 16 * HOUR


def test_the_same_question_takes_the_same_waking_time() -> None:
    """Asked in the morning of another day, it is answered as long afterwards."""
    morning = 6 * HOUR

    assert answered_at(EARLY, morning, 3) - morning == answered_at(EARLY, morning + 2 * DAY, 3) - morning - 2 * DAY


def test_a_question_in_the_night_waits_for_the_morning() -> None:
    """Asked after bedtime it is answered as if asked when the player wakes."""
    assert answered_at(EARLY, 23 * HOUR, 5) == answered_at(EARLY, 30 * HOUR, 5)


def test_one_at_a_time_waits_for_everybody_in_turn() -> None:
    """Four seats asked together: strict asking waits four times, merged asking once, for the slowest."""
    plies = [TimedQuestion(1, (0, 1, 2, 3), frozenset(), (), "p")]
    slow, fast = strict(plies, PEOPLE), merged(plies, PEOPLE)

    assert (slow.waits, fast.waits) == (4, 1)
    assert (slow.letters, fast.letters) == (1.0, 1.0)
    assert fast.days < slow.days


def test_who_goes_on_alone_is_not_waited_for_again() -> None:
    """A seat that has just answered alone sees its next question on the page, in every way of asking."""
    plies = [TimedQuestion(1, (2,), frozenset(), (), "p"), TimedQuestion(2, (2,), frozenset(), (), "p")]

    assert strict(plies, PEOPLE).waits == merged(plies, PEOPLE).waits == 1


def test_a_sealed_list_is_asked_once_for_the_whole_auction() -> None:
    """All bidders at once at its start; their later turns in the same phase need nobody."""
    plies = [
        TimedQuestion(1, (0,), frozenset(), (0, 1, 2), "auction"),
        TimedQuestion(2, (1,), frozenset(), (), "auction"),
        TimedQuestion(3, (2,), frozenset(), (), "auction"),
        TimedQuestion(4, (1,), frozenset(), (), "turns"),
    ]

    assert (merged(plies, PEOPLE).waits, strict(plies, PEOPLE).waits) == (2, 4)


def test_a_standing_order_is_written_once_and_answers_after_that() -> None:
    """The first question is the order itself, to everybody; what it answers waits for nobody."""
    plies = [TimedQuestion(n, (n % 4,), frozenset({n % 4}), (), "p") for n in range(1, 30)]
    trip = standing_orders(plies, PEOPLE)

    assert (trip.waits, trip.letters) == (1, 1.0)


@pytest.mark.parametrize("game", GAMES)
def test_the_advice_is_a_sound_standing_order_that_is_used(game: str) -> None:
    """Each game has one; it reads, and answers a good part of the decisions of a game."""
    order = standing.parse(rules_of(game), advice(game))
    assert order.scope == "changed"
    plies, _ = trace(rules_of(game), bot_of(game, "heuristic"), 4, "advice")
    asked = sum(len(ply.seats) for ply in plies)

    assert sum(len(ply.answered & set(ply.seats)) for ply in plies) > asked / 4


class Reader:
    """Answers every question when it is asked, from its view alone, by the same lines and the same second thoughts."""

    name = "reader"

    def __init__(self, game: str) -> None:
        """Take the game's advice and its heuristic."""
        self.order = standing.parse(rules_of(game), advice(game))
        self.guide = bot_of(game, "heuristic")

    def choose(self, rules: Any, view: Any, chance: Chance) -> Any:
        """What the lines say in a state imagined from the view; the heuristic's order where they ask."""
        found = standing.answer(rules, rules.imagine(view, chance), view.seat, self.order)
        return found.order if found.order is not None else self.guide.choose(rules, view, chance)


@pytest.mark.parametrize("game", GAMES)
def test_standing_orders_give_the_game_that_asking_would_give(game: str) -> None:
    """Players who answer alike when asked one by one, seeing only their views, end in the same digest.

    So a standing order used on the true state knows nothing that its owner does not see, and changes no result.
    """
    rules, bot = rules_of(game), bot_of(game, "heuristic")
    for seed in ("same-1", "same-2", "same-3"):
        asked = play(SelfplayTable(rules, (Reader(game),) * 4), seed)
        assert trace(rules, bot, 4, seed)[1] == digest(asked.state)


@pytest.mark.parametrize("game", GAMES)
def test_merging_and_standing_orders_shorten_the_calendar(game: str) -> None:
    """Over ten games the median days fall from strict to merged to standing, and so do the letters."""
    found = tempo(rules_of(game), bot_of(game, "heuristic"), 4, "tempo", 10)

    assert found.strict.days_median >= found.merged.days_median > found.standing.days_median
    assert found.standing.letters_mean < found.strict.letters_mean
    assert found.strict.days_low <= found.strict.days_median <= found.strict.days_high
