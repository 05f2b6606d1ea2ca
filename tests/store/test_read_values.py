"""What queries make of the values that the database gives: orders of deadlines, ages."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import text

from pbem.extensions import db
from pbem.store.queries import figures, game_pages
from tests.factories import START, GameFactory

if TYPE_CHECKING:
    from flask import Flask


@pytest.mark.parametrize(
    ("queue", "seats"),
    [(None, ()), ("", ()), ("5:2", (2,)), (":3,7:1,5:2", (2, 1, 3)), ("5:9,5:2", (2, 9)), (":4,:3", (3, 4))],
)
def test_a_readers_queue_begins_with_what_is_most_urgent(queue: str | None, seats: tuple[int, ...]) -> None:
    """By deadline, then by seat; what has none comes last."""
    assert game_pages._in_order(queue) == seats


def test_an_age_is_never_below_nothing() -> None:
    """Seconds since a moment; 0 of one that isn't known, or that another machine's clock has yet to reach."""
    seconds = [
        figures._age(moment, START) for moment in (None, START - timedelta(seconds=5), START + timedelta(seconds=5))
    ]
    assert seconds == [0.0, 5.0, 0.0]


@pytest.mark.parametrize("which", ["app", "pg_app"])
def test_a_few_games_are_counted_and_not_guessed(
    which: str, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> None:
    """PostgreSQL's own statistics are asked beyond what is counted, and never believed to be less."""
    app: Flask = request.getfixturevalue(which)
    with app.app_context():
        for _ in range(3):
            GameFactory.create()
        assert figures.figures(db.session(), START).games == {"running": 3}
        db.session.rollback()
        monkeypatch.setattr(figures, "EXACT", 2)
        assert figures.figures(db.session(), START).games == {"running": 2}
        db.session.rollback()
        db.session.execute(text("ANALYZE"))
        db.session.commit()
        assert figures.figures(db.session(), START).games == {"running": 3 if which == "pg_app" else 2}
        db.session.rollback()
