"""Refusals of commands that the tests of what they do leave out; `tests/test_refusals.py` says if one is missing."""

from __future__ import annotations

import errno
import io
import os
import re
import smtplib
import socket
import tarfile
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING
from unittest.mock import Mock

import click
import msgspec
import pytest
from click.testing import CliRunner
from sqlalchemy import text, update

from pbem.cli import explained, main, make_app
from pbem.cli.operator.backup import Manifest
from pbem.cli.operator.doctor import UNWELL
from pbem.cli.operator.setup import setup
from pbem.cli.serve import (
    CANNOT_BEGIN,
    _prepare_database,
    _take_mail,
    listening_socket,
    serve_in_one_process,
    set_up_database,
)
from pbem.config import ConfigError
from pbem.extensions import db
from pbem.store.models import Member, StoredPly
from tests.cli.test_every_command import ALL
from tests.cli.test_game import Terminal
from tests.factories import GameFactory
from tests.servers import connect

if TYPE_CHECKING:
    from flask import Flask

    from pbem.config import Config
    from tests.servers import Postgres


@pytest.fixture
def empty(tmp_path: Path) -> Terminal:
    """A terminal in a folder without a club."""
    (tmp_path / "empty").mkdir()
    return Terminal(tmp_path / "empty")


def archive(path: Path, **files: bytes) -> str:
    """A backup that holds only `files`."""
    with tarfile.open(path, "w:gz") as into:
        for name, content in files.items():
            entry = tarfile.TarInfo(f"{name}.json")
            entry.size = len(content)
            into.addfile(entry, io.BytesIO(content))
    return str(path)


def test_an_empty_database_is_neither_backed_up_nor_copied(empty: Terminal, tmp_path: Path) -> None:
    """Each says what to do about it, and leaves nothing behind."""
    said = empty("backup", "--folder", str(tmp_path / "kept"))

    assert (said.code, "is empty: set it up" in said.err) == (2, True)
    assert list((tmp_path / "kept").iterdir()) == []
    assert empty("db", "copy", f"sqlite:///{tmp_path}/new.sqlite").err == said.err
    assert "at scheme none: name an older one, to which a way leads back" in empty("db", "downgrade", "0008").err


def test_a_backup_of_a_newer_program_is_not_restored(empty: Terminal, tmp_path: Path) -> None:
    """It says which version to restore it with; a file that is none of ours is named, too."""
    manifest = Manifest("9.1", "9999", datetime(2026, 3, 2, tzinfo=UTC), {"games": 1})
    newer = archive(tmp_path / "newer.tar.gz", manifest=msgspec.json.encode(manifest))
    other = archive(tmp_path / "other.tar.gz", holiday=b"{}")

    assert "of pbem 9.1, scheme 9999" in empty("restore", newer).err
    assert "does not know: restore it with that version" in empty("restore", newer).err
    assert empty("restore", other).err == "The file lacks manifest.json: it is no backup of pbem, or not all of it.\n"


