"""Clients that send ready-made requests over kept connections as fast as they are answered, and count the time."""

from __future__ import annotations

import asyncio
import statistics
import time
from collections.abc import Callable
from itertools import count
from typing import Any

import msgspec

from tests.servers import LOOPBACK


class Shots(msgspec.Struct):
    """What came of a volley."""

    seconds: float
    times: list[float]
    """Seconds from each request to the last byte of its answer."""
    statuses: dict[int, int]
    bytes: int = 0
    """Of the last answer's body."""

    @property
    def rate(self) -> float:
        """Answers a second."""
        return len(self.times) / self.seconds

    def percentile(self, part: int) -> float:
        """The time in milliseconds that `part` per cent of the answers did not exceed."""
        return statistics.quantiles(self.times, n=100)[part - 1] * 1000


def request(method: str, path: str, body: bytes = b"", **headers: str) -> bytes:
    """The bytes of a request."""
    lines = [f"{method} {path} HTTP/1.1", "Host: bench", *(f"{k.replace('_', '-')}: {v}" for k, v in headers.items())]
    if body:
        lines.append(f"Content-Length: {len(body)}")
    return "\r\n".join([*lines, "", ""]).encode() + body


async def _answer(reader: asyncio.StreamReader) -> tuple[int, bytes]:
    head = await reader.readuntil(b"\r\n\r\n")
    first, *lines = head.split(b"\r\n")
    headers = {name.lower(): value.strip() for name, _, value in (line.partition(b":") for line in lines)}
    length = int(headers.get(b"content-length", b"0"))
    body = await reader.readexactly(length) if length else b""
    return int(first.split()[1]), body


async def _client(port: int, make: Callable[[int], bytes], end: float, shots: Shots) -> None:
    reader, writer = await asyncio.open_connection(LOOPBACK, port)
    for number in count():
        start = time.monotonic()
        if start >= end:
            break
        writer.write(make(number))
        status, body = await _answer(reader)
        shots.times.append(time.monotonic() - start)
        shots.statuses[status] = shots.statuses.get(status, 0) + 1
        shots.bytes = len(body)
    writer.close()


def volley(port: int, clients: list[Callable[[int], bytes]], seconds: float) -> Shots:
    """Let each client send `make(0)`, `make(1)`, ... one after the other for some seconds."""
    shots = Shots(seconds, [], {})

    async def all_of_them() -> None:
        start = time.monotonic()
        await asyncio.gather(*(_client(port, make, start + seconds, shots) for make in clients))
        shots.seconds = time.monotonic() - start

    asyncio.run(all_of_them())
    return shots


def told(title: str, ours: list[Any], peers: list[Any], unit: str) -> str:
    """Both figures, repeats, ratio and spread, in a line."""
    ratios = [own / other for own, other in zip(ours, peers, strict=True)]
    spread = (max(ratios) - min(ratios)) / statistics.median(ratios)
    return (
        f"{title}: ours {statistics.median(ours):.0f} {unit}, peer {statistics.median(peers):.0f} {unit}, "
        f"ratio {statistics.median(ratios):.2f}, spread {spread:.0%}, {len(ratios)} repeats"
    )
