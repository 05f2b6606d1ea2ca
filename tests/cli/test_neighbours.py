"""What a command says about a club or a game is the same whoever else there is: its statements leave nobody else in."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click
from sqlalchemy import update

from pbem.cli import main
from pbem.store.models import Club, Letter, Season
from tests.cli.test_every_command import ALL
from tests.security.test_neighbours import NEIGHBOURS, OTHER, add_neighbours, commit, fill, tables, world

if TYPE_CHECKING:
    from datetime import datetime

    from flask.testing import FlaskCliRunner
    from sqlalchemy.orm import Session

NAMED = {"season": "seasons", "game": "games", "club": "clubs"}
"""What a command's argument names, and the table whose row it is, the narrowest first."""
CHOSEN = {
    "club list": {"clubs"},
    "game list --club {club}": {"clubs"},
    "player list --club {club}": {"clubs", "players"},
}
"""Commands that are told by an option whose rows they show, or say a line of each club, and the tables asked about."""
WIDER = {("what is over", "season show {club} {season} --json"): "everybody who ever entered"}
"""What is told of a neighbour too, and why."""

REFUSED = {"game compact {game} --json", "game unstick {game} --json"}
"""What isn't done to a game that goes on."""


def asked() -> dict[str, set[str]]:
    """By the words of each command that only looks, the tables whose rows it asks about."""
    found = dict(CHOSEN)
    for words, command in ALL.items():
        names = [one.name or "" for one in command.params if isinstance(one, click.Argument)]
        more = {one.name for one in command.params if one.required or one.name == "yes"}
        if names and set(names) <= set(NAMED) and more <= set(names):
            said = [words.removeprefix("pbem "), *(f"{{{name}}}" for name in names), "--json"]
            found[" ".join(said)] = {next(table for name, table in NAMED.items() if name in names)}
    return found


def test_commands_say_nothing_of_neighbours(session: Session, now: datetime, runner: FlaskCliRunner) -> None:
    """Beside other people elsewhere and here, the same people elsewhere, and what is over."""
    known = world(session, now)
    fill(session, now)
    session.execute(update(Letter).values(state="failed", last_error="refused"))
    commit(session)
    names = {"club": session.get_one(Club, known["club_id"]).slug, "game": known["slug"]}
    names["season"] = session.get_one(Season, known["season_id"]).slug

    def said(words: str) -> list[str]:
        session.rollback()  # SQLite has one writer, and whoever begins may write
        done = runner.invoke(main, words.format(**names).split())
        assert (done.exit_code != 0) == (words in REFUSED), (words, done.output)
        lines = done.output.splitlines()
        return [line for line in lines if words != "club list" or line.startswith(f"{names['club']} ")]

    looks = asked()
    alone = {words: said(words) for words in looks}
    assert all(alone.values())
    for which, neighbour in [one for one in NEIGHBOURS.items() if not one[1].seats]:
        add_neighbours(session, now, neighbour)
        commit(session)
        told = {words for words, about in looks.items() if neighbour.over or not neighbour.same & about}
        told -= {words for words in told if (which, words) in WIDER}
        assert {words: said(words) for words in told} == {words: alone[words] for words in told}
        for table in reversed(tables()):
            session.execute(table.delete().where(~table.c.id.between(0, OTHER - 1)))
        commit(session)
