"""A channel to Redis whose connection was lost."""

from __future__ import annotations

import pytest
from celery import Celery

from pbem import broker


def test_work_over_a_lost_connection_is_an_error_of_connections(redis_url: str) -> None:
    """What Celery bears (OSError), not what ends a worker (AttributeError), also after mending twice."""
    broker.mend()
    broker.mend()
    connection = Celery(broker=redis_url).connection()
    channel = connection.channel()
    assert redis_url.endswith(channel._connparams()["path"])

    connection.release()

    assert issubclass(ConnectionResetError, connection.connection_errors)
    with pytest.raises(ConnectionResetError, match="was lost"):
        channel._connparams()
