"""Every command under every fault of what it stands on: one sentence, a code of the manual, nothing half done."""

from __future__ import annotations

import re
import sqlite3
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import click
import msgspec
import pytest
from click.testing import CliRunner
from sqlalchemy import event, text, update

from pbem import app as program
from pbem.cli import main
from pbem.cli.migrating import schemes
from pbem.cli.operator.backup import Manifest
from pbem.extensions import db
from pbem.store.models import Club, Game, Player, Season
from tests.cli.test_every_command import ALL, FOR_PEOPLE, MANUAL
from tests.cli.test_game import Said
from tests.cli.test_refusals import archive
from tests.conftest import make_app, settings_in
from tests.security.test_neighbours import commit, fill, world

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from flask import Flask
    from sqlalchemy.orm import Session

    from pbem.config import Config

CODES = {int(code) for code in re.findall(r"(?m)^\| `(\d+)` \|", MANUAL)}
"""What the manual says that commands leave with."""
NO_SETTINGS = {"new-game", "replay", "selfplay", "setup", "mail preview"}
"""Commands that ask neither settings nor a database."""
WORDS = {name.removeprefix("pbem "): one for name, one in ALL.items() if name not in FOR_PEOPLE}
SET = WORDS.keys() - NO_SETTINGS
STORED = SET - {"mail test"}
"""Commands on the database."""
LEFT_WITH = {"doctor": 1, "mail receive": 75}
"""What a command leaves with where it can't do its work, if not with 2."""
GIVEN = {
    "act": "pause",
    "address": "zoe@example.org",
    "addresses": "zoe@example.org",
    "behind": "3",
    "club": "nile",
    "game": "senet",
    "games": "senet",
    "kind": "raw",
    "name": "Delta",
    "new": "new@example.org",
    "number": "7",
    "numbers": "7",
    "old": "zoe@example.org",
    "organiser": "dan@example.org",
    "recipient": "play.x@localhost",
    "revision": "0008",
    "role": "organiser",
    "rules": "amunre",
    "season": "spring",
    "seats": "open",
    "slugs": "senet",
    "title": "Summer",
    "titles": "priestsofra 2",
    "url": "https://hooks.example/x",
}
"""What the parameters of commands are given."""
FILES = {"file", "lines", "table", "text"}
"""Those that name a file to read."""
UNKNOWN = {
    **dict.fromkeys(("address", "addresses", "old"), "nobody@example.org"),
    **dict.fromkeys(("game", "games", "slugs", "season", "club"), "nowhere"),
    **dict.fromkeys(("number", "numbers"), "99999"),
}
"""What names nobody and nothing."""


def typed(command: str, folder: Path, **otherwise: str) -> list[str]:
    """A whole call of a command: whatever it can't do without, and a yes to what it asks."""
    given = GIVEN | dict.fromkeys(FILES, str(folder / "file")) | {"target": f"sqlite:///{folder}/copy"} | otherwise
    words = command.split()
    for one in WORDS[command].params:
        if isinstance(one, click.Argument):
            words.append(given[one.name or ""])
        elif one.required:
            words += [one.opts[0], given[one.name or ""]]
        elif one.name == "yes":
            words.append("--yes")
    return words


def say(words: list[str], **environ: str) -> Said:
    """What a command says of a call; whatever it raises but its end is raised."""
    answer = CliRunner().invoke(main, words, env=environ, input="From: a@b.example\n\nhello\n")
    if answer.exception is not None and not isinstance(answer.exception, SystemExit):
        raise answer.exception
    return Said(answer.exit_code, answer.stdout, answer.stderr)


def is_refused(name: str, said: Said, helps: str) -> bool:
    """Whether a command said in one sentence what helps, and left as the manual says; `doctor` says it as a finding."""
    told = said.out if name == "doctor" else said.err
    right = said.code == LEFT_WITH.get(name, 2) and said.code in CODES
    return right and helps in told and said.err.count("\n") == (name != "doctor")


def held(folder: Path) -> dict[str, bytes]:
    """Every file of a club but what SQLite keeps beside the database while it is open."""
    files = [path for path in folder.rglob("*") if path.is_file()]
    return {path.name: path.read_bytes() for path in files if not path.name.endswith(("-wal", "-shm"))}


