"""Log lines carry the ids of games and plies, and never a link, an address, an order or a password."""

from __future__ import annotations

import json
import logging
import re
import warnings
from typing import TYPE_CHECKING, Any
from unittest.mock import Mock

import pytest
import structlog
from flask import request
from gunicorn.config import Config as GunicornConfig  # type: ignore[import-untyped]  # it ships no types

from pbem import logs
from pbem.server_log import ServerLogger
from tests.test_house import HOME

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from flask import Flask


@pytest.fixture(autouse=True)
def _configured() -> Iterator[None]:
    root = logging.getLogger()
    before = (list(root.handlers), root.level)
    root.setLevel(logging.CRITICAL)
    for name in logs._TALKATIVE:
        logging.getLogger(name).setLevel(logging.NOTSET)
    logging.captureWarnings(capture=False)
    logs.configure(json=True)
    yield
    root.handlers[:], root.level = before
    structlog.reset_defaults()


def line(capsys: pytest.CaptureFixture[str]) -> dict[str, Any]:
    """The one line that was logged."""
    found: dict[str, Any] = json.loads(capsys.readouterr().err)
    found.pop("message", None)  # pytest's own handler leaves it in the record
    return found


def test_ids_stand_in_the_line(capsys: pytest.CaptureFixture[str]) -> None:
    """What was logged with keywords, and what was bound before, comes out as JSON with level and time."""
    with structlog.contextvars.bound_contextvars(game=7):
        structlog.get_logger("pbem.jobs.tasks").info("advanced", plies=3)

    logged = line(capsys)
    assert logged.pop("timestamp").endswith("Z")
    assert logged == {"event": "advanced", "game": 7, "plies": 3, "level": "info", "logger": "pbem.jobs.tasks"}


@pytest.mark.parametrize("key", sorted(logs.NEVER))
def test_secret_values_are_left_out(key: str, capsys: pytest.CaptureFixture[str]) -> None:
    """A value under the name of a secret never reaches the line, whoever logs it."""
    structlog.get_logger("x").warning("kept", **{key: "bid 6 on Memphis", "game": 1})

    assert set(line(capsys)) == {"event", "game", "level", "logger", "timestamp"}


