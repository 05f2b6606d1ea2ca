"""Every refusal that the program words for a person is provoked by a test: none is dead, none is worded unseen."""

from __future__ import annotations

import ast
import re
from itertools import chain
from typing import TYPE_CHECKING

import click

from pbem.config import ConfigError
from pbem.engine.core.errors import EngineError
from pbem.errors import PlayError
from pbem.mail.incoming import Unreadable
from tests.test_house import MODULES, tree

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

LEAST = 12
"""Characters of a sentence that only this refusal has."""
ELSEWHERE = {"engine", "kit", "bots", "pictures"}
"""Rooms whose refusals are of orders (`tests/play/orders/test_refusals.py`), or of who makes a game."""
KINDS = (PlayError, EngineError, ConfigError, Unreadable, click.ClickException)
NOT_PROVOKED = {
    "No letter came for": "the demo's own server stands still",
    "No page came for": "the demo's own server stands still",
    "the contract needs": "pytest or Hypothesis is not installed, which runs the tests",
    "The relay did not take it": "a relay of the tests takes all it is given",
}
"""How refusals begin that no test can provoke, and why."""


def kinds(*of: type[Exception]) -> set[str]:
    """The names of these errors and of all made from them."""
    return {one.__name__ for one in of} | set(chain.from_iterable(kinds(*one.__subclasses__()) for one in of))


def texts(node: ast.AST) -> list[str]:
    """The literal texts within a piece of a program, holes left out, that are long enough to know a sentence by."""
    found = [one.value for one in ast.walk(node) if isinstance(one, ast.Constant) and isinstance(one.value, str)]
    return [part for text in found for part in re.split(r"\{[\w!]*\}", text) if len(part) >= LEAST]


def programs() -> list[Path]:
    """Every module that refuses what a person wants."""
    return [path for path in MODULES if path.parts[0] == "pbem" and not ELSEWHERE & set(path.parts)]


def refusals() -> Iterator[list[str]]:
    """The literal texts of each refusal, also of one whose sentence the module names first."""
    names = kinds(*KINDS)
    for path in programs():
        module = tree(path)
        assigned = [one for one in module.body if isinstance(one, ast.Assign)]
        named = {one.targets[0].id: one.value for one in assigned if isinstance(one.targets[0], ast.Name)}
        for node in ast.walk(module):
            if isinstance(node, ast.Raise) and isinstance(node.exc, ast.Call):
                first = next(iter(node.exc.args), None)
                said = named.get(first.id) if isinstance(first, ast.Name) else node.exc
                if said and ast.unparse(node.exc.func).rpartition(".")[2] in names:
                    yield texts(said)


def test_every_refusal_is_named_by_a_test() -> None:
    """Part of its sentence stands in one, or it is named above with its reason."""
    asked = set(chain.from_iterable(texts(tree(path)) for path in MODULES if path.parts[0] == "tests"))
    found = list(filter(None, refusals()))
    missing = [said for said in found if not any(text in one or one in text for text in asked for one in said)]

    assert [said for said in missing if not any(one.startswith(tuple(NOT_PROVOKED)) for one in said)] == []
    assert all(any(one.startswith(begun) for said in found for one in said) for begun in NOT_PROVOKED)
    assert len(found) > len(NOT_PROVOKED) + 150
