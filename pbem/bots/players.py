"""What a bot is, and the two that every game has without further ado: the random and the cautious one."""

from __future__ import annotations

from itertools import islice
from typing import Any, Protocol, cast

from pbem import packages
from pbem.bots.search import SearchBot
from pbem.engine.core.errors import InvalidOrder
from pbem.engine.core.rng import Chance
from pbem.engine.core.types import AnyRules, Order, sentence
from pbem.engine.registry import rules_of

_LOOKED_AT = 400
"""Legal orders that a bot weighs one by one."""
_MOMENT = 0.2
"""Seconds for one decision of a bot that stands in for a game's own."""
NAMES = ("random", "cautious", "heuristic", "search")


class Bot(Protocol):
    """A player by program."""

    @property
    def name(self) -> str:
        """The name it goes by in commands and seats."""

    def choose(self, rules: AnyRules, view: Any, chance: Chance) -> Order:
        """A legal order for the decision that `view.seat` is asked; `chance` is the bot's own, not the game's."""


class RandomBot:
    """Gives any legal order."""

    name = "random"

    def choose(self, rules: AnyRules, view: Any, chance: Chance) -> Order:
        """One legal order at random, from a state that agrees with the view."""
        return cast("Order", rules.sample(rules.imagine(view, chance), view.seat, chance))


class CautiousBot:
    """Gives the safe default: what covers for a player who stalls."""

    name = "cautious"

    def choose(self, rules: AnyRules, view: Any, chance: Chance) -> Order:  # noqa: ARG002 - it leaves nothing to chance
        """Return the game's cautious order."""
        return cast("Order", rules.cautious(view))


class GreedyBot:
    """Gives the order that is worth most by `rules.worth(view, order)`, the first of several."""

    name = "heuristic"

    def choose(self, rules: AnyRules, view: Any, chance: Chance) -> Order:
        """Return the best of all legal orders, or of a sample where they are too many to look at."""
        world, worth = rules.imagine(view, chance), cast("Any", rules).worth
        orders = list(islice(rules.legal(world, view.seat), _LOOKED_AT))
        if len(orders) == _LOOKED_AT:
            orders = [rules.sample(world, view.seat, chance) for _ in range(_LOOKED_AT)]
        return cast("Order", max(orders, key=lambda order: worth(view, order)))


def bot_of(game: str, name: str) -> Bot:
    """Return the bot called `name` for `game`; `search:0.5` thinks half a second a decision.

    Raises InvalidOrder naming the bots there are.
    """
    kind, _, seconds = name.partition(":")
    if not seconds and kind in {"random", "cautious"}:
        return RandomBot() if kind == "random" else CautiousBot()
    if not seconds and kind == "heuristic":
        return heuristic(game)
    if kind == "search":
        return SearchBot(heuristic(game), _seconds(name, seconds or "1"))
    raise InvalidOrder(sentence("{word!r} is no bot. There are: {names}.", word=name[:40], names=NAMES))


def heuristic(game: str) -> Bot:
    """Return the game's own player that knows what is worth something.

    Without one, whoever follows what the rules say an order is worth, or else tries orders out for a moment.
    """
    module = packages.load(packages.BOTS, game)
    if module is not None:
        return cast("Bot", module.HEURISTIC)
    return GreedyBot() if rules_of(game).worth is not None else SearchBot(RandomBot(), _MOMENT)


def _seconds(name: str, text: str) -> float:
    whole, _, tenths = text.partition(".")
    if not (whole + tenths).isdecimal() or not 0 < float(text) <= 60:  # noqa: PLR2004 - the one place it is said
        raise InvalidOrder(
            sentence("{word!r} should name seconds above 0 and up to 60, as in search:0.5.", word=name[:40])
        )
    return float(text)
