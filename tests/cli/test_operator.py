"""The operator's commands: backup, restore, copy, upgrade, links, people, invitations, seasons, setup, DNS."""

from __future__ import annotations

import json
import os
import re
import secrets
import shutil
import socket
import ssl
import subprocess
import tarfile
import threading
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any
from unittest.mock import Mock

import dns.flags
import dns.message
import dns.resolver
import dns.rrset
import pytest
from sqlalchemy import select, text

import pbem
from pbem import clock
from pbem.capabilities import api_keys
from pbem.cli.operator import dns_checks
from pbem.cli.operator.setup import Answers, write
from pbem.extensions import db
from pbem.play.proof.replay_audit import audit
from pbem.store import transfer
from pbem.store.models import Club, HookCall, Invitation, Letter, Member, Player, Season
from tests import trusted
from tests.cli.test_game import BOTS, Terminal, inside
from tests.conftest import make_app, settings_in
from tests.factories import GameFactory, PlayerFactory
from tests.servers import PATIENCE

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from flask import Flask

    from pbem.config import Config
    from tests import mail_servers, servers

LIST = "ada@example.org, Ada\nben@example.org, Ben\n"


@pytest.fixture
def terminal(settings: Config) -> Terminal:
    """A terminal on a club called Nile."""
    terminal = Terminal(settings.pbem_home)
    terminal.good("club", "new", "Nile", "--organiser", "zoe@example.org")
    return terminal


def played(app: Flask) -> int:
    """A game of Amun-Re some plies on; gives its number."""
    with app.app_context():
        return int(GameFactory(game="amunre", people=3, bots=(), plays=6).id)


def held(app: Flask, game: int) -> tuple[tuple[str, ...], list[dict[str, Any]]]:
    """What the audit says of a game, and every row of every table."""
    with app.app_context():
        result = audit(db.session(), game)
        with transfer.reading(db.engine) as connection:
            rows = [
                row
                for table in sorted(transfer.tables(connection), key=lambda one: one.name)
                for part in transfer.rows(connection, table)
                for row in part
            ]
        db.session.remove()
        db.engine.dispose()
        return result.faults, rows


def joins(app: Flask) -> int:
    """The number of somebody who comes new."""
    with app.app_context():
        newcomer = Player(address="new@example.org", name="New", created_at=clock.now())
        db.session.add(newcomer)
        db.session.commit()
        number: int = newcomer.id
        db.engine.dispose()
    return number


def test_the_version_stands_in_one_place(terminal: Terminal) -> None:
    """`pbem --version`, the package's and the pages' are one."""
    assert terminal.good("--version") == f"pbem {pbem.__version__}\n"


def test_a_backup_is_restored_into_the_other_database(
    app: Flask, settings: Config, postgres: servers.Postgres, tmp_path: Path
) -> None:
    """From SQLite to a file to PostgreSQL: the same rows and keys, numbers that go on, nothing for the audit."""
    game = played(app)
    source, target = Terminal(settings.pbem_home), Terminal(tmp_path / "new")
    (tmp_path / "new").mkdir()
    said = source.good("backup", "--folder", str(tmp_path / "kept"))
    (file,) = (tmp_path / "kept").iterdir()
    assert str(file) in said
    assert file.stat().st_mode & 0o077 == 0
    with tarfile.open(file) as archive:
        assert {entry.mode for entry in archive} == {0o600}

    url = postgres.fresh()
    target.environ["DATABASE_URL"] = url
    (tmp_path / "new/secret_keys").write_text(f"other:{secrets.token_urlsafe(32)}\n")
    assert "Restored: rows " in target.good("restore", str(file))
    assert (tmp_path / "new/secret_keys").read_text() == (settings.pbem_home / "secret_keys").read_text()
    (aside,) = (tmp_path / "new").glob("secret_keys.*")  # another server's, whose links would be void
    assert aside.read_text().startswith("other:")

    restored = make_app(settings_in(tmp_path / "new", DATABASE_URL=url))
    assert held(restored, game) == held(app, game)
    assert joins(restored) == joins(app)
    assert "not empty" in target("restore", str(file)).err


