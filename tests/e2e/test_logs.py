"""What the processes say, from their first line to their last: lines of JSON, whichever library says it."""

from __future__ import annotations

import json
from contextlib import suppress
from smtplib import SMTP, SMTPException
from typing import TYPE_CHECKING

import httpx

from tests.e2e.stack import pbem, procfile
from tests.servers import LOOK, PATIENCE, free_port, until

if TYPE_CHECKING:
    from pathlib import Path

    from pbem.config import Config


def is_json(line: str) -> bool:
    """Whether a machine can read a line of a log."""
    try:
        return isinstance(json.loads(line), dict)
    except json.JSONDecodeError:
        return False


def test_every_line_of_the_pages_process_is_json(settings: Config) -> None:
    """It starts, answers and is stopped; gunicorn's own lines, from before there is an app, are no exception."""
    folder = settings.pbem_home
    with procfile(folder, "web", LOG_JSON="yes", WEB_WORKERS="1", REDIS_URL="") as url:
        assert httpx.get(f"{url}/healthz", timeout=60).text == "ok\n"

    lines = (folder / "web.log").read_text(encoding="utf-8").splitlines()
    assert any("gunicorn" in line for line in lines)
    assert [line for line in lines if line.strip() and not is_json(line)] == []


ADDRESS = "somebody@elsewhere.example"


def other_than_json(said: str) -> list[str]:
    """The lines of a log that no machine could read."""
    return [line for line in said.splitlines() if line.strip() and not is_json(line)]


def test_every_line_of_celerys_processes_is_json(settings: Config, redis_url: str) -> None:
    """Worker, mailer and beat begin, sweep, and are stopped: what they greet a person with is no part of the log."""
    folder, names = settings.pbem_home, ("web", "worker", "mailer", "beat")
    with procfile(folder, *names, LOG_JSON="yes", WEB_WORKERS="1", REDIS_URL=redis_url) as url:
        until(
            lambda: httpx.get(f"{url}/readyz", timeout=PATIENCE).json()["last_sweep_s"] is not None,
            "a sweep ran",
            pause=LOOK,
        )

    for name in names:
        said = (folder / f"{name}.log").read_text(encoding="utf-8")
        assert said, name
        assert other_than_json(said) == [], name


def test_the_door_for_mail_logs_as_all_do_and_names_nobody(settings: Config) -> None:
    """A person's mail to an address that nobody has, and one that is broken off, leave neither address in the log."""
    port = free_port()
    with pbem(settings.pbem_home, "mail", "listen", "--port", str(port)) as (run, line):
        assert line == f"Listening for SMTP at 127.0.0.1, port {port}."
        with SMTP("127.0.0.1", port, timeout=PATIENCE) as door, suppress(SMTPException):
            door.sendmail(ADDRESS, ["play.nobody@nile.example"], f"From: {ADDRESS}\r\n\r\nhelp\r\n")
        run.terminate()
        said = run.communicate(timeout=PATIENCE)[1]

    assert "listening for mail" in said
    assert other_than_json(said) == []
    assert ADDRESS not in said
    assert "nobody@nile" not in said


def test_every_line_of_the_one_process_is_json(tmp_path: Path) -> None:
    """`pbem serve` greets on standard output, and logs on standard error."""
    with pbem(tmp_path, "serve", "--port", "0") as (run, line):
        url = line.rpartition(" ")[2]
        assert httpx.get(f"{url}/healthz", timeout=PATIENCE).text == "ok\n"
        run.terminate()
        said = run.communicate(timeout=PATIENCE)[1]

    assert "pages are answered" in said
    assert other_than_json(said) == []
