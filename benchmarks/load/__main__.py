"""Load at the level of a big club server (M), ten times that (L), or with 10,000 phases due in one minute on top (H).

    python -m benchmarks.load M [--minutes 10] [--games 12000] [--results FILE]

M: 12,000 running games, 8,200 orders and 16,400 mails a day, a tenth of it in the peak hour, whose rate is kept up
here. Each order is a page loaded and a form sent by a browser of its own; one in ten comes by mail through the SMTP
door. The processes are the Procfile's, the servers real and durable. What the machine does with nothing of ours is
measured in the same run. Each run appends one line of JSON to one file; leaves with 1 if something doesn't hold.
"""

from __future__ import annotations

import argparse
import sys
import threading
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path
from statistics import quantiles
from typing import TYPE_CHECKING

import msgspec
from sqlalchemy import func, select, text, update

from benchmarks.faults.players import Club
from benchmarks.faults.stage import PLAIN, Stage, stage
from benchmarks.faults.targets import Process
from benchmarks.growth import copies, grow
from benchmarks.load import people, raw
from pbem import clock
from pbem.extensions import db
from pbem.store.models import Game, Letter, OpenDecision, Player, StoredPly
from tests.servers import answers, until

if TYPE_CHECKING:
    from collections.abc import Iterable

RESULTS = Path("instance/load.jsonl")
GAMES = 12_000
TABLES = 60
"""Games in which orders are given; the others are copies that wait."""
DUE = 10_000
"""Phases due at once at level H."""
REAL_TIME = {clock.OFFSET_FILE: ""}
"""The processes' clock is the machine's: the stage's own, which can be moved, reads a file each time it is asked."""
MEMORY_MAY_GROW = 1.1
"""From the middle of a run to its end: before that, caches fill and processes stop sharing what they began with."""
LONG = 30
"""Minutes from which on memory must be steady."""


class Level(msgspec.Struct, frozen=True):
    """What is loaded, and what must hold, in seconds."""

    times: int
    """How many times a big club server's rate."""
    page_p95: float
    post_p95: float
    post_longest: float = 10.0
    queued_p95: float = 5.0
    """From the last order to its letters in the outbox."""
    mail_longest: float = 60.0
    due: int = 0
    phases_s: float = 600.0
    letters_s: float = 3600.0
    others_longest: float = 300.0
    """The wait of letters of the games that are played meanwhile."""


LEVELS = {
    "M": Level(1, 0.3, 0.5),
    "L": Level(10, 1.0, 1.0),
    "H": Level(1, 2.0, 2.0, post_longest=2.0, queued_p95=300.0, due=DUE),
}
LIMITS = (
    "page_p95",
    "post_p95",
    "post_longest",
    "queued_p95",
    "mail_longest",
    "phases_s",
    "letters_s",
    "others_longest",
)


def fill(on: Stage, club: Club, count: int) -> None:
    """Many games that wait, each with people of its own, and some in which orders are given."""
    model = club.open(1)[0]
    with on.app.app_context():
        grow(model, count - TABLES)
        session = db.session()
        address = "'s' || s.id || '@d' || s.id % 5000 || '.example'"
        own = f"WHERE t.id = s.player_id AND s.game_id > {model}"
        session.execute(text(copies(Player, own, "seats s", {"address": address})))
        session.execute(text(f"UPDATE seats s SET player_id = p.id FROM players p WHERE p.address = {address}"))  # noqa: S608 - no words of others
        session.commit()
    club.games.clear()
    club.open(TABLES)
    with on.app.app_context(), db.engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
        connection.exec_driver_sql("VACUUM ANALYZE")  # as a club that has run for a while has had it done


def make_due(count: int) -> None:
    """Let `count` of the games that wait have passed their deadline."""
    some = select(Game.id).order_by(Game.id).limit(count)
    now = clock.now()
    values = {"wake_at": now, "cover_at": now, "due_at": now - timedelta(hours=12)}
    db.session.execute(update(Game).where(Game.id.in_(some)).values(values))
    db.session.commit()


def spread(name: str, times: Iterable[float]) -> dict[str, float]:
    """Median, 95th and 99th percentile and the longest, in seconds."""
    sorted_ = sorted(times)
    if len(sorted_) < 2:
        return {f"{name}_count": len(sorted_)}
    cuts = quantiles(sorted_, n=100, method="inclusive")
    found = {"p50": cuts[49], "p95": cuts[94], "p99": cuts[98], "longest": sorted_[-1]}
    return {f"{name}_count": len(sorted_), **{f"{name}_{key}": round(value, 3) for key, value in found.items()}}


def queued(games: list[int], since: datetime) -> list[float]:
    """Seconds from a ply's last answer to its resolution, which writes its letters into the outbox."""
    last = func.max(OpenDecision.answered_at)
    rows = db.session.execute(
        select(StoredPly.resolved_at, last)
        .join(OpenDecision, (OpenDecision.game_id == StoredPly.game_id) & (OpenDecision.ply == StoredPly.ply))
        .where(StoredPly.game_id.in_(games), StoredPly.resolved_at > since, OpenDecision.answered_at.is_not(None))
        .group_by(StoredPly.game_id, StoredPly.ply, StoredPly.resolved_at)
    )
    return [(resolved - answered).total_seconds() for resolved, answered in rows if answered is not None]