def test_a_backup_is_restored_into_tables_without_a_row(settings: Config, tmp_path: Path) -> None:
    """As a new machine has them, here of a later scheme than the backup's."""
    (tmp_path / "new").mkdir()
    shutil.copy(settings.pbem_home / "pbem.sqlite", tmp_path / "new")
    terminal, fresh = Terminal(settings.pbem_home), Terminal(tmp_path / "new")
    terminal.good("club", "new", "Nile", "--organiser", "zoe@example.org")
    terminal.good("db", "downgrade", "0019", "--yes")
    terminal.good("backup", "--folder", str(tmp_path / "kept"))
    (file,) = (tmp_path / "kept").iterdir()

    assert "Restored: rows " in fresh.good("restore", str(file))
    assert fresh.good("club", "list").startswith("nile  Nile: members 1")


def test_old_backups_go_and_other_files_stay(terminal: Terminal, tmp_path: Path) -> None:
    """`--keep` counts backups only; a file of another name is never touched."""
    folder = tmp_path / "kept"
    folder.mkdir()
    for name in ("pbem-20260101T000000Z.tar.gz", "pbem-20260102T000000Z.tar.gz", "notes.tar.gz"):
        (folder / name).touch()
    said = terminal.good("backup", "--folder", str(folder), "--keep", "2")

    assert said.splitlines()[-1] == "Older backups taken away: 1; kept: 2."
    left = sorted(path.name for path in folder.iterdir())
    assert left[:2] == ["notes.tar.gz", "pbem-20260102T000000Z.tar.gz"]
    assert len(left) == 3


def test_a_backup_that_fails_leaves_nothing(terminal: Terminal, settings: Config, tmp_path: Path) -> None:
    """Night after night on a full disk half-written files would keep it full; here a row can't be read."""
    with inside(settings):
        db.session.execute(text("UPDATE players SET name = CAST(x'ff' AS TEXT)"))
        db.session.commit()

    said = terminal("backup", "--folder", str(tmp_path / "kept"))

    assert (said.code, "can't do it now" in said.err) == (2, True)
    assert list((tmp_path / "kept").iterdir()) == []


@pytest.mark.parametrize("missing", ["manifest.json", "games.jsonl"])
def test_half_a_backup_restores_nothing(terminal: Terminal, tmp_path: Path, missing: str) -> None:
    """A file that lacks a part is refused in a sentence, and the database stays empty."""
    terminal.good("backup", "--folder", str(tmp_path / "kept"))
    (file,) = (tmp_path / "kept").iterdir()
    with tarfile.open(file) as whole, tarfile.open(tmp_path / "half.tar.gz", "w:gz") as half:
        for member in whole:
            if member.name != missing:
                half.addfile(member, whole.extractfile(member))
    fresh = Terminal(tmp_path / "fresh")
    (tmp_path / "fresh").mkdir()

    said = fresh("restore", str(tmp_path / "half.tar.gz"))

    assert (said.code, missing in said.err) == (2, True)
    with make_app(settings_in(tmp_path / "fresh")).app_context():
        with db.engine.connect() as connection:
            assert transfer.is_empty(connection)
        db.engine.dispose()


def test_a_club_moves_from_sqlite_to_postgresql(
    app: Flask, settings: Config, postgres: servers.Postgres, tmp_path: Path
) -> None:
    """`pbem db copy` takes every row along; numbers go on after the old ones; no copy goes over another."""
    game, url = played(app), postgres.fresh()
    with app.app_context():
        titles = ("priestsofra", "egizia", "amunre")
        games = [game, *(int(GameFactory(game=titles[n % 3], people=3, bots=(), plays=n).id) for n in range(8))]
        db.session.commit()
    terminal = Terminal(settings.pbem_home)
    assert f"games {len(games)}. Now set" in terminal.good("db", "copy", url)

    moved = make_app(settings_in(tmp_path, DATABASE_URL=url))
    assert held(moved, game) == held(app, game)
    with moved.app_context():
        assert [fault for one in games for fault in audit(db.session(), one).faults] == []
        db.session.remove()
    assert joins(moved) == joins(app)
    assert "rows already" in terminal("db", "copy", url).err


