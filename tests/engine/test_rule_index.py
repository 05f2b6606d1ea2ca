"""The rule index: ids cited in code exist in RULES.md; every id there is cited by code and named by a test."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

from pbem.engine.registry import GAMES

ROOT = Path(__file__).parents[2]
PREFIX = {"amunre": "AR", "priestsofra": "PR", "egizia": "EG"}
each_game = pytest.mark.parametrize("game", GAMES)


def ids_in(text: str, game: str) -> set[str]:
    """Every rule id that `text` names: AR-5, AR-5.10."""
    return set(re.findall(rf"\b{PREFIX[game]}-\d+(?:\.\d+)?(?![.\d]*\d)", text))


def rules_text(game: str) -> str:
    """The game's RULES.md."""
    return (ROOT / "pbem/engine" / game / "RULES.md").read_text("utf-8")


def leaves(ids: set[str]) -> set[str]:
    """Ids of single rules: chapters that are divided count by their parts."""
    chapters = {one.partition(".")[0] for one in ids if "." in one}
    return ids - chapters


def examples(game: str) -> set[str]:
    """Ids of worked examples, which prove rules but are none."""
    found: set[str] = set()
    for section in re.split(r"^## ", rules_text(game), flags=re.MULTILINE):
        if "example" in section.partition("\n")[0].casefold():
            chapter = next(iter(sorted(ids_in(section.partition("\n")[0], game))), None)
            found |= {one for one in ids_in(section, game) if chapter and one.partition(".")[0] == chapter}
    return found


def code(game: str) -> str:
    """All code of the game, and its tables."""
    folder = ROOT / "pbem/engine" / game
    return "\n".join(path.read_text("utf-8") for path in sorted((*folder.glob("*.py"), *folder.glob("*.toml"))))


def named_by_tests(game: str) -> set[str]:
    """The ids named by test functions: test_ar_5_10_... names AR-5.10."""
    named: set[str] = set()
    prefix = PREFIX[game].casefold()
    for path in sorted((ROOT / "tests/engine" / game).glob("**/test_*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.FunctionDef) and (found := re.match(rf"test_{prefix}_(\d+)(?:_(\d+))?", node.name)):
                chapter, rule = found.groups()
                named |= {f"{PREFIX[game]}-{chapter}", f"{PREFIX[game]}-{chapter}.{rule or 0}"}
    return named


@each_game
def test_every_id_cited_in_code_is_a_rule(game: str) -> None:
    """No docstring, fault or event names a rule that RULES.md doesn't have."""
    assert ids_in(code(game), game) - ids_in(rules_text(game), game) == set()


@each_game
def test_every_rule_is_cited_by_code(game: str) -> None:
    """No rule of RULES.md is without a place in the code that says it carries it out."""
    assert leaves(ids_in(rules_text(game), game)) - examples(game) - ids_in(code(game), game) == set()


@each_game
def test_every_rule_is_named_by_a_test(game: str) -> None:
    """No rule of RULES.md, worked examples included, is without a test that bears its number."""
    assert leaves(ids_in(rules_text(game), game)) - named_by_tests(game) == set()
