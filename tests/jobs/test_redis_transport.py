"""A channel to Redis whose connection was lost, or whose Redis hung."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Any

import pytest
import redis
from celery import Celery
from kombu import Queue

from pbem.jobs import redis_transport
from tests.servers import until

if TYPE_CHECKING:
    from collections.abc import Callable

    from flask import Flask


@pytest.fixture(autouse=True)
def _named(app: Flask) -> None:
    """An app was made: kombu has been told which transport to take."""


def test_work_over_a_lost_connection_is_an_error_of_connections(redis_url: str) -> None:
    """What Celery bears (OSError), not what ends a worker (AttributeError)."""
    connection = Celery(broker=redis_url).connection()
    channel = connection.channel()
    assert isinstance(channel, redis_transport.Channel)
    assert redis_url.endswith(channel._connparams()["path"])

    connection.release()

    assert issubclass(ConnectionResetError, connection.connection_errors)
    with pytest.raises(ConnectionResetError, match="was lost"):
        channel._connparams()


def test_a_channel_keeps_one_client_as_long_as_its_connection_lasts(redis_url: str) -> None:
    """Every command goes by the same client, until the connection is lost and opened anew."""
    with Celery(broker=redis_url).connection() as connection:
        channel = connection.channel()
        with channel.conn_or_acquire() as first, channel.conn_or_acquire() as second:
            assert first is second
            assert first.ping()

        channel._disconnect_pools()
        with channel.conn_or_acquire() as third:
            assert third is not first
            assert third.ping()


@pytest.mark.parametrize("end", [lambda message: message.ack(), lambda message: message.reject()])
def test_a_message_that_redis_was_not_told_is_done_takes_no_place(redis_url: str, end: Callable[[Any], None]) -> None:
    """A worker with one place takes the next message once Redis answers again, over the same connection."""
    hasty = Celery(broker=redis_url, broker_transport_options={"socket_timeout": 0.1, "retry_on_timeout": False})
    with hasty.connection() as connection:
        queue = Queue("places", channel=connection.default_channel)
        queue.declare()
        taken: list[Any] = []
        producer = connection.Producer()
        for number in range(2):
            producer.publish(number, routing_key="places")
        with connection.Consumer(queue, callbacks=[lambda _, message: taken.append(message)], prefetch_count=1):
            connection.drain_events(timeout=10)
            with redis.Redis(unix_socket_path=redis_url.removeprefix("redis+socket://")) as client:
                client.client_pause(500, all=True)
            with pytest.raises(connection.connection_errors):
                end(taken[0])

            until(lambda: len(_drained(connection, taken)) == 2, "the next message was taken")


def _drained(connection: Any, taken: list[Any]) -> list[Any]:
    """What was taken once the events that came within a moment are through; Redis may still hang."""
    with suppress(*connection.connection_errors):
        connection.drain_events(timeout=0.05)
    return taken