def test_an_upgrade_backs_up_migrates_and_audits(app: Flask, settings: Config) -> None:
    """Each step is told, and how to restart."""
    played(app)
    said = Terminal(settings.pbem_home).good("upgrade")

    assert "Backup: " in said
    assert "games 1," in said
    assert "differences 0" in said
    assert "restart the server" in said


@pytest.mark.parametrize(("works", "code"), [("true", 0), ("false", 2)])
def test_an_upgrade_restarts_the_services(terminal: Terminal, tmp_path: Path, works: str, code: int) -> None:
    """By systemd, once all else is done; where it can't, that is said."""
    (tmp_path / "systemctl").write_text(f'#!/bin/sh\necho "$*" >> {tmp_path}/told\n{works}\n')
    (tmp_path / "systemctl").chmod(0o700)
    terminal.environ["PATH"] = f"{tmp_path}:{os.environ['PATH']}"
    done = terminal("upgrade", "--restart")

    assert (tmp_path / "told").read_text() == "restart pbem.target\n"
    assert done.code == code
    assert (f"pbem {pbem.__version__} runs." in done.out, "did not restart pbem.target" in done.err) == (
        not code,
        bool(code),
    )


def test_nothing_is_dropped_without_a_question(terminal: Terminal) -> None:
    """`db downgrade base` asks, and a plain Enter leaves all as it is; so do erasing and calling off."""
    assert terminal("db", "downgrade", "base").code == 130
    terminal.good("game", "new", "amunre", "--club", "nile", "--seat", "open", *BOTS[:4])
    game = json.loads(terminal.good("game", "list", "--club", "nile", "--json"))[0]["slug"]
    assert terminal("game", "call-off", game).code == 130
    assert terminal("player", "erase", "zoe@example.org").code == 130
    assert "Nile" in terminal.good("club", "list")
    assert "no scheme" in terminal("db", "downgrade", "9999").err
    terminal.good("db", "downgrade", "base", "--yes")
    assert "empty" in terminal("club", "list").err


def test_a_founder_gets_in_without_a_relay(terminal: Terminal, settings: Config) -> None:
    """`club new` and `link` print the address that opens their page."""
    said = terminal.good("link", "zoe@example.org")
    keys = (settings.pbem_home / "secret_keys").read_text().strip()
    client = make_app(settings_in(settings.pbem_home, SECRET_KEYS=keys)).test_client()

    assert client.get(said.strip().removeprefix("http://127.0.0.1:8000")).status_code == 303
    assert json.loads(terminal.good("link", "zoe@example.org", "--json"))[0]["name"] == "zoe"
    assert "Nobody here" in terminal("link", "nobody@example.org").err


def test_people_are_invited_reminded_and_withdrawn(terminal: Terminal, tmp_path: Path, settings: Config) -> None:
    """An invitation can be sent again, once a day, and taken back; then its link opens nothing."""
    (tmp_path / "list.csv").write_text(LIST)
    assert terminal.good("club", "invite", "nile", str(tmp_path / "list.csv")).startswith(
        "Invitations on their way: 2."
    )
    first, second = json.loads(terminal.good("club", "invitations", "nile", "--json"))
    terminal.good("club", "remind", "nile", str(first["id"]))
    terminal.good("club", "remind", "nile", str(second["id"]), "--withdraw")
    assert terminal("club", "remind", "nile", "99").err.startswith("99: This invitation was accepted, or there is none")
    told = terminal.good("club", "invite", "nile", str(tmp_path / "list.csv"))
    assert told.startswith("Invitations on their way: 1. In the club or invited already: ")
    assert "has no season 'none'" in terminal("season", "show", "nile", "none").err

    with inside(settings):
        letters = db.session.query(Letter).filter_by(kind="invitation").all()
        states = {row.id: row.state for row in db.session.query(Invitation)}
    assert len(letters) == 4
    assert (states[first["id"]], states[second["id"]]) == ("pending", "withdrawn")


