"""Sweeps stay cheap however many games there are: each asks one short index, and finds what is due in order."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

import pytest
from sqlalchemy import event, insert, select, text

from pbem.extensions import db
from pbem.store import unit_of_work
from pbem.store.models import Game, Letter, OpenDecision
from pbem.store.queries import common
from pbem.store.unit_of_work import Work

if TYPE_CHECKING:
    from collections.abc import Callable

    from flask import Flask
    from sqlalchemy.orm import Session

NOW = datetime(2026, 3, 2, 12, 0, tzinfo=UTC)
GAMES, DUE = 5_000, 75
"""Enough that a walk through the table would show; the benchmarks take 100,000."""


def rows(count: int, due: int) -> list[dict[str, Any]]:
    """`count` games of which `due` are due; every third is over."""
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
            "state": "running" if n % 3 else "finished",
            "wake_at": NOW + timedelta(minutes=-1 if n <= due else n),
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
    for table, values in ((Game, games), (OpenDecision, decisions), (Letter, letters)):
        session.execute(insert(table), values)
    if due:
        unit_of_work.made_due(session, Work.GAMES)
    session.commit()


SWEEPS: tuple[tuple[Callable[[Session], Any], str], ...] = (
    (lambda s: common.games_due(s, NOW, 1000), "ix_games_wake"),
    (lambda s: common.nudges_due(s, NOW, 1000), "ix_decisions_nudge"),
    (lambda s: common.letters_due(s, NOW), "ix_letters_pending"),
    (lambda s: common.letters_abandoned(s, NOW), "ix_letters_claimed"),
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


def test_sweeps_over_many_games_are_quick(pg_app: Flask) -> None:
    """PostgreSQL with many games asks each sweep's index too, walks through no table, and finds just what is due."""
    with pg_app.app_context():
        session = db.session()
        fill(session, GAMES, due=DUE)
        session.execute(text("ANALYZE"))
        session.commit()
        for sweep, index in SWEEPS:
            plan = "\n".join(plan_of(session, "EXPLAIN", sweep))
            assert index in plan
            assert "Seq Scan" not in plan
        due = common.games_due(session, NOW, 1000)
        assert [number for number, _, _ in due] == [n for n in range(1, DUE + 1) if n % 3]
        assert len(common.nudges_due(session, NOW, 1000)) == DUE
        assert not common.letters_due(session, NOW)
        assert common.letters_due(session, NOW + timedelta(minutes=DUE + 1))
        assert session.execute(select(Game.id).limit(1)).first()
