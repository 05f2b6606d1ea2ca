"""Growth: sweeps, a page and an order with 1,000, 10,000 and 100,000 games, at an early and a late ply.

    python -m benchmarks.growth [--sizes 1000,10000,100000]

Games are copies of a real one, made by SQL: seats, plies, decisions and letters as they would be, all due later, then
a thousand of them due now. Each figure is the median of several runs on a database whose statistics are fresh.
"""

from __future__ import annotations

import argparse
import statistics
import time
from datetime import timedelta
from typing import TYPE_CHECKING, Any

import msgspec
from sqlalchemy import func, select, text, update

from benchmarks.faults.players import Club, Question
from benchmarks.faults.stage import PLAIN, Stage, stage
from pbem import clock
from pbem.capabilities import links
from pbem.extensions import db, tokens
from pbem.mail import outbox
from pbem.play.orders import submission
from pbem.store.models import Game, Letter, OpenDecision, Player, Seat, StoredPly
from pbem.store.queries import common, figures

if TYPE_CHECKING:
    from collections.abc import Callable

DUE = 1000
"""Games, letters and reminders made due for the second half of the measurement."""
LIMIT_MS = 20.0
SEATS_EACH = 10
"""Games that a person plays, about."""
LETTERS = 5
"""Sent letters for each game."""
LATE = 300
"""Plies of the game whose pages and orders stand for late ones."""
RUNS = 15
"""More than twice those after which a statement is prepared, so that the median is of plans made once."""


def columns(table: Any, change: dict[str, str]) -> tuple[str, str]:
    """The columns of a table but its id, and what a copy has in them."""
    names = [column.name for column in table.__table__.columns if column.name != "id"]
    return ", ".join(f'"{name}"' for name in names), ", ".join(change.get(name, f't."{name}"') for name in names)


def copies(table: Any, source: str, series: str, change: dict[str, str]) -> str:
    """The statement that copies rows of a table, one for each number of a series."""
    into, values = columns(table, change)
    name = table.__tablename__
    return f'INSERT INTO "{name}" ({into}) SELECT {values} FROM "{name}" t, {series} {source}'  # noqa: S608 - our own names


def grow(model: int, to: int) -> None:
    """Copy the game `model` until there are `to` games."""
    session = db.session()
    first = session.execute(select(func.max(Game.id))).scalar_one()
    count = to - session.execute(select(func.count()).select_from(Game)).scalar_one()
    later = "now() + interval '2 days' + n * interval '1 second'"
    slug = f"'copy-' || (n + {first})"
    change = {"slug": slug, "wake_at": later, "cover_at": later, "due_at": later}
    statements = [copies(Game, f"WHERE t.id = {model}", f"generate_series(1, {count}) n", change)]
    new = f"(SELECT id AS new_id, row_number() OVER (ORDER BY id) AS n FROM games WHERE id > {first}) g"  # noqa: S608 - a number of ours
    mine = f"WHERE t.game_id = {model}"
    of_new = {"game_id": "g.new_id"}
    people = count // SEATS_EACH + 1
    somebody = "WHERE t.id = (SELECT min(id) FROM players)"
    address = {"address": f"'copy-' || (n + {first}) || '@example.org'"}
    statements.append(copies(Player, somebody, f"generate_series(1, {people}) n", address))
    last = "(SELECT max(id) FROM players)"
    spread = f"CASE WHEN t.player_id > 0 THEN {last} - (g.new_id * 7 + t.seat) % {people} END"
    statements.append(copies(Seat, mine, new, of_new | {"player_id": spread}))
    statements.append(copies(StoredPly, mine, new, of_new))
    statements.append(copies(OpenDecision, mine, new, of_new | {"nudge_at": "now() + interval '1 day'"}))
    cause = {"cause": "'copy-' || g.new_id || '-' || k", "state": "'sent'", "sent_at": "now()"}
    statements.append(
        copies(
            Letter,
            f"WHERE t.id = (SELECT max(id) FROM letters WHERE game_id = {model})",  # noqa: S608 - a number of ours
            f"{new}, generate_series(1, {LETTERS}) k",
            of_new | cause,
        )
    )
    for statement in statements:
        session.execute(text(statement))
    session.commit()
    with db.engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
        connection.exec_driver_sql("VACUUM ANALYZE")


