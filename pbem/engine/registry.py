"""Which games there are, and by which versions of their rules. The one list a new game is added to."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING

from pbem.engine.core.errors import InvalidOrder, UnknownVersion
from pbem.engine.core.types import N_, Message
from pbem.engine.text.notation import Names

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pbem.engine.core.types import AnyRules

GAMES = ("amunre", "priestsofra", "egizia")


@cache
def versions(game: str) -> Mapping[int, AnyRules]:
    """Every version of the rules of `game` that this program plays, the newest last. Raises as `rules_of` does."""
    name = Names(N_("game"), dict.fromkeys(GAMES, ())).find(game)
    if name is None:
        raise InvalidOrder(
            Message(N_("{word!r} is no game here. There are: {names}."), {"word": game[:40], "names": GAMES})
        )
    module = import_module(f"pbem.engine.{name}")
    return {rules.meta.version: rules for rules in (*module.EARLIER, module.RULES)}


def rules_of(game: str, version: int | None = None) -> AnyRules:
    """The rules of the game called `game`: the newest, or for a stored game those it was opened with.

    Raises InvalidOrder naming the games there are, or UnknownVersion naming the versions.
    """
    known = versions(game)
    if version is None:
        return known[max(known)]
    rules = known.get(version)
    if rules is None:
        raise UnknownVersion(
            Message(
                N_("This is a game of {game} by rules version {found}; this program plays version {ours}."),
                {"game": known[max(known)].meta.title, "found": version, "ours": tuple(sorted(known))},
            ),
            Message(N_("Nothing is lost: the game goes on once the program has those rules again.")),
        )
    return rules