def test_a_season_is_announced_entered_and_left(terminal: Terminal, settings: Config) -> None:
    """With its games, the players at a table and options; each wrong word is named. It has not begun: nothing asks."""
    titles = ("--title", "priestsofra 2", "--title", "amunre 3 auction=sealed")
    assert "should read like" in terminal("season", "announce", "nile", "Spring", "--title", "amunre").err
    assert "no tables of 9" in terminal("season", "announce", "nile", "Spring", "--title", "amunre 9").err

    waits = ("--min-wait", "24", "--max-wait", "96", "--stagger", "2")
    slug = json.loads(terminal.good("season", "announce", "nile", "Spring", *titles, *waits, "--json"))["season"]
    with inside(settings):
        row = db.session.execute(select(Season)).scalar_one()
        assert (row.cadence["hours"], row.cadence["most"], row.stagger_hours) == (24, 96, 2)

    terminal.good("season", "enter", "nile", slug, "zoe@example.org")
    assert "Spring: open, 1 entered" in terminal.good("season", "list", "nile")
    assert "zoe is out of Spring" in terminal.good("season", "take-out", "nile", slug, "zoe@example.org")
    assert "Spring: open, 0 entered" in terminal.good("season", "list", "nile")
    assert terminal.good("season", "finish", "nile", slug, "--yes") == "The season is over.\n"
    assert "Spring: finished" in terminal.good("season", "list", "nile")


def test_a_season_begins_as_its_announcement_says(terminal: Terminal, settings: Config) -> None:
    """What isn't said of it is as the help tells; once it has begun its games are there."""
    said = terminal.good("season", "announce", "nile", "Autumn", "--title", "priestsofra 2", "--json")
    slug = json.loads(said)["season"]
    help_of = " ".join(terminal.good("season", "announce", "--help").split())
    with inside(settings):
        row = db.session.execute(select(Season)).scalar_one()
        told = [f"[default: {default}]" in help_of for default in (row.system, row.rounds, row.workload)]
        other = PlayerFactory()
        db.session.add(Member(club_id=row.club_id, player_id=other.id, role="player", joined_at=clock.now()))
        db.session.commit()
        people = ("zoe@example.org", other.address)
    assert terminal.good("season", "enter", "nile", slug, *people) == "Members entered: 2.\n"
    assert terminal.good("season", "start", "nile", slug, "--yes") == "The season is under way.\n"

    assert told == [True] * 3
    assert "Autumn: running, 2 entered" in terminal.good("season", "list", "nile")
    assert terminal.good("season", "show", "nile", slug).count(": points 0, games 0") == 2


def test_a_club_is_settled_and_written_to(terminal: Terminal, tmp_path: Path) -> None:
    """Only what is named changes; a letter leaves after its question alone; strangers watch or not; then it closes."""
    assert "contact none" in terminal.good("club", "settings", "nile")
    letter = tmp_path / "letter.txt"
    letter.write_text("We meet on Friday.\n\nBring gold.")
    announce = ("club", "announce", "nile", "Friday", str(letter))
    assert "Answers need somewhere to go" in terminal(*announce).err
    settled = ("--zone", "Europe/Rome", "--contact", "desk@nile.example")
    held = json.loads(terminal.good("club", "settings", "nile", *settled, "--json"))
    assert {name: held[name] for name in ("name", "language", "zone", "contact")} == {
        "name": "Nile",
        "language": "en",
        "zone": "Europe/Rome",
        "contact": "desk@nile.example",
    }
    assert "'Mars' is no time zone" in terminal("club", "settings", "nile", "--zone", "Mars").err

    asked = terminal(*announce)
    question = "Members who get this letter: 1. Nothing calls it back. Sure? [y/N]: "
    ended = "\nThe input ended before a question was answered: nothing was done.\n"
    assert (asked.code, asked.err) == (130, question + ended)
    assert terminal.good("club", "acts", "nile").count(": announce ") == 0
    assert json.loads(terminal.good(*announce, "--to", "zoe@example.org", "--yes", "--json"))["letters"] == 1
    assert "Nobody here" in terminal(*announce, "--to", "eve@example.org", "--yes").err
    assert terminal.good("club", "acts", "nile").count(": announce ") == 1

    assert "Moves behind: 3." in terminal.good("club", "watch", "nile", "3")
    assert "Only members can watch" in terminal.good("club", "watch", "nile", "--", "-1")
    assert json.loads(terminal.good("club", "workload", "nile", "--json"))[0]["count"] == 0
    assert "zoe: games 0, awaited in 0" in terminal.good("club", "workload", "nile")
    assert "No game is over yet" in terminal.good("club", "results", "nile")
    assert "Nobody has a rating yet" in terminal.good("club", "ranking", "nile", "--game", "egizia")
    assert "Nobody belongs to Nile any more" in terminal("club", "close", "nile").err
    assert terminal.good("club", "close", "nile", "--yes") == "Nile is closed.\n"
    assert "Nobody is in this club" in terminal.good("club", "members", "nile")


