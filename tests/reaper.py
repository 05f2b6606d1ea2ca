"""Ends the servers and removes the folders of a test process that was broken off, by Ctrl-C, a kill or a crash.

Each test process starts one beside it (`tests.servers`) and tells it of every folder that its servers get and every
process it starts (`+FOLDER`, `+NUMBER`), and what is gone again (`-FOLDER`, `-NUMBER`). Where nothing more can be said,
that process is no more: what then stays is ended here.
"""

from __future__ import annotations

import os
import shutil
import signal
import sys
from contextlib import suppress
from pathlib import Path
from threading import Event

_PATIENCE = 10.0
"""Seconds in which a process may end by itself."""


def users(held: str) -> list[int]:
    """The process of that number, or those that were started with that folder in their words or their environment."""
    if held.isdigit():
        return [int(held)] if Path("/proc", held).exists() else []
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            said = (process / "cmdline").read_bytes() + b"\0" + (process / "environ").read_bytes()
            if held.encode() in said and int(process.name) != os.getpid():
                found.append(int(process.name))
    return found


def all_users(held: set[str]) -> set[int]:
    """The processes of all that is held."""
    return {process for one in held for process in users(one)}


def end(held: set[str]) -> None:
    """Ask the processes to end, at last by force, and remove the folders."""
    for process in all_users(held):
        with suppress(ProcessLookupError):
            os.kill(process, signal.SIGINT)  # PostgreSQL lets go of its memory, and waits for nobody
    pause = Event()
    for _ in range(int(_PATIENCE / 0.1)):
        if not all_users(held):
            break
        pause.wait(0.1)
    for process in all_users(held):
        with suppress(ProcessLookupError):
            os.kill(process, signal.SIGKILL)
    for folder in held:
        if not folder.isdigit():
            shutil.rmtree(folder, ignore_errors=True)


def main() -> None:
    """Listen until nothing more can be said."""
    held: set[str] = set()
    for line in sys.stdin:
        (held.add if line[0] == "+" else held.discard)(line[1:].rstrip("\n"))
    end(held)


if __name__ == "__main__":
    main()
