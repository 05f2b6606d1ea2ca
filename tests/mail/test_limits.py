"""Every number that the readers of mail are held to: tried as it stands, and one beyond; a new one fails here."""

from __future__ import annotations

import contextlib
import functools
import os
import re
import socket
import threading
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, cast

import pytest

from pbem.engine.text.notation import GrammarRow
from pbem.inbound import line_kinds, receive, seat_mail, working
from pbem.mail import html, imap, incoming, quote_patterns, reply
from pbem.store.models import Inbound
from tests.factories import START, GameFactory, asked, seat_of
from tests.inbound.test_receive import ADDRESSES, address, come_in, mail
from tests.mail.samples import wanted
from tests.mail.test_incoming import HOSTILE
from tests.servers import PATIENCE

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from types import ModuleType

    from sqlalchemy.orm import Session

    from pbem.engine.core.types import AnyRules
    from pbem.store.models import Game
    from tests.conftest import Clock
    from tests.mail_servers import Dovecot

MODULES = (html, imap, incoming, line_kinds, quote_patterns, receive, reply, seat_mail, working)
BODY = b"From: a@b.c\r\n\r\n"
ORDER = "bid 6 on Memphis"


def numbers(module: ModuleType) -> set[str]:
    """The numbers that a module sets by itself, by the module's last name."""
    source = Path(module.__file__ or "").read_text(encoding="utf-8")
    own = re.findall(r"^(_?[A-Z_]+) = \d[\d_x]*", source, re.MULTILINE)
    return {f"{module.__name__.rpartition('.')[2]}.{name}" for name in own}


def is_refused(raw: bytes) -> bool:
    """Whether a mail is refused before it is parsed."""
    try:
        incoming.read(raw)
    except incoming.Unreadable:
        return True
    return False


def text_of(raw: bytes) -> str:
    """The text that is read of a mail."""
    return incoming.read(raw).text.strip()


def orders(*lines: str) -> tuple[str, ...]:
    """What is read of these lines."""
    return reply.read("\n".join(lines), wanted).orders


def too_big(beyond: int) -> bool:
    """A whole mail's bytes: one more is refused."""
    return is_refused(BODY + b"x" * (incoming.MAX_MAIL - len(BODY) + beyond))


def read_to(beyond: int) -> bool:
    """Whether the last word of a mail lies too far behind its beginning to be parsed; its head is in the way."""
    head = b"From: a@b.c\r\n" + b"".join(b"X-%d: %s\r\n" % (n, b"y" * 60_000) for n in range(16)) + b"X: "
    end = b"\r\n\r\nlast"
    return text_of(head + b"y" * (incoming._READ - len(head) - len(end) + beyond) + end) != "last"


def head_to(beyond: int) -> bool:
    """Whether a Message-ID stands too far behind the beginning."""
    last = b"Message-ID: <last@b>"
    return incoming.message_id(b"X: " + b"y" * (incoming._HEAD - len(last) - 5 + beyond) + b"\r\n" + last) != "<last@b>"


def text_to(beyond: int) -> bool:
    """Whether the end of a text is cut."""
    return not incoming.read(BODY + b"x" * (incoming._MAX_TEXT + beyond - 1) + b"!").text.endswith("!")


def header_to(beyond: int) -> bool:
    """Whether the end of a From header is cut: the address in it is another one."""
    sender = "x" * (incoming._HEADER - 4 + beyond) + "@b.c"
    return incoming.read(b"From: " + sender.encode() + b"\r\n\r\nx").sender != sender


def parameters_to(beyond: int) -> bool:
    """Whether a Content-Type is too long to be one: the text is then read as it came."""
    kind = b"text/html; x="
    raw = b"Content-Type: " + kind + b"y" * (incoming._PARAMETERS - len(kind) + beyond) + b"\r\n\r\n<b>x</b>"
    return text_of(raw) != "x"


