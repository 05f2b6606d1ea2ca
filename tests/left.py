"""What a module of tests leaves behind in its process: the next one must find everything as this one did.

A test that puts another function into a module, or changes a table of the program's, fails others on another day: in
the order in which they happen to share a process.
"""

from __future__ import annotations

import logging
import os
import signal
import socket
import sys
from operator import is_
from types import FunctionType
from typing import Any

from pbem import logs
from pbem.config import Config

SETTINGS = {field.upper() for field in Config.__struct_fields__}
OURS = "pbem"
"""With what our modules begin, and, in capitals, what only we ask the environment for."""
HEEDED = {signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGALRM}
"""Signals that programs of ours take."""
OTHERS = {"TRANSPORT_ALIASES"}
"""Tables of a library's, which the first worker of a process changes for good."""
State = dict[str, dict[str, Any]]
_looked: dict[str, tuple[dict[str, Any], dict[str, Any], tuple[str, ...]]] = {}
"""By module, what its names stood for at the last look, what of them must stay, and which are tables."""


def state() -> State:
    """What the process is set to, by place and name: its settings, where it is, and what the program's modules hold.

    Not what is kept to be quick: a memo may grow.
    """
    process: dict[str, Any] = {"folder": os.getcwd()}  # noqa: PTH109 - a text to compare
    process["patience of sockets"] = socket.getdefaulttimeout()
    process["levels of logging that are off"] = logging.root.manager.disable
    process |= {f"handler of {one.name}": signal.getsignal(one) for one in HEEDED}
    found: State = {"process": process}
    if any(handler.name == logs._HANDLER for handler in logging.root.handlers):  # else the next app will set the level
        found["logging"] = {"level": logging.root.level}
    ours = (name for name in os.environ if name in SETTINGS or name.startswith(OURS.upper()))
    found["environment"] = {name: os.environ[name] for name in ours}
    for room, module in list(sys.modules.items()):
        if room.startswith(f"{OURS}."):
            found[room] = _fixed(room, vars(module).copy())
    return found


def _fixed(room: str, names: dict[str, Any]) -> dict[str, Any]:
    """What of a module's names must stay as it is: functions and classes themselves, of tables in capitals their rows.

    Asked of every module after each module of tests: where each name stands for what it did, only of its tables.
    """
    before, found, tables = _looked.get(room, ({}, {}, ()))
    if list(names) == list(before) and all(map(is_, names.values(), before.values())):
        if all(names[name] == found[name] for name in tables):
            return found
    else:
        tables = tuple(name for name, one in names.items() if _is_table(name, one))
    found = {name: one for name, one in names.items() if isinstance(one, (FunctionType, type))}
    found |= {name: names[name].copy() for name in tables}
    _looked[room] = names, found, tables
    return found


def _is_table(name: str, one: object) -> bool:
    return isinstance(one, (dict, list, set)) and name.isupper() and name not in OTHERS


def changed(before: State, after: State) -> list[str]:
    """What is no longer as it was, by place and name; modules loaded in between are new, and may add to tables."""
    found = []
    for room in {*before, "environment"}:
        then, now = before.get(room, {}), after.get(room, {})
        if then != now:
            names = (name for name in then.keys() | now.keys() if not _is_same(then.get(name), now.get(name)))
            found += [f"{room}: {name}" for name in names]
    return sorted(found)


def _is_same(before: object, after: object) -> bool:
    if isinstance(before, dict) and isinstance(after, dict):
        return before.items() <= after.items()
    if isinstance(before, list) and isinstance(after, list):
        return before == after[: len(before)]
    if isinstance(before, set) and isinstance(after, set):
        return before <= after
    return before is after or before == after


class Watch:
    """What one process was like at the last look."""

    def __init__(self) -> None:
        """Look for the first time."""
        self._before = state()

    def look(self) -> list[str]:
        """What has changed since the last look."""
        before, self._before = self._before, state()
        return changed(before, self._before)
