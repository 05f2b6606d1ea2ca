from __future__ import annotations

import os
import re
import signal
import smtplib
import sqlite3
import subprocess
import sys
from contextvars import Context
from email import message_from_bytes, policy
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner

from pbem.cli.mail import mail
from pbem.letter_kinds import KINDS
from pbem.letters import delivery
from tests.servers import PATIENCE, answers, free_port, until

if TYPE_CHECKING:
    from pbem.config import Config


def test_every_letter_is_written_for_looking_at(tmp_path: Path) -> None:
    """--all writes each letter as .eml, .html and .txt in each language, and a page that links them."""
    done = CliRunner().invoke(mail, ["preview", "--all", "--game", "priestsofra", "--out", str(tmp_path)])
    index = (tmp_path / "index.html").read_text(encoding="utf-8")

    assert done.exit_code == 0, done.output
    for language in ("en", "it", "fr"):
        folder = tmp_path / "priestsofra" / language
        assert {kind for kind in KINDS if kind != "your_turn"} <= {path.stem for path in folder.glob("*.eml")}
        for path in folder.glob("*.eml"):
            assert {path.with_suffix(ending).exists() for ending in (".html", ".txt")} == {True}
            assert f"priestsofra/{language}/{path.stem}.html" in index


def test_one_letter_is_a_sound_mail(tmp_path: Path) -> None:
    """A single letter is a mail that other programs read, its picture beside it."""
    CliRunner().invoke(
        mail, ["preview", "reminder", "--game", "priestsofra", "--language", "en", "--out", str(tmp_path)]
    )
    folder = tmp_path / "priestsofra" / "en"
    written = message_from_bytes((folder / "reminder.eml").read_bytes(), policy=policy.default)

    assert not written.defects
    assert re.match(r"\[Nile 3\] Reminder: [\w ]+: by \w+ \d+ \w+, \d\d:\d\d", written["Subject"])
    assert (folder / "reminder.png").read_bytes().startswith(b"\x89PNG")
    assert "reminder.png" in (folder / "reminder.html").read_text(encoding="utf-8")


def test_mail_is_listened_for_until_stopped(settings: Config) -> None:
    """`pbem mail listen` takes mail in a process of its own, and stops when asked, in good order."""
    port = free_port()
    to = delivery.addresses_of(settings).seat(1, 2, 0)
    environ = {"PBEM_HOME": str(settings.pbem_home), "MAIL_DOMAIN": settings.mail_domain}
    environ["SECRET_KEYS"] = ":".join(settings.secret_keys[0])
    command = [str(Path(sys.executable).with_name("pbem")), "mail", "listen", "--port", str(port)]
    with subprocess.Popen(command, env=os.environ | environ, stdout=subprocess.PIPE, text=True) as process:
        until(lambda: answers(port), "the door is open")
        with smtplib.SMTP("127.0.0.1", port) as server:
            server.sendmail("anna@example.org", [to], b"Message-ID: <x@y>\r\n\r\nra\r\n")
        process.send_signal(signal.SIGTERM)
        said, _ = process.communicate(timeout=PATIENCE)
    with sqlite3.connect(settings.pbem_home / "pbem.sqlite") as connection:
        rows = connection.execute("SELECT recipient FROM inbound_mails").fetchall()
    connection.close()

    assert rows == [(to,)]
    assert process.returncode == 0
    assert f"Listening for SMTP at 127.0.0.1, port {port}." in said
    assert to not in said


def test_a_mail_that_is_piped_in_is_kept(settings: Config) -> None:
    """For whoever looks for mail next; the same one is here already then."""
    to = delivery.addresses_of(settings).seat(1, 2, 0)
    environ = {"PBEM_HOME": str(settings.pbem_home), "MAIL_DOMAIN": settings.mail_domain, "DATABASE_URL": ""}
    environ["SECRET_KEYS"] = ":".join(settings.secret_keys[0])
    raw, call = b"Message-ID: <x@y>\r\n\r\nra\r\n", ["receive", "--recipient", to]
    said = [Context().run(CliRunner().invoke, mail, call, input=raw, env=environ).output for _ in "12"]

    assert said == ["Kept; it is read within a minute.\n", "This mail is here already.\n"]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["preview", "--out", "x"], "Name one letter, or ask for '--all'"),
        (["preview", "reminder", "--all", "--out", "x"], "Name one letter, or ask for '--all'"),
        (["preview", "postcard", "--out", "x"], "'postcard' is no letter: write one of absence"),
        (["preview", "help", "--game", "chess", "--out", "x"], "'chess' is no game of ours: write one of amunre"),
        (["preview", "help", "--language", "de", "--out", "x"], "'de' is no language of ours: write one of en"),
        (["receive", "--recipient", "a@b.c"], "Standard input is empty: pipe one raw mail into this command"),
    ],
)
def test_wrong_calls_get_one_sentence(arguments: list[str], said: str, tmp_path: Path) -> None:
    """A call that can't be carried out says what is wrong and what to write; nothing is written."""
    wrong = [str(tmp_path / "out") if part == "x" else part for part in arguments]
    done = CliRunner().invoke(mail, wrong, input="")

    assert done.exit_code == 2
    assert said in done.output
    assert not (tmp_path / "out").exists()
