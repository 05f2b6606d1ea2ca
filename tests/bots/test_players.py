"""Bots: they see only a view, give legal orders in every position of every game, and are found by name."""

from __future__ import annotations

from itertools import count
from typing import Any

import pytest

from pbem.bots.basic import CautiousBot, RandomBot
from pbem.bots.players import NAMES, bot_of
from pbem.bots.search import SearchBot, candidates
from pbem.engine.core.errors import InvalidOrder
from pbem.engine.core.message import REPEATED
from pbem.engine.core.rng import Rng
from pbem.engine.registry import GAMES, rules_of
from pbem.kit.contract.positions import positions

each_game = pytest.mark.parametrize("game", GAMES)


@each_game
@pytest.mark.parametrize("name", ["random", "cautious", "heuristic"])
def test_bots_give_legal_orders_everywhere(game: str, name: str) -> None:
    """In positions of fifty random games, at all seat counts and options, the order is one the rules allow."""
    rules, bot = rules_of(game), bot_of(game, name)
    for position in positions(game):
        for seat in rules.awaited(position.state):
            order = bot.choose(rules, rules.view(position.state, seat), Rng(position.seed, position.ply))
            assert rules.check(position.state, seat, order) == [], (position.seed, position.ply, str(order))


@each_game
def test_the_heuristic_knows_no_more_than_its_view(game: str) -> None:
    """In a state that differs only in hidden parts it orders the same."""
    rules, bot = rules_of(game), bot_of(game, "heuristic")
    for position in list(positions(game))[::3]:
        for seat in rules.awaited(position.state):
            view = rules.view(position.state, seat)
            other = rules.view(rules.imagine(view, Rng("other", 0)), seat)
            chosen = bot.choose(rules, view, Rng("a", 1))
            assert bot.choose(rules, other, Rng("a", 1)) == chosen


@each_game
def test_the_search_player_keeps_to_its_time_and_to_the_rules(game: str) -> None:
    """It answers once its time is over, with one of the legal candidates.

    Its clock is one that moves when it is looked at, so that a busy machine makes no difference.
    """
    rules, bot = rules_of(game), bot_of(game, "search:3")
    assert isinstance(bot, SearchBot)
    for position in list(positions(game))[::120]:
        for seat in rules.awaited(position.state):
            looks = count()
            bot.clock = looks.__next__
            order = bot.choose(rules, rules.view(position.state, seat), Rng(position.seed, position.ply))
            assert next(looks) <= bot.seconds + 2  # it looks at the beginning, and once more than there is time
            assert rules.check(position.state, seat, order) == []


@each_game
def test_candidates_are_few_different_legal_orders_with_the_guides_first(game: str) -> None:
    """However many legal orders there are, at most 24 are weighed."""
    rules = rules_of(game)
    for position in list(positions(game))[::4]:
        for seat in rules.awaited(position.state):
            view = rules.view(position.state, seat)
            found = candidates(rules, view, CautiousBot(), Rng(position.seed, 0))
            assert found[0] == rules.cautious(view)
            assert len(set(found)) == len(found) <= 24
            assert all(rules.check(position.state, seat, order) == [] for order in found)


class Hesitant:
    """A guide that calls Ra at any time, which is a poor way to play."""

    name = "hesitant"

    def choose(self, rules: Any, view: Any, chance: Any) -> Any:
        """The first legal order that costs most, as it were."""
        return list(rules.legal(rules.imagine(view, chance), view.seat))[-1]


def test_the_search_player_leaves_a_bad_guide() -> None:
    """With a guide that gives the last legal order whatever it is, search finds something else to do now and then.

    Its clock counts the worlds it tries, so that a busy machine makes no difference.
    """
    rules = rules_of("priestsofra")
    left = 0
    for position in list(positions("priestsofra"))[::100]:
        bot = SearchBot(Hesitant(), 40, count().__next__)
        for seat in rules.awaited(position.state):
            view = rules.view(position.state, seat)
            left += bot.choose(rules, view, Rng("x", 1)) != Hesitant().choose(rules, view, Rng("x", 1))

    assert left


def test_bots_are_found_by_name() -> None:
    """Each listed name gives a bot of that name; search may be given its seconds."""
    assert [bot_of("priestsofra", name).name for name in NAMES] == list(NAMES)
    search = bot_of("priestsofra", "search:2.5")
    assert isinstance(search, SearchBot)
    assert search.seconds == 2.5
    assert isinstance(bot_of("amunre", "random"), RandomBot)


@pytest.mark.parametrize("name", ["", "clever", "random:1", "heuristic:2"])
def test_an_unknown_bot_is_refused_with_those_there_are(name: str) -> None:
    """The sentence repeats the name and lists the bots."""
    with pytest.raises(InvalidOrder) as refused:
        bot_of("amunre", name)

    assert str(refused.value) == f"{name!r} is no bot. There are: random, cautious, heuristic, search."


@pytest.mark.parametrize("name", ["x" * (REPEATED + 1), "search:" + "1" * REPEATED])
def test_of_a_name_without_end_no_more_is_repeated_than_fits_a_line(name: str) -> None:
    """Its beginning, and a sign that there is more."""
    with pytest.raises(InvalidOrder) as refused:
        bot_of("amunre", name)

    assert str(refused.value).partition(" ")[0] == repr(f"{name[: REPEATED - 1]}…")


@pytest.mark.parametrize(
    "name", ["search:", "search:x", "search:0", "search:61", "search:-1", "search:1e3", "search:."]
)
def test_seconds_are_a_number_above_nought_and_at_most_sixty(name: str) -> None:
    """`search:` alone takes the usual second; anything odd is refused in words."""
    if name == "search:":
        assert isinstance(bot_of("amunre", name), SearchBot)
        return
    with pytest.raises(InvalidOrder, match="should name seconds above 0 and up to 60"):
        bot_of("amunre", name)