def attached(beyond: int) -> bool:
    """Whether so many lines in base64 are left out, as an attachment is."""
    lines = (b"A" * 76 + b"\r\n") * (incoming._ATTACHED - 1 + beyond)
    return "A" * 76 not in text_of(BODY + lines + b"x")


def boundaries(beyond: int) -> bool:
    """So many parts that hold parts."""
    return is_refused(b"Content-Type: multipart/mixed; boundary=b\r\n" * (incoming._MAX_BOUNDARIES + beyond) + b"\r\nx")


def marks(beyond: int) -> bool:
    """So many lines that may be the beginning of a part."""
    return is_refused(BODY + b"\r\n--" * (incoming._MAX_MARKS + beyond))


def nested(beyond: int) -> bool:
    """So many mails in mails."""
    return is_refused(b"Content-Type: message/rfc822\r\n\r\n" * (incoming._MAX_NESTED + beyond) + b"x")


def headers(beyond: int) -> bool:
    """So many headers, the first not counted."""
    return is_refused(b"From: a@b.c\r\n" + b"X: y\r\n" * (incoming._MAX_HEADERS + beyond) + b"\r\nx")


def report_says(beyond: int) -> bool:
    """Whether words that tell a failure stand too far down in a report, where it quotes."""
    word = "user unknown"
    raw = b"From: a@b.c\r\n\r\n" + b"." * (incoming._SAYS - len(word) - 1 + beyond) + word.encode()
    return incoming.read(raw, is_report_address=True).nature != "bounce"


def deep(beyond: int) -> bool:
    """Whether a quote is opened too deep in a page to be known as one."""
    return html.as_text("<b>" * (html._MAX_DEPTH + beyond) + "<blockquote>x") != "> x"


def sheet(beyond: int) -> bool:
    """Whether a rule that hides text stands too far down in a style sheet to be looked at."""
    rule = ".x{display:none"
    return html.as_text(f"<style>{' ' * (html._SHEET - len(rule) + beyond)}{rule}</style><p class=x>hidden") != ""


def names(beyond: int) -> bool:
    """Whether a rule asks for more classes at once than are compared."""
    several = "abcdefg"[: html._NAMES + beyond]
    return html.as_text(f"<style>.{'.'.join(several)}{{display:none}}</style><p class='{' '.join(several)}'>x") != ""


def attributes(beyond: int) -> bool:
    """Whether a tag's mark of a quote stands too far behind its beginning."""
    mark = "class=gmail_quote"
    inside = "div " + "y" * (html._ATTRIBUTES - len(mark) - 5 + beyond) + " " + mark
    return html.as_text(f"<{inside}>x") != "> x"


def greetings(beyond: int) -> bool:
    """Whether too many other lines stand above an order."""
    return orders(*["hello there"] * (reply._GREETINGS + beyond), ORDER) == ()


def greeting(beyond: int) -> bool:
    """Whether a line above an order is too long for a greeting."""
    return orders("x" * (reply._GREETING + beyond), ORDER) == ()


def most(beyond: int) -> bool:
    """Whether an order is one too many of a mail."""
    return len(orders(*[ORDER] * (reply._MOST + beyond))) < reply._MOST + beyond


def unwrapped(beyond: int) -> bool:
    """Whether a line is too short to have been broken by a mail program."""
    first = ("farmers " + "1 to Abydos and " * 9)[: reply._WRAPPED - beyond - 1] + ","
    return orders(first, "2 to Memphis") != (f"{first} 2 to Memphis",)


def lines(beyond: int) -> bool:
    """Whether an order stands below the lines that are looked at."""
    return orders(*[""] * (reply._LINES - 1 + beyond), ORDER) == ()


def longest(beyond: int) -> bool:
    """Whether the end of a line is cut."""
    line = "bid " + "x" * (reply._LONGEST - 4 + beyond)
    return orders(line) != (line,)