def test_other_services_of_a_club_are_seen_to(terminal: Terminal, settings: Config) -> None:
    """A webhook is added, tested, tried again and removed by its number; what failed is said; no address is shown."""
    assert "There are" not in terminal.good("webhook", "add", "nile", "raw", "https://hooks.example/secret")
    assert "begins with https://" in terminal("webhook", "add", "nile", "raw", "http://hooks.example").err
    (hook,) = json.loads(terminal.good("webhook", "list", "nile", "--json"))
    assert (hook["host"], hook["waiting"], hook["fault"]) == ("hooks.example", 0, "")
    number = str(hook["id"])
    terminal.good("webhook", "test", "nile", number)
    with inside(settings):
        call = db.session.query(HookCall).one()
        call.state, call.fault = "failed", {"code": "refused", "status": 410}
        db.session.commit()
    listed = terminal.good("webhook", "list", "nile")
    assert listed == f"{number}  raw hooks.example: newest calls 0 taken, 0 waiting, 1 given up. it answered 410\n"
    terminal.good("webhook", "retry", "nile", number)
    assert "1 waiting, 0 given up" in terminal.good("webhook", "list", "nile")
    terminal.good("webhook", "remove", "nile", number)
    assert terminal.good("webhook", "list", "nile") == "The club has no webhook.\n"
    for act in ("test", "remove"):
        assert terminal("webhook", act, "nile", "999").err.startswith("999 is not in the list, or not any more.")


def test_letters_are_tried_again_only_if_all_that_are_named_failed(terminal: Terminal, settings: Config) -> None:
    """A number of no letter that failed is named, and then nothing is done."""
    with inside(settings):
        letter = db.session.query(Letter).one()
        letter.state = "failed"
        number = str(letter.id)
        db.session.commit()

    refused = terminal("mail", "retry", "99", number, "98")

    said = "No letter that failed has the number 98, 99: 'pbem mail failed' names those that did"
    assert (refused.code, refused.err.count("\n")) == (2, 1)
    assert refused.err.startswith(said)
    assert json.loads(terminal.good("mail", "retry", number, "--json"))["letters"] == 1
    assert terminal("mail", "retry", number).code == 2