def median_ms(deed: Callable[[], object]) -> float:
    """The median time of a deed, rolled back each time, in milliseconds."""
    times = []
    for _ in range(RUNS):
        start = time.perf_counter()
        deed()
        times.append((time.perf_counter() - start) * 1000)
        db.session.close()  # a page has told it to read only
    return statistics.median(times)


def sweeps() -> dict[str, float]:
    """What each sweep asks the database, in milliseconds."""
    session, now = db.session(), clock.now()
    return {
        "games due": median_ms(lambda: common.games_due(session, now, DUE)),
        "letters due": median_ms(lambda: common.letters_due(session, now)),
        "abandoned": median_ms(lambda: common.letters_abandoned(session, now)),
        "claim": median_ms(lambda: outbox.claim(session, now, 1, "growth")),
        "nudges due": median_ms(lambda: common.nudges_due(session, now, DUE)),
        "figures": median_ms(lambda: figures.figures(session, now)),
    }


def make_due(model: int) -> None:
    """Let a thousand games, letters and reminders be due now."""
    session, since = db.session(), clock.now() - timedelta(minutes=1)
    some = select(Game.id).where(Game.id > model).order_by(Game.id).limit(DUE)
    session.execute(update(Game).where(Game.id.in_(some)).values(wake_at=since))
    session.execute(update(OpenDecision).where(OpenDecision.game_id.in_(some)).values(nudge_at=since))
    last = select(func.max(Letter.id)).where(Letter.game_id.in_(some)).group_by(Letter.game_id)
    session.execute(update(Letter).where(Letter.id.in_(last)).values(state="pending", next_try_at=since))
    session.commit()


def not_due() -> None:
    """Put everything off again."""
    session, later = db.session(), clock.now() + timedelta(days=2)
    session.execute(update(Game).where(Game.wake_at <= clock.now()).values(wake_at=later))
    session.execute(update(OpenDecision).where(OpenDecision.nudge_at <= clock.now()).values(nudge_at=later))
    session.execute(update(Letter).where(Letter.state == "pending").values(state="sent"))
    session.commit()


def one_player(on: Stage, one: Question) -> dict[str, float]:
    """A decision page and an order, in milliseconds; each order replaces the one before."""
    client = on.app.test_client()
    client.get(f"/l/{links.seat_token(tokens(), one.seat_id, 0, one.ply)}")
    page = median_ms(lambda: client.get(f"/seat/{one.seat_id}/decide").status_code)

    def order() -> None:
        sent = submission.Submission(seat_id=one.seat_id, ply=one.ply, text=one.order)
        assert submission.submit(db.session(), clock.now(), sent).accepted

    return {"page": page, "order": median_ms(order)}


def main() -> int:
    """Measure and print; 1 if a sweep takes too long."""
    parser = argparse.ArgumentParser(description="What more games cost.")
    parser.add_argument("--sizes", default="1000,10000,100000")
    given = parser.parse_args()
    slow = []
    with stage(PLAIN) as on:
        on.cast("worker", "mailer", "web")
        club = Club(on)
        early, late = club.open(2, people=5)
        club.play(LATE, [late])
        on.settle()
        on.cast()
        asked = {"ply 1": club.questions([early])[0], f"ply {LATE}": club.questions([late])[0]}
        with on.app.app_context():
            for size in map(int, given.sizes.split(",")):
                grow(early, size)
                empty = sweeps()
                make_due(late)
                full = sweeps()
                not_due()
                found = {"empty": empty, f"{DUE} due": full}
                found |= {ply: one_player(on, question) for ply, question in asked.items()}
                plain = {title: {k: round(v, 2) for k, v in line.items()} for title, line in found.items()}
                print(size, msgspec.json.encode(plain).decode(), flush=True)
                slow += [f"{size} games, {k}: {v:.0f} ms" for k, v in (empty | full).items() if v > LIMIT_MS]
    for line in slow:
        print("over", LIMIT_MS, "ms:", line)
    return 1 if slow else 0


if __name__ == "__main__":
    raise SystemExit(main())