def banner_lines(beyond: int) -> bool:
    """Whether a banner at the top is too long: its rest is read as the sender's."""
    banner = ["CAUTION: This email originated from outside.", *["Do not click."] * (reply._BANNER_LINES - 1 + beyond)]
    return reply.written("\n".join([*banner, "", ORDER]))[0] != ORDER


def span(beyond: int) -> bool:
    """Whether an attribution is broken over too many lines to be one."""
    broken = ["On Monday, 2 March", *["and so on"] * (reply._SPAN - 2 + beyond), "Nile Club <a@b.c> wrote:"]
    return "On Monday, 2 March" in reply.written("\n".join([ORDER, *broken]))


def looked_at(beyond: int) -> bool:
    """Whether a year in a line's end, which makes it an attribution, stands too far behind its beginning."""
    line = "x" * (quote_patterns.MOST - 6 + beyond) + " 2026:"
    return not quote_patterns.stops(line)


def long_line(beyond: int) -> bool:
    """Whether a line is too short to be a banner by a word in its midst."""
    word = " confidential"
    assert quote_patterns.is_banner("x" * 100 + word)
    return not quote_patterns.is_banner("x" * (quote_patterns._LONG_LINE - len(word) - beyond) + word)


def short_closing(beyond: int) -> bool:
    """Whether a closing word is too long to begin a mail."""
    return quote_patterns.is_closing({0: "Best", 1: "Cheers"}[beyond], first=True)


ROWS = (GrammarRow(kind="bid", syntax="", example=ORDER, meaning="", pattern=r"bid \d+ on [a-z]+"),)
ASKED = line_kinds.MailQuestion(cast("AnyRules", SimpleNamespace(grammar=ROWS)), "bid")


def slip(beyond: int) -> bool:
    """Whether a line that begins like an order is too long for a mistyped one."""
    return not line_kinds.wanted(ROWS, "bid")("bid " + "x" * (line_kinds._LOOKS - 4 + beyond))


def note(beyond: int) -> bool:
    """Whether a mail has too many lines for an order in a few words."""
    text = "\n".join(["hello"] * (line_kinds._NOTE - 1 + beyond) + [f"i {ORDER} now"])
    return not line_kinds.resembles(text, ASKED)


def note_line(beyond: int) -> bool:
    """Whether its line is too long."""
    return not line_kinds.resembles("x" * (line_kinds._NOTE_LINE - len(ORDER) - 1 + beyond) + f" {ORDER}", ASKED)


def says(beyond: int) -> bool:
    """Whether so many words beside an order are more than a greeting."""
    return line_kinds.asides([" ".join("x" * (line_kinds._SAYS - 1 + beyond))], ASKED)


HELD: dict[str, Callable[[int], bool]] = {
    "html._ATTRIBUTES": attributes,
    "html._MAX_DEPTH": deep,
    "html._NAMES": names,
    "html._SHEET": sheet,
    "incoming.MAX_MAIL": too_big,
    "incoming._ATTACHED": attached,
    "incoming._HEAD": head_to,
    "incoming._HEADER": header_to,
    "incoming._MAX_BOUNDARIES": boundaries,
    "incoming._MAX_HEADERS": headers,
    "incoming._MAX_MARKS": marks,
    "incoming._MAX_NESTED": nested,
    "incoming._MAX_TEXT": text_to,
    "incoming._PARAMETERS": parameters_to,
    "incoming._READ": read_to,
    "incoming._SAYS": report_says,
    "line_kinds._LOOKS": slip,
    "line_kinds._NOTE": note,
    "line_kinds._NOTE_LINE": note_line,
    "line_kinds._SAYS": says,
    "quote_patterns.MOST": looked_at,
    "quote_patterns._LONG_LINE": long_line,
    "quote_patterns._SHORT": short_closing,
    "reply._BANNER_LINES": banner_lines,
    "reply._GREETING": greeting,
    "reply._GREETINGS": greetings,
    "reply._LINES": lines,
    "reply._LONGEST": longest,
    "reply._MOST": most,
    "reply._SPAN": span,
    "reply._WRAPPED": unwrapped,
}
"""What a text alone shows: whether it is over the number, so much beyond it."""


