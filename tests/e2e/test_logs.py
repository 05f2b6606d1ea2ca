"""What the processes say, from their first line to their last: lines of JSON, whichever library says it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import httpx

from tests.e2e.stack import procfile

if TYPE_CHECKING:
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
