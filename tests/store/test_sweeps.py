"""Sweeps stay cheap however many games there are: each asks one short index, and finds what is due in order."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

import pytest
from sqlalchemy import event, insert, text

from pbem.clubs.integrations import webhooks
from pbem.extensions import db
from pbem.inbound import working
from pbem.mail import outbox
from pbem.store import unit_of_work
from pbem.store.models import Game, Hook, HookCall, Inbound, Letter, OpenDecision, Seat
from pbem.store.queries import common, ply_inputs
from pbem.store.queries.ply_inputs import PARTS, READ
from pbem.store.unit_of_work import Work
from tests.factories import ClubFactory

if TYPE_CHECKING:
    from collections.abc import Callable

    from flask import Flask
    from sqlalchemy.orm import Session

NOW = datetime(2026, 3, 2, 12, 0, tzinfo=UTC)
GAMES, DUE = 5_000, 150
"""Enough that a walk through the table would show (benchmarks take 100,000), and more due than is read at once."""
STATES = ("finished", "running", "open")


def rows(count: int, due: int) -> list[dict[str, Any]]:
    """`count` games, a third of each state, of which `due` are due, the last of these longest."""
    return [
        {
            "id": n,
            "slug": f"g{n}",
            "game": "x",
            "title": "x",
            "seats": 2,
            "options": {},
            "seed": "",
            "commitment": "",
            "rules_version": 1,
            "cadence": {},
            "state": STATES[n % 3],
            "wake_at": NOW + timedelta(minutes=-n if n <= due else n),
            "created_at": NOW,
        }
        for n in range(1, count + 1)
    ]


def fill(session: Session, count: int, due: int) -> None:
    """Write `count` games of which `due` are due, each with a decision and a letter in the same state."""
    games = rows(count, due)
    decisions = [
        {"game_id": row["id"], "ply": 1, "seat": 0, "kind": "x", "nudge_at": row["wake_at"]}
        | dict.fromkeys(("opened_at", "began_at"), NOW)
        for row in games
    ]
    letters = [
        {
            "cause": f"c{row['id']}",
            "kind": "your_turn",
            "message_id": str(row["id"]),
            "state": "pending" if row["wake_at"] > NOW else "sent",
            "next_try_at": row["wake_at"],
            "created_at": NOW,
        }
        for row in games
    ]
    seats = [{"game_id": row["id"], "seat": 0} for row in games[:due]]
    for table, values in ((Game, games), (Seat, seats), (OpenDecision, decisions), (Letter, letters)):
        session.execute(insert(table), values)
    if due:
        unit_of_work.made_due(session, Work.GAMES)
    session.commit()


SWEEPS: tuple[tuple[Callable[[Session], Any], str], ...] = (
    (lambda s: common.games_due(s, NOW, 1000), "ix_games_state_wake_at"),
    (lambda s: common.nudges_due(s, NOW, 1000), "ix_decisions_nudge"),
    (lambda s: common.letters_due(s, NOW), "ix_letters_state_lane_next_try_at"),
    (lambda s: common.letters_abandoned(s, NOW), "ix_letters_state_lane_next_try_at"),
)


def plan_of(session: Session, explain: str, sweep: Callable[[Session], Any]) -> list[str]:
    """The lines of the database's plan, by its own word `explain`, for what a sweep asks."""
    seen: list[tuple[str, Any]] = []

    def note(*call: Any) -> None:
        seen.append((call[2], call[3]))

    event.listen(db.engine, "before_cursor_execute", note)
    sweep(session)
    event.remove(db.engine, "before_cursor_execute", note)
    connection = session.connection()
    return [
        str(row[-1])
        for statement, values in seen
        if statement.startswith("SELECT")
        for row in connection.exec_driver_sql(f"{explain} {statement}", values)
    ]


@pytest.mark.parametrize(("sweep", "index"), SWEEPS, ids=[name for _, name in SWEEPS])
def test_a_sweep_is_answered_by_its_index(app: Flask, sweep: Callable[[Session], Any], index: str) -> None:
    """The plan of each statement names the index made for it, and no table is walked through."""
    with app.app_context():
        plan = plan_of(db.session(), "EXPLAIN QUERY PLAN", sweep)

    assert plan
    assert all(index in line for line in plan)


def test_sweeps_over_many_games_are_quick_and_begin_with_the_longest_due(pg_app: Flask) -> None:
    """PostgreSQL with many games asks each index too, walks through no table, and finds just what is due, in order."""
    with pg_app.app_context():
        session = db.session()
        fill(session, GAMES, due=DUE)
        session.execute(text("ANALYZE"))
        session.commit()
        for sweep, index in SWEEPS:
            plan = "\n".join(plan_of(session, "EXPLAIN", sweep))
            assert index in plan
            assert "Seq Scan" not in plan
        _, running, unfilled = ([n for n in range(DUE, 0, -1) if STATES[n % 3] == state] for state in STATES)
        assert [row.id for row in common.games_due(session, NOW, 1000)] == running
        read = [one.game.id for part in range(PARTS) for one in ply_inputs.due(session, NOW, part)]
        assert read == running[: PARTS * READ]
        assert common.games_unfilled(session, NOW, 1000) == unfilled
        assert [row.game_id for row in common.nudges_due(session, NOW, 1000)] == [*range(DUE, 0, -1)]
        assert not common.letters_due(session, NOW)
        assert common.letters_due(session, NOW + timedelta(minutes=DUE + 1))


def test_mails_letters_and_calls_that_wait_longest_go_first(app: Flask) -> None:
    """Whichever was written first."""
    with app.app_context():
        session = db.session()
        named = {"club_id": ClubFactory.create().id, "kind": "raw", "url": "https://a.example", "secret": "s"}
        session.add(hook := Hook(**named, created_at=NOW))
        session.flush()
        for number in (1, 2, 3):
            waits = {"id": number, "next_try_at": NOW - timedelta(minutes=number), "state": "pending"}
            made = {**waits, "cause": str(number), "created_at": NOW}
            letter = Letter(**made, kind="receipt", data={}, message_id=str(number))
            mail = Inbound(**waits | {"state": "new"}, message_id=str(number), recipient="", raw=b"", received_at=NOW)
            session.add_all((letter, mail, HookCall(**made, hook_id=hook.id, body={"event": "test"})))
        session.flush()
        called: list[int] = []

        assert [working._take(session, NOW)[0] for _ in range(3)] == [3, 2, 1]
        assert [claimed.number for claimed in outbox.claim(session, NOW, 3, "sender")] == [3, 2, 1]
        while webhooks.call_one(session, NOW, lambda _, body, __: called.append(json.loads(body)["id"])):
            pass
        assert called == [3, 2, 1]
