"""The tempo benchmark: who is waited for and how long, and that no way of asking changes a game."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.tempo.__main__ import measure
from benchmarks.tempo.ahead import ASKED_EACH_TIME, AheadGame, finished, planner, player, policies
from benchmarks.tempo.loss import loss
from benchmarks.tempo.simulated_people import DAY, DEADLINE, HOLIDAY, HOUR, SimulatedPerson, answered_at, club
from benchmarks.tempo.strict import strict, trace
from benchmarks.tempo.tapping import page_policy, tempo, timed
from pbem.engine.amunre.state import BUILD
from pbem.engine.core.rng import Rng
from pbem.engine.registry import GAMES, rules_of
from pbem.engine.text import standing_text

if TYPE_CHECKING:
    from click.testing import Result

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
    """Four seats asked together: strict asking waits four times; a seat asked again at once goes on on its page."""
    assert strict([(0, 1, 2, 3)], PEOPLE).waits == 4
    assert strict([(2,), (2,)], PEOPLE).waits == 1
    assert strict([(0,), (1,)], PEOPLE).letters == 0.5


@pytest.mark.parametrize("game", GAMES)
def test_nobody_planning_takes_about_as_long_as_strict_asking(game: str) -> None:
    """Only what the rules ask at once is quicker; and nothing is answered ahead but sealed lists."""
    rules = rules_of(game)
    played = timed(rules, "slow", 4, 0, together=False, policy=page_policy(game))
    usual = strict(trace(rules, 4, "slow"), club("slow", 4))

    assert played.trip.days <= 1.3 * usual.days
    assert played.answered == 0 or game == "priestsofra"


@pytest.mark.parametrize("game", GAMES)
def test_planning_shortens_a_game_and_tells_how_much_it_answered(game: str) -> None:
    """The figures of `python -m benchmarks.tempo days`, on few games."""
    found = tempo(rules_of(game), 3, "few", 2, (0, 1))
    nobody, everybody = found.tapping[0], found.tapping[-1]

    assert everybody.days_median < 0.8 * nobody.days_median
    assert everybody.letters_ratio < nobody.letters_ratio
    assert everybody.answered_share > 0.2
    assert nobody.days_low <= nobody.days_median <= nobody.days_high


@pytest.mark.parametrize("game", GAMES)
def test_the_same_seed_gives_the_same_figures(game: str) -> None:
    """Games, people, personalities and who of them plans hang on the seed alone."""
    rules = rules_of(game)
    one, other = (timed(rules, "again", 4, 2, together=True, policy=page_policy(game)) for _ in range(2))

    assert one == other


def test_who_buys_no_card_places_at_once_where_all_are_asked_together() -> None:
    """Amun-Re's page takes both in one order (AR-6.3): the same is built, and nobody is asked for it again."""
    rules = rules_of("amunre")
    table = AheadGame(
        rules, [player(rules, "buy", seat, ASKED_EACH_TIME) for seat in range(4)], "buy", {"actions": "together"}
    )
    both = 0
    while asked := rules.awaited(table.state):
        for seat in table.missing():
            table.visit(seat)
        whole = {
            seat for seat, order in table.orders.items() if str(order).startswith(("buy no cards,", "buy nothing"))
        }
        buying = next(iter(asked.values())).kind == "buy"
        table.resolve()
        if buying:
            assert table.state.phase != BUILD or not whole & rules.awaited(table.state).keys()
            both += len(whole)

    assert both > 0


def test_players_differ_in_taste() -> None:
    """Two players of one kind, in the same position, do not all want the same."""
    rules = rules_of("egizia")
    views = [rules.view(rules.setup(4, {}, Rng("taste", n)).state, 0) for n in range(20)]
    one, other = player(rules, "a", 0, ASKED_EACH_TIME), player(rules, "b", 0, ASKED_EACH_TIME)
    asked = [view for view in views if view.asked]

    assert [one.bot.choose(rules, view, Rng("", 0)) for view in asked] != [
        other.bot.choose(rules, view, Rng("", 0)) for view in asked
    ]


@pytest.mark.parametrize("game", GAMES)
def test_a_plan_is_looked_at_through_its_owners_view_alone(game: str) -> None:
    """What the bots plan hangs on their view: worlds that agree with it give the same plans."""
    rules = rules_of(game)
    state = rules.setup(4, {}, Rng("blind", 1)).state
    who = player(rules, "blind", 1, page_policy(game))
    table = AheadGame(rules, [who] * 4, "blind", {})
    worlds = [rules.imagine(rules.view(state, 1), Rng("worlds", n)) for n in range(4)]
    plans = {tuple(table.texts(rules.view(world, 1), who)) for world in worlds}

    assert len(plans) == 1


@pytest.mark.parametrize("game", GAMES)
def test_written_programs_are_read_and_lose(game: str) -> None:
    """They are measured, no longer suggested: each can be stored as it stands, and costs more than any plan may."""
    rules = rules_of(game)
    order = standing_text.parse(rules, planner(game).WRITTEN.strip())
    assert standing_text.parse(rules, str(order)) == order
    lost = loss(rules, 4, "written", 4, policies(game)[-1])

    assert lost.loss_share > 0.02
    assert lost.loss_low <= lost.loss_share <= lost.loss_high
    assert lost.answered_share > 0.2


@pytest.mark.parametrize("game", GAMES)
def test_a_game_of_planners_ends_with_scores(game: str) -> None:
    """Everybody plans: the game is played to its end by visits and plans."""
    rules = rules_of(game)
    table = [player(rules, "end", seat, page_policy(game)) for seat in range(4)]
    played = AheadGame(rules, table, "end", {})

    assert len(finished(played)) == 4
    assert played.answered > 0.2 * played.choices


def _run(*words: str) -> Result:
    return CliRunner().invoke(measure, list(words))


def test_days_prints_each_share_of_planners() -> None:
    """The JSON has a row for each share, against strict asking."""
    words = ("days", "priestsofra", "--games", "5", "--seats", "2", "--adoption")
    figures = json.loads(_run(*words, "0,1", "--json").output)

    assert figures["strict_days"] > 0
    assert [row["adoption"] for row in figures["tapping"]] == [0, 1]
    assert all(0 < row["ratio"] < 2 for row in figures["tapping"])
    assert "100% plan" in _run(*words, "1").output


def test_loss_prints_what_each_way_costs() -> None:
    """Every way of answering ahead, the written program last."""
    words = ("loss", "priestsofra", "--seats", "2", "--matches", "2")
    figures = json.loads(_run(*words, "--json").output)

    assert figures["ways"][-1]["way"] == "written program"
    assert all(row["loss_low"] <= row["loss_share"] <= row["loss_high"] for row in figures["ways"])
    assert "of the points" in _run(*words).output


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (
            ("days", "amunre", "--adoption", "0,all"),
            "'all' is no share of the players: write numbers from 0 to 1, as in",
        ),
        (("days", "amunre", "--adoption", "1.5"), "'1.5' is no share of the players"),
        (("days", "amunre", "--adoption", "-0.1"), "'-0.1' is no share of the players"),
        (("days", "amunre", "--seats", "9"), "9 is no number of seats for Amun-Re; it takes 3, 4, 5."),
    ],
)
def test_wrong_calls_get_one_sentence(words: tuple[str, ...], sentence: str) -> None:
    """It names the word and what would do, and the benchmark ends with 2."""
    told = _run(*words)

    assert told.exit_code == 2
    assert sentence in " ".join(told.output.split())
