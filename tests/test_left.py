"""The check of what tests leave behind sees what it is there to see."""

from __future__ import annotations

import sys
from types import ModuleType
from typing import TYPE_CHECKING

from tests.left import Watch

if TYPE_CHECKING:
    from pathlib import Path

    import pytest


def test_what_is_left_behind_is_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Another function in a module, an entry of a table, a setting, the folder: each is named, and its return too."""
    module = ModuleType("pbem.planted")
    vars(module).update(act=lambda: 1, TABLE={"one": 1}, seen=[])
    monkeypatch.setitem(sys.modules, "pbem.planted", module)
    watch = Watch()
    vars(module)["seen"].append("what is kept to be quick")
    vars(module)["TABLE"]["two"] = "what a module adds that is loaded later"
    assert watch.look() == []

    found = ["environment: MAIL_DOMAIN", "pbem.planted: TABLE", "pbem.planted: act", "process: folder"]
    with monkeypatch.context() as left:
        left.setattr(module, "act", lambda: 2)
        left.setitem(vars(module)["TABLE"], "one", 2)
        left.setenv("MAIL_DOMAIN", "left.example")
        left.chdir(tmp_path)
        assert watch.look() == found
        assert watch.look() == []

    assert watch.look() == found
