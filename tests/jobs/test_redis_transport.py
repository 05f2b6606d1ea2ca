"""A channel to Redis whose connection was lost."""

from __future__ import annotations

import pytest
from celery import Celery

from pbem.jobs import redis_transport


def test_work_over_a_lost_connection_is_an_error_of_connections(redis_url: str) -> None:
    """What Celery bears (OSError), not what ends a worker (AttributeError), also after mending twice."""
    redis_transport.mend()
    redis_transport.mend()
    connection = Celery(broker=redis_url).connection()
    channel = connection.channel()
    assert redis_url.endswith(channel._connparams()["path"])

    connection.release()

    assert issubclass(ConnectionResetError, connection.connection_errors)
    with pytest.raises(ConnectionResetError, match="was lost"):
        channel._connparams()


def test_a_channel_keeps_one_client_as_long_as_its_connection_lasts(redis_url: str) -> None:
    """Every command goes by the same client, until the connection is lost and opened anew."""
    redis_transport.mend()
    with Celery(broker=redis_url).connection() as connection:
        channel = connection.channel()
        with channel.conn_or_acquire() as first, channel.conn_or_acquire() as second:
            assert first is second
            assert first.ping()

        channel._disconnect_pools()
        with channel.conn_or_acquire() as third:
            assert third is not first
            assert third.ping()
