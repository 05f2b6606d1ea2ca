"""What a command says about a club or a game is the same whoever else there is: its statements leave nobody else in."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pbem.cli import main
from pbem.store import unit_of_work
from pbem.store.models import Club
from tests import enqueued
from tests.security.test_neighbours import NEIGHBOURS, OTHER, add_neighbours, fill, tables, world

if TYPE_CHECKING:
    from datetime import datetime

    from flask.testing import FlaskCliRunner
    from sqlalchemy.orm import Session

ASKED = {
    "club list": "clubs",
    "club members {club}": "clubs",
    "club invitations {club}": "clubs",
    "game list --club {club}": "clubs",
    "game show {game}": "games",
}
"""Commands that only look, and the table whose row they ask about; the first says a line of each club."""


def test_commands_say_nothing_of_neighbours(session: Session, now: datetime, runner: FlaskCliRunner) -> None:
    """Beside other people elsewhere and here, the same people elsewhere, and what is over."""
    known = world(session, now)
    fill(session, now)
    commit(session)
    names = {"club": session.get_one(Club, known["club_id"]).slug, "game": known["slug"]}

    def said(words: str) -> list[str]:
        session.rollback()  # SQLite has one writer, and whoever begins may write
        done = runner.invoke(main, words.format(**names).split())
        assert done.exit_code == 0, (words, done.output)
        lines = done.output.splitlines()
        return [line for line in lines if words != "club list" or line.startswith(f"{names['club']} ")]

    alone = {words: said(words) for words in ASKED}
    assert all(alone.values())
    for neighbour in [one for one in NEIGHBOURS.values() if not one.seats]:
        add_neighbours(session, now, neighbour)
        commit(session)
        told = {words for words, about in ASKED.items() if neighbour.over or about not in neighbour.same}
        assert {words: said(words) for words in told} == {words: alone[words] for words in told}
        for table in reversed(tables()):
            session.execute(table.delete().where(table.c.id >= OTHER))
        commit(session)


def commit(session: Session) -> None:
    """Commit rows that no worker is to hear of."""
    session.info[enqueued.ASKED] = set(unit_of_work.Work)
    session.commit()
