"""What lies outside of a server: its DNS as the manual had it published, the mailboxes of its people, a browser."""

from __future__ import annotations

import re
import ssl
import subprocess
import threading
from contextlib import contextmanager
from pathlib import Path
from socket import AF_INET, SOCK_DGRAM, socket
from typing import TYPE_CHECKING

import dns.flags
import dns.message
import dns.name
import dns.rdatatype
import dns.reversename
import dns.rrset
from aiosmtpd.controller import Controller

from tests.deploy.debian import INSIDE, WORLD
from tests.mail_servers import Sink

if TYPE_CHECKING:
    from collections.abc import Iterator

_RECORD = re.compile(r"(\S+\.)\s+(A|MX|TXT)\s+(.+)")
_CHUNK = 250
"""A TXT record is made of strings of at most 255 bytes."""


class Names:
    """The records that can be asked for."""

    def __init__(self) -> None:
        """Begin with the operator's own provider, which takes mail at `WORLD`."""
        self.records: dict[tuple[str, str], list[str]] = {}
        self.publish(f"example.org. MX 10 mx.example.org.\nmx.example.org. A {WORLD}\n")

    def publish(self, text: str) -> None:
        """Take in the records of a zone file, or of a dns.txt: lines that are none are left out."""
        for name, kind, value in _RECORD.findall(text):
            quoted = value.strip().strip('"')
            parts = [quoted[start : start + _CHUNK] for start in range(0, len(quoted), _CHUNK)]
            said = " ".join(f'"{part}"' for part in parts) if kind == "TXT" else value.strip()
            self.records.setdefault((name, kind), []).append(said)

    def name_back(self, address: str, host: str) -> None:
        """Set the reverse entry of an address, as its provider does."""
        self.records[dns.reversename.from_address(address).to_text(), "PTR"] = [f"{host}."]

    def answer(self, raw: bytes) -> bytes:
        """One answer to one question."""
        query = dns.message.from_wire(raw)
        reply = dns.message.make_response(query)
        reply.flags |= dns.flags.AA | dns.flags.RA
        asked = query.question[0]
        found = self.records.get((asked.name.to_text().lower(), dns.rdatatype.to_text(asked.rdtype)), [])
        if found:
            reply.answer.append(dns.rrset.from_text(asked.name, 60, "IN", asked.rdtype, *found))
        return reply.to_wire()


@contextmanager
def name_server(at: tuple[str, int] = (WORLD, 53)) -> Iterator[Names]:
    """Answer questions by UDP."""
    names = Names()
    with socket(AF_INET, SOCK_DGRAM) as door:
        door.bind(at)
        door.settimeout(0.2)
        stop = threading.Event()

        def serve() -> None:
            while not stop.is_set():
                try:
                    raw, sender = door.recvfrom(4096)
                except TimeoutError:
                    continue
                door.sendto(names.answer(raw), sender)

        thread = threading.Thread(target=serve)
        thread.start()
        try:
            yield names
        finally:
            stop.set()
            thread.join()


@contextmanager
def mailboxes(at: tuple[str, int] = (WORLD, 25)) -> Iterator[Sink]:
    """Take every mail."""
    sink = Sink()
    controller = Controller(sink, hostname=at[0], port=at[1], ready_timeout=30)
    controller.start()
    try:
        yield sink
    finally:
        controller.stop()


def authority(folder: Path) -> None:
    """Make an authority that signs certificates, in place of a public one."""
    subject = ("-subj", "/CN=an authority for tests")
    make = ("openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "30", *subject)
    subprocess.run((*make, "-keyout", folder / "ca.key", "-out", folder / "ca.crt"), check=True, capture_output=True)


def fetch(
    folder: Path, host: str, path: str, *, secure: bool = True, at: str = INSIDE
) -> tuple[int, dict[str, str], str]:
    """Open a page of the server at its public address as a browser does: status, headers and text."""
    from http.client import HTTPConnection, HTTPSConnection  # noqa: PLC0415 - of this function alone

    if secure:
        trust = ssl.create_default_context(cafile=folder / "ca.crt")
        line: HTTPConnection = HTTPSConnection(host, 443, timeout=30, context=trust)
        line._create_connection = lambda _where, *rest: _connect((at, 443), *rest)  # type: ignore[attr-defined]  # the name is not in this machine's DNS
    else:
        line = HTTPConnection(at, 80, timeout=30)
    line.request("GET", path, headers={"Host": host})
    answer = line.getresponse()
    return answer.status, dict(answer.getheaders()), answer.read().decode("utf-8", "replace")


def _connect(where: tuple[str, int], timeout: float | None = None, _source: object = None) -> socket:
    from socket import create_connection  # noqa: PLC0415 - as above

    return create_connection(where, timeout)
