"""`pbem doctor` names each misconfiguration and what to do, and is content with a server that is set up well."""

from __future__ import annotations

import re
import shlex
import shutil
import socket
import subprocess
import sys
from datetime import timedelta
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest
from click.testing import CliRunner
from sqlalchemy import event
from sqlalchemy.exc import DBAPIError

from pbem.cli import main
from pbem.cli.operator import checks, doctor, units
from pbem.extensions import db as database
from pbem.extensions import settings as settings_now
from pbem.store import outages
from pbem.store.models import Game, Letter, Pulse
from tests.conftest import make_app, settings_in
from tests.servers import free_port

if TYPE_CHECKING:
    from collections.abc import Iterator

    from flask import Flask
    from flask_sqlalchemy import SQLAlchemy

    from pbem.config import Config
    from tests import mail_servers, servers
    from tests.conftest import Clock

FAR = {
    "SMTP_URL": "smtp://relay.example.org:25",
    "MAIL_DOMAIN": "play.example.org",
    "BASE_URL": "https://play.example.org",
}


def found(check: str, config: Config) -> list[str]:
    """What one check says of some settings."""
    return list(checks.CHECKS[check](config))


@pytest.mark.parametrize(
    ("check", "environ", "names"),
    [
        ("links", {**FAR, "BASE_URL": "http://127.0.0.1:8000"}, ["BASE_URL is http://127.0.0.1:8000", "set it"]),
        ("links", {**FAR, "BASE_URL": "http://play.example.org"}, ["BASE_URL is http://play.example.org", "https"]),
        ("links", {**FAR, "DEMO": "yes"}, ["DEMO is on", "unset it"]),
        ("mail", {}, ["SMTP_URL is not set", "smtp://user:password@host:587"]),
        ("mail", {**FAR, "MAIL_DOMAIN": "localhost"}, ["MAIL_DOMAIN is localhost", "set it"]),
        ("mail", {**FAR, "OPERATOR": "me@Play.example.org"}, ["OPERATOR: me@Play.example.org lies at", "elsewhere"]),
        ("mail", {**FAR, "WEBHOOK_SECRET": "short"}, ["WEBHOOK_SECRET", "16"]),
        ("database", {"REDIS_URL": "redis://127.0.0.1:6379/0"}, ["SQLite", "DATABASE_URL"]),
        ("DKIM", {"DKIM_KEY": __file__}, ["DKIM_KEY is", "PEM"]),
    ],
)
def test_settings_that_cannot_work(
    check: str, environ: dict[str, str], names: list[str], tmp_path: Path, db: SQLAlchemy
) -> None:
    """One sentence that names the setting, what is wrong with it, and what to write."""
    assert db is database
    (sentence,) = found(check, settings_in(tmp_path, **environ))

    assert [name for name in names if name not in sentence] == []


KEYS = {
    # each kind of key file: what makes it with openssl, and whether it can sign
    "rsa.pem": (("genrsa", "2048"), True),
    "locked.pem": (("genrsa", "-aes128", "-passout", "pass:hunter2", "2048"), False),
    "curve.pem": (("ecparam", "-name", "prime256v1", "-genkey", "-noout"), False),
    "good.ed25519": (("rand", "-base64", "32"), True),
    "short.ed25519": (("rand", "-base64", "20"), False),
    "text.pem": (("version",), False),
}


@pytest.mark.parametrize("name", KEYS)
def test_a_key_that_can_sign_is_let_alone_and_another_is_named(tmp_path: Path, name: str) -> None:
    """By the doctor and by a letter to try, which end by no trace of the program; of either kind of key."""
    call, good = KEYS[name]
    (tmp_path / name).write_bytes(subprocess.run(("openssl", *call), check=True, capture_output=True).stdout)
    config = settings_in(tmp_path, DKIM_KEY=str(tmp_path / name))
    said = f"DKIM_KEY is {tmp_path / name}, which can't sign: write an RSA key in PEM form there"

    assert [sentence[: len(said)] for sentence in found("DKIM", config)] == ([] if good else [said])
    with socket.create_server(("127.0.0.1", 0)) as taken:
        relay = f"smtp://127.0.0.1:{taken.getsockname()[1]}"
    environ = {"PBEM_HOME": str(tmp_path), "DKIM_KEY": str(tmp_path / name), "SMTP_URL": relay}
    tried = CliRunner().invoke(main, ["mail", "test", "you@example.org"], env=environ)
    assert tried.stderr.startswith("The relay did not take it" if good else said)
    wrong = CliRunner().invoke(main, ["mail", "test", "zoë@example.org"], env=environ)
    assert wrong.stderr.startswith("'zoë@example.org' is no mail address: write one, as in you@example.org")


