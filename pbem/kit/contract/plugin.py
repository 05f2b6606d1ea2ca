"""The pytest plugin: which games the contract is about, and which of its demands each of them has to meet."""

from __future__ import annotations

import gc
from collections.abc import Mapping

import pytest

from pbem import packages
from pbem.engine.core.types import AnyRules
from pbem.engine.registry import GAMES, rules_of
from pbem.kit.contract import MARK

_ROOM = "pbem.kit.contract."


def pytest_addoption(parser: pytest.Parser) -> None:
    """Take the games to test, and where their records lie."""
    parser.addoption("--game", action="append", default=[], help="A game the contract is about; all installed ones.")
    parser.addini("pbem_records", "Where records lie in a checkout, with {game}; else in records/ beside the rules.")


def pytest_configure(config: pytest.Config) -> None:
    """Make the contract's mark known; garbage, looked for as often as by itself, takes a tenth of a run."""
    gc.set_threshold(20_000, 10, 20)
    config.addinivalue_line("markers", f"{MARK}(trait): what games with a trait, or without it, must do")


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Give each demand every game in turn."""
    if "game" in metafunc.fixturenames and metafunc.module.__name__.startswith(_ROOM):
        metafunc.parametrize("game", metafunc.config.getoption("--game") or GAMES)


@pytest.fixture
def rules(game: str) -> AnyRules:
    """The rules of the game in turn."""
    return rules_of(game)


def exceptions_of(game: str) -> Mapping[str, str]:
    """The demands that a game doesn't meet, each with its reason; `test_name[kind]` is about one kind of decision."""
    found: Mapping[str, str] = getattr(packages.load(packages.RULES, game), "EXCEPTIONS", {})
    return found


def _asked_of(item: pytest.Item) -> bool:
    """Return whether the game of a test has to meet its demand."""
    if not isinstance(item, pytest.Function) or not item.module.__name__.startswith(_ROOM):
        return True
    game = str(item.callspec.params["game"])
    traits = rules_of(game).meta.traits
    wanted = [mark.args[0] for mark in item.iter_markers(MARK)]
    meets = all(getattr(traits, one.removeprefix("no ")) != one.startswith("no ") for one in wanted)
    return meets and getattr(item, "originalname", "") not in exceptions_of(game)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out what a game need not meet."""
    left = [item for item in items if not _asked_of(item)]
    if left:
        config.hook.pytest_deselected(items=left)
        items[:] = [item for item in items if item not in left]


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    """Name the exceptions with their reasons, where one game is tested."""
    for game in config.getoption("--game"):
        for name, reason in exceptions_of(game).items():
            terminalreporter.write_line(f"{game} is excepted from {name}: {reason}")
