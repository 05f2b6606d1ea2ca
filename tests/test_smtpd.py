from __future__ import annotations

import asyncio
import gc
import json
import smtplib
import socket
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import func, select
from sqlalchemy.exc import OperationalError

from pbem import smtpd
from pbem.extensions import db
from pbem.letters import delivery
from pbem.mail.address import Addresses
from pbem.store.models import Inbound
from tests.servers import PATIENCE, free_port, until

if TYPE_CHECKING:
    from collections.abc import Iterator

    from flask import Flask

    from pbem.config import Config

LATER = smtpd.LATER.removeprefix("451 ").encode()
MAIL = b"From: anna@example.org\r\nMessage-ID: <one@x>\r\n\r\nra\r\n"


@pytest.fixture
def addresses(settings: Config) -> Addresses:
    """The app's reply addresses."""
    return delivery.addresses_of(settings)


@contextmanager
def listening(app: Flask, *, lmtp: bool = False) -> Iterator[int]:
    """The port at which the app's door for mail listens."""
    port = free_port()
    door = smtpd.listen(app, "127.0.0.1", port, lmtp=lmtp)
    try:
        yield port
    finally:
        door.stop()


@pytest.fixture
def smtp(app: Flask) -> Iterator[smtplib.SMTP]:
    """A connection to the app's SMTP door."""
    with listening(app) as port, smtplib.SMTP("127.0.0.1", port) as server:
        server.ehlo()
        yield server


@pytest.fixture
def lmtp(app: Flask) -> Iterator[smtplib.LMTP]:
    """A connection to the app's LMTP door."""
    with listening(app, lmtp=True) as port, smtplib.LMTP("127.0.0.1", port) as server:
        server.ehlo()
        yield server


def kept(app: Flask) -> list[tuple[str, str, bytes]]:
    """What came in: sender, recipient, raw."""
    with app.app_context():
        rows = db.session.execute(select(Inbound.sender, Inbound.recipient, Inbound.raw).order_by(Inbound.id)).all()
    return [(row.sender, row.recipient, row.raw) for row in rows]


def test_mail_for_us_is_kept_to_the_byte(app: Flask, smtp: smtplib.SMTP, addresses: Addresses) -> None:
    """What the door takes is in the database, raw, before it says so."""
    to = addresses.seat(1, 2, 0)
    smtp.sendmail("anna@example.org", [to], MAIL)

    assert kept(app) == [("anna@example.org", to, MAIL)]


def test_the_null_sender_is_kept_as_such(app: Flask, smtp: smtplib.SMTP, addresses: Addresses) -> None:
    """A bounce's MAIL FROM:<> is known to be nobody."""
    smtp.sendmail("", [addresses.bounce(7)], MAIL)

    assert [sender for sender, _, _ in kept(app)] == [""]


def test_the_same_mail_again_is_taken_and_not_kept_twice(app: Flask, smtp: smtplib.SMTP, addresses: Addresses) -> None:
    """A server that didn't hear our answer sends again: it gets its 250, and there is one mail."""
    for _ in range(3):
        smtp.sendmail("anna@example.org", [addresses.seat(1, 2, 0)], MAIL)

    assert len(kept(app)) == 1


@pytest.mark.parametrize("address", ["play@club.example", "play.aaaa@club.example", "anna@elsewhere.example"])
def test_what_is_not_ours_is_refused_at_once(smtp: smtplib.SMTP, address: str) -> None:
    """No address of ours: 550 in words at RCPT, before any text."""
    smtp.mail("anna@example.org")
    code, said = smtp.rcpt(address)

    assert code == 550
    assert b"newest letter" in said


def test_a_mail_over_the_limit_is_refused_by_its_size(smtp: smtplib.SMTP, addresses: Addresses) -> None:
    """SIZE is announced and held to."""
    with pytest.raises(smtplib.SMTPException) as refused:
        smtp.sendmail("anna@example.org", [addresses.seat(1, 2, 0)], b"x\r\n" * 4_000_000)

    assert str(refused.value).startswith("(552, ")


def test_too_many_recipients_are_put_off(smtp: smtplib.SMTP, addresses: Addresses) -> None:
    """A player answers one letter at a time."""
    smtp.mail("anna@example.org")
    codes = [smtp.rcpt(addresses.seat(number, 2, 0))[0] for number in range(12)]

    assert codes == [250] * 10 + [452] * 2


def test_unfolded_lines_are_borne(app: Flask, smtp: smtplib.SMTP, addresses: Addresses) -> None:
    """Lines longer than RFC 5321 allows are taken: mail programs write them."""
    smtp.sendmail("anna@example.org", [addresses.seat(1, 2, 0)], MAIL + b"x" * 20_000 + b"\r\n")

    assert len(kept(app)) == 1


def test_lmtp_answers_for_each_recipient(app: Flask, lmtp: smtplib.LMTP, addresses: Addresses) -> None:
    """RFC 2033: one reply after DATA for every recipient; the connection goes on in step."""
    to = [addresses.seat(1, 2, 0), addresses.seat(2, 2, 0)]
    lmtp.mail("anna@example.org")
    assert [lmtp.rcpt(address)[0] for address in to] == [250, 250]
    lmtp.putcmd("data")
    assert lmtp.getreply()[0] == 354
    lmtp.send(MAIL + b".\r\n")

    assert [lmtp.getreply()[0] for _ in to] == [250, 250]
    assert lmtp.noop()[0] == 250
    assert [recipient for _, recipient, _ in kept(app)] == to


