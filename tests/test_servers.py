"""The tests' own servers: a port that somebody took is no failure, and one that never starts says why."""

from __future__ import annotations

import socket
from contextlib import ExitStack
from typing import TYPE_CHECKING

import pytest

from tests import mail_servers, servers

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.needs_root
@pytest.mark.parametrize("name", ["postfix", "dovecot"])
def test_a_server_whose_port_is_taken_begins_again_on_another(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Somebody listens on the first port chosen: the server that comes up listens elsewhere."""
    with socket.socket() as stranger, ExitStack() as stack:
        stranger.bind((servers.LOOPBACK, 0))
        stranger.listen()
        taken: int = stranger.getsockname()[1]
        given = [taken]
        monkeypatch.setattr(mail_servers, "free_port", lambda: given.pop() if given else servers.free_port())
        if name == "postfix":
            port = stack.enter_context(mail_servers.postfix(mail_servers.Sink(), tmp_path)).port
        else:
            port = stack.enter_context(mail_servers.dovecot()).port

        assert port != taken
        assert servers.answers(port)


def test_a_server_that_never_starts_says_what_it_said(tmp_path: Path) -> None:
    """After as many tries as there are, the command, its words and the end of its log are in the error."""
    log, tries = tmp_path / "log", []

    def start(_own: ExitStack) -> None:
        tries.append(1)
        log.write_text(f"try {len(tries)}: no such cluster", encoding="utf-8")
        servers.must_run("sh", "-c", "echo the disk is full >&2; exit 3", log=log)

    with (
        pytest.raises(servers.NotStarted, match=r"(?s)exit 3 the disk is full.*try 3: no such cluster"),
        ExitStack() as stack,
    ):
        servers.started(start, stack, tries=3)
    assert len(tries) == 3
