"""Which games there are. The one list a new game is added to."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, cast

from pbem.engine.errors import InvalidOrder
from pbem.engine.notation import Names
from pbem.engine.types import N_, Said

if TYPE_CHECKING:
    from pbem.engine.types import AnyRules

GAMES = ("amunre", "priestsofra", "egizia")


@cache
def rules_of(game: str) -> AnyRules:
    """The rules of the game called `game`. Raises InvalidOrder naming the games there are."""
    name = Names(N_("game"), dict.fromkeys(GAMES, ())).find(game)
    if name is None:
        raise InvalidOrder(
            Said(N_("{word!r} is no game here. There are: {names}."), {"word": game[:40], "names": GAMES})
        )
    return cast("AnyRules", import_module(f"pbem.engine.{name}").RULES)
