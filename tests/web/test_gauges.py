"""The figures for Prometheus: counted in the database, and every one that an alert asks for is there."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import TYPE_CHECKING

from pbem.store.figures import figures
from pbem.store.tables import Letter, Pulse
from pbem.web.gauges import exposition
from tests.factories import GameFactory
from tests.test_house import HOME

if TYPE_CHECKING:
    from flask.testing import FlaskClient
    from flask_sqlalchemy import SQLAlchemy

    from tests.conftest import Clock


def letter(clock: Clock, cause: str, state: str, hours: int) -> Letter:
    """A letter that was due so many hours ago."""
    then = clock.now - timedelta(hours=hours)
    return Letter(
        cause=cause, kind="receipt", data={}, message_id=cause, state=state, next_try_at=then, created_at=then
    )


def test_work_is_counted_with_its_age(db: SQLAlchemy, clock: Clock) -> None:
    """Letters by state, those due and the oldest of them, games by state, and the age of each sweep."""
    GameFactory(now=clock.now)
    db.session.query(Letter).delete()
    db.session.add_all(
        [letter(clock, "a", "pending", 2), letter(clock, "b", "pending", -1), letter(clock, "c", "failed", 9)]
    )
    db.session.add(Pulse(name="sweep_games", at=clock.now - timedelta(seconds=40)))
    db.session.commit()

    found = figures(db.session(), clock.now)

    assert found.games == {"running": 1}
    assert found.letters == {"pending": 2, "claimed": 0, "failed": 1}
    assert (found.letters_due, found.oldest_letter_due) == (1, 7200.0)
    assert (found.games_due, found.oldest_game_due) == (0, 0.0)
    assert found.sweeps == {"sweep_games": 40.0}
    text = exposition(found).decode()
    assert 'pbem_letters{state="pending"} 2.0' in text
    assert "pbem_letters_due_oldest_seconds 7200.0" in text


def test_every_alert_asks_for_a_figure_that_there_is(client: FlaskClient) -> None:
    """The metrics of an empty server name every figure of docs/alerts.yml."""
    asked = set(re.findall(r"\bpbem_\w+", (HOME / "docs/alerts.yml").read_text(encoding="utf-8")))
    answer = client.get("/metrics")

    assert answer.status_code == 200
    assert asked
    assert [name for name in asked if f"# TYPE {name} gauge" not in answer.text] == []
