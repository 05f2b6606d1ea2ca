"""Growth: sweeps, a page, an order and a ply with 1,000 and with 100,000 games, in turn in the same run.

    python -m benchmarks.growth [--sizes 1000,100000] [--turns 8]

Each size has a PostgreSQL of its own. Games are copies of a real one, made by SQL: seats, plies, decisions and letters
as they would be, all due later, then a thousand of them due now. Everything is done in turn on each and rolled back;
what counts is the processor time of PostgreSQL's backends, in parts of the smallest size's of the same turn. Sweeps and
`figures` have a limit, in time on the wall. Leaves with 1 if a bar is missed.
"""

from __future__ import annotations

import argparse
import os
import statistics
import time
from collections.abc import Callable
from contextlib import ExitStack
from datetime import timedelta
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from sqlalchemy import func, select, text, update

from benchmarks import hammer
from benchmarks.faults.players import Club, Question
from benchmarks.faults.stage import PLAIN, Stage, stage
from pbem import clock
from pbem.capabilities import links
from pbem.capabilities.tokens import tokens
from pbem.extensions import db
from pbem.mail import outbox
from pbem.play.orders import submission
from pbem.play.turns.advance import advance
from pbem.store.models import Game, Letter, OpenDecision, Player, Seat, StoredPly
from pbem.store.queries import common, figures

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

DUE = 1000
"""Games, letters and reminders made due for the second half of the measurement."""
LIMIT_MS = 20.0
"""The longest that a sweep and `figures` may take."""
MAY_GROW = 1.2
"""The most that a page, an order or a ply may cost the database, in parts of what it costs with the fewest games."""
SEATS_EACH = 10
"""Games that a person plays, about."""
LETTERS = 5
"""Sent letters for each game."""
LATE = 300
"""Plies of the game whose pages and orders stand for late ones."""
RUNS = 6
"""Of each deed in each turn."""
WARM = 12
"""Runs in each turn before the first that counts: more than those after which a connection prepares a statement."""

Deed = Callable[[], object]


class Cost(NamedTuple):
    """What one turn of a deed took, in milliseconds a run."""

    wall: float
    ours: float
    """Processor time of our own thread."""
    database: float
    """Processor time of PostgreSQL's backends."""


class Place(NamedTuple):
    """A club with so many games."""

    games: int
    on: Stage
    asked: Mapping[str, Question]
    """Who is asked what in an early and in a late ply."""


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


def ran(main: int) -> dict[str, float]:
    """The milliseconds that each process which PostgreSQL's main one has begun has run on a processor."""
    children = Path(f"/proc/{main}/task/{main}/children").read_text(encoding="ascii").split()
    return {one: int(Path(f"/proc/{one}/schedstat").read_text(encoding="ascii").split()[0]) / 1e6 for one in children}


def turn(place: Place, deed: Deed, runs: int) -> Cost:
    """What a deed takes at a place, rolled back each time."""
    before, took, worked = ran(place.on.database.main), 0.0, 0.0
    for _ in range(runs):
        start, begun = time.perf_counter(), time.thread_time()
        deed()
        took += (time.perf_counter() - start) * 1000
        worked += (time.thread_time() - begun) * 1000
        db.session.close()  # a page has told it to read only
    after = ran(place.on.database.main)
    spent = sum(end - before[one] for one, end in after.items() if one in before)
    return Cost(took / runs, worked / runs, spent / runs)


