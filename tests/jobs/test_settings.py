"""How Celery is set: each setting that a turn rests on, with what would be lost otherwise."""

from __future__ import annotations

import inspect
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest
from kombu.transport import redis

from pbem.jobs import celery_app, embedded, redis_transport
from tests.conftest import settings_in

if TYPE_CHECKING:
    from pathlib import Path

    from flask import Flask

SETTINGS: dict[str, tuple[object, str]] = {
    "broker_connection_retry_on_startup": (True, "a worker that is started before Redis is would end"),
    "broker_connection_max_retries": (None, "a worker would give up a Redis that is away for the night"),
    "broker_channel_error_retry": (True, "a Redis that is full would end a worker"),
    "task_ignore_result": (True, "Redis would keep what no one asks for"),
    "task_acks_late": (True, "a worker that is killed would take its message along"),
    "task_reject_on_worker_lost": (True, "the same, where its child is killed"),
    "task_publish_retry": (False, "who enqueues would wait for a Redis that is away"),
    "worker_prefetch_multiplier": (1, "a worker would keep messages that another has hands for"),
    "worker_cancel_long_running_tasks_on_connection_loss": (False, "a ply would be broken off because Redis went"),
    "timezone": ("UTC", "the weekly letter would move with the machine's zone"),
    "beat_scheduler": ("pbem.jobs.beat:KeptScheduler", "a clock that is set back would end the sweeps"),
}
"""Of every server."""
BY_SERVER = {"broker_url", "task_queues", "task_default_queue", "task_routes", "beat_schedule"}
"""Walked by `test_tasks` and `test_beat`."""
WITH_REDIS: dict[str, tuple[object, str]] = {
    "socket_timeout": (1.0, "who enqueues would wait for a Redis that hangs"),
    "socket_connect_timeout": (1.0, "the same, where it is connected to"),
    "retry_on_timeout": (False, "the same once more"),
    "max_retries": (0, "the same, by kombu's own count"),
    "visibility_timeout": (5 * celery_app.LONGEST, "a message would come back while its task is at work, or too late"),
}


@pytest.mark.parametrize("broker", ["", "redis://127.0.0.1:6379/0"])
def test_each_setting_is_what_turns_rest_on(tmp_path: Path, broker: str) -> None:
    """Of one process, and of several that have a Redis between them; a new one is named with its reason."""
    found = celery_app._celery_settings(settings_in(tmp_path, REDIS_URL=broker))
    limit, options = found.pop("task_time_limit"), found.pop("broker_transport_options")
    told = {name: value for name, (value, _) in SETTINGS.items()}

    assert {name: value for name, value in found.items() if name not in BY_SERVER} == told
    assert limit == (celery_app.LONGEST if broker else None)  # a thread can't be killed
    assert options == (
        {name: value for name, (value, _) in WITH_REDIS.items()} if broker else {"polling_interval": 0.02}
    )


def test_the_threads_of_one_process_hold_up_no_end(app: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its worker has hands enough for a slow relay, and nobody else to talk to."""
    given: dict[str, Any] = {}

    def worker(**named: Any) -> SimpleNamespace:
        given.update(named)
        return SimpleNamespace(start=None)

    monkeypatch.setattr(app.extensions["celery"], "WorkController", worker)
    threads = embedded.Embedded(app)._threads

    assert {"pool": "threads", "concurrency": embedded.HANDS, "without_gossip": True}.items() <= given.items()
    assert given["without_heartbeat"]
    assert [(thread.name, thread.daemon) for thread in threads] == [("worker", True), ("beat", True)]


@pytest.mark.parametrize("kind", [redis_transport.QoS, redis_transport.Channel])
def test_what_kombu_calls_takes_what_kombus_own_takes(kind: type) -> None:
    """Each method in place of one of kombu's has its parameters, and presumes what it presumes."""
    above = kind.__mro__[1]
    assert above.__module__ == redis.__name__
    own = [name for name, one in vars(kind).items() if inspect.isfunction(one)]
    for name in own:
        ours, theirs = (inspect.signature(getattr(one, name)).parameters for one in (kind, above))
        assert [(one.name, one.default) for one in ours.values()] == [
            (one.name, one.default) for one in theirs.values()
        ], name
    assert own
