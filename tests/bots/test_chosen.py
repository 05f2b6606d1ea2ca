"""What bots choose stays as it is: a line of play holds a person's orders alone, and its bots must answer as they did.

Whoever changes a bot knowingly takes the new digests from what fails; addresses of lines of play then lead elsewhere.
"""

from __future__ import annotations

import copy
import hashlib
from collections import defaultdict
from functools import cache
from itertools import count
from typing import TYPE_CHECKING, Any

import pytest

from pbem.bots import amunre
from pbem.bots.basic import _LOOKED_AT, GreedyBot, RandomBot
from pbem.bots.personality import Heuristic
from pbem.bots.players import bot_of
from pbem.bots.search import SearchBot
from pbem.bots.selfplay import SelfplayTable, play
from pbem.engine.amunre import data
from pbem.engine.core.rng import Rng
from pbem.engine.registry import rules_of
from pbem.kit.contract.positions import positions

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from pbem.bots.basic import Bot
    from pbem.engine.core.rng import Chance

OWN = {
    "amunre": {
        "bid": "118e26a64f9f",
        "take": "dc3bd141b3e0",
        "build": "56df7f8cce72",
        "buy": "8282b146398e",
        "keep": "f8952cb474bd",
        "draft": "bce64081a853",
        "offer": "9732953ad41c",
        "harvest": "821f7cf086e1",
        "adjust": "bbb3d3bc5d24",
        "sell": "ff07adc35d60",
    },
    "egizia": {
        "ship": "fcb23e6a52b1",
        "after": "b7cb9b4dc5c5",
        "build": "e0bca1666185",
        "leftover": "a786fbdd070a",
        "keep": "50a1df1eb395",
        "move": "53d575338ae1",
        "feed": "e16549f166fc",
        "sphinx": "b17a75c74f0f",
    },
    "priestsofra": {
        "turn": "86b6267495e9",
        "bid": "69a51899cd6a",
        "face": "e7bdf8749658",
        "flip": "11779935220d",
    },
}
"""By game and kind of decision, what its own player chooses in random games and in games of its own."""
OTHERWISE = {
    "amunre ada": {
        "bid": "6622298e32b6",
    },
    "egizia ada": {
        "ship": "b0fc2e79b277",
        "leftover": "fc039d999184",
    },
    "priestsofra ada": {
        "turn": "eb7c4fdd6f89",
        "bid": "c40b396bddaf",
        "face": "67c350c7c8c7",
    },
}
"""By game and personality, where that chooses otherwise."""
CHOSEN = OWN | {who: OWN[who.split()[0]] | kinds for who, kinds in OTHERWISE.items()}
SEARCHED = {
    "amunre": "34f04bc080d1",
    "egizia": "7abdd7c40b78",
    "priestsofra": "b95720cfa5c3",
}
"""By game what the player chooses that tries orders out."""
TRIED = 2
"""Kinds of decision of a game in which that is asked."""
LOOKS = 8
"""At its clock, in which it decides."""


@cache
def asked(game: str) -> list[tuple[str, Any]]:
    """Kinds of decision and views: in random games, and in games among the game's own players."""
    rules, found = rules_of(game), list[tuple[str, Any]]()

    def watch(state: Any, _orders: Mapping[int, Any], _chance: Chance) -> None:
        found.extend((decision.kind, rules.view(state, seat)) for seat, decision in rules.asked(state).items())

    for position in positions(game):
        watch(position.state, {}, Rng("", 0))
    for seats in rules.meta.seats:
        play(SelfplayTable(rules, (bot_of(game, "heuristic"),) * seats), f"chosen-{seats}", watch)
    return found


def digest(chosen: Iterable[object]) -> str:
    """A few signs that tell these choices from others."""
    return hashlib.sha256("\n".join(map(str, chosen)).encode()).hexdigest()[:12]


def choices(game: str, bot: Bot) -> Iterator[tuple[str, object]]:
    """What a bot chooses, by kind of decision."""
    rules = rules_of(game)
    for kind, view in asked(game):
        yield kind, bot.choose(rules, view, Rng("own", 0))


@pytest.mark.parametrize("who", CHOSEN)
def test_a_games_own_player_chooses_as_ever(who: str) -> None:
    """In each kind of decision."""
    game, _, personality = who.partition(" ")
    plain = bot_of(game, "heuristic")
    assert isinstance(plain, Heuristic)
    found = defaultdict[str, list[object]](list)
    for kind, order in choices(game, Heuristic(plain.decide, personality)):
        found[kind].append(order)

    assert {kind: digest(chosen) for kind, chosen in found.items()} == CHOSEN[who]


def searched(game: str) -> str:
    """What the player chooses that tries orders out, with a clock that moves when it is looked at."""
    rules, chosen = rules_of(game), []
    views = dict(reversed(asked(game)))
    for guide in (bot_of(game, "heuristic"), RandomBot()):
        for kind in sorted(views)[:TRIED]:
            bot = SearchBot(guide, LOOKS, count().__next__)
            chosen.append(bot.choose(rules, views[kind], Rng(kind, 0)))
    return digest(chosen)


@pytest.mark.parametrize("game", SEARCHED)
def test_who_tries_orders_out_chooses_as_ever(game: str) -> None:
    """Led by the game's own player and by one that gives anything, it looks at the clock as often."""
    assert searched(game) == SEARCHED[game]


def test_one_card_that_adds_to_the_harvest_is_worth_a_farmer_more() -> None:
    """To whoever can pay for it; a second card adds nothing to that."""
    built = set()
    for view in [copy.deepcopy(view) for kind, view in asked("amunre") if kind == "build"]:
        view.gold[view.seat], orders = 60, []
        for cards in range(3):
            view.hands[view.seat][data.INCREASE] = cards
            orders.append(sum(count for _, count in amunre.build(view, view.seat).farmers))
        built.add((orders[1] - orders[0], orders[2] - orders[1]))

    assert built == {(0, 0), (1, 0)}


class Numbers:
    """Rules of which no more is asked than what can be ordered, and what it is worth."""

    def __init__(self, most: int) -> None:
        """Take how many orders are legal."""
        self.most = most

    @staticmethod
    def imagine(view: Any, _chance: Chance) -> Any:
        """A world."""
        return view

    def legal(self, _world: Any, _seat: int) -> Iterator[int]:
        """Every number."""
        return iter(range(self.most))

    def sample(self, _world: Any, _seat: int, chance: Chance) -> int:
        """Any number."""
        return chance.below(self.most)

    @staticmethod
    def worth(_view: Any, order: int) -> int:
        """Hundreds; who has most of them comes first."""
        return order // 100


def greedy(rules: Any) -> Any:
    """What the player chooses that looks at all there is."""
    view: Any = type("View", (), {"seat": 0})()
    return GreedyBot().choose(rules, view, Rng("own", 0))


@pytest.mark.parametrize("most", [1, 250, _LOOKED_AT - 1])
def test_what_is_worth_most_is_chosen(most: int) -> None:
    """Of all legal orders the first of several that are worth as much."""
    assert greedy(Numbers(most)) == (most - 1) // 100 * 100


def test_of_too_many_orders_some_are_looked_at() -> None:
    """Drawn from all of them, not the first."""
    assert greedy(Numbers(1_000_000)) > 900_000