def seated(session: Session) -> str:
    """The reply address of a seat that is asked something."""
    game: Game = GameFactory(seed="one question")
    session.refresh(game)
    return address(game, seat_of(session, game, asked(session, game)[0].seat))


def tries(session: Session, beyond: int) -> bool:
    """Whether a mail that was begun so often is put aside before it is begun once more."""
    to = seated(session)
    receive.receive(session, mail("ra"), to, START)
    session.query(Inbound).update({"attempts": working.TRIES - 1 + beyond})
    session.commit()
    working.work_through(session, START, ADDRESSES, 1)
    return bool(session.query(Inbound.state).scalar() == "failed")


def shown(session: Session, beyond: int) -> bool:
    """Whether one of so many unread mails isn't shown any more."""
    to = seated(session)
    for number in range(receive._SHOWN + beyond):
        come_in(session, mail(f"see you {number}", number), to)
    players = {row.player_id or 0 for row in session.query(Inbound)}
    return len(receive.unread(session, START, players, ())) < receive._SHOWN + beyond


def kept(session: Session, beyond: int) -> bool:
    """Whether the end of words in which nothing was found is cut."""
    to = seated(session)
    come_in(session, mail("x " * (seat_mail.KEPT // 2 - 1) + "x" * (1 + beyond) + "!"), to)
    return not str(session.query(Inbound.note).scalar()).endswith("!")


STORED: dict[str, Callable[[Session, int], bool]] = {
    "working.TRIES": tries,
    "receive._SHOWN": shown,
    "seat_mail.KEPT": kept,
}
"""What is held in the database."""


class Box:
    """Dovecot's mailbox, filled with mails as a server delivers them."""

    def __init__(self, dovecot: Dovecot) -> None:
        """Empty it."""
        self.url = f"imap://{dovecot.user}:{dovecot.password}@127.0.0.1:{dovecot.port}/INBOX"
        self._folder, self._uid, self._put = dovecot.box / "Maildir", dovecot.box.stat().st_uid, 0
        for path in self._folder.glob("[cn]*/*"):
            path.unlink()
        imap.fetch(self.url, ADDRESSES, lambda *_: True)  # Dovecot makes the folders when somebody looks

    def put(self, raw: bytes) -> None:
        """Deliver one mail, behind those before it."""
        self._put += 1
        path = self._folder / "new" / f"{1_700_000_000 + self._put}.{self._put}.test"
        path.write_bytes(raw)
        os.chown(path, self._uid, -1)

    def fetch(self) -> list[tuple[str, str, bytes]]:
        """What one visit brings: sender, recipient, mail."""
        found: list[Any] = []

        def keep(*one: str | bytes) -> bool:
            found.append(one)
            return True

        imap.fetch(self.url, ADDRESSES, keep)
        return found


@pytest.fixture
def box(dovecot: Dovecot) -> Box:
    """An empty mailbox."""
    return Box(dovecot)


def at_once(box: Box, beyond: int) -> bool:
    """Whether one of so many mails waits for the next visit."""
    for number in range(imap._AT_ONCE + beyond):
        box.put(mail("ra", number, To=ADDRESSES.seat(1, 2, 0)))
    first, second = len(box.fetch()), len(box.fetch())
    assert first + second == imap._AT_ONCE + beyond
    return second > 0


def recipients(box: Box, beyond: int) -> bool:
    """Whether one of so many recipients is left out."""
    most = incoming.MAX_RECIPIENTS + beyond
    box.put(mail("ra", To=",\r\n ".join(ADDRESSES.seat(one, 2, 0) for one in range(most))))
    return len(box.fetch()) < most


def size(box: Box, beyond: int) -> bool:
    """Whether the end of a mail stays where it is; what stands above it is read."""
    raw = mail("ra", To=ADDRESSES.seat(1, 2, 0))
    raw += b"x" * (incoming.MAX_MAIL - len(raw) - 1 + beyond) + b"!"
    box.put(raw)
    ((_, _, found),) = box.fetch()
    assert raw.startswith(found)
    assert incoming.read(found).text.startswith("ra\n")
    return found != raw


FETCHED: dict[str, Callable[[Box, int], bool]] = {
    "imap._AT_ONCE": at_once,
    "incoming.MAX_MAIL": size,
    "incoming.MAX_RECIPIENTS": recipients,
}
"""What a visit to a mailbox is held to."""
NO_SIZE = {
    "imap.REST": "test_a_mailbox_that_fails_is_left_alone_and_told_of_once",
    "imap._SECONDS": "test_a_mailbox_that_says_nothing_is_left",
}


def test_every_number_is_tried() -> None:
    """A new one says here how it is reached; one that is gone stands here no more."""
    found = set().union(*map(numbers, MODULES))

    assert found == {*HELD, *STORED, *FETCHED, *NO_SIZE}


@pytest.mark.parametrize("name", HELD)
def test_a_reader_holds_its_number(name: str) -> None:
    """As much as it says is read, one more is not."""
    assert [HELD[name](beyond) for beyond in (0, 1)] == [False, True]


@pytest.mark.parametrize("beyond", [0, 1])
@pytest.mark.parametrize("name", STORED)
def test_what_is_kept_holds_its_number(session: Session, clock: Clock, name: str, beyond: int) -> None:
    """As much as it says is tried, shown and kept, one more is not."""
    assert clock.now == START
    assert STORED[name](session, beyond) is bool(beyond)


@pytest.mark.parametrize("beyond", [0, 1])
@pytest.mark.parametrize("name", FETCHED)
def test_a_visit_holds_its_number(box: Box, name: str, beyond: int) -> None:
    """As much as it says is fetched, one more is not."""
    assert FETCHED[name](box, beyond) is bool(beyond)


TO = ADDRESSES.seat(1, 2, 0).encode()
SPOILT: dict[str, Callable[[], bytes]] = {
    **{f"hostile: {name}": make for name, make in HOSTILE.items() if name != "fifty megabytes"},
    "brackets": lambda: b"Cc: " + b"(" * 20_000 + b"\r\n\r\nx",
    "nonsense in the sender": lambda: b"Return-Path: <\xff\xfe@\xed\xa0\x80>\r\n\r\nx",
    "an odd encoded word": lambda: b"From: =?utf-8?b?!!!?= <a@b.c>\r\nCc: =?x?q?=ff?=\r\n\r\nx",
    "bytes that are no text": lambda: b"Content-Type: text/plain; charset=\xff\r\n\r\n\xff",
}


@pytest.mark.parametrize("name", SPOILT)
def test_no_mail_in_a_mailbox_holds_up_the_next(session: Session, box: Box, name: str) -> None:
    """Whatever lies there is kept byte for byte, as far as it is read, and seen; so is the order behind it."""
    order = mail("ra", To=TO.decode())
    box.put(b"Delivered-To: " + TO + b"\r\n" + SPOILT[name]())
    box.put(order)

    found = box.fetch()
    assert [raw for _, _, raw in found] == [b"Delivered-To: " + TO + b"\r\n" + SPOILT[name](), order]
    for sender, recipient, raw in found:
        assert receive.receive(session, raw, recipient, START, sender=sender) is not None
    assert box.fetch() == []


def test_an_address_no_database_keeps_is_kept_without_its_nul(session: Session) -> None:
    """A door hands on what it was given: NUL and halves of characters are left out."""
    number = receive.receive(session, mail("ra"), f"{TO.decode()}\0", START, sender="a\0b\ud800@c.d")
    session.commit()

    row = session.get_one(Inbound, number)
    assert (row.recipient, row.sender) == (TO.decode(), "ab@c.d")


def test_a_null_sender_stays_one(box: Box) -> None:
    """Where the mailbox wrote the envelope's sender down it counts, the empty one too; else the From."""
    box.put(mail("ra", 1, To=TO.decode(), Return_Path="<>"))
    box.put(mail("ra", 2, sender="Anna <anna@b.c>", To=TO.decode()))

    assert [sender for sender, _, _ in box.fetch()] == ["", "anna@b.c"]


@contextmanager
def server_that_says(greeting: bytes) -> Iterator[str]:
    """The address of a mailbox that greets so, and then says nothing, or ends if it has nothing to say."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        over = threading.Event()

        def serve() -> None:
            connection, _ = listening.accept()
            with connection:
                connection.sendall(greeting)
                if greeting:
                    over.wait(PATIENCE)

        thread = threading.Thread(target=serve)
        thread.start()
        try:
            yield f"imap://a:b@127.0.0.1:{listening.getsockname()[1]}/INBOX"
        finally:
            over.set()
            thread.join()


@pytest.mark.parametrize("greeting", [b"", b"* OK", b"* OK here\r\n", b"* BYE\r\n", b"\xff\r\n"])
def test_a_mailbox_that_says_nothing_is_left(monkeypatch: pytest.MonkeyPatch, greeting: bytes) -> None:
    """It ends, says no more or talks nonsense: one sentence for the log, and the mail of other doors is worked."""
    monkeypatch.setattr(imap, "logged_in", functools.partial(imap.logged_in, patience=0.05))
    with server_that_says(greeting) as url, pytest.raises(imap.MailboxClosed, match="can't be read"):
        imap.fetch(url, ADDRESSES, lambda *_: True)


def test_a_mailbox_that_fails_is_left_alone_and_told_of_once(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """No visit for `REST` seconds after one that failed, nor beside another one; a line where what it says is new."""
    visits, paid, moment = imap.Visits(), list[float](), [0.0]

    def fetch(*_: object) -> None:
        paid.append(moment[0])
        visits.pay("", ADDRESSES, lambda *_: True)  # another worker's, meanwhile
        if fault:
            raise imap.MailboxClosed(fault)

    monkeypatch.setattr(imap, "fetch", fetch)
    monkeypatch.setattr("time.monotonic", lambda: moment[0])
    answers = {0: "Silent.", imap.REST - 1: "", imap.REST: "Silent.", 2 * imap.REST: "No.", 3 * imap.REST: ""}
    for moment[0], fault in {**answers, 3 * imap.REST + 1: "", 3 * imap.REST + 2: "No."}.items():  # noqa: B007 - fetch reads it
        visits.pay("", ADDRESSES, lambda *_: True)

    lines: list[Any] = [record.msg for record in caplog.records]
    assert paid == [0, imap.REST, 2 * imap.REST, 3 * imap.REST, 3 * imap.REST + 1, 3 * imap.REST + 2]
    assert [line["fault"] for line in lines] == ["Silent.", "No.", "No."]


def test_a_mail_that_the_mailbox_cant_give_now_is_fetched_later(box: Box) -> None:
    """A refused fetch marks nothing as seen: the mail would be lost."""
    box.put(f"From: a@b.c\r\nTo: {ADDRESSES.player(1, 1)}\r\n\r\nlater".encode())
    imap.fetch(box.url, ADDRESSES, lambda *_: False)
    (path,) = box._folder.glob("cur/*")
    path.chmod(0)
    with contextlib.suppress(imap.MailboxClosed):
        assert box.fetch() == []
    (path,) = box._folder.glob("cur/*")
    path.chmod(0o644)

    assert [raw.partition(b"\r\n\r\n")[2].strip() for _, _, raw in box.fetch()] == [b"later"]
