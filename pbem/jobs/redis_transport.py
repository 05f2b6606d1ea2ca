"""kombu's transport over Redis, for workers that outlive a Redis that went away or hung.

Imported by kombu, once something connects to a Redis: `pbem.jobs.tasks` names it as the transport of such addresses.
"""

from __future__ import annotations

from typing import Any

from kombu.transport import redis, virtual


class QoS(redis.QoS):  # type: ignore[misc]  # kombu ships no types
    """Counts what a worker holds, also when Redis could not be told that it is done.

    kombu 5.7 forgets a message only after Redis did, and Celery goes on over the same connection: each message whose
    acknowledgement timed out took one of the worker's places for good, and a worker without a place takes nothing more.
    Redis hands such a message out again after the visibility timeout; doing it twice is harmless.
    """

    def ack(self, delivery_tag: str) -> None:
        """Give the place back, whether or not Redis answers."""
        try:
            super().ack(delivery_tag)
        finally:
            virtual.QoS.ack(self, delivery_tag)

    def reject(self, delivery_tag: str, requeue: bool = False) -> None:  # noqa: FBT001, FBT002 - as kombu calls it
        """Give the place back, whether or not Redis answers."""
        try:
            super().reject(delivery_tag, requeue=requeue)
        finally:
            virtual.QoS.ack(self, delivery_tag)


class Channel(redis.Channel):  # type: ignore[misc]  # kombu ships no types
    """Says that its connection was lost, and keeps its client."""

    QoS = QoS
    _kept: Any = None

    def _connparams(self, asynchronous: bool = False) -> Any:  # noqa: FBT001, FBT002 - as kombu calls it
        """Return how to connect.

        Told to acknowledge a task it took over a connection it lost, kombu 5.7 stumbles over that connection's missing
        address (AttributeError), and Celery ends the worker, for it only bears errors of connections.
        """
        if getattr(self.connection, "client", None) is None:
            raise ConnectionResetError("the connection to Redis was lost")
        return super()._connparams(asynchronous)

    def _create_client(self, asynchronous: bool = False) -> Any:  # noqa: FBT001, FBT002 - as kombu calls it
        """Return a client; one for all commands, since making it costs more than a command does."""
        if asynchronous:
            return super()._create_client(asynchronous)  # this one holds a connection, so kombu keeps it itself
        if self._kept is None or self._kept.connection_pool is not self.pool:  # a lost connection takes its pool along
            self._kept = super()._create_client()
        return self._kept


class RedisTransport(redis.Transport):  # type: ignore[misc]  # kombu ships no types
    """Redis, over such channels."""

    Channel = Channel