def test_an_organisers_own_views_and_keys_are_seen_to(terminal: Terminal, settings: Config, tmp_path: Path) -> None:
    """Those of the one who is named, else of the first organiser; nobody else has any."""
    with trusted.by_tests(), inside(settings):
        (club,) = db.session.query(Club)
        now, zoe = clock.now(), db.session.query(Player).one()
        assert api_keys.issue_for_club(db.session(), now, zoe.id, club.id, "script").startswith("pbem_")
        db.session.commit()
    terminal.good("view", "save", "nile", "Late ones", "--state", "late", "--order", "deadline")
    (view,) = json.loads(terminal.good("view", "list", "nile", "--organiser", "zoe@example.org", "--json"))
    assert (view["name"], view["state"], view["order"]) == ("Late ones", "late", "deadline")
    terminal.good("view", "remove", "nile", "Late ones")
    assert terminal.good("view", "list", "nile") == "No view is saved.\n"
    assert "'Late ones' is not in the list" in terminal("view", "remove", "nile", "Late ones").err
    (tmp_path / "list.csv").write_text(LIST)
    terminal.good("club", "invite", "nile", str(tmp_path / "list.csv"))
    assert "doesn't organise Nile" in terminal("view", "list", "nile", "--organiser", "ada@example.org").err
    terminal.good("club", "new", "Delta", "--organiser", "dan@example.org")
    assert json.loads(terminal.good("club", "invitations", "delta", "--json")) == []

    (key,) = json.loads(terminal.good("key", "list", "nile", "--json"))
    assert key["name"] == "script"
    terminal.good("key", "revoke", "nile", str(key["id"]))
    assert terminal.good("key", "list", "nile") == "There is no key for this club.\n"
    assert "no key of yours" in terminal("key", "revoke", "nile", "99").err


def test_an_operator_looks_after_people(terminal: Terminal) -> None:
    """List, mend an address, revoke, change a role; every list has JSON, every empty one a sentence."""
    (person,) = json.loads(terminal.good("player", "list", "--json"))
    assert (person["name"], person["address"]) == ("zoe", "zoe@example.org")
    before = terminal.good("link", "zoe@example.org")
    terminal.good("player", "address", "zoe@example.org", "zoe@new.example", "--yes")
    assert terminal.good("link", "zoe@new.example") != before
    before = terminal.good("link", "zoe@new.example")
    terminal.good("player", "revoke", "zoe@new.example", "--yes")
    assert terminal.good("link", "zoe@new.example") != before
    assert "needs an organiser" in terminal("club", "role", "nile", "zoe@new.example", "player").err
    assert json.loads(terminal.good("club", "members", "nile", "--json"))[0]["role"] == "organiser"
    assert "announced no season" in terminal.good("season", "list", "nile")
    assert "There is no game yet" in terminal.good("game", "list")
    assert "Every letter was delivered" in terminal.good("mail", "failed")


@pytest.mark.parametrize(
    ("words", "facts"),
    [
        (("club", "new", "Moon", "--organiser", "moon@example.org"), {"club": "moon", "organiser": "moon@example.org"}),
        (("club", "role", "nile", "zoe@example.org", "organiser"), {"role": "organiser", "club": "nile"}),
        (("game", "new", "egizia", "--club", "nile", *BOTS), {"state": "running"}),
        (("player", "revoke", "zoe@example.org", "--yes"), {"player": 1}),
        (("audit",), {"games": 0, "plies": 0, "differences": []}),
        (("db", "current"), {}),
        (("backup",), {"games": 0}),
        (("upgrade",), {"differences": []}),
    ],
    ids=lambda held: " ".join(held[:2]) if isinstance(held, tuple) else None,
)
def test_an_act_is_answered_in_json(terminal: Terminal, words: tuple[str, ...], facts: dict[str, object]) -> None:
    """One document: the sentence a person would read, and the facts in it."""
    answer = json.loads(terminal.good(*words, "--json"))

    assert answer["said"]
    assert answer.items() >= facts.items()


def test_setup_writes_every_file_a_server_needs(tmp_path: Path) -> None:
    """Settings that are taken, a key that signs, mail that is refused for good, both families of addresses."""
    answers = Answers(
        host="play.example.org", address="192.0.2.7", operator="you@example.org", large=True, relay="", server="nginx"
    )
    out = tmp_path / "deploy"
    write(answers, out)
    assert out.stat().st_mode & 0o777 == 0o700
    written = {path.relative_to(tmp_path).as_posix() for path in write(answers, tmp_path)}  # a folder that is there

    assert {"pbem.env", "nginx.conf", "postfix.sh", "dns.txt", "install.sh", "dkim.pem"} < written
    assert {"units/pbem-web.service", "units/pbem-backup.timer"} < written
    lines = dict(line.split("=", 1) for line in (tmp_path / "pbem.env").read_text().splitlines())
    settings_in(tmp_path, **{**lines, "PBEM_HOME": str(tmp_path), "DKIM_KEY": str(tmp_path / "dkim.pem")})
    assert "unverified_recipient_reject_code = 550" in (tmp_path / "postfix.sh").read_text()
    assert "listen [::]:80;" in (tmp_path / "nginx.conf").read_text()
    assert dns_checks.public_part(tmp_path / "dkim.pem") in (tmp_path / "dns.txt").read_text()
    assert all(path.stat().st_mode & 0o077 == 0 for path in (tmp_path / "pbem.env", tmp_path / "dkim.pem"))