def waits(games: list[int], since: datetime) -> list[float]:
    """Seconds that the letters of these games lay in the outbox, those that still lie there counted up to now."""
    rows = db.session.execute(
        select(Letter.created_at, func.coalesce(Letter.sent_at, clock.now()))
        .where(Letter.game_id.in_(games), Letter.created_at > since, Letter.state.in_(("sent", "pending", "claimed")))
        .where(Letter.kind.in_(("your_turn", "phase_report", "receipt")))
    )
    return [(sent - created).total_seconds() for created, sent in rows]


def memory(on: Stage) -> float:
    """Megabytes that the server's processes hold, what they share counted once, without the databases."""
    whole = 0
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            group = int((folder / "stat").read_text(encoding="utf-8").rpartition(")")[2].split()[2])
            if group in on.groups():
                whole += int((folder / "smaps_rollup").read_text(encoding="utf-8").partition("\nPss:")[2].split()[0])
        except OSError:
            continue  # it ended meanwhile
    return round(whole * 1024 / 1e6)


def _watch_memory(on: Stage, over: threading.Event, seen: list[float]) -> None:
    """Note every half minute what the processes hold."""
    while not over.wait(30):
        seen.append(memory(on))


def run(on: Stage, level: Level, minutes: float, games: int) -> tuple[dict[str, float], list[str]]:
    """Fill, load, measure."""
    club = Club(on)
    with on.app.app_context():
        figures = raw.limits(on)
    on.stop()
    fill(on, club, games)
    start_processes(on)
    club.play(3)
    on.settle()
    began, held, over = clock.now(), [memory(on)], threading.Event()
    scales = threading.Thread(target=_watch_memory, args=(on, over, held))
    scales.start()
    watcher = threading.Thread(target=watch, args=(on, min(level.due, games - TABLES), figures))
    if level.due:
        watcher.start()
    seen = people.orders(on, club, level.times, minutes)
    if level.due:
        watcher.join()
    figures |= spread("page", seen.pages) | spread("post", seen.posts) | spread("mail", seen.mails)
    with on.app.app_context():
        figures |= spread("queued", queued(club.games, began)) | spread("others", waits(club.games, began))
        figures["games"] = db.session.execute(select(func.count()).select_from(Game)).scalar_one()
        figures["letters_sent"] = on.count(Letter, Letter.state == "sent", Letter.created_at > began)
    over.set()
    scales.join()
    held.append(memory(on))
    figures |= {f"memory_mb_{part}": held[(len(held) - 1) * part // 4] for part in range(5)}
    return figures, seen.errors


def start_processes(on: Stage) -> None:
    """Those of the Procfile, by the machine's own clock."""
    for what, options in (("web", ("--workers", "2")), ("worker", ()), ("mailer", ()), ("beat", ())):
        on.start(what, *options, **REAL_TIME)
    door = (sys.executable, "-m", "pbem.cli", "mail", "listen", "--port", str(on.mail_port))
    on.keep(Process("smtpd", door, on.env(**REAL_TIME), on.folder / "smtpd.log"))
    until(lambda: answers(on.mail_port), "the mail door opens", 60)


def watch(on: Stage, count: int, found: dict[str, float]) -> None:
    """Make phases due, and note when they are done, and when their letters are."""
    before, start = on.plies(), time.monotonic()
    with on.app.app_context():
        make_due(count)
    until(
        lambda: on.count(StoredPly, StoredPly.ply > 0) and on.due().get("games", 0) == 0,
        "all phases are done",
        1200,
        pause=1,
    )
    found["phases_s"] = round(time.monotonic() - start, 1)
    found["phases"] = on.plies() - before
    until(lambda: not on.due().get("letters"), "all letters left", 4000, pause=1)
    found["letters_s"] = round(time.monotonic() - start, 1)


def judge(level: Level, minutes: float, figures: dict[str, float], errors: list[str]) -> list[str]:
    """What doesn't hold."""
    limits = {name: getattr(level, name) for name in LIMITS if level.due or name != "others_longest"}
    found = [f"{k} is {figures[k]}, the limit {most}." for k, most in limits.items() if figures.get(k, 0.0) > most]
    if minutes >= LONG and figures["memory_mb_4"] > MEMORY_MAY_GROW * figures["memory_mb_2"]:
        found.append(f"Memory grew from {figures['memory_mb_2']} to {figures['memory_mb_4']} MB in the second half.")
    if not figures.get("post_count"):
        found.append("Nobody sent an order.")
    return found + errors[:5]


def main() -> int:
    """Run a level; 1 if something doesn't hold."""
    parser = argparse.ArgumentParser(description="Load at one level.")
    parser.add_argument("level", choices=LEVELS)
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--games", type=int, default=GAMES)
    parser.add_argument("--results", type=Path, default=RESULTS)
    given = parser.parse_args()
    level = LEVELS[given.level]
    with stage(PLAIN, durable=True) as on:
        figures, errors = run(on, level, given.minutes, given.games)
    found = judge(level, given.minutes, figures, errors)
    line = {"level": given.level, "minutes": given.minutes, "figures": figures, "violations": found}
    line["at"] = datetime.now(UTC).isoformat(timespec="seconds")
    given.results.parent.mkdir(parents=True, exist_ok=True)
    with given.results.open("ab") as out:
        out.write(msgspec.json.encode(line) + b"\n")
    for name, value in figures.items():
        limit = f"  (limit {getattr(level, name):g})" if name in LIMITS else ""
        print(f"{given.level} {name:18} {value:g}{limit}")
    print("\n".join(found) or f"{given.level} holds.")
    return 1 if found else 0


if __name__ == "__main__":
    raise SystemExit(main())
