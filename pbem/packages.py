"""The games that are installed, each by the entry point its package declares; and the files beside its rules.

A package offers its rules in the group `pbem.games`, and if it has them its drawings in `pbem.pictures` and its bot in
`pbem.bots`, all under the game's name. The games that come with this program are declared in its own pyproject.toml.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib import import_module
from importlib.metadata import entry_points
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType

RULES, PICTURES, BOTS = "pbem.games", "pbem.pictures", "pbem.bots"
"""The groups of entry points."""


@cache
def modules(group: str) -> Mapping[str, str]:
    """Return the module behind each game's entry point in `group`, by the game's name, in alphabetical order."""
    return {entry.name: entry.module for entry in sorted(entry_points(group=group), key=lambda entry: entry.name)}


def load(group: str, game: str) -> ModuleType | None:
    """Return the module that `game` offers in `group`; None if it offers none. Raises what the module raises."""
    name = modules(group).get(game)
    return None if name is None else import_module(name)


def folder(game: str) -> Path:
    """Return where the rules of `game` lie. Nothing of the game is run; raises KeyError if it is not installed."""
    name = modules(RULES)[game]
    spec = find_spec(name)
    if spec is None or not spec.submodule_search_locations:
        raise ImportError(f"The game {game} should be a package, a folder with __init__.py; {name} is none.")
    return Path(next(iter(spec.submodule_search_locations)))


def text(game: str, file: str) -> str:
    """Return the text file called `file` beside the rules of `game`; empty if there is none."""
    path = folder(game) / file
    return path.read_text("utf-8") if path.is_file() else ""
