"""Clients that send ready-made requests over kept connections as fast as they are answered, and count the time.

A shared machine is twice as fast at one moment as at another, so two servers are compared in many short turns, each
with its neighbours; and by the processor time of an answer, which hardly minds.
"""

from __future__ import annotations

import asyncio
import os
import statistics
import time
from collections.abc import Callable
from contextlib import suppress
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from tests.servers import LOOPBACK

if TYPE_CHECKING:
    from collections.abc import Sequence


class Shots(msgspec.Struct):
    """What came of a volley."""

    seconds: float
    times: list[float]
    """Seconds from each request to the last byte of its answer."""
    statuses: dict[int, int]
    bytes: int = 0
    """Of the last answer's body."""
    server: float = 0.0
    """Milliseconds of processor time of the server's processes for each answer."""
    database: float = 0.0
    """The same of PostgreSQL's."""

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


class Target(NamedTuple):
    """A server that answers at a port, and the database it asks."""

    port: int
    server: int
    """The number of its main process."""
    database: int
    """The same of PostgreSQL's."""


def worked(main: int) -> float:
    """The milliseconds of processor time that a process and its children have used, also those that have ended."""
    children = Path(f"/proc/{main}/task/{main}/children").read_text(encoding="ascii").split()
    ticks = 0
    for child in children:
        with suppress(FileNotFoundError):  # it ended meanwhile: read last, the main process has its time
            ticks += sum(_ticks(child)[:2])
    return 1000 * (ticks + sum(_ticks(str(main)))) / os.sysconf("SC_CLK_TCK")


def _ticks(process: str) -> list[int]:
    """A process's own time in the program and in the system, and the same of its children that have ended."""
    fields = Path(f"/proc/{process}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
    return [int(field) for field in fields[11:15]]


def turn(target: Target, clients: list[Callable[[int], bytes]], seconds: float) -> Shots:
    """A volley, with the processor time it cost."""
    before = worked(target.server), worked(target.database)
    shots = volley(target.port, clients, seconds)
    after = worked(target.server), worked(target.database)
    shots.server, shots.database = ((then - now) / len(shots.times) for now, then in zip(before, after, strict=True))
    return shots


def quarters(ours: Sequence[float], peers: Sequence[float]) -> list[float]:
    """The ratios of all neighbouring turns, ours before and after each of the peer's: their quartiles."""
    pairs = (*zip(ours, peers, strict=True), *zip(ours[1:], peers[:-1], strict=True))
    return statistics.quantiles((own / other for own, other in pairs), n=4)


def told(title: str, ours: Sequence[float], peers: Sequence[float], unit: str) -> str:
    """Both rates, measured in turn, and the ratios of neighbouring turns: the median, and where half of them lie."""
    first, middle, last = quarters(ours, peers)
    return (
        f"{title}: ours {statistics.median(ours):.0f} {unit}, peer {statistics.median(peers):.0f} {unit}, "
        f"ratio {middle:.2f} (half of them {first:.2f} to {last:.2f}), {len(ours)} turns each"
    )


def report(title: str, ours: Sequence[Shots], peers: Sequence[Shots], unit: str) -> float:
    """Print a comparison: rates, processor time for each answer, how long an answer took; the ratio."""
    assert all(set(shots.statuses) == {200} for shots in (*ours, *peers))
    rates = [shots.rate for shots in ours], [shots.rate for shots in peers]
    print(told(title, *rates, unit))
    costs = [_told_costs(whose, turns) for whose, turns in (("ours", ours), ("peer", peers))]
    print(f"  peer's processor time / ours {costs[1] / costs[0]:.2f}; load of the machine {os.getloadavg()[0]:.0f}")
    return quarters(*rates)[1]


def _told_costs(whose: str, turns: Sequence[Shots]) -> float:
    """Print how long one side's answers took; the processor time of one."""
    middle = statistics.median
    parts = " ".join(f"p{part} {middle(shots.percentile(part) for shots in turns):.1f} ms" for part in (50, 95, 99))
    server, database = middle(shots.server for shots in turns), middle(shots.database for shots in turns)
    print(f"  {whose}: {parts}; {turns[-1].bytes} bytes")
    pace = 1000 / (server + database)
    print(f"    processor time {server:.2f} + database {database:.2f} ms each, {pace:.0f} per processor second")
    return server + database
