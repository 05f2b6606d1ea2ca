from __future__ import annotations

import socket
import ssl
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Thread
from urllib.parse import urlsplit

import pytest

from pbem.app import create_app
from pbem.extensions import mail as mailman
from pbem.mail import imap
from pbem.mail.address import Addresses
from pbem.mail.imap import MailboxClosed
from pbem.mail.smtp import DeliveryError, OutgoingMail, Relay
from tests.conftest import settings_in
from tests.servers import PATIENCE

HOST = "127.0.0.2"
"""No name of this machine by which a mailbox is read without TLS."""
KINDS = {
    # each kind of address: the greeting, what is answered before TLS, how the password is told
    "smtp": (b"220 hello\r\n", {b"ehlo": b"250-hello\r\n250 STARTTLS\r\n", b"STARTTLS": b"220 go\r\n"}, b"AUTH"),
    "smtps": (b"220 hello\r\n", {}, b"AUTH"),
    "imap": (b"* OK hello\r\n", {b"CAPABILITY": b"* CAPABILITY IMAP4rev1 STARTTLS\r\n", b"STARTTLS": b""}, b"LOGIN"),
    "imaps": (b"* OK hello\r\n", {}, b"LOGIN"),
}
ANSWERS = {b"ehlo": b"250-hello\r\n250 AUTH PLAIN\r\n", b"CAPABILITY": b"* CAPABILITY IMAP4rev1\r\n"}
"""What is answered once TLS is on."""


@pytest.fixture
def certificate(tmp_path: Path) -> Path:
    """A key and a certificate that nobody signed but itself, in one file."""
    path, key = tmp_path / "certificate.pem", tmp_path / "key.pem"
    what = ("-subj", "/CN=relay", "-addext", f"subjectAltName=IP:{HOST}", "-days", "2", "-nodes")
    subprocess.run(
        ("openssl", "req", "-x509", "-newkey", "rsa:2048", *what, "-keyout", key, "-out", path),
        check=True,
        capture_output=True,
    )
    path.write_text(path.read_text(encoding="ascii") + key.read_text(encoding="ascii"), encoding="ascii")
    return path


@contextmanager
def overhearing(kind: str, certificate: Path) -> Iterator[tuple[str, list[bytes]]]:
    """A server with that certificate: its address, and the lines it is told once TLS is on."""
    heard: list[bytes] = []
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate)
    with socket.create_server((HOST, 0)) as door:
        door.settimeout(PATIENCE)
        thread = Thread(target=_talk, args=(kind, door, context, heard))
        thread.start()
        yield f"{kind}://anna:hunter2@{HOST}:{door.getsockname()[1]}", heard
        thread.join(PATIENCE)
        assert not thread.is_alive()


def _talk(kind: str, door: socket.socket, context: ssl.SSLContext, heard: list[bytes]) -> None:
    """Take one connection, until the other side has heard enough."""
    greeting, before, _ = KINDS[kind]
    line, _address = door.accept()
    line.settimeout(PATIENCE)
    try:
        if before:
            line.sendall(greeting)
            while b"STARTTLS" not in (said := _line(line)):
                line.sendall(_answer(said, before))
            line.sendall(_answer(said, before))
        line = context.wrap_socket(line, server_side=True)
        if not before:
            line.sendall(greeting)
        while said := _line(line):
            heard.append(said)
            line.sendall(_answer(said, ANSWERS))
            if KINDS[kind][2] in said:
                break
    except OSError:
        pass
    finally:
        line.close()


def _line(line: socket.socket) -> bytes:
    """One line of what is told; empty at the end."""
    said = b""
    while not said.endswith(b"\n") and (more := line.recv(1)):
        said += more
    return said


def _answer(said: bytes, answers: dict[bytes, bytes]) -> bytes:
    """What a server says to a line: IMAP ends with the line's tag, and whatever isn't known is refused."""
    words = said.split()
    known = next((answers[word] for word in words[:2] if word in answers), None)
    if words[0] in answers:
        return known or b""
    if words[0].isupper() and not words[0][-1:].isdigit():
        return b"535 5.7.8 wrong password\r\n"
    return (known or b"") + words[0] + (b" NO wrong password\r\n" if known is None else b" OK done\r\n")


def call(url: str, home: Path) -> None:
    """Send a letter by that relay, or look into that mailbox: neither comes about."""
    if urlsplit(url).scheme.startswith("imap"):
        with pytest.raises(MailboxClosed):
            imap.fetch(url, Addresses([("k1", "x" * 32)], "play.example.org"), lambda *_: True)
        return
    with create_app(settings_in(home, SMTP_URL=url), doors=False).app_context(), pytest.raises(DeliveryError):
        Relay(mailman.get_connection()).send(OutgoingMail(1, "b@play.example.org", "anna@example.org", b"x: y\r\n"))


@pytest.mark.parametrize(
    ("url", "port"),
    [
        (f"imap://anna:hunter2@{HOST}", 143),
        ("imap://anna:hunter2@127.0.0.1", 143),
        (f"imaps://anna:hunter2@{HOST}", 993),
        (f"imaps://anna:hunter2@{HOST}:10993", 10993),
    ],
)
def test_a_mailbox_is_looked_for_at_its_port(monkeypatch: pytest.MonkeyPatch, url: str, port: int) -> None:
    """The one that is named, else the usual one of its kind."""
    asked: list[object] = []

    def refused(address: object, *_: object) -> None:
        asked.append(address)
        raise ConnectionRefusedError

    monkeypatch.setattr(socket, "create_connection", refused)
    with pytest.raises(MailboxClosed):
        imap.fetch(url, Addresses([("k1", "x" * 32)], "play.example.org"), lambda *_: True)

    assert asked == [(urlsplit(url).hostname, port)]


@pytest.mark.parametrize("kind", KINDS)
def test_a_password_is_told_to_nobody_with_another_certificate(
    tmp_path: Path, certificate: Path, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    """Whoever stands between us and the relay or the mailbox hears nothing; the one this machine trusts is told."""
    with overhearing(kind, certificate) as (url, heard):
        call(url, tmp_path)
    assert heard == []

    monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
    with overhearing(kind, certificate) as (url, heard):
        call(url, tmp_path)
    assert any(KINDS[kind][2] in line for line in heard)