@pytest.mark.parametrize(
    ("fault", "lines", "said"),
    [
        (OperationalError(None, {}, ConnectionError("gone")), 1, "the database can't be reached: start it, and games"),
        (OperationalError("insert", {}, ConnectionError("lock")), 3, "a mail could not be kept"),
        (RuntimeError("no thread"), 3, "a mail could not be kept"),
    ],
    ids=["out of reach", "this statement", "no room for a thread"],
)
def test_what_cant_be_kept_is_sent_again(
    smtp: smtplib.SMTP,
    addresses: Addresses,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    fault: Exception,
    lines: int,
    said: str,
) -> None:
    """What can't be stored is not taken: 451, and nothing is lost; an outage is told once, not mail by mail."""

    def gone(*_: object, **__: object) -> None:
        raise fault

    monkeypatch.setattr("pbem.inbound.receive.receive", gone)
    for _ in range(3):
        with pytest.raises(smtplib.SMTPDataError) as refused:
            smtp.sendmail("anna@example.org", [addresses.seat(1, 2, 0)], MAIL)
        assert (refused.value.smtp_code, refused.value.smtp_error) == (451, LATER)
    told = [json.loads(line) for line in capsys.readouterr().err.splitlines()]

    assert [line["event"].startswith(said) for line in told] == [True] * lines
    assert {line.get("during") for line in told} <= {None, "receiving mail"}


def test_no_address_is_logged(
    app: Flask, addresses: Addresses, caplog: pytest.LogCaptureFixture, capsys: pytest.CaptureFixture[str]
) -> None:
    """Reply addresses are credentials: neither they nor senders reach a log, whatever its level."""
    caplog.set_level("DEBUG")
    caplog.set_level("NOTSET", "mail.log")  # as it is in a process that has not listened yet
    to = addresses.seat(1, 2, 0)
    with listening(app) as port, smtplib.SMTP("127.0.0.1", port) as smtp:
        smtp.sendmail("anna@example.org", [to], MAIL)
        smtp.mail("bruno@example.org")
        smtp.rcpt("play.nothing@club.example")
    logged = caplog.text + capsys.readouterr().out

    assert not any(secret in logged for secret in (to, "anna@example.org", "bruno@example.org", "play.nothing"))


def heard(connection: socket.socket) -> bytes:
    """What the door says until it closes the connection."""
    said = b""
    while more := connection.recv(1000):
        said += more
    return said


@pytest.mark.parametrize("protocol", [False, True], ids=["smtp", "lmtp"])
def test_one_connection_too_many_is_told_so_and_closed(
    app: Flask, monkeypatch: pytest.MonkeyPatch, *, protocol: bool
) -> None:
    """Who ends, politely or not, makes room for another."""
    monkeypatch.setattr(smtpd, "_CONNECTIONS", 2)

    def connected() -> socket.socket:
        return socket.create_connection(("127.0.0.1", port), timeout=PATIENCE)

    def admits(count: int) -> bool:
        with ExitStack() as opened:
            some = [opened.enter_context(connected()) for _ in range(count)]
            return all(one.recv(1000).startswith(b"220 ") for one in some)

    with listening(app, lmtp=protocol) as port, connected() as first, connected() as second:
        assert [one.recv(1000)[:4] for one in (first, second)] == [b"220 ", b"220 "]
        with connected() as third:
            assert heard(third).decode() == f"{smtpd.BUSY}\r\n"
        assert not admits(1)
        first.sendall(b"QUIT\r\n")
        assert heard(first).startswith(b"221 ")
        until(lambda: admits(1), "the place of who has left is free")
        second.shutdown(socket.SHUT_WR)
        assert heard(second) == b""
        until(lambda: admits(2), "both places are free")
        assert not admits(3)


@pytest.mark.parametrize("lmtp", [False, True], ids=["smtp", "lmtp"])
def test_of_a_connection_that_is_lost_nothing_is_left(app: Flask, *, lmtp: bool) -> None:
    """Politely, at once, or cut in the middle of a mail: what waited for its next line is called off."""

    def waiting() -> int:
        tasks = [one for one in gc.get_objects() if isinstance(one, asyncio.Task) and not one.done()]
        return sum("_handle_client" in repr(one) for one in tasks)

    with listening(app, lmtp=lmtp) as port:
        for said in (b"QUIT\r\n", b"", b"MAIL FROM:<anna@example.org>\r\n"):
            with socket.create_connection(("127.0.0.1", port), timeout=PATIENCE) as one:
                assert one.recv(1000).startswith(b"220 ")
                until(lambda: waiting() == 1, "it is being listened to")
                one.sendall(said)
            until(lambda: waiting() == 0, "nobody listens to it any more")


def loops_left_open() -> int:
    """How many event loops of this process nobody has closed."""
    return sum(isinstance(one, asyncio.BaseEventLoop) and not one.is_closed() for one in gc.get_objects())


def test_a_port_that_is_taken_is_said(app: Flask, smtp: smtplib.SMTP) -> None:
    """Two doors can't stand at one port; of the second nothing is left."""
    port = smtp.sock.getpeername()[1]  # type: ignore[union-attr]  # it is connected
    before = loops_left_open()
    with pytest.raises(OSError, match="address already in use"):
        smtpd.listen(app, "127.0.0.1", port, lmtp=False)
    assert loops_left_open() == before
    with app.app_context():
        assert db.session.execute(select(func.count()).select_from(Inbound)).scalar_one() == 0