@contextmanager
def name_server(records: dict[tuple[str, str], list[str]]) -> Iterator[str]:
    """A name server that knows these records; gives its address."""
    door = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    door.bind(("127.0.0.1", 0))

    def serve() -> None:
        while True:
            raw, sender = door.recvfrom(4096)
            if not raw:
                return
            question = dns.message.from_wire(raw)
            answer = dns.message.make_response(question)
            answer.flags |= dns.flags.AA
            asked = question.question[0]
            found = records.get((asked.name.to_text(omit_final_dot=True), dns.rdatatype.to_text(asked.rdtype)))
            if found:
                answer.answer.append(dns.rrset.from_text(asked.name, 60, "IN", asked.rdtype, *found))
            door.sendto(answer.to_wire(), sender)

    thread = threading.Thread(target=serve, daemon=True)
    thread.start()
    host, port = door.getsockname()
    try:
        yield f"{host}:{port}"
    finally:
        door.sendto(b"", (host, port))
        thread.join(5)
        door.close()


def test_the_world_is_asked_for_names_and_papers(tmp_path: Path) -> None:
    """With nothing published each check names what to add; with the records that setup writes, none is left."""
    answers = Answers(
        host="play.example.org", address="192.0.2.7", operator="you@example.org", large=False, relay="", server="caddy"
    )
    write(answers, tmp_path)
    key = tmp_path / "dkim.pem"
    config = settings_in(
        tmp_path, MAIL_DOMAIN="play.example.org", BASE_URL="https://play.example.org", DKIM_KEY=str(key)
    )
    names = [name for name in dns_checks.CHECKS if name != "TLS"]
    with name_server({}) as server:
        asked = dns_checks.NameServer(server)
        bare = {name: list(dns_checks.CHECKS[name](config, asked)) for name in names}
        terminal = Terminal(tmp_path)
        terminal.environ |= {"MAIL_DOMAIN": "play.example.org", "DKIM_KEY": str(key)}
        told = terminal("doctor", "--dns", "--resolver", server, "--json")
    public = dns_checks.public_part(key)
    with name_server(
        {
            ("play.example.org", "A"): ["192.0.2.7"],
            ("play.example.org", "MX"): ["10 play.example.org."],
            ("play.example.org", "TXT"): ['"v=spf1 ip4:192.0.2.7 -all"'],
            ("_dmarc.play.example.org", "TXT"): ['"v=DMARC1; p=quarantine"'],
            ("pbem._domainkey.play.example.org", "TXT"): [f'"v=DKIM1; k=rsa; p={public[:200]}" "{public[200:]}"'],
            ("7.2.0.192.in-addr.arpa", "PTR"): ["play.example.org."],
        }
    ) as server:
        asked = dns_checks.NameServer(server)
        well = {name: list(dns_checks.CHECKS[name](config, asked)) for name in names}

    said = json.loads(told.out)
    assert (told.code, said["faults"]) == (1, sum(map(len, said["checks"].values())))
    assert said["checks"]["mail in"] == bare["mail in"]
    assert [name for name in names if not bare[name]] == ["reverse"]  # without an address there is none to reverse
    assert not any(well.values())