@contextmanager
def terminal(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A terminal whose commands share one app, whose database waits for nobody."""
    app = make_app(settings_in(folder))
    monkeypatch.setattr(program, "create_app", lambda: app)
    with app.app_context():
        event.listen(db.engine, "connect", lambda connection, _: connection.execute("PRAGMA busy_timeout = 0"))
        yield
        db.session.remove()
        db.engine.dispose()


def at(scheme: str) -> Callable[[Path], None]:
    """What makes a database one of another scheme."""

    def change(file: Path) -> None:
        connection = sqlite3.connect(file)
        connection.execute("UPDATE alembic_version SET version_num = ?", (scheme,))
        connection.commit()
        connection.close()

    return change


def replaced(file: Path) -> None:
    """Put a folder in its place."""
    file.unlink()
    file.mkdir()


def emptied(file: Path) -> None:
    """Make it a database without a table, as the program does that looks for one."""
    file.unlink()
    connection = sqlite3.connect(file)
    connection.execute("PRAGMA journal_mode = WAL")
    connection.close()


MIGRATING = {"db upgrade", "db downgrade", "restore", "upgrade"}
DATABASES: dict[str, tuple[Callable[[Path], object], set[str], str]] = {
    "nowhere": (replaced, set(), "make its folder"),
    "empty": (emptied, {"db current", *MIGRATING}, "is empty: set it up with"),
    "none": (lambda file: file.write_bytes(b"A text. " * 1000), set(), "restore a backup"),
    "older": (at("0008"), {"backup", "db current", *MIGRATING}, "run 'pbem upgrade'"),
    "newer": (at("9999"), {"backup", "db current", "upgrade"}, "install the program"),
    "locked": (lambda _: None, {"backup"}, "wait until whoever writes"),
}
"""What becomes of a database's file, the commands that are made for it, and what the others say."""


@pytest.mark.parametrize("fault", DATABASES)
def test_a_database_that_is_not_as_it_should_be(fault: str, settings: Config, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each command that isn't made for it says what to do; neither a row nor a file is changed."""
    strike, made_for, helps = DATABASES[fault]
    folder = settings.pbem_home
    manifest = Manifest("1.0", "0020", datetime(2026, 3, 2, tzinfo=UTC), {})
    archive(folder / "file", manifest=msgspec.json.encode(manifest))
    strike(folder / "pbem.sqlite")
    before = held(folder)
    other = sqlite3.connect(folder / "pbem.sqlite" if fault == "locked" else ":memory:", isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    with terminal(folder, monkeypatch):
        said = {name: say(typed(name, folder)) for name in STORED - made_for}
    other.close()

    assert {name: one for name, one in said.items() if not is_refused(name, one, helps)} == {}
    assert held(folder) == before


def test_a_setting_that_cannot_be_used(tmp_path: Path) -> None:
    """Every command that reads settings names it, whatever else it would have done, and leaves no file."""
    (tmp_path / "file").touch()
    wrong = {"PBEM_HOME": str(tmp_path), "DATABASE_URL": "", "REDIS_URL": "", "MAIL_PREFIX": "A B"}
    said = {name: say(typed(name, tmp_path), **wrong) for name in SET}

    assert {one.err.partition(":")[0] for one in said.values()} == {"MAIL_PREFIX is 'A B'"}
    assert {name: one.code for name, one in said.items() if one.code != 2} == {"mail receive": 75}
    assert list(held(tmp_path)) == ["file"]


def names(session: Session, now: datetime) -> dict[str, str]:
    """What there is, of which every table has a row, by the parameters that name it."""
    known = world(session, now)
    fill(session, now)
    commit(session)
    game, person = known["slug"], session.get_one(Player, known["player_id"]).address or ""
    club, season = session.get_one(Club, known["club_id"]).slug, session.get_one(Season, known["season_id"]).slug
    return {
        "club": club,
        "season": season,
        "number": "1",
        "numbers": "1",
        **dict.fromkeys(("game", "games", "slugs"), game),
        **dict.fromkeys(("address", "addresses", "old"), person),
    }


def test_nobody_and_nothing(session: Session, now: datetime, tmp_path: Path) -> None:
    """Each club, game, season, person and number that a command takes, one at a time, is refused by name."""
    there, tried = names(session, now), {}
    (tmp_path / "file").touch()
    for name in sorted(STORED):
        asked = {one.name or "" for one in WORDS[name].params if isinstance(one, click.Argument) or one.required}
        for one in asked & (UNKNOWN.keys() | ({"name"} if name == "view remove" else set())):
            word = UNKNOWN.get(one, "Nothing")
            session.rollback()  # SQLite has one writer, and whoever begins may write
            tried[f"{name} {one}"] = say(typed(name, tmp_path, **there | {one: word})), word

    wrong = {name: said for name, (said, _) in tried.items() if (said.code, said.err.count("\n")) != (2, 1)}
    assert wrong == {}
    assert {name: said.err for name, (said, word) in tried.items() if word not in said.err} == {}
    assert len(tried) > 60


def test_rules_that_this_program_does_not_hold(
    app: Flask, session: Session, now: datetime, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever is asked of a game of theirs is done without them, or refused in a sentence; others are looked at."""
    monkeypatch.setattr(program, "create_app", lambda: app)
    there = names(session, now)
    asked = {
        name for name in STORED if there.keys() & {"game", "games", "slugs"} & {one.name for one in WORDS[name].params}
    }
    for columns in ({"rules_version": 99}, {"game": "chess"}):
        session.execute(update(Game).values(version=Game.version + 1, **columns))
        commit(session)
        said = {}
        for name in sorted(asked | {"audit", "doctor", "game list"}):
            said[name] = say(typed(name, tmp_path, **there))
            session.rollback()
        assert {name: one for name, one in said.items() if one.err.count("\n") != (one.code == 2)} == {}
        assert {name for name, one in said.items() if one.code == 1} == {"audit", "doctor"}
        assert f"{there['game']}: " in said["audit"].out
        assert "This program doesn't hold rules version" in said["doctor"].out


def test_a_migration_that_is_broken_off(settings: Config, monkeypatch: pytest.MonkeyPatch) -> None:
    """As by Ctrl-C: without a trace, and as if it had not begun; the same call then does it, and rows refer again."""

    def interrupt(_connection: object, _cursor: object, statement: str, *_more: object) -> None:
        if statement.startswith("UPDATE alembic_version"):
            raise KeyboardInterrupt

    newest, older, *_ = schemes()
    with terminal(settings.pbem_home, monkeypatch):
        event.listen(db.engine, "before_cursor_execute", interrupt)
        broken_off = say(["db", "downgrade", older, "--yes"])
        event.remove(db.engine, "before_cursor_execute", interrupt)
        assert (broken_off.code, broken_off.out, broken_off.err.strip()) == (130, "", "")
        assert say(["db", "current"]).out.startswith(f"The database is at scheme {newest},")
        assert say(["db", "downgrade", older, "--yes"]).code == 0
        assert db.session.execute(text("PRAGMA foreign_keys")).scalar() == 1
