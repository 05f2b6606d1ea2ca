from __future__ import annotations

from pathlib import Path

import pytest

from pbem import packages
from pbem.engine import egizia
from pbem.packages import BOTS, PICTURES, RULES


def test_games_are_found_by_their_entry_points() -> None:
    """In alphabetical order; a game that offers nothing in a group has no module there."""
    assert list(packages.modules(RULES)) == sorted(packages.modules(RULES))
    assert packages.modules(RULES)["egizia"] == "pbem.engine.egizia"
    assert packages.load(RULES, "egizia") is egizia
    assert [packages.load(group, "chess") for group in (RULES, PICTURES, BOTS)] == [None] * 3


def test_files_stand_beside_the_rules() -> None:
    """One that isn't there is empty."""
    home = packages.folder("egizia")

    assert home == Path(egizia.__path__[0])
    assert packages.text("egizia", "RULES.md") == (home / "RULES.md").read_text("utf-8") != ""
    assert packages.text("egizia", "NOTHING.md") == ""


@pytest.mark.parametrize("module", ["json.decoder", "nobodys_game"])
def test_a_game_that_is_no_package_is_named(monkeypatch: pytest.MonkeyPatch, module: str) -> None:
    """A single file has no folder for what stands beside it; one that isn't there has none either."""
    monkeypatch.setattr(packages, "modules", lambda _group: {"lone": module})
    with pytest.raises(ImportError, match=f"The game lone should be a package, .*; {module} is none"):
        packages.folder("lone")
    with pytest.raises(KeyError):
        packages.folder("chess")
