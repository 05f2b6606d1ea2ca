"""The structure of the program: rooms to overlook, imports that run one way, one commit a request, one name a class."""

from __future__ import annotations

import ast
from collections import Counter, defaultdict
from functools import cache
from graphlib import CycleError, TopologicalSorter
from typing import TYPE_CHECKING

import pytest

from pbem.engine.registry import GAMES
from tests.test_house import HOME, MODULES, statements, tree

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

OURS = [path for path in MODULES if path.parts[0] == "pbem" and "migrations" not in path.parts]
WIDEST = 15
"""Modules in one folder that a reader still takes in at once."""


def in_a_game(path: Path) -> bool:
    """Whether the module belongs to one game: every game has the same rooms and may use the same names."""
    return bool(set(path.with_suffix("").parts) & set(GAMES))


def name_of(path: Path) -> str:
    """The dotted name of the module."""
    return ".".join(path.with_suffix("").parts).removesuffix(".__init__")


@cache
def modules() -> Mapping[str, ast.Module]:
    """Every module of the program by name, parsed."""
    return {name_of(path): tree(path) for path in OURS}


def imported(node: ast.AST) -> Iterator[str]:
    """Names of what `node` imports, be it for its types only."""
    for child in statements(node):
        if isinstance(child, ast.Import):
            yield from (alias.name for alias in child.names)
        elif isinstance(child, ast.ImportFrom) and child.module:
            for alias in child.names:
                full = f"{child.module}.{alias.name}"
                yield full if full in modules() else child.module


def test_no_room_is_too_full() -> None:
    """No folder has more than fifteen modules."""
    counts = Counter(path.parent for path in OURS if path.name != "__init__.py" and not in_a_game(path))

    assert {str(folder): count for folder, count in counts.items() if count > WIDEST} == {}


def test_nothing_imports_in_a_circle() -> None:
    """Whatever a module imports, also late, in a function or for its types only, never leads back to it."""
    imports = {name: {one for one in imported(tree) if one in modules()} - {name} for name, tree in modules().items()}
    circle: list[str] = []
    try:
        TopologicalSorter(imports).prepare()
    except CycleError as fault:
        circle = fault.args[1]

    assert circle == []


COMMITS = {
    "pbem.app": "every request, once its handler has answered",
    "pbem.web.seat.authorize": "a mailed code: a wrong guess counts whatever becomes of the act",
}
"""Modules of the doors for browsers and programs that commit, and what."""


def test_no_handler_commits_by_itself() -> None:
    """One place commits what a request did: no route can forget it, do it twice, or keep half of what was refused."""
    doors = {name: tree for name, tree in modules().items() if name.split(".")[1:2] in (["app"], ["web"])}
    committing = {
        name
        for name, tree in doors.items()
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute) and node.attr == "commit"
    }

    assert committing == set(COMMITS)


HOMES = {
    "left_at.is_(None)": "pbem.store.models.club",  # who belongs to a club
    "COLUMNS = 72": "pbem.pictures.monospace",  # how broad a board is as text
}
"""Sentences of the program that stand in one module: whoever else needs the fact asks there."""


@pytest.mark.parametrize("written", HOMES)
def test_a_fact_has_one_home(written: str) -> None:
    """It is written in its home, and nowhere else."""
    found = {name_of(path) for path in OURS if path.parts[1] != "kit" and written in (HOME / path).read_text("utf-8")}

    assert found == {HOMES[written]}


def test_a_class_name_stands_for_one_thing() -> None:
    """Outside the games no two modules define classes of the same name."""
    homes = defaultdict(set)
    for path in OURS:
        if not in_a_game(path):
            tree = modules()[name_of(path)]
            for node in ast.walk(tree):
                if isinstance(node, ast.ClassDef):
                    homes[node.name].add(str(path))

    assert {name: sorted(where) for name, where in homes.items() if len(where) > 1} == {}


HOLDS_WHAT_GROWS = {
    "pbem.structs.Value": "the one that all others derive from",
    "pbem.letters.delivery.DeliveryWorker": "the letters it has claimed",
    "pbem.play.turns.resolution.ResolvedPly": "the orders of its seats",
}


def test_what_never_changes_is_a_value() -> None:
    """Outside the engine, which knows no module of ours, a struct that can't be changed is a `Value`."""
    frozen = {
        f"{name}.{node.name}"
        for name, module in modules().items()
        if not name.startswith("pbem.engine")
        for node in ast.walk(module)
        if isinstance(node, ast.ClassDef) and any(option.arg == "frozen" for option in node.keywords)
    }

    assert frozen == set(HOLDS_WHAT_GROWS)
