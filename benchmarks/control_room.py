"""The control room with 1,000 running games, 5,000 seats and a long history, and 500 games opened from one table.

`python benchmarks/control_room.py [--games 1000] [--answered 100]` prints seconds, milliseconds and bytes beside their
limits; `answered` decisions lie behind every game. It works on a SQLite file of its own in a temporary folder.
"""

from __future__ import annotations

import argparse
import gzip
import os
import statistics
import tempfile
import time
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sqlalchemy import insert, select

from pbem import clock
from pbem.app import create_app
from pbem.capabilities import links
from pbem.cli.migrating import migrate
from pbem.clubs.games import bulk_opening
from pbem.clubs.members.founding import found_club, person_at
from pbem.config import from_environ
from pbem.extensions import db
from pbem.play.seats import opening
from pbem.play.turns.advance import advance
from pbem.store.models import Audit, Game, Invitation, Member, OpenDecision, Player, Seat

if TYPE_CHECKING:
    from flask import Flask

PEOPLE = 200
SEATS = 5
TABLE = 500
LIMITS = {"open_s": 60.0, "page_ms": 300.0, "page_bytes": 200_000.0}


def fill(games: int) -> tuple[str, str, float]:
    """A club with `games` running games; its slug, its organiser's link, and the seconds the first table took."""
    session, now = db.session(), clock.now()
    club = found_club(session, now, "Benchmark", "lead@bench.example")
    lead = session.execute(select(Member.player_id).where(Member.club_id == club.id)).scalar_one()
    people = [person_at(session, now, f"p{n}@bench.example", f"Player {n}") for n in range(PEOPLE)]
    session.add_all(Member(club_id=club.id, player_id=p.id, joined_at=now) for p in people)
    for player in people:
        player.accepted_at = now
    session.commit()
    seconds = 0.0
    for first in range(0, games, TABLE):
        lines = (
            ",".join([f"Game {n}", "amunre", "club", "", *(f"Player {(n + s * 37) % PEOPLE}" for s in range(SEATS))])
            + "\n"
            for n in range(first, min(first + TABLE, games))
        )
        begin = time.perf_counter()
        bulk_opening.open_all(session, now, club.id, lead, "".join(lines))
        session.commit()
        seconds = seconds or time.perf_counter() - begin
    accept()
    player = session.get_one(Player, lead)
    from flask import current_app  # noqa: PLC0415 - only inside the app

    token = links.player_token(current_app.extensions["pbem.capabilities.tokens"], lead, player.epoch)
    return club.slug, f"/l/{token}", seconds


def accept() -> None:
    """Let everybody accept, so that all games run and wait."""
    now = clock.now() - timedelta(hours=5)
    found = db.session.execute(select(Invitation.game_id, Invitation.player_id)).all()
    for game_id, player_id in found:
        assert game_id is not None
        opening.take_seat(db.session(), now, game_id, player_id)
    db.session.commit()
    for game_id in db.session.execute(select(Game.id).where(Game.state == "running")).scalars().all():
        advance(db.session(), now, game_id)
        db.session.commit()


def remember(answered: int) -> None:
    """Half a year behind every game: decisions that its players answered in time, and acts of its organiser."""
    session, now = db.session(), clock.now()
    seats = session.execute(select(Seat.game_id, Seat.seat, Game.club_id, Game.organiser_id).join(Game)).all()
    asked: list[dict[str, Any]] = [
        {"game_id": game_id, "seat": seat, "ply": -n, "kind": "turn", "hand": "player"}
        | dict.fromkeys(("opened_at", "began_at", "answered_at", "closed_at"), now - timedelta(days=n))
        for game_id, seat, _, _ in seats
        for n in range(2, 2 + answered // SEATS)
    ]
    session.execute(insert(OpenDecision), asked)
    acts = [
        {"at": now - timedelta(hours=n + 1), "player_id": lead, "club_id": club_id, "game_id": game_id, "act": "extend"}
        for game_id, seat, club_id, lead in seats
        for n in range(4)
    ]
    session.execute(insert(Audit), [{"reason": "", "details": {}, **act} for act in acts])
    session.commit()


def measure(app: Flask, slug: str, link: str, repeats: int) -> tuple[list[float], int, int]:
    """Milliseconds of processor time of each load (SQLite's included), the page's size, its size as browsers get it."""
    client = app.test_client()
    client.get(link)
    client.get(f"/club/{slug}/control")
    times = []
    body = b""
    for _ in range(repeats):
        begin = time.process_time()
        answer = client.get(f"/club/{slug}/control", headers={"Accept-Encoding": "gzip"})
        times.append(1000 * (time.process_time() - begin))
        body = answer.data
    return times, len(body), len(body if answer.headers.get("Content-Encoding") else gzip.compress(body))


def main() -> None:
    """Fill, measure, print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--answered", type=int, default=100)
    parser.add_argument("--repeats", type=int, default=7)
    wanted = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        environ = {**os.environ, "DATABASE_URL": f"sqlite:///{Path(folder) / 'bench.sqlite'}", "PBEM_DATA": folder}
        app = create_app(from_environ(environ))
        with app.app_context():
            migrate()
            slug, link, seconds = fill(wanted.games)
            remember(wanted.answered)
            running = len(db.session.execute(select(Game.id).where(Game.state == "running")).all())
            db.session.remove()
        times, size, sent = measure(app, slug, link, wanted.repeats)
    print(f"{running} games running, {running * SEATS} seats")
    print(f"{min(TABLE, wanted.games)} games opened from a table: {seconds:.1f} s (limit {LIMITS['open_s']:.0f} s)")
    spread = f"{min(times):.0f} to {max(times):.0f}"
    middle = statistics.median(times)
    print(f"control room: {middle:.0f} ms of processor time ({spread}, limit {LIMITS['page_ms']:.0f} ms)")
    print(f"page: {size:,} bytes, compressed {sent:,} (limit {LIMITS['page_bytes']:,.0f})")


if __name__ == "__main__":
    main()
