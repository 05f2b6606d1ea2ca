"""What kombu's channel to Redis lacks.

Told to work over a connection that was lost, it must say so, not break; and a client made anew for every command costs
more than the command.
"""

from __future__ import annotations

from functools import wraps
from typing import Any


def mend() -> None:
    """Let a worker whose Redis went away go on; doing it twice is harmless.

    When it acknowledges, or puts back, a task it took over the connection it lost, kombu 5.7 stumbles over that
    connection's missing address (AttributeError), and Celery ends the worker, for it only bears errors of connections.
    """
    from kombu.transport import redis  # noqa: PLC0415 - loads the client of a server that may not be there

    kind: Any = redis.Channel
    if getattr(kind, "is_mended", False):
        return
    inner = kind._connparams  # noqa: SLF001 - the one place where it stumbles

    @wraps(inner)
    def address(channel: Any, asynchronous: bool = False) -> Any:  # noqa: FBT001, FBT002 - as kombu calls it
        if getattr(channel.connection, "client", None) is None:
            raise ConnectionResetError("the connection to Redis was lost")
        return inner(channel, asynchronous)

    make = kind._create_client  # noqa: SLF001 - where it makes one each time

    @wraps(make)
    def client(channel: Any, asynchronous: bool = False) -> Any:  # noqa: FBT001, FBT002 - as kombu calls it
        if asynchronous:
            return make(channel, asynchronous)  # this one holds a connection, so the channel keeps it itself
        kept = getattr(channel, "kept_client", None)
        if kept is None or kept.connection_pool is not channel.pool:  # a lost connection takes its pool along
            kept = channel.kept_client = make(channel)
        return kept

    kind._connparams, kind._create_client = address, client  # noqa: SLF001 - as above
    kind.is_mended = True
