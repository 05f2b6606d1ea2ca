"""The games that are installed, each by the entry point its package declares; and the files beside its rules.

A package offers its rules in the group `pbem.games`, and if it has them its drawings in `pbem.pictures` and its bot in
`pbem.bots`, all under the game's name. The games that come with this program are declared in its own pyproject.toml.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module
from importlib.metadata import entry_points
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping
    from types import ModuleType

RULES, PICTURES, BOTS = "pbem.games", "pbem.pictures", "pbem.bots"
"""The groups of entry points."""


@cache
def modules(group: str) -> Mapping[str, str]:
    """The module behind each game's entry point in `group`, by the game's name, in alphabetical order."""
    return {entry.name: entry.module for entry in sorted(entry_points(group=group), key=lambda entry: entry.name)}


def load(group: str, game: str) -> ModuleType | None:
    """The module that `game` offers in `group`; None if it offers none. Raises what the module raises."""
    name = modules(group).get(game)
    return None if name is None else import_module(name)


def text(game: str, file: str) -> str:
    """The text file called `file` beside the rules of `game`; empty if there is none. Nothing of the game is run."""
    spec = find_spec(modules(RULES)[game])
    folders = (spec.submodule_search_locations if spec else None) or ()
    found = next((path for folder in folders if (path := Path(folder) / file).is_file()), None)
    return "" if found is None else found.read_text("utf-8")
