from __future__ import annotations

import smtplib
import socket
from collections.abc import Iterator
from typing import Any

import pytest
from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, syntax

from pbem.mail.smtp import DeliveryError, OutgoingMail, Pace, Relay
from tests.servers import LOOPBACK, PATIENCE, free_port

POST = OutgoingMail(1, "bounce.x@play.example.org", "anna@example.org", b"Subject: x\r\n\r\n.Hello\r\n..\r\n.\r\n")


class Server:
    """A mail server that answers each command as told, else takes what it gets."""

    def __init__(self, *extensions: str) -> None:
        """Begin with nothing taken; tell of `extensions` beside those that are there anyway."""
        self.extensions = extensions
        self.answers: dict[str, str] = {}
        self.goes_on = False
        """Whether it asks for a letter though nobody takes it."""
        self.taken: list[tuple[str | None, list[str], object]] = []

    async def handle_EHLO(  # noqa: N802 - aiosmtpd's hook
        self, _server: Any, session: Any, _envelope: Any, hostname: str, responses: list[str]
    ) -> list[str]:
        """Tell what can be done."""
        session.host_name = hostname
        return [*(f"250-{one}" for one in self.extensions), *responses]

    async def handle_MAIL(self, _server: Any, _session: Any, envelope: Any, address: str, _options: Any) -> str:  # noqa: N802 - aiosmtpd's hook
        """Take or refuse a sender."""
        answer = self.answers.get("MAIL", "250 OK")
        envelope.mail_from = address if answer.startswith("2") else None
        return answer

    async def handle_RCPT(self, _server: Any, _session: Any, envelope: Any, address: str, _options: Any) -> str:  # noqa: N802 - aiosmtpd's hook
        """Take or refuse a recipient."""
        answer = self.answers.get("RCPT", "250 OK")
        envelope.rcpt_tos += [address] * (answer.startswith("2") or self.goes_on)
        return answer

    async def handle_DATA(self, _server: Any, _session: Any, envelope: Any) -> str:  # noqa: N802 - aiosmtpd's hook
        """Take or refuse a letter."""
        if "DATA" not in self.answers:
            self.taken.append((envelope.mail_from, envelope.rcpt_tos, envelope.content))
        return self.answers.get("DATA", "250 taken")


class Line(SMTP):
    """A session that may answer DATA itself as told, without taking anything."""

    @syntax("DATA")
    async def smtp_DATA(self, arg: str) -> None:  # noqa: N802 - aiosmtpd's hook
        """Go on, or not."""
        answer = self.event_handler.answers.get("GO ON")
        await (self.push(answer) if answer else super().smtp_DATA(arg))


class Door(Controller):
    """What listens, with such sessions."""

    def factory(self) -> Line:
        """Make one."""
        return Line(self.handler, **self.SMTP_kwargs)


class Backend:
    """A back end that connects to the server, and counts how often."""

    def __init__(self, port: int, *failures: Exception) -> None:
        """Fail to open with each of `failures` in turn, then never."""
        self.port, self.failures = port, list(failures)
        self.connection: smtplib.SMTP | None = None
        self.opened = 0

    def open(self) -> None:
        """Open, if it isn't."""
        if self.failures:
            raise self.failures.pop(0)
        if self.connection is None:
            self.connection = smtplib.SMTP(LOOPBACK, self.port, timeout=PATIENCE)
            self.opened += 1

    def close(self) -> None:
        """Close, if it is open."""
        if self.connection is not None:
            self.connection.close()
        self.connection = None


@pytest.fixture(params=[(), ("PIPELINING",)], ids=["one by one", "at once"])
def server(request: pytest.FixtureRequest) -> Server:
    """A server of its own for each test: one that is told each command by itself, and one that takes them at once."""
    return Server(*request.param)


@pytest.fixture
def port(server: Server) -> Iterator[int]:
    """Where it listens."""
    controller = Door(server, hostname=LOOPBACK, port=free_port(), ready_timeout=PATIENCE)
    controller.start()
    yield controller.port
    controller.stop()


def test_letters_share_one_connection(server: Server, port: int) -> None:
    """One connection is kept open over many letters, each sent to the byte, lines that begin with a dot too."""
    backend = Backend(port)
    relay = Relay(backend, clock=lambda: 100.0)
    for _ in range(3):
        relay.send(POST)
    relay.close()

    assert (backend.opened, server.taken) == (1, [(POST.return_path, [POST.to], POST.raw)] * 3)


def test_an_idle_connection_is_renewed(port: int) -> None:
    """After a minute of silence a new connection is opened instead of a dead one being trusted."""
    times = iter([0.0, 0.0, 100.0, 100.0])
    backend = Backend(port)
    relay = Relay(backend, clock=lambda: next(times))
    relay.send(POST)
    relay.send(POST)
    relay.close()

    assert backend.opened == 2


