"""What a bot is, and those that any game has without further ado."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, Any, Protocol, cast

if TYPE_CHECKING:
    from pbem.engine.core.rng import Chance
    from pbem.engine.core.types import AnyRules, Order

_LOOKED_AT = 400
"""Legal orders that a bot weighs one by one."""


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