@pytest.mark.parametrize("name", ["WEB_WORKERS", "WORKERS", "MAILERS"])
@pytest.mark.parametrize(("value", "good"), [("x", False), ("0", False), ("-2", False), ("1.5", False), ("12", True)])
def test_numbers_of_processes(
    name: str, value: str, *, good: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What the Procfile would hand to gunicorn or Celery in vain is named with its value."""
    monkeypatch.setenv(name, value)

    said = [f"{name} is {value!r}, which is no number of processes: write a whole number from 1, or unset it"]
    assert found("processes", settings_in(tmp_path)) == ([] if good else said)


def test_a_folder_for_measurements_that_is_not_there(tmp_path: Path) -> None:
    """Said in one sentence before anything is loaded that would fall over it."""
    answer = CliRunner().invoke(main, ["doctor"], env={"PROMETHEUS_MULTIPROC_DIR": str(tmp_path / "none")})

    assert answer.exit_code == 2
    assert answer.stderr.startswith(f"PROMETHEUS_MULTIPROC_DIR is '{tmp_path}/none'")


def test_good_settings_are_let_alone(tmp_path: Path) -> None:
    """Settings of a real club give no sentence in any check that asks no other server."""
    config = settings_in(tmp_path, **FAR, OPERATOR="me@example.org")

    assert {check: found(check, config) for check in ("links", "mail", "keys", "home folder", "DKIM", "Redis")} == {
        check: [] for check in ("links", "mail", "keys", "home folder", "DKIM", "Redis")
    }


def test_a_folder_is_told_of_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """That others can read it doesn't hide that its disk is full, nor how full."""
    tmp_path.chmod(0o755)
    monkeypatch.setattr("shutil.disk_usage", lambda _: SimpleNamespace(free=3_999_999))

    assert found("home folder", settings_in(tmp_path)) == [
        f"{tmp_path} can be read by others: run 'chmod 700 {tmp_path}'",
        f"The disk of {tmp_path} has 3 MB left: make room",
    ]


def test_a_disk_of_small_blocks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Blocks smaller than a page of SQLite's shared memory are named with what to do; PostgreSQL has none of that."""
    config = settings_in(tmp_path)
    assert found("home folder", config) == []
    monkeypatch.setattr(checks, "BLOCK", 2 * config.block)

    (sentence,) = found("home folder", config)

    assert f"blocks of {config.block} B" in sentence
    assert f"mkfs.ext4 -b {2 * config.block}" in sentence
    assert found("home folder", settings_in(tmp_path, DATABASE_URL="postgresql:///pbem")) == []


@pytest.mark.parametrize(("check", "variable", "scheme"), [
    ("SMTP relay", "SMTP_URL", "smtp"), ("IMAP mailbox", "IMAP_URL", "imap"), ("Redis", "REDIS_URL", "redis"),
])  # fmt: skip
def test_servers_that_do_not_answer(check: str, variable: str, scheme: str, tmp_path: Path) -> None:
    """A closed port: the sentence names the setting, never the password."""
    url = f"{scheme}://ada:hunter2@127.0.0.1:{free_port()}"

    config = settings_in(tmp_path, **{variable: url})
    with make_app(config).app_context():
        (sentence,) = found(check, config)

    assert sentence.startswith(variable)
    assert "hunter2" not in sentence


def test_servers_that_answer(
    tmp_path: Path, smtp_sink: mail_servers.Sink, dovecot: mail_servers.Dovecot, redis_url: str
) -> None:
    """Real servers let us in, and the checks are content."""
    config = settings_in(
        tmp_path,
        SMTP_URL=f"smtp://{smtp_sink.host}:{smtp_sink.port}",
        IMAP_URL=f"imap://{dovecot.user}:{dovecot.password}@127.0.0.1:{dovecot.port}/INBOX",
        REDIS_URL=redis_url,
    )

    with make_app(config).app_context():
        assert [found(check, config) for check in ("SMTP relay", "IMAP mailbox", "Redis")] == [[], [], []]


def test_wrong_password_of_the_mailbox(tmp_path: Path, dovecot: mail_servers.Dovecot) -> None:
    """The server answers but doesn't let us in: the sentence says so without the password."""
    url = f"imap://{dovecot.user}:wrong-word@127.0.0.1:{dovecot.port}/INBOX"

    (sentence,) = found("IMAP mailbox", settings_in(tmp_path, IMAP_URL=url))

    assert f"the mailbox at 127.0.0.1, port {dovecot.port}, does not let us in" in sentence
    assert "wrong-word" not in sentence


def test_redis_that_forgets(tmp_path: Path, redis_server: servers.Redis) -> None:
    """A Redis that throws keys away when it is full is named."""
    with redis_server.client() as client:
        client.config_set("maxmemory-policy", "allkeys-lru")
        (sentence,) = found("Redis", settings_in(tmp_path, REDIS_URL=redis_server.url))
        client.config_set("maxmemory-policy", "noeviction")

    assert "noeviction" in sentence


def test_own_keys_that_others_can_read(tmp_path: Path) -> None:
    """The file of signing keys must be its owner's alone."""
    config = settings_in(tmp_path)
    (tmp_path / "secret_keys").write_text("k1:x", encoding="ascii")
    (tmp_path / "secret_keys").chmod(0o644)

    assert found("keys", config) == [
        f"{tmp_path}/secret_keys can be read by others: run 'chmod 600 {tmp_path}/secret_keys'"
    ]


def test_database_that_is_not_set_up(tmp_path: Path) -> None:
    """An empty database: the sentence gives the command."""
    app = make_app(settings_in(tmp_path))
    with app.app_context():
        where, helps = f"sqlite:///{tmp_path}/pbem.sqlite", "set it up with 'pbem db upgrade', or mend DATABASE_URL"
        assert found("database", settings_now()) == [f"The database {where} is empty: {helps}"]
        database.engine.dispose()


def test_database_that_does_not_answer(tmp_path: Path) -> None:
    """A PostgreSQL that isn't there: the address without its password, and what to do."""
    url = f"postgresql://ada:hunter2@127.0.0.1:{free_port()}/pbem"
    app = make_app(settings_in(tmp_path, DATABASE_URL=url))
    with app.app_context():
        (sentence,) = found("database", settings_now())
        database.engine.dispose()

    assert "hunter2" not in sentence
    assert "DATABASE_URL" in sentence


def test_good_postgresql(pg_app: object) -> None:
    """A PostgreSQL that is up to date and tells the same time is let alone."""
    with pg_app.app_context():  # type: ignore[attr-defined]  # a Flask, not loaded for its name alone
        assert found("database", settings_now()) == []


_FULL = "DO $$ BEGIN RAISE EXCEPTION 'could not extend file' USING ERRCODE = '53100'; END $$"


def test_a_database_without_room_is_named(pg_app: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
    """A full disk still answers and lets small changes through: something new is tried, and taken back."""

    def full(*call: Any) -> tuple[str, Any]:
        return _FULL if call[2].startswith("CREATE TEMPORARY") else call[2], call[3]

    with pg_app.app_context():
        event.listen(database.engine, "before_cursor_execute", full, retval=True)
        said = found("database", settings_now())
        event.remove(database.engine, "before_cursor_execute", full)

        assert said == ["The database can store nothing (could not extend file): make room on its disk"]
        assert found("database", settings_now()) == []
        monkeypatch.setattr(outages, "is_full", lambda *_: False)
        event.listen(database.engine, "before_cursor_execute", full, retval=True)
        with pytest.raises(DBAPIError):
            found("database", settings_now())
        event.remove(database.engine, "before_cursor_execute", full)


def test_work_that_stands_still(db: SQLAlchemy, clock: Clock) -> None:
    """No sweep for a while, a letter that should have left, a stuck game: three sentences."""
    now = clock.now
    db.session.add(Pulse(name="sweep_games", at=now - timedelta(minutes=6)))
    db.session.add(
        Letter(
            cause="1:1:1:x",
            kind="receipt",
            data={},
            message_id="m",
            attempts=1,
            next_try_at=now - timedelta(hours=1),
            created_at=now - timedelta(hours=2),
        )
    )
    db.session.add(
        Game(slug="abc", game="amunre", title="T", seats=3, options={}, seed="s", commitment="c", rules_version=1,
             cadence={}, state="stuck", created_at=now)
    )  # fmt: skip
    db.session.commit()

    sweep, letter, stuck = found("work", settings_now())

    assert "No sweep has run since 2026-03-02 11:54 UTC: start 'pbem serve'" in sweep
    assert letter.startswith("A letter should have left 60 min ago")
    assert "pbem game unstick abc" in stuck


def test_the_command_lists_every_check(settings: Config) -> None:
    """One line for each check; a server without a relay is told so, which is a hint and no fault."""
    answer = CliRunner().invoke(main, ["doctor"], env={"PBEM_HOME": str(settings.pbem_home), "SMTP_URL": ""})

    assert answer.exit_code == 0
    lines = answer.stdout.splitlines()
    assert [line[:13].strip() for line in lines] == list(checks.CHECKS)
    assert [line for line in lines if "all well" not in line] == [
        line for line in lines if "SMTP_URL is not set" in line
    ]


def test_checks_that_nobody_reads_on_are_let_go(app: Flask) -> None:
    """As where `head -n 1` has read enough: once the command is over, and without a trace."""
    with app.app_context():
        looked = checks.examine()
        next(looked)
    looked.close()

    assert list(looked) == []


@pytest.mark.parametrize(
    ("faults", "code"),
    [([], 0), ([f"{doctor.HINT}nothing"], 0), (["a fault"], doctor.UNWELL), (["hint", "two"], doctor.UNWELL)],
)
def test_only_a_fault_fails_the_command(faults: list[str], code: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever runs it from a script learns it from the exit code."""
    monkeypatch.setattr(checks, "examine", lambda: [("keys", []), ("links", faults)])

    assert CliRunner().invoke(main, ["doctor"]).exit_code == code


@pytest.fixture
def printed(tmp_path: Path) -> Iterator[dict[str, str]]:
    """The units as files."""
    with pytest.raises(SystemExit) as left:
        main(["doctor", "--units", str(tmp_path / "units")])
    assert left.value.code == 0
    yield {path.name: path.read_text(encoding="utf-8") for path in (tmp_path / "units").iterdir()}
    shutil.rmtree(tmp_path / "units")


def test_units_hold_the_commands_of_the_procfile(printed: dict[str, str]) -> None:
    """One service for each lasting process, with that process's own command, and a target for all."""
    procfile = (Path(units.__file__).parents[3] / "Procfile").read_text(encoding="utf-8")

    backup = {"pbem-backup.service", "pbem-backup.timer"}
    assert set(printed) == {"pbem.target", *backup, *(f"pbem-{name}.service" for name in units.processes(procfile))}
    assert set(units.processes(procfile)) == {"web", "worker", "mailer", "beat", "smtpd"}
    for name, command in units.processes(procfile).items():
        start = re.search(r"ExecStart=/bin/sh -c 'exec (.*)'", printed[f"pbem-{name}.service"])
        assert start is not None
        program, *words = shlex.split(start.group(1))
        assert [Path(program).name, *words] == shlex.split(command.removeprefix(".venv/bin/"))
        assert Path(program).is_file()
        assert f"pbem-{name}.service" in printed["pbem.target"]


def test_a_units_program_may_lie_in_a_folder_with_spaces(monkeypatch: pytest.MonkeyPatch) -> None:
    """The shell takes the whole path for the program."""
    monkeypatch.setattr(sys, "executable", "/srv/our club/.venv/bin/python")

    (command,) = re.findall(r"ExecStart=/bin/sh -c 'exec (.*)'", units.units()["pbem-smtpd.service"])

    assert shlex.split(command) == ["/srv/our club/.venv/bin/pbem", "mail", "listen"]


def test_no_unit_names_a_program_in_a_cache(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """As under `uvx`: setup and doctor refuse in a sentence that says what to do, and nothing is written."""
    cache = tmp_path / "cache"
    (cache / "archive-v0/abc/bin").mkdir(parents=True)
    (cache / "CACHEDIR.TAG").write_text("Signature: 8a477f597d28d172789f06886806bc55")
    answers = (
        "--host",
        "play.example.org",
        "--address",
        "192.0.2.1",
        "--operator",
        "you@example.net",
        "--size",
        "small",
    )
    asked = ("setup", *answers, "--relay", "local", "--server", "nginx", "--out", str(tmp_path / "out"))
    monkeypatch.setattr(sys, "executable", str(cache / "archive-v0/abc/bin/python"))

    refused = [CliRunner().invoke(main, words) for words in (asked, ("doctor", "--units", str(tmp_path / "units")))]

    for said in refused:
        assert (said.exit_code, str(cache) in said.stderr, "uv tool install" in said.stderr) == (2, True, True)
    assert [path.name for path in tmp_path.iterdir()] == ["cache"]
    monkeypatch.setattr(sys, "executable", str(tmp_path / "venv/bin/python"))
    (tmp_path / "venv").mkdir()
    (tmp_path / "venv/CACHEDIR.TAG").touch()  # tools mark what they make too; it is the folders above that count
    assert CliRunner().invoke(main, asked).exit_code == 0


@pytest.mark.parametrize("folder", ["instance", ""])
def test_units_write_where_the_club_is(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, folder: str) -> None:
    """Where nothing names it: in the `instance` of the folder at hand, if there is one, else in a service's own."""
    monkeypatch.delenv("PBEM_HOME", raising=False)
    monkeypatch.chdir(tmp_path)
    (tmp_path / folder).mkdir(exist_ok=True)

    home = tmp_path / folder if folder else Path("/srv/pbem")
    assert f'ReadWritePaths="{home}"' in units.units(small=True)["pbem-serve.service"]


@pytest.mark.parametrize(("caller", "user"), [("anna", "anna"), ("root", "pbem")])
def test_no_unit_runs_as_root(monkeypatch: pytest.MonkeyPatch, caller: str, user: str) -> None:
    """Each runs as who wrote it, or as a user of its own."""
    monkeypatch.setattr("getpass.getuser", lambda: caller)
    services = [text for name, text in units.units().items() if name.endswith(".service")]

    assert len(services) > 5
    assert [re.findall("(?m)^User=(.*)$", text) for text in services] == [[user]] * len(services)


def test_a_small_club_has_one_process_that_takes_mail_too(monkeypatch: pytest.MonkeyPatch) -> None:
    """The unit of `pbem serve` writes in the folder that PBEM_HOME names, and nowhere else."""
    monkeypatch.setenv("PBEM_HOME", "/srv/club")
    made = units.units(small=True)

    assert set(made) == {"pbem-serve.service", "pbem.target", "pbem-backup.service", "pbem-backup.timer"}
    assert "--mail-port 8025" in made["pbem-serve.service"]
    assert 'ReadWritePaths="/srv/club"' in made["pbem-serve.service"]


def test_the_program_of_each_unit_is_sound_shell(printed: dict[str, str]) -> None:
    """The shell finds no fault in any command."""
    for text in printed.values():
        for command in re.findall(r"ExecStart=/bin/sh -c '(.*)'", text):
            subprocess.run(["sh", "-n", "-c", command], check=True)
