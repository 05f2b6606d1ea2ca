"""The contract's plugin, in this process: which demands are made of which games, and what an exception says."""

from __future__ import annotations

import gc
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import msgspec
import pytest

from pbem import packages
from pbem.engine.registry import GAMES, rules_of
from pbem.kit import contract
from pbem.kit.contract import plugin

if TYPE_CHECKING:
    from collections.abc import Callable

    from pbem.engine.core.types import AnyRules

    Collect = Callable[..., list[pytest.Function]]

EXCEPTED = "test_what_is_told_in_private_only_is_declared_hidden"


@pytest.fixture
def collect(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Collect:
    """A function that finds the demands about secrecy, of the games named or of all."""

    def demands(*games: str) -> list[pytest.Function]:
        monkeypatch.setattr(request.config.option, "game", list(games))
        home = Path(contract.__file__).with_name("test_secrecy.py")
        found = pytest.Module.from_parent(request.session, path=home).collect()
        return [one for one in found if isinstance(one, pytest.Function)]

    return demands


def left(items: list[pytest.Function], config: pytest.Config) -> tuple[list[Any], list[Any]]:
    """Which of these are run, and which are told of as left out."""
    out: list[Any] = []

    def deselected(items: list[pytest.Item]) -> None:
        out.extend(items)

    hook = SimpleNamespace(pytest_deselected=deselected)
    run: list[Any] = list(items)
    plugin.pytest_collection_modifyitems(SimpleNamespace(hook=hook, getoption=config.getoption), run)  # type: ignore[arg-type]  # as much as is asked of it
    return run, out


def games_of(items: list[pytest.Function]) -> list[str]:
    """Whose turn it is, in order, each once."""
    return list(dict.fromkeys(str(one.callspec.params["game"]) for one in items))


def test_games_and_the_place_of_records_can_be_named() -> None:
    """As many games as wished, none of which is needed; records by a line of the settings."""
    parser = pytest.Parser(_ispytest=True)
    plugin.pytest_addoption(parser)

    assert parser.parse([]).game == []
    assert parser.parse(["--game", "one", "--game", "two"]).game == ["one", "two"]
    assert set(parser._inidict) == {"pbem_records"}


def test_the_mark_is_known_and_garbage_looked_for_seldom() -> None:
    """A mark that pytest doesn't know is an error where warnings are."""
    said, before = list[tuple[str, str]](), gc.get_threshold()
    gc.set_threshold(700, 10, 10)
    try:
        plugin.pytest_configure(SimpleNamespace(addinivalue_line=lambda *line: said.append(line)))  # type: ignore[arg-type]  # as much as is asked of it
        seldom = gc.get_threshold()
    finally:
        gc.set_threshold(*before)

    assert [(kind, line.partition("(")[0]) for kind, line in said] == [("markers", contract.MARK)]
    assert seldom > (700, 10, 10)


@pytest.mark.parametrize("game", GAMES)
def test_a_demand_gets_the_rules_of_the_game_in_turn(rules: AnyRules, game: str) -> None:
    """It asks for them by that name."""
    assert rules is rules_of(game)


def test_each_demand_is_made_of_every_game_or_of_those_named(collect: Collect) -> None:
    """As often as there are games."""
    every, one = collect(), collect("egizia")

    assert sorted(games_of(every)) == sorted(GAMES)
    assert games_of(one) == ["egizia"]
    assert len(every) == len(GAMES) * len(one)


@pytest.mark.parametrize("hidden", [True, False])
def test_a_demand_is_made_of_games_with_its_trait(
    collect: Collect,
    monkeypatch: pytest.MonkeyPatch,
    pytestconfig: pytest.Config,
    hidden: bool,  # noqa: FBT001 - a table
) -> None:
    """And one of games without it of those alone; what is left out is told, and nothing else is touched."""
    traits = msgspec.structs.replace(rules_of("egizia").meta.traits, hidden=hidden)
    monkeypatch.setattr(plugin, "rules_of", lambda _: SimpleNamespace(meta=SimpleNamespace(traits=traits)))
    items = collect("egizia")
    items[0].add_marker(pytest.mark.demand("no hidden"))
    wanted = {one: [mark.args[0] for mark in one.iter_markers(contract.MARK)] for one in items}

    run, out = left(items, pytestconfig)

    assert {tuple(words) for words in wanted.values()} == {(), ("hidden",), ("no hidden",)}
    assert out == [one for one in items if wanted[one] == (["no hidden"] if hidden else ["hidden"])]
    assert run == [one for one in items if one not in out]


def test_an_exception_is_left_out_and_named_with_its_reason(
    collect: Collect, monkeypatch: pytest.MonkeyPatch, pytestconfig: pytest.Config
) -> None:
    """Where its game is asked about; a test that is none of the contract's is nobody's exception."""
    reasons = {EXCEPTED: "nothing is told"}
    monkeypatch.setattr(packages.load(packages.RULES, "egizia"), "EXCEPTIONS", reasons, raising=False)
    items, said = collect("amunre", "egizia"), list[str]()
    told = SimpleNamespace(write_line=said.append)

    run, out = left(items, pytestconfig)
    plugin.pytest_terminal_summary(told, pytestconfig)  # type: ignore[arg-type]  # as above

    assert [(one.originalname, games_of([one])) for one in out] == [(EXCEPTED, ["egizia"])]
    assert len(run) == len(items) - 1
    assert said == [f"egizia is excepted from {EXCEPTED}: nothing is told"]


@pytest.mark.parametrize("game", ["nobody's"])
def test_a_test_elsewhere_is_nobodys_demand(request: pytest.FixtureRequest, game: str) -> None:
    """It may have a parameter of that name."""
    assert game not in GAMES
    assert plugin._asked_of(request.node)
