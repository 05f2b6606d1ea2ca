"""What a process enqueued as the last thing it did: a command commits, says so, and ends."""

from __future__ import annotations

import subprocess
import sys

from tests.servers import PATIENCE

LAST_ACT = f"""
import threading
from pbem.jobs import queue

class Task:
    name = "deliver"

    def apply_async(self, *_, **__):
        threading.main_thread().join()
        import redis
        print("it left")

queue.AT_THE_END = {PATIENCE}
queue.enqueue(Task())
"""


def test_what_is_enqueued_last_leaves_before_the_process_ends() -> None:
    """Also where Redis's client is only then loaded; before, the message was lost with a trace on the terminal."""
    done = subprocess.run((sys.executable, "-c", LAST_ACT), check=True, capture_output=True, text=True)

    assert (done.stdout, done.stderr) == ("it left\n", "")