def test_a_name_server_that_is_named_is_asked_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """The system's own are asked where none is, and not even read where one is."""
    made: list[bool] = []

    def resolver(*, configure: bool) -> Mock:
        made.append(configure)
        return Mock(nameservers=["192.0.2.1"], port=53)

    monkeypatch.setattr(dns.resolver, "Resolver", resolver)
    named, systems = (dns_checks.NameServer(server)._resolver for server in ("192.0.2.9:5353", None))

    assert made == [False, True]
    assert [(one.nameservers, one.port) for one in (named, systems)] == [(["192.0.2.9"], 5353), (["192.0.2.1"], 53)]


def test_the_way_back_is_asked_for_where_mail_leaves_from_here(tmp_path: Path) -> None:
    """Without a relay or by one on this machine; another's has papers of its own."""
    relays = ("", "smtp://localhost:25", "smtp://127.0.0.1:25", "smtp://relay.example.net:25")
    with name_server({("play.example.org", "A"): ["192.0.2.7"]}) as server:
        asked = dns_checks.NameServer(server)
        configs = [settings_in(tmp_path, MAIL_DOMAIN="play.example.org", SMTP_URL=relay) for relay in relays]
        back = [list(dns_checks.reverse(config, asked)) for config in configs]

    assert [len(faults) for faults in back] == [1, 1, 1, 0]


def test_pages_are_asked_for_their_certificate(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """At their own port, else at that of HTTPS; one that nobody vouches for is named, and one that ends soon."""
    paper = tmp_path / "paper.pem"
    what = ("-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost", "-days", "2", "-nodes")
    key = ("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1")
    subprocess.run(("openssl", "req", "-x509", *key, *what, "-keyout", paper, "-out", tmp_path / "c"), check=True)
    paper.write_text(paper.read_text() + (tmp_path / "c").read_text())
    ours = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    ours.load_cert_chain(paper)
    with monkeypatch.context() as nowhere:
        connect = Mock(side_effect=ConnectionRefusedError)
        nowhere.setattr(socket, "create_connection", connect)
        config = settings_in(tmp_path, BASE_URL="https://club.example")
        (closed,) = dns_checks.certificate(config, dns_checks.NameServer("127.0.0.1:1"))
    assert ("can't be opened by TLS" in closed, connect.call_args.args[0]) == (True, ("club.example", 443))
    with socket.create_server(("127.0.0.1", 0)) as door:
        config = settings_in(tmp_path, BASE_URL=f"https://localhost:{door.getsockname()[1]}")
        said = _asked_by_tls(door, ours, config)
        trusting = ssl.create_default_context(cafile=str(paper))
        monkeypatch.setattr(ssl, "create_default_context", lambda: trusting)
        said += _asked_by_tls(door, ours, config)

    assert ["self-signed" in said[0], [re.sub(r"\d{4}-\d\d-\d\d", "DAY", one) for one in said[1:]]] == [
        True,
        ["The certificate of localhost ends on DAY: its renewal does not work"],
    ]


def _asked_by_tls(door: socket.socket, ours: ssl.SSLContext, config: Config) -> list[str]:
    """What the check says of pages behind `door`."""

    def answer() -> None:
        line, _ = door.accept()
        with suppress(OSError), ours.wrap_socket(line, server_side=True) as secure:
            secure.recv(1)

    thread = threading.Thread(target=answer, daemon=True)
    thread.start()
    said = list(dns_checks.certificate(config, dns_checks.NameServer("127.0.0.1:1")))
    thread.join(PATIENCE)
    return said


def test_a_test_letter_leaves_at_once(terminal: Terminal, smtp_sink: mail_servers.Sink) -> None:
    """It reaches the relay with the version in its header; without a relay a sentence says so."""
    assert "SMTP_URL is not set" in terminal("mail", "test", "you@example.org").err
    terminal.environ["SMTP_URL"] = f"smtp://{smtp_sink.host}:{smtp_sink.port}"
    assert "The relay took it" in terminal.good("mail", "test", "you@example.org")
    (sent,) = smtp_sink.wait(1)
    assert f"X-Mailer: pbem {pbem.__version__}".encode() in sent.raw
