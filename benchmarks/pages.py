"""Ratio 6: signed decision pages a second beside a bare route rendering the same size from one row.

    python -m benchmarks.pages [--turns 12] [--seconds 1.5] [--game priestsofra] [--games 1000]

Ours: a player's decision page with board, form, news, deadline and place in the queue, opened by a letter's link, of
`--games` games one after the other: each is rendered anew, the board drawn anew. The peer: a signed cookie, one row, a
template of the same number of bytes. Both under gunicorn with two processes of eight threads. Leaves with 1 if the bar
is missed.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
from typing import TYPE_CHECKING

from sqlalchemy import select

from benchmarks import hammer
from benchmarks.faults.players import Club
from benchmarks.faults.stage import PLAIN, Stage, behind, stage
from benchmarks.orders import CLIENTS, targets
from pbem.capabilities import links
from pbem.capabilities.tokens import tokens
from pbem.extensions import db
from pbem.store.models import Player, Seat
from tests.servers import LOOPBACK

if TYPE_CHECKING:
    from collections.abc import Callable

    from benchmarks.faults.players import Question


BAR = 0.33
"""The least of ratio 6."""


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


def our_client(on: Stage, *asked: Question) -> Callable[[int], bytes]:
    """One client that loads these decision pages in turn, again and again."""
    ready = []
    for one in asked:
        with on.app.app_context():
            reader = select(Player.id, Player.epoch).join(Seat).where(Seat.id == one.seat_id)
            token = links.seat_token(tokens(), one.seat_id, 0, one.ply, *db.session.execute(reader).one())
        page = f"/seat/{one.seat_id}/decide"
        ready.append(hammer.request("GET", page, Cookie=asyncio.run(cookie_of(on.port, f"/l/{token}", page))))
    return lambda number: ready[number % len(ready)]


def peer_client(number: int, size: int) -> Callable[[int], bytes]:
    """The same at the peer."""
    from benchmarks import peers  # noqa: PLC0415 - it reads the environment `peer` sets

    ready = hammer.request("GET", f"/pages/{size}", Cookie=f"peer={peers.SIGNER.dumps(number)}")
    return lambda _: ready


def measure(
    on: Stage, game: str, turns: int, seconds: float, games: int
) -> tuple[list[hammer.Shots], list[hammer.Shots]]:
    """Our pages and the peer's, in turn."""
    (own, other), club = targets(on), Club(on)
    club.open(games, game, people=2 if game == "priestsofra" else 3)
    questions = club.questions()
    with behind(on) as connection:
        connection.execute("ANALYZE")  # as a club that has run for a while has had it done
    mine = [our_client(on, *questions[number::CLIENTS]) for number in range(CLIENTS)]
    size = hammer.volley(on.port, mine, 2).bytes
    theirs = [peer_client(n + 1, size) for n in range(CLIENTS)]
    hammer.volley(other.port, theirs, 1)
    found = [(hammer.turn(own, mine, seconds), hammer.turn(other, theirs, seconds)) for _ in range(turns)]
    return [shots for shots, _ in found], [shots for _, shots in found]


def main() -> None:
    """Measure, print, and leave with 1 if the bar is missed."""
    parser = argparse.ArgumentParser(description="Decision pages a second beside a bare route.")
    parser.add_argument("--turns", type=int, default=12)
    parser.add_argument("--seconds", type=float, default=1.5)
    parser.add_argument("--game", default="priestsofra")
    parser.add_argument("--games", type=int, default=1000, help="more than any process keeps drawings of")
    given = parser.parse_args()
    with stage(PLAIN) as on:
        ours, peers = measure(on, given.game, given.turns, given.seconds, given.games)
    sys.exit(hammer.report("ratio 6", ours, peers, "pages/s") < BAR)


if __name__ == "__main__":
    main()
