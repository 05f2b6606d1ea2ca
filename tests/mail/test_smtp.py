from __future__ import annotations

import smtplib

import pytest

from pbem.mail.smtp import DeliveryError, OutgoingMail, Pace, Relay

POST = OutgoingMail(1, "bounce.x@play.example.org", "anna@example.org", b"Subject: x\r\n\r\nHello\r\n")


class Backend:
    """A back end, and its connection, that notes what happens to it and fails as told."""

    def __init__(self, *failures: Exception | None) -> None:
        """Fail with each of `failures` in turn, then never."""
        self.failures = list(failures)
        self.connection: Backend | None = None
        self.opened = self.closed = 0
        self.sent: list[tuple[str, list[str], bytes]] = []

    def open(self) -> None:
        """Open, if it isn't."""
        self.opened += self.connection is None
        self.connection = self

    def close(self) -> None:
        """Close, if it is open."""
        self.closed += self.connection is not None
        self.connection = None

    def sendmail(self, sender: str, to: list[str], raw: bytes) -> None:
        """Send, or fail as told."""
        failure = self.failures.pop(0) if self.failures else None
        if failure:
            raise failure
        self.sent.append((sender, to, raw))


def test_letters_share_one_connection() -> None:
    """One connection is kept open over many letters, each sent to the byte."""
    backend = Backend()
    relay = Relay(backend, clock=lambda: 100.0)
    for _ in range(3):
        relay.send(POST)

    assert (backend.opened, backend.sent) == (1, [(POST.return_path, [POST.to], POST.raw)] * 3)


def test_an_idle_connection_is_renewed() -> None:
    """After a minute of silence a new connection is opened instead of a dead one being trusted."""
    times = iter([0.0, 0.0, 100.0, 100.0])
    backend = Backend()
    relay = Relay(backend, clock=lambda: next(times))
    relay.send(POST)
    relay.send(POST)

    assert backend.opened == 2


@pytest.mark.parametrize(
    ("failure", "permanent", "address_refused"),
    [
        (smtplib.SMTPRecipientsRefused({"a": (550, b"5.1.1 <anna@example.org> unknown")}), True, True),
        (smtplib.SMTPRecipientsRefused({"a": (552, b"5.2.2 mailbox full")}), True, False),
        (smtplib.SMTPRecipientsRefused({"a": (554, b"5.7.1 policy")}), True, False),
        (smtplib.SMTPRecipientsRefused({"a": (450, b"4.2.1 greylisted")}), False, False),
        (smtplib.SMTPDataError(451, b"4.3.0 later"), False, False),
        (smtplib.SMTPDataError(554, b"5.6.0 not like this"), True, False),
        (smtplib.SMTPSenderRefused(421, b"4.3.2 closing", "x"), False, False),
        (smtplib.SMTPAuthenticationError(535, b"5.7.8 wrong password"), False, False),
        (smtplib.SMTPServerDisconnected("gone"), False, False),
        (ConnectionRefusedError("nobody"), False, False),
        (TimeoutError("slow"), False, False),
    ],
)
def test_what_a_failure_means(failure: Exception, permanent: bool, address_refused: bool) -> None:  # noqa: FBT001 - a table
    """Every failure says whether to try again and whether the address is dead; no address is repeated."""
    with pytest.raises(DeliveryError) as raised:
        Relay(Backend(failure)).send(POST)

    assert (raised.value.permanent, raised.value.address_refused) == (permanent, address_refused)
    assert "anna" not in str(raised.value)


def test_a_broken_connection_is_let_go() -> None:
    """After the connection broke the next letter opens a new one."""
    backend = Backend(smtplib.SMTPServerDisconnected("gone"))
    relay = Relay(backend, clock=lambda: 100.0)
    with pytest.raises(DeliveryError):
        relay.send(POST)
    relay.send(POST)

    assert (backend.opened, len(backend.sent)) == (2, 1)


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
