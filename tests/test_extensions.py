"""What the program's extensions hand out besides the database's sessions."""

from __future__ import annotations

from contextlib import closing
from typing import TYPE_CHECKING

import msgspec

from pbem.extensions import redis_client

if TYPE_CHECKING:
    from pbem.config import Config
    from tests import servers


def test_a_client_reaches_redis_and_waits_no_longer_than_told(settings: Config, redis_server: servers.Redis) -> None:
    """By a socket in Celery's spelling, which the client's own library doesn't know."""
    with closing(redis_client(msgspec.structs.replace(settings, redis_url=redis_server.url), 2.5)) as client:
        assert client.ping()
        told = client.connection_pool.connection_kwargs

    assert redis_server.url.startswith("redis+socket://")
    assert (told["socket_timeout"], told["socket_connect_timeout"]) == (2.5, 2.5)
