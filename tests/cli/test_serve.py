"""`pbem serve`: what it opens, says and ends."""

from __future__ import annotations

import errno
import os
import signal
import smtplib
import socket
from functools import partial
from threading import Thread
from typing import TYPE_CHECKING
from unittest.mock import Mock

import click
import httpx
import pytest
import waitress
from waitress import wasyncore

from pbem.cli.serve import base_url, greeting, listening_socket, serve_in_one_process, set_up_database
from tests.cli.test_game import Terminal
from tests.conftest import settings_in
from tests.servers import PATIENCE, answers, free_port

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


def test_serve_says_where_letters_stay_without_a_relay(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without SMTP_URL the second line names it and the folder; with it there is the address alone."""
    monkeypatch.setenv("BASE_URL", "https://play.example.org")
    opened = "The club is open at https://play.example.org"

    assert greeting(settings_in(tmp_path, SMTP_URL="smtp://relay.example.org:25")) == opened
    first, second = greeting(settings_in(tmp_path)).splitlines()
    assert first == opened
    assert second.startswith("SMTP_URL is not set:")
    assert second.endswith(f"{tmp_path}/mailbox")


def test_a_server_that_starts_anew_gets_its_port_back() -> None:
    """Also while the system still holds what the one before was answering; and its children inherit the door."""
    with listening_socket("127.0.0.1", 0) as door:
        assert door.getsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR)
        assert door.get_inheritable()


@pytest.mark.parametrize(
    ("fault", "says"),
    [
        (errno.EADDRINUSE, "Port 25 is in use: stop what listens there, or choose another one with '--port'"),
        (errno.EACCES, "Port 25 is kept for root: choose one above 1023 with '--port'"),
        (
            errno.EADDRNOTAVAIL,
            "203.0.113.1, port 25 can't be listened at (gone): choose an address of this machine with '--host'",
        ),
    ],
)
def test_a_door_that_cannot_be_opened_says_why(monkeypatch: pytest.MonkeyPatch, fault: int, says: str) -> None:
    """Taken, not ours to take, or at no address of this machine; and nothing is left open."""
    doors = []

    class Shut(socket.socket):
        def bind(self, _address: object) -> None:
            doors.append(self)
            raise OSError(fault, "gone")

    monkeypatch.setattr(socket, "socket", Shut)
    with pytest.raises(click.UsageError) as refused:
        listening_socket("203.0.113.1", 25)

    assert refused.value.message == says
    assert [door.fileno() for door in doors] == [-1]


@pytest.fixture
def _ends_with_the_test(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """What ends with its process otherwise: signals mean what they meant before, and no connection is left open."""
    before, held = signal.getsignal(signal.SIGTERM), dict[int, object]()
    monkeypatch.setattr("waitress.create_server", partial(waitress.create_server, map=held))
    yield
    signal.signal(signal.SIGTERM, before)
    wasyncore.close_all(held)


@pytest.mark.usefixtures("_ends_with_the_test")
def test_one_process_serves_pages_takes_mail_and_works(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In a folder where nothing was, until somebody asks it to end; then the worker and the door for mail end, too."""
    for name, value in Terminal(tmp_path).environ.items():
        monkeypatch.setenv(name, value)
    threads, at, found = Mock(), ("127.0.0.1", free_port()), []
    monkeypatch.setattr("pbem.jobs.embedded.Embedded", threads)

    def look() -> None:
        try:
            with httpx.Client() as browser, smtplib.SMTP(*at, timeout=PATIENCE) as relay:
                found.extend([browser.get(f"{url}/", timeout=PATIENCE).status_code, relay.noop()[0]])
        finally:
            os.kill(os.getpid(), signal.SIGTERM)

    with listening_socket("127.0.0.1", 0) as door:
        url = base_url("127.0.0.1", door)
        serve_in_one_process(door, prepare=set_up_database, ready=Thread(target=look).start, mail_at=at)

    assert found == [200, 250]
    assert [name for name, _, _ in threads.mock_calls] == ["", "().start", "().stop"]
    assert not answers(at[1])
