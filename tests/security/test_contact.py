"""Who finds a hole can tell somebody: what SECURITY.md points at, and where mail to it ends."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from pbem.cli.operator.setup import Answers, write
from tests.cli.test_game import Terminal
from tests.conftest import _open, settings_in
from tests.test_house import HOME

if TYPE_CHECKING:
    from pathlib import Path

OPERATOR = "you@example.org"


@pytest.mark.parametrize("large", [False, True], ids=["small", "large"])
def test_the_contact_is_the_operators_mailbox(tmp_path: Path, *, large: bool) -> None:
    """What SECURITY.md names is served by the settings that setup writes; postmaster and abuse lead there too."""
    answers = Answers(
        host="play.example.org", address="192.0.2.7", operator=OPERATOR, large=large, relay="", server="nginx"
    )
    write(answers, tmp_path)
    lines = dict(line.split("=", 1) for line in (tmp_path / "pbem.env").read_text(encoding="utf-8").splitlines())
    policy = (HOME / "SECURITY.md").read_text(encoding="utf-8")
    path, setting, *_ = re.findall(r"`(/[^`]+|[A-Z_]+)`", policy)
    assert lines[setting] == OPERATOR

    for app in _open(settings_in(tmp_path, **{setting: lines[setting]})):
        told = app.test_client().get(path)
        assert re.findall(r"(?m)^Contact: mailto:(.+)$", told.text) == [OPERATOR]
    mail_server = (tmp_path / "postfix.sh").read_text(encoding="utf-8")
    aliases = dict(re.findall(r"\{([^{}=\s]+@[^{}=\s]+)=([^{}=\s]+)\}", mail_server))
    assert aliases == {f"{name}@play.example.org": OPERATOR for name in ("postmaster", "abuse")}


def test_a_contact_whose_mail_nobody_reads_is_refused(tmp_path: Path) -> None:
    """Mail to the server's own name goes to pbem, which reads answers to its letters and nothing else."""
    asked = ("--host", "play.example.org", "--address", "192.0.2.7", "--size", "small", "--relay", "local")
    folder = tmp_path / "setup"

    said = Terminal(tmp_path)(
        "setup", *asked, "--server", "nginx", "--out", str(folder), "--operator", "me@Play.example.org"
    )

    assert said.code == 2
    assert "me@Play.example.org lies at play.example.org" in said.err
    assert not folder.exists()
