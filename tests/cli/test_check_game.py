"""`pbem check-game` in this process: each reason for which it ends with 1. What it writes: `tests/kit`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner

from pbem import packages
from pbem.cli import kit
from pbem.kit import workshop

if TYPE_CHECKING:
    from pathlib import Path

    from click.testing import Result


@pytest.fixture(autouse=True)
def _nothing_left(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A game that keeps its contract and has nothing left to do; nothing is written into ours."""
    monkeypatch.setattr(packages, "folder", lambda _game: tmp_path)
    monkeypatch.setattr(workshop, "write_tables", lambda _rules, _folder: None)
    monkeypatch.setattr(workshop, "write_records", lambda _rules, _folder: [])
    monkeypatch.setattr(workshop, "write_words", lambda _rules, _folder: {"it": []})
    monkeypatch.setattr(kit, "_contract", lambda _game: True)


def _checked() -> Result:
    return CliRunner().invoke(kit.check_game, ["priestsofra"])


def test_a_whole_game_ends_with_nothing_wrong() -> None:
    """The last line says so, with 0."""
    done = _checked()
    assert (done.exit_code, done.output.splitlines()[-1]) == (0, "Priests of Ra keeps the whole contract.")


def test_without_what_the_contract_runs_on_nothing_is_begun(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Both are named with the command that brings them, before a file is written."""
    monkeypatch.setattr(kit, "find_spec", lambda _name: None)
    monkeypatch.setattr(workshop, "write_tables", lambda _rules, folder: (folder / "written").touch())

    refused = _checked()

    assert refused.exit_code == 2
    assert "needs pytest and hypothesis: python -m pip install 'pbem[contract]'" in refused.output
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("where", "name", "found", "said"),
    [
        (workshop, "write_records", ["pyramids"], "- no game of bots ended in 'pyramids': keep a record of one"),
        (workshop, "write_words", {"fr": ["Bid"]}, "fr.po: Bid"),
        (kit, "_contract", False, ""),
    ],
    ids=["an ending", "a sentence", "the contract"],
)
def test_what_is_left_ends_it_with_1(
    monkeypatch: pytest.MonkeyPatch, where: object, name: str, found: object, said: str
) -> None:
    """Each by itself, said on a line of its own; no word that all is kept."""
    monkeypatch.setattr(where, name, lambda *_: found)

    left = _checked()

    assert left.exit_code == 1
    assert said in left.output
    assert "keeps the whole contract" not in left.output
