"""Rows come in the order that a statement asks for: what the database gives by itself is chance, and changes."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any

from sqlalchemy import select, text
from sqlalchemy.exc import IntegrityError

from tests.security.test_neighbours import (
    NEIGHBOURS,
    add_neighbours,
    answer,
    calls,
    counted,
    furnish,
    is_text,
    tables,
    world,
)

if TYPE_CHECKING:
    import pytest
    from sqlalchemy.orm import Session

ANY_ORDER = {
    "pbem.store.queries.order_writes:question": "says so: what is asked is looked up by seat",
    **dict.fromkeys(
        (f"pbem.capabilities.api_keys:issue_for_{whom}" for whom in ("club", "person", "seat")),
        "a new key is a new one each time",
    ),
}
"""Functions whose answer may differ, and why."""
MORE = 10**7
"""What is added to the id of a row that stands beside another of the same owners."""


def _crowd(session: Session, now: datetime) -> None:
    """Several rows of everything: other people, other games, other seats, and of each owner a later one."""
    add_neighbours(session, now, NEIGHBOURS["other people here"])
    for table in tables():
        words, numbers = [one.name for one in table.columns if is_text(one)], set(counted(table)) - {"seat"}
        for row in session.execute(select(table)).mappings().all():
            later = dict(row) | {"id": row["id"] + MORE}
            for name, value in row.items():
                if isinstance(value, datetime):
                    later[name] = value + timedelta(minutes=1)
                elif value and (name in words or name in numbers):
                    later[name] = f"{value}+" if name in words else value + 1
            try:
                with session.begin_nested():
                    session.execute(table.insert().values(later))
            except IntegrityError:  # there is one of each owner at most
                continue


def test_answers_hang_on_no_order_that_nobody_asked_for(
    session: Session, now: datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every function answers the same where the database gives rows forward and backward: SQLite can be told to."""
    known = world(session, now)
    furnish(session, now, monkeypatch)
    _crowd(session, now)
    turned: dict[str, list[Any]] = {}
    made = list(calls(session, known))
    for call in made:
        said = []
        for backward in (0, 1):
            session.execute(text(f"PRAGMA reverse_unordered_selects = {backward}"))
            said.append(answer(session, call.deed, call.given))
        if said[0] != said[1]:
            turned[call.name] = said
    session.execute(text("PRAGMA reverse_unordered_selects = 0"))
    session.rollback()

    assert turned.keys() == ANY_ORDER.keys()
    assert len(made) > 300
