"""What a process enqueued as the last thing it did, and a broker that isn't there."""

from __future__ import annotations

import subprocess
import sys
import threading
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest

from pbem.jobs import queue as queues
from pbem.jobs import tasks
from pbem.jobs.queue import TaskQueue
from tests.conftest import make_app, settings_in
from tests.servers import PATIENCE, free_port

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

LAST_ACT = f"""
import threading
from types import SimpleNamespace
from pbem.jobs import queue

def send(*_, **__):
    threading.main_thread().join()
    import redis
    print("it left")

queue.current_app = SimpleNamespace(send_task=send)
queue.AT_THE_END = {PATIENCE}
queue.enqueue("deliver")
"""


def test_what_is_enqueued_last_leaves_before_the_process_ends() -> None:
    """Also where Redis's client is only then loaded; before, the message was lost with a trace on the terminal."""
    done = subprocess.run((sys.executable, "-c", LAST_ACT), check=True, capture_output=True, text=True)

    assert (done.stdout, done.stderr) == ("it left\n", "")


def test_a_broker_that_is_gone_is_asked_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Nobody waits between tries, at a port or a socket; it is said in the log, and then left alone for a while."""
    for address in (f"redis://127.0.0.1:{free_port()}/0", f"redis+socket://{tmp_path}/nobody"):
        app = make_app(settings_in(tmp_path, REDIS_URL=address))
        monkeypatch.setattr("kombu.utils.functional.sleep", pytest.fail)
        caplog.clear()
        with app.app_context():
            queue = TaskQueue()
            queue.publish(tasks.deliver.name)
            queue.publish(tasks.deliver.name)
        assert caplog.text.count("the broker does not answer") == 1


def test_the_end_waits_for_what_is_just_leaving(monkeypatch: pytest.MonkeyPatch) -> None:
    """A process may end once nothing waits and nothing is being handed over; the thread that does it ends with it."""
    queue, waited, left = TaskQueue(), threading.Event(), list[str]()

    def leave(*_: Any, **__: Any) -> None:
        assert waited.wait(PATIENCE)
        left.append("it left")

    def wait_for(is_over: Callable[[], bool], timeout: float) -> None:
        assert not is_over()
        waited.set()
        assert until_over(is_over, timeout=timeout)

    until_over = queue._changed.wait_for
    monkeypatch.setattr(queue._changed, "wait_for", wait_for)
    monkeypatch.setattr(queues, "AT_THE_END", PATIENCE)
    monkeypatch.setattr(queues, "current_app", SimpleNamespace(send_task=leave))
    queue.enqueue("deliver")
    queue.finish()

    assert left == ["it left"]
    assert queue._thread is not None
    assert queue._thread.daemon


def test_a_forked_child_begins_with_nothing() -> None:
    """Its parent publishes what it enqueued; the child has none of its threads."""
    queue = TaskQueue()
    queue._leaving, queue._left, queue._thread = True, {"remind": 1.0}, threading.main_thread()
    queue._waiting["deliver"] = 1.0
    queue.forget()

    assert [vars(queue)[name] for name in ("_thread", "_waiting", "_left", "_leaving")] == [None, {}, {}, False]
    queue.finish()