@pytest.mark.parametrize(
    ("said", "logged"),
    [
        ("GET /l/eyJ.abc-def_x HTTP/1.1", "GET /l/[link] HTTP/1.1"),
        ("GET /letters/eyJ.py-def_x HTTP/1.1", "GET /letters/[link] HTTP/1.1"),
        ('File "/srv/pbem/letters/delivery.py", line 7', 'File "/srv/pbem/letters/delivery.py", line 7'),
        ("http://h/invitation/abc.def?to=x", "http://h/invitation/[link]?to=x"),
        ("POST /mail/unsubscribe/abc.def", "POST /mail/unsubscribe/[link]"),
        ("GET /feed/eyJ.abc-def_x.atom HTTP/1.1", "GET /feed/[link] HTTP/1.1"),
        ("to Ada.B+c@Example.org and <play.abcdef@club.example>", "to [address] and <[address]>"),
        ("postgresql://pbem:hunter2@db/pbem refused", "postgresql://pbem:[password]@db/pbem refused"),
        ("nothing secret: game 3, ply 4", "nothing secret: game 3, ply 4"),
    ],
)
def test_secrets_inside_texts_are_blotted(said: str, logged: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Links, addresses and passwords inside any library's own message are blotted out."""
    logging.getLogger("gunicorn.access").warning("%s", said)

    assert line(capsys)["event"] == logged


def test_every_address_that_is_a_key_is_blotted(app: Flask) -> None:
    """Whatever page takes a token in its path, a line about it shows none, nginx none, and the manual says so."""
    keyed = [rule.rule for rule in app.url_map.iter_rules() if "<token>" in rule.rule]
    nginx = (HOME / "pbem/cli/setup_files/nginx.j2").read_text(encoding="utf-8").replace("{{ keys }}", logs.KEYS)
    (unwritten,) = re.findall(r"(?m)location ~ (\S+) \{\n +access_log off;", nginx)
    told = (HOME / "docs/operating.md").read_text(encoding="utf-8").partition("keep no log of")[2].partition("\n\n")[0]

    assert len(keyed) >= 5
    for path in keyed:
        assert re.search(unwritten, path)
        assert f"`{path.partition('<')[0]}`" in told
        said = logs.without_secrets("GET " + path.replace("<token>", "eyJ.abc-def_x"))
        assert "abc-def" not in said
        assert "[link]" in said


def test_secrets_in_a_traceback_are_blotted(capsys: pytest.CaptureFixture[str]) -> None:
    """An exception's text is scrubbed like any other."""
    try:
        int("ada@example.org")
    except ValueError:
        logging.getLogger("x").exception("failed")

    assert "with base 10: '[address]'" in line(capsys)["exception"]


def test_what_a_library_tells_at_length_is_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    """The first of its lines, and no trace of where it met a broker that is gone, as Celery does every few seconds."""
    logging.getLogger("celery.beat").error("Message Error: %s\n%r", "Redis is full", ["  File x, line 1"])
    assert line(capsys)["event"] == "Message Error: Redis is full"

    lost = ConnectionError("gone\nfor good")
    logging.getLogger("kombu.transport.redis").warning("will retry", exc_info=lost)
    said = line(capsys)
    assert (said["event"], said["fault"], "exception" in said) == ("will retry", "ConnectionError: gone", False)


@pytest.mark.parametrize("name", logs._TALKATIVE)
def test_of_talkative_libraries_only_warnings_are_kept(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    """What they tell of each step is left out."""
    logging.getLogger(name).info("one more step")
    logging.getLogger(name).warning("stumbled")

    assert line(capsys)["event"] == "stumbled"


def test_a_warning_is_a_line(capsys: pytest.CaptureFixture[str]) -> None:
    """What Python and its libraries warn of goes where all goes."""
    with warnings.catch_warnings():
        warnings.simplefilter("always")
        logging.captureWarnings(capture=False)  # pytest looks at them, too
        logs.configure(json=True)
        warnings.warn("old", stacklevel=1)
        logging.captureWarnings(capture=False)

    said = line(capsys)
    assert (said["logger"], "UserWarning: old" in said["event"]) == ("py.warnings", True)


def test_a_log_that_cannot_be_written_stops_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither where the terminal is gone nor where standard error was closed."""
    gone = Mock(write=Mock(side_effect=[OSError("gone"), ValueError("closed")]))
    monkeypatch.setattr("sys.stderr", gone)
    for _ in range(2):
        logging.getLogger("x").warning("unheard")

    assert gone.write.call_count == 2


def test_configured_twice_logs_once(capsys: pytest.CaptureFixture[str]) -> None:
    """An app made again doesn't double the lines, and other handlers stay."""
    other = logging.NullHandler()
    logging.getLogger().addHandler(other)
    logs.configure(json=True)
    logging.getLogger("x").warning("once")

    assert line(capsys)["event"] == "once"
    assert other in logging.getLogger().handlers


def test_gunicorns_lines_are_like_all_others(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Once, in JSON or for a person's eyes, though its loggers come before there is an app; as loud as it is told."""
    monkeypatch.setenv("PBEM_HOME", str(tmp_path))
    loud = GunicornConfig()
    loud.set("loglevel", "error")
    for json_lines in ("yes", "no"):
        monkeypatch.setenv("LOG_JSON", json_lines)
        logger = ServerLogger(loud)
        logger.warning("not worth a line")
        logger.error("Worker %s is gone", 7)
        told = capsys.readouterr().err
        assert "Worker 7 is gone" in told
        assert (told.count("\n"), told.startswith("{")) == (1, json_lines == "yes"), told
    logger.error_log.propagate = False


KEY = "WzEsMF0xyzzy.awL9kw.y-9y5Gy-cuWyOgWt1YxHaOyi-FnDhRWBqMk7"
ADDRESS = "xyzzy.somebody@home.example"


def test_no_door_and_no_failure_logs_a_key(
    app: Flask,
    db: object,  # noqa: ARG001 - pages look into it
    capsys: pytest.CaptureFixture[str],
    caplog: pytest.LogCaptureFixture,
) -> None:
    """Every route, asked and broken, with a token in its path and an address in its form: no line shows either."""
    app.testing, app.config["WTF_CSRF_ENABLED"] = False, False
    app.config["PROPAGATE_EXCEPTIONS"] = False
    caplog.set_level(logging.DEBUG)
    views = dict(app.view_functions)

    def broken(**_holes: object) -> str:
        raise RuntimeError(f"{request.url} for {ADDRESS}, Reply-To <play.{KEY}@club.example>")

    for rule in app.url_map.iter_rules():
        holes = {name: f"t1~{KEY}" if name == "token" else 1 for name in rule.arguments}
        _, path = rule.build(holes) or ("", "")
        for method in {"GET", "POST"} & (rule.methods or set()):
            for view in (views[rule.endpoint], broken):
                app.view_functions[rule.endpoint] = view
                sent = {"address": ADDRESS, "email": ADDRESS, "code": KEY} if method == "POST" else None
                app.test_client().open(path, method=method, data=sent, headers={"Authorization": f"Bearer {KEY}"})
                app.view_functions[rule.endpoint] = views[rule.endpoint]  # the API's description is made of them, once
    told = capsys.readouterr()

    assert told.err.count("RuntimeError") > 100
    assert [one for one in (told.err + told.out).splitlines() if "xyzzy" in one] == []
