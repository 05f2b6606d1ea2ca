"""The check of what tests leave behind sees what it is there to see."""

from __future__ import annotations

import logging
import signal
import sys
from types import ModuleType
from typing import TYPE_CHECKING

from pbem import logs
from tests.left import Watch

if TYPE_CHECKING:
    from pathlib import Path

    import pytest


def test_what_is_left_behind_is_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Another function, an entry of a table, a setting, the folder, a signal, the level of logging: each is named.

    Its return too.
    """
    module = ModuleType("pbem.planted")
    vars(module).update(act=lambda: 1, TABLE={"one": 1}, seen=[])
    monkeypatch.setitem(sys.modules, "pbem.planted", module)
    logs.configure(json=True)
    watch = Watch()
    vars(module)["seen"].append("what is kept to be quick")
    vars(module)["TABLE"]["two"] = "what a module adds that is loaded later"
    assert watch.look() == []

    found = ["environment: MAIL_DOMAIN", "logging: level", "pbem.planted: TABLE", "pbem.planted: act"]
    found += ["process: folder", "process: handler of SIGHUP"]
    with monkeypatch.context() as left:
        left.setattr(module, "act", lambda: 2)
        left.setitem(vars(module)["TABLE"], "one", 2)
        left.setenv("MAIL_DOMAIN", "left.example")
        left.chdir(tmp_path)
        # Not to ignore it, which is how it is already under nohup.
        level, handler = logging.root.level, signal.signal(signal.SIGHUP, lambda *_: None)
        logging.root.setLevel(level + 1)
        assert watch.look() == found
        assert watch.look() == []
        logging.root.setLevel(level)
        signal.signal(signal.SIGHUP, handler)

    assert watch.look() == found
