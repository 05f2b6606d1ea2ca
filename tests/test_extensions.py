"""What the program's extensions hand out besides the database's sessions."""

from __future__ import annotations

from contextlib import closing
from typing import TYPE_CHECKING

import msgspec
from sqlalchemy import create_engine

from pbem.extensions import BUSY_MS, redis_client

if TYPE_CHECKING:
    from pathlib import Path

    from pbem.config import Config
    from tests import servers


def test_a_client_reaches_redis_and_waits_no_longer_than_told(settings: Config, redis_server: servers.Redis) -> None:
    """By a socket in Celery's spelling, which the client's own library doesn't know."""
    with closing(redis_client(msgspec.structs.replace(settings, redis_url=redis_server.url), 2.5)) as client:
        assert client.ping()
        told = client.connection_pool.connection_kwargs

    assert redis_server.url.startswith("redis+socket://")
    assert (told["socket_timeout"], told["socket_connect_timeout"]) == (2.5, 2.5)


def test_a_new_file_of_sqlite_is_set_as_the_club_relies_on(tmp_path: Path) -> None:
    """From its first connection on: readers beside a writer, what is committed kept, nothing that points nowhere."""
    engine = create_engine(f"sqlite:///{tmp_path / 'new.sqlite'}")
    wanted = {"busy_timeout": BUSY_MS, "journal_mode": "wal", "synchronous": 2, "foreign_keys": 1}
    with engine.connect() as connection:
        found = {name: connection.exec_driver_sql(f"PRAGMA {name}").scalar_one() for name in wanted}
    engine.dispose()

    assert found == wanted