def test_what_is_no_whole_backup_is_not_restored(empty: Terminal, tmp_path: Path) -> None:
    """A file of nothing, a text, one that was cut off wherever, one whose list is damaged: one sentence names it."""
    manifest = Manifest("1.0", "0001", datetime(2026, 3, 2, tzinfo=UTC), {"games": 1})
    whole = Path(archive(tmp_path / "whole.tar.gz", manifest=msgspec.json.encode(manifest))).read_bytes()
    damaged = Path(archive(tmp_path / "damaged.tar.gz", manifest=b'{"version": 1}')).read_bytes()
    for content in (b"", b"a text", *(whole[:end] for end in range(1, len(whole) // 2, 7)), damaged):
        (tmp_path / "broken.tar.gz").write_bytes(content)
        said = empty("restore", str(tmp_path / "broken.tar.gz"))
        assert (said.code, said.err.count("\n"), "backup of pbem" in said.err) == (2, 1, True), (len(content), said)


def test_input_that_ends_at_a_question_is_said(tmp_path: Path) -> None:
    """At each of the questions: with 130, and nothing is written."""
    out = tmp_path / "out"
    for asked in range(len(SETUP)):
        said = CliRunner().invoke(
            main, ("setup", f"--out={out}"), input="".join(f"{one[2]}\n" for one in SETUP[:asked])
        )
        assert (said.exit_code, said.stderr) == (
            130,
            "\nThe input ended before a question was answered: nothing was done.\n",
        )
    assert not out.exists()


def test_a_folder_that_cannot_be_made_is_named(empty: Terminal, tmp_path: Path) -> None:
    """Wherever a command writes: one sentence with the path, and what the system said of it."""
    (tmp_path / "file").write_text("", encoding="ascii")
    inside = tmp_path / "file" / "folder"
    words = [f"--{name}={right}" for name, _, right in SETUP]
    for call in (
        ("setup", f"--out={inside}", *words),
        ("doctor", f"--units={inside}"),
        ("mail", "preview", "--all", f"--out={inside}"),
    ):
        said = empty(*call)
        assert (said.code, said.err.count("\n"), str(inside) in said.err) == (2, 1, True), said


def test_a_database_of_a_newer_program_is_named_by_whatever_meets_it(settings: Config, app: Flask) -> None:
    """An older program neither works on it, nor moves it to another scheme, nor says that an upgrade would help."""
    with app.app_context(), db.engine.begin() as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = '9999'"))
    terminal = Terminal(settings.pbem_home)

    for call in (["club", "list"], ["db", "upgrade"], ["db", "downgrade", "base", "--yes"], ["upgrade"]):
        said = terminal(*call)
        assert (said.code, said.err.count("\n")) == (2, 1), said
        assert re.match(r"The database is at scheme 9999, and pbem \S+ knows none after \d{4}: install ", said.err)


def test_a_database_that_is_not_ours_to_use(
    postgres: Postgres, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """One of another owner, and an address with a word that its driver doesn't know: a sentence, also of `serve`."""
    url = postgres.fresh()
    with connect(url) as connection:
        connection.execute("CREATE ROLE guest LOGIN")
    monkeypatch.setenv("REDIS_URL", "")
    for address, says in ((url.replace("postgres@", "guest@"), "permission denied"), (f"{url}&hosty=x", '"hosty"')):
        monkeypatch.setenv("DATABASE_URL", address)
        for call in (["db", "upgrade"], ["club", "list"]):
            said = CliRunner().invoke(main, call)
            assert (said.exit_code, said.stderr.count("\n")) == (2, 1), (call, said)
        assert says in CliRunner().invoke(main, ["db", "upgrade"]).stderr
        with pytest.raises(SystemExit):
            _prepare_database(make_app(), set_up_database)
        assert says in capsys.readouterr().err


RIGHT = {"club": "nile", "address": "zoe@example.org", "title": "Summer"}
"""What the arguments beside the one that doesn't fit are given."""
UNFIT = {click.types.IntParamType: f"{10**30}", click.File: "/bin/sh"}
"""By the kind of an argument what reads like one of it and is none."""


def test_no_number_is_too_large_and_no_file_too_strange_for_a_sentence(settings: Config) -> None:
    """Every number and every text that a command takes in, and a person's number in place of their address."""
    terminal = Terminal(settings.pbem_home)
    terminal.good("club", "new", "Nile", "--organiser", "zoe@example.org")
    tried = {"pbem link": [f"{10**30}"]}
    for words, command in ALL.items():
        asked = [one for one in command.params if isinstance(one, click.Argument)]
        wrong = {one.name: said for one in asked for kind, said in UNFIT.items() if isinstance(one.type, kind)}
        if wrong:
            tried[words] = [(RIGHT | wrong)[one.name or ""] for one in asked]

    assert {
        words: terminal(*words.split()[1:], *given).err.count("\n") for words, given in tried.items()
    } == dict.fromkeys(tried, 1)
    assert {"pbem club undo", "pbem game table"} < set(tried)


def test_a_word_that_is_no_text_is_named(empty: Terminal) -> None:
    """A word in another encoding than UTF-8 could be neither kept nor shown, so no command is given it."""
    said = empty("club", "new", "N\udcffle", "--organiser", "zoe@example.org")

    assert (said.code, said.err) == (
        2,
        "'N\\udcffle' is no UTF-8 text: write it in UTF-8; 'pbem --help' says what it takes.\n",
    )


def test_a_database_that_cannot_be_copied_to(settings: Config) -> None:
    """A target that nothing listens at is named with what its driver says; a scheme that doesn't exist, with those."""
    terminal = Terminal(settings.pbem_home)
    terminal.good("db", "upgrade")
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]

    said = terminal("db", "copy", f"postgresql://nobody@127.0.0.1:{port}/club").err
    assert f":{port}/club can't do it now (" in said
    assert "'0000' is no scheme: write one of " in terminal("db", "downgrade", "0000", "--yes").err


SETUP = [
    # each answer of `setup`: wrong ones, what the sentence names, and one that is taken
    ("host", {"play nile": "The name is 'play nile'", "https://play.example.org": "domain"}, "Play.Example.org"),
    ("address", {"1.2": " is no IPv4 address: write four numbers, as in 192.0.2.7", "a.b": "192.0.2.7"}, "192.0.2.7"),
    ("operator", {"me": "The address is 'me'", "me@play.example.org": "lies at"}, "me@example.org"),
    ("size", {"huge": "'huge' is not one of"}, "small"),
    ("relay", {"foo:bar": "The relay begins with 'foo:bar'"}, "smtp://relay.example.org:25"),
    ("server", {"apache": "'apache' is not one of"}, "caddy"),
]


def test_each_answer_of_setup_is_held_against_what_it_is_for(empty: Terminal, tmp_path: Path) -> None:
    """As an option it is refused with nothing written; where it is asked, the same question comes again at once."""
    out = tmp_path / "out"
    good = {name: f"--{name}={right}" for name, _, right in SETUP}
    assert set(good) == {one.name for one in setup.params if one.prompt}  # type: ignore[attr-defined]  # all are options
    for name, wrong, _ in SETUP:
        for answer, named in wrong.items():
            said = empty("setup", f"--out={out}", *{**good, name: f"--{name}={answer}"}.values())
            assert (said.code, named in said.err, said.err.count("\n")) == (2, True, 1), said
    assert not out.exists()

    typed = "\n".join(answer for _, wrong, right in SETUP for answer in (*wrong, right))
    asked = CliRunner().invoke(main, ("setup", f"--out={out}"), input=typed)
    assert asked.exit_code == 0
    assert [named for _, wrong, _ in SETUP for named in wrong.values() if named not in asked.output] == []
    assert "MAIL_DOMAIN=play.example.org\n" in (out / "pbem.env").read_text(encoding="utf-8")


def test_settings_are_not_written_over(empty: Terminal, tmp_path: Path) -> None:
    """A second `setup` into the same folder changes none of its files."""
    out = tmp_path / "out"
    answers = {"host": "play.example.org", "address": "192.0.2.7", "operator": "you@example.org", "size": "small"}
    words = [f"--{name}={said}" for name, said in {**answers, "relay": "local", "server": "nginx", "out": out}.items()]
    empty.good("setup", *words)
    before = {path: path.stat().st_mtime_ns for path in out.rglob("*")}

    said = empty("setup", *words)

    assert (said.code, said.err.startswith(f"{out} holds settings already: name another folder")) == (2, True)
    assert {path: path.stat().st_mtime_ns for path in out.rglob("*")} == before


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EDQUOT, errno.EFBIG])
def test_no_room_is_said_whatever_is_full(capsys: pytest.CaptureFixture[str], number: int) -> None:
    """A disk, a quota or a process's limit: what fails while a file is written names none."""
    with pytest.raises(SystemExit), explained(2):
        raise OSError(number, os.strerror(number))

    assert capsys.readouterr().err == "The disk: there is no room left; make some, then call this again.\n"


def test_what_tells_only_a_programmer_something_is_raised_as_it_is() -> None:
    """No command ends as if a person had called it wrongly, with nothing said."""
    with pytest.raises(OSError, match="nowhere"), explained(2):
        raise OSError("nowhere")


def test_a_server_whose_database_cannot_be_prepared_does_not_begin(
    settings: Config, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It leaves with a status of its own, and nobody is told that pages are answered."""
    for name, value in Terminal(settings.pbem_home).environ.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr("signal.signal", Mock())
    refuse = Mock(side_effect=ConfigError("There is no room."))
    with listening_socket("127.0.0.1", 0) as door, pytest.raises(SystemExit) as left:
        serve_in_one_process(door, prepare=refuse, ready=Mock(side_effect=AssertionError))

    assert left.value.code == CANNOT_BEGIN


def test_nobody_acts_for_a_club_without_an_organiser(app: Flask, settings: Config) -> None:
    """It says how to name one; who is none is named."""
    terminal = Terminal(settings.pbem_home)
    terminal.good("club", "new", "Nile", "--organiser", "ada@example.org")
    with app.app_context():
        db.session.execute(update(Member).values(role="player"))
        db.session.commit()
        db.session.remove()

    assert "The club 'nile' has no organiser: name one with 'pbem club role'" in terminal("key", "list", "nile").err
    terminal.good("club", "new", "Delta", "--organiser", "ben@example.org")
    said = terminal("key", "list", "delta", "--organiser", "ada@example.org").err
    assert "doesn't organise Delta: 'pbem club members' says who does" in said


def test_an_upgrade_that_finds_a_difference_says_so(app: Flask, settings: Config) -> None:
    """Its exit code tells a script, and the services are not restarted."""
    with app.app_context():
        GameFactory.create(plays=3)
        db.session.execute(update(StoredPly).where(StoredPly.ply == 1).values(digest="0" * 64))
        db.session.commit()
        db.session.remove()
    said = Terminal(settings.pbem_home)("upgrade", "--restart")

    assert said.code == UNWELL
    assert "differences 2" in said.out


def test_mail_is_not_listened_for_at_a_port_that_is_taken(settings: Config) -> None:
    """It names the port, and the option that chooses another one."""
    terminal = Terminal(settings.pbem_home)
    terminal.good("db", "upgrade")
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        said = terminal("mail", "listen", "--port", str(port))

    assert said.code == 2
    assert f"Port {port} of 127.0.0.1 can't be listened at (" in said.err
    assert "choose another one with '--port'" in said.err


def test_a_game_is_not_written_over(empty: Terminal, tmp_path: Path) -> None:
    """The skeleton of a new game goes where no other lies; what was changed in that stays."""
    empty.good("new-game", "senet", "--into", str(tmp_path))
    before = {path: path.read_bytes() for path in (tmp_path / "senet").rglob("*") if path.is_file()}

    said = empty("new-game", "senet", "--into", str(tmp_path))

    assert said.code == 2
    assert said.err.startswith(f"{tmp_path / 'senet'} is there already: choose another name or folder")
    assert {path: path.read_bytes() for path in (tmp_path / "senet").rglob("*") if path.is_file()} == before


def test_a_port_for_mail_that_somebody_has_is_named(app: Flask, capsys: pytest.CaptureFixture[str]) -> None:
    """With the option that chooses another; whatever keeps services takes it as not to be begun again at once."""
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(SystemExit) as ended:
            _take_mail(app, "127.0.0.1", port)
    said = capsys.readouterr()

    assert (ended.value.code, said.out) == (CANNOT_BEGIN, "")
    assert re.fullmatch(rf"Port {port} can't be listened at \(.+\): choose one with '--mail-port'\.\n", said.err)


def test_mail_is_taken_in_until_its_end_is_called(app: Flask, settings: Config) -> None:
    """At the port that was named, by SMTP: a mail to nobody is refused by name."""
    assert settings.mail_domain
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    end = _take_mail(app, "127.0.0.1", port)
    with smtplib.SMTP("127.0.0.1", port) as door:
        assert door.ehlo()[0] == 250
    end()
    with pytest.raises(ConnectionRefusedError):
        smtplib.SMTP("127.0.0.1", port)
