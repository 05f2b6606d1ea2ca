"""Ratio 6: signed decision pages a second beside a bare route rendering the same size from one row.

    python -m benchmarks.pages [--repeats 5] [--seconds 4] [--game priestsofra]

Ours: a player's decision page with board, form, news and deadline, opened by cookie. The peer: a signed cookie, one
row, a template of the same number of bytes. Both under gunicorn with two processes of eight threads.
"""

from __future__ import annotations

import argparse
import asyncio
from typing import TYPE_CHECKING

from benchmarks import hammer
from benchmarks.faults.players import Club
from benchmarks.faults.stage import PLAIN, Stage, stage
from benchmarks.orders import CLIENTS, PAIR, REAL_TIME, peer
from pbem.extensions import tokens
from pbem.play import links
from tests.servers import LOOPBACK

if TYPE_CHECKING:
    from collections.abc import Callable

    from benchmarks.faults.players import Question


async def cookie_of(port: int, *paths: str) -> str:
    """Load pages one after the other as a browser does; the cookie it has then."""
    cookie = ""
    for path in paths:
        reader, writer = await asyncio.open_connection(LOOPBACK, port)
        writer.write(hammer.request("GET", path, Connection="close", Cookie=cookie))
        head = (await reader.read()).partition(b"\r\n\r\n")[0].decode("latin-1")
        writer.close()
        cookie = head.partition("Set-Cookie: ")[2].partition(";")[0] or cookie
    return cookie


def our_client(on: Stage, one: Question) -> Callable[[int], bytes]:
    """One player who loads their decision page again and again."""
    with on.app.app_context():
        token = links.seat_token(tokens(), one.seat_id, 0, one.ply)
    page = f"/seat/{one.seat_id}/decide"
    ready = hammer.request("GET", page, Cookie=asyncio.run(cookie_of(on.port, f"/l/{token}", page)))
    return lambda _: ready


def peer_client(number: int, size: int) -> Callable[[int], bytes]:
    """The same at the peer."""
    from benchmarks import peers  # noqa: PLC0415 - it reads the environment `peer` sets

    ready = hammer.request("GET", f"/pages/{size}", Cookie=f"peer={peers.SIGNER.dumps(number)}")
    return lambda _: ready


def measure(on: Stage, game: str, repeats: int, seconds: float) -> tuple[list[hammer.Shots], list[hammer.Shots]]:
    """Both in turn; the first turn only warms up, and tells how large a page is."""
    on.start("web", *PAIR, **REAL_TIME)
    port, club = peer(on), Club(on)
    club.open(CLIENTS, game, people=2 if game == "priestsofra" else 3)
    ours = [our_client(on, one) for one in club.questions()[:CLIENTS]]
    size = hammer.volley(on.port, ours, 2).bytes
    theirs = [peer_client(n + 1, size) for n in range(CLIENTS)]
    hammer.volley(port, theirs, 1)
    found = [(hammer.volley(on.port, ours, seconds), hammer.volley(port, theirs, seconds)) for _ in range(repeats)]
    return [own for own, _ in found], [other for _, other in found]


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description="Decision pages a second beside a bare route.")
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=4)
    parser.add_argument("--game", default="priestsofra")
    given = parser.parse_args()
    with stage(PLAIN) as on:
        ours, peers = measure(on, given.game, given.repeats, given.seconds)
    for shots in ours + peers:
        assert set(shots.statuses) == {200}, shots.statuses
    print(hammer.told("ratio 6", [s.rate for s in ours], [s.rate for s in peers], "pages/s"))
    for title, found in (("ours", ours), ("peer", peers)):
        parts = " ".join(f"p{p} {sorted(s.percentile(p) for s in found)[len(found) // 2]:.1f} ms" for p in (50, 95, 99))
        print(f"  {title}: {parts}, {found[-1].bytes} bytes a page")


if __name__ == "__main__":
    main()