def sweeps() -> dict[str, Deed]:
    """What each sweep asks the database."""
    now = clock.now()
    return {
        "games due": lambda: common.games_due(db.session(), now, DUE),
        "letters due": lambda: common.letters_due(db.session(), now),
        "abandoned": lambda: common.letters_abandoned(db.session(), now),
        "claim": lambda: outbox.claim(db.session(), now, 1, "growth"),
        "nudges due": lambda: common.nudges_due(db.session(), now, DUE),
        "figures": lambda: figures.figures(db.session(), now),
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


def give(one: Question) -> None:
    """Store an order, without a commit."""
    sent = submission.Submission(seat_id=one.seat_id, ply=one.ply, text=one.order)
    assert submission.submit(db.session(), clock.now(), sent).accepted


def players_deeds(ply: str, place: Place) -> dict[str, Deed]:
    """A decision page; an order, which replaces none; and the ply that the last awaited order of a game brings."""
    one = place.asked[ply]
    client = place.on.app.test_client()
    client.get(f"/l/{links.seat_token(tokens(), one.seat_id, 0, one.ply)}")

    def page() -> None:
        assert client.get(f"/seat/{one.seat_id}/decide").status_code == 200

    def next_ply() -> None:
        give(one)
        assert advance(db.session(), clock.now(), one.game_id).plies

    return {"page": page, "order": partial(give, one), "order and ply": next_ply}


def measured(places: Sequence[Place], deeds: Callable[[Place], dict[str, Deed]], turns: int) -> dict[str, list[float]]:
    """Do each deed in turn at every place, and print what it takes.

    Gives of each deed its longest median on the wall, and the median of what the largest place costs the database in
    parts of the smallest.
    """
    costs: dict[str, list[list[Cost]]] = {}
    for _ in range(turns):
        for at, place in enumerate(places):
            with place.on.app.app_context():
                for name, deed in deeds(place).items():
                    of_deed = costs.setdefault(name, [[] for _ in places])
                    turn(place, deed, WARM)
                    of_deed[at].append(turn(place, deed, RUNS))
    found = {}
    for name, sides in costs.items():
        middle = [Cost(*map(statistics.median, zip(*side, strict=True))) for side in sides]
        few, many = ([one.database for one in side] for side in (sides[0], sides[-1]))
        first, ratio, last = hammer.quarters(many, few)
        each = ", ".join(
            f"{place.games:,} games {cost.database:.2f} (ours {cost.ours:.2f}, on the wall {cost.wall:.2f})"
            for place, cost in zip(places, middle, strict=True)
        )
        print(f"{name}, ms of the database: {each}; ratio {ratio:.2f} (half of them {first:.2f} to {last:.2f})")
        found[name] = [max(cost.wall for cost in middle), ratio]
    return found


def opened(on: Stage, games: int) -> Place:
    """Open a club with so many games, one of them late."""
    club = Club(on)
    early, late = club.open(2, people=5)
    for _ in range(LATE):
        questions = club.questions([late])
        with on.app.app_context():
            for one in questions:
                give(one)
            advance(db.session(), clock.now(), late)
            db.session.commit()
    asked = {"ply 1": club.questions([early])[0], f"ply {LATE}": club.questions([late])[0]}
    with on.app.app_context():
        grow(early, games)
    return Place(games, on, asked)


def set_due(places: Sequence[Place], *, due: bool) -> None:
    """Let a thousand games, letters and reminders of each place be due now, or nothing."""
    for place in places:
        with place.on.app.app_context():
            if due:
                make_due(place.asked[f"ply {LATE}"].game_id)
            else:
                not_due()


def main() -> int:
    """Measure and print; 1 if a sweep takes too long or something grows too much."""
    parser = argparse.ArgumentParser(description="What more games cost.")
    parser.add_argument("--sizes", default="1000,100000")
    parser.add_argument("--turns", type=int, default=8)
    given = parser.parse_args()
    missed = []
    with ExitStack() as stack:
        places = [opened(stack.enter_context(stage(PLAIN)), int(size)) for size in given.sizes.split(",")]
        for due in (False, True):
            print(f"-- {DUE:,} games and letters due" if due else "-- nothing due")
            set_due(places, due=due)
            swept = measured(places, lambda _: sweeps(), given.turns)
            missed += [f"{name}: {wall:.0f} ms" for name, (wall, _) in swept.items() if wall > LIMIT_MS]
        set_due(places, due=False)
        for ply in places[0].asked:
            print(f"-- {ply}")
            done = measured(places, partial(players_deeds, ply), given.turns)
            missed += [f"{name} at {ply}: {ratio:.2f}" for name, (_, ratio) in done.items() if ratio > MAY_GROW]
    print(f"load of the machine {os.getloadavg()[0]:.0f}")
    for line in missed:
        print("missed:", line)
    return 1 if missed else 0


if __name__ == "__main__":
    raise SystemExit(main())
