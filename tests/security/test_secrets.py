"""After a full run over real processes: no token, reply address, mail address or seed in any log or Redis message."""

from __future__ import annotations

import re
import subprocess
from typing import TYPE_CHECKING

import httpx
import pytest

from benchmarks.faults.players import Club
from benchmarks.faults.stage import stage
from pbem.extensions import db
from pbem.store.models import Game, Player
from tests.servers import PATIENCE, until

if TYPE_CHECKING:
    from collections.abc import Iterator
    from email.message import Message

_TOKEN = re.compile(r"/(l|unsubscribe|invitation|address|calendar)/([\w~.\-]{20,})")
_REPLY = re.compile(r"(?:play|bounce)\.[\w.\-]+@club\.example", re.IGNORECASE)


class Traces:
    """What a full run left behind, and the secrets that must not be in it."""

    def __init__(self) -> None:
        """Begin with nothing."""
        self.logs: dict[str, str] = {}
        self.redis = ""
        self.secrets: dict[str, set[str]] = {}


@pytest.fixture(scope="module")
def traces() -> Iterator[Traces]:
    """Play with web, worker, mailer and beat, open every link, send nonsense, and keep logs and Redis' traffic."""
    found = Traces()
    with stage() as on:
        watched = on.folder / "monitor"
        with watched.open("wb") as out:
            monitor = subprocess.Popen(["redis-cli", "-s", str(on.broker.socket), "monitor"], stdout=out)
        try:
            on.cast("worker", "mailer", "web", "beat")
            club = Club(on)
            club.open(2)
            club.play(6)
            club.play(1)
            on.settle()
            until(lambda: len(on.sink.mails) >= 2, "letters of both games")
            texts = [part.get_content() for mail in on.sink.mails for part in mail.parsed.walk() if _is_text(part)]
            tokens = {token: kind for text in texts for kind, token in _TOKEN.findall(text)}
            _open_all(f"http://127.0.0.1:{on.port}", tokens)
            replies = {address for mail in on.sink.mails for address in _REPLY.findall(str(mail.parsed["Reply-To"]))}
            with on.app.app_context():
                seeds = set(db.session.execute(db.select(Game.seed)).scalars())
                people = {address or "" for address in db.session.execute(db.select(Player.address)).scalars()}
            found.secrets = {"token": set(tokens), "reply address": replies, "mail address": people, "seed": seeds}
        finally:
            on.stop()
            monitor.terminate()
            monitor.wait(PATIENCE)
        found.logs = {file.name: file.read_text(encoding="utf-8") for file in on.folder.glob("*.log")}
        found.redis = watched.read_text(encoding="utf-8")
        yield found


def _is_text(part: Message) -> bool:
    return part.get_content_maintype() == "text"


def _open_all(base: str, tokens: dict[str, str]) -> None:
    """Open every token (with the kind of link it came in) as a browser, and with a letter less; ask for nonsense."""
    with httpx.Client(base_url=base, follow_redirects=True, timeout=PATIENCE) as browser:
        for token, kind in sorted(tokens.items()):
            assert browser.get(f"/l/{token}").status_code == (200 if kind == "l" else 404)
            browser.get(f"/l/{token[:-1]}")
            browser.get(f"/nowhere/{token}")
            browser.post(f"/l/{token}", data={"text": "draw"})
        browser.post("/links", data={"address": "p0@p0.example"})


def test_the_run_left_traces_and_secrets(traces: Traces) -> None:
    """There is something to look through, and something to look for."""
    assert {"web.log", "worker.log", "mailer.log", "beat.log"} <= set(traces.logs)
    assert "plies resolved" in traces.logs["worker.log"]
    assert "pbem.jobs.tasks.advance_game" in traces.redis
    assert all(len(secrets) >= 2 for secrets in traces.secrets.values())


@pytest.mark.parametrize("kind", ["token", "reply address", "mail address", "seed"])
def test_no_log_tells(kind: str, traces: Traces) -> None:
    """No log line of any process holds one."""
    told = {name for name, text in traces.logs.items() if any(secret in text for secret in traces.secrets[kind])}

    assert told == set()


@pytest.mark.parametrize("kind", ["token", "reply address", "mail address", "seed"])
def test_no_message_tells(kind: str, traces: Traces) -> None:
    """Nothing that went through Redis holds one."""
    assert [secret for secret in traces.secrets[kind] if secret in traces.redis] == []
