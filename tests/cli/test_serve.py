"""What `pbem serve` says once pages are answered."""

from __future__ import annotations

import socket
from typing import TYPE_CHECKING

from pbem.cli.serve import greeting, listening_socket
from tests.conftest import settings_in

if TYPE_CHECKING:
    from pathlib import Path

    import pytest


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
