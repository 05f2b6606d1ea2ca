"""Which bot a name stands for: one of any game's, or a game's own."""

from __future__ import annotations

from typing import cast

from pbem import packages
from pbem.bots.basic import Bot, CautiousBot, GreedyBot, RandomBot
from pbem.bots.search import SearchBot
from pbem.engine.core.errors import invalid
from pbem.engine.registry import rules_of

_MOMENT = 0.2
"""Seconds for one decision of a bot that stands in for a game's own."""
NAMES = ("random", "cautious", "heuristic", "search")


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
    raise invalid("{word!r} is no bot. There are: {names}.", word=name, names=NAMES)


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
        raise invalid("{word!r} should name seconds above 0 and up to 60, as in search:0.5.", word=name)
    return float(text)
