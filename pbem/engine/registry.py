"""Which games there are, and by which versions of their rules: those whose packages are installed.

Whatever takes the name of a game raises InvalidOrder, naming the games there are, if it is none of them.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from types import ModuleType
from typing import Protocol, cast

from pbem import packages
from pbem.engine.core.box import PrintedBox
from pbem.engine.core.errors import UnknownVersion, invalid
from pbem.engine.core.guide import Entry, Guide
from pbem.engine.core.message import N_, sentence
from pbem.engine.core.plans import NoPlans, Planner
from pbem.engine.core.types import AnyRules
from pbem.engine.text.notation import Names

GAMES = tuple(packages.modules(packages.RULES))
if not GAMES:
    raise ImportError(
        "No game is installed: the games that come with pbem are declared when it is installed. "
        "In a checkout run `sh -c '. ./.setup.sh; prepare test'`, elsewhere install the package anew."
    )
_LATER = sentence("Nothing is lost: the game goes on once the program has those rules again.")


@cache
def versions(game: str) -> Mapping[int, AnyRules]:
    """Return every version of the rules of `game` that this program plays, the newest last."""
    name = Names(N_("game"), dict.fromkeys(GAMES, ())).find(game)
    module = packages.load(packages.RULES, name) if name else None
    if module is None:
        raise invalid("{word!r} is no game here. There are: {names}.", word=game, names=GAMES)
    return {rules.meta.version: rules for rules in (*getattr(module, "EARLIER", ()), module.RULES)}


def title_of(game: str) -> str:
    """Return what a stored game's kind is called; its bare name where the package is not installed any more."""
    return rules_of(game).meta.title if game in GAMES else game


def rules_of(game: str, version: int | None = None) -> AnyRules:
    """Return the newest rules of `game`, or those a stored game has. Raises UnknownVersion naming what is missing."""
    if version is not None and game not in GAMES:
        text = N_("The package with the rules of {game!r} is not installed here.")
        raise UnknownVersion(sentence(text, game=game), _LATER)
    known = versions(game)
    if version is None:
        return known[max(known)]
    rules = known.get(version)
    if rules is None:
        text = N_("This is a game of {game} by rules version {found}; this program plays version {ours}.")
        raise UnknownVersion(
            sentence(text, game=known[max(known)].meta.title, found=version, ours=tuple(sorted(known))), _LATER
        )
    return rules


class OpenedGame(Protocol):
    """A game as it is stored or shown."""

    @property
    def game(self) -> str:
        """Which one it is."""

    @property
    def rules_version(self) -> int:
        """The version of the rules it is played by."""


def rules_for(game: OpenedGame) -> AnyRules:
    """Return the rules that a game is played by. Raises UnknownVersion naming what is missing."""
    return rules_of(game.game, game.rules_version)


def planner_of(game: str) -> Planner:
    """Return what turns taps on pages of `game` into plans: the module `plans` beside its rules, if there is one."""
    module = _beside(game, "plans")
    return NoPlans() if module is None else cast("Planner", module)


@cache
def guide_of(game: str) -> Guide | None:
    """Return the rules for people: `GUIDE` of the module `guide` beside the rules of `game`; None if there is none."""
    module = _beside(game, "guide")
    return None if module is None else cast("Guide", module.GUIDE)


def entries_of(game: str, box: str = "") -> tuple[Entry, ...]:
    """The glossary of `game`, by what a club's own `box` prints; "" for what ships; empty for a game without one."""
    guide = guide_of(game)
    if guide is None or not box:
        return guide.entries if guide else ()
    return cast("tuple[Entry, ...]", import_module(f"{_package(game)}.guide").entries(box))


@cache
def box_of(game: str) -> PrintedBox | None:
    """Return what the box of `game` prints, as a form: the module `box` beside its rules; None if there is none."""
    return cast("PrintedBox | None", _beside(game, "box"))


def _package(game: str) -> str:
    """Return the package of a game's rules."""
    return packages.modules(packages.RULES)[rules_of(game).meta.name]


def _beside(game: str, name: str) -> ModuleType | None:
    """Return the module called `name` in the package of a game's rules."""
    package = f"{_package(game)}.{name}"
    return import_module(package) if find_spec(package) else None