@pytest.mark.parametrize(
    ("command", "answer", "permanent", "address_refused"),
    [
        ("RCPT", "550 5.1.1 <anna@example.org> unknown", True, True),
        ("RCPT", "552 5.2.2 mailbox full", True, False),
        ("RCPT", "554 5.7.1 policy", True, False),
        ("RCPT", "550 whatever 5.2.2 is", True, True),
        ("RCPT", "450 4.2.1 greylisted", False, False),
        *(("DATA", f"{code} so", code in {500, 599}, False) for code in (499, 500, 599, 600)),
        ("MAIL", "550 5.7.1 not you", True, False),
        ("MAIL", "421 4.3.2 closing", False, False),
        ("GO ON", "250 2.0.0 no go-on, so nothing is taken", False, False),
        ("GO ON", "452 4.3.1 no room", False, False),
        ("GO ON", "554 5.5.1 no valid recipients", True, False),
        ("DATA", "451 4.3.0 later", False, False),
        ("DATA", "554 5.6.0 not like this", True, False),
        *((command, f"550 5.1.1 {'x' * 8192}", False, False) for command in ("MAIL", "RCPT", "GO ON", "DATA")),
    ],
)
def test_what_an_answer_means(
    server: Server,
    port: int,
    command: str,
    answer: str,
    permanent: bool,  # noqa: FBT001 - a table
    address_refused: bool,  # noqa: FBT001 - likewise
) -> None:
    """Every refusal says whether to try again and whether the address is dead; and the next letter goes out."""
    relay = Relay(Backend(port), clock=lambda: 100.0)
    server.answers = {command: answer}
    with pytest.raises(DeliveryError) as raised:
        relay.send(POST)
    server.answers = {}
    relay.send(POST)
    relay.close()

    assert (raised.value.permanent, raised.value.address_refused) == (permanent, address_refused)
    assert "anna" not in str(raised.value)
    assert server.taken == [(POST.return_path, [POST.to], POST.raw)]


def test_a_server_that_asks_for_a_letter_to_nobody_gets_an_empty_one(server: Server, port: int) -> None:
    """RFC 2920 3.1: else it would take the next commands for the letter, and never answer them."""
    relay = Relay(Backend(port), clock=lambda: 100.0)
    server.answers, server.goes_on = {"RCPT": "550 5.1.1 unknown"}, True
    with pytest.raises(DeliveryError, match="550"):
        relay.send(POST)
    server.answers = {}
    relay.send(POST)
    relay.close()

    assert [content for _, _, content in server.taken] == [b"", POST.raw]


@pytest.mark.parametrize(
    "failure",
    [
        smtplib.SMTPAuthenticationError(535, b"5.7.8 wrong password"),
        smtplib.SMTPAuthenticationError(550, b"5.7.0 too many of you"),
        smtplib.SMTPConnectError(554, b"no letters are taken now"),
        smtplib.SMTPHeloError(502, b"not understood"),
        smtplib.SMTPResponseException(554, b"no TLS at present"),
        smtplib.SMTPNotSupportedError("no STARTTLS"),
        smtplib.SMTPServerDisconnected("gone"),
        ConnectionRefusedError("nobody"),
        TimeoutError("slow"),
    ],
)
def test_a_server_that_is_not_reached_is_tried_again(port: int, failure: Exception) -> None:
    """Where no connection comes about, nothing is for good."""
    with pytest.raises(DeliveryError) as raised:
        Relay(Backend(port, failure)).send(POST)

    assert (raised.value.permanent, raised.value.address_refused) == (False, False)


def test_a_broken_connection_is_let_go(server: Server, port: int) -> None:
    """After the connection broke the next letter opens a new one."""
    backend = Backend(port)
    relay = Relay(backend, clock=lambda: 100.0)
    relay.send(POST)
    assert backend.connection is not None
    assert backend.connection.sock is not None
    backend.connection.sock.shutdown(socket.SHUT_RDWR)
    with pytest.raises(DeliveryError, match="the connection failed"):
        relay.send(POST)
    relay.send(POST)
    relay.close()

    assert (backend.opened, len(server.taken)) == (2, 2)


def test_one_domain_is_not_flooded_and_others_go_on() -> None:
    """Letters to one domain leave at the rate set; another domain's don't wait for them."""
    now = [0.0]
    pace = Pace(60, clock=lambda: now[0])
    burst = [pace.wait("a@slow.example") for _ in range(11)]

    assert burst[:10] == [0.0] * 10
    assert burst[10] == pytest.approx(1.0)
    assert pace.wait("a@other.example") == 0.0
    now[0] = 1.0
    assert pace.wait("b@SLOW.example") == 0.0


def test_no_rate_means_no_waiting() -> None:
    """A rate of 0 never waits."""
    pace = Pace(0)

    assert {pace.wait("a@b.c") for _ in range(1000)} == {0.0}
