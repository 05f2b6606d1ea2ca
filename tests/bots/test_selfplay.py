"""Games among bots: the same seed gives the same game, records hold, figures add up, and skill shows."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner

from benchmarks.match import main, match, seats_of
from pbem.bots.basic import RandomBot
from pbem.bots.players import bot_of
from pbem.bots.selfplay import SelfplayTable, play, record
from pbem.bots.series import seeds, series, won
from pbem.engine import replay
from pbem.engine.core import records
from pbem.engine.registry import GAMES, rules_of
from pbem.engine.replay import digest

if TYPE_CHECKING:
    from click.testing import Result

each_game = pytest.mark.parametrize("game", GAMES)


@each_game
@pytest.mark.parametrize("name", ["random", "cautious", "heuristic"])
def test_the_same_seed_gives_the_same_game(game: str, name: str) -> None:
    """Whoever plays, twice the same seed ends in the same digest, and its record replays."""
    rules = rules_of(game)
    table = SelfplayTable(rules, (bot_of(game, name),) * rules.meta.seats[0])
    first, kept = record(table, "twice")

    assert digest(play(table, "twice").state) == digest(first.state)
    assert replay.mismatches(records.write(kept)) == ()
    assert kept.result is not None
    assert kept.result.scores == first.outcome.scores


@each_game
def test_random_players_without_and_with_views_play_whole_games(game: str) -> None:
    """The short cut of random play is but a short cut: random bots that are shown views end their games as well."""
    rules = rules_of(game)
    mixed = (RandomBot(), *(bot_of(game, "cautious"),) * (rules.meta.seats[0] - 1))

    assert play(SelfplayTable(rules, mixed), "mixed").decisions > 0


@each_game
def test_a_series_adds_up_its_games(game: str) -> None:
    """Means, wins, endings and counts are those of the games played one by one."""
    rules = rules_of(game)
    table = SelfplayTable(rules, (RandomBot(),) * rules.meta.seats[-1])
    found = series(table, "s", 5)
    games = [play(table, seed) for seed in seeds("s", 5)]

    assert (found.games, found.plies) == (5, sum(one.plies for one in games))
    assert found.decisions == sum(one.decisions for one in games)
    assert found.events == sum(one.events for one in games)
    assert sum(found.endings.values()) == 5
    assert sum(found.wins) == pytest.approx(5, abs=0.05)
    assert found.score_means[0] == pytest.approx(sum(one.outcome.scores[0] for one in games) / 5, abs=0.01)
    assert found.decisions_per_s > 0


@each_game
def test_the_heuristic_beats_random_play(game: str) -> None:
    """In two-sided matches with four seats (the seats exchanged for the second game) it wins nearly all."""
    rules = rules_of(game)
    found = match(rules, (bot_of(game, "heuristic"), RandomBot()), seats_of(rules, None), "skill", 20)

    assert found.a_wins >= 19
    assert found.a_wins + found.b_wins + found.draws == found.matches == 20
    assert found.a_mean > found.b_mean


def test_a_match_of_equals_is_even() -> None:
    """A bot against itself, seats exchanged: the same games twice, so that every match is drawn."""
    rules = rules_of("priestsofra")
    bot = bot_of("priestsofra", "heuristic")

    assert match(rules, (bot, bot), 2, "equal", 6).draws == 6
    assert match(rules, (bot, bot), 2, "equal", 6).a_share == 0.5


def test_a_shared_win_is_shared_out() -> None:
    """Half a win each for two who end level."""
    rules = rules_of("priestsofra")
    played = play(SelfplayTable(rules, (RandomBot(),) * 3), "share")

    assert sum(won(played, seat) for seat in range(3)) == pytest.approx(1)


def test_seats_for_a_match_are_even_unless_wanted() -> None:
    """Four where the game takes four, what is wanted otherwise."""
    assert seats_of(rules_of("priestsofra"), None) == 4
    assert seats_of(rules_of("egizia"), 3) == 3


def test_a_match_tells_who_won() -> None:
    """As words and as JSON; a bot or a table that isn't there is named."""
    words = ("priestsofra", "--games", "4", "--seats", "2")
    figures = json.loads(_run(*words, "--json").output)

    assert _run(*words).output.startswith("2 two-sided matches of priestsofra, 2 seats: heuristic against random")
    assert figures["a_wins"] + figures["b_wins"] + figures["draws"] == 2
    assert "'clever' is no bot." in _run("amunre", "--a", "clever").output
    assert "2 is no number of seats for Amun-Re; it takes 3, 4, 5." in _run("amunre", "--seats", "2").output


def _run(*words: str) -> Result:
    return CliRunner().invoke(main, list(words))
