"""The figures for Prometheus: counted in the database, and every one that an alert asks for is there."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import TYPE_CHECKING

from pbem.play.deadlines import reminders
from pbem.store.models import GameState, Letter, Pulse
from pbem.store.queries.figures import OPEN, figures
from pbem.store.unit_of_work import Work
from pbem.web.machines.metrics import exposition
from tests import enqueued
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
    db.session().info[enqueued.ASKED] = {Work.LETTERS}  # they wait for a worker that never came
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


def test_a_letter_tried_in_vain_is_late_though_its_next_try_is_to_come(db: SQLAlchemy, clock: Clock) -> None:
    """A relay that takes nothing: late is what it hasn't taken for a quarter of an hour, or a sender never let go."""
    young, worn, held = (letter(clock, name, "pending", -1) for name in "abc")
    young.attempts, worn.attempts = 4, 5
    stuck = letter(clock, "d", "claimed", 1)
    for one, age in ((young, 30), (worn, 20), (held, 40), (stuck, 50)):
        one.created_at = clock.now - timedelta(minutes=age)
    db.session.query(Letter).delete()
    db.session.add_all([young, worn, held])
    db.session.commit()
    alone = figures(db.session(), clock.now)
    db.session.add(stuck)
    db.session.commit()

    assert (alone.letters_due, alone.oldest_letter_due) == (0, 1200.0)
    assert figures(db.session(), clock.now).oldest_letter_due == 3600.0


def test_every_alert_asks_for_a_figure_that_there_is(client: FlaskClient, db: SQLAlchemy, clock: Clock) -> None:
    """The metrics name every figure of docs/alerts.yml, and every label that an alert asks for."""
    alerts = (HOME / "docs/alerts.yml").read_text(encoding="utf-8")
    asked = {re.sub(r"_(bucket|count|sum)$", "", name) for name in re.findall(r"\bpbem_\w+", alerts)}
    text = client.get("/metrics").text + exposition(figures(db.session(), clock.now), redis="ok").decode()

    assert len(asked) >= 6
    assert [name for name in asked if not re.search(rf"^# TYPE {name} (gauge|histogram)$", text, re.MULTILINE)] == []
    states = set(re.findall(r'\w+\{state="(\w+)"\}', alerts))
    assert states <= {*OPEN, *GameState}
    assert set(re.findall(r'\{sweep="(\w+)"\}', alerts)) == {reminders.PULSE}


def test_every_alert_says_what_to_do() -> None:
    """Each has a name, an expression and a sentence of its own; none stands there twice."""
    rules = re.findall(
        r"- alert: (\w+)\n\s+expr: (.+)\n(?:\s+for: \d+m\n)?\s+annotations:\n\s+summary: (.+)\n",
        (HOME / "docs/alerts.yml").read_text(encoding="utf-8"),
    )

    assert len(rules) == (HOME / "docs/alerts.yml").read_text(encoding="utf-8").count("- alert:")
    assert len({name for name, _, _ in rules}) == len({text for _, _, text in rules}) == len(rules)
