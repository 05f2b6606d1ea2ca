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
from types import FunctionType
from typing import TYPE_CHECKING, Any

from pbem import logs
from pbem.config import Config

if TYPE_CHECKING:
    from collections.abc import Iterator

SETTINGS = {field.upper() for field in Config.__struct_fields__}
OURS = "pbem"
"""With what our modules begin, and, in capitals, what only we ask the environment for."""
HEEDED = {signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGALRM}
"""Signals that programs of ours take."""
OTHERS = {"TRANSPORT_ALIASES"}
"""Tables of a library's, which the first worker of a process changes for good."""
State = dict[tuple[str, str], Any]


def state() -> State:
    """What the process is set to, by place and name: its settings, where it is, and what the program's modules hold.

    Not what is kept to be quick: a memo may grow.
    """
    found: State = {("process", "folder"): os.getcwd()}  # noqa: PTH109 - a text to compare
    found["process", "patience of sockets"] = socket.getdefaulttimeout()
    found["process", "levels of logging that are off"] = logging.root.manager.disable
    found |= {("process", f"handler of {one.name}"): signal.getsignal(one) for one in HEEDED}
    if any(handler.name == logs._HANDLER for handler in logging.root.handlers):  # else the next app will set the level
        found["logging", "level"] = logging.root.level
    for name, text in os.environ.items():
        if name in SETTINGS or name.startswith(OURS.upper()):
            found["environment", name] = text
    for room, module in list(sys.modules.items()):
        if room.startswith(f"{OURS}."):
            found |= {(room, name): what for name, one in list(vars(module).items()) for what in _fixed(name, one)}
    return found


def _fixed(name: str, value: object) -> Iterator[object]:
    """What of a module's name must stay as it is: a function or class itself, of a table in capitals what it holds."""
    if isinstance(value, (FunctionType, type)):
        yield value
    elif name.isupper() and name not in OTHERS and isinstance(value, (dict, list, set)):
        yield value.copy()


def changed(before: State, after: State) -> list[str]:
    """What is no longer as it was, by place and name; modules loaded in between are new, and may add to tables."""
    if before == after:
        return []
    rooms = {room for room, _ in before} | {"environment"}
    return sorted(
        f"{room}: {name}"
        for room, name in before.keys() | after.keys()
        if room in rooms and not _is_same(before.get((room, name)), after.get((room, name)))
    )


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
